"""Selection of the search method. All methods give the same neighbors and distances, to the bit.

| tables | method | decided by |
| --- | --- | --- |
| one vector and no other column | squares of its components, as numbers, by a method below | `one_vector` |
| up to 30 million pairs times columns in all, kernel not loaded | brute force in NumPy (`pairs`) | `numpy_is_sooner` |
| up to 500 million in all, kernel not compiled yet | the same, while another process compiles | `numpy_is_sooner` |
| more, while that process compiles | a method below, when it has | `await_helper` |
| numbers without nulls, squares added, integer dot products | brute force (`brute`) | `brute_force_possible` |
| where bounds would leave less work than brute force | blocks (`scan`), filter: products in float32 | `brute_force` |
| the same, nulls in queries, or no such instructions | blocks, filter: products in float32 | `Fitted.multiplied` |
| many numbers among them, many rows, AVX-512BW | blocks, filter: numbers of 8 bits | `quantized.worthwhile` |
| fewer numbers among them, AVX-512 VBMI | blocks, filter: costs in bytes, looked up | `lookups.available` |
| a vector beside other columns, not of squares | blocks, filter: squares of vectors | `Records.vectors` |
| all others | blocks | |

Nothing here imports numba before a search needs it: to load the kernel takes most of a second, to compile it several.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from synthpriv_sql.kernels import private
from synthpriv_sql.kernels.layout import Distance, Neighbors

if TYPE_CHECKING:
    from synthpriv_sql.kernels.blocks.state import Queries
    from synthpriv_sql.kernels.knn import build, costs

# Chosen so that small tables never wait; `make tune` prints how much NumPy compares meanwhile on the machine at hand.
# A process that has compared so much has waited as long as it would have for the kernel, so that it has it loaded then.
PAIR_COLUMNS_WHILE_LOADING = 30_000_000  # pairs times columns that NumPy compares while the compiled kernel is loaded
PAIR_COLUMNS_WHILE_COMPILING = 500_000_000  # and while the kernel is compiled
LONGEST_WAIT = 120.0  # seconds that a search waits for the process that compiles the kernel

_KERNEL = "synthpriv_sql.kernels.knn.scan"
SEARCH, SPECIALIZATIONS = "scan.search_batches", 2  # what `compile_kernel` compiles: of mixed columns, then with tiles
_COMPILE = "from synthpriv_sql.kernels.knn import compiling; compiling.compile_alone()"


@dataclass(slots=True)
class _Process:
    """State of this process.

    helper : the process that compiles for it; kernel_only : whether the kernel is to answer all searches; compared :
    pairs times columns that NumPy has compared; meanwhile : what compiles, while it waits for the helper, other kernels
    that will be needed.
    """

    helper: subprocess.Popen[bytes] | None = None
    kernel_only: bool = False
    compared: int = 0
    meanwhile: list[Callable[[], None]] = field(default_factory=list)


this_process = _Process()


def one_vector(distance: Distance) -> bool:
    """Whether one vector is all that is compared, and it is not compared by squares anyway."""
    return len(distance.whole) == 1 and not len(distance.costs) and not len(distance.numbers[0])


def numpy_is_sooner(pair_columns: int) -> bool:
    """Whether NumPy compares so many pairs times columns sooner than the kernel could, which may start a helper."""
    if this_process.kernel_only or os.environ.get("SYNTHPRIV_SEARCH") == "kernel":
        return False
    sooner = _numpy_is_sooner(pair_columns, this_process.compared + pair_columns)
    this_process.compared += pair_columns if sooner else 0
    return sooner


def _numpy_is_sooner(pair_columns: int, in_all: int) -> bool:
    """The same, where NumPy would then have compared so much in all in this process."""
    if in_all > PAIR_COLUMNS_WHILE_COMPILING or _loaded():
        return False
    if in_all <= PAIR_COLUMNS_WHILE_LOADING:
        return True
    if compiled():
        return False
    if this_process.helper is None:
        this_process.helper = start(_COMPILE)
    if this_process.helper is not None and this_process.helper.poll() is None:
        return True
    # A helper that has ended without leaving anything behind will not do so the next time.
    return pair_columns <= PAIR_COLUMNS_WHILE_LOADING


def await_helper(cancelled: Callable[[], bool] | None = None) -> None:
    """Wait for the helper, if it compiles the kernel: two that compile the same take longer, on all cores.

    Meanwhile this process compiles what else it is going to need.

    Parameters
    ----------
    cancelled
        Asked ten times a second, but while it compiles; ends the wait. So does `LONGEST_WAIT`: the helper may wait for
        another process itself, which was stopped.
    """
    helper = this_process.helper
    if helper is None or _loaded() or helper.poll() is not None or compiled():
        return
    from numba.core import event

    end = time.monotonic() + LONGEST_WAIT
    with event.trigger_event("numba:compile"):  # whoever reports compiling reports this too
        while helper.poll() is None and not compiled() and time.monotonic() < end:
            if cancelled is not None and cancelled():
                return
            try:
                work = this_process.meanwhile.pop(0)
            except IndexError:  # nothing, or another thread has taken the last
                time.sleep(0.1)
            else:
                work()


def brute_force_possible(fitted: build.Fitted) -> bool:
    """Whether a reference may be searched by brute force, so that its blocks are not made before they are needed."""
    from synthpriv_sql.kernels.knn import costs

    return costs.possible(fitted)


def brute_force(
    fitted: build.Fitted, queries: Queries, found: Neighbors, threads: int, grow: Callable[[], build.Grown]
) -> costs.Passes | None:
    """Return how to search the queries by brute force; None where blocks are less work, or the only way."""
    from synthpriv_sql.kernels.knn import costs

    return costs.cheaper_than_blocks(fitted, queries, found, threads, grow)


@contextmanager
def kernel_only() -> Iterator[None]:
    """Have the kernel answer every search within, so that it is compiled."""
    before, this_process.kernel_only = this_process.kernel_only, True
    try:
        yield
    finally:
        this_process.kernel_only = before


def _loaded() -> bool:
    scan = sys.modules.get(_KERNEL)
    return scan is not None and bool(scan.search_batches.signatures)


def compiled() -> bool:
    """Whether the kernel lies in one of numba's places; asked without loading numba, which takes half a second."""
    return any(private.has_code(place, SEARCH, SPECIALIZATIONS) for place in places())


def places() -> list[Path]:
    """Return where numba may keep compiled code."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return [Path(chosen)] if chosen else [Path(__file__).parent, Path.home() / ".cache" / "numba"]


def start(code: str) -> subprocess.Popen[bytes] | None:
    """Start a process that compiles; it outlives this one, so that the next need not compile again.

    None where this program is no Python that could be started, or none can be.
    """
    if not sys.executable or "python" not in Path(sys.executable).name.lower():
        return None
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    nowhere = subprocess.DEVNULL
    try:
        return subprocess.Popen(  # noqa: S603
            # -P: with -c alone, a folder of that name in the current folder would be run instead of this package.
            [sys.executable, "-P", "-c", code], env=environment, stdin=nowhere, stdout=nowhere, stderr=nowhere,
            start_new_session=True,
        )  # fmt: skip
    except OSError:
        return None
