"""The function that SQL calls: pages of keys in, the replicated uniques of all real records out."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthpriv_sql.errors import SynthprivWarning, TooLarge
from synthpriv_sql.udf.encoded import arrange, pages
from synthpriv_sql.udf.neighbors import MOST, Watch, watched, whole

FOUND_SQL = (
    "STRUCT(members BIGINT, positions BIGINT[], first_positions BIGINT[], scores DOUBLE[], synthetic BIGINT[], "
    "unique_positions BIGINT[], unique_sets BIGINT[], unique_synthetic BIGINT[], unique_also BIGINT[], "
    "sets VARCHAR[][], pair_positions BIGINT[], pair_synthetic BIGINT[])"
)


def replicated(
    synthetic_pages: Any,
    train_pages: Any,
    holdout_pages: Any,
    train_units: Any,
    holdout_units: Any,
    options: Any,
    *,
    watch: Watch,
) -> Any:
    """``synthpriv_uniques(synthetic_pages, train_pages, holdout_pages, train_units, holdout_units, options)``.

    Parameters
    ----------
    synthetic_pages, train_pages, holdout_pages
        Arrow lists of pages of keys, one list a row; null where the table has no rows, or there is no holdout.
    train_units, holdout_units
        The same, of one column that says whose each record is; null where no unit is named.
    options
        Arrow structs with the fields that sql/uniques/replicated.sql gives.
    watch
        Who follows the search and may end it.

    Returns
    -------
    pyarrow.Array
        Per row a struct: how many records train has; for each real record (or person, on each side where it stands)
        the position of the record that is shown and of its first, its score and the synthetic record to blame; and for
        each replicated unique in a smallest combination the position of that record, the number of its set of columns,
        the first synthetic record that has it and how many have it; the names of the columns of each set; and, where
        asked for, that position beside every synthetic record that has one of its replicated uniques.

    Raises
    ------
    InfiniteValue, TooLarge, Stopped
        See `synthpriv_sql.errors`.
    """
    given = (synthetic_pages, train_pages, holdout_pages, train_units, holdout_units, options)
    arguments = [whole(a) for a in given]
    found = [watched(_one, [a[i] for a in arguments], watch) for i in range(len(options))]
    for left_out in {left_out for _, left_out in found if left_out}:
        warnings.warn(left_out, SynthprivWarning, stacklevel=2)
    return pa.concat_arrays([one for one, _ in found])


def read(given: Sequence[Any], columns: int) -> list[pages.Encoded]:
    """Read pages of keys, whatever kinds of columns they hold; None, or none, of a table without rows."""
    first = next((held[0] for held in given if held is not None and len(held)), None)
    kinds = ["number"] * columns if first is None else pages.kinds(first, columns)
    return [pages.read([] if held is None else held, kinds) for held in given]


def persons(units: Sequence[Any], rows: int) -> NDArray[np.int32]:
    """Whose row each real record is, numbered from 0; each its own where no unit is named."""
    known = [one for one in units if one is not None]
    if not known:
        return np.arange(rows, dtype=np.int32)
    columns = [pages.read(one, ["text"]).columns[0] for one in known]
    # A record without a unit is an error of its own, which another part of the statement says.
    return np.unique(pages.codes(pages.joined(columns))[0], return_inverse=True)[1].astype(np.int32)


def check_infinite(facts: Mapping[str, Any], table: pages.Encoded, relation: str) -> None:
    """Raise an error for the first column with infinite values."""
    for name, column in zip(facts["columns"], table.columns, strict=True):
        infinite = int(np.isinf(column).sum()) if isinstance(column, np.ndarray) else 0
        if infinite:
            raise arrange.infinite_values(name, relation, infinite)


def _one(
    synthetic_pages: Any, train_pages: Any, holdout_pages: Any, train_units: Any, holdout_units: Any, options: Any,
    *, watch: Watch,
) -> tuple[Any, str]:  # fmt: skip
    # numba is loaded by the first search, not on import
    from synthpriv_sql.kernels.uniques import combinations, search
    from synthpriv_sql.udf import compiling
    from synthpriv_sql.udf.encoded import keys

    facts = options.as_py()
    width = len(facts["columns"])
    sides = {"synthetic": synthetic_pages, "train": train_pages, "holdout": holdout_pages}
    tables = dict(zip(sides, read([given.values for given in sides.values()], width), strict=True))
    for side, table in tables.items():
        check_infinite(facts, table, facts[side])
    members, rows = tables["train"].rows, tables["train"].rows + tables["holdout"].rows
    real = [tables["train"], tables["holdout"]] if tables["holdout"].rows else [tables["train"]]
    who = persons([train_units.values, holdout_units.values], rows)
    columns = [i for i, weight in enumerate(facts["weights"]) if weight > 0]
    with compiling.told(watch.progress):
        known = keys.keys([*real, tables["synthetic"]], rows, columns, facts["threads"])
        del tables, real
        widths = range(1, int(facts["width"]) + 1)
        chosen, left_out = combinations.choose(known.distinct, widths, int(facts["combinations"]))
        label = f"combinations of {facts['train']}"
        found = search.search(
            known,
            who,
            chosen,
            threads=facts["threads"],
            progress=lambda done, total: watch.progress(done + 1, total + 1, label) if watch.progress else None,
            cancelled=watch.cancelled,
        )
    names = [[facts["columns"][columns[i]] for i in one] for one in chosen]
    said = (
        f"uniques looks at {len(chosen):,} of {len(chosen) + left_out:,} combinations of up to {facts['width']} "
        "columns, those with the most values; the option combinations changes how many, the option columns which "
        "columns"
        if left_out
        else ""
    )
    return _struct(members, who, found, names, facts["pairs"]), said


def _struct(members: int, who: NDArray[np.int32], found: Any, names: Sequence[Sequence[str]], pairs: bool) -> Any:
    rows = len(who)
    side = np.arange(rows) >= members
    # A person stands once on each side where it has rows, at its first record there.
    person_side = who.astype(np.int64) * 2 + side
    known, first = np.unique(person_side, return_index=True)
    order = np.argsort(first, kind="stable")
    first, entries = first[order], known[order]
    person, entry_side = entries >> 1, entries & 1
    shown = found.rows[person]
    elsewhere = (shown < 0) | ((shown >= members) != entry_side)
    shown = np.where(elsewhere, first, shown)
    scores = found.scores.sum(axis=1).astype(np.float64)
    blamed = found.records[person]
    # Where each person stands, for its uniques.
    entry_of = np.full((int(who.max(initial=-1)) + 1, 2), -1, np.int64)
    entry_of[person, entry_side] = np.arange(len(entries))
    listed, sets, synthetic, also = [], [], [], []
    for one in found.smallest:
        for here in (0, 1):
            entry = entry_of[who[one.rows], here]
            there = entry >= 0
            listed.append(entry[there])
            sets.append(np.full(int(there.sum()), one.combination, np.int64))
            synthetic.append(one.first[there].astype(np.int64))
            also.append(one.also[there].astype(np.int64))
    none = [np.zeros(0, np.int64)]
    entries_listed, *told = (np.concatenate([*none, *parts]) for parts in (listed, sets, synthetic, also))
    if len(entries_listed) > MOST:
        raise TooLarge(
            f"{len(entries_listed)} replicated uniques are more than the {MOST} that DuckDB takes in one list; "
            "look at fewer columns, or at a part of the records at a time"
        )
    by_entry = np.argsort(entries_listed, kind="stable")
    shown_uniques = shown[entries_listed[by_entry]]
    columns = [
        pa.array(shown),
        pa.array(first.astype(np.int64)),
        pa.array(scores[person]),
        pa.array(blamed, mask=blamed < 0),
        pa.array(shown_uniques.astype(np.int64)),
        *(pa.array(part[by_entry]) for part in told),
        pa.array([list(one) for one in names], pa.list_(pa.string())),
        *map(pa.array, _pairs(found.pairs, entry_of, shown) if pairs else (none[0], none[0])),
    ]
    fields = ["positions", "first_positions", "scores", "synthetic", "unique_positions", "unique_sets"]
    fields += ["unique_synthetic", "unique_also", "sets", "pair_positions", "pair_synthetic"]
    lists = [pa.ListArray.from_arrays(pa.array([0, len(values)], pa.int32()), values) for values in columns]
    return pa.StructArray.from_arrays([pa.array([members], pa.int64()), *lists], names=["members", *fields])


def _pairs(
    found: tuple[NDArray[np.int64], NDArray[np.int64]], entry_of: NDArray[np.int64], shown: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Who is known by which synthetic records: positions of the records that are shown, on either side."""
    who, synthetic = found
    entries = [entry_of[who, side] for side in (0, 1)]
    there = [entry >= 0 for entry in entries]
    return (
        np.concatenate([shown[entry[here]] for entry, here in zip(entries, there, strict=True)]),
        np.concatenate([synthetic[here] for here in there]),
    )
