"""Compression of the pages of large tables, and keys in place of them: DuckDB copies what a search reads.

DuckDB stores BLOBs in blocks of 256 KB: a page of 150 KB takes a whole block, while ten pages of 25 KB share one.
Numbers with few decimals are stored as integers of two or four bytes where that is lossless; LZ4 compresses the rest.
Small tables are not compressed, since there time matters more than memory.

The bytes of a compressed page, int64: its negated size, its size before LZ4, its number of columns; then one byte per
column with the decimals of its numbers, or -1 if they are unchanged; then the LZ4 output of the page with these
numbers. Where the rows between two statements pass through this process, a page can stay here, and DuckDB has its key.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

_CODEC = pa.Codec("lz4_raw")
_FROM = 1 << 16  # tables with fewer records are not compressed
_DECIMALS = (0, 1, 2, 3, 4)
_AS_THEY_ARE = -1
_WIDE = 16  # added to the decimals of columns that take four bytes
_KEY = 16  # bytes
_STAYING: dict[bytes, Any] = {}
"""By its key, a page of 24 bytes or more: a key has 16, and nobody can guess it."""


def of(page: Any, columns: int) -> Any:
    """Compress a page, a buffer from `pages.pack` with this number of columns."""
    _, first = np.frombuffer(page, np.int64, 2).tolist()
    if first < _FROM:
        return page
    plan = np.full(columns, _AS_THEY_ARE, np.int8)
    body: list[Any] = [page[: 8 * (3 + 3 * columns)]]
    at = body[0].size
    for i, size in _columns(page, columns):
        if size:
            packed = _packed(np.frombuffer(page, np.float64, size // 8, at)) if i >= 0 else None
            if packed is not None:
                plan[i], whole = packed
            body.append(page[at : at + size] if packed is None else whole)
            at += size
    body.append(page[at:])
    joined = b"".join(body)
    head = np.array([-page.size, len(joined), columns], np.int64).tobytes()
    return pa.py_buffer(b"".join([head, plan.tobytes(), _CODEC.compress(joined)]))


def opened(page: Any) -> Any:
    """Decompress a page, a binary scalar; returns its buffer."""
    kept = _itself(page)
    (size,) = np.frombuffer(kept, np.int64, 1).tolist()
    if size >= 0:
        return kept
    _, before, columns = np.frombuffer(kept, np.int64, 3).tolist()
    plan = np.frombuffer(kept, np.int8, columns, 24)
    packed = _CODEC.decompress(kept[24 + columns :], before)
    if (plan == _AS_THEY_ARE).all():
        return packed
    at = 8 * (3 + 3 * columns)
    body: list[Any] = [packed[:at]]
    for i, wide in _columns(packed, columns):
        here = wide
        if i >= 0 and plan[i] != _AS_THEY_ARE:
            kind = np.int32 if plan[i] & _WIDE else np.int16
            here = wide // 8 * kind().itemsize
            body.append(_unpacked(np.frombuffer(packed, kind, wide // 8, at), int(plan[i]) & (_WIDE - 1)))
        else:
            body.append(packed[at : at + here])
        at += here
    body.append(packed[at:])
    return pa.py_buffer(b"".join(body))


class Staying:
    """Pages that stay in this process until they are released: statements pass their keys on."""

    def __init__(self, pages: Iterable[Any]) -> None:
        """Take binary scalars, pages or keys of pages that stay already; nothing is copied."""
        self.keys = []
        for page in pages:
            key = uuid.uuid4().bytes
            _STAYING[key] = _itself(page)
            self.keys.append(key)

    def release(self) -> None:
        """Let go of the pages."""
        for key in self.keys:
            del _STAYING[key]
        self.keys = []


def stays(value: Any) -> bool:
    """Whether a binary scalar is the key of a page that stays here."""
    kept = value.as_buffer()
    return kept.size == _KEY and kept.to_pybytes() in _STAYING


def _itself(page: Any) -> Any:
    """Return the buffer of a page, a binary scalar, or of the page that it is the key of."""
    kept = page.as_buffer()
    return _STAYING[kept.to_pybytes()] if kept.size == _KEY else kept


def _columns(page: Any, columns: int) -> Iterator[tuple[int, int]]:
    """Yield, for each column before the first of vectors, its offset if it holds numbers (else -1), and its bytes."""
    rows, _, _, *about = np.frombuffer(page, np.int64, 3 + 3 * columns).tolist()
    for i in range(columns):
        code, words, size = about[3 * i : 3 * i + 3]
        if code < 0:
            return
        if code == 0:
            yield i, 8 * rows
        else:  # integers have one byte each that marks missing values
            yield -1, 9 * rows if code == 8 else code * rows + 4 * (words + 1) + size


def _packed(values: NDArray[np.float64]) -> tuple[int, NDArray[Any]] | None:
    """Return numbers as integers, with the code of their decimals and width; None if that would lose a bit.

    The smallest integer stands for a missing value, the next one for -0.0.
    """
    missing = np.isnan(values)
    known = values[~missing] if missing.any() else values
    for decimals in _DECIMALS:
        scale = 10.0**decimals
        with np.errstate(over="ignore", invalid="ignore"):
            if not _same(known[:16], np.rint(known[:16] * scale) / scale):
                continue
            whole = np.rint(known * scale)
            most = float(np.abs(whole).max(initial=0.0))
            if not (most < np.iinfo(np.int32).max - 1 and _same(known, whole / scale)):
                continue
        kind: type[Any] = np.int16 if most < np.iinfo(np.int16).max - 1 else np.int32
        out = np.full(len(values), np.iinfo(kind).min, kind)
        out[~missing] = np.where((whole == 0) & np.signbit(whole), np.iinfo(kind).min + 1, whole)
        return decimals | (_WIDE if kind is np.int32 else 0), out
    return None


def _same(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    """Whether numbers are bitwise equal: -0.0 is not 0.0."""
    return np.array_equal(one.view(np.int64), other.view(np.int64))


def _unpacked(whole: NDArray[Any], decimals: int) -> NDArray[np.float64]:
    values: NDArray[np.float64] = whole / 10.0**decimals
    least = np.iinfo(whole.dtype).min
    values[whole == least] = np.nan
    values[whole == least + 1] = -0.0
    return values
