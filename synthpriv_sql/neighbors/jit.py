"""The two ways in which the kernel's functions are compiled, and where what is compiled is kept.

No reference counting (``_nrt=False``): the functions allocate nothing, and counting references to the arrays of a named
tuple at every call took longer than the work itself. For the same reason what runs per block of rows is always inlined:
a named tuple of arrays is a hundred arguments. What both gave is in docs/decisions/0004-kernel.md.
"""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit
from numba.core.caching import FunctionCache
from numpy.typing import NDArray

F64 = NDArray[np.float64]
F32 = NDArray[np.float32]
I64 = NDArray[np.int64]
I32 = NDArray[np.int32]
U64 = NDArray[np.uint64]
U32 = NDArray[np.uint32]
U16 = NDArray[np.uint16]
U8 = NDArray[np.uint8]

OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": False}


@cache
def _sources() -> str:
    """What the kernel was compiled from: functions of other files are compiled into those that use them."""
    found = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()


def _stamped(locator: Any) -> Any:
    """The same place in a numba cache, where a change of any file of the kernel counts, not only of the function's."""

    def get_source_stamp(self: Any) -> Any:
        return locator.get_source_stamp(self), _sources()

    return type(f"Stamped{locator.__name__}", (locator,), {"get_source_stamp": get_source_stamp})


def _reading(locator: Any) -> Any:
    """The same place in a numba cache, for who may read it only: what somebody else has compiled there is used."""

    def ensure_cache_path(self: Any) -> None:
        if not any(Path(self.get_cache_path()).glob("*.nbi")):
            raise FileNotFoundError(self.get_cache_path())

    return type(f"Reading{locator.__name__}", (locator,), {"ensure_cache_path": ensure_cache_path})


class _Places(FunctionCache._impl_class):  # type: ignore[misc]
    """numba's places: NUMBA_CACHE_DIR, beside the source, the user's cache.

    The first two also where they are read-only: an image compiles as root and runs as somebody else.
    """

    _locator_classes = [  # noqa: RUF012
        place
        for locator in map(_stamped, FunctionCache._impl_class._locator_classes)
        for place in (
            locator,
            *([_reading(locator)] if ("InTree" in locator.__name__ or "UserProvided" in locator.__name__) else []),
        )
    ]


class _Cache(FunctionCache):  # type: ignore[misc]
    """A cache that need not be writable."""

    _impl_class = _Places

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled where that can be; it is in memory in any case."""
        with suppress(OSError):
            super().save_overload(sig, data)


def kernel(function: Callable[..., Any]) -> Any:
    """Have a function compiled when it is first called, and kept on disk where there is a place for it."""
    compiled = njit(**OPTIONS)(function)
    with suppress(RuntimeError):  # no place at all: compiled in memory, in each process
        compiled._cache = _Cache(function)
    return compiled


def kept_in(compiled: Any) -> Path | None:
    """Return the folder in which numba keeps a compiled function, or None where it is compiled in each process."""
    path = getattr(compiled._cache, "cache_path", None)
    return None if path is None else Path(path)


# Never called from Python: to unpack a named tuple of arrays for that took a fifth of all compiling.
inner = njit(**OPTIONS, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
# The same, but called: code that is rarely reached made that around it slower (ACS, gower: by a tenth).
apart = njit(**OPTIONS, no_cpython_wrapper=True, no_cfunc_wrapper=True)
