"""Searches on the executors: pages of the tables, cells (a shard with a slice of the queries), and their merging."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

from synthpriv_sql.engines.spark import records
from synthpriv_sql.engines.spark.records import Numbered
from synthpriv_sql.errors import EmptyTable
from synthpriv_sql.udf import agreement_cells as cells
from synthpriv_sql.udf import shards
from synthpriv_sql.udf.encoded import arrange

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_PAGES = "first bigint, rows bigint, infinite array<bigint>, page binary"
_FOUND = "first bigint, rows bigint, neighbors binary, distances binary"
_COUNTED = "counted binary"
_AGREED = "side string, record bigint, score double, synthetic bigint, own_bits double, bits array<double>"
_NEIGHBORS = "record bigint, rank int, neighbor bigint, distance double"


def task_threads() -> int:
    """The number of CPUs that Spark assigns to the calling task."""
    from pyspark import TaskContext

    context = TaskContext.get()
    return context.cpus() if context is not None else 1


def streamed(task: Callable[[Iterator[Any]], Iterator[Any]]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Wrap a task in a plain function, as mapInArrow requires."""

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        return task(batches)

    return run


@dataclass(frozen=True)
class Paged:
    """A table as pages on the executors. A page belongs to the shard in which it begins."""

    frame: DataFrame
    rows: int
    shard_rows: int
    infinite: Sequence[int]
    """The infinite values of each column."""

    @property
    def shards(self) -> int:
        """The number of shards."""
        return -(-self.rows // self.shard_rows)


def in_places(frame: DataFrame) -> DataFrame:
    """Rename columns to their positions: mapInArrow misreads dots and backticks in names."""
    return frame.toDF(*(f"column{i}" for i in range(len(frame.columns))))


@dataclass(frozen=True)
class Unpaged:
    """A table to be written as pages.

    Parameters
    ----------
    frame
        The record numbers, followed by DOUBLE or text columns. Instead of record numbers, the positions as Spark gives
        them if the table is not numbered yet.
    label
        Its name in messages.
    rows
        The number of records; None for positions.
    """

    frame: DataFrame
    label: str
    rows: int | None


def paged(tables: Sequence[Unpaged], most: int) -> list[tuple[Paged, Numbered]]:
    """Write the pages of tables, with at most ``most`` records per shard, and cache them on the executors."""
    from pyspark.sql import functions as sf

    frames = [
        in_places(table.frame).mapInArrow(streamed(_paging(table.rows, most)), _PAGES).persist() for table in tables
    ]
    columns = [len(table.frame.columns) - 1 for table in tables]
    # As SQL text, since every call of a column function takes one or more round trips to Java.
    infinite = [sf.expr(f"sum(get(infinite, {i})) AS infinite{i}") for i in range(max(columns))]
    try:
        found = records.sums_of_parts([(frame, "first", "rows") for frame in frames], "infinite", infinite)
    except BaseException:
        for frame in frames:
            frame.unpersist()
        raise
    made = []
    for table, frame, count, parts in zip(tables, frames, columns, found, strict=True):
        numbered = Numbered(table.label, frame, "first", records.fingerprint(parts), "rows")
        if table.rows is not None and table.rows != numbered.rows:
            raise RuntimeError(f"{numbered.rows} of {table.rows} records are in the pages")
        sums = [sum(row[f"infinite{i}"] for row in parts.values()) for i in range(count)]
        with_numbers = numbered.frame if table.rows is None else frame
        made.append((Paged(with_numbers, numbered.rows, _shard_rows(numbered.rows, most), sums), numbered))
    return made


def _paging(rows: int | None, most: int) -> shards.Paging:
    """The writer of a table's pages; if its records are not counted yet, a shard may exceed the limit slightly."""
    if rows is not None:
        return shards.Paging(_shard_rows(rows, most))
    return shards.Paging(1 << 62, max(1, min(shards.PAGE_ROWS, most // 8)))


def _shard_rows(rows: int, most: int) -> int:
    """The records per shard, as equal as possible."""
    return max(1, -(-rows // max(1, -(-rows // most))))


def count(frames: Sequence[DataFrame]) -> list[int]:
    """Compute frames, and fill their caches, in one job; return the number of rows of each."""
    rows = {row["of"]: int(row["count"]) for row in _together(frames).groupBy("of").count().collect()}
    return [rows.get(i, 0) for i in range(len(frames))]


def in_order(frame: DataFrame, rows: int, tasks: int, record: str = "record", *then: str) -> DataFrame:
    """Return rows in the order of their record numbers, from 0 to rows, in partitions of similar size."""
    from pyspark.sql import functions as sf

    runs = max(1, min(tasks, -(-rows // shards.PAGE_ROWS)))
    run = sf.least((sf.col(record) * runs / max(rows, 1)).cast("int"), sf.lit(runs - 1))
    return frame.repartitionById(runs, run).sortWithinPartitions(record, *then)


def _together(frames: Sequence[DataFrame], *columns: str) -> DataFrame:
    """The rows of several frames, with the index of the frame that each row is from."""
    from pyspark.sql import functions as sf

    marked = [frame.select(sf.lit(i).alias("of"), *columns) for i, frame in enumerate(frames)]
    return reduce(lambda one, other: one.unionAll(other), marked)


def nearest(
    queries: Paged,
    reference: Paged,
    options: Mapping[str, Any],
    spreads: Sequence[float | None],
    tasks: int,
) -> DataFrame:
    """Search the k nearest reference records of every query.

    Parameters
    ----------
    queries, reference
        The tables; the same table if ``exclude_self`` is set.
    options
        The options that sql/parts/nearest.sql passes to the kernel.
    spreads
        The scale of each numeric column, by which differences are divided.
    tasks
        About how many tasks run at a time.

    Returns
    -------
    DataFrame
        record, rank, neighbor and distance, in the order of record and rank.

    Raises
    ------
    EmptyTable, InfiniteValue
        The reference is empty; a column has infinite values.
    """
    from pyspark.sql import functions as sf

    k = arrange.neighbors_to_find(options, reference.rows)
    session = queries.frame.sparkSession
    if k == 0 or queries.rows == 0:
        return session.createDataFrame([], _NEIGHBORS)
    for table, label in ((queries, options["queries"]), (reference, options["reference"])):
        for name, infinite in zip(options["columns"], table.infinite, strict=True):
            if infinite:
                raise arrange.infinite_values(name, label, infinite)
    count = reference.shards
    # One cell per parallel task: each reads a shard and builds its index, unless the task before had the same shard.
    shares = max(1, min(-(-tasks // count), -(-queries.rows // shards.PAGE_ROWS)))
    merging = shards.Merging(k, bool(options["exclude_self"]))
    cell = shards.Cell(uuid.uuid4().hex, options, spreads, merging, count == 1, task_threads)
    first = sf.col("first")
    shard = (first / reference.shard_rows).cast("int")
    share = sf.least((first * shares / queries.rows).cast("int"), sf.lit(shares - 1))
    every_share = sf.sequence(shard * shares, shard * shares + (shares - 1))
    every_shard = sf.transform(sf.sequence(sf.lit(0), sf.lit(count - 1)), lambda s: s * shares + share)
    messages = _messages(reference, shards.REFERENCE, every_share).unionAll(
        _messages(queries, shards.QUERIES, every_shard)
    )
    cells = messages.repartitionById(count * shares, "cell").sortWithinPartitions("side", "first")
    found = cells.select("side", "first", "page").mapInArrow(streamed(cell), _NEIGHBORS if count == 1 else _FOUND)
    if count == 1:
        return found
    return in_order(found, queries.rows, tasks, "first").mapInArrow(streamed(merging), _NEIGHBORS)


def agreement(
    synthetic: Paged, train: Paged, holdout: Paged | None, options: Mapping[str, Any], tasks: int
) -> DataFrame:
    """Search, for every real record, the synthetic record that agrees most with it.

    Parameters
    ----------
    synthetic, train, holdout
        The tables.
    options
        The options that sql/parts/agreement.sql passes to the kernel.
    tasks
        About how many tasks run at a time.

    Returns
    -------
    DataFrame
        The rows of sql/parts/agreement.sql, unordered.

    Raises
    ------
    EmptyTable, InfiniteValue
        A table is empty; a column has infinite values.
    """
    from pyspark.sql import functions as sf

    for side, table in (("synthetic", synthetic), ("train", train), ("holdout", holdout)):
        if table is None:
            continue
        if table.rows == 0 and side != "holdout":
            raise EmptyTable(f"{options[side]} has no rows; without a record there is no closest one")
        for name, infinite in zip(options["columns"], table.infinite, strict=True):
            if infinite:
                raise arrange.infinite_values(name, options[side], infinite)
    real = [(cells.TRAIN, train), *([(cells.HOLDOUT, holdout)] if holdout is not None and holdout.rows else [])]
    rows = sum(table.rows for _, table in real)
    pages = reduce(lambda one, other: one.unionAll(other), [table.frame.select("page") for _, table in real])
    counting = cells.Counting(arrange.kinds(options["roles"]))
    values = cells.counted([bytes(row[0]) for row in pages.mapInArrow(streamed(counting), _COUNTED).collect()])
    count = synthetic.shards
    shares = max(1, min(-(-2 * tasks // count), -(-rows // shards.PAGE_ROWS)))
    first = sf.col("first")
    shard = (first / synthetic.shard_rows).cast("int")
    messages = _messages(
        synthetic, cells.SYNTHETIC, sf.sequence(shard * shares, shard * shares + (shares - 1))
    )  # fmt: skip
    for number, table in real:
        share = sf.least((first * shares / table.rows).cast("int"), sf.lit(shares - 1))
        every_shard = sf.transform(sf.sequence(sf.lit(0), sf.lit(count - 1)), _in_shard(shares, share))
        messages = messages.unionAll(_messages(table, number, every_shard))
    cell = cells.Cell(uuid.uuid4().hex, options, values, rows, task_threads)
    placed = messages.repartitionById(count * shares, "cell").sortWithinPartitions("side", "first")
    found = placed.select("side", "page").mapInArrow(streamed(cell), _AGREED)
    if count == 1:
        return found
    # The most bits; among ties, the smallest record number.
    ranked = sf.struct("score", (-sf.col("synthetic")).alias("after"), "synthetic", "own_bits", "bits")
    best = found.groupBy("side", "record").agg(sf.max(ranked).alias("best"))
    return best.select("side", "record", *(f"best.{name}" for name in ("score", "synthetic", "own_bits", "bits")))


def _in_shard(shares: int, share: Column) -> Callable[[Column], Column]:
    return lambda shard: shard * shares + share


def tied(
    queries: Paged,
    reference: Paged,
    options: Mapping[str, Any],
    spreads: Sequence[float | None],
    tasks: int,
    keep: Callable[[DataFrame], DataFrame],
) -> DataFrame:
    """Search all reference records at the smallest distance from each query; all have rank 1.

    Parameters and errors are those of `nearest`. The search is repeated with more neighbors until the last neighbor of
    every query is farther than its first. ``keep`` caches a frame that is read several times, and returns it.
    """
    from pyspark.sql import functions as sf

    most = min(reference.rows, options.get("most_ties") or reference.rows)
    k = min(2, most)
    while True:
        found = keep(nearest(queries, reference, {**options, "k": k}, spreads, tasks))
        ends = found.groupBy("record").agg(sf.min("distance").alias("first"), sf.max("distance").alias("last"))
        if k >= most or ends.where("first = last").limit(1).count() == 0:
            break
        k = min(4 * k, most)
    first = ends.select("record", "first")
    nearest_ones = found.join(first, "record").where("distance = first")
    return nearest_ones.select("record", sf.lit(1).alias("rank"), "neighbor", "distance")


def _messages(table: Paged, side: int, cells: Column) -> DataFrame:
    from pyspark.sql import functions as sf

    return table.frame.select(sf.explode(cells).alias("cell"), sf.lit(side).alias("side"), "first", "page")
