"""Vectors that are added to other columns as a distance.

Where squares are added, the components of a vector are numbers like any others. Here a vector costs the root of a sum
of squares, or that sum among absolute differences. Bounds of blocks only know whether it is missing; for the rows that
they and the other columns let through, its squares are added in float32, 64 rows at once, and the distance of those
that are left is computed in float64.

A filter errs to the near side: components are rounded to float32, so by the triangle inequality a length is off by no
more than all their errors together (`VectorQueries.margin`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from synthpriv_sql.kernels.blocks.encode import ROUNDED, scaled
from synthpriv_sql.kernels.blocks.limits import SMALLEST_SUM
from synthpriv_sql.kernels.blocks.state import COLUMNS
from synthpriv_sql.kernels.jit import F32, F64, I64, U8, inner
from synthpriv_sql.kernels.layout import Distance, aligned, by_block
from synthpriv_sql.kernels.simd.lanes import LANES, add_squares, lowest

_FARTHEST = 1e38  # sums in float32 stay finite


class Costs(NamedTuple):
    """Costs of vectors, one item each: the exact weights and scales, and those of the filters."""

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


class VectorQueries(NamedTuple):
    """The vectors of queries."""

    values: F32  # (rows, components)
    exact: F64
    margin: F64  # (rows,) a bound of the sum of the errors of all components of a difference


class VectorFilter(NamedTuple):
    """The vectors of both sides, and the sums of a thread."""

    reference: Vectors
    queries: VectorQueries
    squares: F32  # (64,)


class Coder:
    """How vectors become what the filters read: fitted to a reference, applied to it and to queries.

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

    def filter(self, queries: F64, threads: int) -> VectorFilter:
        """Encode the vectors of queries."""
        values, margin = scaled(queries, self._center, self._factor, self._error, threads)
        return VectorFilter(self.vectors, VectorQueries(values, queries, margin), _squares())


def per_thread(vectors: VectorFilter) -> VectorFilter:
    """Return the filter for one more thread."""
    return vectors._replace(squares=_squares())


def _squares() -> F32:
    return aligned(64, np.float32)


@inner
def add_vectors(total: float, vectors: VectorFilter, query: int, row: int, cap: bool) -> float:
    """Add what the vectors of a query and a row cost to the cost of their other columns."""
    costs, asked, here = vectors.reference.costs, vectors.queries.exact, vectors.reference.exact
    for g in range(len(costs.weights)):
        if total == np.inf:
            break
        first = costs.start[g]
        a, b = asked[query, first], here[row, first]
        if a == a and b == b:
            squares = 0.0
            for j in range(first, costs.start[g + 1]):
                gap = abs(asked[query, j] - here[row, j]) / costs.scales[g]
                squares += gap * gap
            if costs.root[g] != 0:
                squares = np.sqrt(squares)
            if cap and squares > 1.0:
                squares = 1.0
            total += costs.weights[g] * squares
        elif a == a or b == b:
            total += costs.missing[g]
    return total


@inner
def rule_out(
    vectors: VectorFilter, mask: np.uint64, block: int, query: int, caps: F32, most: np.float32, sums: F32
) -> np.uint64:
    """Add what vectors cost at least to the sums of a block; return the rows of `mask` that stay within `most`."""
    asked, squares = vectors.queries, vectors.squares
    costs, components = vectors.reference.costs, asked.values.shape[1]
    short = 1 - (components + 8) * 2.0**-24  # a lower bound of a sum of squares, or its root, that was rounded up
    for g in range(len(costs.weights)):
        least = np.float32(np.inf)
        waiting = mask
        while waiting != 0:
            lane = lowest(waiting)
            waiting &= waiting - np.uint64(1)
            least = min(least, sums[lane])
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
                vectors.reference.values, block * components * 64, asked.values, query * components, caps, begin, end,
                np.float32(bound), squares,
            )  # fmt: skip
            begin = end
        waiting = mask
        while waiting != 0:
            lane = lowest(waiting)
            waiting &= waiting - np.uint64(1)
            length = max(np.sqrt(np.float64(squares[lane])) * short - asked.margin[query], 0.0)
            cost = min(length if costs.root[g] != 0 else length * length, costs.caps[g])
            sums[lane] += np.float32(min(cost, _FARTHEST))
            if sums[lane] > most:
                mask &= ~(np.uint64(1) << np.uint64(lane))
        if mask == 0:
            break
    return mask
