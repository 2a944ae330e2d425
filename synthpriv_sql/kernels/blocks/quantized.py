"""Numbers as whole steps of 8 bits: what rules out most rows of tables with many numbers before float32 does.

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
from synthpriv_sql.kernels.jit import F32, F64, I64, U8, inner, kernel
from synthpriv_sql.kernels.layout import MANY_NUMBERS, aligned
from synthpriv_sql.kernels.simd.bytes import COLUMNS, add_gaps, add_squares_of_gaps, available
from synthpriv_sql.kernels.simd.lanes import LANES, lowest

MOST = 255  # steps of a column
AT_ONCE = 8  # eights of columns between two looks at who survives
MANY_ROWS = 2048  # of fewer, rounding costs more than it saves
_SAMPLE = 512  # rows from which the ends of columns are learned
_TAIL = 0.005  # of these, the share beyond either end
_SMALLEST_STEP = 1e-30
_TELLING = 0.95  # the share of distances that steps must keep to save work
_FARTHEST = 1e38
_WIDEST = 64  # errors that a root is compared with at most


class Asked(NamedTuple):
    """The numbers of queries."""

    steps: U8  # (rows, eights, 8)
    lacking: U8  # (rows, eights): bit i is set where the number of column i is missing
    error: F64  # (rows,) what rounding to steps lost
    complete: I64  # (rows,) the eights in which neither the query nor any row of the reference lacks a number


class Ends(NamedTuple):
    """Where the steps of each column begin, how far they go, and what a step costs (0 where there is none)."""

    low: F64
    width: F64
    step: float


class Quantized(NamedTuple):
    """The numbers of both sides, and what a thread adds up."""

    steps: U8  # blocks x eights x 64 x 8, flat
    missing: U8  # blocks x eights x 64, flat, as `Asked.lacking`
    asked: Asked
    step: float  # what a step costs
    error: float  # the most that rounding lost of a row of the reference
    sums: F32  # (64,)


@kernel
def _round(
    values: F32, order: I64, low: F64, width: F64, step: float, power: int, steps: U8, lacking: U8, error: F64
) -> None:
    """Write the steps of all rows, which of their numbers are missing, and what the others lost."""
    for i in range(len(values)):
        lost = 0.0
        for place in range(len(order)):
            j = order[place]
            value = np.float64(values[i, j])
            if value == value:
                inside = min(max(value - low[j], 0.0), width[j])
                nearest = np.int64(inside / step + 0.5)
                steps[i, place] = nearest
                gap = abs(inside - nearest * step)
                lost += gap * gap if power == 2 else gap
            else:
                lacking[i, place >> 3] |= np.uint8(1 << (place & 7))
        error[i] = np.sqrt(lost) if power == 2 else lost


class Quantizer:
    """How numbers become steps: learned of a reference, applied to it and to queries.

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
        missing = np.asarray(np.isnan(reference).any(axis=0))
        self._order = np.argsort(missing, kind="stable")  # those that lack nothing come first
        self._eights = -(-len(missing) // COLUMNS)
        self._complete = int((~missing).sum()) // COLUMNS if missing.any() else self._eights
        steps, lacking, error = self._rounded(reference)
        blocks = len(starts) - 1
        block = np.repeat(np.arange(blocks), np.diff(starts))
        lane = np.arange(len(reference)) - starts[block]
        by_block = aligned((blocks, self._eights, LANES, COLUMNS), np.uint8)
        by_block[block, :, lane] = steps
        holes = aligned((blocks, self._eights, LANES), np.uint8)
        holes[block, :, lane] = lacking
        self._steps, self._missing, self._error = by_block.reshape(-1), holes.reshape(-1), float(error.max(initial=0.0))

    def _rounded(self, values: F32) -> tuple[U8, U8, F64]:
        """Return the steps of rows, where they lack numbers, and what rounding lost of them."""
        steps = np.zeros((len(values), self._eights, COLUMNS), np.uint8)
        lacking, error = np.zeros((len(values), self._eights), np.uint8), np.zeros(len(values))
        low, width, step = self._ends
        flat = steps.reshape(len(values), self._eights * COLUMNS)
        _round(values, self._order, low, width, step, self._power, flat, lacking, error)
        # A little more, since this is float64: for the sum, and for each number and its steps.
        return steps, lacking, error * (1 + 2.0**-40) + MOST * step * len(low) * 2.0**-50

    def filter(self, queries: F32) -> Quantized:
        """Round the numbers of queries."""
        steps, lacking, error = self._rounded(queries)
        complete = np.where(lacking[:, : self._complete].any(axis=1), 0, self._complete)
        asked = Asked(steps, lacking, error, complete)
        return Quantized(self._steps, self._missing, asked, self._ends.step, self._error, _sums())


def worthwhile(reference: F32, power: int) -> bool:
    """Whether rounding the numbers of a reference saves work; what was measured is in 0004-kernel-log.md."""
    rows, columns = reference.shape
    return available() and rows >= MANY_ROWS and columns >= MANY_NUMBERS[power]


def quantizer(reference: F32, caps: F64, power: int, starts: I64) -> Quantizer | None:
    """Return what rounds numbers that cost at most `caps` (infinite: no limit); None where steps tell too little."""
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
    """Return what share of the distances of pairs of rows is within the ends of columns."""
    one, other = sample[:-1:2], sample[1::2]
    inside = np.clip(one - ends.low, 0, ends.width) - np.clip(other - ends.low, 0, ends.width)
    every = np.nansum(np.minimum(np.abs(one - other), caps) ** power)
    return float((np.nansum(np.abs(inside) ** power) / every) ** (1 / power)) if every > 0 else 0.0


def per_thread(quantized: Quantized) -> Quantized:
    """Return the filter for one more thread."""
    return quantized._replace(sums=_sums())


def _sums() -> F32:
    return aligned(LANES, np.float32)


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
    """Return the rows of `mask` whose sums, and what their numbers cost at least, stay within `most`.

    What these rows cost at least is left in ``quantized.sums``.
    """
    asked, step = quantized.asked, quantized.step
    if power == 2:
        error = asked.error[query] + quantized.error
        step *= step * (root / (root + error) if error > 0 else 1.0)
    cost, limit = np.float32(step), limit_steps(quantized, query, most, power, root)
    for lane in range(LANES):
        quantized.sums[lane] = sums[lane]
    eights, begin = asked.steps.shape[1], 0
    at, place, complete = block * eights, query * eights, asked.complete[query]
    while begin < eights and mask != 0:
        end = min(begin + AT_ONCE, eights)
        if power == 2:
            mask &= add_squares_of_gaps(
                quantized.steps, quantized.missing, at, asked.steps, asked.lacking, place, begin, complete, end, cost,
                limit, quantized.sums,
            )  # fmt: skip
        else:
            mask &= add_gaps(
                quantized.steps, quantized.missing, at, asked.steps, asked.lacking, place, begin, complete, end, cost,
                limit, quantized.sums,
            )  # fmt: skip
        begin = end
    return mask


@inner
def nearest_by_steps(quantized: Quantized, mask: np.uint64) -> int:
    """Return the row of `mask` (not 0) that costs least by its steps."""
    nearest: int = lowest(mask)
    mask &= mask - np.uint64(1)
    while mask != 0:
        lane = lowest(mask)
        mask &= mask - np.uint64(1)
        if quantized.sums[lane] < quantized.sums[nearest]:
            nearest = lane
    return nearest
