"""Arguments and results of the kernels: columns of numbers and codes, distances, neighbors. Imports no numba."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.kernels.threads import distribute

MANY_NUMBERS = 32  # so many numbers may be rounded to bytes as well


@dataclass(frozen=True, slots=True)
class Columns:
    """A table as the kernel sees it.

    Parameters
    ----------
    numeric : tuple of float64 arrays, shape (rows,)
        Values as they are, neither scaled nor weighted; NaN is missing. Infinity is not allowed.
    categorical : tuple of int32 arrays, shape (rows,)
        Codes from 0 to 2**31 - 1, shared by all tables that are searched together; -1 is missing.
    rows : int
        Number of rows: a table may have rows but no columns of one kind.
    vectors : tuple of float32 or float64 arrays, shape (rows, components)
        A vector a row, at least one component each; all of them NaN where it is missing.
    """

    numeric: tuple[NDArray[np.float64], ...]
    categorical: tuple[NDArray[np.int32], ...]
    rows: int
    vectors: tuple[NDArray[np.floating[Any]], ...] = ()

    def slice(self, start: int, stop: int) -> Columns:
        """Return the rows from `start` to `stop` (exclusive), without copying."""
        stop = min(stop, self.rows)
        return Columns(
            tuple(column[start:stop] for column in self.numeric),
            tuple(column[start:stop] for column in self.categorical),
            stop - start,
            tuple(column[start:stop] for column in self.vectors),
        )


class Neighbors(NamedTuple):
    """The nearest records of each query, nearest first; among equal distances the smallest record first."""

    records: NDArray[np.int64]
    """(queries, k): record numbers. During a search, one larger than any where none has been found yet."""
    distances: NDArray[np.float64]
    """(queries, k): infinite where none has been found yet."""


@dataclass(frozen=True, slots=True)
class Vector:
    """Cost of the vectors of a column.

    Parameters
    ----------
    length : int
        How many components each has, at least 1.
    weight : float
        At least 0.
    scale : float
        What differences of components are divided by, above 0.
    root : bool
        Whether the root is taken of the sum of their squares; not where `Distance.power` is 2.
    """

    length: int
    weight: float
    scale: float
    root: bool = False


@dataclass(frozen=True, slots=True)
class Distance:
    """Terms of a distance, added up over the columns of a pair of records.

    A number costs ``weight * (|difference| / scale) ** power`` (the power capped at 1 when `cap`), a vector ``weight``
    times the sum of the squares of its components' differences over ``scale`` (or the root of it, capped alike), a
    differing category ``weight * mismatch``, missing against a value ``weight * mismatch``, missing against missing
    nothing. The distance is the sum over `divisor`, and the square root of that when `root`.

    Parameters
    ----------
    power : int
        1 or 2.
    cap : bool
        Whether a number costs at most its weight (gower).
    mismatch : float
        A full mismatch before the weight, at least 0: gower 1, manhattan m, euclidean m * m.
    numeric_weights, categorical_weights : tuple of float
        One weight per column, at least 0.
    divisor : float
        What the sum is divided by, above 0: the sum of the weights for gower, else 1.
    root : bool
        Whether the square root is taken at the end (euclidean).
    scales : tuple of float
        What differences of numbers are divided by, one per numeric column, above 0; empty: 1 for all. Differences are
        taken of the values as they are: where those are exact, equal differences are equal costs.
    vectors : tuple of Vector
        One per column of vectors.
    """

    power: int
    cap: bool
    mismatch: float
    numeric_weights: tuple[float, ...]
    categorical_weights: tuple[float, ...]
    divisor: float
    root: bool
    scales: tuple[float, ...] = ()
    vectors: tuple[Vector, ...] = ()

    def __post_init__(self) -> None:
        if self.power not in (1, 2):
            raise ValueError(f"power must be 1 or 2, found {self.power}")
        if self.power == 2 and any(vector.root for vector in self.vectors):
            raise ValueError("squares are added, and a vector that costs a root")
        lengths = tuple(vector.length for vector in self.vectors)
        if min(lengths, default=1) < 1:
            raise ValueError(f"vectors must have a component, found {lengths}")
        vector_weights = (vector.weight for vector in self.vectors)
        weights = (*self.numeric_weights, *self.categorical_weights, *vector_weights, self.mismatch)
        if not all(np.isfinite(weight) and weight >= 0 for weight in weights):
            raise ValueError(f"weights and mismatch must be finite and at least 0, found {weights}")
        if not (np.isfinite(self.divisor) and self.divisor > 0):
            raise ValueError(f"divisor must be above 0, found {self.divisor}")
        if len(self.scales) not in (0, len(self.numeric_weights)):
            raise ValueError(f"{len(self.numeric_weights)} numeric weights and {len(self.scales)} scales")
        scales = (*self.scales, *(vector.scale for vector in self.vectors))
        if not all(np.isfinite(scale) and scale > 0 for scale in scales):
            raise ValueError(f"scales must be finite and above 0, found {scales}")

    @property
    def numbers(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Of the numbers that can cost something: weights, scales, and the cost of missing against a value.

        Where squares are added the components of vectors are numbers too: the first of each costs what the vector does.
        """
        scales = self.scales or (1.0,) * len(self.numeric_weights)
        given = zip(self.numeric_weights, scales, strict=True)
        kept = [(weight, scale, weight * self.mismatch) for weight, scale in given if weight > 0]
        for vector in self.vectors if self.power == 2 else ():
            if vector.weight > 0:
                kept.append((vector.weight, vector.scale, vector.weight * self.mismatch))
                kept += [(vector.weight, vector.scale, 0.0)] * (vector.length - 1)
        weights, divisors, missing = np.array(kept, np.float64).reshape(-1, 3).T
        return weights.copy(), divisors.copy(), missing.copy()

    @property
    def whole(self) -> tuple[Vector, ...]:
        """The vectors that can cost something and whose components are no numbers among others."""
        return () if self.power == 2 else tuple(vector for vector in self.vectors if vector.weight > 0)

    @property
    def costs(self) -> NDArray[np.float64]:
        """Cost of a differing category, of those that can cost something."""
        costs = (weight * self.mismatch for weight in self.categorical_weights)
        return np.array([cost for cost in costs if cost > 0], np.float64)


