"""From encoded tables to what the kernel compares: numbers scaled, categories numbered as in the reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.errors import EmptyTable, InfiniteValue, TooLarge
from synthpriv_sql.kernels import distances
from synthpriv_sql.kernels.layout import Columns, Distance, Vector
from synthpriv_sql.metrics import METRICS
from synthpriv_sql.udf.encoded import embeddings, pages

MOST = 65_535
"""Columns, and numbers of vectors, that bounds can tell apart."""


def kinds(roles: Sequence[str]) -> list[str]:
    """Per column what its pages hold: ``number``, ``text`` or ``vector``."""
    return [{"categorical": "text", "vector": "vector"}.get(role, "number") for role in roles]


def infinite_values(column: str, relation: str, count: int) -> InfiniteValue:
    """The error for a column with infinite values."""
    return InfiniteValue(
        f'column "{column}" of {relation} holds {count} infinite values; no distance is defined for them. '
        "Replace them by NULL or exclude the column."
    )


def check_values(facts: Mapping[str, Any], table: pages.Encoded, relation: str) -> None:
    """Raise an error for the first column that has infinite values, or vectors of several lengths."""
    for name, column in zip(facts["columns"], table.columns, strict=True):
        if isinstance(column, pages.Texts):
            continue
        if isinstance(column, pages.Vectors) and column.shortest < column.longest:
            raise embeddings.several_lengths(name, relation, column)
        infinite = int(np.isinf(column.values if isinstance(column, pages.Vectors) else column).sum())
        if infinite:
            raise infinite_values(name, relation, infinite)


def neighbors_to_find(facts: Mapping[str, Any], reference: int) -> int:
    """The neighbors asked for, or as many as there are; sql/parts/enough.sql checks where less is an error."""
    if facts["exclude_self"]:
        return min(int(facts["k"]), max(reference - 1, 0))
    if reference == 0:
        raise EmptyTable(f"{facts['reference']} has no rows; without a record there is no closest one")
    return min(int(facts["k"]), reference)


def check_distances(facts: Mapping[str, Any], distances: NDArray[np.float64]) -> None:
    """Stop where a distance is infinite: then nobody can say who is nearest."""
    if np.isinf(distances).any():
        raise InfiniteValue(
            f"records of {facts['queries']} and {facts['reference']} are farther apart than a DOUBLE can hold. Exclude "
            "the columns with the largest numbers, or divide these by a large one first."
        )


class Arrangement:
    """Which columns of a search are numbers, vectors or codes; learned of the reference, applied to the queries.

    Parameters
    ----------
    facts
        The columns of the search with their ``roles`` and ``weights``, its ``metric``, ``category_mismatch`` and
        ``vectors``, and what messages call the ``queries`` and the ``reference``, as sql/parts/nearest.sql gives them.
    spreads
        One per numeric column, then one per column of vectors: what the difference of two numbers, or components, is
        divided by; they are compared as categories where it is 0 or None.

    Raises
    ------
    InfiniteValue
        A column spans more than a DOUBLE can hold.
    """

    def __init__(self, facts: Mapping[str, Any], spreads: Sequence[float | None]) -> None:
        metric = METRICS[facts["metric"]]
        self._metric, self._facts = metric, facts
        first = sum(role not in {"categorical", "vector"} for role in facts["roles"])
        given, of_vectors = iter(spreads[:first]), iter(spreads[first:])
        self._scales: list[float | None] = []
        """Per column its spread, or None where it is compared by equality."""
        self._known: list[Any] = []
        for name, role in zip(facts["columns"], facts["roles"], strict=True):
            spread = None if role == "categorical" else next(of_vectors if role == "vector" else given)
            if spread is not None and not np.isfinite(spread):
                raise InfiniteValue(
                    f'column "{name}" of {facts["reference"]} spans more than a DOUBLE can hold, so its numbers have '
                    "no scale. Exclude it, or divide it by a large number first."
                )
            self._scales.append(float(spread) if spread and not metric.by_equality else None)
        self._lengths = [0] * len(self._scales)
        """Per column the length of its vectors, as the reference has them."""

    @property
    def distance(self) -> Distance:
        """What the kernel adds up; where there are vectors, once the reference is arranged."""
        numbers: list[tuple[float, float]] = []
        vectors: list[Vector] = []
        equal: list[float] = []
        root = self._facts["vectors"] != "cosine"
        columns = zip(self._facts["roles"], self._facts["weights"], self._scales, self._lengths, strict=True)
        for role, weight, scale, length in columns:
            if not scale:
                equal.append(float(weight))
            elif role == "vector":
                vectors.append(Vector(length, float(weight), scale, root))
            else:
                numbers.append((float(weight), scale))
        weights, scales = zip(*numbers, strict=True) if numbers else ((), ())
        return distances.added_up(
            self._metric, float(self._facts["category_mismatch"]), weights, equal, scales, vectors
        )

    def reference(self, table: pages.Encoded) -> Columns:
        """Arrange a reference, and remember how its categories are numbered and how long its vectors are.

        Raises
        ------
        TooLarge
            The vectors have more numbers than can be compared.
        """
        self._known = [None] * len(self._scales)
        for i, column in enumerate(table.columns):
            if isinstance(column, pages.Vectors):
                self._lengths[i] = column.longest
                if not column.longest:  # all are missing
                    self._scales[i] = None
        numbers = sum(max(length, 1) for length in self._lengths)
        if numbers > MOST:
            raise TooLarge(
                f"{self._facts['reference']} has {numbers:,} columns and numbers of vectors; {MOST:,} can be "
                "compared at most. Exclude some, or take shorter vectors."
            )
        return self._arranged(table)

    def queries(self, table: pages.Encoded) -> Columns:
        """Arrange a table that is compared with the reference."""
        return self._arranged(table)

    def _arranged(self, table: pages.Encoded) -> Columns:
        numeric: list[NDArray[np.float64]] = []
        categorical: list[NDArray[np.int32]] = []
        vectors: list[embeddings.Values] = []
        for i, (column, scale) in enumerate(zip(table.columns, self._scales, strict=True)):
            if isinstance(column, pages.Vectors):
                self._check_length(i, column)
                if scale is not None:
                    vectors.append(self._vectors(i, column))
                    continue
                codes, self._known[i] = pages.codes(column.texts(), self._known[i])
            elif isinstance(column, pages.Texts):
                codes, self._known[i] = pages.codes(column, self._known[i])
            elif scale is None:
                codes, self._known[i] = equal_numbers(column, self._known[i])
            else:
                numeric.append(column)
                continue
            categorical.append(codes)
        return Columns(tuple(numeric), tuple(categorical), table.rows, tuple(vectors))

    def _check_length(self, i: int, column: pages.Vectors) -> None:
        there = self._lengths[i]
        if there and column.longest and column.longest != there:
            raise embeddings.other_lengths(self._facts["columns"][i], self._facts, column.longest, there)

    def _vectors(self, i: int, column: pages.Vectors) -> embeddings.Values:
        values = column.values
        if not column.longest:  # all are missing
            values = np.full((len(values), self._lengths[i]), np.nan, values.dtype)
        return embeddings.directions(values) if self._facts["vectors"] == "cosine" else values


def equal_numbers(column: NDArray[np.float64], known: Any) -> tuple[NDArray[np.int32], Any]:
    """Number the values of a column as `pages.codes` numbers words."""
    missing = np.isnan(column)
    if known is None:
        known = np.unique(column[~missing])
    place = np.searchsorted(known, column)
    codes = np.full(len(column), len(known), np.int32)
    inside = place < len(known)
    same = inside.copy()
    same[inside] = known[place[inside]] == column[inside]
    codes[same] = place[same]
    codes[missing] = -1
    return codes, known
