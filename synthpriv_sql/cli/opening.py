"""Opens and closes the session of a command, with its options, log and time limit."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Timer
from typing import Any

import click
import duckdb

from synthpriv_sql import errors
from synthpriv_sql.api.opening import POSTGRES, connect, spark
from synthpriv_sql.api.session import Session
from synthpriv_sql.cli.options import OPENING
from synthpriv_sql.language.spoken import speaking
from synthpriv_sql.results.locks import when_free
from synthpriv_sql.results.watching.log import logger


@contextmanager
def opened(given: dict[str, Any]) -> Iterator[Session]:
    """Open a session from the common options, which are removed from `given`, and close it at the end."""
    opening = {name: given.pop(name) for name in OPENING}
    timeout, level = opening.pop("timeout"), opening.pop("log")
    late = Event()
    with speaking(given.pop("language", None)), _logged(level), _session(**opening) as session:

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
def _logged(level: str | None) -> Iterator[None]:
    """Write the log to stderr."""
    if level is None:
        yield
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(name)s %(levelname)s %(message)s"))
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
    database: str | None, engine: str | None, pushdown: str, init: Path | None, threads: int | None, wait: float
) -> Session:
    config: dict[str, Any] = {} if threads is None else {"threads": threads}
    if engine == "spark":
        return _open_spark(database, init, threads, pushdown)
    if engine == "postgres" and database is None:
        database = POSTGRES[0]
    is_url = database is not None and database.startswith(POSTGRES)
    if engine is not None and (engine == "postgres") != is_url:
        raise errors.OptionError(
            f"--engine {engine} does not match this --database: PostgreSQL takes a URL, postgresql://user@host/name, "
            "and DuckDB a file"
        )
    if is_url:
        if init is not None:
            raise errors.OptionError("--init is for DuckDB; in PostgreSQL only read-only statements are run")
        assert database is not None
        return connect(database, read_only=True, pushdown=pushdown, **config)
    if database is not None and not Path(database).is_file():
        raise errors.UnknownTable(f'there is no database file "{database}"')
    path = database or ":memory:"
    try:
        session = when_free(
            lambda: connect(path, read_only=path != ":memory:", pushdown=pushdown, **config),
            wait,
            echo,
        )
    except duckdb.Error as error:
        failed = errors.UnknownTable(f'the database "{database}" cannot be opened: {error}')
        raise (errors.transient(failed) if errors.may_go_away(error) else failed) from None
    if init is not None:
        try:
            session.connection.execute(init.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, duckdb.Error) as error:
            session.close()
            wrong = errors.OptionError(f'--init "{init}" failed: {error}')
            raise (errors.transient(wrong) if errors.may_go_away(error) else wrong) from None
    return session


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
