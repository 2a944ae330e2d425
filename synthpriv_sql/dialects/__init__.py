"""Statements of ours in the words of other databases.

Files of sql/ are DuckDB's; a statement put together of them is a syntax tree, and `render` writes it in another
dialect. Most of that sqlglot does by itself; what it does not know, or writes so that numbers would differ, is changed
in the tree before. Each dialect is a class that says only what is different in it.
"""

from __future__ import annotations

from sqlglot import exp

from synthpriv_sql.dialects.base import Dialect
from synthpriv_sql.dialects.clickhouse import ClickHouse
from synthpriv_sql.dialects.postgres import Postgres
from synthpriv_sql.dialects.spark import Databricks, Spark
from synthpriv_sql.dialects.warehouses import BigQuery, Redshift, Snowflake, Trino
from synthpriv_sql.errors import OptionError

_ALL = (Postgres(), Spark(), ClickHouse(), Databricks(), Snowflake(), BigQuery(), Redshift(), Trino())
DIALECTS: dict[str, Dialect] = {dialect.name: dialect for dialect in _ALL}
"""The dialects that statements can be written in, besides DuckDB's own."""


def render(query: exp.Query, dialect: str, pretty: bool = True) -> str:
    """Return the text of a statement, or of any part of one, in a dialect.

    Parameters
    ----------
    query
        In DuckDB's dialect, as `planner.statement.queries` puts it together; not changed. Columns of the user's carry
        their type (`synthpriv_sql.planner.columns.types.Column.node`).
    dialect
        ``duckdb`` or one of `DIALECTS`.
    pretty
        Whether the text is broken into lines.

    Raises
    ------
    OptionError
        There is no such dialect.
    NotInDialect
        The statement needs what the dialect does not have.
    """
    found = find(dialect)
    return found.write(query, pretty) if found else query.sql("duckdb", pretty=pretty, normalize_functions=False)


def find(dialect: str) -> Dialect | None:
    """Return a dialect, None for DuckDB's own, or raise an `OptionError`."""
    if dialect != "duckdb" and dialect not in DIALECTS:
        raise OptionError(f'there is no dialect "{dialect}"; there are: duckdb, {", ".join(DIALECTS)}')
    return DIALECTS.get(dialect)
