"""The search of blocks: a batch of near queries against all blocks that their bounds let through.

A batch first visits the block that is best for each query, in a large reference the best block of several superblocks
(of 64 blocks), then all superblocks, nearest first. For a query and a superblock one pass over the table of bounds
leaves a mask of blocks. For eight blocks at a time the differing categories are counted bit by bit, then the numbers of
a block are added in float32; only rows that survive all of it have their exact distance computed, in float64 and in
column order.

What only some tables have a use for is a filter: a named tuple of its arrays, an argument that is None for all others.
numba compiles the search once for each combination of types, and leaves out every branch on ``filter is None`` or
``filter is not None`` that an argument decides, so that tables pay nothing for a filter that they do not use. It has to
be an argument itself: a field of a tuple is not recognized.

- `products.Tiles`: numbers alone, squares added. Six queries at a time are multiplied with a block.
- `lookups.Lookups`: fewer numbers than for the next, with whatever else. Tables of costs in bytes rule most rows out.
- `quantized.Quantized`: many numbers. As whole numbers of 8 bits they rule out most rows before float32 does.
- `vectors.VectorFilter`: vectors beside other columns. Their squares are added after the numbers.

A further filter needs: a named tuple and its functions in a module of its own; an argument of `search_batches` and of
`_scan_rows`, where it takes rows off `mask`; its arrays made in `build.grow` and for the queries in
`Index._search_blocks`. It may only take off rows that are certain to be farther than the limits in `State` say.
"""

from __future__ import annotations

import numpy as np

from synthpriv_sql.kernels.blocks.counts import count_of, count_rows, price_rows
from synthpriv_sql.kernels.blocks.exact import consider, too_far
from synthpriv_sql.kernels.blocks.lookups import Lookups, forget_tables, rule_out_by_lookups
from synthpriv_sql.kernels.blocks.quantized import (
    Quantized,
    keep_by_steps,
    limit_steps,
    nearest_by_steps,
    root_for,
    rule_out_by_steps,
)
from synthpriv_sql.kernels.blocks.state import ALL, COLUMNS, Blocks, Metric, Queries, State
from synthpriv_sql.kernels.blocks.vectors import VectorFilter, rule_out
from synthpriv_sql.kernels.blocks.visits import MANY, begin_batch, first_looks, list_visits
from synthpriv_sql.kernels.jit import U8, inner, kernel
from synthpriv_sql.kernels.knn.products import Tiles, limit_products, multiply_superblock, take_up
from synthpriv_sql.kernels.layout import Neighbors
from synthpriv_sql.kernels.simd.lanes import add_absolutes, add_squares, lowest, population, prefetch

FEW = 2  # so many surviving rows are cheaper to compute exactly than to filter once more
FEW_BY_STEPS = 20  # the same after numbers of 8 bits, where float64 in any order decides for most of these rows


@inner
def _begin_sums(state: State, blocks: Blocks, word: int, limit: int) -> None:
    """Set the sums of a block to what the mismatches of its rows cost."""
    if len(blocks.counted) > 0:
        price_rows(state, blocks, word, limit)
    else:
        for lane in range(64):
            state.sums[lane] = 0


@inner
def _add_numbers(
    state: State, slot: int, queries: Queries, query: int, blocks: Blocks, block: int, mask: np.uint64, metric: Metric
) -> np.uint64:
    """Add what numbers cost to the sums of a block; return the rows of `mask` that stay within the limit."""
    begin, numbers = 0, queries.values.shape[1]
    while begin < numbers and mask != 0:
        end = min(begin + COLUMNS, numbers)
        at, place = block * numbers * 64, query * numbers
        most = state.value_limit[slot]
        asked, caps = queries.values, metric.caps
        if metric.power == 2:
            mask &= add_squares(blocks.values, at, asked, place, caps, begin, end, most, state.sums)
        else:
            mask &= add_absolutes(blocks.values, at, asked, place, caps, begin, end, most, state.sums)
        begin = end
    return mask


@inner
def _consider_nearest_first(
    state: State,
    slot: int,
    queries: Queries,
    query: int,
    blocks: Blocks,
    metric: Metric,
    quantized: Quantized,
    vectors: VectorFilter | None,
    near: int,
    root: float,
) -> None:
    """Look at the rows that steps leave, nearest first by these, until all others are too far."""
    while near > 0:
        near = nearest_by_steps(quantized, near)
        if quantized.costs[near] > limit_steps(quantized, query, state.filter_limit[slot], metric.power, root):
            break
        row = quantized.near[near]
        if not too_far(state, slot, queries, query, blocks, row, metric):
            consider(state, slot, queries, query, blocks, row, metric, vectors, 0.0)


