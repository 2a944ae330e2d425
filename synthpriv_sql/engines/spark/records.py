"""Record numbers: the positions of rows in the order in which Spark collects a table.

The rows are cached on the executors (in memory, then on disk) with their numbers, so that a number means the same row
at every read. If an executor is lost with its cache, Spark reads that part of the table again: for files this gives the
same rows in the same order, but not for every query. So a fingerprint of the table is taken when it is numbered, and
`check` compares it at the end of a call.

If the rows of files are only used to write pages, only the pages are cached and numbered.
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
"""For each non-empty partition: its number of rows, and a checksum of its contents with their positions."""

_PLACE_BITS = 33
"""The bits of monotonically_increasing_id below the partition number: the row's position in its partition."""


@dataclass(frozen=True)
class Numbered:
    """A table whose rows, or pages of rows, are cached with their positions.

    Parameters
    ----------
    label
        The name of the table in messages.
    kept
        The cached rows or pages.
    number
        The column of positions; in `frame` it holds the record numbers.
    fingerprint
        The fingerprint at the time of numbering.
    each
        The column with the number of records per row, if that is not 1.
    """

    label: str
    kept: DataFrame
    number: str
    fingerprint: Fingerprint
    each: str = ""

    @property
    def rows(self) -> int:
        """The number of records."""
        return sum(rows for rows, _ in self.fingerprint.values())

    @property
    def frame(self) -> DataFrame:
        """The rows with their record numbers."""
        from pyspark.sql import functions as sf

        before = [0] * (max(self.fingerprint, default=-1) + 1)
        total = 0
        for part in sorted(self.fingerprint):
            before[part] = total
            total += self.fingerprint[part][0]
        place = sf.col(quoted(self.number))
        # A single literal, however many partitions there are: Spark folds it during planning.
        offsets = sf.from_json(sf.lit(json.dumps(before)), "array<bigint>")
        offset = sf.get(offsets, sf.shiftright(place, _PLACE_BITS).cast("int"))
        numbered = offset + place.bitwiseAND((1 << _PLACE_BITS) - 1)
        return self.kept.withColumn(self.number, numbered)


def placed(frame: DataFrame, name: str) -> DataFrame:
    """Return rows with a column of their positions: the partition and the position in it."""
    from pyspark.sql import functions as sf

    return frame.select("*", sf.monotonically_increasing_id().alias(name))


def numbered(tables: Sequence[tuple[DataFrame, str, str]]) -> list[Numbered]:
    """Cache the rows of tables on the executors and number them, in one job that reads every table once.

    Parameters
    ----------
    tables
        For each table its rows, its name in messages, and the name of the column of record numbers.
    """
    # The number of rows in earlier partitions is only known once all rows are counted.
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
    """Check that every record number still refers to the same row.

    Raises
    ------
    EngineError
        Rows were lost with an executor, and came in another order when read again.
    """
    found = sums_of_parts([(table.kept, table.number, table.each) for table in tables])
    for table, parts in zip(tables, found, strict=True):
        if fingerprint(parts) != table.fingerprint:
            raise EngineError(
                f"a part of {table.label} was lost with a Spark executor, and its rows came in another order when "
                f"they were read again, so that record numbers now refer to other rows; there is no result. Try "
                f"again, or write the table to files first: their order does not change"
            )


def fingerprint(parts: Mapping[int, Row]) -> Fingerprint:
    """The fingerprint of a table, from its rows of `sums_of_parts`."""
    return {part: (row["rows"], row["sum"]) for part, row in parts.items()}


def sums_of_parts(
    tables: Sequence[tuple[DataFrame, str, str]], more: str = "", sums: Sequence[Column] = ()
) -> list[dict[int, Row]]:
    """For each partition of each table: its number of `rows`, and `sum`, a checksum with positions; in one job.

    Parameters
    ----------
    tables
        For each table the cached rows, the column of positions, and the column of records per row, if any.
    more, sums
        A column that all tables have, and further aggregates of it.
    """
    from pyspark.sql import functions as sf

    marked = []
    for i, (table, place, each) in enumerate(tables):
        # Spark defines no hash for these types.
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
