"""The random forest baseline on the executors: one task per column, each with the whole table in memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from synthpriv_sql.engines.spark.search import Paged, in_order, in_places, streamed, task_threads
from synthpriv_sql.forests import udf as forest_udf
from synthpriv_sql.forests.cells import ORIGINALS, PAGES, Cutting, Gathering, Growing

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_CUT = "cell int, first bigint, page binary"
_PREDICTED = "first bigint, column int, identifier boolean, page binary"
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