@inner
def _scan_rows(
    state: State,
    slot: int,
    queries: Queries,
    query: int,
    blocks: Blocks,
    eight: int,
    wanted: np.uint64,
    metric: Metric,
    lookups: Lookups | None,
    quantized: Quantized | None,
    vectors: VectorFilter | None,
) -> None:
    """Look at the rows of the `wanted` (a mask) of eight blocks."""
    limit, counting = state.count_limit[slot], len(blocks.counted) > 0
    if counting:
        wanted &= count_rows(state, slot, blocks, eight, limit)
    numbers = queries.values.shape[1]
    summing = numbers > 0 and metric.filtered
    if vectors is not None:
        summing = True
    root, near = 0.0, np.int64(0)  # a literal 0 would be a type of its own
    if quantized is not None:
        root = root_for(quantized, query, state.filter_limit[slot])
    while wanted != 0:
        word = lowest(wanted)
        wanted &= wanted - np.uint64(1)
        block = eight * 8 + word
        start = blocks.starts[block]
        mask = ALL >> np.uint64(64 - (blocks.starts[block + 1] - start))
        if counting:
            mask &= state.within[word]
        if lookups is not None and mask != 0:
            mask = rule_out_by_lookups(lookups, mask, state, slot, queries, query, blocks, block, metric, limit)
        summed = summing and population(mask) > FEW
        if summed:
            _begin_sums(state, blocks, word, limit)
        adding = summed
        if quantized is not None and summed:
            mask = rule_out_by_steps(
                quantized, mask, block, query, state.filter_limit[slot], metric.power, root, state.sums
            )
            adding = population(mask) > FEW_BY_STEPS and state.filter_limit[slot] < np.inf
        if adding:
            mask = _add_numbers(state, slot, queries, query, blocks, block, mask, metric)
        if vectors is not None and summed and mask != 0:
            mask = rule_out(vectors, mask, block, query, metric.caps, state.value_limit[slot], state.sums)
        if quantized is not None:
            near = keep_by_steps(quantized, near, mask, start, blocks, summed)
            mask = np.uint64(0)
        while mask != 0:
            lane = lowest(mask)
            mask &= mask - np.uint64(1)
            row, spent = start + lane, 0.0
            if summed:
                if state.sums[lane] > state.value_limit[slot]:
                    continue
            elif counting:
                count = count_of(state, blocks, word, lane, limit)
                if count > state.count_limit[slot] or (
                    count > state.count_tie[slot] and blocks.members[blocks.member_start[row]] > state.records[slot, -1]
                ):
                    continue
                spent = count * blocks.price * metric.unit
            consider(state, slot, queries, query, blocks, row, metric, vectors, spent)
    if quantized is not None:
        _consider_nearest_first(state, slot, queries, query, blocks, metric, quantized, vectors, near, root)


@inner
def _hand_over(state: State, begin: int, count: int, queries: Queries, found: Neighbors) -> None:
    """Write what is known of the batch to its queries."""
    for slot in range(count):
        query = queries.order[begin + slot]
        for i in range(state.distances.shape[1]):
            found.records[query, i], found.distances[query, i] = state.records[slot, i], state.distances[slot, i]


@kernel
def search_batches(
    first: int,
    last: int,
    batch: int,
    queries: Queries,
    blocks: Blocks,
    metric: Metric,
    state: State,
    tiles: Tiles | None,
    lookups: Lookups | None,
    quantized: Quantized | None,
    vectors: VectorFilter | None,
    found: Neighbors,
    stop: U8,
) -> int:
    """Search the queries at places `first` to `last` of the order, `batch` at a time, until `stop[0]` is set.

    Records of these blocks that are nearer take the place of those in `found`. Returns how many blocks were visited.
    """
    visited = 0
    superblocks = (len(blocks.starts) + 62) >> 6
    size = blocks.bit_rows * 8
    for begin in range(first, last, batch):
        count = min(batch, last - begin)
        begin_batch(state, begin, count, queries, blocks, metric, superblocks, found)
        if tiles is not None:
            take_up(tiles, begin, count, queries)
        if lookups is not None:
            forget_tables(lookups, count)
        for entry in range(-first_looks(superblocks), superblocks):
            if stop[0] != 0:
                return visited
            listed = list_visits(state, count, blocks, entry)
            if tiles is not None and entry >= 0:
                multiply_superblock(tiles, state, begin, listed, queries, blocks, metric)
            eight = np.int64(-1)
            for i in range(listed):
                visited += population(np.uint64(state.visits[i, 2]))
                if entry >= 0 and listed > 8 * MANY and state.visits[i, 1] != eight:
                    eight = state.visits[i, 1]
                    prefetch(blocks.bits, eight * size, (eight + 1) * size)
                slot = state.visits[i, 0]
                if tiles is not None and entry >= 0 and tiles.whole[slot] != 0:
                    continue
                query, wanted = queries.order[begin + slot], np.uint64(state.visits[i, 2])
                _scan_rows(
                    state, slot, queries, query, blocks, state.visits[i, 1], wanted, metric,
                    lookups=lookups, quantized=quantized, vectors=vectors,
                )  # fmt: skip
                if tiles is not None:
                    limit_products(tiles, slot, queries.values.shape[1], state.filter_limit[slot])
        _hand_over(state, begin, count, queries, found)
    return visited
