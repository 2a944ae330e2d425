"""Who answers a search: the kernel, or NumPy as long as the kernel would have to be compiled or loaded first.

Compiling takes seconds, and loading what is compiled most of one; a small table is searched sooner without. Where
nothing is compiled yet, another process compiles meanwhile, so that later searches find it. Both answers are the same
to the bit.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from synthpriv_sql.kernels import private
from synthpriv_sql.kernels.knn import alone, index, pairs
from synthpriv_sql.kernels.knn.index import Found, Progress
from synthpriv_sql.kernels.layout import Columns, Distance

_AT_ONCE = 30_000_000  # pairs times columns that take less than loading the kernel
_MEANWHILE = 500_000_000  # and those that take less than compiling it
_KERNEL = "synthpriv_sql.kernels.knn.scan"
_SEARCH, _FILTERS = "scan.search_batches", 2  # compiled by `compile_kernel` without a filter, then with `Tiles`
_COMPILE = "from synthpriv_sql.kernels.knn import first; first.compile_alone()"


@dataclass(slots=True)
class _Now:
    """What this process has done: the helper that compiles for it, and whether the kernel is to answer all searches."""

    helper: subprocess.Popen[bytes] | None = None
    kernel_only: bool = False


now = _Now()


def search(
    queries: Columns,
    reference: Columns,
    distance: Distance,
    k: int,
    *,
    exclude_self: bool = False,
    threads: int = 1,
    shard_rows: int | None = None,
    progress: Progress | None = None,
    compiling: Callable[[], AbstractContextManager[None]] = nullcontext,
    cancelled: Callable[[], bool] | None = None,
) -> Found:
    """Find the k nearest reference records of every query, as `index.search` does.

    What `compiling` returns is entered while the kernel searches, which may have to be compiled for it.
    """
    squares = alone.as_squares(distance)
    if squares is not None:
        found = search(
            queries, reference, squares, k, exclude_self=exclude_self, threads=threads, shard_rows=shard_rows,
            progress=progress, compiling=compiling, cancelled=cancelled,
        )  # fmt: skip
        return alone.capped(found, reference.rows, exclude_self) if distance.cap else found
    columns = len(reference.numeric) + len(reference.categorical) + sum(v.length for v in distance.vectors)
    if _without_kernel(queries.rows * reference.rows * max(columns, 1)):
        return pairs.search(
            queries, reference, distance, k, exclude_self=exclude_self, threads=threads, progress=progress,
            cancelled=cancelled,
        )  # fmt: skip
    with compiling():
        return index.search(
            queries, reference, distance, k, exclude_self=exclude_self, threads=threads, shard_rows=shard_rows,
            progress=progress, cancelled=cancelled,
        )  # fmt: skip


@contextmanager
def kernel_only() -> Iterator[None]:
    """Have the kernel answer every search meanwhile, so that it is compiled."""
    before, now.kernel_only = now.kernel_only, True
    try:
        yield
    finally:
        now.kernel_only = before


def compile_kernel() -> None:
    """Compile and keep what searches call, by a search that comes past all of it."""
    numbers = np.where(np.arange(300) % 7 == 0, np.nan, np.arange(300.0))
    table = Columns((numbers,), ((np.arange(300) % 5).astype(np.int32),), 300)
    index.search(table, table, Distance(1, False, 1.0, (1.0,), (1.0,), 1.0, False), 1)
    table, squares = Columns((np.arange(300.0),), (), 300), Distance(2, False, 1.0, (1.0,), (), 1.0, True)
    index.search(table, table, squares, 1)  # products are for numbers alone, every pair for those that are all there
    index.search(Columns((numbers,), (), 300), table, squares, 1)


def compile_alone() -> None:
    """Compile unless another process has done so: they wait for each other, and let others go first."""
    with suppress(OSError, AttributeError):
        os.nice(10)
    with _turn():
        if not _compiled():
            compile_kernel()


@contextmanager
def _turn() -> Iterator[None]:
    """Wait for other processes that compile to the same place; not on Windows, where they do it beside each other."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    places = "\n".join(map(str, _places())).encode()
    name = f"synthpriv_sql-{os.getuid()}-{hashlib.sha256(places).hexdigest()[:16]}.lock"
    with ExitStack() as stack:
        with suppress(OSError):  # a folder where nothing can be written
            fcntl.flock(stack.enter_context((Path(tempfile.gettempdir()) / name).open("a")), fcntl.LOCK_EX)
        yield


def _without_kernel(work: int) -> bool:
    """Decide for a search of so many pairs times columns."""
    if now.kernel_only or os.environ.get("SYNTHPRIV_SEARCH") == "kernel" or work > _MEANWHILE or _loaded():
        return False
    if work <= _AT_ONCE:
        return True
    if _compiled():
        return False
    if now.helper is None:
        now.helper = _start()
    # A helper that has ended without leaving anything behind will not do so the next time.
    return now.helper is not None and now.helper.poll() is None


def _loaded() -> bool:
    scan = sys.modules.get(_KERNEL)
    return scan is not None and bool(scan.search_batches.signatures)


def _compiled() -> bool:
    """Whether the kernel lies in one of numba's places; asked without loading numba, which takes half a second."""
    return any(private.has_code(place, _SEARCH, _FILTERS) for place in _places())


def _places() -> list[Path]:
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return [Path(chosen)] if chosen else [Path(__file__).parent, Path.home() / ".cache" / "numba"]


def _start() -> subprocess.Popen[bytes] | None:
    """Start a process that compiles; it outlives this one, so that the next need not compile again."""
    if not sys.executable or "python" not in Path(sys.executable).name.lower():
        return None
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    nowhere = subprocess.DEVNULL
    try:
        return subprocess.Popen(  # noqa: S603
            [sys.executable, "-c", _COMPILE], env=environment, stdin=nowhere, stdout=nowhere, stderr=nowhere,
            start_new_session=True,
        )  # fmt: skip
    except OSError:
        return None
