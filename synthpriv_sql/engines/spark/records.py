"""Record numbers: the position of a row in the order in which Spark collects a table.

The rows are kept on the executors (in memory, then on disk) with their numbers, so that a number means one row however
often the table is read. An executor may be lost with what it kept: Spark then reads that part of the table again, which
gives the same rows in the same order for files, but not for every query. So a fingerprint of the table is taken when it
is numbered, and `check` compares it at the end of a call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from synthpriv_sql.engines.spark.lookup import quoted
from synthpriv_sql.errors import EngineError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Fingerprint = tuple[int, int]


@dataclass(frozen=True)
class Numbered:
    """A table whose rows are kept with their numbers, and how many there are."""

    label: str
    frame: DataFrame
    fingerprint: Fingerprint

    @property
    def rows(self) -> int:
        """How many records there are."""
        return self.fingerprint[0]


def numbered(tables: Sequence[tuple[DataFrame, str, str]]) -> list[Numbered]:
    """Keep the rows of tables on the executors, and number them.

    Parameters
    ----------
    tables
        Of each the rows, how messages call it, and the name of the column of numbers.
    """
    # The rows of each partition are counted first, and then read once more.
    read = [frame.persist() for frame, _, _ in tables]
    kept: list[DataFrame] = []
    try:
        kept += [frame.zipWithIndex(name).persist() for frame, (_, _, name) in zip(read, tables, strict=True)]
        fingerprints = _fingerprints(kept)
    except BaseException:
        for frame in kept:
            frame.unpersist()
        raise
    finally:
        for frame in read:
            frame.unpersist()
    labels = [label for _, label, _ in tables]
    return [Numbered(*of_one) for of_one in zip(labels, kept, fingerprints, strict=True)]


def check(tables: Sequence[Numbered]) -> None:
    """See whether every number still means the row that it meant at first.

    Raises
    ------
    EngineError
        Rows were lost with an executor, and read again they came in another order.
    """
    for table, fingerprint in zip(tables, _fingerprints([t.frame for t in tables]), strict=True):
        if fingerprint != table.fingerprint:
            raise EngineError(
                f"a part of {table.label} was lost with an executor of Spark, and its rows came in another order when "
                "they were read again, so that record numbers mean other rows now; there is no result. Try again, or "
                "write the table to files first: their order does not change"
            )


def _fingerprints(tables: Sequence[DataFrame]) -> list[Fingerprint]:
    """Of each table: how many rows it has, and a sum of what is in which row."""
    from pyspark.sql import functions as sf

    hashes = []
    for i, table in enumerate(tables):
        # No hash is defined of these.
        hashed = [f.name for f in table.schema.fields if f.dataType.typeName() not in {"map", "variant"}]
        hashes.append(table.select(sf.lit(i).alias("of"), sf.xxhash64(*map(quoted, hashed)).alias("hash")))
    found = [(0, 0)] * len(hashes)
    if hashes:
        every = reduce(lambda one, other: one.unionAll(other), hashes)
        for row in every.groupBy("of").agg(sf.count("*").alias("rows"), sf.bit_xor("hash").alias("sum")).collect():
            found[row["of"]] = row["rows"], row["sum"]
    return found
