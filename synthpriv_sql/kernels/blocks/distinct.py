"""Equal records are searched once: groups of equal rows, by an open hash table."""

from __future__ import annotations

import numpy as np

from synthpriv_sql.kernels.jit import F64, I32, I64, U64, inner, kernel
from synthpriv_sql.kernels.layout import Records
from synthpriv_sql.kernels.threads import distribute


@kernel
def _hash(numeric: F64, bits: U64, codes: I32, start: int, stop: int, out: U64) -> None:
    for i in range(start, stop):
        value = np.uint64(0)
        for j in range(bits.shape[1]):
            word = bits[i, j] if numeric[i, j] == numeric[i, j] else np.uint64(1)  # NaN is NaN, whatever its payload
            value = (value ^ word) * np.uint64(0xFF51AFD7ED558CCD)
            value ^= value >> np.uint64(32)
        for j in range(codes.shape[1]):
            value = (value ^ np.uint64(codes[i, j])) * np.uint64(0xC4CEB9FE1A85EC53)
            value ^= value >> np.uint64(29)
        out[i] = value


@inner
def _same(numeric: F64, codes: I32, a: int, b: int) -> bool:
    for j in range(codes.shape[1]):
        if codes[a, j] != codes[b, j]:
            return False
    for j in range(numeric.shape[1]):
        x, y = numeric[a, j], numeric[b, j]
        if x != y and (x == x or y == y):
            return False
    return True


@kernel
def _group(numeric: F64, codes: I32, hashes: U64, slots: I32, first: I64, group: I64) -> int:
    """Number the distinct rows in order of appearance; `slots` holds a power of two of -1."""
    last = np.uint64(len(slots) - 1)
    count = 0
    for i in range(len(group)):
        at = np.int64(hashes[i] & last)
        while True:
            found = slots[at]
            if found < 0:
                slots[at] = count
                first[count] = i
                group[i] = count
                count += 1
                break
            if hashes[first[found]] == hashes[i] and _same(numeric, codes, first[found], i):
                group[i] = found
                break
            at = np.int64(np.uint64(at + 1) & last)
    return count


def distinct(table: Records, threads: int) -> tuple[I64, I64]:
    """Find equal rows.

    Returns
    -------
    first : int64 (distinct rows,)
        The smallest record of each group of equal rows, ascending.
    group : int64 (rows,)
        The group of each row.
    """
    numeric = table.numeric if table.vectors is None else np.concatenate([table.numeric, table.vectors], axis=1)
    hashes = np.empty(table.rows, np.uint64)
    bits = numeric.view(np.uint64)
    distribute(table.rows, threads, lambda start, stop: _hash(numeric, bits, table.codes, start, stop, hashes))
    slots = np.full(1 << max(4, (2 * table.rows - 1).bit_length()), -1, np.int32)
    first = np.empty(table.rows, np.int64)
    group = np.empty(table.rows, np.int64)
    count = _group(numeric, table.codes, hashes, slots, first, group)
    return first[:count].copy(), group
