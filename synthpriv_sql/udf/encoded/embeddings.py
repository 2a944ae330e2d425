"""Columns of vectors: the scale of their components, and their directions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.errors import ColumnMismatch
from synthpriv_sql.udf.encoded import pages

CHUNK = 1 << 10
"""The size of a chunk of vectors, which fits in the L2 cache."""
ACROSS = 2.0
"""The distance of opposite directions, the largest possible."""

Values = NDArray[np.floating[Any]]


def several_lengths(name: str, relation: str, column: pages.Vectors) -> ColumnMismatch:
    """The error for a column whose vectors differ in length."""
    return ColumnMismatch(
        f'column "{name}" of {relation} holds vectors of {column.shortest} to {column.longest} numbers; vectors are '
        "compared where all have one length. Exclude the column, or give a query in parentheses that makes them so."
    )


def without_numbers(name: str, relation: str) -> ColumnMismatch:
    """The error for a column whose vectors have no numbers."""
    return ColumnMismatch(
        f'column "{name}" of {relation} holds vectors of no numbers, between which there is no distance; exclude it, '
        "or replace them by NULL"
    )


def other_lengths(name: str, options: Mapping[str, Any], queries: int, reference: int) -> ColumnMismatch:
    """The error for a column whose vectors in one table are longer than in the other."""
    return ColumnMismatch(
        f'column "{name}" holds vectors of {queries} numbers in {options["queries"]} and of {reference} in '
        f"{options['reference']}; vectors are compared where all have one length. Take both from the same model, or "
        "exclude the column."
    )


def directions(vectors: Values) -> NDArray[np.float64]:
    """Normalize vectors to length 1; NaN for those of length 0, which have no direction.

    The squares of a vector are added in the order of its components, so that equal vectors have equal directions,
    whatever their position.
    """
    out = np.empty(vectors.shape, np.float64)
    with np.errstate(invalid="ignore"):
        for start in range(0, len(vectors), CHUNK):
            part = np.array(vectors[start : start + CHUNK].T, np.float64, order="C")
            part /= np.abs(part).max(axis=0, initial=0)  # so that squares neither overflow nor underflow
            squares = np.zeros(part.shape[1])
            for component in part:
                squares += component * component
            part /= np.sqrt(squares)
            out[start : start + CHUNK] = part.T
    return out


def spread(vectors: Values, scaling: str) -> float:
    """Return the scale by which differences of components are divided; for one component, it is that of numbers.

    ``minmax``: the diameter of the ball around the center that contains all vectors. It bounds all distances and takes
    two passes, while the exact maximum distance would take one pass per vector. ``standard`` and ``robust``: the root
    of the sum of the squared standard deviations, or interquartile ranges, of the components.

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
    low, high = (end.astype(np.float64) for end in (vectors.min(axis=0), vectors.max(axis=0)))
    with np.errstate(over="ignore"):
        largest = float((high - low).max())
    if not 0 < largest < np.inf:
        return largest
    if scaling == "robust":
        ends = [np.quantile(component.astype(np.float64), [0.25, 0.75]) for component in vectors.T]
        return largest * math.hypot(*((third - first) / largest for first, third in ends))
    if scaling == "minmax":
        middle = low + (high - low) / 2
        return 2 * largest * float(np.sqrt(max(_squares(part, middle, largest).max() for part in _parts(vectors))))
    # Relative to the minimum, so that constant components have exactly no deviation.
    means = sum((((part - low) / largest).sum(axis=0) for part in _parts(vectors)), np.zeros(len(low))) / len(vectors)
    center = low + means * largest
    total = sum(float(_squares(part, center, largest).sum()) for part in _parts(vectors))
    return largest * float(np.sqrt(total / len(vectors)))


def _parts(vectors: Values) -> Iterator[NDArray[np.float64]]:
    for start in range(0, len(vectors), CHUNK):
        yield vectors[start : start + CHUNK].astype(np.float64)


def _squares(vectors: NDArray[np.float64], center: NDArray[np.float64], unit: float) -> NDArray[np.float64]:
    """Squared distances from a center, divided by the square of a unit."""
    return np.asarray((((vectors - center) / unit) ** 2).sum(axis=1))
