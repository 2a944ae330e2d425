"""Writing a result into a table of a DuckDB server, in one transaction."""

from __future__ import annotations

from sqlglot import exp

from synthpriv_sql.engines.base import How
from synthpriv_sql.engines.duckdb.writing import write_table
from synthpriv_sql.engines.quack.driver import SERVER
from synthpriv_sql.engines.quack.lookup import QuackLookup
from synthpriv_sql.engines.remote import writing


class QuackWriter(writing.Writer):
    """Writes into the server's own database, through the attached server: its transactions are those of the client."""

    dialect = "duckdb"
    form = "it is no name of a table in the database of a DuckDB server: a name, or schema.name, in SQL's quoting"
    lookup: QuackLookup

    def target(self, named: exp.Table) -> exp.Table:
        """Return the table that a name means."""
        if named.catalog:
            raise self.refused()
        return exp.table_(named.name, db=named.db or "main", quoted=True)

    def there(self, target: exp.Table) -> bool:
        """Whether there is such a table."""
        return self.lookup.one(target) is not None

    def columns(self, target: exp.Table) -> list[str]:
        """Return the names of its columns."""
        return [column.name for column in self.lookup.columns(target)]

    def append(self, target: exp.Table) -> None:
        """Add the rows."""
        self._write(target, "append")

    def make(self, target: exp.Table, replaced: bool) -> None:
        """Create the table with the rows."""
        self._write(target, "replace" if replaced else "create")

    def _write(self, target: exp.Table, how: How) -> None:
        name = exp.table_(target.name, db=target.db, catalog=SERVER, quoted=True).sql(self.dialect)
        self.connection.run(
            lambda opened: write_table(opened.connection, self.answer.table, self.answer.types, name, how)
        )
