"""From encoded tables to what the kernel compares: numbers scaled, categories numbered as in the reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.errors import EmptyTable, InfiniteValue
from synthpriv_sql.neighbors import pages
from synthpriv_sql.neighbors.distances import METRICS
from synthpriv_sql.neighbors.layout import Columns


def kinds(roles: Sequence[str]) -> list[str]:
    """Per column what its pages hold: ``number`` or ``text``."""
    return ["text" if role == "categorical" else "number" for role in roles]


def infinite_values(column: str, relation: str, count: int) -> InfiniteValue:
    """The error for a column with infinite values."""
    return InfiniteValue(
        f'column "{column}" of {relation} holds {count} infinite values; no distance is defined for them. '
        "Replace them by NULL or exclude the column."
    )


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
    """Which columns of a search are numbers and which are codes; learned of the reference, applied to the queries.

    Parameters
    ----------
    facts
        The columns of the search with their ``roles`` and ``weights``, its ``metric`` and ``category_mismatch``, and
        what messages call the ``reference``, as sql/parts/nearest.sql gives them.
    spreads
        One per numeric column: what the difference of two numbers is divided by; they are compared as categories where
        it is 0 or None.

    Raises
    ------
    InfiniteValue
        A column spans more than a DOUBLE can hold.
    """

    def __init__(self, facts: Mapping[str, Any], spreads: Sequence[float | None]) -> None:
        metric = METRICS[facts["metric"]]
        given = iter(spreads)
        self._scales: list[float | None] = []
        """Per column its spread, or None where it is compared by equality."""
        self._known: list[Any] = []
        for name, role in zip(facts["columns"], facts["roles"], strict=True):
            spread = None if role == "categorical" else next(given)
            if spread is not None and not np.isfinite(spread):
                raise InfiniteValue(
                    f'column "{name}" of {facts["reference"]} spans more than a DOUBLE can hold, so its numbers have '
                    "no scale. Exclude it, or divide it by a large number first."
                )
            self._scales.append(float(spread) if spread and not metric.by_equality else None)
        weights = [float(weight) for weight in facts["weights"]]
        self.distance = metric.distance(
            float(facts["category_mismatch"]),
            [w for w, scale in zip(weights, self._scales, strict=True) if scale],
            [w for w, scale in zip(weights, self._scales, strict=True) if not scale],
            [scale for scale in self._scales if scale],
        )

    def reference(self, table: pages.Encoded) -> Columns:
        """Arrange a reference, and remember how its categories are numbered."""
        self._known = [None] * len(self._scales)
        return self._arranged(table)

    def queries(self, table: pages.Encoded) -> Columns:
        """Arrange a table that is compared with the reference."""
        return self._arranged(table)

    def _arranged(self, table: pages.Encoded) -> Columns:
        numeric: list[NDArray[np.float64]] = []
        categorical: list[NDArray[np.int32]] = []
        for i, (column, scale) in enumerate(zip(table.columns, self._scales, strict=True)):
            if scale is not None:
                numeric.append(column)
                continue
            number = pages.codes if isinstance(column, pages.Texts) else equal_numbers
            codes, self._known[i] = number(column, self._known[i])
            categorical.append(codes)
        return Columns(tuple(numeric), tuple(categorical), table.rows)


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
