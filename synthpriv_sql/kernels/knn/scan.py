"""The search itself: a batch of near queries against all blocks that their bounds let through.

A batch first looks at the block that is best for each query, in a large reference at the best block of several groups
of 64, then visits all groups, nearest first. For a query and a group one pass over the table of bounds leaves a mask of
blocks. For eight blocks at a time the differing categories are counted bit by bit, then the numbers of a block are
added in float32; only rows that survive all of it have their exact distance computed, in float64 and in column order.
"""

from __future__ import annotations

import numpy as np

from synthpriv_sql.kernels.blocks.counts import count_of, count_rows, price_rows
from synthpriv_sql.kernels.blocks.limits import tighten
from synthpriv_sql.kernels.blocks.state import ALL, Blocks, Found, Metric, Queries, State
from synthpriv_sql.kernels.blocks.visits import MANY, begin_batch, first_looks, plan
from synthpriv_sql.kernels.jit import F64, I64, U8, inner, kernel
from synthpriv_sql.kernels.simd.lanes import add_absolutes, add_squares, lowest, population, prefetch

FEW = 2  # so many surviving rows are cheaper to compute exactly than to filter once more
COLUMNS = 8  # numbers added before the next look at who survives


@inner
def add_columns(queries: Queries, query: int, blocks: Blocks, row: int, metric: Metric, most: float) -> float:
    """Add up what a query and a row cost, in column order, numbers first; infinite if these alone exceed `most`.

    Missing numbers are not held against `most`: the filters count them among the categories.
    """
    total = missing = 0.0
    for j in range(len(metric.weights)):
        a, b = queries.numeric[query, j], blocks.numeric[row, j]
        if a == a and b == b:
            gap = abs(a - b) / metric.scales[j]
            if metric.power == 2:
                gap = gap * gap
            if metric.cap and gap > 1.0:
                gap = 1.0
            total += metric.weights[j] * gap
        elif a == a or b == b:
            total += metric.missing[j]
            missing += metric.missing[j]
    if total - missing > most:
        return np.inf
    if metric.uniform:
        differing = 0
        for j in range(len(metric.costs)):
            differing += queries.exact_codes[query, j] != blocks.codes[row, j]
        for _ in range(differing):  # one by one, since that is how the other branch rounds
            total += metric.costs[0]
    else:
        for j in range(len(metric.costs)):
            if queries.exact_codes[query, j] != blocks.codes[row, j]:
                total += metric.costs[j]
    return total


@inner
def _exact(queries: Queries, query: int, blocks: Blocks, row: int, metric: Metric, most: float) -> float:
    """Distance of a query and a row; infinite if its numbers alone exceed `most`."""
    total: float = add_columns(queries, query, blocks, row, metric, most) / metric.divisor
    return np.sqrt(total) if metric.root else total


@inner
def offer(records: I64, distances: F64, slot: int, distance: float, record: int) -> bool:
    """Put a record into a list, nearest first, unless it is there or worse than the last; say whether it went in."""
    last = distances.shape[1] - 1
    if distance > distances[slot, last] or (distance == distances[slot, last] and record >= records[slot, last]):
        return False
    at = last
    while at > 0 and (
        distance < distances[slot, at - 1] or (distance == distances[slot, at - 1] and record < records[slot, at - 1])
    ):
        at -= 1
    if at > 0 and record == records[slot, at - 1] and distance == distances[slot, at - 1]:
        return False
    for i in range(last, at, -1):
        distances[slot, i], records[slot, i] = distances[slot, i - 1], records[slot, i - 1]
    distances[slot, at], records[slot, at] = distance, record
    return True


@inner
def offer_all(
    state: State, slot: int, queries: Queries, query: int, blocks: Blocks, row: int, metric: Metric, distance: float
) -> None:
    """Offer the records that equal a row, smallest first, at its distance."""
    changed = False
    for i in range(blocks.member_start[row], blocks.member_start[row + 1]):
        record, last = blocks.members[i], state.distances.shape[1] - 1
        if distance > state.distances[slot, last] or (
            distance == state.distances[slot, last] and record >= state.records[slot, last]
        ):
            break
        changed |= offer(state.records, state.distances, slot, distance, record)
    if changed:
        tighten(state, slot, queries, query, blocks, metric)


@inner
def consider(
    state: State, slot: int, queries: Queries, query: int, blocks: Blocks, row: int, metric: Metric, spent: float
) -> None:
    """Compute a row's distance and offer its records; its categories are known to cost `spent`."""
    distance = _exact(queries, query, blocks, row, metric, state.sum_limit[slot] - spent)
    offer_all(state, slot, queries, query, blocks, row, metric, distance)


@inner
def scan_rows(
    state: State, slot: int, queries: Queries, query: int, blocks: Blocks, eight: int, wanted: np.uint64, metric: Metric
) -> None:
    """Look at the rows of the `wanted` (a mask) of eight blocks."""
    limit, counting = state.count_limit[slot], len(blocks.counted) > 0
    if counting:
        wanted &= count_rows(state, slot, blocks, eight, limit)
    numbers = queries.values.shape[1]
    while wanted != 0:
        word = lowest(wanted)
        wanted &= wanted - np.uint64(1)
        block = eight * 8 + word
        start = blocks.starts[block]
        mask = ALL >> np.uint64(64 - (blocks.starts[block + 1] - start))
        if counting:
            mask &= state.within[word]
        summed = numbers > 0 and metric.filtered and population(mask) > FEW
        if summed and counting:
            price_rows(state, blocks, word, limit)
        elif summed:
            for lane in range(64):
                state.sums[lane] = 0
        begin = 0
        while summed and begin < numbers and mask != 0:
            end = min(begin + COLUMNS, numbers)
            at, place = block * numbers * 64, query * numbers
            most = state.value_limit[slot]
            asked, caps = queries.values, metric.caps
            if metric.power == 2:
                mask &= add_squares(blocks.values, at, asked, place, caps, begin, end, most, state.sums)
            else:
                mask &= add_absolutes(blocks.values, at, asked, place, caps, begin, end, most, state.sums)
            begin = end
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
            consider(state, slot, queries, query, blocks, row, metric, spent)


@inner
def hand_over(state: State, begin: int, count: int, queries: Queries, found: Found) -> None:
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
    found: Found,
    stop: U8,
) -> None:
    """Search the queries at places `first` to `last` of the order, `batch` at a time, until `stop[0]` is set.

    Records of these blocks that are nearer take the place of those in `found`.
    """
    groups = (len(blocks.starts) + 62) >> 6
    size = blocks.bit_rows * 8
    for begin in range(first, last, batch):
        count = min(batch, last - begin)
        begin_batch(state, begin, count, queries, blocks, metric, groups, found)
        for entry in range(-first_looks(groups), groups):
            if stop[0] != 0:
                return
            planned = plan(state, count, blocks, entry)
            eight = np.int64(-1)
            for i in range(planned):
                if entry >= 0 and planned > 8 * MANY and state.visits[i, 1] != eight:
                    eight = state.visits[i, 1]
                    prefetch(blocks.bits, eight * size, (eight + 1) * size)
                slot = state.visits[i, 0]
                query, wanted = queries.order[begin + slot], np.uint64(state.visits[i, 2])
                scan_rows(state, slot, queries, query, blocks, state.visits[i, 1], wanted, metric)
        hand_over(state, begin, count, queries, found)
