"""The search itself: a batch of near queries against all blocks that their bounds let through.

For a batch the groups of 64 blocks are visited nearest first. For a query and a group one pass over the table of
bounds leaves a mask of blocks, in a block the categories are counted 64 rows at once, then the numbers are added in
float32; only rows that survive all of it have their exact distance computed, in float64 and in column order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthpriv_sql.neighbors.bounds import choose_rows
from synthpriv_sql.neighbors.lanes import (
    add_absolutes,
    add_bounds,
    add_squares,
    count_mismatches,
    lowest,
    population,
)

FEW = 4  # so many surviving rows are cheaper to compute exactly than to filter once more


class Metric(NamedTuple):
    """How exact distances are added up, and what the filters need to know of it."""

    power: int
    cap: bool
    root: bool
    divisor: float
    weights: NDArray[np.float64]  # of numbers
    missing: NDArray[np.float64]  # number missing against number present
    costs: NDArray[np.float64]  # of categories
    uniform: bool  # all categories cost the same
    counted: bool  # no numbers, uniform: the count of mismatches decides
    filter_numbers: bool  # whether the float32 values may be added up (no cap is needed)


class Blocks(NamedTuple):
    """The reference in leaf order."""

    starts: NDArray[np.int64]  # (blocks + 1,)
    bits: NDArray[np.uint64]  # eights of blocks x table rows of categories + 1 x 8, flat: which rows differ
    values: NDArray[np.float32]  # blocks x columns x 64, flat
    numeric: NDArray[np.float64]  # exact (rows, p)
    exact_codes: NDArray[np.int32]  # exact (rows, c)
    member_start: NDArray[np.int64]  # (rows + 1,)
    members: NDArray[np.int64]  # the records of each row, ascending
    least: NDArray[np.int64]  # the smallest record of each block
    fine: NDArray[np.uint16]  # flat
    coarse: NDArray[np.uint16]  # flat
    table_rows: int
    unit: float  # of the tables
    base: NDArray[np.int32]
    edges: NDArray[np.float32]
    edge_start: NDArray[np.int64]
    counted: NDArray[np.int32]  # the category column of each bitmap that is counted, a multiple of 8; -1 = none
    price: float  # cost of one bitmap


class Queries(NamedTuple):
    """Queries in visiting order."""

    values: NDArray[np.float32]
    codes: NDArray[np.uint8]
    margin: NDArray[np.float64]
    numeric: NDArray[np.float64]
    exact_codes: NDArray[np.int32]


class State(NamedTuple):
    """What is known of a batch of queries; row = place in the batch."""

    distances: NDArray[np.float64]  # (batch, k)
    records: NDArray[np.int64]  # (batch, k)
    rows: NDArray[np.int64]  # (batch, k)
    count_limit: NDArray[np.int64]  # byte count at most, to be looked at
    count_tie: NDArray[np.int64]  # the same for records larger than the worst
    table_limit: NDArray[np.int64]
    table_tie: NDArray[np.int64]
    value_limit: NDArray[np.float32]
    table_choice: NDArray[np.int32]  # (batch, columns)
    asked: NDArray[np.int32]  # (batch, bitmaps) the bitmaps to be counted
    coarse: NDArray[np.uint16]  # (batch, groups padded to 64)
    block_sums: NDArray[np.uint16]  # (64,)
    within: NDArray[np.uint64]  # (8,)
    planes: NDArray[np.uint64]  # (56,)
    sums: NDArray[np.float32]  # (64,)
    before: NDArray[np.int64]  # (k,) the rows of the query before
    nearest: NDArray[np.int64]  # (groups,)


@njit(cache=True, nogil=True, _nrt=False, forceinline=True)
def _exact(queries, query, blocks, row, metric):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    """Distance of a query and a reference row, in column order, numbers first."""
    total = 0.0
    for j in range(len(metric.weights)):
        a, b = queries.numeric[query, j], blocks.numeric[row, j]
        if a == a and b == b:
            gap = abs(a - b)
            if metric.power == 2:
                gap = gap * gap
            if metric.cap and gap > 1.0:
                gap = 1.0
            total += metric.weights[j] * gap
        elif a == a or b == b:
            total += metric.missing[j]
    if metric.uniform:
        differing = 0
        for j in range(len(metric.costs)):
            differing += queries.exact_codes[query, j] != blocks.exact_codes[row, j]
        cost = metric.costs[0] if len(metric.costs) > 0 else 0.0
        for _ in range(differing):  # one by one, as the other branch rounds
            total += cost
    else:
        for j in range(len(metric.costs)):
            if queries.exact_codes[query, j] != blocks.exact_codes[row, j]:
                total += metric.costs[j]
    total /= metric.divisor
    return np.sqrt(total) if metric.root else total


@njit(cache=True, nogil=True, _nrt=False, forceinline=True)
def _tighten(state, slot, queries, query, blocks, metric):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    """Set the limits of all filters from the worst distance of a query's list."""
    worst = state.distances[slot, -1]
    if worst == np.inf:
        return
    limit = worst * worst if metric.root else worst
    limit = limit * metric.divisor * (1 + 1e-12) + 1e-300
    margin = queries.margin[query]
    if metric.power == 2:
        limit += 2 * margin * np.sqrt(limit) + margin * margin
    else:
        limit += margin
    if metric.counted:
        # Equal counts are equal distances, to the bit: then a tie needs a smaller record, and less is certain to win.
        cost = metric.costs[0]
        count, total = 0, cost
        while count < len(metric.costs):
            distance = total / metric.divisor
            if metric.root:
                distance = np.sqrt(distance)
            if distance > worst:
                break
            total += cost
            count += 1
        state.count_limit[slot] = min(count, 127)
        per = np.int64(cost / blocks.unit + 0.5)
        state.table_limit[slot] = min(count * per, 65535)
        tie = count - 1 if worst > 0 else -1
        state.count_tie[slot] = tie
        state.table_tie[slot] = min(tie * per, 65535)
        return
    state.count_limit[slot] = np.int64(min(127.0, limit / blocks.price * (1 + 1e-9)))
    state.count_tie[slot] = state.count_limit[slot]
    state.table_limit[slot] = np.int64(min(65535.0, limit / blocks.unit * (1 + 1e-9)))
    state.table_tie[slot] = state.table_limit[slot]
    state.value_limit[slot] = np.float32(min(limit * (1 + 1e-6 * (4 + len(metric.weights))), 1e38))


