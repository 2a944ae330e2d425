"""``synthpriv_forest``, called by SQL: pages of records in, a prediction for every cell out."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthpriv_sql.errors import InfiniteValue, Stopped, SynthprivWarning
from synthpriv_sql.forests import forest
from synthpriv_sql.progress import Progress
from synthpriv_sql.udf.encoded import arrange, pages
from synthpriv_sql.udf.neighbors import combined

PREDICTED = pa.struct(
    [
        ("record", pa.int64()),
        ("draws", pa.list_(pa.float64())),
        ("numbers", pa.list_(pa.float64())),
        ("donors", pa.list_(pa.int64())),
    ]
)
PREDICTED_SQL = "STRUCT(record BIGINT, draws DOUBLE[], numbers DOUBLE[], donors BIGINT[])[]"


def predict(
    record_pages: Any,
    options: Any,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Any:
    """``synthpriv_forest(pages, options)``: the replacements of the cells of a table.

    Parameters
    ----------
    record_pages
        Arrow lists of pages, one list per row; null if the table has no rows.
    options
        Arrow structs with the fields of sql/parts/forest.sql.
    progress
        Called with the number of trees grown, the number of all trees, and a description.
    cancelled
        Called after every batch of trees; returns whether to stop.

    Returns
    -------
    pyarrow.Array
        One list per row of (record, draws, numbers, donors), ordered by record; the inner lists have one item per
        column, see `synthpriv_sql.forests.forest.Prediction`, and null for missing numbers and donors.

    Raises
    ------
    InfiniteValue
        A column holds infinite numbers.
    Stopped
        `cancelled` returned true.
    """
    lists, structs = combined(record_pages), combined(options)

    def report(done: int, total: int, label: str) -> None:
        if cancelled():
            raise Stopped("the baseline was cancelled")
        if progress is not None:
            progress(done, total, label)

    found = [_predict_one(lists[i].values or [], structs[i].as_py(), report) for i in range(len(structs))]
    offsets = np.cumsum([0, *(len(rows) for rows in found)], dtype=np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), pa.concat_arrays([pa.array([], PREDICTED), *found]))


def _predict_one(record_pages: Any, options: Mapping[str, Any], progress: Progress) -> Any:
    table = pages.read(record_pages, arrange.kinds(options["roles"]))
    if table.rows == 0:
        return pa.array([], PREDICTED)
    columns = [pages.codes(column)[0] if isinstance(column, pages.Texts) else column for column in table.columns]
    names = options["columns"]
    for name, column in zip(names, columns, strict=True):
        infinite = int(np.isinf(column).sum()) if column.dtype.kind == "f" else 0
        if infinite:
            raise infinite_values(name, options["relation"], infinite)
    identifiers = [n for n, column in zip(names, columns, strict=True) if forest.is_identifier(column)]
    note_identifiers(options["relation"], identifiers)
    found = forest.predictions(
        columns,
        forest_options(options, options["threads"]),
        lambda done, total, position: progress(done, total, f"forest of {names[position]}"),
    )
    return _rows(table.rows, list(found))


def forest_options(options: Mapping[str, Any], threads: int) -> forest.Options:
    """Return the options of forests from the fields of sql/parts/forest.sql."""
    return forest.Options(
        seed=options["seed"],
        trees=options["trees"],
        sample=options["sample"],
        out_of_bag=options["out_of_bag"],
        donor=options["noise"] == "donor",
        threads=threads,
    )


def infinite_values(column: str, relation: str, count: int) -> InfiniteValue:
    """Return the error for a column with infinite values."""
    return InfiniteValue(
        f'column "{column}" of {relation} holds {count} infinite values, which a random forest cannot predict. '
        "Replace them by NULL or leave the column out."
    )


def note_identifiers(relation: str, columns: Sequence[str]) -> None:
    """Warn about columns that no forest predicts."""
    if columns:
        listed = ", ".join(f'"{name}"' for name in columns)
        warnings.warn(
            f"{relation} has columns with too many categories for a random forest: {listed}. They are not used for "
            "predictions, and their replaced cells get the value of a random original record.",
            SynthprivWarning,
            stacklevel=2,
        )


def lists(arrays: Sequence[NDArray[Any]], missing: Callable[[NDArray[Any]], NDArray[np.bool_]] | None) -> Any:
    """Return one list per record, with one item per column, and null for missing items."""
    values = np.stack(arrays, axis=1).ravel()
    offsets = pa.array(np.arange(0, values.size + 1, len(arrays), dtype=np.int32))
    return pa.ListArray.from_arrays(offsets, pa.array(values, mask=None if missing is None else missing(values)))


def _rows(rows: int, found: Sequence[forest.Prediction]) -> Any:
    return pa.StructArray.from_arrays(
        [
            pa.array(np.arange(rows, dtype=np.int64)),
            lists([prediction.draws for prediction in found], None),
            lists([prediction.numbers for prediction in found], np.isnan),
            lists([prediction.donors for prediction in found], lambda donors: donors < 0),
        ],
        fields=list(PREDICTED),
    )
