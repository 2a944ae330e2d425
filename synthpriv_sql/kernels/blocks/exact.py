"""The exact distance of a row, in float64 and in column order, and its place in the list of a query."""

from __future__ import annotations

import numpy as np

from synthpriv_sql.kernels.blocks.limits import tighten
from synthpriv_sql.kernels.blocks.state import Blocks, Metric, Queries, State
from synthpriv_sql.kernels.blocks.vectors import VectorFilter, add_vectors
from synthpriv_sql.kernels.jit import F64, I64, inner, unordered


@inner
def _cost(queries: Queries, query: int, blocks: Blocks, row: int, metric: Metric, j: int) -> float:
    """Cost of number j of a query and a row; NaN where one is missing."""
    gap = abs(queries.numeric[query, j] - blocks.numeric[row, j]) / metric.scales[j]
    if metric.power == 2:
        gap = gap * gap
    if metric.cap and gap > 1.0:
        gap = 1.0
    cost: float = metric.weights[j] * gap
    return cost


@inner
def _add_columns(queries: Queries, query: int, blocks: Blocks, row: int, metric: Metric, most: float) -> float:
    """Add up what a query and a row cost, in column order, numbers first; infinite if these alone exceed `most`.

    Missing numbers are not held against `most`: the filters count them among the categories.
    """
    total = missing = 0.0
    for j in range(len(metric.weights)):
        a, b = queries.numeric[query, j], blocks.numeric[row, j]
        if a == a and b == b:
            total += _cost(queries, query, blocks, row, metric, j)
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


@unordered
def too_far(state: State, slot: int, queries: Queries, query: int, blocks: Blocks, row: int, metric: Metric) -> bool:
    """Whether a row's numbers and categories alone are too far, added up in any order, which is done several at once.

    Another order rounds otherwise; the limit allows filters for a rounding of each column (`limits.slack`).
    """
    total = 0.0
    for j in range(len(metric.weights)):
        cost = _cost(queries, query, blocks, row, metric, j)
        total += cost if cost == cost else 0.0
    if total > state.sum_limit[slot]:
        return True
    if metric.uniform:
        differing = 0
        for j in range(len(metric.costs)):
            differing += queries.exact_codes[query, j] != blocks.codes[row, j]
        if differing > 0:
            total += differing * metric.costs[0]
    else:
        for j in range(len(metric.costs)):
            total += metric.costs[j] if queries.exact_codes[query, j] != blocks.codes[row, j] else 0.0
    far: bool = total > state.sum_limit[slot]
    return far


@inner
def _exact(
    queries: Queries,
    query: int,
    blocks: Blocks,
    row: int,
    metric: Metric,
    vectors: VectorFilter | None,
    most: float,
) -> float:
    """Distance of a query and a row: numbers, then categories, then vectors; infinite if its numbers exceed `most`."""
    total: float = _add_columns(queries, query, blocks, row, metric, most)
    if vectors is not None:
        total = add_vectors(total, vectors, query, row, metric.cap)
    total /= metric.divisor
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
def _offer_all(
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
    state: State,
    slot: int,
    queries: Queries,
    query: int,
    blocks: Blocks,
    row: int,
    metric: Metric,
    vectors: VectorFilter | None,
    spent: float,
) -> None:
    """Compute a row's distance and offer its records; its categories are known to cost `spent`."""
    distance = _exact(queries, query, blocks, row, metric, vectors, state.sum_limit[slot] - spent)
    _offer_all(state, slot, queries, query, blocks, row, metric, distance)
