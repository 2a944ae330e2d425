"""Standard deviations of numbers from pages: bitwise equal to sql/parts/moments.sql, and faster.

The SQL runs on every engine, and `scaling` shows it. It names each column some twenty times, so that for a small table
planning it would take longer than the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.udf.encoded import pages

_STEP = 2.0**60  # sums of integers do not depend on the order of addition
_HALF = 30  # low bits that are summed separately, so that no sum overflows
_BESIDE = 16  # columns whose numbers in a page fit in the CPU cache
_LOW = (1 << 64) - 1
_BY_HALVES = int(duckdb.__version__.split(".")[0]) < 2
"""DuckDB 1 casts HUGEINT to DOUBLE by halves: both are rounded, then their sum. DuckDB 2 rounds once, to nearest."""

Chunk = NDArray[np.float64]
Numbers = NDArray[np.float64]


def standard_deviations(given: Sequence[Any], kinds: Sequence[str]) -> list[float | None]:
    """Return the population standard deviation of each numeric column; None if all of its values are missing.

    Parameters
    ----------
    given
        The pages of a table, in any order.
    kinds
        As for `pages.read`.

    Infinite values count as missing: the search that follows reports them.
    """

    def chunks() -> Iterator[tuple[slice, Chunk]]:
        # Read the pages again for each pass: they are in memory already, and a copy of all numbers would double it.
        for page in pages.numbers(given, kinds):
            for column in range(0, len(page), _BESIDE):
                yield slice(column, min(column + _BESIDE, len(page))), page[column : column + _BESIDE]

    columns = sum(kind == "number" for kind in kinds)
    least, most, count = np.full(columns, np.inf), np.full(columns, -np.inf), np.zeros(columns, np.int64)
    rows = 0
    for at, chunk in chunks():
        rows += chunk.shape[1] if at.start == 0 else 0
        low, high = chunk.min(axis=1), chunk.max(axis=1)
        if np.isfinite(low).all() and np.isfinite(high).all():
            count[at] += chunk.shape[1]
        else:
            known = np.where(np.isfinite(chunk), chunk, np.nan)
            low, high = np.fmin.reduce(known, axis=1), np.fmax.reduce(known, axis=1)
            count[at] += np.count_nonzero(known == known, axis=1)
        least[at], most[at] = np.fmin(least[at], low), np.fmax(most[at], high)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        span = most - least
        spanning = (span > 0) & np.isfinite(span)

        def places(at: slice, chunk: Chunk) -> Chunk:
            """Numbers scaled to [0, 1] by minimum and maximum; 0 if these are equal, NaN if missing."""
            within: Chunk = chunk - least[at, None]
            within /= span[at, None]
            if not spanning[at].all():
                within[~spanning[at]] = 0.0
            return within

        def squares(at: slice, chunk: Chunk) -> Chunk:
            gaps = places(at, chunk)
            gaps -= means[at, None]
            gaps *= gaps
            return gaps

        whole = bool((count == rows).all())
        means = _sums(places, chunks(), columns, whole) / count
        found = np.sqrt(_sums(squares, chunks(), columns, whole) / count) * span
    return [float(value) if known else None for value, known in zip(found, count, strict=True)]


def _sums(
    of: Callable[[slice, Chunk], Chunk], chunks: Iterator[tuple[slice, Chunk]], columns: int, whole: bool
) -> Numbers:
    """Exact sums per column of a function of the values, as DOUBLE; missing values count as 0."""
    high, low = np.zeros(columns, np.int64), np.zeros(columns, np.int64)
    for at, chunk in chunks:
        values = of(at, chunk)
        values *= _STEP
        if not whole:
            values[~np.isfinite(chunk)] = 0.0
        steps = np.rint(values, out=values).astype(np.int64)
        high[at] += (steps >> _HALF).sum(axis=1)
        steps &= (1 << _HALF) - 1
        low[at] += steps.sum(axis=1)
    totals = [(int(a) << _HALF) + int(b) for a, b in zip(high, low, strict=True)]
    return np.array([_as_double(total) / _STEP for total in totals])


def _as_double(total: int) -> float:
    return float(total & _LOW) + float(total >> 64) * 2.0**64 if _BY_HALVES else float(total)
