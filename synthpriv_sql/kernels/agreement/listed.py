"""The rows that share a rare value with a query: each rare value has a list of its rows.

The lengths of lists grow with the table, and most rows on a list agree with the query in nothing else. Rows on several
lists of the query are detected with a hash table and considered first. Of the other rows only the frequent values are
unknown, so they are priced like the rows of blocks, 64 at a time, from bytes stored in the order of the lists.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from synthpriv_sql.kernels.agreement.shares import Shares
from synthpriv_sql.kernels.agreement.state import ALL, FEW, SEEN, UNITS, Blocks, State, cheapest, limit, offer, share_of
from synthpriv_sql.kernels.jit import I32, I64, U8, inner, kernel
from synthpriv_sql.kernels.simd.agreement import price_equal, price_near
from synthpriv_sql.kernels.simd.lanes import lowest, population, prefetch


@kernel
def write_bytes(encoded: U8, rows: Any, columns: I64, start: int, stop: int, out: U8) -> None:
    """Write the bytes of the rows on lists column by column in blocks of 64; `start` is a multiple of 64."""
    for i in range(start, stop):
        for j in range(len(columns)):
            out[i >> 6, j, i & 63] = encoded[rows[i], columns[j]]


@inner
def _lists(state: State, slot: int, blocks: Blocks, shares: Shares, row: int, columns: int) -> Any:
    """Return on how many of the query's lists of the first `columns` columns a row is."""
    count = 0
    for j in range(columns):
        code = state.codes[slot, j]
        if blocks.codes[row, j] == code and blocks.rare[shares.base[j] + code] >= 0:
            count += 1
    return count


@inner
def unlisted(state: State, slot: int, blocks: Blocks, shares: Shares, group: int) -> Any:
    """Return how many of the records that a row of a block represents share no rare value with the query."""
    count = blocks.members[group]
    for j in range(state.codes.shape[1]):
        rare = blocks.rare[shares.base[j] + state.codes[slot, j]]
        if rare < 0:
            continue
        for i in range(blocks.list_start[rare], blocks.list_start[rare + 1]):
            if blocks.list_group[i] == group:
                row = blocks.list_rows[i]
                if _lists(state, slot, blocks, shares, row, j) == 0:
                    count -= blocks.times[row]
    return count


@inner
def consider(state: Any, slot: int, blocks: Any, row: int) -> Any:
    """Add up the bits of a row, and offer it; return whether the limit falls."""
    total = 0.0
    for j in range(state.codes.shape[1]):
        code = blocks.codes[row, j]
        if code == state.codes[slot, j]:
            total += state.equal[slot, j]
        elif state.low[slot, j] <= code <= state.high[slot, j]:
            total += state.nearby[slot, j]
    return offer(state, slot, total, blocks.records[row], blocks.times[row])


@inner
def _consider_several(state: State, slot: int, blocks: Blocks, shares: Shares) -> None:
    """Consider the rows that are on several lists, each of them once."""
    state.turn[0] += np.uint32(1)
    turn = state.turn[0]
    if turn == 0:  # after four billion queries
        state.seen[:] = 0
        state.turn[0] = turn = np.uint32(1)
    for j in range(state.codes.shape[1]):
        rare = blocks.rare[shares.base[j] + state.codes[slot, j]]
        if rare < 0:
            continue
        for i in range(blocks.list_start[rare], blocks.list_start[rare + 1]):
            row = blocks.list_rows[i]
            place = row & (SEEN - 1)
            # On a collision with another row, this row is not on an earlier list, and returns if it is on a later one.
            if state.seen[place] == turn and _lists(state, slot, blocks, shares, row, j) == 1:
                consider(state, slot, blocks, row)
            state.seen[place] = turn


@inner
def _enter_listed(state: State, slot: int, blocks: Blocks) -> Any:
    """Copy the entries by which lists are priced; return the number of intervals among them, and their number."""
    intervals = count = 0
    for i in range(state.entries[slot]):
        place = blocks.list_place[state.priced.column[slot, i]]
        if place < 0:
            continue
        state.listed.weight[count], state.listed.column[count] = state.priced.weight[slot, i], place
        state.listed.byte[count], state.listed.span[count] = state.priced.byte[slot, i], state.priced.span[slot, i]
        count += 1
        intervals += i < state.intervals[slot]
    return intervals, count


@inner
def _set_prices(state: State, count: int, most: float) -> None:
    """Set the prices of the entries of lists if rows may cost `most` bits."""
    for i in range(count):
        state.listed.price[i] = share_of(state.listed.weight[i], most)


@inner
def _price(state: State, blocks: Blocks, block: int, mask: np.uint64, intervals: int, count: int) -> Any:
    """Price the rows of a block of lists; return those of the mask that are within the limit of the prices."""
    for lane in range(64):
        state.sums[lane] = 0
    at = block * blocks.list_width * 64
    mask &= price_near(
        blocks.list_bytes, at, state.listed, 0, 0,
        intervals, UNITS, state.sums,
    )  # fmt: skip
    if mask != 0:
        mask &= price_equal(
            blocks.list_bytes, at, state.listed, 0,
            intervals, count, UNITS, state.sums,
        )  # fmt: skip
    return mask


@inner
def prefetch_listed(codes: I32, query: int, blocks: Blocks, shares: Shares) -> None:
    """Have the lists of a query read that is considered later: they are anywhere in memory."""
    size = blocks.list_width * 64
    for j in range(codes.shape[1]):
        rare = blocks.rare[shares.base[j] + codes[query, j]]
        if rare >= 0:
            begin, end = blocks.list_start[rare], blocks.list_start[rare + 1]
            prefetch(blocks.list_rows, begin, end)
            prefetch(blocks.list_bytes, (begin >> 6) * size, ((end + 63) >> 6) * size)


@inner
def consider_listed(state: State, slot: int, blocks: Blocks, shares: Shares) -> None:
    """Consider the rows that share a rare value with the query; if there are many, the cheapest first."""
    columns = state.codes.shape[1]
    _consider_several(state, slot, blocks, shares)
    intervals, count = _enter_listed(state, slot, blocks)
    priced_for = -1.0  # the limit for which prices are set, in bits; negative if not set
    for j in range(columns):
        rare = blocks.rare[shares.base[j] + state.codes[slot, j]]
        if rare < 0:
            continue
        # Rows that are on this list only have the bits of its value in addition to those of rows in blocks.
        beside = state.equal[slot, j] - state.nearby[slot, j]
        begin, end = blocks.list_start[rare], blocks.list_start[rare + 1]
        for block in range(begin >> 6, (end + 63) >> 6):
            most = limit(state, slot) + beside
            if most < 0.0:
                break
            mask = ALL << np.uint64(max(begin - block * 64, 0))
            mask &= ALL >> np.uint64(64 - min(end - block * 64, 64))
            priced = population(mask) <= FEW
            while mask != 0:
                if not priced:
                    if most != priced_for:
                        _set_prices(state, count, most)
                        priced_for = most
                    mask = _price(state, blocks, block, mask, intervals, count)
                    priced = True
                    continue
                lane = cheapest(state.sums, mask) if population(mask) > FEW else lowest(mask)
                mask ^= np.uint64(1) << np.uint64(lane)
                row = blocks.list_rows[block * 64 + lane]
                if _lists(state, slot, blocks, shares, row, columns) == 1 and consider(state, slot, blocks, row):
                    most = limit(state, slot) + beside
                    if most < 0.0:
                        break
                    priced = population(mask) <= FEW
