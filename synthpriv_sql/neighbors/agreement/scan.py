"""The search itself: a batch of like queries against all blocks that could hold somebody who agrees more.

What a row lacks of a query's own bits is its cost, so the record that agrees most is the cheapest. A query first looks
at the rows that share one of its rare values; no other row has those bits, and what remains to be gained falls by
as much. Then it visits the blocks of 64 rows whose bound is within the cost of the best record so far. Bounds and rows
are priced in units of that cost, a byte a lane, dearest columns first; the units round down. Only rows that survive
have their bits added up, in float64 and in column order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from synthpriv_sql.neighbors.agreement.lanes import price_equal, price_near, price_words
from synthpriv_sql.neighbors.agreement.population import Shares
from synthpriv_sql.neighbors.jit import F64, I32, I64, U8, U16, U64, inner, kernel
from synthpriv_sql.neighbors.lanes import lowest, population

UNITS = 250  # what the best record so far costs, in units of a byte: below 255, where sums end
COLUMNS = 8  # columns priced before the next look at who survives
FEW = 3  # so many surviving rows are cheaper to look at than to choose among
NONE = 255  # the byte of a value that is not compared by its byte
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


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
    list_rows: I64
    times: I64  # (rows,): the records that are equal to each
    group: I64  # (rows,): which of `order` stands for it
    members: I64  # (groups,): the records that each of these stands for


class Found(NamedTuple):
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


@inner
def _limit(state: State, slot: int) -> Any:
    """What a row that is not among the rare may cost to be looked at; below 0 where none can win.

    A little more than what is left: bits that are added up in another order come to another last digit.
    """
    known = state.second[slot] if state.seeks_second[0] != 0 else state.best[slot]
    return state.left[slot] - known + state.own[slot] * 1e-11


@inner
def _tighten(state: State, slot: int) -> None:
    """Set the prices of all entries from the best record so far."""
    limit = _limit(state, slot)
    if limit < 0.0 or state.entries[slot] == 0:
        state.active[slot] = 0
        return
    share = limit / state.far_cost[slot] if state.far_cost[slot] > 0.0 else 1.0
    state.far_limit[slot] = int(min(float(UNITS), share * UNITS))
    for i in range(state.entries[slot]):
        # Divided first: the most units over a small limit would be infinite. Units round down, so those of a row within
        # the limit are at most UNITS, whatever rounding does to a share.
        share = state.weight[slot, i] / limit if limit > 0.0 else 0.0
        state.price[slot, i] = np.uint8(int(min(255.0, share * UNITS)))


@inner
def _offer(state: State, slot: int, total: float, record: int, times: int) -> Any:
    """Take note of a record that `times - 1` others are equal to; say whether less can be gained now."""
    if total > state.best[slot] or (total == state.best[slot] and record < state.record[slot]):
        state.second[slot] = total if times > 1 else state.best[slot]
        state.best[slot], state.record[slot] = total, record
        return True
    if total > state.second[slot]:
        state.second[slot] = total
        return state.seeks_second[0] != 0
    return False


@inner
def _is_listed_before(state: State, slot: int, blocks: Blocks, shares: Shares, row: int, column: int) -> Any:
    """Whether a row shares one of the query's rare values in a column before this one."""
    for j in range(column):
        code = state.codes[slot, j]
        if blocks.codes[row, j] == code and blocks.rare[shares.base[j] + code] >= 0:
            return True
    return False


@inner
def _unlisted(state: State, slot: int, blocks: Blocks, shares: Shares, group: int) -> Any:
    """How many records a row of a block stands for that share no rare value with the query."""
    count = blocks.members[group]
    for j in range(state.codes.shape[1]):
        rare = blocks.rare[shares.base[j] + state.codes[slot, j]]
        if rare < 0:
            continue
        for i in range(blocks.list_start[rare], blocks.list_start[rare + 1]):
            row = blocks.list_rows[i]
            if blocks.group[row] == group and not _is_listed_before(state, slot, blocks, shares, row, j):
                count -= blocks.times[row]
    return count


@inner
def _consider_listed(state: State, slot: int, blocks: Blocks, row: int) -> Any:
    """Add up the bits of a row; say whether it is the best so far."""
    total = 0.0
    for j in range(state.codes.shape[1]):
        code = blocks.codes[row, j]
        if code == state.codes[slot, j]:
            total += state.equal[slot, j]
        elif state.low[slot, j] <= code <= state.high[slot, j]:
            total += state.nearby[slot, j]
    return _offer(state, slot, total, blocks.records[row], blocks.times[row])


