"""All records at the smallest distance: a search for more and more neighbors, of the queries that want more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from synthpriv_sql.kernels.knn.index import Found
from synthpriv_sql.kernels.layout import Columns

NOBODY = -1
"""What fills the lists of queries with fewer ties than others."""
_GROWTH = 4


def search(queries: Columns, rows: int, of: Callable[[Columns, int], Found], most: int | None = None) -> Found:
    """Find every record at the smallest distance of each query.

    Parameters
    ----------
    queries
        The records that look for neighbors.
    rows
        Records in the reference, at least 1.
    of
        Finds the k nearest of queries, nearest first, ties to the smallest record.
    most
        Of more records at the smallest distance, so many: those of the smallest numbers.

    Returns
    -------
    neighbors, distances : int64, float64 (queries, most ties)
        Smallest record first; `NOBODY` at an infinite distance where a query has fewer.
    """
    rows = min(rows, most or rows)
    k = min(2, rows)
    waiting = np.arange(queries.rows)
    neighbors, distances = of(queries, k)
    while True:
        # Where the last is no farther than the first there may be more of them.
        waiting = waiting[distances[waiting, -1] == distances[waiting, 0]]
        if k == rows or not len(waiting):
            break
        k = min(_GROWTH * k, rows)
        more = ((0, 0), (0, k - neighbors.shape[1]))
        neighbors = np.pad(neighbors, more, constant_values=NOBODY)
        distances = np.pad(distances, more, constant_values=np.inf)
        neighbors[waiting], distances[waiting] = of(_rows(queries, waiting), k)
    further = distances > distances[:, :1]
    neighbors[further], distances[further] = NOBODY, np.inf
    most = int((~further).sum(axis=1).max(initial=1))
    return np.ascontiguousarray(neighbors[:, :most]), np.ascontiguousarray(distances[:, :most])


def _rows(table: Columns, rows: Any) -> Columns:
    kinds = (table.numeric, table.categorical, table.vectors)
    numeric, categorical, vectors = (tuple(column[rows] for column in kind) for kind in kinds)
    return Columns(numeric, categorical, len(rows), vectors)
