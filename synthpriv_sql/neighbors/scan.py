"""The search itself: a batch of near queries against all blocks that their bounds let through.

A batch first looks at the block that is best for each query, in a large reference at the best block of several groups
of 64, then visits all groups, nearest first. For a query and a group one pass over the table of bounds leaves a mask of
blocks. For eight blocks at a time the differing categories are counted bit by bit, then the numbers of a block are
added in float32; only rows that survive all of it have their exact distance computed, in float64 and in column order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from synthpriv_sql.neighbors.bounds import choose_rows
from synthpriv_sql.neighbors.jit import F32, F64, I32, I64, U8, U16, U64, inner, kernel
from synthpriv_sql.neighbors.lanes import (
    MOST,
    PLANES,
    add_absolutes,
    add_bounds,
    add_squares,
    count_mismatches,
    lowest,
    population,
    prefetch,
    price_counts,
)

MANY = 100  # so many queries that want the same data make it worth while to fetch all of it ahead
FEW = 2  # so many surviving rows are cheaper to compute exactly than to filter once more
FIRST = 4  # groups whose best block a query looks at before all others
GROUPS = 64  # where there are so many groups; where there are fewer, the nearest only
COLUMNS = 8  # numbers added before the next look at who survives
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
NONE = np.iinfo(np.int64).max  # no record: larger than any
SMALLEST = 1e-300  # below, a float64 has fewer digits
SMALLEST_SUM = 1e-36  # and a float32


class Metric(NamedTuple):
    """How exact distances are added up, and what the filters need to know of it."""

    power: int
    cap: bool
    root: bool
    divisor: float
    scales: F64  # of numbers: what a difference is divided by
    weights: F64  # of numbers
    missing: F64  # number missing against number present
    costs: F64  # of categories
    unit: float  # what one of the filters' costs is in these
    slack: float  # by what share a limit is widened
    uniform: bool  # all categories cost the same
    counted: bool  # there are only such categories, one bitmap each: their count decides
    caps: F32  # the most that an absolute difference costs
    filtered: bool  # float32 values may be added up: not where squares have a cap


class Blocks(NamedTuple):
    """The reference, in the order of the tree."""

    starts: I64  # (blocks + 1,)
    bits: U64  # which rows differ: eights of blocks x bit_rows x 8, flat
    bit_rows: int
    values: F32  # blocks x numbers x 64, flat
    numeric: F64  # exact (rows, p)
    codes: I32  # exact (rows, c)
    member_start: I64  # (rows + 1,)
    members: I64  # the records that equal a row, ascending
    fine: U16  # bounds: groups of 64 blocks x table_rows x 64, flat
    coarse: U16  # bounds: 64 groups x table_rows x 64, flat
    table_rows: int
    base: I32  # the first table row of each column
    edges: F32
    edge_start: I64
    unit: float  # the cost of one unit of the tables
    counted: I32  # the column of each bitmap that is counted; a multiple of 8, -1 = none
    price: float  # the cost of one bitmap
    tiled: bool  # there are only numbers, none missing, and their squares are added: products rule rows out
    norms: F32  # half norms of the rows, blocks x 64, flat


class Queries(NamedTuple):
    """Queries, and the order in which they are searched."""

    order: I64
    values: F32
    codes: U8
    margin: F64
    surcharge: F64
    numeric: F64  # exact
    exact_codes: I32


class Found(NamedTuple):
    """What is known of all queries, in their own order: nearest first, NONE at an infinite distance where too few."""

    records: I64  # (queries, k)
    distances: F64  # (queries, k)


class State(NamedTuple):
    """What is known of a batch of queries: arrays (batch, …), and room for one query at a time.

    A limit is the most that a filter may find for a row to be looked at; count_tie is the same for records that are
    larger than the worst in the query's list.
    """

    distances: F64  # (batch, k)
    records: I64  # (batch, k)
    count_limit: I64
    count_tie: I64
    table_limit: I64
    value_limit: F32
    sum_limit: F64
    table_choice: I32  # (batch, columns) table rows
    bit_choice: I32  # (batch, bitmaps) bitmaps to be counted
    asking: I64  # (batch,) the queries that look at a group
    masks: U64  # (batch,) and the blocks of it that they look at
    visits: I64  # (8 * batch, 3) place in the batch, eight, mask of its blocks
    far: U16  # (groups, batch) bounds of groups
    nearest: I64  # (groups,)
    homes: I64  # (batch, FIRST) the groups with the least bounds
    bounds: U16  # (groups padded to 64,)
    block_bounds: U16  # (64,)
    within: U64  # (8,)
    planes: U64  # (PLANES * 8,)
    sums: F32  # (64,)
    filter_limit: F64  # (batch,) the most that what filters add up may be, before it is rounded to float32


def slack(columns: int) -> float:
    """Return by what share a limit is widened for what is rounded in float64.

    The sum of an exact distance is off by a rounding of 2 ** -53 for each column and six for a cost; what filters know
    of it by as many for columns, eight where bitmaps are counted, and few more for the way from one to the other.
    """
    return (columns + 16) * 2.0**-52


@inner
def sum_slack(numbers: int) -> float:
    """Return the share by which a sum of so many numbers may exceed what it would be without rounding to float32.

    A rounding for each addition, three for a square and its difference, two for the limit and its margin.
    """
    return (numbers + 5) * 2.0**-24


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
def _tighten(state: State, slot: int, queries: Queries, query: int, blocks: Blocks, metric: Metric) -> None:
    """Set the limits of all filters from the worst distance of a query's list."""
    worst = state.distances[slot, -1]
    if worst == np.inf:
        return
    limit = worst * worst if metric.root else worst
    limit *= metric.divisor
    slack = limit * metric.slack + SMALLEST
    state.sum_limit[slot] = limit + slack
    limit, slack = limit / metric.unit, slack / metric.unit
    margin = queries.margin[query]
    limit = max(limit - queries.surcharge[query], 0.0) + slack  # no filter knows of it
    limit += 2 * margin * np.sqrt(limit) + margin * margin if metric.power == 2 else margin
    state.filter_limit[slot] = limit
    if metric.counted:
        # Equal counts are equal distances, to the bit: less is certain to win, and a tie needs a smaller record.
        count, total = 0, metric.costs[0]
        while count < len(metric.costs):
            distance = total / metric.divisor
            if (np.sqrt(distance) if metric.root else distance) > worst:
                break
            total += metric.costs[0]
            count += 1
        tie = count - 1
    else:
        count = int(min(float(MOST), limit / blocks.price))
        tie = count
    state.count_limit[slot], state.count_tie[slot] = min(count, MOST), tie
    if metric.counted:
        each = int(metric.costs[0] / metric.unit / blocks.unit)  # as the tables have it
        state.table_limit[slot] = min(count * each, 65535)
    else:
        state.table_limit[slot] = int(min(65535.0, limit / blocks.unit))
    state.value_limit[slot] = np.float32(min(limit * (1 + sum_slack(len(metric.weights))) + SMALLEST_SUM, 1e38))


