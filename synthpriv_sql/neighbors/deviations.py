"""Standard deviations of numbers, out of pages: to the bit what sql/parts/moments.sql gives, and sooner.

The SQL is what every engine can run, and what `scaling` shows. It names each column some twenty times, and a database
that has just been told so takes longer to understand it than to search a small table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.neighbors import pages

_STEP = 2.0**60  # a sum of whole steps is the same in whatever order it is added up
_HALF = 30  # bits of a step that are added up apart from the others, so that no sum overflows
_LOW = (1 << 64) - 1

Chunk = NDArray[np.float64]
Numbers = NDArray[np.float64]


def standard_deviations(given: Sequence[Any], kinds: Sequence[str]) -> list[float | None]:
    """Return the population standard deviation of each column of numbers; None where all of them are missing.

    Parameters
    ----------
    given
        The pages of a table, in any order.
    kinds
        As for `pages.read`.

    Infinite values count as missing: who reads the table for more than its scale reports them.
    """

    def chunks() -> Iterator[Chunk]:
        # Page by page, each time anew: the pages are there already, and a copy of all numbers would stand beside them.
        for chunk in pages.numbers(given, kinds):
            yield np.where(np.isfinite(chunk), chunk, np.nan)

    columns = sum(kind == "number" for kind in kinds)
    least, most, count = np.full(columns, np.inf), np.full(columns, -np.inf), np.zeros(columns, np.int64)
    for chunk in chunks():
        least, most = np.fmin(least, _reduced(np.fmin, chunk)), np.fmax(most, _reduced(np.fmax, chunk))
        count += np.count_nonzero(chunk == chunk, axis=1)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        span = most - least
        spanning = (span > 0) & np.isfinite(span)

        def places(chunk: Chunk) -> Chunk:
            within = np.where(spanning[:, None], (chunk - least[:, None]) / span[:, None], 0.0)
            return np.where(np.isnan(chunk), np.nan, within)

        def squares(chunk: Chunk) -> Chunk:
            gaps = places(chunk) - means[:, None]
            return gaps * gaps

        means = _sums(map(places, chunks()), columns) / count
        found = np.sqrt(_sums(map(squares, chunks()), columns) / count) * span
    return [float(value) if rows else None for value, rows in zip(found, count, strict=True)]


def _reduced(function: np.ufunc, chunk: Chunk) -> Numbers:
    return np.asarray(function.reduce(chunk, axis=1))


def _sums(chunks: Iterator[Chunk], columns: int) -> Numbers:
    """Exact sums per column, as DOUBLE; missing values count 0."""
    high, low = np.zeros(columns, np.int64), np.zeros(columns, np.int64)
    for chunk in chunks:
        steps = np.rint(np.where(np.isnan(chunk), 0.0, chunk) * _STEP).astype(np.int64)
        high += (steps >> _HALF).sum(axis=1)
        low += (steps & ((1 << _HALF) - 1)).sum(axis=1)
    totals = [(int(a) << _HALF) + int(b) for a, b in zip(high, low, strict=True)]
    # As a HUGEINT becomes a DOUBLE: each half is rounded, then their sum.
    return np.array([(float(total & _LOW) + float(total >> 64) * 2.0**64) / _STEP for total in totals])
