"""``synthpriv_components``: principal axes of a table, and the coordinates of records on them.

Records are embedded as points such that their Euclidean distance is the metric ``euclidean``: numbers are divided by
their spread, categories are one-hot encoded. The axes come from a principal component analysis of these points.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthpriv_sql.errors import EmptyTable, InfiniteValue
from synthpriv_sql.udf.encoded import arrange, pages
from synthpriv_sql.udf.neighbors import combined

FOUND_SQL = "STRUCT(explained DOUBLE[], shares DOUBLE[][], loadings DOUBLE[][], places DOUBLE[][])"
Floats = NDArray[np.float64]

_CHUNK = 1 << 13
"""The number of records embedded at a time."""
_NOTHING = 1e-12
"""The minimum share of the variance of an axis; smaller ones are rounding errors."""
_EQUAL = 1e-9
"""The relative rounding error within which two coefficients count as equal."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """A numeric column; a missing value lies at the center, with an offset in an extra dimension."""

    center: float
    scale: float
    mark: float
    """The offset of missing values in the extra dimension."""

    @property
    def width(self) -> int:
        """The number of dimensions of the column."""
        return 2

    def place(self, column: Any, points: Floats) -> None:
        """Write the coordinates of values (float64, NaN where missing) into columns of points."""
        missing = np.isnan(column)
        points[:, 0] = np.where(missing, 0.0, (column - self.center) * self.scale)
        points[:, 1] = missing * self.mark


@dataclass(frozen=True, slots=True)
class Categories:
    """A categorical column, one-hot encoded: each of the kept categories has its own dimension."""

    known: Any
    slots: NDArray[np.int64]
    """The dimension of each code, followed by those of unknown and of missing values (code -1)."""
    width: int
    height: float

    def place(self, column: Any, points: Floats) -> None:
        """Write the coordinates of codes into columns of points."""
        points[:] = 0.0
        points[np.arange(len(points)), self.slots[column]] = self.height


@dataclass(frozen=True, slots=True)
class Axes:
    """Orthogonal directions of the largest variance of a table, in descending order.

    Parameters
    ----------
    center
        Shape (dimensions,): the mean of the points.
    directions
        Shape (dimensions, components): unit vectors; zeros once no variance is left. The first of the largest
        coefficients of each is positive.
    explained
        Shape (components,): the share of the variance in each direction; NaN if the points have no variance.
    """

    center: Floats
    directions: Floats
    explained: Floats


def fit(center: Floats, covariance: Floats, components: int) -> Axes:
    """Compute the axes from the mean and covariance matrix of points; constant dimensions must be exactly 0 in it."""
    directions = np.zeros((len(center), components))
    total = float(np.trace(covariance))
    if total <= 0:
        return Axes(center, directions, np.full(components, np.nan))
    differing = np.flatnonzero(covariance.diagonal())
    values, vectors = np.linalg.eigh(covariance[np.ix_(differing, differing)])
    kept = min(components, len(values))
    order = np.arange(len(values))[::-1][:kept]
    shares = values[order] / total
    something = shares > _NOTHING
    explained = np.zeros(components)
    explained[:kept] = np.where(something, shares, 0.0)
    directions[differing, :kept] = np.where(something, _turned(vectors[:, order]), 0.0)
    return Axes(center, directions, explained)


def _turned(vectors: Floats) -> Floats:
    """Flip vectors so that the largest coefficient is positive; among equal ones, the first."""
    sizes = np.abs(vectors)
    first = (sizes >= sizes.max(axis=0) * (1 - _EQUAL)).argmax(axis=0)
    turned: Floats = vectors * np.where(vectors[first, np.arange(vectors.shape[1])] < 0, -1.0, 1.0)
    return turned


def components(train_pages: Any, other_pages: Any, data_pages: Any, spreads: Any, options: Any) -> Any:
    """``synthpriv_components(train_pages, other_pages, data_pages, spreads, options)``: axes and coordinates.

    Parameters
    ----------
    train_pages, other_pages, data_pages
        Arrow lists of pages, one list per row; null if the table has no rows or is not given.
    spreads
        Arrow lists of doubles, one per numeric column: the scale by which differences are divided; with 0 or null, the
        numbers are compared as categories.
    options
        Arrow structs with the fields of sql/dimensions/projected.sql.

    Returns
    -------
    pyarrow.Array
        One struct of lists per row, with one item per component: the share of the variance that it explains; for each
        column, its share of the component and, for numbers, its coefficient; and the coordinate of each record of data.

    Raises
    ------
    EmptyTable, InfiniteValue
        See `synthpriv_sql.errors`.
    """
    rows = zip(*(combined(a) for a in (train_pages, other_pages, data_pages, spreads, options)), strict=True)
    parts = [
        _components_of(train, others, data, spread.as_py(), given.as_py())
        for train, others, data, spread, given in rows
    ]
    nested = pa.list_(pa.list_(pa.float64()))
    types = [("explained", pa.list_(pa.float64())), ("shares", nested), ("loadings", nested), ("places", nested)]
    return pa.array(parts, pa.struct(types))


def _components_of(
    train_pages: Any, other_pages: Any, data_pages: Any, spreads: Sequence[float | None], options: Mapping[str, Any]
) -> dict[str, Any]:
    kinds = arrange.kinds(options["roles"])
    train, others, data = (pages.read(given.values or [], kinds) for given in (train_pages, other_pages, data_pages))
    if not train.rows:
        raise EmptyTable(f"{options['train']} has no rows; without records there are no axes in which they differ")
    arrange.check_values(options, train, options["train"])
    arrange.check_values(options, others, options["others"])
    arrange.check_values(options, data, options["data"])
    coded, columns = _arranged(train, spreads, options)
    fitted = [(coded, train.rows)] + ([(_coded(others, columns), others.rows)] if others.rows else [])
    center, covariance = _moments(columns, fitted)
    if not np.isfinite(covariance).all():
        raise InfiniteValue(
            f"the variance of {options['train']} is more than a DOUBLE can hold. Exclude the columns with the largest "
            "numbers, or divide these by a large one first."
        )
    axes = fit(center, covariance, options["components"])
    with np.errstate(over="ignore", invalid="ignore"):
        placed = [(points - center) @ axes.directions for points in _points(columns, _coded(data, columns), data.rows)]
    places = np.concatenate([np.empty((0, options["components"])), *placed])
    if not np.isfinite(places).all():
        raise InfiniteValue(
            f"records of {options['data']} are farther from {options['train']} than a DOUBLE can hold. Exclude the "
            "columns with the largest numbers, or divide these by a large one first."
        )
    shares, loadings = _by_column(axes, columns)
    return {
        "explained": [None if np.isnan(share) else share for share in axes.explained.tolist()],
        "shares": shares,
        "loadings": loadings,
        "places": list(places.T),
    }


def _arranged(
    train: pages.Encoded, spreads: Sequence[float | None], options: Mapping[str, Any]
) -> tuple[list[Any], list[Numbers | Categories]]:
    """The coded columns of train, and their embedding."""
    given = iter(spreads)
    coded: list[Any] = []
    columns: list[Numbers | Categories] = []
    for name, role, weight, column in zip(
        options["columns"], options["roles"], options["weights"], train.columns, strict=True
    ):
        stretch = math.sqrt(float(weight))
        height = stretch * float(options["category_mismatch"])
        spread = None if role == "categorical" else next(given)
        if spread is not None and not np.isfinite(spread):
            raise InfiniteValue(
                f'column "{name}" of {options["train"]} spans more than a DOUBLE can hold, so its numbers have no '
                "scale. Exclude it, or divide it by a large number first."
            )
        if spread:
            columns.append(Numbers(float(np.nanmean(column)), stretch / spread, height))
            coded.append(column)
            continue
        codes, known = (pages.codes if isinstance(column, pages.Texts) else arrange.equal_numbers)(column, None)
        columns.append(_categories(codes, known, options["categories"], height / math.sqrt(2)))
        coded.append(codes)
    return coded, columns


def _categories(codes: NDArray[np.int32], known: Any, most: int, height: float) -> Categories:
    """Give the most frequent categories their own dimensions; among equally frequent ones, the first in order."""
    words = known.to_pylist() if isinstance(known, pa.Array) else known.tolist()
    counts = np.bincount(codes[codes >= 0], minlength=len(words))
    order = sorted(range(len(words)), key=lambda i: (-counts[i], str(words[i]).encode()))[:most]
    # 0 is missing, 1 any other category.
    slots = np.ones(len(words) + 2, np.int64)
    slots[order] = np.arange(2, 2 + len(order))
    slots[-1] = 0
    return Categories(known, slots, 2 + len(order), height)


def _coded(table: pages.Encoded, columns: Sequence[Numbers | Categories]) -> list[Any]:
    """The columns of a table with the codes of train."""
    coded = []
    for column, how in zip(table.columns, columns, strict=True):
        if isinstance(how, Categories):
            number = pages.codes if isinstance(column, pages.Texts) else arrange.equal_numbers
            coded.append(number(column, how.known)[0])
        else:
            coded.append(column)
    return coded


def _points(columns: Sequence[Numbers | Categories], coded: Sequence[Any], rows: int) -> Iterator[Floats]:
    """Yield the points of records in chunks; shape (records, dimensions)."""
    ends = np.cumsum([0, *(how.width for how in columns)])
    for first in range(0, rows, _CHUNK):
        some = min(_CHUNK, rows - first)
        points = np.empty((some, ends[-1]))
        for how, column, start, end in zip(columns, coded, ends, ends[1:], strict=False):
            how.place(column[first : first + some], points[:, start:end])
        yield points


def _moments(
    columns: Sequence[Numbers | Categories], tables: Sequence[tuple[Sequence[Any], int]]
) -> tuple[Floats, Floats]:
    """The mean and the population covariance matrix of the points of several tables."""

    def all_points() -> Iterator[Floats]:
        for coded, count in tables:
            yield from _points(columns, coded, count)

    rows = sum(count for _, count in tables)
    ends = [(points.sum(axis=0), points.min(axis=0), points.max(axis=0)) for points in all_points()]
    totals, least, most = (np.array(of) for of in zip(*ends, strict=True))
    center: Floats = totals.sum(axis=0) / rows
    with np.errstate(over="ignore", invalid="ignore"):
        squares = sum((points - center).T @ (points - center) for points in all_points())
    covariance: Floats = np.asarray(squares) / rows
    # A rounded mean would give constant dimensions a tiny variance.
    same = least.min(axis=0) == most.max(axis=0)
    covariance[same] = covariance[:, same] = 0.0
    return center, covariance


def _by_column(axes: Axes, columns: Sequence[Numbers | Categories]) -> tuple[list[Any], list[Any]]:
    """For each component and column: its share of the squared coefficients, and the coefficient of a number."""
    ends = np.cumsum([0, *(how.width for how in columns)])
    shares = np.add.reduceat(np.square(axes.directions), ends[:-1], axis=0)
    is_number = [isinstance(how, Numbers) for how in columns]
    loadings = [
        [axes.directions[start, c] if number else None for start, number in zip(ends, is_number, strict=False)]
        for c in range(axes.directions.shape[1])
    ]
    return shares.T.tolist(), loadings
