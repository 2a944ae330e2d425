"""Brute force: every query against every row, as dot products of integers of 8 or 16 bits.

It is chosen where bounds would exclude little, or where to make blocks would take longer (`costs.py`).

Numbers of both tables become integers in units of one step, q of a query and r of a row. Sums of products of integers
are exact, and so is D**2 = |q|**2 + |r|**2 - 2 q.r. By the triangle inequality D is off from the distance of the two by
no more than the sum of what each lost when it was rounded. The k least D therefore bound the distance of the k nearest
from above: those k rows are computed first, and every row whose D exceeds their distance by more than the two may be
off is ruled out. Few are left; their distance is computed in float64.

A query outside the range of all rows is moved to the nearest point of that range. Rows lie in a box around the center,
so a query is farther from any of them than that point is, by the distance moved, in squares: |q - r|**2 >= |q - p|**2 +
|p - r|**2.

The sums are not even written: of a run of blocks (a panel) only the least is kept, in 16 lanes, and panels that have
one within the bound are multiplied once more.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.kernels.blocks.exact import offer
from synthpriv_sql.kernels.blocks.limits import SMALLEST
from synthpriv_sql.kernels.blocks.state import ALL, Metric, Queries
from synthpriv_sql.kernels.jit import F32, F64, I32, I64, U8, inner, kernel
from synthpriv_sql.kernels.layout import Neighbors, aligned
from synthpriv_sql.kernels.simd.integer_dot import (
    MOST,
    SUMS,
    lanes_within,
    least_products_of_8,
    least_products_of_16,
    rows_between_of_8,
    rows_between_of_16,
)
from synthpriv_sql.kernels.simd.lanes import LANES, lowest
from synthpriv_sql.kernels.simd.tiles import ABREAST
from synthpriv_sql.kernels.threads import distribute

if TYPE_CHECKING:
    from synthpriv_sql.kernels.knn.build import Fitted

BATCH = 4 * ABREAST  # queries that visit the rows together
MOST_PANELS = 512  # runs of blocks at most, for each of which a query keeps 16 sums
NOBODY = 1 << 30  # the initial sum of padding rows; no other sum is so large
COLUMNS = 1 << 14  # with more, some sum might be
FARTHEST = 1e14  # numbers that may have been clipped are beyond: how far they are off is not known
_SHARES = 0.95, 0.995  # of the rows that are not in the sets that go farthest
_LONGEST = 2.0**14  # no vector of numbers of 16 bits is longer: products of two are below 2 ** 28


class PackedRows(NamedTuple):
    """Rows of the reference, packed for integer products."""

    bits: int  # of a number
    words: I32  # blocks x words x 64, flat
    halves: I32  # blocks x 64: half of the square of the length, rounded down
    error: float  # the most that a row is off by
    step: float
    panel: int  # blocks of a run
    order: I64  # which rows of the reference these are
    numeric: F64  # exact, the whole reference
    member_start: I64
    members: I64  # the records that equal a row, ascending


class PackedQueries(NamedTuple):
    """Queries, in the order in which they are searched."""

    words: I32  # sixes x words x 6, flat: the numbers with their signs changed
    norms: I64  # squares of the lengths
    shifts: I64  # by how much the sums are below those of signed numbers
    errors: F64  # the rounding error of each
    margins: F64  # the errors of it and of all rows before packing
    excess: F64  # the square of its distance from the numbers that rows may have
    numeric: F64  # exact, the whole table
    order: I64  # the rows of it that are queries for, which have the same place in what is found


class Scratch(NamedTuple):
    """Working memory of a thread."""

    least: I32  # BATCH x panels x 16, flat
    nearest: I64  # (k,) the least of one query


@kernel
def _pack(
    values: F32,
    order: I64,
    step: float,
    bits: int,
    sign: int,
    lanes: int,
    start: int,
    stop: int,
    words: I32,
    norms: I64,
    sums: I64,
    errors: F64,
    excess: F64,
) -> None:
    """Make rows, in an order, whole numbers of a step, in words; `lanes` rows are together, word by word.

    What is beyond the largest number is cut off, and its square added to `excess`.
    """
    each = 32 // bits
    count = -(-values.shape[1] // each)
    most, mask = (1 << (bits - 1)) - 1, (1 << bits) - 1
    offset = 128 if bits == 8 and sign > 0 else 0
    for i in range(start, stop):
        norm = total = 0
        error = beyond = 0.0
        for w in range(count):
            word = 0
            for b in range(each):
                j = w * each + b
                if j < values.shape[1]:
                    value = np.float64(values[order[i], j])
                    number = int(min(max(np.floor(value / step + 0.5), -most), most))
                    gap = value - number * step
                    if abs(value) > most * step:
                        beyond += gap * gap
                    else:
                        error += gap * gap
                    norm += number * number
                    total += number
                    word |= ((sign * number + offset) & mask) << (bits * b)
            words[((i // lanes) * count + w) * lanes + i % lanes] = np.int32(np.uint32(word))
        norms[i], sums[i], errors[i], excess[i] = norm, total, np.sqrt(error) * (1 + 1e-9), beyond * (1 - 1e-9)


@kernel
def _extent(values: F32, out: F64) -> None:
    """Find the largest number, infinite where one is missing, and the square of the longest row."""
    for i in range(len(values)):
        most = length = 0.0
        for j in range(values.shape[1]):
            value = np.float64(values[i, j])
            most = max(most, abs(value)) if value == value else np.inf
            length += value * value
        out[0], out[1] = max(out[0], most), max(out[1], length)


class Extent(NamedTuple):
    """How far the numbers of some tables go: the largest, and the longest row."""

    most: float
    longest: float


def extent(*tables: F32) -> Extent:
    """Measure tables; infinite where a number is missing."""
    out = np.zeros(2)
    for values in tables:
        _extent(values, out)
    return Extent(float(out[0]), float(np.sqrt(out[1])))


def step_of_8(most: float) -> float:
    """Return a step with which numbers have 8 bits: the largest is a hair less than 127 steps."""
    return most / 127 * (1 + 1e-12) if most > 0 else 1.0


def step_of_16(longest: float, columns: int) -> float:
    """Return a step with which no sum of products of two rows up to the longest overflows."""
    # A number that is rounded up makes a row longer, by half at most of each column.
    return float(longest / (_LONGEST - np.sqrt(columns))) if longest > 0 else 1.0


def pack_rows(fitted: Fitted, order: I64, bits: int, step: float, threads: int) -> PackedRows:
    """Pack rows of the reference, none of which goes beyond what the bits of a step can say."""
    values, count = fitted.encoded.values, len(order)
    blocks, words = -(-count // LANES), words_of(values.shape[1], bits)
    packed, norms = aligned(blocks * words * LANES, np.int32), np.zeros(count, np.int64)
    sums, errors, excess = np.zeros(count, np.int64), np.zeros(count), np.zeros(count)

    out = {"words": packed, "norms": norms, "sums": sums, "errors": errors, "excess": excess}

    def work(start: int, stop: int) -> None:
        _pack(values, order, step, bits, sign=1, lanes=LANES, start=start, stop=stop, **out)

    distribute(count, threads, work)
    halves = aligned(blocks * LANES, np.int32)
    halves[:] = NOBODY
    halves[:count] = norms >> 1
    exact = fitted.table.numeric, fitted.member_start, fitted.members
    return PackedRows(
        bits, packed, halves, float(errors.max(initial=0.0)), step, _panel(blocks, words, 2.0), order, *exact
    )


def _panel(blocks: int, words: int, near: float) -> int:
    """How many blocks are a run: all runs are looked at, those of near rows are multiplied again; as much for both."""
    return max(1, round(math.sqrt(2 * blocks / (words * max(near, 2.0)))), -(-blocks // MOST_PANELS))


def expecting(rows: PackedRows, near: float) -> PackedRows:
    """Return the rows in runs for queries that have so many near rows."""
    blocks = len(rows.halves) // LANES
    return rows._replace(panel=_panel(blocks, len(rows.words) // len(rows.halves), near))


def pack_queries(queries: Queries, order: I64, bits: int, step: float, threads: int) -> PackedQueries:
    """Pack queries in an order."""
    values, count, words = queries.values, len(order), words_of(queries.values.shape[1], bits)
    packed, norms = aligned(-(-count // ABREAST) * words * ABREAST, np.int32), np.zeros(count, np.int64)
    sums, errors, excess = np.zeros(count, np.int64), np.zeros(count), np.zeros(count)

    out = {"words": packed, "norms": norms, "sums": sums, "errors": errors, "excess": excess}

    def work(start: int, stop: int) -> None:
        _pack(values, order, step, bits, sign=-1, lanes=ABREAST, start=start, stop=stop, **out)

    distribute(count, threads, work)
    shifts = sums * (128 if bits == 8 else 0)
    return PackedQueries(packed, norms, shifts, errors, queries.margin[order], excess, queries.numeric, order)


def sets(values: F32) -> list[I64]:
    """Part rows by their largest number, the nearest first: a few that go far out would make all steps long."""
    largest = np.abs(values).max(axis=1)
    most = largest.max()
    ends = [end for end in np.quantile(largest, _SHARES).tolist() if end < most / 2]
    part = np.searchsorted(ends, largest)
    found = (np.flatnonzero(part == i) for i in range(len(ends) + 1))
    return [rows for rows in found if len(rows)]  # ends that are equal have nobody between them


def beyond(values: F32, rows: PackedRows) -> NDArray[np.bool_]:
    """Tell which queries go beyond what the numbers of rows can say."""
    return np.asarray(np.abs(values).max(axis=1) > 127 * rows.step)


def words_of(columns: int, bits: int) -> int:
    """Return how many words the numbers of a row take."""
    return -(-columns * bits // 32)


def make_scratch(rows: PackedRows, k: int) -> Scratch:
    """Allocate what a thread needs."""
    panels = -(-len(rows.halves) // (LANES * rows.panel))
    return Scratch(aligned(BATCH * panels * SUMS, np.int32), np.zeros(k, np.int64))


@inner
def _kth_least(scratch: Scratch, slot: int, panels: int) -> int:
    """Return a sum that k of the rows have at most: the k-th least of the lanes of a query."""
    nearest, k = scratch.nearest, len(scratch.nearest)
    nearest[:] = MOST
    for panel in range(panels):
        at = (slot * panels + panel) * SUMS
        lanes = lanes_within(scratch.least, at, nearest[k - 1] - 1)
        while lanes != 0:
            value = np.int64(scratch.least[at + lowest(lanes)])
            lanes &= lanes - np.uint64(1)
            place = k - 1
            while place >= 0 and value < nearest[place]:
                if place < k - 1:
                    nearest[place + 1] = nearest[place]
                nearest[place] = value
                place -= 1
    return int(nearest[k - 1]) if nearest[k - 1] < NOBODY else MOST


@inner
def _limit(worst: float, query: int, queries: PackedQueries, rows: PackedRows, metric: Metric) -> int:
    """Return the most that the sum of a row may be that is no farther than the worst in the list of a query."""
    if worst == np.inf:
        return MOST
    squares = (worst * worst if metric.root else worst) * metric.divisor
    squares = (squares * (1 + metric.slack) + SMALLEST) / metric.unit
    far = np.sqrt(squares) + queries.margins[query]
    # The rows are in a convex set, so the excess of a query beyond it adds up in squares.
    left = far * far - queries.excess[query]
    if left < 0:
        return -MOST
    far = (np.sqrt(left) + queries.errors[query] + rows.error) / rows.step
    most = 0.5 * (far * far * (1 + 2.0**-40) - queries.norms[query]) - queries.shifts[query]
    return int(min(max(most, -float(MOST)), float(MOST)))


@inner
def _distance(numeric: F64, query: int, rows: PackedRows, row: int, metric: Metric) -> float:
    """Add up the squares of a query and a row as the kernel does (`_add_columns` in blocks/exact.py)."""
    total = 0.0
    for j in range(len(metric.weights)):
        gap = abs(numeric[query, j] - rows.numeric[row, j]) / metric.scales[j]
        total += metric.weights[j] * (gap * gap)
    total /= metric.divisor
    return np.sqrt(total) if metric.root else total


@inner
def _compute_near(
    scratch: Scratch,
    slot: int,
    panels: int,
    query: int,
    least: int,
    most: int,
    queries: PackedQueries,
    rows: PackedRows,
    metric: Metric,
    found: Neighbors,
) -> int:
    """Compute the distance of every row whose sum is above `least` and at most `most`; return how many these are."""
    looked = 0
    record, count = queries.order[query], len(rows.order)
    blocks = len(rows.halves) // LANES
    words = len(rows.words) // len(rows.halves)
    place = (query // ABREAST) * ABREAST * words + query % ABREAST
    for panel in range(panels):
        if lanes_within(scratch.least, (slot * panels + panel) * SUMS, most) == 0:
            continue
        for block in range(panel * rows.panel, min((panel + 1) * rows.panel, blocks)):
            if rows.bits == 8:
                near = rows_between_of_8(rows.words, block, rows.halves, queries.words, place, words, least, most)
            else:
                near = rows_between_of_16(rows.words, block, rows.halves, queries.words, place, words, least, most)
            near &= ALL >> np.uint64(64 - min(64, count - block * 64))
            while near != 0:
                row = rows.order[block * 64 + lowest(near)]
                near &= near - np.uint64(1)
                looked += 1
                distance = _distance(queries.numeric, record, rows, row, metric)
                for i in range(rows.member_start[row], rows.member_start[row + 1]):
                    if not offer(found.records, found.distances, record, distance, rows.members[i]):
                        break
    return looked


@kernel
def search_pairs(
    first: int,
    last: int,
    queries: PackedQueries,
    rows: PackedRows,
    metric: Metric,
    scratch: Scratch,
    found: Neighbors,
    stop: U8,
) -> int:
    """Search queries `first` (a multiple of BATCH) to `last`, until `stop[0]` is set; return how many rows were near.

    Records of these rows that are nearer take the place of those in `found`.
    """
    near = 0
    blocks = len(rows.halves) // LANES
    words = len(rows.words) // len(rows.halves)
    panels = -(-blocks // rows.panel)
    for begin in range(first, last, BATCH):
        if stop[0] != 0:
            break
        end = min(begin + BATCH, last)
        for panel in range(panels):
            start = panel * rows.panel
            count = min(rows.panel, blocks - start)
            for six in range(begin, end, ABREAST):
                place, at = six * words, ((six - begin) * panels + panel) * SUMS
                if rows.bits == 8:
                    least_products_of_8(
                        rows.words,
                        start,
                        count,
                        rows.halves,
                        queries.words,
                        place,
                        words,
                        scratch.least,
                        at,
                        panels * SUMS,
                    )
                else:
                    least_products_of_16(
                        rows.words,
                        start,
                        count,
                        rows.halves,
                        queries.words,
                        place,
                        words,
                        scratch.least,
                        at,
                        panels * SUMS,
                    )
        for query in range(begin, end):
            slot, list_ = query - begin, found.distances[queries.order[query]]
            # Those that are certain to be there first: their distance bounds the others better than their sums do.
            least = min(_kth_least(scratch, slot, panels), _limit(list_[-1], query, queries, rows, metric))
            near += _compute_near(scratch, slot, panels, query, -MOST, least, queries, rows, metric, found)
            most = _limit(list_[-1], query, queries, rows, metric)
            if most > least:
                near += _compute_near(scratch, slot, panels, query, least, most, queries, rows, metric, found)
    return near
