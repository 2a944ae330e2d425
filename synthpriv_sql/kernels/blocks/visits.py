"""Order in which queries visit blocks: first the best ones of each query, then by superblocks, nearest first."""

from __future__ import annotations

import numpy as np

from synthpriv_sql.kernels.blocks.bounds import choose_rows
from synthpriv_sql.kernels.blocks.limits import tighten
from synthpriv_sql.kernels.blocks.state import ALL, NONE, Blocks, Metric, Queries, State
from synthpriv_sql.kernels.jit import inner
from synthpriv_sql.kernels.layout import Neighbors
from synthpriv_sql.kernels.simd.lanes import add_bounds, prefetch
from synthpriv_sql.kernels.sorting import comb_sort

MANY = 100  # so many queries that want the same data make it worth while to fetch all of it ahead
FIRST = 4  # superblocks whose best block a query visits before all others
SUPERBLOCKS = 64  # so many make FIRST worth while; of fewer, only the nearest one is visited first


@inner
def _begin_query(
    state: State,
    slot: int,
    queries: Queries,
    query: int,
    blocks: Blocks,
    metric: Metric,
    superblocks: int,
    known: Neighbors,
) -> None:
    """Choose the table rows and bitmaps of a query, bound all superblocks, choose those that it looks at first."""
    for i in range(state.distances.shape[1]):
        state.records[slot, i], state.distances[slot, i] = known.records[query, i], known.distances[query, i]
    state.count_limit[slot] = state.count_tie[slot] = len(blocks.counted)
    state.table_limit[slot] = 65535
    state.value_limit[slot] = state.sum_limit[slot] = state.filter_limit[slot] = np.inf
    choice, numbers = state.table_choice[slot], queries.values.shape[1]
    choose_rows(queries.values, queries.codes, query, blocks.base, blocks.edges, blocks.edge_start, choice)
    for i in range(len(blocks.counted)):
        column = blocks.counted[i]
        row = choice[numbers + column] if column >= 0 else blocks.base[-1]
        state.bit_choice[slot, i] = row - blocks.base[numbers]
    tighten(state, slot, queries, query, blocks, metric)
    size = blocks.table_rows * 64
    state.bounds[0] = 0  # one superblock is looked at in any case
    for superblock in range((superblocks + 63) >> 6 if superblocks > 1 else 0):
        add_bounds(
            blocks.coarse,
            superblock * size,
            choice,
            len(choice),
            0,
            state.bounds[superblock * 64 : superblock * 64 + 64],
        )
    for superblock in range(superblocks):
        state.far[superblock, slot] = state.bounds[superblock]
    before = np.int64(-1)
    for turn in range(first_looks(superblocks)):
        least = np.int64(NONE)
        for superblock in range(superblocks):
            key = np.int64(state.bounds[superblock]) << 32 | superblock
            if key > before and key < least:
                least = key
        state.homes[slot, turn] = least & 0xFFFFFFFF
        before = least


@inner
def first_looks(superblocks: int) -> int:
    """Return how many blocks each query looks at before all others."""
    return FIRST if superblocks >= SUPERBLOCKS else 1


@inner
def _list_first(state: State, count: int, blocks: Blocks, turn: int) -> int:
    """List the best block of a superblock that is near each query, where it can have anything near enough."""
    listed = 0
    for slot in range(count):
        superblock = state.homes[slot, turn]
        if state.far[superblock, slot] > state.table_limit[slot]:
            continue
        choice = state.table_choice[slot]
        add_bounds(blocks.fine, superblock * blocks.table_rows * 64, choice, len(choice), 0, state.block_bounds)
        least = np.int64(NONE)
        for lane in range(min(64, len(blocks.starts) - 1 - superblock * 64)):
            least = min(least, np.int64(state.block_bounds[lane]) << 6 | lane)
        block = superblock * 64 + (least & 63)
        state.visits[listed, 0], state.visits[listed, 1] = slot, block >> 3
        state.visits[listed, 2] = 1 << (block & 7)
        listed += least >> 6 <= state.table_limit[slot]
    return listed


@inner
def _list_superblock(state: State, count: int, blocks: Blocks, superblock: int) -> int:
    """List the visits to a superblock: eight blocks after eight blocks, so that these stay in the cache."""
    asking = 0
    for slot in range(count):
        state.asking[asking] = slot
        asking += state.far[superblock, slot] <= state.table_limit[slot]
    size = blocks.table_rows * 64
    if asking > MANY:
        prefetch(blocks.fine, superblock * size, (superblock + 1) * size)
    here = ALL >> np.uint64(64 - min(64, len(blocks.starts) - 1 - superblock * 64))
    wanting = 0
    for i in range(asking):
        slot = state.asking[i]
        choice, most = state.table_choice[slot], state.table_limit[slot]
        mask = here & add_bounds(blocks.fine, superblock * size, choice, len(choice), most, state.block_bounds)
        state.asking[wanting], state.masks[wanting] = slot, mask
        wanting += mask != 0
    listed = 0
    for eight in range(8):
        for i in range(wanting):
            state.visits[listed, 0], state.visits[listed, 1] = state.asking[i], superblock * 8 + eight
            state.visits[listed, 2] = np.int64((state.masks[i] >> np.uint64(eight * 8)) & np.uint64(255))
            listed += state.visits[listed, 2] != 0
    return listed


@inner
def _order_superblocks(state: State, count: int, superblocks: int) -> None:
    """Order the superblocks by their least bound over the queries of the batch."""
    for superblock in range(superblocks):
        least = np.int64(65535)
        for slot in range(count):
            least = min(least, np.int64(state.far[superblock, slot]))
        state.nearest[superblock] = least << 32 | superblock
    comb_sort(state.nearest, superblocks)


@inner
def begin_batch(
    state: State,
    begin: int,
    count: int,
    queries: Queries,
    blocks: Blocks,
    metric: Metric,
    superblocks: int,
    known: Neighbors,
) -> None:
    """Take up the queries at `count` places of the order, and choose the order of the superblocks."""
    for slot in range(count):
        _begin_query(state, slot, queries, queries.order[begin + slot], blocks, metric, superblocks, known)
    _order_superblocks(state, count, superblocks)


@inner
def list_visits(state: State, count: int, blocks: Blocks, entry: int) -> int:
    """List the visits of one turn: of the first looks, up to -1, or of the superblock that is next; return how many."""
    listed: int
    if entry < 0:
        listed = _list_first(state, count, blocks, entry + first_looks((len(blocks.starts) + 62) >> 6))
    else:
        listed = _list_superblock(state, count, blocks, state.nearest[entry] & 0xFFFFFFFF)
    return listed
