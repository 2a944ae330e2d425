"""Writing a result into a table of MySQL or MariaDB, which appears whole or not at all."""

from __future__ import annotations

import datetime
import math
from contextlib import suppress
from secrets import token_hex
from typing import Any

from sqlglot import exp

from synthpriv_sql.engines.remote import rows, writing
from synthpriv_sql.engines.remote.connection import Connection
from synthpriv_sql.errors import SynthprivError
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


class MySQLWriter(writing.Writer):
    """Writes into MySQL or MariaDB.

    A new table is filled under another name and then renamed, which is atomic; rows are appended in one transaction.
    """

    dialect = "mysql"
    form = "it is no name of a table in MySQL: a name, or database.name, in its quoting"

    def there(self, target: exp.Table) -> bool:
        """Whether there is such a table."""
        return bool(self._found(target))

    def _found(self, target: exp.Table) -> list[dict[str, Any]]:
        asked = [target.name, target.db or None, target.name]
        return self.connection.rows(catalog.statement("mysql_relation"), asked)

    def columns(self, target: exp.Table) -> list[str]:
        """Return the names of its columns."""
        asked = [self._found(target)[0]["schema_name"], target.name]
        return [row["name"] for row in self.connection.rows(catalog.statement("mysql_columns"), asked)]

    def append(self, target: exp.Table) -> None:
        """Add the rows."""
        writing.insert(self.connection, target, self.answer.table, _value, self.dialect)

    def make(self, target: exp.Table, replaced: bool) -> None:
        """Create the table with the rows."""
        staged = exp.table_(f"synthpriv_{token_hex(8)}", db=target.db or None, quoted=True)
        columns = writing.definitions(self.answer, self.own, self.lookup.declared, _TYPES, self.dialect)
        try:
            writing.create(self.connection, staged, columns, self.dialect)
            self.append(staged)
            _put(self.connection, staged, target, replaced)
        except BaseException:
            with suppress(SynthprivError):
                drop = exp.Drop(tables=[staged], kind="TABLE", exists=True)
                self.connection.execute(drop.sql(self.dialect))
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
