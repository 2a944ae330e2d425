"""Columns of vectors: what differences of their components are divided by, and their directions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.errors import ColumnMismatch
from synthpriv_sql.neighbors import pages

CHUNK = 1 << 10
"""Vectors that are looked at together, so that they stay in the second cache."""
ACROSS = 2.0
"""The distance of opposite directions, the largest that there is."""

Values = NDArray[np.floating[Any]]


def several_lengths(name: str, relation: str, column: pages.Vectors) -> ColumnMismatch:
    """The error for a column whose vectors differ in length."""
    return ColumnMismatch(
        f'column "{name}" of {relation} holds vectors of {column.shortest} to {column.longest} numbers; vectors are '
        "compared where all have one length. Exclude the column, or give a query in parentheses that makes them so."
    )


def other_lengths(name: str, facts: Mapping[str, Any], queries: int, reference: int) -> ColumnMismatch:
    """The error for a column whose vectors in one table are longer than in the other."""
    return ColumnMismatch(
        f'column "{name}" holds vectors of {queries} numbers in {facts["queries"]} and of {reference} in '
        f"{facts['reference']}; vectors are compared where all have one length. Take both from the same model, or "
        "exclude the column."
    )


def directions(vectors: Values) -> NDArray[np.float64]:
    """Return vectors of length 1, NaN for those of length 0, which have no direction.

    The squares of a vector are added in the order of its components, so that equal vectors have equal directions,
    whatever stands beside them.
    """
    out = np.empty(vectors.shape, np.float64)
    with np.errstate(invalid="ignore"):
        for start in range(0, len(vectors), CHUNK):
            part = np.array(vectors[start : start + CHUNK].T, np.float64, order="C")
            part /= np.abs(part).max(axis=0, initial=0)  # so that squares neither overflow nor vanish
            squares = np.zeros(part.shape[1])
            for component in part:
                squares += component * component
            part /= np.sqrt(squares)
            out[start : start + CHUNK] = part.T
    return out


def spread(vectors: Values, scaling: str) -> float:
    """Return what differences of components are divided by: the root of the sum of the squares of their spreads.

    The spread of a component is what that of a number is, so a vector of one component is a number. Of ``minmax`` the
    result is the diagonal of the box around the vectors: no two of them are farther apart.

    Parameters
    ----------
    vectors
        (rows, components), none of them missing.
    scaling
        As the option of that name.
    """
    if scaling == "none":
        return 1.0
    if not vectors.size:
        return 0.0
    low = vectors.min(axis=0).astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        if scaling == "minmax":
            spreads = vectors.max(axis=0).astype(np.float64) - low
        elif scaling == "robust":
            first, third = np.quantile(vectors, [0.25, 0.75], axis=0).astype(np.float64)
            spreads = third - first
        else:
            spreads = _deviations(vectors, low)
        largest = float(spreads.max())
        if not 0 < largest < np.inf:
            return largest
        return largest * float(np.sqrt(np.sum((spreads / largest) ** 2)))


def _deviations(vectors: Values, low: NDArray[np.float64]) -> NDArray[np.float64]:
    """Population standard deviations; exactly 0 for a component that is constant."""
    parts = [slice(start, start + CHUNK) for start in range(0, len(vectors), CHUNK)]
    means = sum(((vectors[part] - low).sum(axis=0) for part in parts), np.zeros(len(low))) / len(vectors)
    squares = sum((((vectors[part] - low - means) ** 2).sum(axis=0) for part in parts), np.zeros(len(low)))
    return np.asarray(np.sqrt(squares / len(vectors)))