@inner
def _consider(state: State, slot: int, blocks: Blocks, shares: Shares, place: int, at: int) -> Any:
    """Add up the bits of a row of a block from its bytes; of rare values only what is near in them.

    Where that is too little, the row is on the list of a rare value, and has been considered.
    """
    total = 0.0
    for j in range(state.codes.shape[1]):
        column = blocks.equal_column[j]
        if column >= 0 and blocks.bytes[at + column * 64] == state.wanted[slot, j]:
            total += state.equal[slot, j]
        elif blocks.near_place[j] >= 0:
            code = blocks.between[place, blocks.near_place[j]]
            if state.low[slot, j] <= code <= state.high[slot, j]:
                total += state.nearby[slot, j]
    row = blocks.order[place]
    if state.seeks_second[0] == 0:
        return total >= state.best[slot] and _offer(state, slot, total, blocks.records[row], 1)
    if total < state.second[slot]:
        return False
    # Those that share a rare value have been considered with it; as they have more bits, they are not taken twice.
    times = _unlisted(state, slot, blocks, shares, blocks.group[row])
    return times > 0 and _offer(state, slot, total, blocks.records[row], times)


@inner
def _price_rows(state: State, slot: int, blocks: Blocks, block: int, mask: np.uint64) -> Any:
    """Price the rows of a block; return those of the mask that are within the limit."""
    for lane in range(64):
        state.sums[lane] = 0
    at, place = block * blocks.width * 64, slot * blocks.width
    begin, count = state.intervals[slot], state.entries[slot]
    if begin > 0:
        mask &= price_near(
            blocks.bytes, at, state.column, state.byte, state.span, state.price, place, 0, begin, UNITS, state.sums
        )
    while begin < count and mask != 0:
        end = min(begin + COLUMNS, count)
        mask &= price_equal(
            blocks.bytes, at, state.column, state.byte, state.span, state.price, place, begin, end, UNITS, state.sums
        )
        begin = end
    return mask


@inner
def _scan(state: State, slot: int, blocks: Blocks, shares: Shares, block: int) -> None:
    """Look at the rows of a block, at the cheapest of many first: few others are within the limit that it sets."""
    start = blocks.starts[block]
    at = block * blocks.width * 64
    mask = _ALL >> np.uint64(64 - (blocks.starts[block + 1] - start))
    priced, choosing = False, True
    while mask != 0:
        if not priced:
            mask = _price_rows(state, slot, blocks, block, mask)
            priced = True
            continue
        lane, others = lowest(mask), mask if choosing and population(mask) > FEW else np.uint64(0)
        while others != 0:
            other = lowest(others)
            others &= others - np.uint64(1)
            if state.sums[other] < state.sums[lane]:
                lane = other
        mask ^= np.uint64(1) << np.uint64(lane)
        choosing = _consider(state, slot, blocks, shares, start + lane, at + lane)
        if choosing:
            _tighten(state, slot)
            priced = population(mask) <= FEW
            if state.active[slot] == 0:
                return


@inner
def _price_blocks(state: State, slot: int, blocks: Blocks, table: U64, group: int) -> Any:
    """Price 64 blocks, or 64 groups; return which are within the limit."""
    at = group * blocks.table_rows
    count = state.entries[slot]
    for i in range(count):
        row = at + blocks.first[state.column[slot, i]] + state.byte[slot, i]
        word = table[row]
        for below in range(state.span[slot, i]):
            word |= table[row - below - 1]
        state.words[i] = word
    return price_words(state.words, 0, state.price, slot * blocks.width, count, UNITS, state.sums)


@inner
def _enter(state: State, slot: int, first: int, count: int, weight: float, column: int, byte: int, span: int) -> None:
    """Put an entry among those from `first` to `count`, the dearest first."""
    at = count
    while at > first and state.weight[slot, at - 1] < weight:
        state.weight[slot, at] = state.weight[slot, at - 1]
        state.column[slot, at] = state.column[slot, at - 1]
        state.byte[slot, at], state.span[slot, at] = state.byte[slot, at - 1], state.span[slot, at - 1]
        at -= 1
    state.weight[slot, at], state.column[slot, at] = weight, column
    state.byte[slot, at], state.span[slot, at] = byte, span


