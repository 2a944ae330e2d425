"""The two ways in which the kernel's functions are compiled, and where what is compiled is kept.

No reference counting (``_nrt=False``): the functions allocate nothing, and counting references to the arrays of a named
tuple at every call took longer than the work itself. For the same reason what runs per block of rows is always inlined:
a named tuple of arrays is a hundred arguments. What both gave is in docs/kernel-log.md.
"""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthpriv_sql.kernels import private

F64 = NDArray[np.float64]
F32 = NDArray[np.float32]
I64 = NDArray[np.int64]
I32 = NDArray[np.int32]
U64 = NDArray[np.uint64]
U32 = NDArray[np.uint32]
U16 = NDArray[np.uint16]
U8 = NDArray[np.uint8]

OPTIONS = {"nogil": True, "error_model": "numpy", **private.UNCOUNTED}


@cache
def _sources() -> str:
    """Fingerprint of the kernel's source: functions of other files are compiled into those that use them."""
    found = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()


def kernel(function: Callable[..., Any]) -> Any:
    """Have a function compiled when it is first called, and kept on disk where there is a place for it."""
    compiled = njit(**OPTIONS)(function)
    private.keep(compiled, function, _sources)
    return compiled


# Never called from Python: to unpack a named tuple of arrays for that took a fifth of all compiling.
inner = njit(**OPTIONS, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
# The same, but called: code that is rarely reached made that around it slower (ACS, gower: by a tenth).
apart = njit(**OPTIONS, no_cpython_wrapper=True, no_cfunc_wrapper=True)
# The same as `inner`, but sums of floats may be added up in any order, and so several terms at once.
unordered = njit(
    **OPTIONS, fastmath={"reassoc"}, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True
)  # fmt: skip
