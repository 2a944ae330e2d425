"""The attack `kernel`: how dense synthetic records are around a real one, relative to other real records.

The density of a table at a record is the mean, over its rows, of a product with a factor per column: a Gaussian of the
difference of two numbers; of categories one factor for equal values and one for different ones. Logarithms of products
are added up column by column, for blocks of rows that stay in the cache while a batch of records is compared with them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from synthpriv_sql.kernels.jit import F64, I32, I64, U8, inner, kernel, unordered
from synthpriv_sql.kernels.threads import SearchOptions, Workers

BATCH = 64
"""Records that are compared with a block of rows at a time."""
BLOCK = 256
SKIPPED = 36.0
"""A term below exp(-36), 2e-16, of the largest so far is left out: a sum is rounded by as much."""
LEAST = -1e300
_ROUNDS = 1.5 * 2.0**52
_LOG2E = 1.4426950408889634
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10


class Rows(NamedTuple):
    """A table, as numbers float64 (numeric, rows), 0 if missing, and codes int32 (columns, rows).

    The columns of codes are those of the numbers, where the code is 1 or, if it is missing, 0; then those of
    categories, 0 if it is missing. gaps : uint8 (columns,), whether a value is missing.
    """

    numbers: F64
    codes: I32
    gaps: U8


class Factors(NamedTuple):
    """The logarithms of factors by column and code: float64, ``starts`` int64 (columns + 1,) has the places of columns.

    equal : of equal codes; different : of different ones, by the code of the record asked for; lacking : float64
    (columns,), where one of both is missing; steps : float64 (numeric,), by which differences of numbers are multiplied
    before half their squares are subtracted.
    """

    starts: I64
    equal: F64
    different: F64
    lacking: F64
    steps: F64


@inner
def _exponential(x: float) -> Any:
    """exp(x) for x from -700 to 0: to 2e-16 of it, and without a call, so that several are computed at once."""
    # The sum is rounded to a whole number, which its last bits hold.
    rounded = x * _LOG2E + _ROUNDS
    whole = rounded - _ROUNDS
    r = (x - whole * _LN2_HIGH) - whole * _LN2_LOW
    p = 1.0 / 479001600.0
    p = p * r + 1.0 / 39916800.0
    p = p * r + 1.0 / 3628800.0
    p = p * r + 1.0 / 362880.0
    p = p * r + 1.0 / 40320.0
    p = p * r + 1.0 / 5040.0
    p = p * r + 1.0 / 720.0
    p = p * r + 1.0 / 120.0
    p = p * r + 1.0 / 24.0
    p = p * r + 1.0 / 6.0
    p = p * r + 0.5
    p = p * r + 1.0
    p = p * r + 1.0
    return np.int64(np.float64(p).view(np.int64) + (np.float64(rounded).view(np.int64) << 52)).view(np.float64)


@unordered
def _sum(terms: F64, count: int) -> Any:
    total = 0.0
    for i in range(count):
        total += terms[i]
    return total


@inner
def _largest(logs: F64, count: int) -> Any:
    """The largest, by eight lanes: the rest of a block is filled."""
    for i in range(count, BLOCK):
        logs[i] = -np.inf
    best = -np.inf
    for i in range(BLOCK // 2):
        other = logs[i + BLOCK // 2]
        logs[i + BLOCK] = logs[i] if logs[i] > other else other
    width = BLOCK // 4
    while width >= 8:
        for i in range(width):
            other = logs[BLOCK + i + width]
            here = logs[BLOCK + i]
            logs[BLOCK + i] = here if here > other else other
        width //= 2
    for i in range(8):
        best = max(best, logs[BLOCK + i])
    return best


@kernel
def _compare(
    begin: int, stop: int, asked: Rows, own: I64, rows: Rows, factors: Factors, logs: F64, largest: F64, total: F64,
    nearest: I64, stopped: U8,
) -> None:  # fmt: skip
    """Add up the products of the records from `begin` to `stop` with all rows; -1 in `own` if a record is no row."""
    count = rows.codes.shape[1]
    columns, numeric = rows.codes.shape[0], rows.numbers.shape[0]
    for first in range(0, count, BLOCK):
        if stopped[0]:
            return
        here = min(BLOCK, count - first)
        for q in range(begin, stop):
            for i in range(here):
                logs[i] = 0.0
            for j in range(columns):
                mine = asked.codes[j, q]
                place = factors.starts[j] + mine
                equal, different, lacking = factors.equal[place], factors.different[place], factors.lacking[j]
                if mine == 0:
                    different = lacking
                if rows.gaps[j] != 0:
                    for i in range(here):
                        theirs = rows.codes[j, first + i]
                        # A row without a value differs from a record with one as if by the rarest value.
                        other = lacking if theirs == 0 else different
                        logs[i] += equal if theirs == mine else other
                elif j >= numeric:
                    for i in range(here):
                        logs[i] += equal if rows.codes[j, first + i] == mine else different
                elif mine == 0:
                    for i in range(here):
                        logs[i] += different
                if j < numeric and mine != 0:
                    x, step = asked.numbers[j, q], factors.steps[j]
                    if rows.gaps[j] != 0:
                        for i in range(here):
                            d = (x - rows.numbers[j, first + i]) * step
                            logs[i] -= 0.5 * d * d if rows.codes[j, first + i] != 0 else 0.0
                    else:
                        for i in range(here):
                            d = (x - rows.numbers[j, first + i]) * step
                            logs[i] -= 0.5 * d * d
            if first <= own[q] < first + here:
                logs[own[q] - first] = -np.inf
            best = _largest(logs, here)
            if best > largest[q]:
                for i in range(here):
                    if logs[i] == best:
                        nearest[q] = first + i
                        break
                total[q] *= _exponential(max(largest[q] - best, -700.0)) if largest[q] > LEAST else 0.0
                largest[q] = best
            elif best < largest[q] - SKIPPED or best == -np.inf:
                continue
            most = largest[q]
            for i in range(here):
                less = logs[i] - most
                term = _exponential(max(less, -SKIPPED))
                logs[i] = term if less > -SKIPPED else 0.0
            total[q] += _sum(logs, here)


class Found(NamedTuple):
    """The logarithm of the mean product, float64 (asked,), -inf without rows; and the row with the largest, int64."""

    logarithms: F64
    nearest: I64


def log_means(
    asked: Rows,
    rows: Rows,
    factors: Factors,
    own: I64,
    *,
    options: SearchOptions = SearchOptions(),
) -> Found:
    """Return the logarithm of the mean, over rows, of the product of factors, for each record.

    Parameters
    ----------
    asked, rows
        The records that are asked for, and those that they are compared with.
    factors
        By column and code.
    own : int64 (asked,)
        The place of a record among the rows, which is left out; -1 if it is none of them.
    options
        Progress counts records.
    """
    people, count = asked.codes.shape[1], rows.codes.shape[1]
    largest = np.full(people, -np.inf)
    total = np.zeros(people)
    nearest = np.full(people, -1, np.int64)
    workers = Workers(options)

    def worker() -> Callable[[int, int], None]:
        logs = np.empty(BLOCK + BLOCK // 2)

        def work(begin: int, end: int) -> None:
            _compare(
                begin=begin,
                stop=end,
                asked=asked,
                own=own,
                rows=rows,
                factors=factors,
                logs=logs,
                largest=largest,
                total=total,
                nearest=nearest,
                stopped=workers.stop,
            )

        return work

    workers.run_chunks(people, BATCH, worker)
    others = count - (own >= 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(others > 0, largest + np.log(total) - np.log(np.maximum(others, 1)), -math.inf)
    return Found(np.maximum(found, LEAST, where=others > 0, out=found), nearest)
