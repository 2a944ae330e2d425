"""Reading the Parquet files of a table with DuckDB, for statements that cannot read a stream."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from synthpriv_sql.planner.columns.types import duckdb_type
from synthpriv_sql.planner.headers import catalog

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

_NESTED = (exp.DataType.Type.STRUCT, exp.DataType.Type.MAP, exp.DataType.Type.LIST, exp.DataType.Type.ARRAY)


class NotAsFiles(Exception):
    """DuckDB would misread the files of a table."""


@dataclass(frozen=True, slots=True)
class FileColumn:
    """A column as described in the footer of a file."""

    type: str
    field_id: int | None
    is_text: bool


def types(connection: duckdb.DuckDBPyConnection, schema: pa.Schema) -> dict[str, exp.DataType]:
    """Return the DuckDB type of each column.

    Raises
    ------
    NotAsFiles
        A column holds lists or structs, whose fields cannot be matched between files by name.
    """
    empty = connection.from_arrow(schema.empty_table())
    kinds = {n: duckdb_type(str(t)) for n, t in zip(empty.columns, empty.types, strict=True)}
    for name, kind in kinds.items():
        if kind.this in _NESTED:
            raise NotAsFiles(f'column "{name}" has type {kind.sql("duckdb")}')
    return kinds


def footers(
    connection: duckdb.DuckDBPyConnection, files: Sequence[str], kinds: Mapping[str, exp.DataType]
) -> Mapping[str, Mapping[str, FileColumn]]:
    """Return the columns of each file by their names in it.

    Raises
    ------
    NotAsFiles
        A text column is not marked as text in a file.
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
    """``SELECT * FROM read_parquet(files, option = …)``, without columns from folder names."""
    paths = exp.Array(expressions=[exp.Literal.string(pattern(file)) for file in files])
    named = {"hive_partitioning": exp.false(), **options}
    given = [exp.EQ(this=exp.var(name), expression=exp.convert(value)) for name, value in named.items()]
    return exp.select("*").from_(exp.Table(this=exp.Anonymous(this="read_parquet", expressions=[paths, *given])))


def without(rows: exp.Select, deleted: Sequence[int] | exp.Query) -> exp.Select:
    """Exclude rows by their positions in the file; needs the option ``file_row_number``."""
    if not isinstance(deleted, exp.Query):
        deleted = exp.select(exp.Explode(this=exp.convert(list(deleted))))
    return rows.where(exp.not_(exp.column("file_row_number").isin(query=deleted)))


def together(queries: Sequence[exp.Query]) -> exp.Query:
    """Concatenate queries with the same columns."""
    first, *others = queries
    for other in others:
        first = exp.Union(this=first, expression=other, distinct=False)
    return first


def local(file: str) -> str:
    """A file name as DuckDB reports it: without the scheme ``file://``."""
    return file.removeprefix("file://")


def pattern(file: str) -> str:
    """A glob pattern that matches only this file."""
    return re.sub(r"[*?\[]", r"[\g<0>]", local(file))
