"""The data of an agreement search: synthetic rows in blocks, and the state of a batch of queries."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from synthpriv_sql.kernels.jit import F64, I32, I64, U8, U16, U32, U64, inner
from synthpriv_sql.kernels.simd.lanes import lowest

UNITS = 250  # the cost of the best record so far, in units of the byte sums: below 255, where they saturate
FEW = 3  # up to so many remaining rows are considered without choosing the cheapest
SEEN = 1 << 14  # slots of the hash table of listed rows: more than most queries have rows, and fits the L2 cache
NONE = 255  # the byte of a value that is not compared by byte
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


class Blocks(NamedTuple):
    """Synthetic rows in blocks of 64, and the lists of rows with a rare value.

    A column has up to two byte columns: one of its frequent values, and, if values may be near, one of intervals.
    """

    codes: I32  # (rows, columns): distinct rows
    records: I64  # (rows,): the smallest record number of each
    order: I64  # the rows in the blocks, in block order
    starts: I64  # (blocks + 1,)
    bytes: U8  # blocks x byte columns x 64, flat
    width: int  # byte columns
    between: I32  # (rows in blocks, columns with intervals): their codes
    there: U64  # which of 64 blocks contain a byte: groups x table rows, flat
    coarse: U64  # the same for groups: 64 groups x table rows, flat
    table_rows: int
    first: I32  # (width,): the first table row of a byte column
    equal_column: I32  # (columns,): the byte column of its values, or -1
    near_column: I32  # (columns,): the byte column of its intervals, or -1
    near_place: I32  # (columns,): the position in `between`, or -1
    equal_byte: U8  # by code, as in Shares
    near_byte: U8  # by code
    rare: I32  # by code: the list of its rows, or -1
    list_start: I64
    list_rows: I32
    list_group: I32  # the position of each of these rows in `members`
    list_bytes: U8  # their byte columns, as in `bytes`: only those with the most bits
    list_width: int  # the number of these byte columns
    list_place: I32  # (width,): the position of a byte column among them, or -1
    times: I64  # (rows,): the number of equal records
    group: I64  # (rows,): the group, by which the row is represented in the blocks
    members: I64  # (groups,): the number of records of each group


class BestMatches(NamedTuple):
    """The best record of each query: its bits, the smallest record number with them, and the second best bits.

    The second best is another record with at most as many bits; it is searched if `second` has an item per query.
    """

    bits: F64
    records: I64
    second: F64


class Entries(NamedTuple):
    """What rows are priced by; the kernels of `simd.agreement` take it whole."""

    weight: F64  # the bits of an entry
    column: U16  # the byte column
    byte: U8  # the byte that agrees,
    span: U8  # or so many below it
    price: U8 | U16  # the weight in units


class State(NamedTuple):
    """The state of a batch of queries: arrays (batch, …), and scratch arrays for one query.

    Rows are priced by the entries of a query: first intervals, then values, each sorted by descending weight.
    """

    codes: I32  # (batch, columns)
    wanted: I32  # (batch, columns): the byte of that code, or -1
    equal: F64  # (batch, columns): the bits of an equal value
    nearby: F64
    low: I32
    high: I32
    own: F64
    left: F64  # own bits less those that only rows with a rare value have
    best: F64
    record: I64
    second: F64
    seeks_second: U8  # (1,)
    begun: I64  # the block that was scanned first
    intervals: I64  # the number of entries that are intervals
    entries: I64  # the number of entries
    priced: Entries  # (batch, width)
    active: U8  # whether a better record may exist
    far_cost: F64  # the limit in bits when groups were priced
    far_limit: I64  # in units of that
    far: U8  # (groups, batch): the price of groups
    nearest: I64  # (groups,)
    asking: I64  # (batch,): the queries that scan a group
    group: I64  # (batch,): this group
    masks: U64  # (batch,): the blocks of the group that they scan
    row: I32  # (batch, width): the row of the tables of the byte
    four: I64  # (4,): where four blocks begin in the bytes
    fours: U8  # (4 x 64,): what their rows cost in the first columns
    within: U64  # (4,): their rows that are within the limit in these
    sums: U8  # (64,)
    seen: U32  # (SEEN,): the last query that had a row in this slot
    turn: U32  # (1,): the number of queries that have read their lists
    listed: Entries  # (list width,): those by which the lists of one query are priced


@inner
def cheapest(sums: Any, mask: np.uint64) -> Any:
    """Return the lane with the smallest sum, the first among equals; the mask is not 0."""
    lane, others = lowest(mask), mask & (mask - np.uint64(1))
    while others != 0:
        other = lowest(others)
        others &= others - np.uint64(1)
        if sums[other] < sums[lane]:
            lane = other
    return lane


@inner
def limit(state: State, slot: int) -> Any:
    """Return the maximum cost at which a row without a rare value is considered; negative if none can be better.

    It includes a margin, because the sum of the bits in another order may differ in the last digits.
    """
    known = state.second[slot] if state.seeks_second[0] != 0 else state.best[slot]
    return state.left[slot] - known + state.own[slot] * 1e-11


@inner
def share_of(weight: float, most: float) -> Any:
    """Convert bits to units if rows may cost `most` bits."""
    # Divided first, because UNITS divided by a small limit would be infinite. Units round down, so a row within the
    # limit has at most UNITS in total, in spite of rounding errors of the shares.
    share = weight / most if most > 0.0 else 0.0
    return np.uint8(int(min(255.0, share * UNITS)))


@inner
def tighten(state: State, slot: int) -> None:
    """Set the prices of all entries for the best record so far."""
    most = limit(state, slot)
    if most < 0.0 or state.entries[slot] == 0:
        state.active[slot] = 0
        return
    share = most / state.far_cost[slot] if state.far_cost[slot] > 0.0 else 1.0
    state.far_limit[slot] = int(min(float(UNITS), share * UNITS))
    for i in range(state.entries[slot]):
        state.priced.price[slot, i] = share_of(state.priced.weight[slot, i], most)


@inner
def offer(state: Any, slot: int, total: float, record: int, times: int) -> Any:
    """Keep a record, to which `times - 1` others are equal, if it is better; return whether the limit falls."""
    if total > state.best[slot] or (total == state.best[slot] and record < state.record[slot]):
        state.second[slot] = total if times > 1 else state.best[slot]
        state.best[slot], state.record[slot] = total, record
        return True
    if total > state.second[slot]:
        state.second[slot] = total
        return state.seeks_second[0] != 0
    return False
