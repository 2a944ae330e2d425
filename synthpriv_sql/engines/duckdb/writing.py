"""Results outside the engine: as tables, as Parquet files, and as Arrow, which lacks some of DuckDB's types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import duckdb
from sqlglot import exp

from synthpriv_sql.engines.base import How, check_columns, rows_of_run
from synthpriv_sql.engines.duckdb.lookup import table_name
from synthpriv_sql.engines.duckdb.opening import open_database
from synthpriv_sql.planner.columns.types import duckdb_type

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS = "synthpriv_result"
_LOST_IN_PARQUET = frozenset({exp.DataType.Type.TIMETZ})
_LOST_IN_ARROW = _LOST_IN_PARQUET | {exp.DataType.Type.BIT, exp.DataType.Type.UINT128}
_WITHOUT_WORDS = _LOST_IN_ARROW | {exp.DataType.Type.INTERVAL, exp.DataType.Type.VARBINARY}


def write_table(
    connection: duckdb.DuckDBPyConnection,
    table: pa.Table,
    types: Sequence[str],
    name: str,
    how: How,
    run: str | None = None,
) -> None:
    """Create a table from rows, or append them to a table with the same columns.

    Parameters
    ----------
    connection
        Where.
    table, types
        The rows, and the DuckDB type of each column.
    name
        The table's name, or one with its schema.
    how
        How to treat an existing table.
    run
        The run of the appended rows: a table that already contains this run is left unchanged.
    """
    written: exp.Expr = exp.Create(
        this=table_name(name), kind="TABLE", replace=how == "replace", expression=_typed(table, types)
    )
    there = _columns(connection, table_name(name)) if how == "append" else None
    if there is not None:
        check_columns(name, there, table.column_names)
        if run is not None and connection.execute(rows_of_run(table_name(name), run).sql("duckdb")).fetchall():
            return
        written = exp.insert(_typed(table, types), table_name(name), columns=quoted(table.column_names))
    connection.register(_ROWS, table)
    try:
        connection.execute(written.sql("duckdb"))
    finally:
        connection.unregister(_ROWS)


def quoted(columns: Sequence[str]) -> list[exp.Identifier]:
    """Column names as quoted identifiers."""
    return [exp.to_identifier(column, quoted=True) for column in columns]


def _columns(connection: duckdb.DuckDBPyConnection, node: exp.Table) -> list[str] | None:
    """The columns of a table; None if it does not exist."""
    try:
        return connection.sql(exp.select("*").from_(node).limit(0).sql("duckdb")).columns
    except (duckdb.CatalogException, duckdb.InvalidInputException):  # of DuckDB 1, for registered names
        return None


def write_parquet(table: pa.Table, types: Sequence[str], path: str) -> None:
    """Write rows into a Parquet file with their DuckDB types, some of which Arrow and its writer lack.

    A HUGEINT, which Parquet lacks, becomes DECIMAL(38, 0); a time of day with an offset becomes text, as Parquet has
    such times in UTC only.
    """
    with open_database() as connection:
        connection.register(_ROWS, table)
        kept = ["DECIMAL(38, 0)" if type_ == "HUGEINT" else _in_text(type_, _LOST_IN_PARQUET) for type_ in types]
        connection.sql(_typed(table, kept).sql("duckdb")).write_parquet(path)


def lost_in_arrow(type_: str) -> bool:
    """Whether Arrow lacks a type or a part of it."""
    return kept_in_arrow(type_) != type_


def kept_in_arrow(type_: str) -> str:
    """Return a type with text in the place of what Arrow lacks."""
    return _in_text(type_, _LOST_IN_ARROW)


def arrow_rows(relation: duckdb.DuckDBPyRelation) -> pa.Table:
    """Return the rows of a relation; columns of a type that Arrow lacks become text, as DuckDB writes it."""
    types = [str(type_) for type_ in relation.types]
    if any(map(lost_in_arrow, types)):
        texts = list(map(kept_in_arrow, types))
        relation = relation.project(", ".join(c.sql("duckdb") for c in _cast(relation.columns, texts)))
    return relation.to_arrow_table()


def without_words(type_: str) -> bool:
    """Whether only DuckDB can write values of a type, or of a part of it, as text."""
    return _in_text(type_, _WITHOUT_WORDS) != type_


def with_words(table: pa.Table, types: Sequence[str]) -> pa.Table:
    """Return the rows with columns of such types (intervals, blobs, …) as text, written by DuckDB."""
    with open_database() as connection:
        connection.register(_ROWS, table)
        words = [_in_text(type_, _WITHOUT_WORDS) for type_ in types]
        return connection.sql(_typed(table, words).sql("duckdb")).to_arrow_table()


def _in_text(type_: str, kinds: frozenset[Any]) -> str:
    """Replace types of these kinds in a DuckDB type by text, also inside lists and structs."""

    def text(node: exp.Expr) -> exp.Expr:
        return exp.DataType.build("text") if isinstance(node, exp.DataType) and node.this in kinds else node

    if not any(name in type_ for name in ("TIME WITH TIME ZONE", "BIT", "UHUGEINT", "INTERVAL", "BLOB")):
        return type_
    found = duckdb_type(type_)
    changed = found.transform(text)
    return type_ if changed == found else changed.sql("duckdb")


def _typed(table: pa.Table, types: Sequence[str]) -> exp.Select:
    """The registered rows, each column cast to its DuckDB type."""
    return exp.select(*_cast(table.column_names, types)).from_(_ROWS)


def _cast(names: Sequence[str], types: Sequence[str]) -> list[exp.Expr]:
    return [
        exp.alias_(exp.cast(exp.column(name, quoted=True), duckdb_type(type_)), name, quoted=True)
        for name, type_ in zip(names, types, strict=True)
    ]
