"""Filter for tables whose bounds exclude little: a matrix product in float32, six queries by the rows of a block.

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

from synthpriv_sql.kernels.blocks.exact import consider
from synthpriv_sql.kernels.blocks.state import ALL, Blocks, Metric, Queries, State
from synthpriv_sql.kernels.jit import F32, F64, I64, U8, U64, inner
from synthpriv_sql.kernels.layout import aligned
from synthpriv_sql.kernels.simd.lanes import LANES, lowest
from synthpriv_sql.kernels.simd.tiles import ABREAST, multiply_tile

_TINY = 1e-36  # below, float32 has fewer digits


class Tiles(NamedTuple):
    """The half norms of the reference, the packed queries of a batch, and one tile of products."""

    half_norms: F32  # blocks x 64, flat
    asked: F32  # (batch * columns,) the queries, their signs changed
    norms: F64  # (batch,)
    limits: F32  # (batch,) the most that the computed half may be
    whole: U8  # (batch,) whether they have all their numbers
    slots: I64  # (ABREAST,) the queries of the tile, as places in the batch
    places: I64  # (ABREAST,) where they start in `asked`
    most: F32  # (ABREAST,) their limits
    masks: U64  # (ABREAST,) the rows that they cannot rule out


def make_tiles(half_norms: F32, batch: int, columns: int) -> Tiles:
    """Allocate what a thread needs that searches `batch` queries at a time."""
    return Tiles(
        half_norms,
        aligned(batch * columns, np.float32),
        np.zeros(batch),
        np.zeros(batch, np.float32),
        np.zeros(batch, np.uint8),
        np.zeros(ABREAST, np.int64),
        np.zeros(ABREAST, np.int64),
        np.zeros(ABREAST, np.float32),
        np.zeros(ABREAST, np.uint64),
    )


def rounding(columns: int) -> float:
    """Return the maximum error of a product of so many columns, as a share of the norms of both sides.

    A rounding of 2 ** -24 for each multiplication and addition; four are for what they do to each other.
    """
    return (columns + 4) * 2.0**-24


_rounding = inner(rounding)


def half_norms(values: NDArray[np.float32], starts: NDArray[np.int64]) -> NDArray[np.float32]:
    """Half norms of rows in leaf order, less what rounding may come to: (blocks, 64), flat."""
    out = aligned((len(starts) - 1, LANES), np.float32)
    total = np.zeros(len(values))
    for j in range(values.shape[1]):
        total += values[:, j].astype(np.float64) ** 2
    block = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    share = 1 - 2 * rounding(values.shape[1])
    out[block, np.arange(len(values)) - starts[block]] = total * (0.5 * share * (1 - 2.0**-23))
    return out.reshape(-1)


@inner
def _ask(tiles: Tiles, slot: int, values: F32, query: int) -> None:
    """Take up a query; products serve those that have all their numbers."""
    columns = values.shape[1]
    total = 0.0
    for j in range(columns):
        value = values[query, j]
        tiles.asked[slot * columns + j] = -value
        total += np.float64(value) * np.float64(value)
    tiles.norms[slot] = total
    tiles.whole[slot] = total == total


@inner
def limit_products(tiles: Tiles, slot: int, columns: int, most: float) -> None:
    """Set how far products may go from the most that the sum of squares may be."""
    half = 0.5 * (most - tiles.norms[slot] * (1 - _rounding(columns)))
    tiles.limits[slot] = np.float32(half + abs(half) * 2.0**-23 + _TINY)


@inner
def _fill(tiles: Tiles, taken: int, columns: int) -> None:
    """Lay out the tile of the first `taken` slots; the last stands in for those that lack."""
    for i in range(ABREAST):
        slot = tiles.slots[min(i, taken - 1)]
        tiles.places[i] = slot * columns
        tiles.most[i] = tiles.limits[slot]


@inner
def _multiply(
    tiles: Tiles, state: State, begin: int, visits: int, queries: Queries, blocks: Blocks, metric: Metric, first: int
) -> int:
    """Make the visits of eight blocks from place `first` on by products; return where the next eight begin."""
    columns = queries.values.shape[1]
    eight = state.visits[first, 1]
    last = first
    while last < visits and state.visits[last, 1] == eight:
        last += 1
    for word in range(8):
        block, taken = eight * 8 + word, 0
        for visit in range(first, last + 1):
            if visit < last:
                slot = state.visits[visit, 0]
                tiles.slots[taken] = slot
                taken += (state.visits[visit, 2] >> word) & np.int64(tiles.whole[slot])
                if taken < ABREAST:
                    continue
            elif taken == 0:
                continue
            _fill(tiles, taken, columns)
            if multiply_tile(
                blocks.values, block, tiles.half_norms, tiles.asked, tiles.places, columns, tiles.most, tiles.masks
            ):
                start = blocks.starts[block]
                every = ALL >> np.uint64(64 - (blocks.starts[block + 1] - start))
                for i in range(taken):
                    slot, mask = tiles.slots[i], tiles.masks[i] & every
                    near = mask != 0
                    while mask != 0:
                        row = start + lowest(mask)
                        mask &= mask - np.uint64(1)
                        consider(state, slot, queries, queries.order[begin + slot], blocks, row, metric, None, 0.0)
                    if near:
                        limit_products(tiles, slot, columns, state.filter_limit[slot])
            taken = 0
    return last


@inner
def take_up(tiles: Tiles, begin: int, count: int, queries: Queries) -> None:
    """Take up the queries at `count` places of the order."""
    for slot in range(count):
        _ask(tiles, slot, queries.values, queries.order[begin + slot])


@inner
def multiply_superblock(
    tiles: Tiles, state: State, begin: int, visits: int, queries: Queries, blocks: Blocks, metric: Metric
) -> None:
    """Make the visits of a superblock, of the queries that have all their numbers."""
    done = np.int64(0)
    while done < visits:
        done = _multiply(tiles, state, begin, visits, queries, blocks, metric, done)
