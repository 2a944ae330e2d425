"""Tables with vectors that are added to other columns as a distance: a search of its own, so that others pay nothing.

Where squares are added, the components of a vector are numbers among others, and `scan` and `dense` search them. Here a
vector costs the root of a sum of squares, or that sum among absolute differences. Bounds of blocks know nothing of it
but whether it is missing; of the rows that they and the other columns let through, its squares are added in float32, 64
rows at once, and the distance of those that are left is computed in float64.

A filter errs to the near side: components are rounded to float32, so by the triangle inequality a length is off by no
more than all their errors together (`Asked.margin`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from synthpriv_sql.kernels.blocks.counts import count_rows, price_rows
from synthpriv_sql.kernels.blocks.encode import ROUNDED, scaled
from synthpriv_sql.kernels.blocks.limits import SMALLEST_SUM, sum_slack
from synthpriv_sql.kernels.blocks.state import ALL, Blocks, Found, Metric, Queries, State
from synthpriv_sql.kernels.blocks.visits import begin_batch, first_looks, plan
from synthpriv_sql.kernels.jit import F32, F64, I64, U8, inner, kernel
from synthpriv_sql.kernels.knn.scan import COLUMNS, FEW, add_columns, hand_over, offer_all
from synthpriv_sql.kernels.layout import Distance, by_block
from synthpriv_sql.kernels.simd.lanes import LANES, add_absolutes, add_squares, lowest, population

_FARTHEST = 1e38  # sums in float32 stay finite


class Costs(NamedTuple):
    """What vectors cost, one item each: the exact weights and scales, and what the filters count with."""

    start: I64  # (vectors + 1,) the first component of each
    weights: F64
    scales: F64
    missing: F64  # vector missing against vector present
    root: U8
    caps: F64  # in the filters' unit; infinite where there is no such limit


class Vectors(NamedTuple):
    """The vectors of a reference, in the order of the tree."""

    values: F32  # blocks x components x 64, flat: centered, scaled and weighted
    exact: F64  # (rows, components)
    costs: Costs


class Asked(NamedTuple):
    """The vectors of queries."""

    values: F32  # (rows, components)
    exact: F64
    margin: F64  # (rows,) a bound of the sum of the errors of all components of a difference


class Coder:
    """How vectors become what the filters read: learned of a reference, applied to it and to queries.

    Parameters
    ----------
    reference : float64 (rows, components)
        As `Records.vectors`, in the order of the tree.
    starts : int64 (blocks + 1,)
        Where its blocks begin.
    distance : Distance
        What they cost.
    unit : float
        As `Encoder.unit`.
    threads : int
        Threads to use.

    Attributes
    ----------
    vectors : Vectors
    """

    def __init__(self, reference: F64, starts: I64, distance: Distance, unit: float, threads: int) -> None:
        lengths = [vector.length for vector in distance.whole]
        weights, scales = np.array([(vector.weight, vector.scale) for vector in distance.whole]).T.copy()
        root = np.array([vector.root for vector in distance.whole])
        costs = Costs(
            np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
            weights,
            scales,
            weights * distance.mismatch,
            root.astype(np.uint8),
            weights / unit if distance.cap else np.full(len(weights), np.inf),
        )
        with np.errstate(over="ignore", under="ignore"):
            factor = np.where(root, weights / unit, np.sqrt(weights / unit)) / scales
        self._factor = np.repeat(np.minimum(factor, np.finfo(np.float64).max), lengths)
        present = (~np.isnan(reference)).sum(axis=0)
        total = np.nansum(reference / np.maximum(present, 1), axis=0)
        self._center = np.where(np.isfinite(total), total, 0.0)
        self._error = 0.0
        values, _ = scaled(reference, self._center, self._factor, self._error, threads)
        farthest = np.nan_to_num(np.abs(values)).max(axis=0, initial=0).astype(np.float64)
        self._error = float(farthest.sum()) * ROUNDED
        self.vectors = Vectors(by_block(values, starts, LANES), reference, costs)

    def asked(self, queries: F64, threads: int) -> Asked:
        """Encode the vectors of queries."""
        values, margin = scaled(queries, self._center, self._factor, self._error, threads)
        return Asked(values, queries, margin)


@inner
def _exact(
    queries: Queries, query: int, blocks: Blocks, row: int, metric: Metric, vectors: Vectors, asked: Asked, most: float
) -> float:
    """Distance of a query and a row: numbers, then categories, then vectors; infinite where it exceeds `most`."""
    total: float = add_columns(queries, query, blocks, row, metric, most)
    costs = vectors.costs
    for g in range(len(costs.weights)):
        if total == np.inf:
            break
        first = costs.start[g]
        a, b = asked.exact[query, first], vectors.exact[row, first]
        if a == a and b == b:
            squares = 0.0
            for j in range(first, costs.start[g + 1]):
                gap = abs(asked.exact[query, j] - vectors.exact[row, j]) / costs.scales[g]
                squares += gap * gap
            if costs.root[g] != 0:
                squares = np.sqrt(squares)
            if metric.cap and squares > 1.0:
                squares = 1.0
            total += costs.weights[g] * squares
        elif a == a or b == b:
            total += costs.missing[g]
    total /= metric.divisor
    return np.sqrt(total) if metric.root else total


@inner
def _rule_out(
    state: State,
    mask: np.uint64,
    block: int,
    query: int,
    metric: Metric,
    vectors: Vectors,
    asked: Asked,
    most: np.float32,
    squares: F32,
) -> np.uint64:
    """Add what vectors cost at least to the sums of a block; return the rows of `mask` that stay within `most`."""
    costs, components = vectors.costs, asked.values.shape[1]
    short = 1 - (components + 8) * 2.0**-24  # what is left of a sum of squares, or its root, that was rounded up
    for g in range(len(costs.weights)):
        least = np.float32(np.inf)
        waiting = mask
        while waiting != 0:
            lane = lowest(waiting)
            waiting &= waiting - np.uint64(1)
            least = min(least, state.sums[lane])
        left, bound = np.float64(most - least), np.float64(_FARTHEST)
        if left < costs.caps[g]:  # never equal: the limit is wider than any sum that has no rounding
            reach = (left if costs.root[g] != 0 else np.sqrt(left)) + asked.margin[query]
            bound = min(reach * reach / short + SMALLEST_SUM, _FARTHEST)
        for lane in range(64):
            squares[lane] = 0
        begin = costs.start[g]
        while begin < costs.start[g + 1] and mask != 0:
            end = min(begin + COLUMNS, costs.start[g + 1])
            mask &= add_squares(
                vectors.values, block * components * 64, asked.values, query * components, metric.caps, begin, end,
                np.float32(bound), squares,
            )  # fmt: skip
            begin = end
        waiting = mask
        while waiting != 0:
            lane = lowest(waiting)
            waiting &= waiting - np.uint64(1)
            length = max(np.sqrt(np.float64(squares[lane])) * short - asked.margin[query], 0.0)
            cost = min(length if costs.root[g] != 0 else length * length, costs.caps[g])
            state.sums[lane] += np.float32(min(cost, _FARTHEST))
            if state.sums[lane] > most:
                mask &= ~(np.uint64(1) << np.uint64(lane))
        if mask == 0:
            break
    return mask


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
    vectors: Vectors,
    asked: Asked,
    squares: F32,
) -> None:
    """Look at the rows of the `wanted` (a mask) of eight blocks."""
    limit, counting = state.count_limit[slot], len(blocks.counted) > 0
    if counting:
        wanted &= count_rows(state, slot, blocks, eight, limit)
    numbers = queries.values.shape[1]
    loose = 1 + sum_slack(numbers + 4 * len(vectors.costs.weights))  # `short` stands for the components
    while wanted != 0:
        word = lowest(wanted)
        wanted &= wanted - np.uint64(1)
        block = eight * 8 + word
        start = blocks.starts[block]
        mask = ALL >> np.uint64(64 - (blocks.starts[block + 1] - start))
        if counting:
            mask &= state.within[word]
        if population(mask) > FEW:
            most = np.float32(min(state.filter_limit[slot] * loose + SMALLEST_SUM, _FARTHEST))
            if counting:
                price_rows(state, blocks, word, limit)
            else:
                for lane in range(64):
                    state.sums[lane] = 0
            begin = 0
            while begin < numbers and mask != 0:
                end = min(begin + COLUMNS, numbers)
                mask &= add_absolutes(
                    blocks.values, block * numbers * 64, queries.values, query * numbers, metric.caps, begin, end, most,
                    state.sums,
                )  # fmt: skip
                begin = end
            if mask != 0:
                mask = _rule_out(state, mask, block, query, metric, vectors, asked, most, squares)
        while mask != 0:
            row = start + lowest(mask)
            mask &= mask - np.uint64(1)
            distance = _exact(queries, query, blocks, row, metric, vectors, asked, state.sum_limit[slot])
            offer_all(state, slot, queries, query, blocks, row, metric, distance)


@kernel
def search_batches(
    first: int,
    last: int,
    batch: int,
    queries: Queries,
    blocks: Blocks,
    metric: Metric,
    state: State,
    vectors: Vectors,
    asked: Asked,
    squares: F32,
    found: Found,
    stop: U8,
) -> None:
    """Search as `scan.search_batches` does."""
    groups = (len(blocks.starts) + 62) >> 6
    for begin in range(first, last, batch):
        count = min(batch, last - begin)
        begin_batch(state, begin, count, queries, blocks, metric, groups, found)
        for entry in range(-first_looks(groups), groups):
            if stop[0] != 0:
                return
            planned = plan(state, count, blocks, entry)
            for i in range(planned):
                slot = state.visits[i, 0]
                query, wanted = queries.order[begin + slot], np.uint64(state.visits[i, 2])
                _scan_rows(
                    state, slot, queries, query, blocks, state.visits[i, 1], wanted, metric, vectors, asked, squares
                )
        hand_over(state, begin, count, queries, found)
