"""From encoded tables to kernel input: scaled numbers, and categories with the codes of the reference."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.errors import EmptyTable, InfiniteValue, SynthprivWarning, TooLarge
from synthpriv_sql.kernels import distances
from synthpriv_sql.kernels.layout import Columns, Distance, Vector
from synthpriv_sql.metrics import METRICS
from synthpriv_sql.udf.encoded import embeddings, pages

_EXACT = float(2**53)
MOST = 65_535
"""The maximum number of columns, including vector components, that bounds support."""


ELSEWHERE = 0.5
"""The Kolmogorov-Smirnov distance to real numbers beyond which those of synthetic lie elsewhere."""
_INVENTED = 0.5
"""The share of numbers that no real row has, beyond which a column of synthetic is judged apart, if"""
_REPEATED = 0.9
"""this share of real rows or more have a number that another one has."""
_SAMPLE = 2000
_SEEN = 0.3
"""Two samples of so many numbers are no further apart than this if the numbers are not further apart than ELSEWHERE."""


def kinds(roles: Sequence[str]) -> list[str]:
    """The kind of each column in its pages: ``number``, ``text`` or ``vector``."""
    return [{"categorical": "text", "vector": "vector"}.get(role, "number") for role in roles]


def infinite_values(column: str, relation: str, count: int) -> InfiniteValue:
    """The error for a column with infinite values."""
    return InfiniteValue(
        f'column "{column}" of {relation} holds {count} infinite values; no distance is defined for them. '
        "Replace them by NULL or exclude the column."
    )


def check_values(options: Mapping[str, Any], table: pages.Encoded, relation: str) -> None:
    """Raise an error for the first column that has infinite values, or vectors of several lengths."""
    for name, column in zip(options["columns"], table.columns, strict=True):
        if isinstance(column, pages.Texts):
            continue
        if isinstance(column, pages.Vectors) and column.shortest < column.longest:
            raise embeddings.several_lengths(name, relation, column)
        if isinstance(column, pages.Vectors) and not column.longest and not column.missing.all():
            raise embeddings.without_numbers(name, relation)
        infinite = int(np.isinf(column.values if isinstance(column, pages.Vectors) else column).sum())
        if infinite:
            raise infinite_values(name, relation, infinite)


def note_large(options: Mapping[str, Any], table: pages.Encoded, relation: str) -> None:
    """Warn about whole numbers so large that a distance does not tell them from their neighbors."""
    found = [
        name
        for name, role, column in zip(options["columns"], options["roles"], table.columns, strict=True)
        if role == "numeric" and _is_inexact(column)
    ]
    if found:
        listed = ", ".join(f'"{name}"' for name in found)
        several = len(found) > 1
        warnings.warn(
            f"{'columns' if several else 'column'} {listed} of {relation} {'hold' if several else 'holds'} whole "
            "numbers beyond 2^53, of which a distance takes near ones for equal: a record at distance 0 need not be a "
            f"copy. Exclude {'them' if several else 'it'}, or give {'one' if several else 'it'} as key",
            SynthprivWarning,
            stacklevel=2,
        )


def _is_inexact(column: NDArray[np.float64]) -> bool:
    """Whether all numbers are whole, and one is beyond those that a DOUBLE holds."""
    if not len(column) or not (np.fmax.reduce(column) > _EXACT or np.fmin.reduce(column) < -_EXACT):
        return False
    return not bool((column != np.floor(column))[~np.isnan(column)].any())


def judged_apart(options: Mapping[str, Any], real: pages.Encoded, synthetic: pages.Encoded) -> Mapping[str, Any]:
    """Return the options with a weight of 0 for columns whose numbers lie elsewhere in synthetic than in real rows.

    Such a column (other units, another year) is no evidence, and hides what the others tell. Nothing changes if there
    is none, or no other column.
    """
    columns = zip(options["roles"], options["weights"], synthetic.columns, real.columns, strict=True)
    weights = [
        0.0 if role in {"numeric", "temporal"} and weight and _are_elsewhere(own, others) else weight
        for role, weight, own, others in columns
    ]
    return {**options, "weights": weights} if any(weights) else options


def _are_elsewhere(synthetic: NDArray[np.float64], real: NDArray[np.float64]) -> bool:
    """Whether most numbers of synthetic are none of the real ones, which repeat, and lie apart from them."""
    one, other = (values[:: max(1, len(values) // _SAMPLE)] for values in (synthetic, real))
    if apart(one, other) <= _SEEN or apart(synthetic, real) <= ELSEWHERE:
        return False  # the usual case, in which nothing is sorted but samples
    known, counts = np.unique(real[~np.isnan(real)], return_counts=True)
    own = synthetic[~np.isnan(synthetic)]
    invented = 1 - np.isin(own, known).sum() / len(synthetic)
    return bool(invented > _INVENTED and counts[counts > 1].sum() > _REPEATED * counts.sum())


def apart(synthetic: NDArray[np.float64], real: NDArray[np.float64]) -> float:
    """Return the Kolmogorov-Smirnov distance of two samples, without missing values."""
    one, other = (np.sort(values[~np.isnan(values)]) for values in (synthetic, real))
    if not len(one) or not len(other):
        return 0.0
    both = np.concatenate([one, other])
    shares = (np.searchsorted(values, both, side="right") / len(values) for values in (one, other))
    return float(np.abs(np.subtract(*shares)).max())


def neighbors_to_find(options: Mapping[str, Any], reference: int) -> int:
    """The requested number of neighbors, limited by the reference; sql/parts/enough.sql raises errors for too few."""
    if options["exclude_self"]:
        return min(int(options["k"]), max(reference - 1, 0))
    if reference == 0:
        raise EmptyTable(f"{options['reference']} has no rows; without a record there is no closest one")
    return min(int(options["k"]), reference)


def check_distances(options: Mapping[str, Any], distances: NDArray[np.float64]) -> None:
    """Raise an error for infinite distances, which have no order."""
    if np.isinf(distances).any():
        raise InfiniteValue(
            f"records of {options['queries']} and {options['reference']} are farther apart than a DOUBLE can hold. "
            "Exclude the columns with the largest numbers, or divide these by a large one first."
        )


class Arrangement:
    """Kinds of the columns of a search: numbers, vectors or codes; derived from the reference, applied to the queries.

    Parameters
    ----------
    options
        The columns of the search with their ``roles`` and ``weights``, its ``metric``, ``category_mismatch`` and
        ``vectors``, and the names of ``queries`` and ``reference`` in messages, as in sql/parts/nearest.sql.
    spreads
        One per numeric column, then one per column of vectors: the scale by which differences of numbers or components
        are divided; with 0 or None, values are compared as categories.

    Raises
    ------
    InfiniteValue
        A column spans more than a DOUBLE can hold.
    """

    def __init__(self, options: Mapping[str, Any], spreads: Sequence[float | None]) -> None:
        metric = METRICS[options["metric"]]
        self._metric, self._options = metric, options
        first = sum(role not in {"categorical", "vector"} for role in options["roles"])
        given, of_vectors = iter(spreads[:first]), iter(spreads[first:])
        self._scales: list[float | None] = []
        """The spread of each column; None if it is compared by equality."""
        self._known: list[Any] = []
        for name, role in zip(options["columns"], options["roles"], strict=True):
            spread = None if role == "categorical" else next(of_vectors if role == "vector" else given)
            if spread is not None and not np.isfinite(spread):
                raise InfiniteValue(
                    f'column "{name}" of {options["reference"]} spans more than a DOUBLE can hold, so its numbers have '
                    "no scale. Exclude it, or divide it by a large number first."
                )
            self._scales.append(float(spread) if spread and not metric.by_equality else None)
        self._lengths = [0] * len(self._scales)
        """The vector length of each column in the reference."""

    @property
    def distance(self) -> Distance:
        """The distance of the kernel; with vectors, only known once the reference is arranged."""
        numbers: list[tuple[float, float]] = []
        vectors: list[Vector] = []
        equal: list[float] = []
        root = self._options["vectors"] != "cosine"
        columns = zip(self._options["roles"], self._options["weights"], self._scales, self._lengths, strict=True)
        for role, weight, scale, length in columns:
            if not scale:
                equal.append(float(weight))
            elif role == "vector":
                vectors.append(Vector(length, float(weight), scale, root))
            else:
                numbers.append((float(weight), scale))
        weights, scales = zip(*numbers, strict=True) if numbers else ((), ())
        return distances.added_up(
            self._metric, float(self._options["category_mismatch"]), weights, equal, scales, vectors
        )

    def reference(self, table: pages.Encoded) -> Columns:
        """Arrange a reference, and remember its category codes and vector lengths.

        Raises
        ------
        TooLarge
            The vectors have more components than can be compared.
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
                f"{self._options['reference']} has {numbers:,} columns and numbers of vectors; {MOST:,} can be "
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
            raise embeddings.other_lengths(self._options["columns"][i], self._options, column.longest, there)

    def _vectors(self, i: int, column: pages.Vectors) -> embeddings.Values:
        values = column.values
        if not column.longest:  # all are missing
            values = np.full((len(values), self._lengths[i]), np.nan, values.dtype)
        return embeddings.directions(values) if self._options["vectors"] == "cosine" else values


def equal_numbers(column: NDArray[np.float64], known: Any) -> tuple[NDArray[np.int32], Any]:
    """Return codes for the values of a numeric column, as `pages.codes` does for words."""
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
