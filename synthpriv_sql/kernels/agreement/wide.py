"""The search for rows of many bytes: no block can be excluded, and the unit must be small.

With hundreds of columns, nearly every row costs nearly as much as the best, so 250 units distinguish few of them, and
most rows on the many lists of rare values agree in nothing else. Here all rows are priced in 16-bit units that do not
change during the search; the sum of a row starts at a value that depends on its rare values. Bits are added up only
for rows whose price is within the limit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from synthpriv_sql.kernels.agreement.listed import consider
from synthpriv_sql.kernels.agreement.scan import enter
from synthpriv_sql.kernels.agreement.shares import Shares
from synthpriv_sql.kernels.agreement.state import NONE, BestMatches, Entries, cheapest
from synthpriv_sql.kernels.jit import F64, I32, I64, U8, U16, inner, kernel
from synthpriv_sql.kernels.simd.agreement import price_equal_finely, price_near_finely

WIDE = 96  # minimum number of byte columns for which this search is faster
QUERIES = 32  # queries that scan the rows together
UNITS = 60_000  # the cost of a row without any agreement: below 65,535, where sums saturate
_COLUMNS = 16  # columns priced between two checks for remaining rows
_CHUNK = 8  # consecutive blocks that all queries scan before the next ones


class Rows(NamedTuple):
    """Distinct synthetic rows in blocks of 64, all full except the last. The fields are those of `Blocks`.

    Lists contain places instead of rows; the place of a row is its position in `order`.
    """

    codes: I32
    records: I64
    order: I64
    bytes: U8
    width: int
    equal_column: I32
    near_column: I32
    equal_byte: U8
    near_byte: U8
    rare: I32
    list_start: I64
    list_places: I64
    times: I64


class WideState(NamedTuple):
    """The state of the queries that scan the rows together; the fields are those of `State`, except for these.

    total: the cost of a row without any of the bits that rows may have. limit: the maximum cost at which a row is
    considered, in units of ``total / UNITS``. start: the initial value of the sum of each place. gain: the bits of rare
    values by place, zero between two queries; touched: the places where it is not zero.
    """

    codes: I32
    equal: F64
    nearby: F64
    low: I32
    high: I32
    own: F64
    total: F64
    best: F64
    record: I64
    second: F64
    seeks_second: U8
    limit: I64  # (queries,), -1 if no row can be better
    intervals: I64
    entries: I64
    priced: Entries  # prices are uint16
    start: U16  # (queries, places)
    gain: F64  # (places,)
    touched: I64  # (places,)
    sums: U16  # (64,)


@inner
def _tighten(state: WideState, slot: int) -> None:
    """Set the limit for the best record so far; as units round down, no row within it is excluded."""
    known = state.second[slot] if state.seeks_second[0] != 0 else state.best[slot]
    # With a margin, because the sum of the bits in another order may differ in the last digits.
    left = state.total[slot] - known + state.own[slot] * 1e-11
    if left < 0.0:
        state.limit[slot] = -1
    else:
        share = left / state.total[slot] if state.total[slot] > 0.0 else 1.0
        state.limit[slot] = int(min(share, 1.0) * UNITS)


@inner
def _gather(state: WideState, slot: int, rows: Rows, shares: Shares) -> Any:
    """Add up the bits of rare values by row; return the number of rows that have any, and the maximum."""
    count, most = 0, 0.0
    for j in range(state.codes.shape[1]):
        at = shares.base[j] + state.codes[slot, j]
        weight = shares.equal[at] - shares.nearby[at]
        if rows.rare[at] < 0 or weight <= 0.0:
            continue
        for i in range(rows.list_start[rows.rare[at]], rows.list_start[rows.rare[at] + 1]):
            place = rows.list_places[i]
            if state.gain[place] == 0.0:
                state.touched[count] = place
                count += 1
            state.gain[place] += weight
            most = max(most, state.gain[place])
    return count, most


@inner
def _begin(state: WideState, slot: int, codes: I32, query: int, rows: Rows, shares: Shares) -> None:
    """Set the entries, their prices, and the initial values of the sums."""
    own = common = 0.0
    count = 0
    for j in range(codes.shape[1]):
        code = codes[query, j]
        at = shares.base[j] + code
        state.codes[slot, j], state.equal[slot, j], state.nearby[slot, j] = code, shares.equal[at], shares.nearby[at]
        state.low[slot, j], state.high[slot, j] = shares.low[at], shares.high[at]
        own += shares.equal[at]
        column = rows.near_column[j]
        if column >= 0 and shares.nearby[at] > 0.0 and shares.low[at] <= shares.high[at]:
            low = rows.near_byte[shares.base[j] + shares.low[at]]
            high = rows.near_byte[shares.base[j] + shares.high[at]]
            enter(state.priced, slot, 0, count, shares.nearby[at], column, high, high - low)
            count += 1
            common += shares.nearby[at]
    state.intervals[slot] = count
    for j in range(codes.shape[1]):
        at = shares.base[j] + codes[query, j]
        weight = shares.equal[at] - shares.nearby[at]
        if weight > 0.0 and rows.equal_column[j] >= 0 and rows.equal_byte[at] != NONE:
            enter(
                state.priced, slot, state.intervals[slot], count, weight, rows.equal_column[j], rows.equal_byte[at], 0
            )
            count += 1
            common += weight
    touched, most = _gather(state, slot, rows, shares)
    total = common + most
    state.entries[slot], state.own[slot], state.total[slot] = count, own, total
    for i in range(count):  # divided first, because UNITS divided by a small total would be infinite
        state.priced.price[slot, i] = np.uint16(int(min(state.priced.weight[slot, i] / total, 1.0) * UNITS))
    base = np.uint16(int(min(most / total, 1.0) * UNITS)) if total > 0.0 else np.uint16(0)
    for place in range(len(rows.order)):
        state.start[slot, place] = base
    for i in range(touched):
        place = state.touched[i]
        state.start[slot, place] = np.uint16(int(min((most - state.gain[place]) / total, 1.0) * UNITS))
        state.gain[place] = 0.0
    _tighten(state, slot)


@inner
def _scan(state: WideState, slot: int, rows: Rows, block: int) -> None:
    """Consider the rows of a block that are within the limit, the cheapest first."""
    for lane in range(64):
        state.sums[lane] = state.start[slot, block * 64 + lane]
    at, place = block * rows.width * 64, slot * rows.width
    intervals, count = state.intervals[slot], state.entries[slot]
    limit = state.limit[slot]
    begin, mask = 0, np.uint64(0)
    while True:
        if begin < intervals:
            end = min(begin + _COLUMNS, intervals)
            mask = price_near_finely(rows.bytes, at, state.priced, place, begin, end, limit, state.sums)
        else:
            end = min(begin + _COLUMNS, count)
            mask = price_equal_finely(rows.bytes, at, state.priced, place, begin, end, limit, state.sums)
        begin = end
        if begin == count or mask == 0:
            break
    while mask != 0:
        lane = cheapest(state.sums, mask)
        mask ^= np.uint64(1) << np.uint64(lane)
        if np.int64(state.sums[lane]) > state.limit[slot]:
            return
        if consider(state, slot, rows, rows.order[block * 64 + lane]):
            _tighten(state, slot)


@kernel
def search_rows(
    first: int, last: int, batch: int, codes: I32, order: I64, nearest: I64, rows: Rows, shares: Shares,
    state: WideState, found: BestMatches, stop: U8,
) -> None:  # fmt: skip
    """Search the queries at positions `first` to `last` of the order, `batch` at a time, until `stop[0]` is set.

    A batch starts at the block `nearest` of one of its queries. Records with more bits replace those in `found`.
    """
    blocks = (len(rows.order) + 63) >> 6
    chunks = (blocks + _CHUNK - 1) // _CHUNK
    seeks_second = len(found.second) > 0
    state.seeks_second[0] = seeks_second
    for begin in range(first, last, batch):
        count = min(batch, last - begin)
        for slot in range(count):
            query = order[begin + slot]
            state.best[slot], state.record[slot] = found.bits[query], found.records[query]
            state.second[slot] = found.second[query] if seeks_second else 0.0
            _begin(state, slot, codes, query, rows, shares)
        chunk = nearest[order[begin + count // 2]] // _CHUNK
        for _ in range(chunks):
            if stop[0] != 0:
                return
            for slot in range(count):
                for block in range(chunk * _CHUNK, min((chunk + 1) * _CHUNK, blocks)):
                    if state.limit[slot] >= 0:
                        _scan(state, slot, rows, block)
            chunk = chunk + 1 if chunk + 1 < chunks else 0
        for slot in range(count):
            query = order[begin + slot]
            found.bits[query], found.records[query] = state.best[slot], state.record[slot]
            if seeks_second:
                found.second[query] = state.second[slot]
