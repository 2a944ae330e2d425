"""``synthpriv_uniques``: from pages of keys to the replicated uniques of all real records."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthpriv_sql.errors import SynthprivWarning, TooLarge
from synthpriv_sql.udf import persons
from synthpriv_sql.udf.encoded import arrange, pages
from synthpriv_sql.udf.encoded.releases import Releases
from synthpriv_sql.udf.neighbors import MOST, Monitor, combined, watched

FOUND_SQL = (
    "STRUCT(members BIGINT, positions BIGINT[], first_positions BIGINT[], scores DOUBLE[], synthetic BIGINT[], "
    "unique_positions BIGINT[], unique_sets BIGINT[], unique_synthetic BIGINT[], unique_also BIGINT[], "
    "sets VARCHAR[][], pair_positions BIGINT[], pair_synthetic BIGINT[], releases VARCHAR[], "
    "unique_releases VARCHAR[], pair_releases VARCHAR[], without_columns VARCHAR[], without_places BIGINT[], "
    "without_scores BIGINT[], without_members BIGINT[], without_others BIGINT[], set_members BIGINT[], "
    "set_others BIGINT[])"
)


def replicated(
    synthetic_pages: Any,
    train_pages: Any,
    holdout_pages: Any,
    train_units: Any,
    holdout_units: Any,
    options: Any,
    *,
    monitor: Monitor,
) -> Any:
    """``synthpriv_uniques(synthetic_pages, train_pages, holdout_pages, train_units, holdout_units, options)``.

    Parameters
    ----------
    synthetic_pages, train_pages, holdout_pages
        Arrow lists of pages of keys, one list per row; null if the table has no rows, or there is no holdout.
    train_units, holdout_units
        The same for the column that identifies the unit of each record; null if no unit is given.
    options
        Arrow structs with the fields of sql/uniques/replicated.sql.
    monitor
        The progress callback and the check for cancellation.

    Returns
    -------
    pyarrow.Array
        One struct per row: the number of records in train; for each real record (or person, on each side where it has
        records) the position of the record shown and of its first record, its score and the responsible synthetic
        record; for each replicated unique in a smallest combination the position of the record shown, the number of its
        column set, the first synthetic record that has it and the number of those; the column names of each set; and,
        if requested, pairs of that position and every synthetic record that has one of its replicated uniques; for each
        synthetic record the release that it is of (null without releases); the names of columns, and how many
        persons of each side have each score without the combinations of each column (its place; -1 for all); and how
        many of each side have a replicated unique in each set.

    Raises
    ------
    InfiniteValue, TooLarge, Stopped
        See `synthpriv_sql.errors`.
    """
    given = (synthetic_pages, train_pages, holdout_pages, train_units, holdout_units, options)
    arguments = [combined(a) for a in given]
    found = [watched(_one, [a[i] for a in arguments], monitor) for i in range(len(options))]
    for left_out in {left_out for _, left_out in found if left_out}:
        warnings.warn(left_out, SynthprivWarning, stacklevel=2)
    return pa.concat_arrays([one for one, _ in found])


def read(given: Sequence[Any], columns: int) -> list[pages.Encoded]:
    """Read pages of keys of any kind; a table without rows has None or no pages."""
    first = next((held[0] for held in given if held is not None and len(held)), None)
    kinds = ["number"] * columns if first is None else pages.kinds(first, columns)
    return [pages.read([] if held is None else held, kinds) for held in given]


def check_infinite(options: Mapping[str, Any], table: pages.Encoded, relation: str) -> None:
    """Raise an error for the first column with infinite values."""
    for name, column in zip(options["columns"], table.columns, strict=True):
        infinite = int(np.isinf(column).sum()) if isinstance(column, np.ndarray) else 0
        if infinite:
            raise arrange.infinite_values(name, relation, infinite)


def _one(
    synthetic_pages: Any, train_pages: Any, holdout_pages: Any, train_units: Any, holdout_units: Any, options: Any,
    *, monitor: Monitor,
) -> tuple[Any, str]:  # fmt: skip
    # numba is loaded by the first search, not on import
    from synthpriv_sql.kernels.uniques import combinations, search
    from synthpriv_sql.udf import compiling
    from synthpriv_sql.udf.encoded import keys

    options = options.as_py()
    width = len(options["columns"])
    releases = Releases.of(options)
    given = [train_pages.values, holdout_pages.values, *releases.pages(synthetic_pages.values, options)]
    train, holdout, *synthetic = read(given, width)
    tables = {"train": train, "holdout": holdout}
    for side, table in [*tables.items(), *(("synthetic", one) for one in synthetic)]:
        check_infinite(options, table, options[side])
    members, rows = tables["train"].rows, tables["train"].rows + tables["holdout"].rows
    real = [tables["train"], tables["holdout"]] if tables["holdout"].rows else [tables["train"]]
    who = persons.of_records([train_units.values, holdout_units.values], rows)
    columns = [i for i, weight in enumerate(options["weights"]) if weight > 0]
    with compiling.reported(monitor.progress):
        known = keys.keys([*real, *synthetic], rows, columns, options["threads"])
        sizes = [one.rows for one in synthetic]
        releases.without_absent(known.codes, columns, rows, sizes)
        del tables, real, synthetic
        widths = range(1, int(options["width"]) + 1)
        chosen, left_out = combinations.choose(known.distinct, widths, int(options["combinations"]))
        label = f"combinations of {options['train']}, {rows:,} rows"
        found = search.search(
            known,
            who,
            chosen,
            members=members,
            options=monitor.search_options(options["threads"], label, before=1),
        )
    # One value in all real records makes a set say no more than the other columns.
    constant = {i for i, distinct in enumerate(known.distinct) if distinct == 1}
    found.sides[[len(one) > 1 and not constant.isdisjoint(one) for one in chosen]] = 0
    names = [[options["columns"][columns[i]] for i in one] for one in chosen]
    message = (
        f"uniques looks at {len(chosen):,} of {len(chosen) + left_out:,} combinations of up to {options['width']} "
        "columns, those with the most values; the option combinations changes how many, the option columns which "
        "columns"
        if left_out
        else ""
    )
    compared = [options["columns"][i] for i in columns]
    located = partial(releases.records, sizes=sizes)
    return _struct(members, who, found, names, compared, options["pairs"], located), message


def _struct(
    members: int, who: NDArray[np.int32], found: Any, names: Sequence[Sequence[str]], compared: Sequence[str],
    pairs: bool, located: Callable[[NDArray[np.int64]], tuple[Any, Any]],
) -> Any:  # fmt: skip
    rows = len(who)
    side = np.arange(rows) >= members
    # A person appears once on each side where it has records, at its first record there.
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
    # The position of each person, for its uniques.
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
    entries_listed, *columns_listed = (np.concatenate([*none, *parts]) for parts in (listed, sets, synthetic, also))
    if len(entries_listed) > MOST:
        raise TooLarge(
            f"{len(entries_listed)} replicated uniques are more than the {MOST} that DuckDB takes in one list; "
            "look at fewer columns, or at a part of the records at a time"
        )
    by_entry = np.argsort(entries_listed, kind="stable")
    shown_uniques = shown[entries_listed[by_entry]]
    paired, paired_synthetic = _pairs(found.pairs, entry_of, shown) if pairs else (none[0], none[0])
    uniques_sets, uniques_synthetic, uniques_also = (part[by_entry] for part in columns_listed)
    (blamed_records, blamed_releases), (unique_records, unique_releases), (pair_records, pair_releases) = (
        located(records.astype(np.int64)) for records in (blamed, uniques_synthetic, paired_synthetic)
    )
    columns = [
        pa.array(shown),
        pa.array(first.astype(np.int64)),
        pa.array(scores[person]),
        blamed_records,
        pa.array(shown_uniques.astype(np.int64)),
        pa.array(uniques_sets),
        unique_records,
        pa.array(uniques_also),
        pa.array([list(one) for one in names], pa.list_(pa.string())),
        pa.array(paired),
        pair_records,
        blamed_releases,
        unique_releases,
        pair_releases,
        pa.array(compared, pa.string()),
        *map(pa.array, _without(found, person, entry_side)),
        *(pa.array(found.sides[:, side]) for side in (0, 1)),
    ]
    fields = ["positions", "first_positions", "scores", "synthetic", "unique_positions", "unique_sets"]
    fields += ["unique_synthetic", "unique_also", "sets", "pair_positions", "pair_synthetic"]
    fields += ["releases", "unique_releases", "pair_releases"]
    fields += ["without_columns", "without_places", "without_scores", "without_members", "without_others"]
    fields += ["set_members", "set_others"]
    lists = [pa.ListArray.from_arrays(pa.array([0, len(values)], pa.int32()), values) for values in columns]
    return pa.StructArray.from_arrays([pa.array([members], pa.int64()), *lists], names=["members", *fields])


def _pairs(
    found: tuple[NDArray[np.int64], NDArray[np.int64]], entry_of: NDArray[np.int64], shown: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of an exposed person and a synthetic record: positions of the shown records, on either side."""
    who, synthetic = found
    entries = [entry_of[who, side] for side in (0, 1)]
    there = [entry >= 0 for entry in entries]
    return (
        np.concatenate([shown[entry[here]] for entry, here in zip(entries, there, strict=True)]),
        np.concatenate([synthetic[here] for here in there]),
    )


def _without(
    found: Any, person: NDArray[np.int64], side: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Of all columns (place -1), and without each: scores, and how many persons of each side have them."""
    whole = found.scores.sum(axis=1)
    places, scores, members, others = [], [], [], []
    for place in range(-1, len(found.columns)):
        left = (whole if place < 0 else whole - found.columns[place])[person]
        sides = [np.bincount(left[side == one], minlength=int(left.max(initial=0)) + 1) for one in (0, 1)]
        held = np.flatnonzero(sides[0] + sides[1])
        places.append(np.full(len(held), place, np.int64))
        scores.append(held.astype(np.int64))
        members.append(sides[0][held].astype(np.int64))
        others.append(sides[1][held].astype(np.int64))
    return np.concatenate(places), np.concatenate(scores), np.concatenate(members), np.concatenate(others)
