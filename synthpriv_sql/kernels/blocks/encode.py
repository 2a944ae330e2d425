"""The encoding that filters read: bytes for categories, float32 for numbers.

Encoded values are used only to exclude pairs, and every step can only underestimate a distance: codes that share a byte
count as equal, and the margin of a row bounds the error of rounded and clipped numbers. Costs are in a unit of the
encoder, so that weights of any magnitude are in the range of float32.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from synthpriv_sql.kernels.jit import F32, F64, I32, I64, U8, inner, kernel
from synthpriv_sql.kernels.layout import Distance, Records
from synthpriv_sql.kernels.threads import distribute

UNSEEN = 255  # the byte of a category that the reference does not have
_ROWS = 2048  # target for the number of distinct bytes over all columns, which is the size of the tables of bounds
_HASHED = 16  # columns with more than 2**16 codes are hashed to so many bits before counting
_FAR = np.float32(1e15)  # numbers are clipped to this, so that squares are finite in float32
# The maximum relative error of a number: half a unit in the last place of float32, and a few roundings in float64
# before. Near 0, the absolute error is at most the smallest float32.
ROUNDED = 2.0**-24 * (1 + 2.0**-20)
_LEAST = 2.0**-149
_EXTREME = 1e150


class Encoded(NamedTuple):
    """Encoded rows for the filters.

    values: float32 (rows, p), centered, scaled and weighted, NaN = missing. codes: uint8 (rows, c): categories, then
    one column per number with missing values in the reference. margin: float64 (rows,): an upper bound of the sum, over
    the numbers, of the errors of the differences between this row and any row of the reference. surcharge: float64
    (rows,): the cost to every row of the reference, because of missing numbers that the reference never misses.
    """

    values: F32
    codes: U8
    margin: F64
    surcharge: F64

    def take(self, rows: I64) -> Encoded:
        """Return the given rows."""
        return Encoded(self.values[rows], self.codes[rows], self.margin[rows], self.surcharge[rows])


class _Bytes(NamedTuple):
    """The mapping of a column of codes to bytes: code + 1, hashed to `bits` bits if not 0, then a table lookup."""

    bits: int
    table: U8


@inner
def _place(code: int, bits: int) -> np.uint64:
    place = np.uint64(code + np.int64(1))
    return (place * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - bits) if bits > 0 else place


@kernel
def _count(codes: I32, column: int, bits: int, counts: I64) -> None:
    for i in range(len(codes)):
        counts[_place(codes[i, column], bits)] += 1


@kernel
def _translate(codes: I32, column: int, bits: int, table: U8, start: int, stop: int, out: U8, target: int) -> None:
    for i in range(start, stop):
        place = _place(codes[i, column], bits)
        out[i, target] = table[place] if place < len(table) else np.uint8(255)


@kernel
def _scale(
    numeric: F64,
    center: F64,
    factor: F64,
    missing: F64,
    error: float,
    start: int,
    stop: int,
    values: F32,
    margin: F64,
    surcharge: F64,
) -> None:
    """Center, scale, weight, clip and round; the margin grows with the values, like the rounding error."""
    for i in range(start, stop):
        size = cost = 0.0
        for j in range(numeric.shape[1]):
            value = np.float32((numeric[i, j] - center[j]) * factor[j])
            if value == value:
                value = min(max(value, -_FAR), _FAR)
                size += abs(float(value))
            elif numeric[i, j] == numeric[i, j]:  # an infinite difference times 0
                value = np.float32(0)
            else:
                cost += missing[j]
            values[i, j] = value
        margin[i] = size * ROUNDED + error
        surcharge[i] = cost


@kernel
def _present(numeric: F64, count: I64) -> None:
    """Count the numbers of each column that are not missing."""
    for i in range(len(numeric)):
        for j in range(numeric.shape[1]):
            count[j] += numeric[i, j] == numeric[i, j]


@kernel
def _mean(numeric: F64, count: I64, mean: F64) -> None:
    """Add up the mean of each column; divided first, because the sum could overflow."""
    for i in range(len(numeric)):
        for j in range(numeric.shape[1]):
            if numeric[i, j] == numeric[i, j]:
                mean[j] += numeric[i, j] / max(count[j], 1)


@kernel
def _range(values: F32, low: F64, high: F64) -> int:
    """Find the minimum and the maximum of each column; return how many numbers are missing."""
    missing = 0
    for i in range(len(values)):
        for j in range(values.shape[1]):
            value = np.float64(values[i, j])
            if value == value:
                low[j], high[j] = min(low[j], value), max(high[j], value)
            else:
                missing += 1
    return missing


@kernel
def _mark_missing(numeric: F64, column: int, start: int, stop: int, out: U8, target: int) -> None:
    for i in range(start, stop):
        out[i, target] = numeric[i, column] != numeric[i, column]


def scaled(numbers: F64, center: F64, factor: F64, error: float, threads: int) -> tuple[F32, F64]:
    """Return numbers encoded as float32, and for each row an upper bound of all its errors, including `error`."""
    values, margin = np.empty(numbers.shape, np.float32), np.empty(len(numbers), np.float64)
    free, nothing = np.zeros(len(center)), np.empty(len(numbers), np.float64)
    error += len(center) * 2 * _LEAST
    distribute(
        len(numbers),
        threads,
        lambda start, stop: _scale(numbers, center, factor, free, error, start, stop, values, margin, nothing),
    )
    return values, margin


class _Mark(NamedTuple):
    """A column whose missing values are a category: of `Records.numeric`, or the first of a vector in `vectors`."""

    column: int
    of_vectors: bool
    cost: float
    share: float
    """The share of the reference that is not missing."""

    def of(self, table: Records) -> F64:
        """Return the array that contains the column."""
        found = table.vectors if self.of_vectors else table.numeric
        assert found is not None
        return found


class Encoder:
    """Fitted to the reference, applied to reference and queries.

    Attributes
    ----------
    unit : float
        The unit of costs here, in costs of the distance: a power of two near the largest weight.
    costs : float64 (c,)
        The cost of a different byte, per column of `Encoded.codes`.
    caps : float64 (p,)
        The maximum cost of a number; infinite if it is unlimited.
    proportional : bool
        Whether differences of encoded numbers are exact up to rounding, because no scale is too small or large.
    complete : bool
        Whether the reference has no missing numbers; set by `encode_reference`.
    """

    def __init__(self, reference: Records, distance: Distance) -> None:
        weights, scales, missing = distance.numbers
        costs, vectors = distance.costs, np.array([vector.weight for vector in distance.whole])
        largest = max(every.max(initial=0.0) for every in (weights, costs, vectors))
        self.unit = float(np.ldexp(1.0, int(np.frexp(largest)[1]))) if largest > 0 else 1.0
        weights /= self.unit
        missing /= self.unit
        self.power = distance.power
        self.caps = weights if distance.cap else np.full(len(weights), np.inf)
        with np.errstate(over="ignore", under="ignore"):
            factor = (np.sqrt(weights) if distance.power == 2 else weights) / scales
        self._factor = np.minimum(factor, np.finfo(np.float64).max)
        self.proportional = bool(((factor > 1 / _EXTREME) & (factor < _EXTREME)).all())
        present = np.zeros(len(weights), np.int64)
        _present(reference.numeric, present)
        self._surcharge = np.where(present == reference.rows, missing, 0.0)
        mean = np.zeros(len(weights))
        _mean(reference.numeric, present, mean)
        self._center = np.where(np.isfinite(mean), mean, 0.0)
        self._error = len(weights) * 2 * _LEAST
        self.complete = False
        self._marks = [
            _Mark(int(j), False, float(missing[j]), present[j] / reference.rows)
            for j in np.flatnonzero((present < reference.rows) & (missing > 0))
        ]
        self._never: list[_Mark] = []
        """The vectors that the reference never misses."""
        self._look_at_vectors(reference, distance)
        self._bytes, spread_ = self._learn(reference.codes)
        spread_ += [2 * mark.share * (1 - mark.share) for mark in self._marks]
        # The columns that separate most rows come first.
        every = np.array([*(costs / self.unit), *(mark.cost for mark in self._marks)], np.float64)
        self._order = np.argsort(-np.array(spread_, np.float64) * every, kind="stable")
        self.costs = every[self._order]

    def _look_at_vectors(self, reference: Records, distance: Distance) -> None:
        first = 0
        for vector in distance.whole:
            assert reference.vectors is not None
            missing = int(np.isnan(reference.vectors[:, first]).sum())
            cost = vector.weight * distance.mismatch / self.unit
            mark = _Mark(first, True, cost, 1 - missing / reference.rows)
            if cost > 0:
                (self._marks if missing else self._never).append(mark)
            first += vector.length

    @staticmethod
    def _learn(codes: I32) -> tuple[list[_Bytes], list[float]]:
        """Choose the bytes of all columns, and return the probability that two rows differ in each."""
        counted = []
        for column in range(codes.shape[1]):
            most = int(codes[:, column].max(initial=-1)) + 2
            bits = _HASHED if most > 1 << _HASHED else 0
            counts = np.zeros(1 << bits if bits else most, np.int64)
            _count(codes, column, bits, counts)
            ranked = np.argsort(-counts, kind="stable")
            counted.append((bits, counts, ranked[: np.count_nonzero(counts)]))
        widest = UNSEEN
        while widest > 16 and sum(min(len(ranked), widest) for _, _, ranked in counted) > _ROWS:
            widest -= 1
        coders, apart = [], []
        for bits, counts, ranked in counted:
            # The most frequent codes get a byte of their own, the others share the last quarter of the bytes.
            own = widest if len(ranked) <= widest else widest * 3 // 4
            rank = np.arange(len(ranked))
            table = np.full(len(counts), UNSEEN, np.uint8)
            table[ranked] = np.where(rank < own, rank, own + rank % max(widest - own, 1))
            shares = np.bincount(table[ranked], counts[ranked]) / max(len(codes), 1)
            coders.append(_Bytes(bits, table))
            apart.append(1 - float(np.sum(shares**2)))
        return coders, apart

    def encode(self, table: Records, threads: int = 1) -> Encoded:
        """Encode rows."""
        out = Encoded(
            np.empty(table.numeric.shape, np.float32),
            np.empty((table.rows, len(self._order)), np.uint8),
            np.empty(table.rows, np.float64),
            np.empty(table.rows, np.float64),
        )

        def work(start: int, stop: int) -> None:
            known = self._center, self._factor, self._surcharge, self._error
            _scale(table.numeric, *known, start, stop, out.values, out.margin, out.surcharge)
            for mark in self._never:
                lacking = np.isnan(mark.of(table)[start:stop, mark.column])
                out.surcharge[start:stop] += lacking * mark.cost
            for target, source in enumerate(self._order):
                if source < len(self._bytes):
                    _translate(table.codes, source, *self._bytes[source], start, stop, out.codes, target)
                else:
                    mark = self._marks[source - len(self._bytes)]
                    _mark_missing(mark.of(table), mark.column, start, stop, out.codes, target)

        distribute(table.rows, threads, work)
        return out

    def encode_reference(self, table: Records, threads: int = 1) -> Encoded:
        """Encode the reference and determine the range of its numbers, which is required before queries are encoded."""
        out = self.encode(table, threads)
        low, high = np.full(len(self._center), np.inf), np.full(len(self._center), -np.inf)
        self.complete = _range(out.values, low, high) == 0
        low, high = np.where(low <= high, low, 0.0), np.where(low <= high, high, 0.0)
        self._error += float(np.maximum(np.abs(low), np.abs(high)).sum()) * ROUNDED
        return out
