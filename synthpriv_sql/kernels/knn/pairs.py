"""Brute force in NumPy, for small tables while the kernel is not compiled yet.

The same operations in the same order as the kernel's exact distances, so the results are equal to the bit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.kernels.knn.lists import check_k, without_self
from synthpriv_sql.kernels.layout import Columns, Distance, Neighbors, Records, records
from synthpriv_sql.kernels.threads import SearchOptions, Workers

_PAIRS = 1 << 15  # computed together, so that they stay in the second-level cache
_FEW = 8  # up to so many neighbors are found one by one, more by sorting


def search(
    queries: Columns,
    reference: Columns,
    distance: Distance,
    k: int,
    *,
    exclude_self: bool = False,
    options: SearchOptions = SearchOptions(),
) -> Neighbors:
    """Find the k nearest reference records of every query, as `index.search` does."""
    check_k(k, reference.rows - exclude_self)
    wanted = k + exclude_self
    rows = records(reference, distance)
    asked = rows if queries is reference else records(queries, distance)
    found = Neighbors(np.empty((asked.rows, wanted), np.int64), np.empty((asked.rows, wanted)))
    chunk = max(1, _PAIRS // rows.rows)
    vectors = () if rows.vectors is None else rows.vectors.T
    against = [np.ascontiguousarray(column) for column in (*rows.numeric.T, *rows.codes.T, *vectors)]

    def worker() -> Callable[[int, int], None]:
        scratch = np.empty((3 + (rows.vectors is not None), chunk, rows.rows))

        def work(begin: int, end: int) -> None:
            total, cost, *more = scratch[:, : end - begin]
            with np.errstate(over="ignore"):  # numbers too large for a float64 are infinitely far, as in the kernel
                _distances(asked, begin, end, against, distance, total, cost, *more)
            found.records[begin:end], found.distances[begin:end] = _nearest(total, wanted)

        return work

    Workers(options).run_chunks(asked.rows, chunk, worker, here=asked.rows <= chunk)
    return without_self(*found) if exclude_self else found


def _distances(
    asked: Records,
    begin: int,
    end: int,
    against: list[NDArray[Any]],
    distance: Distance,
    total: NDArray[np.float64],
    cost: NDArray[np.float64],
    more: NDArray[np.float64],
    squares: NDArray[np.float64] | None = None,
) -> None:
    """Write the distances of queries `begin` to `end` to `total`: numbers added up first, then categories, vectors."""
    total[:] = 0
    numbers = asked.numeric.shape[1]
    for j, (weight, scale, full) in enumerate(zip(*distance.numbers, strict=True)):
        a, b = asked.numeric[begin:end, j, None], against[j][None, :]
        np.abs(np.subtract(a, b, out=cost), out=cost)
        if scale != 1:
            np.divide(cost, scale, out=cost)
        if distance.power == 2:
            np.multiply(cost, cost, out=cost)
        if distance.cap:
            np.minimum(cost, 1.0, out=cost)
        if weight != 1:
            np.multiply(cost, weight, out=cost)
        _cost_missing(a, b, full, cost)
        np.add(total, cost, out=total)
    for j, price in enumerate(distance.costs):
        np.not_equal(asked.codes[begin:end, j, None], against[numbers + j][None, :], out=more, casting="unsafe")
        np.add(total, np.multiply(more, price, out=cost) if price != 1 else more, out=total)
    if squares is not None:
        assert asked.vectors is not None
        _add_vectors(asked.vectors[begin:end], against[numbers + len(distance.costs) :], distance, total, cost, squares)
    if distance.divisor != 1:
        np.divide(total, distance.divisor, out=total)
    if distance.root:
        np.sqrt(total, out=total)


def _add_vectors(
    asked: NDArray[np.float64],
    against: list[NDArray[Any]],
    distance: Distance,
    total: NDArray[np.float64],
    cost: NDArray[np.float64],
    squares: NDArray[np.float64],
) -> None:
    first = 0
    for vector in distance.whole:
        squares[:] = 0
        for j in range(first, first + vector.length):
            np.abs(np.subtract(asked[:, j, None], against[j][None, :], out=cost), out=cost)
            np.divide(cost, vector.scale, out=cost)
            np.add(squares, np.multiply(cost, cost, out=cost), out=squares)
        if vector.root:
            np.sqrt(squares, out=squares)
        if distance.cap:
            np.minimum(squares, 1.0, out=squares)
        np.multiply(squares, vector.weight, out=squares)
        _cost_missing(asked[:, first, None], against[first][None, :], vector.weight * distance.mismatch, squares)
        np.add(total, squares, out=total)
        first += vector.length


def _cost_missing(a: NDArray[np.float64], b: NDArray[np.float64], full: float, cost: NDArray[np.float64]) -> None:
    """Write what a value costs against another where one of them is missing, or both are."""
    lacking, missing = np.isnan(a), np.isnan(b)
    if lacking.any() or missing.any():
        cost[np.broadcast_to(lacking & missing, cost.shape)] = 0
        cost[np.broadcast_to(lacking ^ missing, cost.shape)] = full


def _nearest(total: NDArray[np.float64], k: int) -> Neighbors:
    """The k least of each row, ties to the smallest column; `total` is spent."""
    row = np.arange(len(total))
    if k <= _FEW:
        column, value = np.empty((len(total), k), np.int64), np.empty((len(total), k))
        for i in range(k):
            column[:, i] = total.argmin(axis=1)
            value[:, i] = total[row, column[:, i]]
            total[row, column[:, i]] = np.inf
        if np.isfinite(value).all():
            return Neighbors(column, value)
        for i in reversed(range(k)):  # where distances are infinite, the same column was found again
            total[row, column[:, i]] = value[:, i]
    worst = np.partition(total, k - 1, axis=1)[:, k - 1, None]
    at, near = np.nonzero(total <= worst)
    order = np.lexsort((near, total[at, near], at))
    kept = order[np.searchsorted(at, row)[:, None] + np.arange(k)]
    return Neighbors(near[kept], total[at, near][kept])
