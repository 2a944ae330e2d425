"""Where bounds exclude little: six queries at a time against the rows of a block, as a matrix product in float32.

For queries q and rows r, |q - r|**2 = |q|**2 + 2 (|r|**2 / 2 - q.r), so a row is ruled out by one multiplication and
addition a column. What is rounded on the way is bounded: for p columns and u = (p + 4) * 2**-24, the computed half
|r|**2 (1 - 2 u) / 2 - q.r is at most the exact |r|**2 / 2 - q.r + u |q|**2 / 2, since the sum of |q_j r_j| is at most
(|q|**2 + |r|**2) / 2. Half norms of rows are stored with their part taken off, limits carry that of the query, so that
rows far from the center blur nobody but themselves.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.neighbors.jit import F32, F64, I64, U64, inner
from synthpriv_sql.neighbors.layout import aligned
from synthpriv_sql.neighbors.lanes import LANES
from synthpriv_sql.neighbors.tiles import ABREAST

_TINY = 1e-36  # below, float32 has fewer digits


class Tiles(NamedTuple):
    """What is needed of the queries of a batch, and room for one tile."""

    asked: F32  # (batch * columns,) the queries, their signs changed
    norms: F64  # (batch, 2): of the head of a query, of all of it
    limits: F32  # (batch, 2): the most that products may come to, of the head and of all
    slots: I64  # (ABREAST,) the queries of the tile, as places in the batch
    places: I64  # (ABREAST,) where they start in `asked`
    most: F32  # (2 * ABREAST,) their limits
    masks: U64  # (ABREAST,) the rows that they cannot rule out


def room(batch: int, columns: int) -> Tiles:
    """Make room for a thread that searches `batch` queries at a time; none for no columns."""
    return Tiles(
        aligned(batch * columns, np.float32),
        aligned((batch, 2), np.float64),
        aligned((batch, 2), np.float32),
        np.zeros(ABREAST, np.int64),
        np.zeros(ABREAST, np.int64),
        np.zeros(2 * ABREAST, np.float32),
        np.zeros(ABREAST, np.uint64),
    )


def share(columns: int) -> float:
    """The part of a norm that rounding may come to."""
    return (columns + 4) * 2.0**-24


def half_norms(values: NDArray[np.float32], starts: NDArray[np.int64], head: int) -> NDArray[np.float32]:
    """Half norms of rows in leaf order, (blocks, 2, 64) flat: of the first `head` columns, and of the others."""
    blocks, columns = len(starts) - 1, values.shape[1]
    out = aligned((blocks, 2, LANES), np.float32)
    block = np.repeat(np.arange(blocks), np.diff(starts))
    lane = np.arange(len(values)) - starts[block]
    for part, (begin, end) in enumerate(((0, head), (head, columns))):
        total = np.zeros(len(values))
        for j in range(begin, end):
            total += values[:, j].astype(np.float64) ** 2
        out[block, part, lane] = total * (0.5 * (1 - 2 * share(columns)) * (1 - 2.0**-23))
    return out.reshape(-1)


@inner
def ask(tiles: Tiles, slot: int, values: F32, query: int, head: int) -> bool:
    """Take up a query; say whether it has all its numbers, as products need."""
    columns = values.shape[1]
    total = first = 0.0
    for j in range(columns):
        value = values[query, j]
        tiles.asked[slot * columns + j] = -value
        total += np.float64(value) * np.float64(value)
        if j == head - 1:
            first = total
    tiles.norms[slot, 0], tiles.norms[slot, 1] = first, total
    tiles.limits[slot, 0] = tiles.limits[slot, 1] = np.inf
    return total == total


@inner
def limit(tiles: Tiles, slot: int, columns: int, most: float) -> None:
    """Set how far products may go from the most that the sum of squares may be."""
    for part in range(2):
        half = 0.5 * (most - tiles.norms[slot, part] * (1 - (columns + 4) * 2.0**-24))
        tiles.limits[slot, part] = np.float32(half + abs(half) * 2.0**-23 + _TINY)
