"""Which way numbers alone are searched: every pair by products of whole numbers, or the blocks that bounds let through.

Times are those of one thread on an EPYC 9004, in nanoseconds. What counts is how they compare.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from synthpriv_sql.neighbors import dense, flat, whole
from synthpriv_sql.neighbors.build import Grown, Learned, make_state
from synthpriv_sql.neighbors.jit import I64
from synthpriv_sql.neighbors.state import Blocks, Found, Queries
from synthpriv_sql.neighbors.tiles import ABREAST

_FEW = 256  # rows that are all looked at just as well
WIDTHS = 8, 16  # bits of a number
_SAMPLE = 2 * flat.BATCH  # queries that are searched to see what is left to be looked at
_WORD = 0.018  # a word of a pair
_LOOK, _NUMBER = 25.0, 2.5  # a row whose distance is computed, and each of its numbers
_ROW, _NUMBER_OF_ROW = 700.0, 50.0  # of a tree, and of the tables of its bounds
_HOPELESS = 20  # a width that leaves so much more work than multiplying is not tried further
_TIMES = 3  # growing a tree is worth a try where every pair takes that many times as long, with all threads
_QUERY, _BLOCK_NUMBER = 3000.0, 1.4  # of the search of blocks, and of each block that is looked at
_SHARE = 32  # with more neighbors than one of so many rows, sums of 16 lanes bound little


class Pairs(NamedTuple):
    """A search of every pair."""

    rows: flat.Rows
    asked: flat.Asked


def possible(learned: Learned) -> bool:
    """Tell whether every pair of a reference can be searched by products of whole numbers."""
    return (
        whole.available()
        and learned.multiplied
        and learned.encoder.proportional
        and learned.encoded.values.shape[1] <= flat.COLUMNS
    )


def every_pair(
    learned: Learned, queries: Queries, found: Found, threads: int, grow: Callable[[], Grown]
) -> Pairs | None:
    """Choose how to search the queries; None where blocks and their bounds are less work, or all that can be.

    A sample of the queries is searched, which leaves its neighbors in `found`. Blocks are grown where every pair would
    take longer than that; then what the bounds let through for the sample decides.
    """
    values, rows = queries.values, len(learned.encoded.values)
    extent = flat.extent(values, learned.encoded.values)
    if found.records.shape[1] * _SHARE > rows > _FEW or not extent.most < flat.FARTHEST:
        return None  # what is missing or was clipped is farther
    order = queries.order
    sample = order[np.unique(np.linspace(0, len(order) - 1, min(len(order), _SAMPLE)).astype(np.int64))]
    cost, packed = _best_width(learned, queries, sample, extent, found, threads)
    columns = values.shape[1]
    if len(order) * cost > _TIMES * threads * rows * (_ROW + _NUMBER_OF_ROW * columns):
        visits = _visits(learned, grow().blocks, queries._replace(order=sample), found)
        if _QUERY + visits * _BLOCK_NUMBER * columns < cost:
            return None
    return Pairs(packed, flat.pack_queries(queries, order, packed.bits, packed.step, threads))


def _best_width(
    learned: Learned, queries: Queries, sample: I64, extent: flat.Extent, found: Found, threads: int
) -> tuple[float, flat.Rows]:
    """Return the reference in numbers of 8 bits, or of 16 where these are less work, and what a query costs."""
    rows, columns = learned.encoded.values.shape
    best: tuple[float, flat.Rows] | None = None
    for bits in WIDTHS:
        multiplying = rows * flat.words_of(columns, bits) * _WORD
        if best is not None and best[0] <= multiplying:
            break
        step = flat.step_of(bits, columns, extent)
        packed = flat.pack_rows(learned, bits, step, threads)
        some = flat.pack_queries(queries, sample, bits, step, 1)
        room = flat.room(packed, found.records.shape[1])
        stop = np.zeros(1, np.uint8)
        for tried in (min(ABREAST, len(sample)), len(sample)):
            near = flat.search_pairs(0, tried, some, packed, learned.metric, room, found, stop)
            cost = multiplying + near / tried * (_LOOK + _NUMBER * columns)
            if cost > _HOPELESS * multiplying:
                break
        if best is None or cost < best[0]:
            best = cost, packed
    assert best is not None
    return best


def _visits(learned: Learned, blocks: Blocks, sample: Queries, found: Found) -> float:
    """Return how many blocks bounds let through for a query whose neighbors are found."""
    count, k = len(sample.order), found.records.shape[1]
    state, tiles = make_state(blocks, count, k), dense.room(count, sample.values.shape[1])
    stop = np.zeros(1, np.uint8)
    made = dense.search_batches(0, count, count, sample, blocks, learned.metric, state, tiles, found, stop)
    return float(made / count)
