"""Opens and closes the session of a command, with its options, log and time limit."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Timer
from typing import Any

import click
import duckdb

from synthpriv_sql import errors
from synthpriv_sql.api.opening import connect, engine_of, spark
from synthpriv_sql.api.session import Session
from synthpriv_sql.choices import POSTGRES
from synthpriv_sql.cli.options import OPENING
from synthpriv_sql.language.spoken import speaking
from synthpriv_sql.results.locks import when_free
from synthpriv_sql.results.watching.log import AsJson, logger
from synthpriv_sql.unsaid import of_duckdb


@contextmanager
def opened(given: dict[str, Any], read_only: bool = True) -> Iterator[Session]:
    """Open a session from the common options, which are removed from `given`, and close it at the end."""
    opening = {name: given.pop(name) for name in OPENING}
    timeout, level, form = (opening.pop(name) for name in ("timeout", "log", "log_format"))
    late = Event()
    with (
        speaking(given.pop("language", None)),
        _logged(level, form),
        _session(**opening, read_only=read_only) as session,
    ):

        def stop() -> None:
            late.set()
            session.cancel()

        clock = Timer(timeout, stop) if timeout else None
        try:
            if clock is not None:
                clock.daemon = True
                clock.start()
            yield session
        except errors.Stopped:
            if late.is_set():
                raise errors.Stopped(
                    f"stopped after {timeout:g} s because of --timeout; there is no result, and nothing was written"
                ) from None
            raise
        finally:
            if clock is not None:
                clock.cancel()


@contextmanager
def _logged(level: str | None, form: str) -> Iterator[None]:
    """Write the log to stderr."""
    if level is None:
        yield
        return
    handler = logging.StreamHandler(sys.stderr)
    text = logging.Formatter("%(asctime)s %(name)s %(levelname)s %(message)s")
    handler.setFormatter(AsJson() if form == "json" else text)
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(level.upper())
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)


def echo(text: str) -> None:
    """Print a line about the command itself."""
    click.echo(f"synthpriv: {text}", err=True)


def _session(
    database: str | None,
    engine: str | None,
    pushdown: str,
    init: Path | None,
    threads: int | None,
    wait: float,
    read_only: bool,
) -> Session:
    config: dict[str, Any] = {} if threads is None else {"threads": threads}
    if engine == "spark":
        return _open_spark(database, init, threads, pushdown)
    if engine == "postgres" and database is None:
        database = POSTGRES[0]
    kind = "duckdb" if database is None else engine_of(database)
    if engine is not None and engine != kind:
        raise errors.OptionError(
            f"--engine {engine} does not match this --database: PostgreSQL takes a URL, postgresql://user@host/name, "
            "MySQL mysql://user@host/name, ClickHouse clickhouse://user@host/name, Snowflake "
            "snowflake://user@account/database, BigQuery bigquery://project/dataset, Databricks "
            "databricks://workspace?cluster_id=ID, SQLite sqlite:///path.db, a DuckDB server duckdb+quack://host:port, "
            "and DuckDB a file"
        )
    if kind != "duckdb":
        if init is not None:
            raise errors.OptionError("--init is for DuckDB; in other databases only read-only statements are run")
        assert database is not None
        return connect(database, read_only=read_only, pushdown=pushdown, **config)
    if database is not None and not Path(database).is_file():
        raise errors.UnknownTable(f'there is no database file "{database}"')
    path = database or ":memory:"
    try:
        session = when_free(
            lambda: connect(path, read_only=read_only and path != ":memory:", pushdown=pushdown, **config),
            wait,
            echo,
        )
    except duckdb.Error as error:
        failed = errors.UnknownTable(f'the database "{database}" cannot be opened: {of_duckdb(str(error))}')
        raise (errors.transient(failed) if errors.may_go_away(error) else failed) from None
    if init is not None:
        try:
            _run_init(session.connection, init)
        except BaseException:
            session.close()
            raise
    return session


_LINE = re.compile(r"^LINE (\d+):", re.MULTILINE)
"""How DuckDB names the line of a statement in a message."""


def _run_init(connection: duckdb.DuckDBPyConnection, init: Path) -> None:
    """Run the statements of a file, none of whose text may stand in an error: it has secrets."""
    text, at = "", 0
    try:
        text = init.read_text(encoding="utf-8")
        for statement in connection.extract_statements(text):
            at = max(text.find(statement.query.strip(), at), at)
            connection.execute(statement)
            at += len(statement.query.strip())
    except OSError as error:
        raise errors.OptionError(f'--init "{init}" cannot be read: {error.strerror}') from None
    except UnicodeDecodeError:
        raise errors.OptionError(f'--init "{init}" is not in UTF-8') from None
    except (duckdb.Error, RuntimeError) as error:
        within = _LINE.search(str(error))
        line = text.count("\n", 0, at) + int(within[1] if within else 1)
        where = f" in line {line:,}" if at or within else ""  # DuckDB does not always say where it cannot parse a file
        kind = re.sub(r"(?<=[a-z])(?=[A-Z])|Exception$", " ", type(error).__name__).strip()
        wrong = errors.OptionError(
            f'--init "{init}" failed{where} with a {kind} error of DuckDB, whose words are not shown because '
            "they may hold secrets: run the file in DuckDB to see them"
        )
        raise (errors.transient(wrong) if errors.may_go_away(error) else wrong) from None


def _open_spark(database: str | None, init: Path | None, threads: int | None, pushdown: str) -> Session:
    if database is not None or init is not None:
        raise errors.OptionError(
            "--database and --init do not apply to --engine spark: tables are names in Spark's catalog, or paths with "
            "their format, such as parquet.`/data/customers`"
        )
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise errors.OptionError(
            '--engine spark needs pyspark, which is not installed: pip install "synthpriv-sql[spark]", or run '
            "synthpriv with spark-submit"
        ) from None
    return spark(SparkSession.builder.getOrCreate(), tasks=threads, pushdown=pushdown)
