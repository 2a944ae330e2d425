"""Lists of neighbors: merged, without the record itself, with all ties at the smallest distance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.kernels.layout import Columns, Neighbors

NOBODY = -1
"""Fills the lists of queries that have fewer ties than others."""
_GROWTH = 4


def all_ties(
    queries: Columns, rows: int, of: Callable[[Columns, int], Neighbors], most: int | None = None
) -> Neighbors:
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
        The most ties to return for a query: those with the smallest record numbers.

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
    return Neighbors(np.ascontiguousarray(neighbors[:, :most]), np.ascontiguousarray(distances[:, :most]))


def _rows(table: Columns, rows: Any) -> Columns:
    kinds = (table.numeric, table.categorical, table.vectors)
    numeric, categorical, vectors = (tuple(column[rows] for column in kind) for kind in kinds)
    return Columns(numeric, categorical, len(rows), vectors)


def check_k(k: int, available: int) -> None:
    """Raise ValueError unless there are k records to find."""
    if k < 1 or k > available:
        raise ValueError(f"k must be from 1 to the {available} records that there are to find, found {k}")


def merge(parts: Sequence[Neighbors], k: int | None = None) -> Neighbors:
    """Merge the lists that shards of a reference gave for the same queries.

    Parameters
    ----------
    parts : sequence of (neighbors, distances)
        Each int64 and float64 (rows, k_i), nearest first, neighbors being record numbers of the whole reference. A
        shard of fewer than k records gives a shorter list.
    k : int, optional
        Neighbors to keep; by default as many as the longest list has.

    Returns
    -------
    neighbors, distances : int64, float64 (rows, k)
        Nearest first, ties to the smallest record; fewer columns where all lists together are shorter than k.
    """
    if k is None:
        k = max(neighbors.shape[1] for neighbors, _ in parts)
    neighbors = np.concatenate([part[0] for part in parts], axis=1)
    distances = np.concatenate([part[1] for part in parts], axis=1)
    order = np.lexsort((neighbors, distances), axis=1)[:, :k]
    return Neighbors(np.take_along_axis(neighbors, order, 1), np.take_along_axis(distances, order, 1))


def without_self(neighbors: NDArray[np.int64], distances: NDArray[np.float64], first: int = 0) -> Neighbors:
    """Take each record out of its own list; the lists are one longer than wanted, and others lose their last entry.

    The nearest k others of a record are the nearest k + 1 of all without itself. Row i belongs to record first + i.
    """
    rows, wanted = neighbors.shape
    own = neighbors == np.arange(first, first + rows)[:, None]
    drop = np.where(own.any(axis=1), own.argmax(axis=1), wanted - 1)
    keep = np.arange(wanted)[None, :] != drop[:, None]
    return Neighbors(neighbors[keep].reshape(rows, wanted - 1), distances[keep].reshape(rows, wanted - 1))