@inner
def _begin(state: State, slot: int, codes: I32, query: int, blocks: Blocks, shares: Shares, groups: int) -> int:
    """Look at the rows that share a rare value, choose the entries, price all groups; return the cheapest block."""
    columns = codes.shape[1]
    own = spent = 0.0
    count = 0
    for j in range(columns):
        code = codes[query, j]
        at = shares.base[j] + code
        state.codes[slot, j], state.equal[slot, j], state.nearby[slot, j] = code, shares.equal[at], shares.nearby[at]
        state.low[slot, j], state.high[slot, j] = shares.low[at], shares.high[at]
        state.wanted[slot, j] = -1 if blocks.equal_byte[at] == NONE else np.int32(blocks.equal_byte[at])
        own += shares.equal[at]
        column = blocks.near_column[j]
        if column >= 0 and shares.nearby[at] > 0.0 and shares.low[at] <= shares.high[at]:
            low, high = (
                blocks.near_byte[shares.base[j] + shares.low[at]],
                blocks.near_byte[shares.base[j] + shares.high[at]],
            )
            _enter(state, slot, 0, count, shares.nearby[at], column, high, high - low)
            count += 1
    state.intervals[slot] = count
    for j in range(columns):
        at = shares.base[j] + codes[query, j]
        weight = shares.equal[at] - shares.nearby[at]
        if weight <= 0.0:
            continue
        column = blocks.equal_column[j]
        if column >= 0 and blocks.equal_byte[at] != NONE:
            _enter(state, slot, state.intervals[slot], count, weight, column, blocks.equal_byte[at], 0)
            count += 1
        else:
            spent += weight
    state.entries[slot], state.own[slot], state.left[slot] = count, own, own - spent
    state.active[slot] = 1
    for j in range(columns):
        rare = blocks.rare[shares.base[j] + codes[query, j]]
        if rare >= 0:
            for i in range(blocks.list_start[rare], blocks.list_start[rare + 1]):
                row = blocks.list_rows[i]
                if state.seeks_second[0] == 0 or not _is_listed_before(state, slot, blocks, shares, row, j):
                    _consider_listed(state, slot, blocks, row)
    state.far_cost[slot] = _limit(state, slot)
    _tighten(state, slot)
    if state.active[slot] == 0:
        return -1
    best, least = 0, 256
    for group in range(groups):
        if group & 63 == 0:
            _price_blocks(state, slot, blocks, blocks.coarse, group >> 6)
        state.far[group, slot] = state.sums[group & 63]
        if int(state.sums[group & 63]) < least:
            best, least = group, int(state.sums[group & 63])
    _price_blocks(state, slot, blocks, blocks.there, best)
    block = 0
    for lane in range(1, min(64, len(blocks.starts) - 1 - best * 64)):
        if state.sums[lane] < state.sums[block]:
            block = lane
    return best * 64 + block


@inner
def _sort_groups(state: State, count: int, groups: int) -> None:
    """Order the groups by their least price for any query of the batch."""
    keys = state.nearest
    for group in range(groups):
        least = np.int64(255)
        for slot in range(count):
            if state.active[slot] != 0:
                least = min(least, np.int64(state.far[group, slot]))
        keys[group] = least << 32 | group
    # By combing: numba's own sort costs two seconds of compilation.
    gap, swapped = len(keys), True
    while gap > 1 or swapped:
        gap = max(1, gap * 10 // 13)
        swapped = False
        for i in range(len(keys) - gap):
            if keys[i] > keys[i + gap]:
                keys[i], keys[i + gap] = keys[i + gap], keys[i]
                swapped = True


@kernel
def search_batches(
    first: int, last: int, batch: int, codes: I32, order: I64, blocks: Blocks, shares: Shares, state: State,
    found: Found, stop: U8,
) -> None:  # fmt: skip
    """Search the queries at places `first` to `last` of the order, `batch` at a time, until `stop[0]` is set.

    Records of these blocks that agree more take the place of those in `found`.
    """
    groups = (len(blocks.starts) + 62) >> 6
    seeks_second = len(found.second) > 0
    state.seeks_second[0] = seeks_second
    for begin in range(first, last, batch):
        count = min(batch, last - begin)
        for entry in range(-1, groups):
            if stop[0] != 0:
                return
            asking = 0
            if entry < 0:
                for slot in range(count):
                    if stop[0] != 0:
                        return
                    query = order[begin + slot]
                    state.best[slot], state.record[slot] = found.bits[query], found.records[query]
                    state.second[slot] = found.second[query] if seeks_second else 0.0
                    block = _begin(state, slot, codes, query, blocks, shares, groups)
                    state.begun[slot] = block
                    state.asking[asking], state.group[asking] = slot, block >> 6
                    state.masks[asking] = np.uint64(1) << np.uint64(block & 63)
                    asking += block >= 0
                _sort_groups(state, count, groups)
            else:
                group = state.nearest[entry] & 0xFFFFFFFF
                here = _ALL >> np.uint64(64 - min(64, len(blocks.starts) - 1 - group * 64))
                for slot in range(count):
                    if state.active[slot] == 0 or state.far[group, slot] > state.far_limit[slot]:
                        continue
                    mask = here & _price_blocks(state, slot, blocks, blocks.there, group)
                    if group == state.begun[slot] >> 6:
                        mask &= ~(np.uint64(1) << np.uint64(state.begun[slot] & 63))
                    state.asking[asking], state.group[asking], state.masks[asking] = slot, group, mask
                    asking += mask != 0
            for eight in range(0, 64, 8):  # eight blocks after eight blocks, so that these stay in the cache
                for i in range(asking):
                    mask = (state.masks[i] >> np.uint64(eight)) & np.uint64(255)
                    while mask != 0 and state.active[state.asking[i]] != 0:
                        block = state.group[i] * 64 + eight + lowest(mask)
                        mask &= mask - np.uint64(1)
                        _scan(state, state.asking[i], blocks, shares, block)
        for slot in range(count):
            query = order[begin + slot]
            found.bits[query], found.records[query] = state.best[slot], state.record[slot]
            if seeks_second:
                found.second[query] = state.second[slot]
