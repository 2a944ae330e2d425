"""The entry to all searches for nearest neighbors: it goes the way that `dispatch` says.

A single vector is searched by its squares, which takes the kernel less: the order of the roots is that of the squares,
but for what a cap makes equal.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

import numpy as np

from synthpriv_sql.kernels.knn import dispatch, index, pairs
from synthpriv_sql.kernels.layout import Columns, Distance, Neighbors
from synthpriv_sql.kernels.threads import SearchOptions


def search(
    queries: Columns,
    reference: Columns,
    distance: Distance,
    k: int,
    *,
    exclude_self: bool = False,
    options: SearchOptions = SearchOptions(),
    compiling: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> Neighbors:
    """Find the k nearest reference records of every query, as `index.search` does.

    What `compiling` returns is entered while the kernel searches, which may have to be compiled for it.
    """
    if dispatch.one_vector(distance):
        squares = as_squares(distance)
        found = search(queries, reference, squares, k, exclude_self=exclude_self, options=options, compiling=compiling)
        return _capped(found, reference.rows, exclude_self) if distance.cap else found
    columns = len(reference.numeric) + len(reference.categorical) + sum(v.length for v in distance.vectors)
    if dispatch.numpy_is_sooner(queries.rows * reference.rows * max(columns, 1)):
        return pairs.search(queries, reference, distance, k, exclude_self=exclude_self, options=options)
    with compiling():
        dispatch.await_helper(options.cancelled)
        return index.search(queries, reference, distance, k, exclude_self=exclude_self, options=options)


def as_squares(distance: Distance) -> Distance:
    """Return a distance of squares that, up to its cap, is the given one of a single vector."""
    (only,) = distance.whole
    weight = 1.0 if distance.cap else only.weight  # the mean of one column is that column
    power = 2 if only.root else 1
    vectors = tuple(
        replace(vector, weight=weight**power if vector is only else 0.0, root=False) for vector in distance.vectors
    )
    return replace(
        distance, power=2, cap=False, mismatch=distance.mismatch**power, divisor=1.0, root=only.root, vectors=vectors
    )


def _capped(found: Neighbors, rows: int, exclude_self: bool) -> Neighbors:
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
