"""Delta tables, through deltalake."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pyarrow as pa
from deltalake import DeltaTable, QueryBuilder
from deltalake.schema import PrimitiveType
from sqlglot import exp

from synthpriv_sql.engines.duckdb.lake import files
from synthpriv_sql.engines.duckdb.lake.streams import Read

if TYPE_CHECKING:
    import duckdb

_NAME = "delta_table"
# One partition: record numbers need a fixed row order.
_SETTINGS = {"datafusion.execution.target_partitions": "1"}
_PHYSICAL = "delta.columnMapping.physicalName"


def open_table(place: str, version: int | None) -> DeltaTable:
    """Open the table in a folder or at a URL, in its latest or a given version."""
    return DeltaTable(place, version=version)


def stream(table: DeltaTable) -> tuple[pa.Schema, Read]:
    """Return the schema of a table, and a function that reads columns of its version, without deleted rows."""
    kinds = {field.name: field.type for field in table.schema().fields}
    by = table.metadata().partition_columns

    def value(name: str) -> exp.Expr:
        column = exp.column(name, quoted=True)
        if name not in by or kinds[name] != PrimitiveType("string"):
            return column
        # In Delta's protocol an empty partition value is NULL.
        return exp.alias_(exp.Nullif(this=column, expression=exp.Literal.string("")), name, quoted=True)

    def scan(columns: Sequence[str]) -> pa.RecordBatchReader:
        asked = exp.select(*map(value, columns)).from_(_NAME).sql()
        # Lazy: nothing is read before the first batch is requested.
        return pa.RecordBatchReader.from_stream(QueryBuilder(_SETTINGS).register(_NAME, table).execute(asked))

    return scan(list(kinds)).schema, scan


def query(table: DeltaTable, connection: duckdb.DuckDBPyConnection) -> exp.Query:
    """Return the query that reads the table's rows and columns from its files in DuckDB."""
    kinds = files.types(connection, stream(table)[0])
    # The columns' names in the files; the files do not contain partition columns.
    names = {f["name"]: f["metadata"].get(_PHYSICAL, f["name"]) for f in json.loads(table.schema().to_json())["fields"]}
    by = table.metadata().partition_columns
    stored = {names[name]: kind for name, kind in kinds.items() if name not in by}
    paths = _paths(table)
    footers = files.footers(connection, paths, stored)
    kept = _kept(table)
    # Adjacent files that need the same query are read together; this keeps the row order.
    alike: list[tuple[Any, str]] = []
    for path, partition in zip(paths, _partitions(table), strict=True):
        old_times = tuple(n for n, kind in stored.items() if _is_old_time(footers[path].get(n), kind))
        alike.append(((tuple(partition.items()), old_times, path if path in kept else None), path))

    empty = exp.select(*(exp.alias_(exp.cast(exp.null(), kind), name, quoted=True) for name, kind in stored.items()))
    branches = [_as_table(names, kinds, dict.fromkeys(by)).from_(empty.where(exp.false()).subquery("files"))]
    for (partition, old_times, alone), group in groupby(alike, key=itemgetter(0)):
        rows = files.read([path for _, path in group], union_by_name=True, file_row_number=alone is not None)
        if old_times:
            rows.set("expressions", [exp.Star(replace=[_in_utc(name) for name in old_times])])
        if alone is not None:
            rows = files.without(rows, [place for place, keep in enumerate(kept[alone]) if not keep])
        # Older files lack columns that were added later.
        whole = exp.Union(this=empty.where(exp.false()), expression=rows, distinct=False, by_name=True)
        branches.append(_as_table(names, kinds, dict(partition)).from_(whole.subquery("files")))
    return files.together(branches)


def _paths(table: DeltaTable) -> list[str]:
    """The table's files, fully decoded: `DeltaTable.file_uris` decodes only a part of each."""
    added = (unquote(path) for path in pa.table(table.get_add_actions())["path"].to_pylist())
    folder = unquote(table.table_uri).rstrip("/")
    return [files.local(path if "://" in path else f"{folder}/{path}") for path in added]


def _partitions(table: DeltaTable) -> Sequence[Mapping[str, Any]]:
    added = pa.table(table.get_add_actions())
    return added["partition"].to_pylist() if "partition" in added.column_names else [{}] * added.num_rows


def _kept(table: DeltaTable) -> Mapping[str, Iterable[bool]]:
    """For files with deleted rows, which rows remain."""
    vectors = pa.RecordBatchReader.from_stream(table.deletion_vectors()).read_all().to_pydict()
    paths = (files.local(unquote(path)) for path in vectors["filepath"])
    return dict(zip(paths, vectors["selection_vector"], strict=True))


def _as_table(names: Mapping[str, str], kinds: Mapping[str, exp.DataType], partition: Mapping[str, Any]) -> exp.Select:
    """The columns of a table, from the columns of its files and the partition values."""
    columns = []
    for name, in_files in names.items():
        value: exp.Expr = exp.column(in_files, quoted=True)
        if name in partition:
            value = _value(partition[name])
        columns.append(exp.alias_(exp.cast(value, kinds[name]), name, quoted=True))
    return exp.select(*columns)


def _value(value: Any) -> exp.Expr:
    if value is None:
        return exp.null()
    if isinstance(value, datetime) and value.tzinfo is None:
        value = value.replace(tzinfo=UTC)
    return exp.Literal.string(str(value))


def _is_old_time(column: files.FileColumn | None, kind: exp.DataType) -> bool:
    """Whether DuckDB reads timestamps in a file without their time zone."""
    return column is not None and column.type == "INT96" and kind.this == exp.DataType.Type.TIMESTAMPTZ


def _in_utc(name: str) -> exp.Expr:
    value = exp.AtTimeZone(this=exp.column(name, quoted=True), zone=exp.Literal.string("UTC"))
    return exp.alias_(value, name, quoted=True)