@njit(cache=True, nogil=True, _nrt=False, forceinline=True)
def _offer(state, slot, distance, record, row):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    """Put a record into a query's list unless it is there or worse than the last; say whether the list changed."""
    distances, records, rows = state.distances[slot], state.records[slot], state.rows[slot]
    at = len(distances)
    while at > 0 and (distance < distances[at - 1] or (distance == distances[at - 1] and record < records[at - 1])):
        at -= 1
    if at == len(distances) or (at > 0 and records[at - 1] == record and distances[at - 1] == distance):
        return False
    for i in range(len(distances) - 1, at, -1):
        distances[i], records[i], rows[i] = distances[i - 1], records[i - 1], rows[i - 1]
    distances[at], records[at], rows[at] = distance, record, row
    return True


@njit(cache=True, nogil=True, _nrt=False, forceinline=True)
def _consider(state, slot, queries, query, blocks, row, metric):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    """Compute a row's distance and offer its records, smallest first."""
    distance = _exact(queries, query, blocks, row, metric)
    if distance > state.distances[slot, -1]:
        return
    changed = False
    for i in range(blocks.member_start[row], blocks.member_start[row + 1]):
        if not _offer(state, slot, distance, blocks.members[i], row):
            if distance >= state.distances[slot, -1] and blocks.members[i] >= state.records[slot, -1]:
                break
        else:
            changed = True
    if changed:
        _tighten(state, slot, queries, query, blocks, metric)


@njit(cache=True, nogil=True, _nrt=False, forceinline=True)
def _count(state, word, lane):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    """Read the count of mismatches of one row off the bit planes of the last count."""
    count = np.int64(0)
    for plane in range(7):
        count |= np.int64((state.planes[plane * 8 + word] >> np.uint64(lane)) & np.uint64(1)) << plane
    return count


@njit(cache=True, nogil=True, _nrt=False, forceinline=True)
def _scan(state, slot, queries, query, blocks, eight, wanted, metric):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    """Look at the rows of the `wanted` (a mask) of eight blocks."""
    limit = state.count_limit[slot]
    bitmaps = len(blocks.counted)
    counting = bitmaps > 0 and limit < min(bitmaps, 127)
    if counting:
        rows = blocks.base[-1] - blocks.base[queries.values.shape[1]] + 1
        wanted &= count_mismatches(
            blocks.bits, eight * rows * 8, state.asked[slot], bitmaps, limit, state.within, state.planes
        )
    numbers = queries.values.shape[1]
    while wanted != 0:
        word = lowest(wanted)
        wanted &= wanted - np.uint64(1)
        block = eight * 8 + word
        start = blocks.starts[block]
        mask = np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(64 - (blocks.starts[block + 1] - start))
        if counting:
            mask &= state.within[word]
        summed = numbers > 0 and metric.filter_numbers and population(mask) > FEW
        if summed:
            state.sums[:] = np.float32(0)
            at, place = block * numbers * 64, query * numbers
            most = state.value_limit[slot]
            begin = 0
            while begin < numbers and mask != 0:
                end = min(begin + 8, numbers)
                if metric.power == 2:
                    mask &= add_squares(blocks.values, at, queries.values, place, begin, end, most, state.sums)
                else:
                    mask &= add_absolutes(blocks.values, at, queries.values, place, begin, end, most, state.sums)
                begin = end
        while mask != 0:
            lane = lowest(mask)
            mask &= mask - np.uint64(1)
            row = start + lane
            if counting:
                count = _count(state, word, lane) - (127 - limit)
                if count > state.count_limit[slot]:
                    continue
                if count > state.count_tie[slot] and blocks.members[blocks.member_start[row]] > state.records[slot, -1]:
                    continue
                if summed and state.sums[lane] + np.float32(count * blocks.price) > state.value_limit[slot]:
                    continue
            _consider(state, slot, queries, query, blocks, row, metric)


