"""Choices of options, apart from the modules that implement them, so that shell completion imports quickly."""

from contextvars import ContextVar

PUSHDOWN = ("auto", "require")
FORMATS = ("table", "json", "csv", "markdown")
DIALECTS = ("postgres", "spark", "clickhouse", "databricks", "snowflake", "bigquery", "redshift", "trino")
POSTGRES = ("postgresql://", "postgres://")
"""Prefixes of PostgreSQL URLs."""
SERVERS = {
    **dict.fromkeys(POSTGRES, "postgres"),
    **dict.fromkeys(("mysql://", "mariadb://"), "mysql"),
    "clickhouse://": "clickhouse",
    "snowflake://": "snowflake",
    "redshift://": "redshift",
    "bigquery://": "bigquery",
    "databricks://": "databricks",
    "sqlite://": "sqlite",
    "duckdb+quack://": "quack",
}
"""The engine of a URL, by its beginning."""
STORAGE: ContextVar[str | None] = ContextVar("storage", default=None)
"""The storage version of new DuckDB files; None: that of the DuckDB that writes them."""