@inner
def _offer(state: State, slot: int, distance: float, record: int) -> bool:
    """Put a record into a query's list unless it is there or worse than the last; say whether it went in."""
    last = state.distances.shape[1] - 1
    if distance > state.distances[slot, last] or (
        distance == state.distances[slot, last] and record >= state.records[slot, last]
    ):
        return False
    at = last
    while at > 0 and (
        distance < state.distances[slot, at - 1]
        or (distance == state.distances[slot, at - 1] and record < state.records[slot, at - 1])
    ):
        at -= 1
    if at > 0 and record == state.records[slot, at - 1] and distance == state.distances[slot, at - 1]:
        return False
    for i in range(last, at, -1):
        state.distances[slot, i], state.records[slot, i] = state.distances[slot, i - 1], state.records[slot, i - 1]
    state.distances[slot, at], state.records[slot, at] = distance, record
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
        changed |= _offer(state, slot, distance, record)
    if changed:
        _tighten(state, slot, queries, query, blocks, metric)


@inner
def consider(
    state: State, slot: int, queries: Queries, query: int, blocks: Blocks, row: int, metric: Metric, spent: float
) -> None:
    """Compute a row's distance and offer its records; its categories are known to cost `spent`."""
    distance = _exact(queries, query, blocks, row, metric, state.sum_limit[slot] - spent)
    offer_all(state, slot, queries, query, blocks, row, metric, distance)


@inner
def _count(state: State, word: int, lane: int) -> int:
    """Read the count of one row off the bit planes of the last count, above where that started."""
    count = 0
    for plane in range(PLANES):
        count |= int((state.planes[plane * 8 + word] >> np.uint64(lane)) & np.uint64(1)) << plane
    return count


