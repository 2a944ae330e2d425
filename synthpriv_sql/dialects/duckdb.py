"""DuckDB's own dialect, for a session on a DuckDB server: statements are written for it already."""

from __future__ import annotations

from sqlglot import exp

from synthpriv_sql.dialects.base import Dialect
from synthpriv_sql.planner.statement.writing import duckdb_text


class DuckDB(Dialect):
    """Statements as they are."""

    name = "duckdb"

    def write(self, query: exp.Query, pretty: bool = True) -> str:
        """Return the text of a statement."""
        return duckdb_text(query.copy(), pretty)

    def rewritten(self, tree: exp.Query) -> exp.Query:
        """Return the tree itself."""
        return tree
