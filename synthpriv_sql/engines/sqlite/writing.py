"""Writing a result into a SQLite table, atomically."""

from __future__ import annotations

import datetime
from typing import Any
from uuid import UUID

from sqlglot import exp

from synthpriv_sql.engines.remote import rows, writing
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


class SQLiteWriter(writing.Writer):
    """Writes into a SQLite file, in one transaction."""

    dialect = "sqlite"
    form = "it is no name of a table in a SQLite file: a name in SQL's quoting, without a schema"

    def writable(self, schema: str) -> bool:
        """Only the file itself."""
        return schema.lower() in {"", "main"}

    def target(self, named: exp.Table) -> exp.Table:
        """Return the table that a name means."""
        return exp.table_(named.name, db="main", quoted=True)

    def there(self, target: exp.Table) -> bool:
        """Whether there is such a table."""
        return bool(self.connection.rows(catalog.statement("sqlite_relation"), [target.name, target.db]))

    def columns(self, target: exp.Table) -> list[str]:
        """Return the names of its columns."""
        found = self.connection.rows(catalog.statement("sqlite_columns"), [target.name, target.db])
        return [row["name"] for row in found]

    def append(self, target: exp.Table) -> None:
        """Add the rows."""
        writing.insert(self.connection, target, self.answer.table, _value, self.dialect)

    def make(self, target: exp.Table, replaced: bool) -> None:
        """Create the table with the rows."""
        if replaced:
            self.connection.execute(exp.Drop(tables=[target.copy()], kind="TABLE").sql(self.dialect))
        columns = writing.definitions(self.answer, self.own, self.lookup.declared, _TYPES, self.dialect)
        writing.create(self.connection, target, columns, self.dialect)
        self.append(target)


def _value(value: Any) -> Any:
    """A value as SQLite holds it: times as texts, lists as JSON."""
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ")
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    return rows.as_number(rows.plain(value))
