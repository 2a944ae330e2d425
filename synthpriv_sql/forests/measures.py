"""``synthpriv_detection`` and ``synthpriv_utility``, called by SQL with the pages of several tables."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from synthpriv_sql.errors import EmptyTable, OptionError, Stopped, SynthprivWarning
from synthpriv_sql.forests import detection, forest
from synthpriv_sql.kernels.threads import ProgressCallback
from synthpriv_sql.progress import Progress
from synthpriv_sql.udf.encoded import arrange, pages
from synthpriv_sql.udf.neighbors import combined

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
    """``synthpriv_detection(synthetic_pages, train_pages, options)``: scores, larger for synthetic records.

    Parameters
    ----------
    synthetic_pages, train_pages
        Arrow lists of pages, one list per row; null if the table has no rows.
    options
        Arrow structs with the fields of sql/fidelity/detected.sql.
    progress, cancelled
        As in `synthpriv_sql.forests.udf.predict`.

    Returns
    -------
    pyarrow.Array
        One struct per row: the number of records of train; the out-of-bag scores of these and then of the synthetic
        ones; and the importance of each column, null if it was not requested or the column is not a feature.

    Raises
    ------
    EmptyTable, InfiniteValue, Stopped
        See `synthpriv_sql.errors`.
    """
    found = []
    for synthetic, train, given in zip(*(combined(a) for a in (synthetic_pages, train_pages, options)), strict=True):
        fields = given.as_py()
        tables = _coded({"synthetic": synthetic, "train": train}, fields)
        label = f"forest that distinguishes {fields['synthetic']} from {fields['train']}"
        detected = detection.detect(
            tables["train"],
            tables["synthetic"],
            _forest_options(fields),
            fields["importance"],
            _report(label, progress, cancelled),
        )
        importance = [None if np.isnan(value) else float(value) for value in detected.importance]
        found.append({"of_train": len(tables["train"][0]), "scores": detected.scores, "importance": importance})
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
        Arrow structs with the fields of sql/fidelity/utility.sql.
    progress, cancelled
        As in `detect`.

    Returns
    -------
    pyarrow.Array
        One list per row of (trained_on, error): train, synthetic, and nothing for a guess without a forest; see
        `synthpriv_sql.forests.detection.errors`; null for NaN.

    Raises
    ------
    EmptyTable, InfiniteValue, OptionError, Stopped
        See `synthpriv_sql.errors`; `OptionError` if the target has too many categories.
    """
    found = []
    arguments = (combined(a) for a in (synthetic_pages, train_pages, holdout_pages, options))
    for synthetic, train, holdout, given in zip(*arguments, strict=True):
        fields = given.as_py()
        tables = _coded({"synthetic": synthetic, "train": train, "holdout": holdout}, fields)
        position = next(i for i, name in enumerate(fields["columns"]) if name.lower() == fields["target"].lower())
        _check_target(tables, position, fields)
        report = _report(f"forests of {fields['columns'][position]}", progress, cancelled)
        grown_on = [tables["train"], tables["synthetic"]]
        errors = detection.errors(grown_on, tables["holdout"], position, _forest_options(fields), report)
        rows: list[dict[str, Any]] = []
        for trained_on, error in zip(("train", "synthetic", "nothing"), errors, strict=True):
            rows += [{"trained_on": trained_on, "error": None if np.isnan(e) else e} for e in error.tolist()]
        found.append(rows)
    return pa.array(found, pa.list_(USED))


def _forest_options(options: Mapping[str, Any]) -> forest.Options:
    return forest.Options(seed=options["seed"], trees=options["trees"], threads=options["threads"])


def _report(label: str, progress: Progress | None, cancelled: Callable[[], bool]) -> ProgressCallback:
    def report(done: int, total: int) -> None:
        if cancelled():
            raise Stopped("the forest was cancelled")
        if progress is not None:
            progress(done, total, label)

    return report


def _coded(given: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the columns of the tables for a forest, with common codes of categories."""
    kinds = arrange.kinds(options["roles"])
    tables = {side: pages.read(one.values or [], kinds) for side, one in given.items()}
    for side, table in tables.items():
        if not table.rows:
            raise EmptyTable(f"{options[side]} has no rows; random forests need records")
        arrange.check_values(options, table, options[side])
    ends = np.cumsum([table.rows for table in tables.values()])[:-1]
    coded: dict[str, list[Any]] = {side: [] for side in tables}
    identifiers = []
    for name, columns in zip(options["columns"], zip(*(t.columns for t in tables.values()), strict=True), strict=True):
        parts: Sequence[Any] = columns
        if isinstance(columns[0], pages.Texts):
            codes, _ = pages.codes(pages.joined(columns))
            parts = np.split(codes, ends)
            if forest.is_identifier(codes) and name.lower() != options.get("target", "").lower():
                identifiers.append(name)
        for side, part in zip(tables, parts, strict=True):
            coded[side].append(part)
    if identifiers:
        warnings.warn(
            f"columns with too many categories for a random forest are not used: {', '.join(map(quoted, identifiers))} "
            f"of {' and '.join(dict.fromkeys(options[side] for side in tables))}",
            SynthprivWarning,
            stacklevel=2,
        )
    return coded


def quoted(name: str) -> str:
    """Return the name of a column as it is written in messages."""
    return f'"{name}"'


def _check_target(tables: Mapping[str, list[Any]], position: int, options: Mapping[str, Any]) -> None:
    name = options["columns"][position]
    for side, columns in tables.items():
        column = columns[position]
        known = (column >= 0) if column.dtype.kind == "i" else ~np.isnan(column)
        if not known.any():
            raise EmptyTable(f'column "{name}" of {options[side]} has no values; choose another target')
        if side != "holdout" and forest.is_identifier(column):
            raise OptionError(
                f'the target "{name}" has too many categories for a random forest in {options[side]}; '
                "choose another target"
            )
