"""Record numbers: the position of a row in the order in which Spark collects a table.

The rows are kept on the executors (in memory, then on disk) with their numbers, so that a number means one row however
often the table is read. An executor may be lost with what it kept: Spark then reads that part of the table again, which
gives the same rows in the same order for files, but not for every query. So a fingerprint of the table is taken when it
is numbered, and `check` compares it at the end of a call.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from synthpriv_sql.engines.spark.lookup import quoted
from synthpriv_sql.errors import EngineError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Fingerprint = dict[int, tuple[int, int]]
"""Of each partition that has rows: how many, and a sum of what is in which row."""

_PLACE_BITS = 33
"""What monotonically_increasing_id has of a row's place in its partition, below the partition's number."""


@dataclass(frozen=True)
class Numbered:
    """A table whose rows are kept with their places, and how many there are."""

    label: str
    kept: DataFrame
    number: str
    fingerprint: Fingerprint

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


def numbered(tables: Sequence[tuple[DataFrame, str, str]]) -> list[Numbered]:
    """Keep the rows of tables on the executors, and number them: in one job, which reads every table once.

    Parameters
    ----------
    tables
        Of each the rows, how messages call it, and the name of the column of numbers.
    """
    from pyspark.sql import functions as sf

    # Kept is a row's partition and its place there; what is before it is only known when all are counted.
    kept = [frame.select("*", sf.monotonically_increasing_id().alias(name)).persist() for frame, _, name in tables]
    try:
        found = _fingerprints([(frame, name) for frame, (_, _, name) in zip(kept, tables, strict=True)])
    except BaseException:
        for frame in kept:
            frame.unpersist()
        raise
    return [
        Numbered(label, frame, name, fingerprint)
        for frame, (_, label, name), fingerprint in zip(kept, tables, found, strict=True)
    ]


def check(tables: Sequence[Numbered]) -> None:
    """See whether every number still means the row that it meant at first.

    Raises
    ------
    EngineError
        Rows were lost with an executor, and read again they came in another order.
    """
    for table, fingerprint in zip(tables, _fingerprints([(t.kept, t.number) for t in tables]), strict=True):
        if fingerprint != table.fingerprint:
            raise EngineError(
                f"a part of {table.label} was lost with an executor of Spark, and its rows came in another order when "
                "they were read again, so that record numbers mean other rows now; there is no result. Try again, or "
                "write the table to files first: their order does not change"
            )


def _fingerprints(tables: Sequence[tuple[DataFrame, str]]) -> list[Fingerprint]:
    """Of each partition of each table: how many rows it has, and a sum of what is in which row."""
    from pyspark.sql import functions as sf

    hashes = []
    for i, (table, place) in enumerate(tables):
        # No hash is defined of these.
        hashed = [f.name for f in table.schema.fields if f.dataType.typeName() not in {"map", "variant"}]
        part = sf.shiftright(quoted(place), _PLACE_BITS).alias("part")
        hashes.append(table.select(sf.lit(i).alias("of"), part, sf.xxhash64(*map(quoted, hashed)).alias("hash")))
    found: list[Fingerprint] = [{} for _ in hashes]
    if hashes:
        every = reduce(lambda one, other: one.unionAll(other), hashes)
        sums = every.groupBy("of", "part").agg(sf.count("*").alias("rows"), sf.bit_xor("hash").alias("sum"))
        for row in sums.collect():
            found[row["of"]][row["part"]] = row["rows"], row["sum"]
    return found
