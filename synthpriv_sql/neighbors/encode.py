"""From exact records to what the filters read: bytes for categories, float32 for numbers.

Everything made here is only ever used to rule a pair out, and every step errs to the near side: a code that shares its
byte with another counts as equal, a rounded or clipped number is no farther than its margin says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthpriv_sql.neighbors.layout import Distance, Records

UNSEEN = 255  # the byte of a category that the reference does not have
_OWN = 192  # that many frequent codes get a byte of their own; the others share the 63 left
_HASHED = 16  # codes beyond 2**16 are hashed to so many bits before they are counted
_SLACK = 2.0**-21  # by how much the range of a number may exceed its cap before the cap needs a loop of its own
_FAR = 1e15  # numbers are clipped here: their squares stay finite in float32


@njit(cache=True, nogil=True)
def _count(codes, column, bits, counts):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    for i in range(len(codes)):
        code = np.uint64(codes[i, column] + 1)
        if bits > 0:
            code = (code * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - bits)
        counts[code] += 1


@njit(cache=True, nogil=True)
def _translate(codes, column, bits, table, out, target):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    for i in range(len(codes)):
        code = np.uint64(codes[i, column] + 1)
        if bits > 0:
            code = (code * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - bits)
        out[i, target] = table[code] if code < len(table) else 255


class Encoded(NamedTuple):
    """Rows as the filters see them.

    values: float32 (rows, p), weighted and perhaps rotated, NaN = missing. codes: uint8 (rows, c): categories, then
    one column per number with missing values. margin: float64 (rows,): how much the sum of the absolute errors of the
    values of a row and of any reference row can be.
    """

    values: NDArray[np.float32]
    codes: NDArray[np.uint8]
    margin: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Bytes:
    """How one column of codes becomes bytes."""

    column: int
    bits: int
    table: NDArray[np.uint8]


class Encoder:
    """Learned of the reference, applied to reference and queries alike."""

    def __init__(self, reference: Records, distance: Distance) -> None:
        weights = np.array([w for w in distance.numeric_weights if w > 0])
        self.power = distance.power
        self.factor = np.sqrt(weights) if distance.power == 2 else weights
        present = ~np.isnan(reference.numeric)
        self.nullable = np.flatnonzero(~present.all(axis=0) & (weights * distance.mismatch > 0))
        with np.errstate(invalid="ignore"):
            counts = np.maximum(present.sum(axis=0), 1)
            self.center = np.nansum(reference.numeric / counts, axis=0) if reference.rows else np.zeros(len(weights))
        self.cap = weights if distance.cap else None
        costs = [w * distance.mismatch for w in distance.categorical_weights if w * distance.mismatch > 0]
        costs += [weights[j] * distance.mismatch for j in self.nullable]
        spread = []
        columns = []
        for column in range(reference.codes.shape[1]):
            coder, apart = self._learn(reference.codes, column)
            columns.append(coder)
            spread.append(apart)
        for j in self.nullable:
            share = present[:, j].mean()
            spread.append(2 * share * (1 - share))
        # The columns that tell most rows apart come first: a scan may then stop after a few.
        self.costs_given = np.array(costs)
        self.order = np.argsort(-np.array(spread) * self.costs_given, kind="stable") if costs else np.zeros(0, np.int64)
        self.costs = self.costs_given[self.order]
        self.columns = columns
        self.low = self.high = np.zeros(len(weights), np.float32)
        self.reach = np.zeros(len(weights))
        self.clamped = False

    @staticmethod
    def _learn(codes: NDArray[np.int32], column: int) -> tuple[_Bytes, float]:
        most = int(codes[:, column].max(initial=-1)) + 2
        bits = _HASHED if most > 1 << _HASHED else 0
        counts = np.zeros(1 << bits if bits else most, np.int64)
        _count(codes, column, bits, counts)
        ranked = np.argsort(-counts, kind="stable")
        ranked = ranked[: np.count_nonzero(counts)]
        table = np.full(len(counts), UNSEEN, np.uint8)
        rank = np.arange(len(ranked))
        table[ranked] = np.where(rank < _OWN, rank, _OWN + rank % (UNSEEN - _OWN)) if len(rank) > UNSEEN else rank
        shares = np.bincount(table[ranked], counts[ranked]) / max(len(codes), 1)
        return _Bytes(column, bits, table), 1 - float(np.sum(shares**2))

    def encode(self, table: Records, *, reference: bool) -> Encoded:
        """Encode rows; the reference itself first, since the range of its values bounds the margin."""
        exact = (table.numeric - self.center) * self.factor
        exact = np.clip(exact, -_FAR, _FAR)
        values = exact.astype(np.float32)
        if reference:
            with np.errstate(all="ignore"):
                self.low = np.nanmin(values, axis=0, initial=np.inf)
                self.high = np.nanmax(values, axis=0, initial=-np.inf)
            self.low, self.high = np.minimum(self.low, self.high), np.maximum(self.low, self.high)
            empty = ~np.isfinite(self.low) | ~np.isfinite(self.high)
            self.low, self.high = np.where(empty, 0, self.low), np.where(empty, 0, self.high)
            self.reach = np.maximum(np.abs(self.low), np.abs(self.high)).astype(np.float64)
            if self.cap is not None:
                self.clamped = bool(np.all(self.high - self.low <= self.cap * (1 + _SLACK)))
        elif self.cap is not None and self.clamped:
            # Beyond a full cost a number costs no more: pull it in to where it costs just that, and need no cap later.
            values = np.clip(values, (self.high - self.cap).astype(np.float32), (self.low + self.cap).astype(np.float32))
        width = len(self.order)
        codes = np.empty((table.rows, width), np.uint8)
        given = len(self.columns)
        for target, source in enumerate(self.order):
            if source < given:
                coder = self.columns[source]
                _translate(table.codes, coder.column, coder.bits, coder.table, codes, target)
            else:
                codes[:, target] = np.isnan(table.numeric[:, self.nullable[source - given]])
        size = np.nansum(np.abs(values.astype(np.float64)), axis=1)
        margin = (size + self.reach.sum()) * 2.0**-22
        if self.cap is not None:
            margin += 2 * _SLACK * self.cap.sum()
        return Encoded(values, codes, margin)
