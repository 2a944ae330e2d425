"""Writing a result into a SQLite table, atomically."""

from __future__ import annotations

import datetime
from typing import Any
from uuid import UUID

from sqlglot import exp

from synthpriv_sql.engines.base import Answer, How, check_columns, rows_of_run
from synthpriv_sql.engines.remote import rows, writing
from synthpriv_sql.engines.remote.connection import Connection
from synthpriv_sql.engines.sqlite.lookup import SQLiteLookup
from synthpriv_sql.errors import EngineError
from synthpriv_sql.planner.headers import catalog

# The type that a column of a DuckDB type is declared with, by the beginning of that type.
_TYPES = {
    "BOOLEAN": "BOOLEAN",
    "DATE": "DATE",
    "TIMESTAMP": "TIMESTAMP",
    "TIME": "TIME",
    "DOUBLE": "REAL",
    "FLOAT": "REAL",
    "DECIMAL": "REAL",
    **dict.fromkeys(("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"), "INTEGER"),
    "": "TEXT",
}


def write_table(
    connection: Connection,
    lookup: SQLiteLookup,
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
    lookup
        Has the types that the user's columns are declared with.
    answer
        The rows.
    own
        The columns that come from the user's tables, with their relation and column: they keep its type.
    name
        The table's name, with or without ``main``.
    how
        How to treat an existing table.
    run
        The run of the appended rows: a table that already contains this run is left unchanged.

    Raises
    ------
    EngineError
        It is no name of a table, the table exists already, or SQLite refuses.
    """
    form = "it is no name of a table in a SQLite file: a name in SQL's quoting, without a schema"
    named = writing.target(name, "sqlite", lambda schema: schema.lower() in {"", "main"}, form)
    target = exp.table_(named.name, db="main", quoted=True)
    names = answer.table.column_names
    with connection.transaction(write=True):
        found = connection.rows(catalog.statement("sqlite_relation"), [target.name, target.db])
        if found and how == "create":
            raise EngineError("there is a table, or something else, of that name already")
        if found and how == "append":
            there = connection.rows(catalog.statement("sqlite_columns"), [target.name, target.db])
            check_columns(name, [row["name"] for row in there], names)
            if run is not None and connection.rows(rows_of_run(target, run).sql("sqlite")):
                return
        else:
            if found:
                connection.execute(exp.Drop(tables=[target.copy()], kind="TABLE").sql("sqlite"))
            columns = writing.definitions(answer, own, lookup.declared, _TYPES, "sqlite")
            writing.create(connection, target, columns, "sqlite")
        writing.insert(connection, target, answer.table, _value, "sqlite")


def _value(value: Any) -> Any:
    """A value as SQLite holds it: times as texts, lists as JSON."""
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ")
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    return rows.as_number(rows.plain(value))
