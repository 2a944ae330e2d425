"""Tables that are compared by one vector alone: their squares are searched, which takes the kernel less.

The order of the roots is that of the squares, but for what a cap makes equal.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from synthpriv_sql.kernels.knn.index import Found
from synthpriv_sql.kernels.layout import Distance


def as_squares(distance: Distance) -> Distance | None:
    """Return a distance that adds squares and, up to its cap, is the given one; None unless that is of one vector."""
    if len(distance.whole) != 1 or len(distance.costs) or len(distance.numbers[0]):
        return None
    (only,) = distance.whole
    weight = 1.0 if distance.cap else only.weight  # the mean of one column is that column
    power = 2 if only.root else 1
    vectors = tuple(
        replace(vector, weight=weight**power if vector is only else 0.0, root=False) for vector in distance.vectors
    )
    return replace(
        distance, power=2, cap=False, mismatch=distance.mismatch**power, divisor=1.0, root=only.root, vectors=vectors
    )


def capped(found: Found, rows: int, exclude_self: bool) -> Found:
    """Count what is farther than 1 as being at 1, where the smallest records are the nearest.

    Parameters
    ----------
    found
        The k nearest of each query, nearest first.
    rows
        Records in the reference.
    exclude_self
        Whether the queries are the reference itself, and no record is its own neighbor.
    """
    neighbors, distances = found
    for query in np.flatnonzero(distances[:, -1] >= 1):
        near = distances[query] < 1
        taken = set(neighbors[query, near].tolist()) | ({int(query)} if exclude_self else set())
        first = (record for record in range(rows) if record not in taken)
        neighbors[query, ~near] = [next(first) for _ in range(int((~near).sum()))]
        distances[query, ~near] = 1.0
    return found
