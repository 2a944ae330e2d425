"""Finding and describing tables on a DuckDB server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlglot
from sqlglot import exp

from synthpriv_sql.engines.duckdb.guard import reading
from synthpriv_sql.engines.quack.driver import SERVER, Opened
from synthpriv_sql.engines.remote.connection import Connection
from synthpriv_sql.engines.remote.lookup import Lookup, Order, lacks
from synthpriv_sql.planner.columns.tables import label
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers import catalog


class _Asked:
    """The server, as what checks a query asks a connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._rows: list[tuple[Any, ...]] = []

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> _Asked:
        """Run a statement on the server."""
        statement = _with_literals(sql, dict(enumerate(parameters)))
        self._rows = [tuple(row.values()) for row in self._connection.rows(statement)]
        return self

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Return its rows."""
        return self._rows


class QuackLookup(Lookup):
    """Finds tables on a DuckDB server."""

    dialect = "duckdb"
    lacks = lacks("a DuckDB server", "CREATE TABLE")
    has_catalogs = True

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._macros = reading.Macros()

    def unknown(self) -> str:
        """The sentence about a name that is no table."""
        return (
            "is not a table or view of this DuckDB server. Give a name (schema.name, database.schema.name), or a query "
            "in parentheses, which the server runs;"
        )

    def one(self, given: exp.Table) -> tuple[exp.Table, Order] | None:
        """Find a table; rows of DuckDB's own tables are numbered by their rowid."""
        values = {"name": given.name, "qualifier": given.db or None, "database": given.catalog or None}
        found = self._connection.rows(_with_literals(catalog.statement("quack_relation"), values))
        if not found:
            return None
        (row,) = found
        node = exp.table_(row["name"], db=row["schema"], catalog=row["database"], quoted=True)
        return node, (exp.column("rowid"),) if row["has_places"] else ()

    def _table(self, parameter: str, value: str) -> tuple[exp.Table, Order]:
        node, order = super()._table(parameter, value)
        if not order:
            self._check(parameter, value, None, node.name)
        return node, order

    def _query(self, parameter: str, value: str) -> exp.Table:
        node = super()._query(parameter, value)
        self._check(parameter, value, value)
        return node

    def _check(self, parameter: str, value: str, query: str | None, table: str = "") -> None:
        """Raise an error for a query or a view that may do more than read, before the server sees it."""
        asked: Any = _Asked(self._connection)
        try:
            reading.check(asked, self._macros, query, table)
        except reading.NotRead as error:
            raise error.of(f"{label(value)}, given as {parameter}") from None

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


def _with_literals(sql: str, values: Mapping[Any, Any]) -> str:
    """Return a statement with literals in the place of its parameters: by name, or by position from 0."""
    if not values:
        return sql
    tree = sqlglot.parse_one(sql, dialect="duckdb")
    for place, node in enumerate(list(tree.find_all(exp.Placeholder, bfs=False))):
        value = values[node.args.get("this") or place]
        node.replace(exp.array(*map(exp.convert, value)) if isinstance(value, list) else exp.convert(value))
    return tree.sql("duckdb", comments=False)
