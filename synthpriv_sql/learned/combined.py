"""Features of the attack `learned` from values and combinations of values, counted: unique, more frequent, or rare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from synthpriv_sql.kernels.threads import SearchOptions
from synthpriv_sql.learned.tables import Feature, Tables
from synthpriv_sql.udf.encoded import pages

if TYPE_CHECKING:
    from synthpriv_sql.kernels.jit import F64, I32, I64  # imports numba

WIDTHS = (1, 2, 3)
COMBINATIONS = 500
BINS = 20
RARE_WIDTHS = (1, 2, 3, 4)
RARE_RECORDS = 20_000
"""Real records up to which rare values are features: with more, what they bring was not measured."""


def of_combinations(
    tables: Tables,
    cancelled: Callable[[], bool] | None,
    leave_out: Callable[[I32, Sequence[int]], None] | None = None,
) -> list[Feature]:
    """Return the features of combinations of values.

    ``leave_out`` replaces codes of synthetic records that have no value in a column, not even a missing one.
    """
    from synthpriv_sql.kernels.uniques import combinations, search

    shared = None if tables.synthetic is None else tables.shared
    few = tables.real.rows <= RARE_RECORDS
    counted = countable(tables, leave_out) if shared is None or few else None
    found = list(shared or [])
    if counted is None:
        return found
    exact, binned = counted
    run = SearchOptions(tables.options["threads"], cancelled=cancelled)
    for width in WIDTHS if shared is None else ():
        chosen, _ = combinations.choose(exact.distinct, [width], COMBINATIONS)
        if not chosen:
            continue
        sums = search.search(exact, tables.persons, chosen, only_scores=True, options=run)
        ratios = search.mean_ratios(binned, chosen, rows=tables.selected, options=run)
        found += of_width(tables, width, sums.scores.sum(axis=1), ratios)
    return [*found, *_of_rare_values(tables, exact, run)] if few else found


def _of_rare_values(tables: Tables, exact: Any, run: SearchOptions) -> list[Feature]:
    """Return the features of values and combinations of up to four columns that at most three real records have."""
    from synthpriv_sql.kernels.uniques import combinations, search

    found = []
    for width in RARE_WIDTHS:
        chosen, _ = combinations.choose(exact.distinct, [width], COMBINATIONS)
        if chosen:
            sums = search.rare_values(exact, chosen, rows=tables.selected, options=run)
            label = f"{width} columns" if width > 1 else "one column"
            found.append(Feature(sums, f"rare values of {label} that a synthetic record has too"))
    return found


def countable(tables: Tables, leave_out: Callable[[I32, Sequence[int]], None] | None = None) -> tuple[Any, Any] | None:
    """Return the columns as codes, by equal values and in bins; None where no column has values to combine."""
    from synthpriv_sql.udf.encoded import keys

    if tables.synthetic is None or tables.synthetic_keys is None:
        return None
    # Vectors and columns of weight 0 are left out.
    roles, weights = tables.options["roles"], tables.options["weights"]
    columns = [i for i, role in enumerate(roles) if role != "vector" and weights[i] > 0]
    if not columns:
        return None
    exact = keys.keys([tables.real_keys, tables.synthetic_keys], tables.real.rows, columns, tables.options["threads"])
    binned = _binned(tables, columns)
    if leave_out is not None:
        leave_out(exact.codes, columns)
        leave_out(binned.codes, columns)
        for codes, size in zip(binned.codes, binned.sizes, strict=True):
            codes[codes < 0] = size  # a value that no real record has
        binned = binned._replace(sizes=binned.sizes + 1)
    return exact, binned


def of_width(tables: Tables, width: int, uniques: I64, ratios: F64) -> list[Feature]:
    """Return the features of combinations of so many columns: of the uniques of each person, and of mean ratios."""
    label = f"{width} columns" if width > 1 else "one column"
    scores = tables.select(uniques[tables.persons]).astype(np.float64)
    return [
        Feature(scores, f"unique values of {label} that a synthetic record has too"),
        Feature(ratios, f"how much more frequent its values of {label} are in synthetic"),
    ]


def _binned(tables: Tables, columns: Sequence[int]) -> Any:
    """Return the columns as codes: numbers and times as quantile bins of the real records, missing as a value."""
    from synthpriv_sql.kernels.uniques.keys import Keys
    from synthpriv_sql.udf.encoded import keys

    real, synthetic = tables.real, tables.synthetic
    assert synthetic is not None
    codes = np.empty((len(columns), real.rows + synthetic.rows), np.int32)

    def number(place: int) -> None:
        both = [table.columns[columns[place]] for table in (real, synthetic)]
        if isinstance(both[0], pages.Texts):
            codes[place] = keys.numbered(both)
            return
        known = both[0][~np.isnan(both[0])]
        edges = np.unique(np.quantile(known, np.arange(1, BINS) / BINS)) if len(known) else np.zeros(0)
        numbers = np.concatenate(both)
        codes[place] = np.where(np.isnan(numbers), 0, 1 + np.searchsorted(edges, numbers))

    with ThreadPoolExecutor(max(1, tables.options["threads"])) as pool:
        list(pool.map(number, range(len(columns))))
    sizes = codes.max(axis=1).astype(np.int64) + 1
    return Keys(codes, sizes, [], tables.real.rows)
