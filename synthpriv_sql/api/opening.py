"""Creates sessions: for a database to open, or for the user's connection or SparkSession."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

import duckdb

from synthpriv_sql.api.session import Session
from synthpriv_sql.choices import DIALECTS, SERVERS
from synthpriv_sql.engines.duckdb.engine import DuckDB
from synthpriv_sql.engines.duckdb.opening import open_database
from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.headers import wording

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_MOST_THREADS = 4_096
"""More would only wait for each other, or end the process where the system has no more."""
_WITHOUT_SESSION = ("mssql", "oracle", "trino")
_ENGINES = {
    "postgres": "Postgres",
    "sqlite": "SQLite",
    "mysql": "MySQL",
    "clickhouse": "ClickHouse",
    "snowflake": "Snowflake",
    "redshift": "Redshift",
    "bigquery": "BigQuery",
    "databricks": "Databricks",
    "quack": "Quack",
}
"""The class of each engine, which is in a module of its package."""


def engine_of(database: str) -> str:
    """Return the name of the engine of a path or URL."""
    scheme, found, _ = database.partition("://")
    if found and scheme in _WITHOUT_SESSION:
        instead = f"synthpriv sql NAME --dialect {scheme} writes a statement to run there, or " * (scheme in DIALECTS)
        raise OptionError(
            f"there is no session on {scheme}:// (there is on {', '.join(SERVERS)}, on Spark by synthpriv_sql.spark): "
            f"{instead}export the tables to files, which DuckDB reads"
        )
    return next((name for prefix, name in SERVERS.items() if database.startswith(prefix)), "duckdb")


def connect(
    database: str | os.PathLike[str] = ":memory:", read_only: bool = False, *, pushdown: str = "auto", **config: Any
) -> Session:
    """Open a database and make the functions available in it.

    Parameters
    ----------
    database
        The path of a DuckDB database, ``":memory:"``, or the URL of another database:
        ``postgresql://user@host/name`` with the options of libpq, which takes settings missing in the URL from the
        environment (``PGPASSWORD``, …), ``mysql://user@host/name`` or ``mariadb://…`` (the password in
        ``MYSQL_PWD``), ``clickhouse://user@host/name`` (in ``CLICKHOUSE_PASSWORD``),
        ``snowflake://user@account/database/schema`` (in ``SNOWFLAKE_PASSWORD``),
        ``redshift://user@host/name`` (in ``PGPASSWORD``), ``bigquery://project/dataset`` (Google's application default
        credentials), ``databricks://workspace?cluster_id=…`` (the token in ``DATABRICKS_TOKEN``),
        ``duckdb+quack://host:port`` (in ``QUACK_TOKEN``), or ``sqlite:///path.db`` (``sqlite:////absolute/path.db``).
    read_only
        Whether to open the database read-only. In other databases only `Result.to_table` writes; with ``read_only``
        it raises.
    pushdown
        ``require``: a call raises `DataWouldLeave` if rows other than its result would leave the database.
    **config
        DuckDB settings, such as ``threads=2`` or ``memory_limit="2GB"``; elsewhere those of the local DuckDB, on
        Databricks ``threads`` only, the tasks of Spark.

    Returns
    -------
    Session
        A context manager that closes the connection.
    """
    if not isinstance(database, str | os.PathLike):
        raise OptionError(
            f"connect takes the path or the URL of a database, not a {type(database).__name__}: register(connection) "
            "takes an open DuckDB connection, spark(session) a SparkSession"
        )
    database = os.fspath(database)
    threads = config.get("threads")
    if isinstance(threads, int) and threads > _MOST_THREADS:
        raise OptionError(
            f"{wording.refused('threads', threads)} is more than {_MOST_THREADS:,}; this machine has "
            f"{os.cpu_count()} processors"
        )
    engine = engine_of(database)
    if engine in _ENGINES:
        module = import_module(f"synthpriv_sql.engines.{engine}.engine")
        return Session(getattr(module, _ENGINES[engine])(database, read_only, **config), pushdown)
    connection = open_database(database, read_only, config)
    try:
        return Session(DuckDB(connection), pushdown)
    except BaseException:
        connection.close()
        raise


def register(connection: duckdb.DuckDBPyConnection) -> Session:
    """Make the functions available on an existing connection: in its SQL, and as methods of a Session."""
    if not isinstance(connection, duckdb.DuckDBPyConnection):
        raise OptionError(
            f"register takes an open DuckDB connection, not a {type(connection).__name__}: connect(database) opens a "
            "database by its path or URL"
        )
    return Session(DuckDB(connection))


def spark(
    session: SparkSession, tasks: int | None = None, shard_rows: int | None = None, *, pushdown: str = "auto"
) -> Session:
    """Make the functions available on an existing SparkSession.

    Parameters
    ----------
    session
        The session that reads tables and runs statements; closing the returned Session stops it.
    tasks
        The approximate number of concurrent tasks; by default the parallelism that Spark reports.
    shard_rows
        The maximum number of reference records a task searches at a time; by default as many as take 512 MB.
    pushdown
        As in `connect`.

    Returns
    -------
    Session
        Its tables are names in Spark's catalog, paths with their format (``parquet.`/data/customers` ``), queries in
        parentheses and DataFrames. Results with one row per record stay on the executors until they are needed.
    """
    from synthpriv_sql.engines.spark.engine import Spark

    return Session(Spark(session, tasks, shard_rows), pushdown)
