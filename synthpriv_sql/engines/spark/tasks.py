"""Steps on the executors other than searches: one task per column, or one for all, each with whole tables in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

from synthpriv_sql.engines.spark.search import Paged, in_order, in_places, streamed, task_threads
from synthpriv_sql.errors import EmptyTable
from synthpriv_sql.forests import udf as forest_udf
from synthpriv_sql.forests.cells import ORIGINALS, PAGES, Cutting, Gathering, Growing
from synthpriv_sql.learned import task
from synthpriv_sql.planner.headers.function import Operator
from synthpriv_sql.udf import within
from synthpriv_sql.udf.encoded import arrange
from synthpriv_sql.udf.texts import copies, phrases, records, replay

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_CUT = "cell int, first bigint, page binary"
_PREDICTED = "first bigint, column int, identifier boolean, page binary"
_JUDGED = (
    "side string, record bigint, score double, synthetic bigint, fold bigint, evidence array<string>, release string"
)
_EXCHANGED = (
    "replicated bigint, control bigint, z double, above bigint, exchanges bigint, difference bigint, people bigint"
)
_TEXTS = (
    "column_name string, what string, length bigint, train bigint, replayed bigint, holdout bigint, "
    "holdout_replayed bigint, records bigint"
)
_COPIES = "record bigint, copies bigint"
_OWNED_TEXTS = "column_name string, value string, is_near boolean, words bigint"
_PHRASES = "column_name string, side string, record bigint, synthetic bigint, also bigint, words bigint"
_CELLS_A_TASK = 2


def grown(train: Paged, originals: DataFrame, options: Mapping[str, Any], tasks: int) -> DataFrame:
    """Predict every column; only the training of the forests is lazy.

    Parameters
    ----------
    train
        The pages of the table.
    originals
        Record numbers, followed by the unchanged columns.
    options
        The options that sql/parts/forest.sql passes to the kernel.
    tasks
        The approximate number of parallel tasks.

    Returns
    -------
    DataFrame
        Predictions in pieces, to be cached until `gathered` has read them.

    Raises
    ------
    InfiniteValue
        A column has infinite values.
    """
    from pyspark.sql import functions as sf

    for name, infinite in zip(options["columns"], train.infinite, strict=True):
        if infinite:
            raise forest_udf.infinite_values(name, options["relation"], infinite)
    cells = min(len(options["columns"]), _CELLS_A_TASK * tasks)
    every = sf.explode(sf.sequence(sf.lit(0), sf.lit(cells - 1))).alias("cell")
    whole = train.frame.select(every, sf.lit(PAGES).alias("side"), "first", "page")
    sent_on = in_places(originals).mapInArrow(streamed(Cutting(cells)), _CUT)
    cut = sent_on.select("cell", sf.lit(ORIGINALS), "first", "page")
    sent = whole.unionAll(cut).repartitionById(cells, "cell").sortWithinPartitions("side", "first")
    growing = Growing(options, cells, task_threads)
    return sent.select("cell", "side", "page").mapInArrow(streamed(growing), _PREDICTED)


def gathered(
    predicted: DataFrame, originals: DataFrame, rows: int, options: Mapping[str, Any], tasks: int
) -> DataFrame:
    """Return the rows of sql/parts/donated.sql; warns about columns that no forest predicts.

    Parameters
    ----------
    predicted
        The cached result of `grown`; it is computed here.
    originals, options, tasks
        As for `grown`.
    rows
        Number of records in the table.
    """
    from pyspark.sql.types import ArrayType, DoubleType, LongType, StructType

    found = predicted.where("identifier").select("column").distinct().collect()
    forest_udf.note_identifiers(options["relation"], [options["columns"][i] for i in sorted(row[0] for row in found)])
    schema = StructType().add("record", LongType())
    for name in ("draws", "numbers"):
        schema = schema.add(name, ArrayType(DoubleType()))
    for field in originals.schema.fields[1:]:
        schema = schema.add(field.name, field.dataType)
    ordered = in_order(predicted, rows, tasks, "first", "column")
    return ordered.select("first", "page").mapInArrow(streamed(Gathering(originals.columns[1:])), schema)


def judged(tables: Mapping[str, Paged | None], options: Mapping[str, Any]) -> DataFrame:
    """Score real records by the attack `learned`, in one task on an executor.

    Parameters
    ----------
    tables
        By the names in `learned.task.SIDES`; None for a missing table.
    options
        The options that sql/membership/learned.sql passes to the kernel.

    Returns
    -------
    DataFrame
        The rows of sql/membership/learned.sql, unordered.

    Raises
    ------
    EmptyTable, InfiniteValue
        A table is empty; a column has infinite values.
    """
    return _in_one_task(tables, task.SIDES, options, task.Task(options, task_threads), _JUDGED)


def exchanged(tables: Mapping[str, Paged | None], options: Mapping[str, Any]) -> DataFrame:
    """Count uniques of one half of the real people, in one task on an executor.

    Parameters
    ----------
    tables
        By the names in `within.SIDES`; None for a missing table.
    options
        The options that sql/uniques/within_found.sql passes to the kernel.

    Returns
    -------
    DataFrame
        The rows of sql/uniques/within_found.sql, unordered.

    Raises
    ------
    EmptyTable, InfiniteValue
        A table is empty; a column has infinite values.
    """
    return _in_one_task(tables, within.SIDES, options, within.Task(options, task_threads), _EXCHANGED)


def near_texts(rows: DataFrame, options: Mapping[str, Any]) -> DataFrame:
    """Compare texts by nearness and by runs of words, each column in one task on an executor.

    Parameters
    ----------
    rows
        The values of columns, which sql/uniques/near_values.sql passes to the kernel.
    options
        The options that it passes.

    Returns
    -------
    DataFrame
        The rows of that file, unordered.
    """
    return _by_column(rows, replay.Task(options, task_threads), _TEXTS)


def owned_texts(rows: DataFrame, options: Mapping[str, Any]) -> DataFrame:
    """Say which synthetic texts are those of one person, each column in one task on an executor.

    The parameters are those of `near_texts`, of sql/screening/texts_of_columns.sql.
    """
    return _by_column(rows, records.Task(options, task_threads), _OWNED_TEXTS)


def runs_of_words(rows: DataFrame, options: Mapping[str, Any]) -> DataFrame:
    """Look for runs of words that one person alone has, each column in one task on an executor.

    The parameters are those of `near_texts`, of sql/uniques/phrases_of_columns.sql.
    """
    return _by_column(rows, phrases.Task(options), _PHRASES)


def near_copies(rows: DataFrame, options: Mapping[str, Any]) -> DataFrame:
    """Count nearly equal records, in one task on an executor.

    Parameters
    ----------
    rows
        The records, which sql/screening/near_copies.sql passes to the kernel.
    options
        The options that it passes.

    Returns
    -------
    DataFrame
        The rows of that file, unordered.
    """
    return rows.repartition(1).mapInArrow(streamed(copies.Task(options, task_threads)), _COPIES)


OF_TEXTS: Mapping[Operator, tuple[Any, ...]] = {
    Operator.TEXTS: ("synthpriv_near", near_texts, "column_name"),
    Operator.COPIED_TEXTS: ("synthpriv_near_copies", near_copies),
    Operator.OWNED_TEXTS: ("synthpriv_near_records", owned_texts, "column_name"),
    Operator.PHRASES: ("synthpriv_phrases", runs_of_words, "column_name"),
}
"""The steps that compare texts: the function of the kernel that a part calls, what is done instead, and by what."""


def _by_column(rows: DataFrame, task: Callable[[Any], Any], schema: str) -> DataFrame:
    """Hand the rows of each column to a task, which returns rows of this schema."""

    def run(table: Any) -> Any:
        return task(table)

    return rows.groupBy("column_name").applyInArrow(run, schema)


def _in_one_task(
    tables: Mapping[str, Paged | None],
    sides: Sequence[str],
    options: Mapping[str, Any],
    run: Callable[[Iterator[Any]], Iterator[Any]],
    schema: str,
) -> DataFrame:
    """Hand the pages of all tables to one task, which returns rows of this schema."""
    from pyspark.sql import functions as sf

    frames = []
    for number, side in enumerate(sides):
        table = tables[side]
        if table is None:
            continue
        if table.rows == 0:
            raise EmptyTable(f"{options[side]} has no rows; without a record there is no closest one")
        if side in options:
            for name, infinite in zip(options["columns"], table.infinite, strict=True):
                if infinite:
                    raise arrange.infinite_values(name, options[side], infinite)
        frames.append(table.frame.select(sf.lit(number).alias("side"), "first", "page"))
    messages = reduce(lambda one, other: one.unionAll(other), frames)
    placed = messages.repartition(1).sortWithinPartitions("side", "first").select("side", "page")
    return placed.mapInArrow(streamed(run), schema)
