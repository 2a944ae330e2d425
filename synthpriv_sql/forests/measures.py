"""``synthpriv_detection`` and ``synthpriv_utility``, the functions that SQL calls: pages of several tables in."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from synthpriv_sql.errors import EmptyTable, OptionError, Stopped, SynthprivWarning
from synthpriv_sql.forests import forest, telling
from synthpriv_sql.kernels.threads import ProgressCallback
from synthpriv_sql.progress import Progress
from synthpriv_sql.udf.encoded import arrange, pages
from synthpriv_sql.udf.neighbors import whole

DETECTED_SQL = "STRUCT(of_train BIGINT, scores DOUBLE[], importance DOUBLE[])"
USED_SQL = "STRUCT(trained_on VARCHAR, error DOUBLE)[]"
USED = pa.struct([("trained_on", pa.string()), ("error", pa.float64())])


def detect(
    synthetic_pages: Any,
    train_pages: Any,
    options: Any,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Any:
    """``synthpriv_detection(synthetic_pages, train_pages, options)``: how much each record looks synthetic.

    Parameters
    ----------
    synthetic_pages, train_pages
        Arrow lists of pages, one list a row; null where the table has no rows.
    options
        Arrow structs with the fields that sql/fidelity/detected.sql gives.
    progress, cancelled
        As in `synthpriv_sql.forests.udf.predict`.

    Returns
    -------
    pyarrow.Array
        Per row a struct: how many records train has; scores of these and then of the synthetic ones, out of bag; and
        the importance of each column, null where it was not asked for or no forest asks for the column.

    Raises
    ------
    EmptyTable, InfiniteValue, Stopped
        See `synthpriv_sql.errors`.
    """
    found = []
    for synthetic, train, given in zip(*(whole(a) for a in (synthetic_pages, train_pages, options)), strict=True):
        facts = given.as_py()
        tables = _coded({"synthetic": synthetic, "train": train}, facts)
        label = f"forest that tells {facts['synthetic']} from {facts['train']}"
        told = telling.tell(
            tables["train"],
            tables["synthetic"],
            _options(facts),
            facts["importance"],
            _report(label, progress, cancelled),
        )
        importance = [None if np.isnan(value) else float(value) for value in told.importance]
        found.append({"of_train": len(tables["train"][0]), "scores": told.scores, "importance": importance})
    types = [("of_train", pa.int64()), ("scores", pa.list_(pa.float64())), ("importance", pa.list_(pa.float64()))]
    return pa.array(found, pa.struct(types))


def use(
    synthetic_pages: Any,
    train_pages: Any,
    holdout_pages: Any,
    options: Any,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Any:
    """``synthpriv_utility(synthetic_pages, train_pages, holdout_pages, options)``: errors of forests on the holdout.

    Parameters
    ----------
    synthetic_pages, train_pages, holdout_pages
        As in `detect`.
    options
        Arrow structs with the fields that sql/fidelity/utility.sql gives.
    progress, cancelled
        As in `detect`.

    Returns
    -------
    pyarrow.Array
        Per row a list of (trained_on, error): train, synthetic, and nothing for a guess without a forest; the errors as
        in `synthpriv_sql.forests.telling.errors`, null for NaN.

    Raises
    ------
    EmptyTable, InfiniteValue, OptionError, Stopped
        See `synthpriv_sql.errors`; an option is wrong where the target has too many categories.
    """
    found = []
    arguments = (whole(a) for a in (synthetic_pages, train_pages, holdout_pages, options))
    for synthetic, train, holdout, given in zip(*arguments, strict=True):
        facts = given.as_py()
        tables = _coded({"synthetic": synthetic, "train": train, "holdout": holdout}, facts)
        position = next(i for i, name in enumerate(facts["columns"]) if name.lower() == facts["target"].lower())
        _check_target(tables, position, facts)
        report = _report(f"forests of {facts['columns'][position]}", progress, cancelled)
        grown_on = [tables["train"], tables["synthetic"]]
        errors = telling.errors(grown_on, tables["holdout"], position, _options(facts), report)
        rows: list[dict[str, Any]] = []
        for trained_on, error in zip(("train", "synthetic", "nothing"), errors, strict=True):
            rows += [{"trained_on": trained_on, "error": None if np.isnan(e) else e} for e in error.tolist()]
        found.append(rows)
    return pa.array(found, pa.list_(USED))


def _options(facts: Mapping[str, Any]) -> forest.Options:
    return forest.Options(seed=facts["seed"], trees=facts["trees"], threads=facts["threads"])


def _report(label: str, progress: Progress | None, cancelled: Callable[[], bool]) -> ProgressCallback:
    def report(done: int, total: int) -> None:
        if cancelled():
            raise Stopped("the forest was cancelled")
        if progress is not None:
            progress(done, total, label)

    return report


def _coded(given: Mapping[str, Any], facts: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The columns of the tables as a forest takes them, with one code for a category in all of them."""
    kinds = arrange.kinds(facts["roles"])
    tables = {side: pages.read(one.values or [], kinds) for side, one in given.items()}
    for side, table in tables.items():
        if not table.rows:
            raise EmptyTable(f"{facts[side]} has no rows; no forest grows of nothing, and none can be asked of it")
        arrange.check_values(facts, table, facts[side])
    ends = np.cumsum([table.rows for table in tables.values()])[:-1]
    coded: dict[str, list[Any]] = {side: [] for side in tables}
    identifiers = []
    for name, columns in zip(facts["columns"], zip(*(t.columns for t in tables.values()), strict=True), strict=True):
        parts: Sequence[Any] = columns
        if isinstance(columns[0], pages.Texts):
            codes, _ = pages.codes(pages.joined(columns))
            parts = np.split(codes, ends)
            if forest.is_identifier(codes) and name.lower() != facts.get("target", "").lower():
                identifiers.append(name)
        for side, part in zip(tables, parts, strict=True):
            coded[side].append(part)
    if identifiers:
        warnings.warn(
            f"no forest is grown on columns of more categories than it can take: {', '.join(map(quoted, identifiers))} "
            f"of {' and '.join(dict.fromkeys(facts[side] for side in tables))}. They tell nothing here.",
            SynthprivWarning,
            stacklevel=2,
        )
    return coded


def quoted(name: str) -> str:
    """A column as messages write it."""
    return f'"{name}"'


def _check_target(tables: Mapping[str, list[Any]], position: int, facts: Mapping[str, Any]) -> None:
    name = facts["columns"][position]
    for side, columns in tables.items():
        column = columns[position]
        known = (column >= 0) if column.dtype.kind == "i" else ~np.isnan(column)
        if not known.any():
            raise EmptyTable(f'column "{name}" of {facts[side]} has no value; choose another target')
        if side != "holdout" and forest.is_identifier(column):
            raise OptionError(
                f'the target "{name}" is a column of more categories in {facts[side]} than a random forest '
                "can take; choose another"
            )
