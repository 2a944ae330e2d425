"""The two ways in which the kernel's functions are compiled.

No reference counting (``_nrt=False``): the functions allocate nothing, and counting references to the arrays of a named
tuple at every call took longer than the work itself. For the same reason what runs per block of rows is always inlined:
a named tuple of arrays is a hundred arguments. What both gave is in docs/decisions/0004-kernel.md.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

F64 = NDArray[np.float64]
F32 = NDArray[np.float32]
I64 = NDArray[np.int64]
I32 = NDArray[np.int32]
U64 = NDArray[np.uint64]
U16 = NDArray[np.uint16]
U8 = NDArray[np.uint8]

kernel = njit(cache=True, nogil=True, error_model="numpy", _nrt=False)
# Never called from Python: to unpack a named tuple of arrays for that took a fifth of all compiling.
inner = njit(
    nogil=True, error_model="numpy", _nrt=False, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True
)
