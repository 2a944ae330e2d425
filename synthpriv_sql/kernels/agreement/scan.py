"""The search: a batch of similar queries against all blocks that may contain a record with more bits.

The cost of a row is the query's own bits less the bits of the row, so the record with the most bits is the cheapest. A
query first considers the rows that share one of its rare values; no other row has those bits, so the possible gain
falls by them. Then it scans the blocks of 64 rows whose bound is within the cost of the best record so far. Bounds and
rows are priced in units of that cost, rounded down, in one byte per lane, the most expensive columns first. Only for
the remaining rows are the bits added up, in float64 and in column order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from synthpriv_sql.kernels.agreement.listed import consider_listed, prefetch_listed, unlisted
from synthpriv_sql.kernels.agreement.shares import Shares
from synthpriv_sql.kernels.agreement.state import (
    ALL,
    FEW,
    NONE,
    UNITS,
    BestMatches,
    Blocks,
    Entries,
    State,
    cheapest,
    limit,
    offer,
    tighten,
)
from synthpriv_sql.kernels.jit import F64, I32, I64, U8, U64, inner, kernel
from synthpriv_sql.kernels.simd.agreement import (
    FOUR,
    equal_after_near,
    equal_in_four,
    near_in_four,
    price_equal,
    price_near,
    price_words,
    take_sums,
)
from synthpriv_sql.kernels.simd.lanes import lowest, population
from synthpriv_sql.kernels.sorting import comb_sort

COLUMNS = 8  # columns priced between two checks for remaining rows
AHEAD = 5  # queries between prefetching and considering lists


@inner
def worth(shares: Shares, column: int, query: int, code: int) -> Any:
    """Return the bits of one column."""
    at = shares.base[column] + query
    if code == query:
        return shares.equal[at]
    if shares.low[at] <= code <= shares.high[at]:
        return shares.nearby[at]
    return 0.0


@kernel
def own_bits(queries: I32, shares: Shares, start: int, stop: int, out: F64) -> None:
    """Write the bits of an exact copy of each query."""
    for i in range(start, stop):
        total = 0.0
        for j in range(queries.shape[1]):
            total += shares.equal[shares.base[j] + queries[i, j]]
        out[i] = total


@kernel
def agreeing_bits(queries: I32, codes: I32, records: I64, shares: Shares, start: int, stop: int, out: F64) -> None:
    """Write the bits of each column for a query and the row codes[records[i]]."""
    for i in range(start, stop):
        for j in range(queries.shape[1]):
            out[i, j] = worth(shares, j, queries[i, j], codes[records[i], j])


@inner
def _consider(state: State, slot: int, blocks: Blocks, shares: Shares, place: int, at: int) -> Any:
    """Add up the bits of a row of a block from its bytes, in which a rare value counts as near at most.

    If bits are missing for that reason, the row is on the list of a rare value, and was considered there.
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
        return total >= state.best[slot] and offer(state, slot, total, blocks.records[row], 1)
    if total < state.second[slot]:
        return False
    # Records that share a rare value were considered with it, and are not counted twice.
    times = unlisted(state, slot, blocks, shares, blocks.group[row])
    return times > 0 and offer(state, slot, total, blocks.records[row], times)


@inner
def _price_rows(state: State, slot: int, blocks: Blocks, block: int, mask: np.uint64, begin: int) -> Any:
    """Add the prices of the rows of a block from entry `begin` on; return which of the mask are within the limit."""
    at, place = block * blocks.width * 64, slot * blocks.width
    near, count = state.intervals[slot], state.entries[slot]
    if begin < near:
        mask &= price_near(blocks.bytes, at, state.priced, place, begin, near, UNITS, state.sums)
        begin = near
    while begin < count and mask != 0:
        end = min(begin + COLUMNS, count)
        mask &= price_equal(blocks.bytes, at, state.priced, place, begin, end, UNITS, state.sums)
        begin = end
    return mask


@inner
def _scan(state: State, slot: int, blocks: Blocks, shares: Shares, block: int, mask: np.uint64, priced_to: int) -> None:
    """Consider the rows of a block; if there are many, the cheapest first, which leaves few within the limit.

    The sums have the prices of the entries up to `priced_to`, if any. They may be of a limit that has fallen since:
    such units are coarser, so that rows cost no more than they should.
    """
    start = blocks.starts[block]
    at = block * blocks.width * 64
    mask &= ALL >> np.uint64(64 - (blocks.starts[block + 1] - start))
    priced, choosing = False, True
    while mask != 0:
        if not priced:
            if priced_to == 0:
                for lane in range(64):
                    state.sums[lane] = 0
            mask = _price_rows(state, slot, blocks, block, mask, priced_to)
            priced = True
            continue
        lane = cheapest(state.sums, mask) if choosing and population(mask) > FEW else lowest(mask)
        mask ^= np.uint64(1) << np.uint64(lane)
        choosing = _consider(state, slot, blocks, shares, start + lane, at + lane)
        if choosing:
            tighten(state, slot)
            priced, priced_to = population(mask) <= FEW, 0
            if state.active[slot] == 0:
                return


