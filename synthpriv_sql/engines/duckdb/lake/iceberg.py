"""Iceberg tables, through pyiceberg."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import pyarrow as pa
from pyiceberg.catalog import load_catalog
from pyiceberg.io.pyarrow import ArrowScan
from pyiceberg.manifest import FileFormat
from pyiceberg.table import DataScan, FileScanTask, StaticTable, Table
from sqlglot import exp

from synthpriv_sql.engines.duckdb.lake import files
from synthpriv_sql.engines.duckdb.lake.streams import Read

if TYPE_CHECKING:
    import duckdb

_PART = re.compile(r'"((?:[^"]|"")+)"|([^."]+)')


def open_table(place: str, version: int | None) -> DataScan:
    """Open the table of a name in a catalog (catalog.namespace.table), in a folder, or of a metadata file."""
    if "/" in place or "\\" in place:
        try:
            return StaticTable.from_metadata(place).scan(snapshot_id=version)
        except FileNotFoundError as error:
            if place.endswith(".metadata.json"):
                raise
            raise FileNotFoundError(
                f"{error}. Only its catalog knows which file in metadata/ is current: give "
                "iceberg:catalog.namespace.table, or the path of a .metadata.json"
            ) from None
    catalog, *identifier = (quoted.replace('""', '"') or plain for quoted, plain in _PART.findall(place))
    if not identifier:
        raise ValueError("a name in a catalog is catalog.namespace.table; a path has a slash in it")
    return load_catalog(catalog).load_table(tuple(identifier)).scan(snapshot_id=version)


def stream(table: Table | DataScan) -> tuple[pa.Schema, Read]:
    """Return the schema of a table or scan, and a function that reads columns of it, one data file after the other."""
    scan = table if isinstance(table, DataScan) else table.scan()

    def read(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        chosen = scan.select(*columns)
        reader = ArrowScan(scan.table_metadata, scan.io, chosen.projection(), scan.row_filter, scan.case_sensitive)
        left = scan.limit
        for task in chosen.plan_files():
            # Given all files at once, it would start reading all of them and buffer their rows.
            for batch in reader.to_record_batches([task]):
                yield batch if left is None else batch.slice(0, left)
                left = None if left is None else max(left - len(batch), 0)
            if left == 0:
                return

    return scan.projection().as_arrow(), read


def query(scan: DataScan, connection: duckdb.DuckDBPyConnection) -> exp.Query:
    """Return the query that reads the table's rows and columns from its files in DuckDB."""
    kinds = files.types(connection, stream(scan)[0])
    fields = {field.field_id: field for field in scan.projection().fields}
    tasks = list(scan.plan_files())
    paths = [files.local(task.file.file_path) for task in tasks]
    for task in tasks:
        if task.file.file_format != FileFormat.PARQUET:
            raise files.NotAsFiles(f'the file "{task.file.file_path}" has the format {task.file.file_format.value}')
    for field in fields.values():
        if field.initial_default is not None:
            raise files.NotAsFiles(f'column "{field.name}" has a value for rows that were there before it')
    for path, footer in files.footers(connection, paths, {}).items():
        known = [column for column in footer.values() if column.field_id in fields]
        if not known:
            raise files.NotAsFiles(f'the file "{path}" does not number its columns')
        if any(column.type == "INT96" for column in known):
            raise files.NotAsFiles(f'the file "{path}" has times in the format INT96')

    columns = exp.Map(
        keys=exp.Array(expressions=[exp.Literal.number(number) for number in fields]),
        values=exp.Array(expressions=[_column(field.name, kinds[field.name]) for field in fields.values()]),
    )
    empty = exp.select(*(exp.alias_(exp.cast(exp.null(), kind), name, quoted=True) for name, kind in kinds.items()))
    branches: list[exp.Query] = [empty.where(exp.false())]
    # Adjacent files without deleted rows are read together; this keeps the row order.
    for changed, group in groupby(zip(paths, tasks, strict=True), key=lambda pair: bool(pair[1].delete_files)):
        if not changed:
            branches.append(files.read([path for path, _ in group], schema=columns))
            continue
        for path, task in group:
            rows = files.read([path], schema=columns, file_row_number=True)
            rows.set("expressions", [exp.column(field.name, quoted=True) for field in fields.values()])
            branches.append(files.without(rows, _deleted(task)))
    return files.together(branches)


def _deleted(task: FileScanTask) -> exp.Select:
    """The positions of deleted rows in a data file, from its delete files."""
    for file in task.delete_files:
        if file.file_format != FileFormat.PARQUET:
            raise files.NotAsFiles(
                f'the file "{task.file.file_path}" has deleted rows in the format {file.file_format.value}'
            )
    places = files.read([file.file_path for file in task.delete_files])
    places.set("expressions", [exp.column("pos")])
    return places.where(exp.column("file_path").eq(exp.Literal.string(task.file.file_path)))


def _column(name: str, kind: exp.DataType) -> exp.Struct:
    values = {"name": name, "type": kind.sql("duckdb"), "default_value": exp.null()}
    return exp.Struct(
        expressions=[exp.PropertyEQ(this=exp.to_identifier(n), expression=exp.convert(v)) for n, v in values.items()]
    )
