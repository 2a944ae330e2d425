"""Writing a result into a table: what is the same in each database, columns with types, and rows in chunks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import duckdb
import pyarrow as pa
from sqlglot import exp
from sqlglot.errors import SqlglotError

from synthpriv_sql.engines.base import Answer, How, check_columns, rows_of_run
from synthpriv_sql.engines.remote import rows
from synthpriv_sql.engines.remote.connection import Connection
from synthpriv_sql.engines.remote.lookup import Lookup
from synthpriv_sql.errors import EngineError
from synthpriv_sql.planner.columns.tables import Relation

Own = Mapping[str, tuple[Relation, str]]
_DECIMAL = re.compile(r"DECIMAL\(\d+, ?\d+\)")


class Writer:
    """Writes the rows of a result; each database has a subclass.

    Parameters
    ----------
    connection
        Where.
    lookup
        Has the types that the user's columns are declared with.
    beside
        A DuckDB connection, to convert values.
    answer
        The rows.
    own
        The columns that come from the user's tables, with their relation and column: they keep its type.
    """

    dialect: str
    form: str
    """What the name of a table must be, for the error."""

    def __init__(
        self, connection: Connection, lookup: Lookup, beside: duckdb.DuckDBPyConnection, answer: Answer, own: Own
    ) -> None:
        self.connection, self.lookup, self.beside = connection, lookup, beside
        self.answer, self.own = answer, own

    def writable(self, schema: str) -> bool:
        """Whether the schema before a name, empty where there is none, is one to write to."""
        return True

    def target(self, named: exp.Table) -> exp.Table:
        """Return the table that a name means."""
        return exp.table_(named.name, db=named.db or None, quoted=True)

    def there(self, target: exp.Table) -> bool:
        """Whether there is a table, or something else, of that name."""
        raise NotImplementedError

    def columns(self, target: exp.Table) -> list[str]:
        """Return the names of the columns of a table that is there."""
        raise NotImplementedError

    def append(self, target: exp.Table) -> None:
        """Add the rows to a table with the same columns."""
        raise NotImplementedError

    def make(self, target: exp.Table, replaced: bool) -> None:
        """Create the table with the rows, in the place of another one if ``replaced``."""
        raise NotImplementedError

    def refused(self) -> EngineError:
        """Return the error for what is no name of a table."""
        return EngineError(self.form)

    def _named(self, name: str) -> exp.Table:
        """Return the name of a table to write, as it is quoted."""
        try:
            found = exp.to_table(name.strip(), dialect=self.dialect)
        except SqlglotError:
            found = exp.Table()
        parts = found.parts if isinstance(found.this, exp.Identifier) else []
        if not 0 < len(parts) < 3 + self.lookup.has_catalogs or not self.writable(found.db):
            raise self.refused()
        return found

    def write(self, name: str, how: How, run: str | None = None) -> None:
        """Create a table from the rows, or append them to a table with the same columns.

        Parameters
        ----------
        name
            The table's name, in the quoting of the database.
        how
            How to treat an existing table.
        run
            The run of the appended rows: a table that already contains this run is left unchanged.

        Raises
        ------
        EngineError
            It is no name of a table, the table exists already, or the database refuses.
        """
        target = self.target(self._named(name))
        with self.connection.transaction(write=True):
            there = self.there(target)
            if there and how == "create":
                raise EngineError("there is a table, or something else, of that name already")
            if not there or how != "append":
                self.make(target, there)
                return
            check_columns(name, self.columns(target), self.answer.table.column_names)
            if run is None or not self.connection.rows(rows_of_run(target, run).sql(self.dialect)):
                self.append(target)


def definitions(
    answer: Answer, own: Own, declared: Mapping[str, Mapping[str, str]], types: Mapping[str, str], dialect: str
) -> list[exp.ColumnDef]:
    """Return the columns of a new table.

    Parameters
    ----------
    answer
        The rows.
    own
        The columns that come from the user's tables, with their relation and column: they keep its type.
    declared
        The types that columns are declared with, by the text of the node that reads a table.
    types
        The declared type for a DuckDB type, by the beginning of its name; ``""`` is that of all others.
    dialect
        Its name in sqlglot.
    """
    found = []
    for name, type_ in zip(answer.table.column_names, answer.types, strict=True):
        told = None
        if name in own:
            relation, column = own[name]
            told = declared.get(relation.node.sql(dialect), {}).get(column)
        if told is None:
            begun = next((start for start in types if type_.startswith(start) and "[" not in type_ and start), "")
            told = type_ if types[begun] == "DECIMAL" and _DECIMAL.fullmatch(type_) else types[begun]
        kind = exp.DataType(this=exp.DataType.Type.USERDEFINED, kind=told)
        found.append(exp.ColumnDef(this=exp.to_identifier(name, quoted=True), kind=kind))
    return found


def create(connection: Connection, target: exp.Table, columns: Sequence[exp.ColumnDef], dialect: str) -> None:
    """Create a table."""
    made = exp.Schema(this=target.copy(), expressions=list(columns))
    connection.execute(exp.Create(this=made, kind="TABLE").sql(dialect))


def insert(
    connection: Connection, target: exp.Table, table: pa.Table, value: Callable[[Any], Any], dialect: str
) -> None:
    """Insert rows; ``value`` makes of a Python value what the driver takes."""
    mark = "%s" if dialect == "mysql" else "?"
    # In a statement with parameters, some drivers take a % for the beginning of one.
    names = [name.replace("%", "%%") if mark == "%s" else name for name in table.column_names]
    places = exp.Tuple(expressions=[exp.Var(this=mark) for _ in names])
    into = [exp.to_identifier(name, quoted=True) for name in names]
    sql = exp.insert(exp.Values(expressions=[places]), target.copy(), columns=into).sql(dialect)
    for chunk in rows.values(table, value):
        connection.run(lambda opened, chunk=chunk: _many(opened, sql, chunk))  # type: ignore[misc]


def _many(opened: Any, sql: str, chunk: Sequence[tuple[Any, ...]]) -> None:
    cursor = opened.cursor()
    try:
        cursor.executemany(sql, chunk)
    finally:
        cursor.close()