@njit(cache=True, nogil=True, _nrt=False, forceinline=True)
def _visit(state, slot, queries, query, blocks, group, metric, only_best):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    """Look at the blocks of a group that a query cannot rule out, the best one first."""
    columns = state.table_choice.shape[1]
    bounds = state.block_sums
    bounds[:] = 0
    count = min(64, len(blocks.starts) - 1 - group * 64)
    mask = np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(64 - count)
    mask &= add_bounds(
        blocks.fine, group * blocks.table_rows * 64, state.table_choice[slot], 0, columns, state.table_limit[slot], bounds
    )
    if mask == 0:
        return
    if only_best:
        best = 0
        for lane in range(1, count):
            if bounds[lane] < bounds[best]:
                best = lane
        mask = np.uint64(1) << np.uint64(best)
    for eight in range(8):
        wanted = (mask >> np.uint64(eight * 8)) & np.uint64(255)
        left = wanted
        while left != 0:
            word = lowest(left)
            left &= left - np.uint64(1)
            bound, block = bounds[eight * 8 + word], group * 64 + eight * 8 + word
            if bound > state.table_limit[slot] or (
                bound > state.table_tie[slot] and blocks.least[block] > state.records[slot, -1]
            ):
                wanted &= ~(np.uint64(1) << np.uint64(word))
        if wanted != 0:
            _scan(state, slot, queries, query, blocks, group * 8 + eight, wanted, metric)


@njit(cache=True, nogil=True, _nrt=False, forceinline=True)
def _sort(keys):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    """Sort in place (numba's own sort costs a second of compilation)."""
    gap = len(keys)
    swapped = True
    while gap > 1 or swapped:
        gap = max(1, gap * 10 // 13)
        swapped = False
        for i in range(len(keys) - gap):
            if keys[i] > keys[i + gap]:
                keys[i], keys[i + gap] = keys[i + gap], keys[i]
                swapped = True


@njit(cache=True, nogil=True, _nrt=False, forceinline=True)
def _ask(state, slot, queries, blocks):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    """Write down the bitmaps to be counted for a query."""
    numbers = queries.values.shape[1]
    first = blocks.base[numbers]
    for i in range(len(blocks.counted)):
        column = blocks.counted[i]
        state.asked[slot, i] = (state.table_choice[slot, numbers + column] if column >= 0 else blocks.base[-1]) - first


@njit(cache=True, nogil=True, _nrt=False)
def search_batches(first, last, batch, queries, blocks, metric, state, found, found_distances, stop):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """Search the queries from `first` to `last`, `batch` at a time, until `stop[0]` is set; write their lists."""
    k = state.distances.shape[1]
    groups = (len(blocks.starts) - 1 + 63) // 64
    coarse_groups = (groups + 63) // 64
    columns = state.table_choice.shape[1]
    nearest = state.nearest
    before = -1
    begin = first
    while begin < last:
        end = min(begin + batch, last)
        for query in range(begin, end):
            slot = query - begin
            if stop[0] != 0:
                return
            choose_rows(
                queries.values, queries.codes, query, blocks.base, blocks.edges, blocks.edge_start, state.table_choice[slot]
            )
            for group in range(coarse_groups):
                add_bounds(
                    blocks.coarse, group * blocks.table_rows * 64, state.table_choice[slot], 0, columns, 0,
                    _cleared(state.coarse[slot, group * 64 : group * 64 + 64]),
                )  # fmt: skip
            for i in range(k):
                state.before[i] = state.rows[before, i] if before >= 0 else -1
            state.distances[slot] = np.inf
            state.records[slot] = np.iinfo(np.int64).max
            state.rows[slot] = -1
            state.count_limit[slot] = 127
            state.count_tie[slot] = 127
            state.table_limit[slot] = 65535
            state.table_tie[slot] = 65535
            state.value_limit[slot] = np.inf
            for row in state.before:
                if row >= 0:
                    _consider(state, slot, queries, query, blocks, row, metric)
            best = 0
            for group in range(1, groups):
                if state.coarse[slot, group] < state.coarse[slot, best]:
                    best = group
            _ask(state, slot, queries, blocks)
            _visit(state, slot, queries, query, blocks, best, metric, True)
            before = slot
        for group in range(groups):
            least = state.coarse[0, group]
            for slot in range(1, end - begin):
                least = min(least, state.coarse[slot, group])
            nearest[group] = np.int64(least) << 32 | group
        _sort(nearest)
        for entry in nearest:
            group = entry & 0xFFFFFFFF
            for query in range(begin, end):
                slot = query - begin
                if state.coarse[slot, group] > state.table_limit[slot]:
                    continue
                if stop[0] != 0:
                    return
                _visit(state, slot, queries, query, blocks, group, metric, False)
        for query in range(begin, end):
            for i in range(k):
                found[query, i] = state.records[query - begin, i]
                found_distances[query, i] = state.distances[query - begin, i]
        begin = end


@njit(cache=True, nogil=True, _nrt=False, forceinline=True)
def _cleared(array):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    array[:] = 0
    return array
