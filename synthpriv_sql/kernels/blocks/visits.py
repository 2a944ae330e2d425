"""Order in which queries visit blocks: first the best ones of each query, then cluster by cluster, nearest first."""

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
FIRST = 4  # groups whose best block a query looks at before all others
GROUPS = 64  # where there are so many groups; where there are fewer, the nearest only


@inner
def _begin_query(
    state: State, slot: int, queries: Queries, query: int, blocks: Blocks, metric: Metric, groups: int, known: Neighbors
) -> None:
    """Choose the table rows and bitmaps of a query, bound all groups, choose those that it looks at first."""
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
    state.bounds[0] = 0  # one group is looked at in any case
    for group in range((groups + 63) >> 6 if groups > 1 else 0):
        add_bounds(blocks.coarse, group * size, choice, len(choice), 0, state.bounds[group * 64 : group * 64 + 64])
    for group in range(groups):
        state.far[group, slot] = state.bounds[group]
    before = np.int64(-1)
    for turn in range(first_looks(groups)):
        least = np.int64(NONE)
        for group in range(groups):
            key = np.int64(state.bounds[group]) << 32 | group
            if key > before and key < least:
                least = key
        state.homes[slot, turn] = least & 0xFFFFFFFF
        before = least


@inner
def first_looks(groups: int) -> int:
    """Return how many blocks each query looks at before all others."""
    return FIRST if groups >= GROUPS else 1


@inner
def _plan_first(state: State, count: int, blocks: Blocks, turn: int) -> int:
    """List the best block of a group that is near each query, where it can have anything near enough."""
    planned = 0
    for slot in range(count):
        group = state.homes[slot, turn]
        if state.far[group, slot] > state.table_limit[slot]:
            continue
        choice = state.table_choice[slot]
        add_bounds(blocks.fine, group * blocks.table_rows * 64, choice, len(choice), 0, state.block_bounds)
        least = np.int64(NONE)
        for lane in range(min(64, len(blocks.starts) - 1 - group * 64)):
            least = min(least, np.int64(state.block_bounds[lane]) << 6 | lane)
        block = group * 64 + (least & 63)
        state.visits[planned, 0], state.visits[planned, 1] = slot, block >> 3
        state.visits[planned, 2] = 1 << (block & 7)
        planned += least >> 6 <= state.table_limit[slot]
    return planned


@inner
def _plan_group(state: State, count: int, blocks: Blocks, group: int) -> int:
    """List who looks at what in a group: eight blocks after eight blocks, so that these stay in the cache."""
    asking = 0
    for slot in range(count):
        state.asking[asking] = slot
        asking += state.far[group, slot] <= state.table_limit[slot]
    size = blocks.table_rows * 64
    if asking > MANY:
        prefetch(blocks.fine, group * size, (group + 1) * size)
    here = ALL >> np.uint64(64 - min(64, len(blocks.starts) - 1 - group * 64))
    wanting = 0
    for i in range(asking):
        slot = state.asking[i]
        choice, most = state.table_choice[slot], state.table_limit[slot]
        mask = here & add_bounds(blocks.fine, group * size, choice, len(choice), most, state.block_bounds)
        state.asking[wanting], state.masks[wanting] = slot, mask
        wanting += mask != 0
    planned = 0
    for eight in range(8):
        for i in range(wanting):
            state.visits[planned, 0], state.visits[planned, 1] = state.asking[i], group * 8 + eight
            state.visits[planned, 2] = np.int64((state.masks[i] >> np.uint64(eight * 8)) & np.uint64(255))
            planned += state.visits[planned, 2] != 0
    return planned


@inner
def _order_groups(state: State, count: int, groups: int) -> None:
    """List the groups in the order of what is nearest to any query of the batch."""
    for group in range(groups):
        least = np.int64(65535)
        for slot in range(count):
            least = min(least, np.int64(state.far[group, slot]))
        state.nearest[group] = least << 32 | group
    comb_sort(state.nearest, groups)


@inner
def begin_batch(
    state: State,
    begin: int,
    count: int,
    queries: Queries,
    blocks: Blocks,
    metric: Metric,
    groups: int,
    known: Neighbors,
) -> None:
    """Take up the queries at `count` places of the order, and choose the order of the groups."""
    for slot in range(count):
        _begin_query(state, slot, queries, queries.order[begin + slot], blocks, metric, groups, known)
    _order_groups(state, count, groups)


@inner
def plan(state: State, count: int, blocks: Blocks, entry: int) -> int:
    """List the visits of one turn: of the first looks, up to -1, or of the group that is next; return how many."""
    planned: int
    if entry < 0:
        planned = _plan_first(state, count, blocks, entry + first_looks((len(blocks.starts) + 62) >> 6))
    else:
        planned = _plan_group(state, count, blocks, state.nearest[entry] & 0xFFFFFFFF)
    return planned
