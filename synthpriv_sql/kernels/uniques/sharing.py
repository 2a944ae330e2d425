"""Replicated uniques and frequencies for several sets of synthetic tables, from one pass over the records of each.

What `search` counts for synthetic records in all is counted here by table: a combination is numbered once, and the
sums of a set of tables are those of its members.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.kernels.jit import F64, I32, I64, kernel
from synthpriv_sql.kernels.threads import SearchOptions, Workers
from synthpriv_sql.kernels.uniques.combinations import Chosen
from synthpriv_sql.kernels.uniques.counting import _key, _place
from synthpriv_sql.kernels.uniques.keys import Keys
from synthpriv_sql.kernels.uniques.search import _PARTS, Tables, candidates_of, narrowed

MOST_TABLES = 62
"""The tables that have a record are bits of a number."""

Flags = NDArray[np.bool_]


@kernel
def _add_uniques(
    real: int, rows: I32, keys: I64, candidates: I64, table_of: I32, persons: I32, owners: I32, slots: I64,
    seen: I64, sets: I64, scores: I64,
) -> None:  # fmt: skip
    """Count for each person, and each set of tables, whether a synthetic record of the set has a key of this person.

    Parameters
    ----------
    rows, keys, candidates, persons, owners, slots
        As for `counting.replicated`.
    table_of : int32 (synthetic,)
        The table of each synthetic record.
    seen : int64, of 0
        By place, the tables that have the key, as bits.
    sets : int64 (sets,)
        The tables of each set, as bits.
    scores : int64 (sets, persons)
        What is added to.
    """
    hashed = len(slots) > 0
    last = np.uint64(len(slots) - 1)
    for i in range(candidates[0]):
        place, row = keys[i], rows[i]
        if hashed:
            key = place
            place = _place(key, slots, last)
            slots[place] = key
        keys[i] = place
        owner = owners[place]
        if owner == -1:
            owners[place] = row
        elif owner >= 0 and persons[owner] != persons[row]:
            owners[place] = -2
    for i in range(real, real + candidates[1]):
        place = keys[i]
        if hashed:
            place = _place(place, slots, last)
        if owners[place] >= 0:
            seen[place] |= np.int64(1) << np.int64(table_of[rows[i] - real])
    for i in range(candidates[0]):
        place = keys[i]
        if owners[place] == rows[i]:  # the first row of a unique stands for it
            for one in range(len(sets)):
                if seen[place] & sets[one]:
                    scores[one, persons[rows[i]]] += 1


@kernel
def _add_ratios(
    codes: I32, real: int, asked: I64, columns: I64, strides: I64, slots: I64, in_real: I32, in_tables: I32,
    table_of: I32, sets: Flags, logarithms: F64, out: F64,
) -> None:  # fmt: skip
    """Add what `counting.ratios` adds, to the row of ``out`` of each set of tables.

    Parameters
    ----------
    in_tables : int32 (places, tables), of 0
        By place, how many records of each table have the key.
    sets : bool (sets, tables)
        The tables of each set.
    out : float64 (sets, asked)
        What is added to.
    """
    hashed = len(slots) > 0
    last = np.uint64(len(slots) - 1)
    for i in range(real):
        place = _key(codes, columns, strides, i)
        if hashed:
            key = place
            place = _place(key, slots, last)
            slots[place] = key
        in_real[place] += 1
    for i in range(real, codes.shape[1]):
        place = _key(codes, columns, strides, i)
        if hashed:
            key = place
            place = _place(key, slots, last)
            if slots[place] < 0:
                continue
        in_tables[place, table_of[i - real]] += 1
    for j in range(len(asked)):
        place = _key(codes, columns, strides, asked[j])
        if hashed:
            place = _place(place, slots, last)
        others = logarithms[in_real[place] - 1]
        for one in range(len(sets)):
            count = 0
            for table in range(sets.shape[1]):
                if sets[one, table]:
                    count += in_tables[place, table]
            out[one, j] += logarithms[count] - others


def scores(
    keys: Keys,
    persons: I32,
    chosen: Sequence[Chosen],
    table_of: I32,
    sets: Flags,
    *,
    options: SearchOptions = SearchOptions(),
) -> I64:
    """Count the replicated uniques of all persons in each set of tables.

    Parameters
    ----------
    keys, persons, chosen, options
        As for `search.search`.
    table_of : int32 (synthetic,)
        The table of each synthetic record, from 0, below `MOST_TABLES`.
    sets : bool (sets, tables)
        The tables of each set.

    Returns
    -------
    int64 (sets, persons)
    """
    count = int(persons.max(initial=-1)) + 1
    bits: I64 = (sets.astype(np.int64) << np.arange(sets.shape[1], dtype=np.int64)).sum(axis=1)
    workers = Workers(options)
    sums: list[I64] = []

    def worker() -> Callable[[int, int], None]:
        tables, found = Tables(), np.zeros((len(sets), count), np.int64)
        sums.append(found)

        def work(begin: int, end: int) -> None:
            for number in range(begin, end):
                if workers.stop[0]:
                    return
                here = candidates_of(keys, chosen[number], tables)
                if here is None:
                    continue
                rows, of_rows, both, total = here
                places, slots = tables.places(total, int(both[0]))
                _add_uniques(
                    keys.real, rows, of_rows, candidates=both, table_of=table_of, persons=persons,
                    owners=tables.table("owners", places, -1, np.int32), slots=slots,
                    seen=tables.table("seen", places, 0, np.int64), sets=bits, scores=found,
                )  # fmt: skip

        return work

    workers.run_chunks(len(chosen), 1, worker)
    return np.sum(sums, axis=0) if sums else np.zeros((len(sets), count), np.int64)


def mean_ratios(
    keys: Keys,
    chosen: Sequence[Chosen],
    table_of: I32,
    sets: Flags,
    *,
    rows: I64 | None = None,
    options: SearchOptions = SearchOptions(),
) -> F64:
    """Return what `search.mean_ratios` returns, for the records of each set of tables: float64 (sets, rows)."""
    real = keys.real
    sizes = np.bincount(table_of, minlength=sets.shape[1])
    logarithms = np.log(np.arange(max(real, len(table_of)) + 1) + 0.5)
    ends = [len(chosen) * part // _PARTS for part in range(_PARTS + 1)]
    asked = np.arange(real) if rows is None else rows
    sums = np.zeros((_PARTS, len(sets), len(asked)))
    workers = Workers(options)

    def worker() -> Callable[[int, int], None]:
        tables = Tables()

        def work(begin: int, end: int) -> None:
            for part in range(begin, end):
                for one in chosen[ends[part] : ends[part + 1]]:
                    if workers.stop[0]:
                        return
                    codes, columns, steps, total = narrowed(keys, one)
                    places, slots = tables.places(total, real)
                    in_tables = tables.table("tables", places * sets.shape[1], 0, np.int32).reshape(places, -1)
                    _add_ratios(
                        codes, real, asked, columns=columns, strides=steps, slots=slots,
                        in_real=tables.table("real", places, 0, np.int32), in_tables=in_tables, table_of=table_of,
                        sets=sets, logarithms=logarithms, out=sums[part],
                    )  # fmt: skip

        return work

    workers.run_chunks(_PARTS, 1, worker)
    found = np.empty((len(sets), len(asked)))
    for one, members in enumerate(sets):  # in the order of `search.mean_ratios`, for the same rounding
        found[one] = sums[:, one].sum(axis=0) / max(len(chosen), 1)
        found[one] -= math.log(int(sizes[members].sum()) + 1)
        found[one] += math.log(max(real, 1))
    return found
