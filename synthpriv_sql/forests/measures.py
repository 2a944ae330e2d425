"""``synthpriv_detection`` and ``synthpriv_utility``, called by SQL with the pages of several tables.

`Task` is the same on a cluster: all pages go to one executor, which grows the forests.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
SIDES = ("synthetic", "train", "holdout")
"""The tables of a task, by their numbers; a forest that distinguishes two has no holdout."""
WARNING = "warning"
"""The column of a task's rows with what a user should know; the first row has it."""
DETECTED_ROWS = pa.schema(
    [
        ("position", pa.int64()),
        ("score", pa.float64()),
        ("importance", pa.float64()),
        ("is_real", pa.bool_()),
        (WARNING, pa.string()),
    ]
)
"""The columns of sql/fidelity/detected.sql."""
USED_ROWS = pa.schema([("trained_on", pa.string()), ("error", pa.float64()), (WARNING, pa.string())])
"""The columns of sql/fidelity/target_errors.sql."""


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
        one, message = _detected([synthetic.values, train.values], given.as_py(), progress, cancelled)
        _warn(message)
        found.append(one)
    types = [("of_train", pa.int64()), ("scores", pa.list_(pa.float64())), ("importance", pa.list_(pa.float64()))]
    return pa.array(found, pa.struct(types))


def _detected(
    given: Sequence[Any],
    options: Mapping[str, Any],
    progress: Progress | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> tuple[dict[str, Any], str]:
    """The fields of `detect` for the pages of two tables, and a warning."""
    tables, message = _coded(dict(zip(SIDES, given, strict=False)), options)
    label = f"forest that distinguishes {options['synthetic']} from {options['train']}"
    found = detection.detect(
        tables["train"],
        tables["synthetic"],
        _forest_options(options),
        options["importance"],
        _report(label, progress, cancelled),
    )
    importance = [None if np.isnan(value) else float(value) for value in found.importance]
    return {"of_train": len(tables["train"][0]), "scores": found.scores, "importance": importance}, message


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
    for *tables, given in zip(*arguments, strict=True):
        rows, message = _used([one.values for one in tables], given.as_py(), progress, cancelled)
        _warn(message)
        found.append([dict(zip(("trained_on", "error"), row, strict=True)) for row in rows])
    return pa.array(found, pa.list_(USED))


def _used(
    given: Sequence[Any],
    options: Mapping[str, Any],
    progress: Progress | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> tuple[list[tuple[str, float | None]], str]:
    """The rows of `use` for the pages of three tables, and a warning."""
    tables, message = _coded(dict(zip(SIDES, given, strict=True)), options)
    position = next(i for i, name in enumerate(options["columns"]) if name.lower() == options["target"].lower())
    _check_target(tables, position, options)
    report = _report(f"forests of {options['columns'][position]}", progress, cancelled)
    grown_on = [tables["train"], tables["synthetic"]]
    errors = detection.errors(grown_on, tables["holdout"], position, _forest_options(options), report)
    rows: list[tuple[str, float | None]] = []
    for trained_on, error in zip(("train", "synthetic", "nothing"), errors, strict=True):
        rows += [(trained_on, None if np.isnan(e) else e) for e in error.tolist()]
    return rows, message


@dataclass(frozen=True, slots=True)
class Task:
    """Grows forests on the given pages: with a target those of `use`, otherwise that of `detect`.

    Parameters
    ----------
    options
        The fields of sql/fidelity/target_errors.sql or of sql/fidelity/detected.sql, except for threads.
    threads
        Returns the number of threads to use; called on the executor.
    """

    options: Mapping[str, Any]
    threads: Callable[[], int]

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Turn batches of (side, page) into one of `DETECTED_ROWS` or `USED_ROWS`; the sides are those of `SIDES`."""
        pages_of: dict[int, list[Any]] = {}
        for batch in batches:
            for side, page in zip(batch.column("side").to_pylist(), batch.column("page"), strict=True):
                pages_of.setdefault(side, []).append(page)
        if not pages_of:
            return  # a partition without pages
        options = {**self.options, "threads": self.threads()}
        if "target" in options:
            rows, message = _used([pages_of.get(side) for side in range(3)], options)
            columns: list[Any] = [list(column) for column in zip(*rows, strict=True)]
            schema = USED_ROWS
        else:
            found, message = _detected([pages_of.get(side) for side in range(2)], options)
            lists = [list(found[name]) for name in ("scores", "importance")]
            length = max(map(len, lists))
            columns = [list(range(length)), *(values + [None] * (length - len(values)) for values in lists)]
            columns.append([position < found["of_train"] for position in columns[0]])
            schema = DETECTED_ROWS
        columns.append([message or None, *[None] * (len(columns[0]) - 1)])
        arrays = [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)]
        yield pa.record_batch(arrays, schema=schema)


def _warn(message: str) -> None:
    if message:
        warnings.warn(message, SynthprivWarning, stacklevel=3)


def _forest_options(options: Mapping[str, Any]) -> forest.Options:
    return forest.Options(seed=options["seed"], trees=options["trees"], threads=options["threads"])


def _report(label: str, progress: Progress | None, cancelled: Callable[[], bool]) -> ProgressCallback:
    def report(done: int, total: int) -> None:
        if cancelled():
            raise Stopped("the forest was cancelled")
        if progress is not None:
            progress(done, total, label)

    return report


def _coded(given: Mapping[str, Any], options: Mapping[str, Any]) -> tuple[dict[str, list[Any]], str]:
    """Return the columns of the tables for a forest, with common codes of categories, and a warning."""
    kinds = arrange.kinds(options["roles"])
    tables = {side: pages.read([] if one is None else one, kinds) for side, one in given.items()}
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
    if not identifiers:
        return coded, ""
    return coded, (
        f"columns with too many categories for a random forest are not used: {', '.join(map(quoted, identifiers))} "
        f"of {' and '.join(dict.fromkeys(options[side] for side in tables))}"
    )


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
