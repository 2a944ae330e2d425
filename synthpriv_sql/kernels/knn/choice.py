"""Which way numbers alone are searched: every pair by products of whole numbers, or the blocks that bounds let through.

Times are those of one thread on an EPYC 9004, in nanoseconds. What counts is how they compare.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter

import numpy as np

from synthpriv_sql.kernels.blocks.state import Found, Queries
from synthpriv_sql.kernels.jit import I64
from synthpriv_sql.kernels.knn import flat, products, scan
from synthpriv_sql.kernels.knn.build import Grown, Learned, make_state
from synthpriv_sql.kernels.simd import whole
from synthpriv_sql.kernels.simd.tiles import ABREAST

_FEW = 256  # rows that are all looked at just as well
WAYS = "8", "8, in sets", "16"  # bits of a number
_SAMPLE = 2 * flat.BATCH  # queries that are searched to see what is left to be looked at
_SET = 500.0  # a set of rows
_PAIR, _WORD = 0.005, 0.018  # a pair, and each of its words
_LOOK, _NUMBER = 25.0, 2.5  # a row whose distance is computed, and each of its numbers
_ROW, _NUMBER_OF_ROW = 700.0, 50.0  # of a tree, and of the tables of its bounds
_HOPELESS = 20  # a width that leaves so much more work than multiplying is not tried further
_TIMES = 4  # growing a tree is worth a try where every pair takes that many times as long, with all threads
_QUERY, _BLOCK_NUMBER = 3000.0, 1.4  # of the search of blocks, and of each block that is looked at
_SHARE = 32  # with more neighbors than one of so many rows, sums of 16 lanes bound little


Pairs = Sequence[Sequence[tuple[flat.Asked, flat.Rows]]]
"""A search of every pair: parts of the queries, and the sets of rows that each is compared with, in that order."""


def has_products() -> bool:
    """Tell whether this processor makes products of whole numbers quickly; they are right on any."""
    return whole.available()


def possible(learned: Learned) -> bool:
    """Tell whether every pair of a reference can be searched by products of whole numbers."""
    return (
        has_products()
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
    cost, packed = _least_work(learned, queries, sample, extent.longest, found, threads)
    columns = values.shape[1]
    if len(order) * cost > _TIMES * threads * rows * (_ROW + _NUMBER_OF_ROW * columns):
        visits = _visits(learned, grow(), queries._replace(order=sample), found)
        if _QUERY + visits * _BLOCK_NUMBER * columns < cost:
            return None
    return _parts(queries, order, packed, threads)


def _parts(queries: Queries, order: I64, packed: Sequence[flat.Rows], threads: int) -> Pairs:
    """Part the queries: those that go beyond the nearest set of rows look at the others first, where theirs may be."""
    parts = [(order, packed)]
    if len(packed) > 1:
        beyond = flat.beyond(queries.values, packed[0])[order]
        parts = [(order[~beyond], packed), (order[beyond], packed[::-1])]
    return [
        [(flat.pack_queries(queries, some, rows.bits, rows.step, threads), rows) for rows in sets]
        for some, sets in parts
        if len(some)
    ]


def _least_work(
    learned: Learned, queries: Queries, sample: I64, longest: float, found: Found, threads: int
) -> tuple[float, Sequence[flat.Rows]]:
    """Return the reference in the numbers that are least work, and what a query costs.

    These have 8 bits; where that leaves many rows to be looked at, since a few go far beyond the others, these are sets
    of their own, with a longer step; or they have 16 bits.
    """
    values = learned.encoded.values
    rows, columns = values.shape
    best: tuple[float, Sequence[flat.Rows]] | None = None
    for way in WAYS:
        bits = 16 if way == "16" else 8
        several = way == "8, in sets"
        least = _SET * (3 if several else 1) + rows * (_PAIR + _WORD * flat.words_of(columns, bits))
        if best is not None and best[0] <= least:
            break
        sets = flat.sets(values) if several else [np.arange(rows)]
        if best is not None and several and len(sets) == 1:
            continue
        packed = []
        for some in sets:
            step = flat.step_of_16(longest, columns) if bits == 16 else flat.step_of_8(flat.extent(values[some]).most)
            packed.append(flat.pack_rows(learned, some, bits, step, threads))
        tried = _cost(learned, queries, sample, packed, found)
        best = tried if best is None else min(best, tried, key=itemgetter(0))
    assert best is not None
    return best


def _cost(
    learned: Learned, queries: Queries, sample: I64, packed: Sequence[flat.Rows], found: Found
) -> tuple[float, Sequence[flat.Rows]]:
    """Return what a query costs, by those of a sample, and the rows in runs that suit them.

    Of few queries, where these show that it is hopeless.
    """
    columns, k = queries.values.shape[1], found.records.shape[1]
    stop = np.zeros(1, np.uint8)
    multiplying = sum(_SET + len(rows.order) * (_PAIR + _WORD * flat.words_of(columns, rows.bits)) for rows in packed)
    few = sample[:: -(-len(sample) // ABREAST)].copy()  # of one layout: others would be compiled for anew
    for tried in (few, sample):
        near = np.zeros(len(packed))
        for part in _parts(queries, tried, packed, 1):
            for asked, rows in part:
                i = next(i for i, other in enumerate(packed) if other is rows)
                room, count = flat.room(rows, k), len(asked.order)
                near[i] += flat.search_pairs(0, count, asked, rows, learned.metric, room, found, stop) / len(tried)
        cost = multiplying + float(near.sum()) * (_LOOK + _NUMBER * columns)
        if cost > _HOPELESS * multiplying:
            break
    return cost, [flat.expecting(rows, float(each)) for rows, each in zip(packed, near, strict=True)]


def _visits(learned: Learned, grown: Grown, sample: Queries, found: Found) -> float:
    """Return how many blocks bounds let through for a query whose neighbors are found."""
    blocks, half_norms = grown.blocks, grown.half_norms
    assert half_norms is not None
    count, k = len(sample.order), found.records.shape[1]
    state, tiles = make_state(blocks, count, k), products.make_tiles(half_norms, count, sample.values.shape[1])
    stop = np.zeros(1, np.uint8)
    made = scan.search_batches(0, count, count, sample, blocks, learned.metric, state, tiles, None, found, stop)
    return float(made / count)
