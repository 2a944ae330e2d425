"""Writing a result into a PostgreSQL table, atomically."""

from __future__ import annotations

from collections.abc import Sequence
from secrets import token_hex
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
from sqlglot import exp

from synthpriv_sql.engines.base import Answer, How, check_columns, rows_of_run
from synthpriv_sql.engines.postgres import driver
from synthpriv_sql.engines.remote import writing
from synthpriv_sql.engines.remote.connection import Connection
from synthpriv_sql.errors import EngineError
from synthpriv_sql.planner.headers import catalog

_STAGE = "synthpriv_result"


def write_table(
    connection: Connection,
    beside: duckdb.DuckDBPyConnection,
    answer: Answer,
    own: writing.Own,
    name: str,
    how: How,
    run: str | None = None,
) -> None:
    """Create a table from rows, or append them to a table with the same columns, in one transaction.

    Parameters
    ----------
    connection
        Where.
    beside
        A DuckDB connection, to write values as text.
    answer
        The rows.
    own
        The columns that come from the user's tables, with their relation and column: they keep its type.
    name
        The table's name with its schema.
    how
        How to treat an existing table.
    run
        The run of the appended rows: a table that already contains this run is left unchanged.

    Raises
    ------
    EngineError
        The name has no schema, the table exists already, or PostgreSQL refuses.
    """
    target = _target(name)
    with connection.transaction(write=True):
        exists = bool(connection.rows(catalog.statement("postgres_exists"), [target.sql("postgres")])[0]["there"])
        if exists and how == "create":
            raise EngineError("there is a table, or something else, of that name already")
        columns = answer.table.column_names
        rows = _plain(beside, answer.table)
        connection.run(lambda opened: driver.ingest(opened, _STAGE, rows))
        stage = exp.table_(_STAGE, db="pg_temp", quoted=True)
        if exists and how == "append":
            _append(connection, target, name, columns, run)
            connection.execute(exp.Drop(tables=[stage], kind="TABLE").sql("postgres"))
            return
        # Under another name first: the replaced table may be the one that the types come from.
        made = exp.table_(f"synthpriv_{token_hex(8)}", db=target.db, quoted=True)
        connection.execute(_empty(made, answer, own).sql("postgres"))
        types = connection.rows(catalog.statement("postgres_column_types"), [made.sql("postgres")])
        connection.execute(_insert(made, columns, [row["type"] for row in types]).sql("postgres"))
        if exists:
            connection.execute(exp.Drop(tables=[target.copy()], kind="TABLE").sql("postgres"))
        rename = exp.AlterRename(this=exp.to_table(target.args["this"].copy()))
        connection.execute(exp.Alter(this=made, kind="TABLE", actions=[rename]).sql("postgres"))
        connection.execute(exp.Drop(tables=[stage], kind="TABLE").sql("postgres"))


def _append(connection: Connection, target: exp.Table, name: str, columns: Sequence[str], run: str | None) -> None:
    """Insert the staged rows, each column cast to its type in the table."""
    rows = connection.rows(catalog.statement("postgres_column_types"), [target.sql("postgres")])
    types = {row["name"]: row["type"] for row in rows}
    check_columns(name, list(types), columns)
    if run is not None and connection.rows(rows_of_run(target, run).sql("postgres")):
        return
    connection.execute(_insert(target, columns, [types[column] for column in columns]).sql("postgres"))


def _target(name: str) -> exp.Table:
    form = 'the name of a table to write in PostgreSQL must include its schema: "schema.table"'
    target = writing.target(name, "postgres", bool, form)
    for part in target.parts:
        if isinstance(part, exp.Identifier) and not part.args.get("quoted"):
            # Fold the case as PostgreSQL does.
            part.replace(exp.to_identifier(part.name.lower(), quoted=True))
    return target


def _empty(made: exp.Table, answer: Answer, own: writing.Own) -> exp.Create:
    """``CREATE TABLE … AS SELECT … WITH NO DATA``, so that PostgreSQL copies the types of the user's columns."""
    read: dict[exp.Table, str] = {}
    columns: list[exp.Expr] = []
    for name, type_ in zip(answer.table.column_names, answer.types, strict=True):
        if name in own:
            relation, column = own[name]
            alias = read.setdefault(relation.node, f"given_{len(read)}")
            value: exp.Expr = exp.column(column, table=alias, quoted=True)
        else:
            value = exp.cast(exp.null(), _type(type_), dialect="postgres")
        columns.append(exp.alias_(value, name, quoted=True))
    query = exp.select(*columns)
    for node, alias in read.items():
        table = exp.alias_(node.copy(), alias, table=True)
        query = query.join(table, join_type="cross") if query.args.get("from_") else query.from_(table)
    properties = exp.Properties(expressions=[exp.WithDataProperty(no=True)])
    return exp.Create(this=made.copy(), kind="TABLE", expression=query, properties=properties)


def _type(type_: str) -> exp.DataType:
    """The PostgreSQL type for a DuckDB type."""
    if type_ == "HUGEINT":
        return exp.DataType.build("NUMERIC(38, 0)", dialect="postgres")
    return exp.DataType.build(exp.DataType.build(type_, dialect="duckdb").sql("postgres"), dialect="postgres")


def _insert(made: exp.Table, columns: Sequence[str], types: Sequence[str]) -> exp.Insert:
    values = [
        # The type's name as PostgreSQL writes it, quoted if necessary.
        exp.cast(exp.column(name, quoted=True), exp.DataType(this=exp.DataType.Type.USERDEFINED, kind=type_))
        for name, type_ in zip(columns, types, strict=True)
    ]
    staged = exp.select(*values).from_(exp.table_(_STAGE, db="pg_temp", quoted=True))
    return exp.insert(staged, made.copy(), columns=[exp.to_identifier(name, quoted=True) for name in columns])


def _plain(beside: duckdb.DuckDBPyConnection, table: pa.Table) -> pa.Table:
    """Turn columns with infinite times, which the driver cannot represent, into text."""
    for i, column in enumerate(table.columns):
        if _has_infinite_times(column):
            table = table.set_column(i, table.column_names[i], _as_text(beside, column))
    return table


def _has_infinite_times(column: pa.ChunkedArray) -> bool:
    if not (pa.types.is_date(column.type) or pa.types.is_timestamp(column.type)):
        return False
    whole = pa.int32() if pa.types.is_date(column.type) else pa.int64()
    largest = 2 ** (whole.bit_width - 1) - 1
    return bool(pc.any(pc.is_in(column.cast(whole), pa.array([largest, -largest], whole))).as_py())


def _as_text(beside: duckdb.DuckDBPyConnection, column: pa.ChunkedArray) -> Any:
    value = exp.cast(exp.column("value"), "VARCHAR")
    # DuckDB and PostgreSQL mark years before 1 differently.
    text = exp.Anonymous(this="replace", expressions=[value, exp.Literal.string("(BC)"), exp.Literal.string("BC")])
    beside.register(_STAGE, pa.table({"value": column}))
    try:
        query = exp.select(exp.alias_(text, "text")).from_(_STAGE).sql("duckdb")
        return beside.sql(query).to_arrow_table().column(0)
    finally:
        beside.unregister(_STAGE)
