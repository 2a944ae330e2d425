"""Finding and describing tables on a DuckDB server."""

from __future__ import annotations

import sqlglot
from sqlglot import exp

from synthpriv_sql.engines.quack.driver import SERVER, Opened
from synthpriv_sql.engines.remote.lookup import Lookup, Order, lacks
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers import catalog

_PLACE = "rowid"


class QuackLookup(Lookup):
    """Finds tables on a DuckDB server."""

    dialect = "duckdb"
    lacks = lacks("a DuckDB server", "CREATE TABLE")
    has_catalogs = True

    def unknown(self) -> str:
        """The sentence about a name that is no table."""
        return (
            "is not a table or view of this DuckDB server. Give a name (schema.name, database.schema.name), or a query "
            "in parentheses, which the server runs;"
        )

    def one(self, given: exp.Table) -> tuple[exp.Table, Order] | None:
        """Find a table; rows of DuckDB's own tables are numbered by their rowid."""
        asked = sqlglot.parse_one(catalog.statement("quack_relation"), dialect="duckdb")
        values = {"name": given.name, "qualifier": given.db or None, "database": given.catalog or None}
        bound = asked.transform(lambda n: exp.convert(values[n.name]) if isinstance(n, exp.Placeholder) else n)
        found = self._connection.rows(bound.sql("duckdb", comments=False))
        if not found:
            return None
        (row,) = found
        node = exp.table_(row["name"], db=row["schema"], catalog=row["database"], quoted=True)
        names = {column.name.lower() for column in self.columns(node)}
        return node, (exp.column(_PLACE),) if row["has_places"] and _PLACE not in names else ()

    def described(self, node: exp.Table, order: Order, exact: bool) -> tuple[exp.Table, tuple[Column, ...]]:
        """Describe the columns as DuckDB does; every engine reads them as they are."""
        return node, self.columns(node)

    def columns(self, node: exp.Table) -> tuple[Column, ...]:
        """Describe the columns of a table or query."""
        query = exp.select("*").from_(node.copy()).limit(0).sql("duckdb")

        def describe(opened: Opened) -> tuple[Column, ...]:
            asked = opened.connection.sql(catalog.statement("quack_ask"), params=[SERVER, query])
            return tuple(
                Column(name, str(type_), "json" if str(type_) == "JSON" else type_.id)
                for name, type_ in zip(asked.columns, asked.types, strict=True)
            )

        return self._connection.run(describe)
