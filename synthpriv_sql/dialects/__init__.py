"""Statements in the SQL dialects of other databases.

The files of sql/ are written for DuckDB. A statement assembled from them is a syntax tree, and `render` writes it in
another dialect. sqlglot does most of the translation; constructs that it does not know, or would translate with
different numeric results, are rewritten in the tree first. Each dialect is a class with only its differences.
"""

from __future__ import annotations

from sqlglot import exp

from synthpriv_sql.dialects.base import Dialect
from synthpriv_sql.dialects.clickhouse import ClickHouse
from synthpriv_sql.dialects.duckdb import DuckDB
from synthpriv_sql.dialects.mysql import MySQL
from synthpriv_sql.dialects.postgres import Postgres
from synthpriv_sql.dialects.spark import Databricks, Spark
from synthpriv_sql.dialects.sqlite import SQLite
from synthpriv_sql.dialects.warehouses import BigQuery, Redshift, Snowflake, SnowflakeTables, Trino
from synthpriv_sql.errors import NotInDialect, OptionError
from synthpriv_sql.planner.statement.writing import duckdb_text

_ALL = (Postgres(), Spark(), ClickHouse(), Databricks(), Snowflake(), BigQuery(), Redshift(), Trino())
DIALECTS: dict[str, Dialect] = {dialect.name: dialect for dialect in _ALL}
"""The dialects that statements can be written in, besides DuckDB's own."""

IN_SESSIONS: dict[str, Dialect] = {
    dialect.name: dialect for dialect in (DuckDB(), SQLite(), MySQL(), SnowflakeTables())
}
"""How sessions write, where that differs, or where a whole statement cannot be written and the rest runs beside it."""


def render(query: exp.Query, dialect: str, pretty: bool = True) -> str:
    """Return the text of a statement, or of any part of one, in a dialect.

    Parameters
    ----------
    query
        In DuckDB's dialect, as `planner.statement.queries` assembles it; not changed. User columns carry their type
        (`synthpriv_sql.planner.columns.types.Column.node`).
    dialect
        ``duckdb`` or one of `DIALECTS`.
    pretty
        Whether to format the text over several lines.

    Raises
    ------
    OptionError
        There is no such dialect.
    NotInDialect
        The dialect lacks something that the statement needs.
    """
    found = find(dialect)
    return found.write(query, pretty) if found else duckdb_text(query.copy(), pretty)


def find(dialect: str) -> Dialect | None:
    """Return a dialect (None for DuckDB's), or raise an `OptionError`."""
    if dialect == "duckdb":
        return None
    if dialect in IN_SESSIONS and dialect not in DIALECTS:
        raise NotInDialect(
            f"{dialect} cannot run this: most functions need what it lacks. A session on the database, "
            "synthpriv_sql.connect(URL), runs them, and computes the rest beside it"
        )
    if dialect not in DIALECTS:
        raise OptionError(f'there is no dialect "{dialect}"; there are: duckdb, {", ".join(DIALECTS)}')
    return DIALECTS.get(dialect)
