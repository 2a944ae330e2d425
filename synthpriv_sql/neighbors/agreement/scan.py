"""The search itself: every query against every distinct synthetic row, dearest columns first."""

from __future__ import annotations

from typing import Any, NamedTuple

from synthpriv_sql.neighbors.agreement.population import Shares
from synthpriv_sql.neighbors.jit import F64, I32, I64, U8, inner, kernel


class Rows(NamedTuple):
    """Distinct synthetic rows. codes: int32 (rows, columns). records: int64, the smallest record of each."""

    codes: I32
    records: I64


class Found(NamedTuple):
    """The best of each query: its bits, and the smallest record that has them."""

    bits: F64
    records: I64


@inner
def worth(shares: Shares, column: int, query: int, code: int) -> Any:
    """The bits of one column."""
    at = shares.base[column] + query
    if code == query:
        return shares.equal[at]
    if shares.low[at] <= code <= shares.high[at]:
        return shares.nearby[at]
    return 0.0


@kernel
def own_bits(queries: I32, shares: Shares, start: int, stop: int, out: F64) -> None:
    """Write what an exact copy of each query would have."""
    for i in range(start, stop):
        total = 0.0
        for j in range(queries.shape[1]):
            total += shares.equal[shares.base[j] + queries[i, j]]
        out[i] = total


@kernel
def agreeing_bits(queries: I32, codes: I32, records: I64, shares: Shares, start: int, stop: int, out: F64) -> None:
    """Write the bits of each column between a query and the row codes[records[i]]."""
    for i in range(start, stop):
        for j in range(queries.shape[1]):
            out[i, j] = worth(shares, j, queries[i, j], codes[records[i], j])


@kernel
def search_rows(
    first: int, last: int, queries: I32, order: I64, rows: Rows, shares: Shares, cost: F64, dearest: I64, found: Found,
    stop: U8,
) -> None:  # fmt: skip
    """Search the queries at places `first` to `last` of the order, until `stop[0]` is set."""
    columns = queries.shape[1]
    for place in range(first, last):
        query = order[place]
        own = 0.0
        for j in range(columns):
            cost[j] = shares.equal[shares.base[j] + queries[query, j]]
            own += cost[j]
            at = j
            while at > 0 and cost[dearest[at - 1]] < cost[j]:
                dearest[at] = dearest[at - 1]
                at -= 1
            dearest[at] = j
        best, record = found.bits[query], found.records[query]
        slack = own * 1e-12
        for row in range(len(rows.records)):
            if row & 4095 == 0 and stop[0] != 0:
                return
            limit, spent = own - best + slack, 0.0
            for i in range(columns):
                j = dearest[i]
                spent += cost[j] - worth(shares, j, queries[query, j], rows.codes[row, j])
                if spent > limit:
                    break
            if spent > limit:
                continue
            total = 0.0
            for j in range(columns):
                total += worth(shares, j, queries[query, j], rows.codes[row, j])
            if total > best or (total == best and rows.records[row] < record):
                best, record = total, rows.records[row]
        found.bits[query], found.records[query] = best, record
