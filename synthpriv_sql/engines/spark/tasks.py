"""Steps on the executors other than searches: one task per column, or one for all, each with whole tables in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

from synthpriv_sql.engines.spark.search import Paged, in_order, in_places, streamed, task_threads
from synthpriv_sql.errors import EmptyTable
from synthpriv_sql.forests import measures
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
    "side string, record bigint, score double, synthetic bigint, fold bigint, evidence array<string>, control double, "
    "release string, released string"
)
_EXCHANGED = (
    "replicated bigint, control bigint, z double, above bigint, exchanges bigint, difference bigint, people bigint"
)
_DETECTED = f"position bigint, score double, importance double, is_real boolean, {measures.WARNING} string"
_USED = f"trained_on string, error double, {measures.WARNING} string"
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


class OfPages(NamedTuple):
    """A step that takes the pages of all its tables at once: the function of the kernel, and what is done instead.

    ``sides`` are the tables in the order of the task, ``schema`` is that of its rows, ``label`` is for the progress,
    and ``empty`` says why a table needs rows.
    """

    function: str
    sides: Sequence[str]
    task: Callable[[Mapping[str, Any], Callable[[], int]], Callable[[Iterator[Any]], Iterator[Any]]]
    schema: str
    label: str
    empty: str = "without a record there is no closest one"

    def aliases(self) -> Mapping[str, str]:
        """What a part calls the pages of each side."""
        return {side: side.replace(" ", "_") if " " in side else f"{side}_pages" for side in self.sides}


_OF_FORESTS = "forests", "random forests need records"
_LEARNED = OfPages("synthpriv_learned", task.SIDES, task.Task, _JUDGED, "learning")
OF_PAGES: Mapping[Operator, OfPages] = {
    Operator.LEARNING: _LEARNED,
    Operator.LEARNING_OF_RELEASES: _LEARNED,
    Operator.ROW_EXCHANGES: OfPages("synthpriv_within", within.SIDES, within.Task, _EXCHANGED, "combinations"),
    Operator.DETECTION: OfPages("synthpriv_detection", measures.SIDES[:2], measures.Task, _DETECTED, *_OF_FORESTS),
    Operator.UTILITY: OfPages("synthpriv_utility", measures.SIDES, measures.Task, _USED, *_OF_FORESTS),
}


def in_one_task(step: OfPages, tables: Mapping[str, Sequence[Paged]], options: Mapping[str, Any]) -> DataFrame:
    """Hand the pages of all tables to one task on an executor.

    Parameters
    ----------
    step
        The step.
    tables
        By its sides: none for a missing table, and several releases for synthetic.
    options
        The options that a file of sql/ passes to the kernel.

    Returns
    -------
    DataFrame
        The rows of that file, unordered.

    Raises
    ------
    EmptyTable, InfiniteValue
        A table is empty; a column has infinite values.
    """
    from pyspark.sql import functions as sf

    numbered = [(number, side, one) for number, side in enumerate(step.sides) for one in tables[side][:1]]
    further = [(side, one) for side in step.sides for one in tables[side][1:]]
    numbered += [(number, side, one) for number, (side, one) in enumerate(further, len(step.sides))]
    frames = []
    for number, side, table in numbered:
        if table.rows == 0:
            raise EmptyTable(f"{options[side]} has no rows; {step.empty}")
        if side in options:
            for name, infinite in zip(options["columns"], table.infinite, strict=True):
                if infinite:
                    raise arrange.infinite_values(name, options[side], infinite)
        frames.append(table.frame.select(sf.lit(number).alias("side"), "first", "page"))
    messages = reduce(lambda one, other: one.unionAll(other), frames)
    placed = messages.repartition(1).sortWithinPartitions("side", "first").select("side", "page")
    return placed.mapInArrow(streamed(step.task(options, task_threads)), step.schema)


def cautions(step: OfPages, found: DataFrame, rows: int, options: Mapping[str, Any]) -> list[str]:
    """Return what a user should know about the rows of a step, which are cached."""
    if step is _LEARNED and not rows:
        return [
            f"the attack learned is left out: it needs 100 records of {options['train']} and of "
            f"{options['holdout']} in each of {options['folds'] or 2} folds"
        ]
    if measures.WARNING not in found.columns:
        return []
    told = found.where(f"{measures.WARNING} IS NOT NULL").select(measures.WARNING)
    return [row[0] for row in told.collect()]
