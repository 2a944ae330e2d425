"""The two ways in which the kernel's functions are compiled.

No reference counting (``_nrt=False``): the functions allocate nothing, and counting references to the arrays of a
named tuple on every call took longer than the work itself (ACS: 64 s against 33 s). For the same reason what runs per
block of rows is always inlined: passing a named tuple of arrays by value is a hundred arguments.
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
inner = njit(cache=True, nogil=True, error_model="numpy", _nrt=False, forceinline=True)
