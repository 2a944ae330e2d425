"""Filter of quantized numbers: 8 bits each; rules out most rows of tables with many numbers before float32 does.

All columns have one step, so that the differences of a row are added up as they are. A number beyond the 255 steps of
its column counts as the last of them: that brings numbers nearer to each other, never apart. So does the cap of a
column, which is as many steps as it may have at most. What rounding to steps loses is known of each row
(`Asked.error`) and, as the most of any row, of the reference: a sum of differences exceeds the true one by no more than
both.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from synthpriv_sql.kernels.blocks.limits import SMALLEST_SUM, sum_slack
from synthpriv_sql.kernels.blocks.state import Blocks
from synthpriv_sql.kernels.jit import F32, F64, I32, I64, U8, inner, kernel
from synthpriv_sql.kernels.layout import MANY_NUMBERS, aligned
from synthpriv_sql.kernels.simd import lookups
from synthpriv_sql.kernels.simd.bytes import COLUMNS, MIDDLE, add_gaps, add_squares_of_gaps, available
from synthpriv_sql.kernels.simd.lanes import LANES, lowest, population, prefetch

MOST = 255  # steps of a column
AT_ONCE = 10  # eights of columns between two checks of the surviving rows; sums of their squares are exact in float32
_MORE_NUMBERS = 56  # needed where costs of fewer are looked up
MANY_ROWS = 2048  # of fewer, rounding costs more than it saves
_SAMPLE = 512  # rows from which the ends of columns are learned
_TAIL = 0.005  # of these, the share beyond either end
_SMALLEST_STEP = 1e-30
_TELLING = 0.95  # the share of distances that steps must keep to save work
_FARTHEST = 1e38
_FETCHED = 8  # so many rows of a block are fetched ahead
_WIDEST = 64  # errors that a root is compared with at most


class Asked(NamedTuple):
    """The numbers of queries."""

    steps: U8  # (rows, eights, 8)
    lacking: U8  # (rows, eights): bit i is set where the number of column i is missing
    error: F64  # (rows,) the error of rounding to steps
    complete: I64  # (rows,) the eights in which neither the query nor any row of the reference lacks a number
    norms: I32  # (rows, looks) the sum of q * q for the complete eights between two looks


class Ends(NamedTuple):
    """Steps of each column: their begin, their length, and the cost of a step (0 where there is none)."""

    low: F64
    width: F64
    step: float


class Quantized(NamedTuple):
    """The numbers of both sides, and the sums of a thread."""

    steps: U8  # blocks x eights x 64 x 8, flat
    missing: U8  # blocks x eights x 64, flat, as `Asked.lacking`
    norms: I32  # blocks x looks x 64, flat: the sum of r * (r - 2 * MIDDLE), likewise
    asked: Asked
    step: float  # the cost of a step
    error: float  # the most that rounding lost of a row of the reference
    sums: F32  # (64,)
    near: I64  # (512,) the rows of eight blocks that are left
    costs: F32  # (512,) their minimum cost


class _Places(NamedTuple):
    """Position of the bytes of rows: `lane` of a `block`, which has `lanes`."""

    block: I64
    lane: I64
    lanes: int


@kernel
def _round(
    values: F32,
    order: I64,
    low: F64,
    width: F64,
    step: float,
    power: int,
    normed: int,
    twice: int,
    places: _Places,
    steps: U8,
    lacking: U8,
    error: F64,
    norms: I32,
) -> None:
    """Write the steps of all rows, the missing ones of their numbers, and the rounding errors of the others.

    Of the first `normed` columns in the order, the sums of steps times (steps - `twice`) go to `norms`.
    """
    each = 1 / step
    for i in range(len(values)):
        block, lane = places.block[i], places.lane[i]
        lost = 0.0
        for place in range(len(order)):
            j, eight, column = order[place], place >> 3, place & 7
            value = np.float64(values[i, j])
            if value == value:
                inside = min(max(value - low[j], 0.0), width[j])
                nearest = np.int64(inside * each + 0.5)
                steps[block, eight, lane, column] = nearest
                if place < normed:
                    norms[block, eight // AT_ONCE, lane] += nearest * (nearest - twice)
                gap = abs(inside - nearest * step)
                lost += gap * gap if power == 2 else gap
            else:
                lacking[block, eight, lane] |= np.uint8(1 << column)
        error[i] = np.sqrt(lost) if power == 2 else lost


class Quantizer:
    """How numbers become steps: fitted to a reference, applied to it and to queries.

    Parameters
    ----------
    reference : float32 (rows, columns)
        As `Encoded.values`, in the order of the tree.
    ends : Ends
        Where the steps of each column begin and end.
    power : int
        Whether squares are added.
    starts : int64 (blocks + 1,)
        Where the blocks of the reference begin.
    """

    def __init__(self, reference: F32, ends: Ends, power: int, starts: I64) -> None:
        self._ends, self._power = ends, power
        lacking = np.asarray(np.isnan(reference).any(axis=0))
        self._order = np.argsort(lacking, kind="stable")  # those that lack nothing come first
        self._eights = -(-len(lacking) // COLUMNS)
        self._complete = int((~lacking).sum()) // COLUMNS if lacking.any() else self._eights
        blocks = len(starts) - 1
        block = np.repeat(np.arange(blocks), np.diff(starts))
        places = _Places(block, np.arange(len(reference)) - starts[block], LANES)
        steps, missing, norms, error = self._rounded(reference, blocks, places, 2 * MIDDLE)
        self._steps, self._missing, self._norms = steps.reshape(-1), missing.reshape(-1), norms.reshape(-1)
        self._error = float(error.max(initial=0.0))

    def _rounded(self, values: F32, blocks: int, places: _Places, twice: int) -> tuple[U8, U8, I32, F64]:
        """Return the steps of rows, their missing numbers, the sums of `_round`, and the rounding errors."""
        low, width, step = self._ends
        looks = -(-self._eights // AT_ONCE)
        steps = aligned((blocks, self._eights, places.lanes, COLUMNS), np.uint8)
        lacking = aligned((blocks, self._eights, places.lanes), np.uint8)
        norms = aligned((blocks, looks, places.lanes), np.int32)
        error = np.zeros(len(values))
        normed = self._complete * COLUMNS if self._power == 2 else 0
        _round(
            values=values, order=self._order, low=low, width=width, step=step, power=self._power, normed=normed,
            twice=twice, places=places, steps=steps, lacking=lacking, error=error, norms=norms,
        )  # fmt: skip
        # A little more, since this is float64: for the sum, and for each number and its steps.
        return steps, lacking, norms, error * (1 + 2.0**-40) + MOST * step * len(low) * 2.0**-50

    def filter(self, queries: F32) -> Quantized:
        """Round the numbers of queries."""
        every = np.arange(len(queries))
        places = _Places(every, np.zeros_like(every), 1)  # as if each were a block of its own
        steps, lacking, norms, error = self._rounded(queries, len(queries), places, 0)
        steps, lacking, norms = steps[:, :, 0], lacking[:, :, 0], norms[:, :, 0]
        complete = np.where(lacking[:, : self._complete].any(axis=1), 0, self._complete)
        asked = Asked(steps, lacking, error, complete, norms)
        return Quantized(
            self._steps, self._missing, self._norms, asked, self._ends.step, self._error, *_scratch()
        )  # fmt: skip


def many_numbers() -> int:
    """Return from how many numbers on rounding saves work; what was measured is in docs/kernel-log.md."""
    return _MORE_NUMBERS if lookups.available() else MANY_NUMBERS


def worthwhile(reference: F32) -> bool:
    """Whether rounding the numbers of a reference saves work."""
    rows, columns = reference.shape
    return available() and rows >= MANY_ROWS and columns >= many_numbers()


def quantizer(reference: F32, caps: F64, power: int, starts: I64) -> Quantizer | None:
    """Return the rounding of numbers that cost at most `caps` (infinite: no limit); None if steps tell too little."""
    sample = reference[:: -(-len(reference) // _SAMPLE)].astype(np.float64)
    ends = _ends(sample, caps)
    if ends.step < _SMALLEST_STEP or _kept(sample, ends, caps, power) < _TELLING:
        return None
    return Quantizer(reference, ends, power, starts)


def _ends(sample: F64, caps: F64) -> Ends:
    """Choose the steps of all columns.

    The tails of a column are beyond its ends. The step is the one that loses least: a large one loses by rounding, a
    small one where columns are wider than 255 of it; of those, what is about the median is kept.
    """
    ordered = np.sort(sample.T, axis=1)
    known = (~np.isnan(ordered)).sum(axis=1)  # missing numbers are the last
    tail, every = (known * _TAIL).astype(np.int64), np.arange(len(caps))
    least, most = ordered[every, tail], ordered[every, np.maximum(known - 1 - tail, 0)]
    width = np.where(known > 0, np.minimum(most - least, caps), 0.0)
    tried = np.unique(width[width > 0]) / MOST
    if not len(tried):
        return Ends(np.zeros(len(caps)), width, 0.0)
    rounded = len(width) * tried / 2
    beyond = np.maximum(width[None, :] - MOST * tried[:, None], 0.0).sum(axis=1) / 3
    step = float(tried[np.argmin(rounded + beyond)])
    width = np.minimum(width, MOST * step)
    low = np.minimum(np.maximum(ordered[every, known // 2] - width / 2, least), most - width)
    return Ends(np.where(known > 0, low, 0.0), width, step)


def _kept(sample: F64, ends: Ends, caps: F64, power: int) -> float:
    """Return the share of the distances of pairs of rows that is within the ends of columns."""
    one, other = sample[:-1:2], sample[1::2]
    inside = np.clip(one - ends.low, 0, ends.width) - np.clip(other - ends.low, 0, ends.width)
    every = np.nansum(np.minimum(np.abs(one - other), caps) ** power)
    return float((np.nansum(np.abs(inside) ** power) / every) ** (1 / power)) if every > 0 else 0.0


def per_thread(quantized: Quantized) -> Quantized:
    """Return the filter for one more thread."""
    sums, near, costs = _scratch()
    return quantized._replace(sums=sums, near=near, costs=costs)


def _scratch() -> tuple[F32, I64, F32]:
    """Return the last three arrays of `Quantized`."""
    return aligned(LANES, np.float32), np.zeros(8 * LANES, np.int64), np.zeros(8 * LANES, np.float32)


@inner
def root_for(quantized: Quantized, query: int, most: float) -> float:
    """Choose the root that squares of steps are compared with, where the sums of numbers may go to `most`.

    When an error e is taken off a root x, the square of what remains is at least x**2 r / (r + e) - e r for any r
    above 0, and equal where x = r + e.
    """
    error = quantized.asked.error[query] + quantized.error
    root: float = max(min(np.sqrt(most), _WIDEST * error), error)
    return root


@inner
def limit_steps(quantized: Quantized, query: int, most: float, power: int, root: float) -> np.float32:
    """Return how far the sums of steps may go where those of numbers may go to `most`."""
    asked = quantized.asked
    error = asked.error[query] + quantized.error
    if power == 2:
        error *= root
    roundings = 2 * (asked.steps.shape[1] // AT_ONCE) + 6
    return np.float32(min((most + error) * (1 + sum_slack(roundings)) + SMALLEST_SUM, _FARTHEST))


@inner
def rule_out_by_steps(
    quantized: Quantized, mask: np.uint64, block: int, query: int, most: float, power: int, root: float, sums: F32
) -> np.uint64:
    """Return the rows of `mask` whose sums, with the least costs of their numbers, stay within `most`.

    What these rows cost at least is left in ``quantized.sums``.
    """
    asked, step = quantized.asked, quantized.step
    if power == 2:
        error = asked.error[query] + quantized.error
        step *= step * (root / (root + error) if error > 0 else 1.0)
    cost, limit = np.float32(step), limit_steps(quantized, query, most, power, root)
    for lane in range(LANES):
        quantized.sums[lane] = sums[lane]
    eights, looks, begin = asked.steps.shape[1], asked.norms.shape[1], 0
    at, place, complete = block * eights, query * eights, asked.complete[query]
    for look in range(looks):
        if mask == 0:
            break
        end = min(begin + AT_ONCE, eights)
        known, norm = (block * looks + look) * LANES, np.int64(asked.norms[query, look])
        part = begin, complete, end
        if power == 2:
            mask &= add_squares_of_gaps(quantized, asked, at, place, part, known, norm, cost, limit, quantized.sums)
        else:
            mask &= add_gaps(quantized, asked, at, place, part, known, norm, cost, limit, quantized.sums)
        begin = end
    return mask


@inner
def keep_by_steps(quantized: Quantized, count: int, mask: np.uint64, start: int, blocks: Blocks, summed: bool) -> int:
    """Add the rows of `mask`, in the block that begins at `start`, to the `count` that are left; return the new count.

    Where nothing was summed they come first. If they are few, what they are computed from is prefetched.
    """
    numbers, categories = blocks.numeric.shape[1], blocks.codes.shape[1]
    few = population(mask) <= _FETCHED
    while mask != 0:
        lane = lowest(mask)
        mask &= mask - np.uint64(1)
        row = start + lane
        quantized.near[count], quantized.costs[count] = row, quantized.sums[lane] if summed else np.float32(0)
        count += 1
        if few:
            prefetch(blocks.numeric, row * numbers, (row + 1) * numbers)
            prefetch(blocks.codes, row * categories, (row + 1) * categories)
    return count


@inner
def nearest_by_steps(quantized: Quantized, count: int) -> int:
    """Put the row that costs least by its steps behind the others of `count` (not 0) that are left."""
    near, costs, last, nearest = quantized.near, quantized.costs, count - 1, 0
    for i in range(1, count):
        if costs[i] < costs[nearest]:
            nearest = i
    near[nearest], near[last] = near[last], near[nearest]
    costs[nearest], costs[last] = costs[last], costs[nearest]
    return last
