"""Uses of undocumented numba APIs, each in one function.

tests/kernels/test_private.py says which of it another version has changed. numba is imported where it is needed: to
look for compiled code takes less than to load it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

UNCOUNTED = {"_nrt": False}
"""The option of a function that counts no references; it may allocate nothing."""


def has_feature(name: str) -> bool:
    """Whether the processor that numba compiles for has a feature, in LLVM's words."""
    from numba.core.registry import cpu_target

    return f"+{name}" in cpu_target.target_context.codegen().magic_tuple()[2].split(",")


def keep(compiled: Any, function: Callable[..., Any], stamp: Callable[[], str]) -> None:
    """Have a compiled function kept on disk where there is a place for it.

    Parameters
    ----------
    compiled, function
        The function as numba gives it, and as it was.
    stamp
        Returns what changes when the function must be compiled anew.
    """
    with suppress(RuntimeError):  # no place at all: compiled in memory, in each process
        compiled._cache = _cache_class(stamp)(function)


@cache
def _cache_class(stamp: Callable[[], str]) -> Any:
    from numba.core.caching import FunctionCache

    class Places(FunctionCache._impl_class):  # type: ignore[misc]
        """numba's places: NUMBA_CACHE_DIR, beside the source, the user's cache.

        The first two also where they are read-only: an image compiles as root and runs as somebody else.
        """

        _locator_classes = [  # noqa: RUF012
            place
            for locator in (_stamped(locator, stamp) for locator in FunctionCache._impl_class._locator_classes)
            for place in (
                locator,
                *([_reading(locator)] if ("InTree" in locator.__name__ or "UserProvided" in locator.__name__) else []),
            )
        ]

    class Cache(FunctionCache):  # type: ignore[misc]
        """A cache that need not be writable."""

        _impl_class = Places

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            """Load what was compiled; nothing where another version kept types that this one does not have."""
            try:
                return super().load_overload(sig, target_context)
            except (AttributeError, ImportError):  # from unpickling
                with suppress(OSError):
                    self.flush()
                return None

        def save_overload(self, sig: Any, data: Any) -> None:
            """Keep what was compiled where that can be; it is in memory in any case."""
            with suppress(OSError):
                super().save_overload(sig, data)

    return Cache


def _stamped(locator: Any, stamp: Callable[[], str]) -> Any:
    """The same place, where a change of the stamp counts, and not only one of the function's own file."""

    def get_source_stamp(self: Any) -> Any:
        return locator.get_source_stamp(self), stamp()

    return type(f"Stamped{locator.__name__}", (locator,), {"get_source_stamp": get_source_stamp})


def _reading(locator: Any) -> Any:
    """The same place for a process that may only read it: what was compiled there before is used."""

    def ensure_cache_path(self: Any) -> None:
        if not has_index(Path(self.get_cache_path())):
            raise FileNotFoundError(self.get_cache_path())

    return type(f"Reading{locator.__name__}", (locator,), {"ensure_cache_path": ensure_cache_path})


def folder_of(compiled: Any) -> Path | None:
    """Return the folder in which a compiled function is kept, or None where it is compiled in each process."""
    path = getattr(compiled._cache, "cache_path", None)
    return None if path is None else Path(path)


def has_index(folder: Path) -> bool:
    """Whether a folder says which compiled functions it keeps."""
    return any(True for _ in folder.glob("*.nbi"))


def has_code(place: Path, function: str, specializations: int) -> bool:
    """Whether a place has a folder with compiled code of a function (``module.name``) for so many sets of types."""
    return any(True for _ in place.glob(f"*/{function}-*.{specializations}.nbc"))
