"""Detection of columns that look like identifiers: comparing them hides copies."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.errors import SynthprivWarning
from synthpriv_sql.udf.encoded import pages
from synthpriv_sql.udf.encoded.texts import are_texts

_FEWEST = 20
"""The minimum number of values; fewer may all differ by chance."""
_DISTINCT = 0.99
_LOOKED_AT = 1_000
"""The number of first values, in which most columns already repeat a value."""
_PAIRS = 10
"""The minimum expected number of equal pairs for their absence to be significant."""
_REPEATED = 0.1
_SHARED = 0.01


def note(options: Mapping[str, Any], reference: pages.Encoded, queries: pages.Encoded) -> None:
    """Warn about columns of `reference` that look like identifiers.

    The rules are those of sql/evaluation/identifiers.sql, except that numbers from a range so wide that none would
    repeat by chance are ignored: without a holdout, they may as well be measurements.

    Parameters
    ----------
    options
        The ``columns`` of a search with their ``roles``, ``units`` and ``weights``, and which are ``texts``; without
        ``noted`` there is no warning.
    reference, queries
        The tables that are compared.
    """
    if not options["noted"]:
        return
    named = options.get("texts") or [False] * len(options["columns"])
    weights = [0 if is_text else weight for weight, is_text in zip(options["weights"], named, strict=True)]
    given = zip(options["columns"], options["roles"], options["units"], weights, strict=True)
    found = [
        name
        for (name, role, unit, weight), own, other in zip(given, reference.columns, queries.columns, strict=True)
        if weight
        and ((role == "numeric" and _numbers(own / float(unit))) or (role == "categorical" and _words(own, other)))
    ]
    if found:
        own_of = dict(zip(options["columns"], reference.columns, strict=True))
        written = any(_is_written(own_of[name]) for name in found)
        listed = ", ".join(f'"{name}"' for name in found)
        one = len(found) == 1
        warnings.warn(
            f"{'column' if one else 'columns'} {listed} {'looks' if one else 'look'} as if {'it' if one else 'they'} "
            f"named records, and {'is' if one else 'are'} compared: no copy equals its original there. Give "
            f"{'it as key, or exclude it' if one else 'one as key, or exclude them'}"
            f"{'; names, addresses and notes are named by the option text' if written else ''}",
            SynthprivWarning,
            stacklevel=2,
        )


def _numbers(own: NDArray[np.float64]) -> bool:
    first = own[:_LOOKED_AT]
    first = first[~np.isnan(first)]
    if (first != np.floor(first)).any() or np.unique(first).size < _DISTINCT * first.size:
        return False
    values = own[~np.isnan(own)]
    if len(values) < _FEWEST or (values != np.floor(values)).any():
        return False
    different = np.unique(values)
    repeats = len(values) - len(different)
    if repeats > (1 - _DISTINCT) * len(values):
        return False
    # A lower bound for the expected number of equal pairs, if the numbers are drawn from their range.
    pairs = 0.5 * len(values) * (len(values) - 1) / (different[-1] - different[0] + 1)
    return bool(pairs >= _PAIRS and repeats <= _REPEATED * pairs)


def _words(own: pages.Texts, other: pages.Texts) -> bool:
    if own.codes and own.counts[0] < _DISTINCT * np.count_nonzero(own.codes[0] >= 0):
        return False
    codes, words = pages.codes(own)
    count = np.count_nonzero(codes >= 0)
    if count < _FEWEST or len(words) < _DISTINCT * count:
        return False
    numbered, _ = pages.codes(other, words)
    known = np.count_nonzero(numbered >= 0)
    shared = np.count_nonzero((numbered >= 0) & (numbered < len(words)))
    return bool(shared <= _SHARED * known)


def _is_written(own: Any) -> bool:
    """Say whether a column has names, addresses or notes."""
    return isinstance(own, pages.Texts) and are_texts(pages.codes(own)[1])
