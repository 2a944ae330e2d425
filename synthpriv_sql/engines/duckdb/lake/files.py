"""The Parquet files of a table, as DuckDB reads them itself: where a statement cannot see a stream."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from synthpriv_sql.planner.headers import catalog

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

_NESTED = (exp.DataType.Type.STRUCT, exp.DataType.Type.MAP, exp.DataType.Type.LIST, exp.DataType.Type.ARRAY)


class NotAsFiles(Exception):
    """DuckDB would read the files of a table in another way than the table means them."""


@dataclass(frozen=True, slots=True)
class FileColumn:
    """A column as the footer of a file has it."""

    type: str
    field_id: int | None
    is_text: bool


def types(connection: duckdb.DuckDBPyConnection, schema: pa.Schema) -> dict[str, exp.DataType]:
    """Return the DuckDB type of each column.

    Raises
    ------
    NotAsFiles
        A column holds lists or structs: what became of their parts from file to file is not told by names.
    """
    empty = connection.from_arrow(schema.empty_table())
    kinds = {n: exp.DataType.build(str(t), dialect="duckdb") for n, t in zip(empty.columns, empty.types, strict=True)}
    for name, kind in kinds.items():
        if kind.this in _NESTED:
            raise NotAsFiles(f'column "{name}" has type {kind.sql("duckdb")}')
    return kinds


def footers(
    connection: duckdb.DuckDBPyConnection, files: Sequence[str], kinds: Mapping[str, exp.DataType]
) -> Mapping[str, Mapping[str, FileColumn]]:
    """Return the columns of each file by their names there.

    Raises
    ------
    NotAsFiles
        What should be text is not marked as such in a file.
    """
    found: dict[str, dict[str, FileColumn]] = defaultdict(dict)
    if files:
        named = {"files": [pattern(file) for file in files]}
        for file, name, *about in connection.execute(catalog.statement("parquet_columns"), named).fetchall():
            found[file][name] = FileColumn(*about)
    for file, columns in found.items():
        for name, column in columns.items():
            if column.type == "BYTE_ARRAY" and not column.is_text and kinds.get(name) == exp.DataType.build("text"):
                raise NotAsFiles(f'column "{name}" is text, but bytes in the file "{file}"')
    return found


def read(files: Sequence[str], **options: Any) -> exp.Select:
    """``SELECT * FROM read_parquet(files, option = …)``, with nothing taken from the names of folders."""
    paths = exp.Array(expressions=[exp.Literal.string(pattern(file)) for file in files])
    named = {"hive_partitioning": exp.false(), **options}
    given = [exp.EQ(this=exp.var(name), expression=exp.convert(value)) for name, value in named.items()]
    return exp.select("*").from_(exp.Table(this=exp.Anonymous(this="read_parquet", expressions=[paths, *given])))


def without(rows: exp.Select, deleted: Sequence[int] | exp.Query) -> exp.Select:
    """Leave out the rows at places in their file; needs the option ``file_row_number``."""
    if not isinstance(deleted, exp.Query):
        deleted = exp.select(exp.Explode(this=exp.convert(list(deleted))))
    return rows.where(exp.not_(exp.column("file_row_number").isin(query=deleted)))


def together(queries: Sequence[exp.Query]) -> exp.Query:
    """The rows of queries with the same columns, one after the other."""
    first, *others = queries
    for other in others:
        first = exp.Union(this=first, expression=other, distinct=False)
    return first


def local(file: str) -> str:
    """A file as DuckDB tells it: without the scheme of this machine's own files."""
    return file.removeprefix("file://")


def pattern(file: str) -> str:
    """What this file alone matches, where letters may stand for others."""
    return re.sub(r"[*?\[]", r"[\g<0>]", local(file))
