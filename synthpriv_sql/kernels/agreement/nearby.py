"""Texts that are nearly equal: their bits are added after the search by equality and intervals.

A row whose texts are equal to those of a query, or far from them, has the bits that the search gave it. So only rows
with a text near one of the query's are added up once more.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from synthpriv_sql.kernels.agreement.scan import worth
from synthpriv_sql.kernels.agreement.shares import Shares
from synthpriv_sql.kernels.agreement.state import BestMatches
from synthpriv_sql.kernels.jit import F64, I32, I64, inner, kernel


class Nearby(NamedTuple):
    """Texts of a synthetic table, or a shard of one, that are near those of real records.

    place: int32 (columns,), the position of a column among those of texts, or -1. base: where the codes of a column of
    texts begin in `bits` and, shifted by its position, in `starts`. bits: float64 by code, of a text that is near.
    starts: those of `near`, by code; near: int32, the texts near that of a code, equal ones included, ascending. texts:
    int32 (rows, columns of texts), by number; -1 if missing. rows: int32, those of text t of a column from
    ``row_starts[row_base[column] + t]`` to the next.
    """

    place: I32
    base: I64
    bits: F64
    starts: I64
    near: I32
    texts: I32
    row_base: I64
    row_starts: I64
    rows: I32


@inner
def _is_near(nearby: Nearby, t: int, code: int, row: int) -> bool:
    """Say whether the text of a row is near that of a code."""
    text = nearby.texts[row, t]
    at = nearby.base[t] + t + code
    low, high = nearby.starts[at], nearby.starts[at + 1]
    while low < high:
        middle = (low + high) >> 1
        if nearby.near[middle] < text:
            low = middle + 1
        else:
            high = middle
    return bool(low < nearby.starts[at + 1] and nearby.near[low] == text)


@inner
def _worth(shares: Shares, nearby: Nearby, j: int, query: int, code: int, row: int) -> Any:
    """Return the bits of one column, texts that are near included."""
    t = nearby.place[j]
    if t >= 0 and code != query and _is_near(nearby, t, query, row):
        return nearby.bits[nearby.base[t] + query]
    return worth(shares, j, query, code)


@kernel
def offer(
    queries: I32, codes: I32, first: int, shares: Shares, nearby: Nearby, start: int, stop: int, found: BestMatches
) -> None:
    """Replace the best record of queries by one of the rows near them, if it has more bits, or as many before it."""
    for i in range(start, stop):
        for j in range(queries.shape[1]):
            t = nearby.place[j]
            if t < 0:
                continue
            at = nearby.base[t] + t + queries[i, j]
            for k in range(nearby.starts[at], nearby.starts[at + 1]):
                text = nearby.row_base[t] + nearby.near[k]
                for r in range(nearby.row_starts[text], nearby.row_starts[text + 1]):
                    row = nearby.rows[r]
                    if codes[row, j] == queries[i, j]:
                        continue
                    total = 0.0
                    for column in range(queries.shape[1]):
                        total += _worth(shares, nearby, column, queries[i, column], codes[row, column], row)
                    record = first + row
                    if total > found.bits[i] or (total == found.bits[i] and record < found.records[i]):
                        found.bits[i], found.records[i] = total, record


@kernel
def nearly_agreeing_bits(
    queries: I32, codes: I32, rows: I64, shares: Shares, nearby: Nearby, start: int, stop: int, out: F64
) -> None:
    """Write the bits of each column for a query and the row codes[rows[i]]."""
    for i in range(start, stop):
        for j in range(queries.shape[1]):
            out[i, j] = _worth(shares, nearby, j, queries[i, j], codes[rows[i], j], rows[i])