@dataclass(frozen=True, slots=True)
class Records:
    """The columns that can cost something, row by row: the input of exact distances.

    numeric: float64 (rows, columns), NaN = missing. codes: int32 (rows, columns). vectors: float64 (rows, components),
    those of `Distance.whole` beside each other; None where there is none. All C-ordered.
    """

    numeric: NDArray[np.float64]
    codes: NDArray[np.int32]
    vectors: NDArray[np.float64] | None = None

    @property
    def rows(self) -> int:
        """Number of records."""
        return len(self.numeric)

    def take(self, rows: NDArray[np.int64]) -> Records:
        """Return the given rows."""
        return Records(self.numeric[rows], self.codes[rows], None if self.vectors is None else self.vectors[rows])


def records(table: Columns, distance: Distance, threads: int = 1) -> Records:
    """Put the columns that can cost something side by side.

    Columns of weight 0 (and categories where a mismatch costs nothing) are left out, -0.0 becomes 0.0.

    Raises
    ------
    ValueError
        When table and distance differ in columns, or a column in length.
    """
    given = len(table.numeric), len(table.categorical)
    weighted = len(distance.numeric_weights), len(distance.categorical_weights)
    if given != weighted:
        raise ValueError(
            f"the table has {given[0]} numeric and {given[1]} categorical columns, the distance "
            f"{weighted[0]} and {weighted[1]} weights"
        )
    columns: list[NDArray[Any]] = [*table.numeric, *table.categorical]
    shapes = [(table.rows,)] * len(columns) + [(table.rows, vector.length) for vector in distance.vectors]
    for column, shape in zip([*columns, *table.vectors], shapes, strict=True):
        if column.shape != shape:
            raise ValueError(f"a column of shape {column.shape} instead of {shape} in a table of {table.rows} rows")
    numbers = [column for column, weight in zip(table.numeric, distance.numeric_weights, strict=True) if weight > 0]
    texts = [
        column
        for column, weight in zip(table.categorical, distance.categorical_weights, strict=True)
        if weight * distance.mismatch > 0
    ]
    costing = [column for column, v in zip(table.vectors, distance.vectors, strict=True) if v.weight > 0]
    beside = len(numbers) if distance.power == 2 else 0  # where the components of vectors begin
    components = sum(column.shape[1] for column in costing)
    numeric = np.empty((table.rows, len(numbers) + (components if distance.power == 2 else 0)), np.float64)
    codes = np.empty((table.rows, len(texts)), np.int32)
    vectors = np.empty((table.rows, components), np.float64) if distance.whole else None

    def fill(start: int, stop: int) -> None:
        for j, number in enumerate(numbers):
            np.add(number[start:stop], 0.0, out=numeric[start:stop, j])
        for j, text in enumerate(texts):
            codes[start:stop, j] = text[start:stop]
        at, placed = beside, numeric if vectors is None else vectors
        for column in costing:
            np.add(column[start:stop], 0.0, out=placed[start:stop, at : at + column.shape[1]])
            at += column.shape[1]

    distribute(table.rows, threads, fill)
    return Records(numeric, codes, vectors)


def aligned(shape: int | tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """Return zeros that start on a cache line, as loads of 64 bytes want it."""
    size = math.prod(shape if isinstance(shape, tuple) else (shape,)) * np.dtype(dtype).itemsize
    buffer = np.zeros(size + 64, np.uint8)
    start = -buffer.__array_interface__["data"][0] % 64
    out: NDArray[Any] = buffer[start : start + size].view(dtype).reshape(shape)
    return out


def by_block(rows: NDArray[Any], starts: NDArray[np.int64], lanes: int) -> NDArray[Any]:
    """Store rows column by column in blocks of so many lanes, unused ones 0; flat."""
    blocks, columns = len(starts) - 1, rows.shape[1]
    out = aligned((blocks, columns, lanes), rows.dtype)
    block = np.repeat(np.arange(blocks), np.diff(starts))
    lane = np.arange(len(rows)) - starts[block]
    for j in range(columns):
        out[block, j, lane] = rows[:, j]
    return out.reshape(-1)
