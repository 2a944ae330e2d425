"""Pages of large tables that a statement keeps, compressed: DuckDB copies them for every search that reads them.

It puts texts into blocks of 256 KB, so that each page of 150 KB takes one to itself, and of half the size three share
one. Such a page begins with its size times -1, as int64. Of small tables memory does not matter, and time does.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

_CODEC = pa.Codec("lz4_raw")
_FROM = 1 << 16  # records of a table that are kept as they are


def of(page: Any) -> Any:
    """Return a page, a buffer that begins with its rows and its first record, as it is kept."""
    _, first = np.frombuffer(page, np.int64, 2).tolist()
    if first < _FROM:
        return page
    return pa.py_buffer(b"".join([np.array([-page.size], np.int64).tobytes(), _CODEC.compress(page)]))


def opened(page: Any) -> Any:
    """Return the buffer of a page, a binary scalar, as it was before it was kept."""
    buffer = page.as_buffer()
    (size,) = np.frombuffer(buffer, np.int64, 1).tolist()
    return buffer if size >= 0 else _CODEC.decompress(buffer[8:], -size)
