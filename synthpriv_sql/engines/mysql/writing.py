"""Writing a result into a table of MySQL or MariaDB, which appears whole or not at all."""

from __future__ import annotations

import datetime
import math
from contextlib import suppress
from secrets import token_hex
from typing import Any

from sqlglot import exp

from synthpriv_sql.engines.base import Answer, How, check_columns, rows_of_run
from synthpriv_sql.engines.mysql.lookup import MySQLLookup
from synthpriv_sql.engines.remote import rows, writing
from synthpriv_sql.engines.remote.connection import Connection
from synthpriv_sql.errors import EngineError, SynthprivError
from synthpriv_sql.planner.headers import catalog

# The type that a column of a DuckDB type is declared with, by the beginning of that type.
_TYPES = {
    "BOOLEAN": "BOOLEAN",
    "DATE": "DATE",
    "TIMESTAMP": "DATETIME(6)",
    "TIME": "TIME(6)",
    "DOUBLE": "DOUBLE",
    "FLOAT": "FLOAT",
    "DECIMAL": "DECIMAL",
    "HUGEINT": "DECIMAL(38, 0)",
    **dict.fromkeys(("TINYINT", "SMALLINT", "INTEGER", "BIGINT"), "BIGINT"),
    "": "LONGTEXT CHARACTER SET utf8mb4",
}


def write_table(
    connection: Connection,
    lookup: MySQLLookup,
    answer: Answer,
    own: writing.Own,
    name: str,
    how: How,
    run: str | None = None,
) -> None:
    """Create a table from rows, or append them to a table with the same columns.

    A new table is filled under another name and then renamed, which is atomic; rows are appended in one transaction.

    Parameters
    ----------
    connection
        Where.
    lookup
        Has the types that the user's columns are declared with.
    answer
        The rows.
    own
        The columns that come from the user's tables, with their relation and column: they keep its type.
    name
        The table's name, with or without its database.
    how
        How to treat an existing table.
    run
        The run of the appended rows: a table that already contains this run is left unchanged.

    Raises
    ------
    EngineError
        It is no name of a table, the table exists already, or the server refuses.
    """
    form = "it is no name of a table in MySQL: a name, or database.name, in its quoting"
    named = writing.target(name, "mysql", lambda database: True, form)
    target = exp.table_(named.name, db=named.db or None, quoted=True)
    with connection.transaction(write=True):
        asked = [target.name, target.db or None]
        found = connection.rows(catalog.statement("mysql_relation"), [*asked, target.name])
        if found and how == "create":
            raise EngineError("there is a table, or something else, of that name already")
        if found and how == "append":
            there = connection.rows(catalog.statement("mysql_columns"), [found[0]["schema_name"], target.name])
            check_columns(name, [row["name"] for row in there], answer.table.column_names)
            if run is None or not connection.rows(rows_of_run(target, run).sql("mysql")):
                writing.insert(connection, target, answer.table, _value, "mysql")
            return
        staged = exp.table_(f"synthpriv_{token_hex(8)}", db=target.db or None, quoted=True)
        columns = writing.definitions(answer, own, lookup.declared, _TYPES, "mysql")
        try:
            writing.create(connection, staged, columns, "mysql")
            writing.insert(connection, staged, answer.table, _value, "mysql")
            _put(connection, staged, target, bool(found))
        except BaseException:
            with suppress(SynthprivError):
                connection.execute(exp.Drop(tables=[staged], kind="TABLE", exists=True).sql("mysql"))
            raise


def _put(connection: Connection, staged: exp.Table, target: exp.Table, replaced: bool) -> None:
    """Give a table its name; the one that has it already is dropped afterwards."""
    old = exp.table_(f"{staged.name}_old", db=target.db or None, quoted=True)
    moves = [(target, old)] * replaced + [(staged, target)]
    listed = ", ".join(f"{one.sql('mysql')} TO {other.sql('mysql')}" for one, other in moves)
    connection.execute(exp.Command(this="RENAME TABLE", expression=listed).sql("mysql"))
    if replaced:
        connection.execute(exp.Drop(tables=[old], kind="TABLE").sql("mysql"))


def _value(value: Any) -> Any:
    """A value as the driver takes it: moments in UTC, lists as JSON, NaN as NULL, which MySQL has in its place."""
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        return value.astimezone(datetime.UTC).replace(tzinfo=None)
    return rows.plain(value)
