"""Columns of texts in agreement: which columns have texts, and the bits of texts that are nearly equal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from synthpriv_sql.kernels.threads import SearchOptions
from synthpriv_sql.udf.encoded import pages
from synthpriv_sql.udf.encoded.population import Values, information
from synthpriv_sql.udf.encoded.texts import are_texts, normalized

if TYPE_CHECKING:  # numba is loaded by the first search, not on import
    from synthpriv_sql.kernels.agreement.nearby import Nearby

ENOUGH = 200
"""A text that more real records are near says nothing by nearness: so do numbers written as texts that fill a range."""


def has_texts(role: str, column: Values) -> bool:
    """Say whether a column has texts: more distinct values than half of all, most with more letters than digits."""
    if role != "categorical" or 2 * len(column.known) <= column.counts.sum():
        return False
    return are_texts(column.known)


def texts_of(options: Mapping[str, Any], values: Sequence[Values]) -> list[int]:
    """Return the positions of the columns that are compared by nearness: those that are named, or have texts."""
    given = zip(options["roles"], options["weights"], options["texts"], values, strict=True)
    return [
        j
        for j, (role, weight, is_text, column) in enumerate(given)
        if options["near"] and weight > 0 and (is_text or has_texts(role, column))
    ]


def nearby(
    columns: Sequence[int],
    weights: Sequence[float],
    values: Sequence[Values],
    rows: int,
    synthetic: pages.Encoded,
    options: SearchOptions = SearchOptions(),
) -> Nearby:
    """Find the texts of synthetic records that are near those of real ones.

    Parameters
    ----------
    columns
        The positions of the columns of texts, at least one.
    weights, values, rows
        As for `Population`.
    synthetic
        The synthetic table, or a shard of it.
    options
        Of the search among the texts of each column.

    Returns
    -------
    Nearby
        For codes of a `Population` of these values.
    """
    # numba is loaded by the first search, not on import
    from synthpriv_sql.kernels.agreement.nearby import Nearby

    place = np.full(len(values), -1, np.int32)
    place[list(columns)] = np.arange(len(columns))
    found = [_column(values[j], synthetic.columns[j], float(weights[j]), rows, options) for j in columns]
    bits, starts, near, texts = zip(*found, strict=True)
    near_before = np.concatenate([[0], np.cumsum([len(part) for part in near])])
    shifted = [part + before for part, before in zip(starts, near_before, strict=False)]
    listed = [np.argsort(part, kind="stable")[np.count_nonzero(part < 0) :] for part in texts]
    sizes = [int(part.max(initial=-1)) + 1 for part in texts]
    # A text that is near may be none of this shard's: there is one without rows for each.
    sizes = [max(size, int(part.max(initial=-1)) + 1) for size, part in zip(sizes, near, strict=True)]
    ends = [np.searchsorted(t[order], np.arange(n + 1)) for t, order, n in zip(texts, listed, sizes, strict=True)]
    rows_before = np.concatenate([[0], np.cumsum([len(part) for part in listed])])
    return Nearby(
        place,
        np.concatenate([[0], np.cumsum([len(part) for part in bits])[:-1]]).astype(np.int64),
        np.concatenate(bits),
        np.concatenate(shifted).astype(np.int64),
        np.concatenate(near).astype(np.int32),
        np.ascontiguousarray(np.column_stack(texts), np.int32),
        np.concatenate([[0], np.cumsum([n + 1 for n in sizes])[:-1]]).astype(np.int64),
        np.concatenate([end + before for end, before in zip(ends, rows_before, strict=False)]).astype(np.int64),
        np.concatenate(listed).astype(np.int32),
    )


def _column(
    values: Values, column: pages.Texts, weight: float, rows: int, options: SearchOptions
) -> tuple[Any, Any, Any, Any]:
    """The bits by code, where the list of each code starts, all lists, and the text of each synthetic record."""
    from synthpriv_sql.kernels.near import limits
    from synthpriv_sql.kernels.near.search import Search

    codes, words = pages.codes(column)
    numbers: dict[str, int] = {}
    known, ours = (
        np.array([numbers.setdefault(normalized(word), len(numbers)) for word in part.to_pylist()], np.int32)
        for part in (values.known, words)
    )
    search = Search(limits.texts(list(numbers)), options)
    real, fresh = np.unique(known), np.unique(ours)
    weights = np.bincount(known, values.counts, len(numbers)).astype(np.int64)
    asked = real[search.returning(real, fresh, np.zeros(len(real), bool))[0] == 1]
    sums = search.counted(asked, real, weights[real], ENOUGH)
    asked, sums = asked[sums <= ENOUGH], sums[sums <= ENOUGH]
    one, other = search.pairs(asked, fresh)
    same = asked[np.isin(asked, fresh)]
    one, other = np.concatenate([one, same]), np.concatenate([other, same])
    order = np.lexsort((other, one))
    one, other = one[order], other[order]
    # From texts to the codes of values: several values may be one text but for case and blanks.
    by_text = np.zeros(len(numbers))
    by_text[asked] = weight * information(sums, rows)
    low, high = (np.searchsorted(one, known, side=side) for side in ("left", "right"))
    lengths = np.concatenate([[0], high - low, [0]])
    starts = np.concatenate([[0], np.cumsum(lengths)])
    each = np.repeat(np.concatenate([[0], low, [0]]) - starts[:-1], lengths) + np.arange(starts[-1])
    texts = np.where(codes >= 0, np.append(ours, -1)[codes], -1)
    return np.concatenate([[0.0], by_text[known], [0.0]]), starts, other[each], texts
