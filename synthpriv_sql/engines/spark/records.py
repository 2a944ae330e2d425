"""Record numbers: the position of a row in the order in which Spark collects a table.

The rows are kept on the executors (in memory, then on disk) with their numbers, so that a number means one row however
often the table is read. An executor may be lost with what it kept: Spark then reads that part of the table again, which
gives the same rows in the same order for files, but not for every query. So a fingerprint of the table is taken when it
is numbered, and `check` compares it at the end of a call.

Where only pages are made of the rows of files, the pages alone are kept and numbered.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from synthpriv_sql.engines.spark.lookup import quoted
from synthpriv_sql.errors import EngineError

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, Row

Fingerprint = dict[int, tuple[int, int]]
"""Of each partition that has rows: how many, and a sum of what is in which row."""

_PLACE_BITS = 33
"""What monotonically_increasing_id has of a row's place in its partition, below the partition's number."""


@dataclass(frozen=True)
class Numbered:
    """A table whose rows, or pages of rows, are kept with their places, and how many rows there are.

    Parameters
    ----------
    label
        How messages call the table.
    kept
        What is kept.
    number
        The column of places, which has the numbers in `frame`.
    fingerprint
        What was there when it was numbered.
    each
        The column that says how many records a row stands for, where it is not one.
    """

    label: str
    kept: DataFrame
    number: str
    fingerprint: Fingerprint
    each: str = ""

    @property
    def rows(self) -> int:
        """How many records there are."""
        return sum(rows for rows, _ in self.fingerprint.values())

    @property
    def frame(self) -> DataFrame:
        """The rows with their numbers."""
        from pyspark.sql import functions as sf

        before = [0] * (max(self.fingerprint, default=-1) + 1)
        total = 0
        for part in sorted(self.fingerprint):
            before[part] = total
            total += self.fingerprint[part][0]
        place = sf.col(quoted(self.number))
        # One literal, however many partitions: Spark folds it when it plans.
        offsets = sf.from_json(sf.lit(json.dumps(before)), "array<bigint>")
        offset = sf.get(offsets, sf.shiftright(place, _PLACE_BITS).cast("int"))
        numbered = offset + place.bitwiseAND((1 << _PLACE_BITS) - 1)
        return self.kept.withColumn(self.number, numbered)


def placed(frame: DataFrame, name: str) -> DataFrame:
    """Rows with a column of their places: a partition, and a place there."""
    from pyspark.sql import functions as sf

    return frame.select("*", sf.monotonically_increasing_id().alias(name))


def numbered(tables: Sequence[tuple[DataFrame, str, str]]) -> list[Numbered]:
    """Keep the rows of tables on the executors, and number them: in one job, which reads every table once.

    Parameters
    ----------
    tables
        Of each the rows, how messages call it, and the name of the column of numbers.
    """
    # What is before a place is only known when all rows are counted.
    kept = [placed(frame, name).persist() for frame, _, name in tables]
    try:
        found = sums_of_parts([(frame, name, "") for frame, (_, _, name) in zip(kept, tables, strict=True)])
    except BaseException:
        for frame in kept:
            frame.unpersist()
        raise
    return [
        Numbered(label, frame, name, fingerprint(parts))
        for frame, (_, label, name), parts in zip(kept, tables, found, strict=True)
    ]


def check(tables: Sequence[Numbered]) -> None:
    """See whether every number still means the row that it meant at first.

    Raises
    ------
    EngineError
        Rows were lost with an executor, and read again they came in another order.
    """
    found = sums_of_parts([(table.kept, table.number, table.each) for table in tables])
    for table, parts in zip(tables, found, strict=True):
        if fingerprint(parts) != table.fingerprint:
            raise EngineError(
                f"a part of {table.label} was lost with an executor of Spark, and its rows came in another order when "
                "they were read again, so that record numbers mean other rows now; there is no result. Try again, or "
                "write the table to files first: their order does not change"
            )


def fingerprint(parts: Mapping[int, Row]) -> Fingerprint:
    """The fingerprint of a table, out of what `sums_of_parts` has of it."""
    return {part: (row["rows"], row["sum"]) for part, row in parts.items()}


def sums_of_parts(
    tables: Sequence[tuple[DataFrame, str, str]], more: str = "", sums: Sequence[Column] = ()
) -> list[dict[int, Row]]:
    """Of each partition of each table: `rows`, how many it has, and `sum`, one of what is in which row; in one job.

    Parameters
    ----------
    tables
        Of each what is kept, the column of places, and the column that says how many records a row stands for, if any.
    more, sums
        A column that all have, and what else is summed of it.
    """
    from pyspark.sql import functions as sf

    marked = []
    for i, (table, place, each) in enumerate(tables):
        # No hash is defined of these.
        hashed = [f.name for f in table.schema.fields if f.dataType.typeName() not in {"map", "variant"}]
        part = sf.shiftright(quoted(place), _PLACE_BITS).alias("part")
        rows = (sf.col(quoted(each)) if each else sf.lit(1)).cast("bigint").alias("rows")
        hash_ = sf.xxhash64(*map(quoted, hashed)).alias("hash")
        marked.append(table.select(sf.lit(i).alias("of"), part, rows, hash_, *([more] if more else [])))
    found: list[dict[int, Row]] = [{} for _ in marked]
    if marked:
        every = reduce(lambda one, other: one.unionAll(other), marked)
        of_each = every.groupBy("of", "part").agg(sf.sum("rows").alias("rows"), sf.bit_xor("hash").alias("sum"), *sums)
        for row in of_each.collect():
            found[row["of"]][row["part"]] = row
    return found
