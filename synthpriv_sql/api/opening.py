"""Ways to a Session: a database is opened, or a connection or a SparkSession of the user's is given."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import duckdb

from synthpriv_sql.api.session import Session
from synthpriv_sql.engines.duckdb.engine import DuckDB, open_database
from synthpriv_sql.errors import OptionError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

POSTGRES = ("postgresql://", "postgres://")
"""How the URL of a PostgreSQL database begins."""


def connect(
    database: str | os.PathLike[str] = ":memory:", read_only: bool = False, *, pushdown: str = "auto", **config: Any
) -> Session:
    """Open a database and make the functions available in it.

    Parameters
    ----------
    database
        The path of a DuckDB database, ``":memory:"``, or the URL of a PostgreSQL database: ``postgresql://user@host/name``
        with the options of libpq, which takes from its environment (``PGPASSWORD``, …) what the URL does not have.
    read_only
        Whether the database is opened for reading only. In PostgreSQL only `Result.to_table` writes, and with
        ``read_only`` nothing does.
    pushdown
        ``require``: a call for which rows would leave the database, other than its result, raises `DataWouldLeave`.
    **config
        DuckDB settings, such as ``threads=2`` or ``memory_limit="2GB"``; with PostgreSQL those of the DuckDB beside it.

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
    if database.startswith(POSTGRES):
        from synthpriv_sql.engines.postgres.engine import Postgres

        return Session(Postgres(database, read_only, **config), pushdown)
    connection = open_database(database, read_only, config)
    try:
        return Session(DuckDB(connection), pushdown)
    except BaseException:
        connection.close()
        raise


def register(connection: duckdb.DuckDBPyConnection) -> Session:
    """Make the functions available on a connection that the user has: in its SQL, and as methods of a Session."""
    if not isinstance(connection, duckdb.DuckDBPyConnection):
        raise OptionError(
            f"register takes an open DuckDB connection, not a {type(connection).__name__}: connect(database) opens a "
            "database by its path or URL"
        )
    return Session(DuckDB(connection))


def spark(
    session: SparkSession, tasks: int | None = None, shard_rows: int | None = None, *, pushdown: str = "auto"
) -> Session:
    """Make the functions available on a SparkSession that the user has.

    Parameters
    ----------
    session
        Where tables are read and statements run; closing the result stops it.
    tasks
        About how many tasks run at a time; what Spark says of the cluster where not given.
    shard_rows
        The most records of a reference that a task searches at a time; as many as take 512 MB where not given.
    pushdown
        As in `connect`.

    Returns
    -------
    Session
        Its tables are names of Spark's catalog, paths with their format (``parquet.`/data/customers` ``), queries in
        parentheses and DataFrames. Results of a row a record stay on the executors until they are asked for.
    """
    from synthpriv_sql.engines.spark.engine import Spark

    return Session(Spark(session, tasks, shard_rows), pushdown)
