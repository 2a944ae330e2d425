"""What texts that come back nearly tell of real records: the bits of nearness, and words in a row, of each record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from synthpriv_sql.udf.encoded import nearness, pages
from synthpriv_sql.udf.encoded.population import Values, information
from synthpriv_sql.udf.encoded.texts import normalized
from synthpriv_sql.udf.texts import phrases

if TYPE_CHECKING:  # numba is loaded by the first search, not on import
    from synthpriv_sql.kernels.jit import F64, I64

EDITS = (1, 20)
"""Up to so many edits texts come back; 20 is as many as nearness allows."""
WORDS = 4
"""From so many words in a row on they count."""


def columns_of(options: Mapping[str, Any], values: Sequence[Values]) -> list[int]:
    """Return the positions of the columns that have texts; `options` are those of the attack `learned`."""
    named = options.get("texts") or [False] * len(options["roles"])
    return nearness.texts_of({**options, "texts": named, "near": 1.0}, values)


def bits(
    columns: Sequence[int],
    weights: Sequence[float],
    values: Sequence[Values],
    real: pages.Encoded,
    synthetic: pages.Encoded,
    *,
    threads: int = 1,
    cancelled: Callable[[], bool] | None = None,
) -> F64:
    """Return the bits of texts that come back nearly, float64 (real records, len(EDITS)), summed over columns.

    Parameters
    ----------
    columns
        The positions of the columns of texts.
    weights, values
        As for `Population`, of these real records.
    real, synthetic
        The tables.
    threads, cancelled
        As for a search.
    """
    found = np.zeros((real.rows, len(EDITS)))
    for j in columns:
        found += _column(values[j], real.columns[j], synthetic.columns[j], real.rows, threads, cancelled) * float(
            weights[j]
        )
    return found


def _column(values: Values, real: pages.Texts, synthetic: pages.Texts, rows: int, threads: int, cancelled: Any) -> F64:
    from synthpriv_sql.kernels.near import limits
    from synthpriv_sql.kernels.near.search import Search

    codes, _ = pages.codes(real, values.known)
    numbers: dict[str, int] = {}
    known, ours = (
        np.array([numbers.setdefault(normalized(word), len(numbers)) for word in part.to_pylist()], np.int32)
        for part in (values.known, pages.codes(synthetic)[1])
    )
    search = Search(limits.texts(list(numbers)), threads=threads, cancelled=cancelled)
    weights = np.bincount(known, values.counts, len(numbers)).astype(np.int64)
    asked, fresh = np.unique(known), np.unique(ours)
    by_text = np.zeros((len(numbers), len(EDITS)))
    for place, edits in reversed(list(enumerate(EDITS))):  # what has none at all has none with fewer edits
        asked = asked[search.returning(asked, fresh, np.zeros(len(asked), bool), edits)[0] == 1]
        if place == len(EDITS) - 1:
            sums = search.counted(asked, np.unique(known), weights[np.unique(known)], nearness.ENOUGH)
            worth = np.where(sums <= nearness.ENOUGH, information(sums, rows), 0.0)
            by_text[asked, place] = worth
        else:
            by_text[asked, place] = by_text[asked, -1]
    of_codes = np.concatenate([np.zeros((1, len(EDITS))), by_text[known]])  # missing is worth nothing
    found: F64 = of_codes[codes + 1]
    return found


def words(columns: Sequence[int], real: pages.Encoded, synthetic: pages.Encoded, persons: I64) -> F64 | None:
    """Return how many words in a row of each person, theirs alone, are in synthetic; None without longer texts.

    The largest number of any column, float64 (real records,).
    """
    most = None
    for j in columns:
        found = phrases.words_of([real.columns[j], synthetic.columns[j]], persons, WORDS)
        if found is not None:
            most = found if most is None else np.maximum(most, found)
    return None if most is None else most.astype(np.float64)
