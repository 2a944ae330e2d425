"""Where bounds exclude little: six queries at a time against the rows of a block, as a matrix product in float32.

For queries q and rows r, |q - r|**2 = |q|**2 + 2 (|r|**2 / 2 - q.r), so a row is ruled out by one multiplication and
addition a column. What is rounded on the way is bounded: for p columns and u = (p + 4) * 2**-24, the computed half
|r|**2 (1 - 2 u) / 2 - q.r is at most the exact |r|**2 / 2 - q.r + u |q|**2 / 2, since the sum of |q_j r_j| is at most
(|q|**2 + |r|**2) / 2. Half norms of rows are stored with their part taken off, limits carry that of the query, so that
rows far from the center blur nobody but themselves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.neighbors.jit import F32, F64, I64, U64, inner
from synthpriv_sql.neighbors.lanes import LANES
from synthpriv_sql.neighbors.layout import aligned
from synthpriv_sql.neighbors.tiles import ABREAST

_TINY = 1e-36  # below, float32 has fewer digits


class Tiles(NamedTuple):
    """What products need of the queries of a batch, and room for one tile."""

    asked: F32  # (batch * columns,) the queries, their signs changed
    norms: F64  # (batch,)
    limits: F32  # (batch,) the most that the computed half may be
    slots: I64  # (ABREAST,) the queries of the tile, as places in the batch
    places: I64  # (ABREAST,) where they start in `asked`
    most: F32  # (ABREAST,) their limits
    masks: U64  # (ABREAST,) the rows that they cannot rule out


def room(batch: int, columns: int) -> Tiles:
    """Make room for a thread that searches `batch` queries at a time."""
    return Tiles(
        aligned(batch * columns, np.float32),
        np.zeros(batch),
        np.zeros(batch, np.float32),
        np.zeros(ABREAST, np.int64),
        np.zeros(ABREAST, np.int64),
        np.zeros(ABREAST, np.float32),
        np.zeros(ABREAST, np.uint64),
    )


def half_norms(values: NDArray[np.float32], starts: NDArray[np.int64]) -> NDArray[np.float32]:
    """Half norms of rows in leaf order, less what rounding may come to: (blocks, 64), flat."""
    out = aligned((len(starts) - 1, LANES), np.float32)
    total = np.zeros(len(values))
    for j in range(values.shape[1]):
        total += values[:, j].astype(np.float64) ** 2
    block = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    share = (values.shape[1] + 4) * 2.0**-24
    out[block, np.arange(len(values)) - starts[block]] = total * (0.5 * (1 - 2 * share) * (1 - 2.0**-23))
    return out.reshape(-1)


@inner
def ask(tiles: Tiles, slot: int, values: F32, query: int) -> bool:
    """Take up a query; say whether it has all its numbers, as products need."""
    columns = values.shape[1]
    total = 0.0
    for j in range(columns):
        value = values[query, j]
        tiles.asked[slot * columns + j] = -value
        total += np.float64(value) * np.float64(value)
    tiles.norms[slot] = total
    tiles.limits[slot] = np.inf
    return total == total


@inner
def limit(tiles: Tiles, slot: int, columns: int, most: float) -> None:
    """Set how far products may go from the most that the sum of squares may be."""
    half = 0.5 * (most - tiles.norms[slot] * (1 - (columns + 4) * 2.0**-24))
    tiles.limits[slot] = np.float32(half + abs(half) * 2.0**-23 + _TINY)


@inner
def fill(tiles: Tiles, taken: int, columns: int) -> None:
    """Lay out the tile of the first `taken` slots; the last stands in for those that lack."""
    for i in range(ABREAST):
        slot = tiles.slots[min(i, taken - 1)]
        tiles.places[i] = slot * columns
        tiles.most[i] = tiles.limits[slot]