@inner
def scan_rows(
    state: State, slot: int, queries: Queries, query: int, blocks: Blocks, eight: int, wanted: np.uint64, metric: Metric
) -> None:
    """Look at the rows of the `wanted` (a mask) of eight blocks."""
    limit, bitmaps = state.count_limit[slot], len(blocks.counted)
    counting = bitmaps > 0 and (limit < MOST or bitmaps <= MOST)  # counts overflow above MOST
    if counting:
        wanted &= count_mismatches(
            blocks.bits,
            eight * blocks.bit_rows * 8,
            state.bit_choice[slot],
            bitmaps,
            limit,
            state.within,
            state.planes,
        )
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
            price_counts(state.planes, word, MOST - limit, np.float32(blocks.price), state.sums)
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
                count = _count(state, word, lane) - (MOST - limit)
                if count > state.count_limit[slot] or (
                    count > state.count_tie[slot] and blocks.members[blocks.member_start[row]] > state.records[slot, -1]
                ):
                    continue
                spent = count * blocks.price * metric.unit
            consider(state, slot, queries, query, blocks, row, metric, spent)


@inner
def begin_query(
    state: State, slot: int, queries: Queries, query: int, blocks: Blocks, metric: Metric, groups: int, known: Found
) -> None:
    """Choose the table rows and bitmaps of a query, bound all groups, choose those that it looks at first."""
    for i in range(state.distances.shape[1]):
        state.records[slot, i], state.distances[slot, i] = known.records[query, i], known.distances[query, i]
    state.count_limit[slot] = state.count_tie[slot] = min(len(blocks.counted), MOST)
    state.table_limit[slot] = 65535
    state.value_limit[slot] = state.sum_limit[slot] = state.filter_limit[slot] = np.inf
    choice, numbers = state.table_choice[slot], queries.values.shape[1]
    choose_rows(queries.values, queries.codes, query, blocks.base, blocks.edges, blocks.edge_start, choice)
    for i in range(len(blocks.counted)):
        column = blocks.counted[i]
        row = choice[numbers + column] if column >= 0 else blocks.base[-1]
        state.bit_choice[slot, i] = row - blocks.base[numbers]
    _tighten(state, slot, queries, query, blocks, metric)
    size = blocks.table_rows * 64
    for group in range((groups + 63) >> 6):
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
def plan_first(state: State, count: int, blocks: Blocks, turn: int) -> int:
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
def plan_group(state: State, count: int, blocks: Blocks, group: int) -> int:
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
def _sort(keys: I64) -> None:
    """Sort in place, by combing (numba's own sort costs two seconds of compilation)."""
    gap, swapped = len(keys), True
    while gap > 1 or swapped:
        gap = max(1, gap * 10 // 13)
        swapped = False
        for i in range(len(keys) - gap):
            if keys[i] > keys[i + gap]:
                keys[i], keys[i + gap] = keys[i + gap], keys[i]
                swapped = True


@inner
def order_groups(state: State, count: int, groups: int) -> None:
    """List the groups in the order of what is nearest to any query of the batch."""
    for group in range(groups):
        least = np.int64(65535)
        for slot in range(count):
            least = min(least, np.int64(state.far[group, slot]))
        state.nearest[group] = least << 32 | group
    _sort(state.nearest)


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
    looks, size = first_looks(groups), blocks.bit_rows * 8
    for begin in range(first, last, batch):
        count = min(batch, last - begin)
        for slot in range(count):
            begin_query(state, slot, queries, queries.order[begin + slot], blocks, metric, groups, found)
        order_groups(state, count, groups)
        for entry in range(-looks, groups):
            if stop[0] != 0:
                return
            if entry < 0:
                planned = plan_first(state, count, blocks, entry + looks)
            else:
                planned = plan_group(state, count, blocks, state.nearest[entry] & 0xFFFFFFFF)
            eight = np.int64(-1)
            for i in range(planned):
                if entry >= 0 and planned > 8 * MANY and state.visits[i, 1] != eight:
                    eight = state.visits[i, 1]
                    prefetch(blocks.bits, eight * size, (eight + 1) * size)
                slot = state.visits[i, 0]
                query, wanted = queries.order[begin + slot], np.uint64(state.visits[i, 2])
                scan_rows(state, slot, queries, query, blocks, state.visits[i, 1], wanted, metric)
        hand_over(state, begin, count, queries, found)
