"""What a search by agreement works on: synthetic rows in blocks, and what is known of a batch of queries."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from synthpriv_sql.kernels.jit import F64, I32, I64, U8, U16, U32, U64, inner
from synthpriv_sql.kernels.simd.lanes import lowest

UNITS = 250  # what the best record so far costs, in units of a byte: below 255, where sums end
FEW = 3  # so many surviving rows are cheaper to look at than to choose among
SEEN = 1 << 14  # places of rows on a query's lists: more than most queries have, and few enough for a near cache
NONE = 255  # the byte of a value that is not compared by its byte
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


class Blocks(NamedTuple):
    """Synthetic rows in blocks of 64, and where those with a rare value are.

    A column has up to two byte columns: one of its frequent values, and, where values may be near, one of intervals.
    """

    codes: I32  # (rows, columns): distinct rows
    records: I64  # (rows,): the smallest record of each
    order: I64  # which of these rows are in the blocks, one after the other
    starts: I64  # (blocks + 1,)
    bytes: U8  # blocks x byte columns x 64, flat
    width: int  # byte columns
    between: I32  # (rows in blocks, columns with intervals): their codes
    there: U64  # which of 64 blocks have a byte: groups x table rows, flat
    coarse: U64  # the same for groups: 64 groups x table rows, flat
    table_rows: int
    first: I32  # (width,): the first table row of a byte column
    equal_column: I32  # (columns,): the byte column of its values, or -1
    near_column: I32  # (columns,): the byte column of its intervals, or -1
    near_place: I32  # (columns,): the place in `between`, or -1
    equal_byte: U8  # by code, as in Shares
    near_byte: U8  # by code
    rare: I32  # by code: the list of the rows that have it, or -1
    list_start: I64
    list_rows: I32
    list_group: I32  # of each of these rows, the place in `members`
    list_bytes: U8  # their byte columns, as in `bytes`: those that tell most
    list_width: int  # how many these are
    list_place: I32  # (width,): the place of a byte column among them, or -1
    times: I64  # (rows,): the records that are equal to each
    group: I64  # (rows,): which of `order` stands for it
    members: I64  # (groups,): the records that each of these stands for


class BestMatches(NamedTuple):
    """The best of each query: its bits, the smallest record that has them, and the bits of the second best.

    The second is of another record, with as many bits or fewer; it is looked for where `second` has an item a query.
    """

    bits: F64
    records: I64
    second: F64


class State(NamedTuple):
    """What is known of a batch of queries: arrays (batch, …), and room for one query at a time.

    Entries are what a query's rows are priced by, intervals first, then values, the dearest of each first.
    """

    codes: I32  # (batch, columns)
    wanted: I32  # (batch, columns): the byte of that code, or -1
    equal: F64  # (batch, columns): the bits of an equal value
    nearby: F64
    low: I32
    high: I32
    own: F64
    left: F64  # own less what only rows with a rare value have
    best: F64
    record: I64
    second: F64
    seeks_second: U8  # (1,)
    begun: I64  # the block that was looked at first
    intervals: I64  # how many entries are intervals
    entries: I64  # how many entries there are
    weight: F64  # (batch, width): the bits of an entry
    price: U8  # the same in units
    column: U16  # its byte column
    byte: U8  # the byte that agrees,
    span: U8  # or so many below it
    active: U8  # whether there may be more to gain
    far_cost: F64  # the limit in bits when groups were priced
    far_limit: I64  # in units of that
    far: U8  # (groups, batch): the price of groups
    nearest: I64  # (groups,)
    asking: I64  # (batch,) the queries that look at a group
    group: I64  # (batch,) this group
    masks: U64  # (batch,) and the blocks of it that they look at
    words: U64  # (width,)
    sums: U8  # (64,)
    seen: U32  # (SEEN,): the last query that came to a row of this place
    turn: U32  # (1,): how many queries have looked at lists
    listed_weight: F64  # (list width,): the entries of one query, as above, as its lists are priced
    listed_price: U8
    listed_column: U16
    listed_byte: U8
    listed_span: U8


@inner
def cheapest(sums: Any, mask: np.uint64) -> Any:
    """The lane of the mask, which is not 0, with the least sum; the first of several."""
    lane, others = lowest(mask), mask & (mask - np.uint64(1))
    while others != 0:
        other = lowest(others)
        others &= others - np.uint64(1)
        if sums[other] < sums[lane]:
            lane = other
    return lane


@inner
def limit(state: State, slot: int) -> Any:
    """What a row that is not among the rare may cost to be looked at; below 0 where none can win.

    A little more than what is left: bits that are added up in another order come to another last digit.
    """
    known = state.second[slot] if state.seeks_second[0] != 0 else state.best[slot]
    return state.left[slot] - known + state.own[slot] * 1e-11


@inner
def share_of(weight: float, most: float) -> Any:
    """The units of what costs so many bits, where rows may cost `most`."""
    # Divided first: the most units over a small limit would be infinite. Units round down, so those of a row within
    # the limit are at most UNITS, whatever rounding does to a share.
    share = weight / most if most > 0.0 else 0.0
    return np.uint8(int(min(255.0, share * UNITS)))


@inner
def tighten(state: State, slot: int) -> None:
    """Set the prices of all entries from the best record so far."""
    most = limit(state, slot)
    if most < 0.0 or state.entries[slot] == 0:
        state.active[slot] = 0
        return
    share = most / state.far_cost[slot] if state.far_cost[slot] > 0.0 else 1.0
    state.far_limit[slot] = int(min(float(UNITS), share * UNITS))
    for i in range(state.entries[slot]):
        state.price[slot, i] = share_of(state.weight[slot, i], most)


@inner
def offer(state: Any, slot: int, total: float, record: int, times: int) -> Any:
    """Take note of a record that `times - 1` others are equal to; say whether less can be gained now."""
    if total > state.best[slot] or (total == state.best[slot] and record < state.record[slot]):
        state.second[slot] = total if times > 1 else state.best[slot]
        state.best[slot], state.record[slot] = total, record
        return True
    if total > state.second[slot]:
        state.second[slot] = total
        return state.seeks_second[0] != 0
    return False
