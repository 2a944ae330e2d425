"""Principal axes of a table, and where records lie on them: ``synthpriv_components``, which SQL calls.

Records are points whose Euclidean distance is the metric ``euclidean``: a number stands at its place over its spread, a
category at a corner of its own. The axes are those of a principal component analysis of these points.
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
from synthpriv_sql.udf.neighbors import whole

FOUND_SQL = "STRUCT(explained DOUBLE[], shares DOUBLE[][], loadings DOUBLE[][], places DOUBLE[][])"
Floats = NDArray[np.float64]

_CHUNK = 1 << 13
"""Records that are points at the same time."""
_NOTHING = 1e-12
"""The share of the variance from which on an axis says something; below it is what rounding leaves."""
_EQUAL = 1e-9
"""How far two coefficients of one size may differ by rounding."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """A column whose values have places; what is missing stands in the middle, and is marked."""

    center: float
    scale: float
    mark: float
    """How far what is missing stands apart from what is not, in a dimension of its own."""

    @property
    def width(self) -> int:
        """How many dimensions it takes."""
        return 2

    def place(self, column: Any, points: Floats) -> None:
        """Write the coordinates of values (float64, NaN where missing) into columns of points."""
        missing = np.isnan(column)
        points[:, 0] = np.where(missing, 0.0, (column - self.center) * self.scale)
        points[:, 1] = missing * self.mark


@dataclass(frozen=True, slots=True)
class Categories:
    """A column whose values are equal or not; each that is kept apart has a dimension of its own."""

    known: Any
    slots: NDArray[np.int64]
    """The dimension of each code, then those of an unknown value and of a missing one (code -1)."""
    width: int
    height: float

    def place(self, column: Any, points: Floats) -> None:
        """Write the coordinates of codes into columns of points."""
        points[:] = 0.0
        points[np.arange(len(points)), self.slots[column]] = self.height


@dataclass(frozen=True, slots=True)
class Axes:
    """Orthogonal directions in which the records of a table differ most, the first one most of all.

    Parameters
    ----------
    center
        Shape (dimensions,): the mean of the points.
    directions
        Shape (dimensions, components): unit vectors; zeros where records do not differ any more. The first of the
        largest coefficients of each is positive.
    explained
        Shape (components,): the share of the variance of the points in each direction; NaN where they do not differ.
    """

    center: Floats
    directions: Floats
    explained: Floats


def fit(center: Floats, covariance: Floats, components: int) -> Axes:
    """Find the axes of points by their mean and their covariance matrix, in which what does not differ is exactly 0."""
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
    """Vectors whose largest coefficient is positive; of several of one size, the first."""
    sizes = np.abs(vectors)
    first = (sizes >= sizes.max(axis=0) * (1 - _EQUAL)).argmax(axis=0)
    turned: Floats = vectors * np.where(vectors[first, np.arange(vectors.shape[1])] < 0, -1.0, 1.0)
    return turned


def components(train_pages: Any, other_pages: Any, data_pages: Any, spreads: Any, options: Any) -> Any:
    """``synthpriv_components(train_pages, other_pages, data_pages, spreads, options)``: axes, and records on them.

    Parameters
    ----------
    train_pages, other_pages, data_pages
        Arrow lists of pages, one list a row; null where the table has no rows, or there are no others.
    spreads
        Arrow lists of doubles, one per numeric column: what differences are divided by; where it is 0 or null numbers
        are compared as categories.
    options
        Arrow structs with the fields that sql/dimensions/projected.sql gives.

    Returns
    -------
    pyarrow.Array
        Per row a struct of lists, one item a component: the share of the variance that it explains; by column, its
        share of the component, and the coefficient of a number; and the place of each record of data.

    Raises
    ------
    EmptyTable, InfiniteValue
        See `synthpriv_sql.errors`.
    """
    rows = zip(*(whole(a) for a in (train_pages, other_pages, data_pages, spreads, options)), strict=True)
    parts = [
        _components_of(train, others, data, spread.as_py(), given.as_py())
        for train, others, data, spread, given in rows
    ]
    nested = pa.list_(pa.list_(pa.float64()))
    types = [("explained", pa.list_(pa.float64())), ("shares", nested), ("loadings", nested), ("places", nested)]
    return pa.array(parts, pa.struct(types))


def _components_of(
    train_pages: Any, other_pages: Any, data_pages: Any, spreads: Sequence[float | None], facts: Mapping[str, Any]
) -> dict[str, Any]:
    kinds = arrange.kinds(facts["roles"])
    train, others, data = (pages.read(given.values or [], kinds) for given in (train_pages, other_pages, data_pages))
    if not train.rows:
        raise EmptyTable(f"{facts['train']} has no rows; without records there are no axes in which they differ")
    arrange.check_values(facts, train, facts["train"])
    arrange.check_values(facts, others, facts["others"])
    arrange.check_values(facts, data, facts["data"])
    coded, columns = _arranged(train, spreads, facts)
    fitted = [(coded, train.rows)] + ([(_coded(others, columns), others.rows)] if others.rows else [])
    center, covariance = _moments(columns, fitted)
    if not np.isfinite(covariance).all():
        raise InfiniteValue(
            f"the variance of {facts['train']} is more than a DOUBLE can hold. Exclude the columns with the largest "
            "numbers, or divide these by a large one first."
        )
    axes = fit(center, covariance, facts["components"])
    with np.errstate(over="ignore", invalid="ignore"):
        placed = [(points - center) @ axes.directions for points in _points(columns, _coded(data, columns), data.rows)]
    places = np.concatenate([np.empty((0, facts["components"])), *placed])
    if not np.isfinite(places).all():
        raise InfiniteValue(
            f"records of {facts['data']} are farther from {facts['train']} than a DOUBLE can hold. Exclude the columns "
            "with the largest numbers, or divide these by a large one first."
        )
    shares, loadings = _told(axes, columns)
    return {
        "explained": [None if np.isnan(share) else share for share in axes.explained.tolist()],
        "shares": shares,
        "loadings": loadings,
        "places": list(places.T),
    }


def _arranged(
    train: pages.Encoded, spreads: Sequence[float | None], facts: Mapping[str, Any]
) -> tuple[list[Any], list[Numbers | Categories]]:
    """The columns of train as they are placed, and how."""
    given = iter(spreads)
    coded: list[Any] = []
    columns: list[Numbers | Categories] = []
    for name, role, weight, column in zip(
        facts["columns"], facts["roles"], facts["weights"], train.columns, strict=True
    ):
        stretch = math.sqrt(float(weight))
        height = stretch * float(facts["category_mismatch"])
        spread = None if role == "categorical" else next(given)
        if spread is not None and not np.isfinite(spread):
            raise InfiniteValue(
                f'column "{name}" of {facts["train"]} spans more than a DOUBLE can hold, so its numbers have no scale. '
                "Exclude it, or divide it by a large number first."
            )
        if spread:
            columns.append(Numbers(float(np.nanmean(column)), stretch / spread, height))
            coded.append(column)
            continue
        codes, known = (pages.codes if isinstance(column, pages.Texts) else arrange.equal_numbers)(column, None)
        columns.append(_categories(codes, known, facts["categories"], height / math.sqrt(2)))
        coded.append(codes)
    return coded, columns


def _categories(codes: NDArray[np.int32], known: Any, most: int, height: float) -> Categories:
    """Keep the most frequent categories apart, of equally frequent ones those that come first in their order."""
    words = known.to_pylist() if isinstance(known, pa.Array) else known.tolist()
    counts = np.bincount(codes[codes >= 0], minlength=len(words))
    order = sorted(range(len(words)), key=lambda i: (-counts[i], str(words[i]).encode()))[:most]
    # 0 is missing, 1 any other category.
    slots = np.ones(len(words) + 2, np.int64)
    slots[order] = np.arange(2, 2 + len(order))
    slots[-1] = 0
    return Categories(known, slots, 2 + len(order), height)


def _coded(table: pages.Encoded, columns: Sequence[Numbers | Categories]) -> list[Any]:
    """The columns of a table coded as those of train are."""
    coded = []
    for column, how in zip(table.columns, columns, strict=True):
        if isinstance(how, Categories):
            number = pages.codes if isinstance(column, pages.Texts) else arrange.equal_numbers
            coded.append(number(column, how.known)[0])
        else:
            coded.append(column)
    return coded


def _points(columns: Sequence[Numbers | Categories], coded: Sequence[Any], rows: int) -> Iterator[Floats]:
    """The points of records, some thousands at a time; shape (records, dimensions)."""
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
    """The mean of the points of the records of some tables, and their covariance matrix (of the population)."""

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
    # A mean that was rounded would leave a little of what is the same everywhere.
    same = least.min(axis=0) == most.max(axis=0)
    covariance[same] = covariance[:, same] = 0.0
    return center, covariance


def _told(axes: Axes, columns: Sequence[Numbers | Categories]) -> tuple[list[Any], list[Any]]:
    """For each component by column: its share of the squared coefficients, and the coefficient of a number."""
    ends = np.cumsum([0, *(how.width for how in columns)])
    shares = np.add.reduceat(np.square(axes.directions), ends[:-1], axis=0)
    is_number = [isinstance(how, Numbers) for how in columns]
    loadings = [
        [axes.directions[start, c] if number else None for start, number in zip(ends, is_number, strict=False)]
        for c in range(axes.directions.shape[1])
    ]
    return shares.T.tolist(), loadings
