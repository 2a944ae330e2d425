"""What texts that come back nearly tell of real records: the bits of nearness, and words in a row, of each record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from synthpriv_sql.kernels.threads import SearchOptions
from synthpriv_sql.udf.encoded import nearness, pages
from synthpriv_sql.udf.encoded.population import Values, information, values_of
from synthpriv_sql.udf.encoded.texts import normalized
from synthpriv_sql.udf.texts import phrases

if TYPE_CHECKING:  # numba is loaded by the first search, not on import
    from synthpriv_sql.kernels.jit import F64, I32

EDITS = (1, 20)
"""Up to so many edits texts come back; 20 is as many as nearness allows."""
WORDS = 4
"""From so many words in a row on they count."""
_LABELS = "bits of texts that come back with an edit at most", "bits of texts that come back nearly"
_SHARED = "words in a row that nobody else has and a synthetic record has too"


def evidence(
    real: pages.Encoded,
    synthetic: pages.Encoded,
    persons: I32,
    options: Mapping[str, Any],
    cancelled: Callable[[], bool] | None = None,
) -> list[tuple[F64, str]]:
    """Return numbers of each real record, float64, each with a label for users; none without columns of texts.

    Parameters
    ----------
    real, synthetic
        The tables, with values that are compared by equality.
    persons : int32 (real,)
        The person of each real record.
    options
        Those of the attack `learned`.
    cancelled
        As for a search.
    """
    threads, weights = options["threads"], options["weights"]
    values = values_of([real], threads)
    named = options.get("texts") or [False] * len(weights)
    columns = nearness.texts_of({**options, "texts": named, "near": 1.0}, values)
    if not columns:
        return []
    run, bits = SearchOptions(threads, cancelled=cancelled), np.zeros((real.rows, len(EDITS)))
    for j in columns:
        found = _column(values[j], real.columns[j], synthetic.columns[j], real.rows, run)
        bits += found * float(weights[j])
    made = list(zip(bits.T, _LABELS, strict=True))
    who = persons.astype(np.int64)
    words = [phrases.words_of([real.columns[j], synthetic.columns[j]], who, WORDS) for j in columns]
    most = [one for one in words if one is not None]
    if most:
        made.append((np.max(most, axis=0).astype(np.float64), _SHARED))
    return made


def _column(values: Values, real: pages.Texts, synthetic: pages.Texts, rows: int, run: SearchOptions) -> F64:
    from synthpriv_sql.kernels.near import limits
    from synthpriv_sql.kernels.near.search import Search

    codes, _ = pages.codes(real, values.known)
    numbers: dict[str, int] = {}
    known, ours = (
        np.array([numbers.setdefault(normalized(word), len(numbers)) for word in part.to_pylist()], np.int32)
        for part in (values.known, pages.codes(synthetic)[1])
    )
    search = Search(limits.texts(list(numbers)), run)
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