@inner
def _scan_group(
    state: State, slot: int, blocks: Blocks, shares: Shares, first: int, mask: np.uint64, kept: bool
) -> None:
    """Scan the blocks of the mask, counted from block `first`, four at a time.

    What rows cost in the first entries is `kept` for the rest of their price. That is for intervals: of values alone,
    few blocks are left after the first entries.
    """
    place, size = slot * blocks.width, blocks.width * 64
    near = state.intervals[slot]
    end = min(near + COLUMNS, state.entries[slot])
    four, fours, within = state.four, state.fours, state.within
    while mask != 0 and state.active[slot] != 0:
        left = mask
        for k in range(FOUR):
            four[k] = (first + lowest(mask)) * size
            if mask & (mask - np.uint64(1)) != 0 or k + 1 == FOUR:
                mask &= mask - np.uint64(1)
        if kept:
            near_in_four(blocks.bytes, four, state.priced, place, 0, near, UNITS, fours, within)
            equal_after_near(blocks.bytes, four, state.priced, place, near, end, UNITS, fours, within)
        else:
            equal_in_four(blocks.bytes, four, state.priced, place, 0, end, UNITS, fours, within)
        left ^= mask
        for k in range(FOUR):
            if left == 0:
                break
            if within[k] != 0 and state.active[slot] != 0:
                if kept:
                    take_sums(fours, k, state.sums)
                _scan(state, slot, blocks, shares, first + lowest(left), within[k], end if kept else 0)
            left &= left - np.uint64(1)


@inner
def _price_blocks(state: State, slot: int, blocks: Blocks, table: U64, group: int) -> Any:
    """Price 64 blocks, or 64 groups of blocks; return those within the limit."""
    return price_words(
        table, group * blocks.table_rows, state.row, state.priced.span, state.priced.price, slot * blocks.width,
        state.intervals[slot], state.entries[slot], UNITS, state.sums,
    )  # fmt: skip


@inner
def enter(
    entries: Entries, slot: int, first: int, count: int, weight: float, column: int, byte: int, span: int
) -> None:
    """Insert an entry among those from `first` to `count`, sorted by descending weight."""
    at = count
    while at > first and entries.weight[slot, at - 1] < weight:
        entries.weight[slot, at] = entries.weight[slot, at - 1]
        entries.column[slot, at] = entries.column[slot, at - 1]
        entries.byte[slot, at], entries.span[slot, at] = entries.byte[slot, at - 1], entries.span[slot, at - 1]
        at -= 1
    entries.weight[slot, at], entries.column[slot, at] = weight, column
    entries.byte[slot, at], entries.span[slot, at] = byte, span


@inner
def _begin(state: State, slot: int, codes: I32, query: int, blocks: Blocks, shares: Shares, groups: int) -> int:
    """Consider the rows that share a rare value, set the entries, price all groups; return the cheapest block."""
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
            enter(state.priced, slot, 0, count, shares.nearby[at], column, high, high - low)
            count += 1
    state.intervals[slot] = count
    for j in range(columns):
        at = shares.base[j] + codes[query, j]
        weight = shares.equal[at] - shares.nearby[at]
        if weight <= 0.0:
            continue
        column = blocks.equal_column[j]
        if column >= 0 and blocks.equal_byte[at] != NONE:
            enter(state.priced, slot, state.intervals[slot], count, weight, column, blocks.equal_byte[at], 0)
            count += 1
        else:
            spent += weight
    state.entries[slot], state.own[slot], state.left[slot] = count, own, own - spent
    state.active[slot] = 1
    consider_listed(state, slot, blocks, shares)
    state.far_cost[slot] = limit(state, slot)
    tighten(state, slot)
    if state.active[slot] == 0:
        return -1
    for i in range(count):
        state.row[slot, i] = blocks.first[state.priced.column[slot, i]] + np.int32(state.priced.byte[slot, i])
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
    """Sort the groups by their minimum price over the queries of the batch."""
    keys = state.nearest
    for group in range(groups):
        least = np.int64(255)
        for slot in range(count):
            if state.active[slot] != 0:
                least = min(least, np.int64(state.far[group, slot]))
        keys[group] = least << 32 | group
    comb_sort(keys, groups)


@kernel
def search_batches(
    first: int, last: int, batch: int, codes: I32, order: I64, blocks: Blocks, shares: Shares, state: State,
    found: BestMatches, stop: U8,
) -> None:  # fmt: skip
    """Search the queries at positions `first` to `last` of the order, `batch` at a time, until `stop[0]` is set.

    Records of these blocks with more bits replace those in `found`.
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
                    if slot + AHEAD < count:
                        prefetch_listed(codes, order[begin + slot + AHEAD], blocks, shares)
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
                here = ALL >> np.uint64(64 - min(64, len(blocks.starts) - 1 - group * 64))
                for slot in range(count):
                    if state.active[slot] == 0 or state.far[group, slot] > state.far_limit[slot]:
                        continue
                    mask = here & _price_blocks(state, slot, blocks, blocks.there, group)
                    if group == state.begun[slot] >> 6:
                        mask &= ~(np.uint64(1) << np.uint64(state.begun[slot] & 63))
                    state.asking[asking], state.group[asking], state.masks[asking] = slot, group, mask
                    asking += mask != 0
            for i in range(asking):
                slot = state.asking[i]
                # With a literal, the compiler makes a loop of each kind; a common one takes values a seventh longer.
                if state.intervals[slot] > 0:
                    _scan_group(state, slot, blocks, shares, state.group[i] * 64, state.masks[i], True)
                else:
                    _scan_group(state, slot, blocks, shares, state.group[i] * 64, state.masks[i], False)
        for slot in range(count):
            query = order[begin + slot]
            found.bits[query], found.records[query] = state.best[slot], state.record[slot]
            if seeks_second:
                found.second[query] = state.second[slot]
