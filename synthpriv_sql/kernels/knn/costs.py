"""Cost model: brute force versus block search, for numeric tables.

The constants are nanoseconds of one thread on an EPYC 9004 with AVX-512 VNNI; only their ratios matter. `make tune`
measures them anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter

import numpy as np

from synthpriv_sql.kernels.blocks.state import Queries
from synthpriv_sql.kernels.jit import I64
from synthpriv_sql.kernels.knn import brute, products, scan
from synthpriv_sql.kernels.knn.build import Fitted, Grown, make_state
from synthpriv_sql.kernels.layout import Neighbors
from synthpriv_sql.kernels.simd import integer_dot
from synthpriv_sql.kernels.simd.tiles import ABREAST

WAYS = "8", "8, in sets", "16"  # bits of a number

# Brute force: dot products of a query with all rows, then distances of the rows that are left.
NANOSECONDS_PER_PAIR = 0.005
NANOSECONDS_PER_PAIR_AND_WORD = 0.018  # a word has 4 numbers of 8 bits or 2 of 16
NANOSECONDS_PER_QUERY_AND_SET = 500.0  # a set of rows with a step of its own
NANOSECONDS_PER_DISTANCE = 25.0
NANOSECONDS_PER_DISTANCE_AND_NUMBER = 2.5
# Blocks: growing the tree and the tables of bounds, then the blocks that a query visits.
NANOSECONDS_PER_ROW_GROWN = 700.0
NANOSECONDS_PER_ROW_GROWN_AND_NUMBER = 50.0
NANOSECONDS_PER_QUERY_OF_BLOCKS = 3000.0
NANOSECONDS_PER_BLOCK_AND_NUMBER = 1.4
# How these are used.
ROWS_ALWAYS_BRUTE_FORCE = 256  # in a smaller reference, sums of 16 lanes need not bound anything
ROWS_PER_NEIGHBOR = 32  # with more neighbors than one for so many rows, the least of 16 lanes bound little
SAMPLED_QUERIES = 2 * brute.BATCH  # searched to see how many rows are left
HOPELESS_TIMES_MULTIPLYING = 20  # a way whose distances take so many times its products is not tried further
TIMES_GROWING = 4  # blocks are tried where brute force takes so many times as long as growing them, with all threads


Pass = Sequence[tuple[brute.PackedQueries, brute.PackedRows]]
Passes = Sequence[Pass]
"""Brute force: parts of the queries, and the sets of rows that each is compared with, in that order."""


def has_products() -> bool:
    """Whether this processor has instructions for dot products of integers; the results are right on any."""
    return integer_dot.available()


def possible(fitted: Fitted) -> bool:
    """Whether a reference can be searched by dot products of integers."""
    return (
        has_products()
        and fitted.multiplied
        and fitted.encoder.proportional
        and fitted.encoded.values.shape[1] <= brute.COLUMNS
    )


def cheaper_than_blocks(
    fitted: Fitted, queries: Queries, found: Neighbors, threads: int, grow: Callable[[], Grown]
) -> Passes | None:
    """Choose how to search the queries by brute force; None where blocks are less work, or the only way.

    A sample of the queries is searched, which leaves its neighbors in `found`. Blocks are grown where brute force would
    take several times as long as that; then what the bounds let through for the sample decides.
    """
    values, rows = queries.values, len(fitted.encoded.values)
    extent = brute.extent(values, fitted.encoded.values)
    if found.records.shape[1] * ROWS_PER_NEIGHBOR > rows > ROWS_ALWAYS_BRUTE_FORCE or not extent.most < brute.FARTHEST:
        return None  # missing and clipped numbers are farther
    order = queries.order
    sample = order[np.unique(np.linspace(0, len(order) - 1, min(len(order), SAMPLED_QUERIES)).astype(np.int64))]
    cost, packed = _least_work(fitted, queries, sample, extent.longest, found, threads)
    columns = values.shape[1]
    if len(order) * cost > TIMES_GROWING * threads * rows * (
        NANOSECONDS_PER_ROW_GROWN + NANOSECONDS_PER_ROW_GROWN_AND_NUMBER * columns
    ):
        visits = _visits(fitted, grow(), queries._replace(order=sample), found)
        if NANOSECONDS_PER_QUERY_OF_BLOCKS + visits * NANOSECONDS_PER_BLOCK_AND_NUMBER * columns < cost:
            return None
    return _passes(queries, order, packed, threads)


def _passes(queries: Queries, order: I64, packed: Sequence[brute.PackedRows], threads: int) -> Passes:
    """Split the queries into passes: those beyond the nearest set of rows look first at the others, nearer to them."""
    parts = [(order, packed)]
    if len(packed) > 1:
        beyond = brute.beyond(queries.values, packed[0])[order]
        parts = [(order[~beyond], packed), (order[beyond], packed[::-1])]
    return [
        [(brute.pack_queries(queries, some, rows.bits, rows.step, threads), rows) for rows in sets]
        for some, sets in parts
        if len(some)
    ]


def _least_work(
    fitted: Fitted, queries: Queries, sample: I64, longest: float, found: Neighbors, threads: int
) -> tuple[float, Sequence[brute.PackedRows]]:
    """Return the reference packed in the cheapest way, and the cost of a query.

    These have 8 bits; where that leaves many rows to be looked at, since a few go far beyond the others, these are sets
    of their own, with a longer step; or they have 16 bits.
    """
    values = fitted.encoded.values
    rows, columns = values.shape
    best: tuple[float, Sequence[brute.PackedRows]] | None = None
    for way in WAYS:
        bits = 16 if way == "16" else 8
        several = way == "8, in sets"
        least = NANOSECONDS_PER_QUERY_AND_SET * (3 if several else 1) + rows * (
            NANOSECONDS_PER_PAIR + NANOSECONDS_PER_PAIR_AND_WORD * brute.words_of(columns, bits)
        )
        if best is not None and best[0] <= least:
            break
        sets = brute.sets(values) if several else [np.arange(rows)]
        if best is not None and several and len(sets) == 1:
            continue
        packed = []
        for some in sets:
            step = (
                brute.step_of_16(longest, columns) if bits == 16 else brute.step_of_8(brute.extent(values[some]).most)
            )
            packed.append(brute.pack_rows(fitted, some, bits, step, threads))
        tried = _cost(fitted, queries, sample, packed, found)
        best = tried if best is None else min(best, tried, key=itemgetter(0))
    assert best is not None
    return best


def _cost(
    fitted: Fitted, queries: Queries, sample: I64, packed: Sequence[brute.PackedRows], found: Neighbors
) -> tuple[float, Sequence[brute.PackedRows]]:
    """Return the cost of a query, estimated from a sample, and the rows in runs that suit them.

    Of few queries, where these show that it is hopeless.
    """
    columns, k = queries.values.shape[1], found.records.shape[1]
    stop = np.zeros(1, np.uint8)
    multiplying = sum(
        NANOSECONDS_PER_QUERY_AND_SET
        + len(rows.order) * (NANOSECONDS_PER_PAIR + NANOSECONDS_PER_PAIR_AND_WORD * brute.words_of(columns, rows.bits))
        for rows in packed
    )
    few = sample[:: -(-len(sample) // ABREAST)].copy()  # of one layout: others would be compiled for anew
    for tried in (few, sample):
        near = np.zeros(len(packed))
        for part in _passes(queries, tried, packed, 1):
            for packed_queries, rows in part:
                i = next(i for i, other in enumerate(packed) if other is rows)
                scratch, count = brute.make_scratch(rows, k), len(packed_queries.order)
                near[i] += brute.search_pairs(
                    0, count, packed_queries, rows, fitted.metric, scratch, found, stop
                ) / len(tried)
        cost = multiplying + float(near.sum()) * (
            NANOSECONDS_PER_DISTANCE + NANOSECONDS_PER_DISTANCE_AND_NUMBER * columns
        )
        if cost > HOPELESS_TIMES_MULTIPLYING * multiplying:
            break
    return cost, [brute.expecting(rows, float(each)) for rows, each in zip(packed, near, strict=True)]


def _visits(fitted: Fitted, grown: Grown, sample: Queries, found: Neighbors) -> float:
    """Return how many blocks bounds let through for a query whose neighbors are found."""
    blocks, half_norms = grown.blocks, grown.half_norms
    assert half_norms is not None
    count, k = len(sample.order), found.records.shape[1]
    state, tiles = make_state(blocks, count, k), products.make_tiles(half_norms, count, sample.values.shape[1])
    stop = np.zeros(1, np.uint8)
    made = scan.search_batches(
        first=0,
        last=count,
        batch=count,
        queries=sample,
        blocks=blocks,
        metric=fitted.metric,
        state=state,
        tiles=tiles,
        lookups=None,
        quantized=None,
        vectors=None,
        found=found,
        stop=stop,
    )
    return float(made / count)
