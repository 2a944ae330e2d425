"""The information of values in bits, derived from the real records before any search.

The bits of a column depend only on its value, so a search has one lookup table per column. These tables can be built
from the value counts of all real records (`Values`): no machine needs the records themselves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.kernels.agreement.shares import Shares
from synthpriv_sql.kernels.jit import F64, I32, I64
from synthpriv_sql.kernels.threads import distribute, together
from synthpriv_sql.udf.encoded import pages


class Values(NamedTuple):
    """The values of a column of all real records.

    known: float64, ascending, or Arrow words: the distinct values. counts: int64, the number of records with each
    value, at least 1. missing: the number of records without a value.
    """

    known: Any
    counts: I64
    missing: int


class Population:
    """Maps values to codes, and codes to bits.

    Codes follow the order of the values. 0 is missing. A category, or a number compared by equality, has its position
    among the known values plus 1; unknown ones share the code after the last. For numbers compared by nearness, known
    values have even codes from 2, and values between two of them the odd code between.

    Parameters
    ----------
    roles
        For each column ``numeric``, ``temporal``, ``categorical`` or ``vector``, which counts as a category.
    weights
        For each column, 0 or more.
    values
        For each column the values of all real records.
    rows
        The number of real records, at least 1.
    near
        Two numbers are near if their double ranks differ by at most ``2 * near * rows``; 0 means equality.

    Attributes
    ----------
    shares : Shares
    """

    def __init__(
        self, roles: Sequence[str], weights: Sequence[float], values: Sequence[Values], rows: int, near: float
    ) -> None:
        apart = math.floor(2 * near * rows)  # double ranks are integers
        self._known = [column.known for column in values]
        self._numbers = [role not in {"categorical", "vector"} for role in roles]
        self._between = [number and apart > 0 for number in self._numbers]
        columns = [
            _shares(column, rows, float(weight), apart if between else None)
            for column, weight, between in zip(values, weights, self._between, strict=True)
        ]
        sizes = [len(column.equal) for column in columns]
        self.shares = Shares(
            np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]),
            *(
                np.concatenate([np.zeros(0, kind), *(getattr(column, field) for column in columns)]).astype(kind)
                for field, kind in zip(Shares._fields[1:], (np.float64, np.float64, np.int32, np.int32), strict=True)
            ),
        )

    def codes(self, table: pages.Encoded, threads: int = 1) -> I32:
        """Return the codes of a table, int32 (rows, columns)."""
        out = np.empty((table.rows, len(table.columns)), np.int32)

        def text(j: int) -> None:
            out[:, j] = pages.codes(table.columns[j], self._known[j])[0]
            out[:, j] += 1

        def numbers(start: int, stop: int) -> None:
            for j, (column, known) in enumerate(zip(table.columns, self._known, strict=True)):
                if self._numbers[j]:
                    out[start:stop, j] = _number_codes(column[start:stop], known, self._between[j])

        texts = [partial(text, j) for j, number in enumerate(self._numbers) if not number]
        together(table.rows, threads, *texts)
        distribute(table.rows, threads, numbers)
        return out


def _number_codes(column: F64, known: F64, between: bool) -> NDArray[np.int64]:
    place = np.searchsorted(known, column)
    inside = np.minimum(place, len(known) - 1)
    equal = known[inside] == column if len(known) else np.zeros(len(column), bool)
    codes = 1 + 2 * place + equal if between else 1 + np.where(equal, place, len(known))
    codes[np.isnan(column)] = 0
    return codes


def _shares(values: Values, rows: int, weight: float, apart: int | None) -> Shares:
    """The shares of one column; `apart` is the allowed difference of double ranks, None if only equal values agree."""
    bits = weight * information(np.concatenate([[values.missing], values.counts]), rows)
    count = len(values.counts)
    if apart is None:
        none = np.zeros(count + 2, np.int32)
        return Shares(np.zeros(0, np.int64), np.append(bits, 0.0), np.zeros(count + 2), none, none - 1)
    up_to = np.cumsum(values.counts)
    below = up_to - values.counts
    ranks = below + up_to
    first = np.searchsorted(ranks, ranks - apart)
    last = np.searchsorted(ranks, ranks + apart, "right") - 1
    every = np.zeros(2 * count + 2, np.int64)  # the double rank of each code; missing has none
    every[2::2] = ranks
    every[3::2] = 2 * up_to
    out = Shares(
        np.zeros(0, np.int64),
        np.zeros(2 * count + 2),
        np.zeros(2 * count + 2),
        np.zeros(2 * count + 2, np.int32),
        np.full(2 * count + 2, -1, np.int32),
    )
    out.equal[0], out.equal[2::2] = bits[0], bits[1:]
    out.nearby[2::2] = np.minimum(bits[1:], weight * information(up_to[last] - below[first], rows))
    out.low[2::2] = 1 + np.searchsorted(every[1:], ranks - apart)
    out.high[2::2] = np.searchsorted(every[1:], ranks + apart, "right")
    return out


def information(counts: I64, rows: int) -> F64:
    """Return -log2(count / rows) for each count, and 0 for a count of 0, a value that does not occur.

    Uses the logarithm of the C library, once per distinct count: the last bit of NumPy's may depend on the CPU.
    """
    distinct, place = np.unique(counts, return_inverse=True)
    bits = [0.0 - math.log2(count / rows) if count else 0.0 for count in distinct.tolist()]
    return np.array(bits, np.float64)[place]


def values_of(tables: Sequence[pages.Encoded], threads: int = 1) -> list[Values]:
    """Count the values of each column over all tables."""
    columns = zip(*(table.columns for table in tables), strict=True)
    return together(sum(table.rows for table in tables), threads, *(partial(_counted, each) for each in columns))


def _counted(parts: Sequence[Any]) -> Values:
    if isinstance(parts[0], pages.Texts):
        codes, known = pages.codes(pages.joined(parts))
        tally = np.bincount(codes + 1, minlength=len(known) + 1)
        return Values(known, tally[1:], int(tally[0]))
    numbers = np.concatenate(parts)
    present = numbers[~np.isnan(numbers)]
    known, counts = np.unique(present, return_counts=True)
    return Values(known, counts.astype(np.int64), len(numbers) - len(present))
