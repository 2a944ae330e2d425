"""A connection to PostgreSQL through ADBC: transactions, rows as Arrow, and errors of this package.

All calls of the driver run in one dedicated thread, while the calling thread waits in short steps: so Ctrl-C and
`Session.cancel` end a call at once, whatever the server does, and no two threads ever use the connection.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import pyarrow as pa
from sqlglot import exp

from synthpriv_sql import errors
from synthpriv_sql.engines.postgres.address import Address
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.unsaid import of_postgres

T = TypeVar("T")

_TICK = 0.05  # seconds between checks for cancellation
_CANCELLED = "canceling statement due to user request"
# Messages that mean a lost server or network; with a SQLSTATE: 57P01 to 57P03 and class 08.
_LOST = (
    "server closed the connection",
    "no connection to the server",
    "terminating connection",
    "connection has been closed",
    "could not receive data from server",
    "could not send data to server",
    "Connection reset by peer",
    "Broken pipe",
    "connection not open",
)
_READING = exp.Transaction(modes=["ISOLATION LEVEL REPEATABLE READ", "READ ONLY"])
_WRITING = exp.Transaction(modes=["ISOLATION LEVEL READ COMMITTED", "READ WRITE"])


class Connection:
    """A connection that is opened on first use, and reopened after it was lost.

    Parameters
    ----------
    address
        The server.

    Raises
    ------
    OptionError
        The driver is not installed (``pip install "synthpriv-sql[postgres]"``).
    """

    def __init__(self, address: Address) -> None:
        try:
            from adbc_driver_postgresql import dbapi
        except ModuleNotFoundError as missing:
            raise errors.OptionError(
                f'PostgreSQL needs {missing.name}, which is not installed: pip install "synthpriv-sql[postgres]"'
            ) from None
        self._dbapi = dbapi
        self.address = address
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="synthpriv-postgres")
        self._opened: Any = None
        self._within = self._closed = False
        self.cancelled: Callable[[], bool] = lambda: False

    @property
    def opened(self) -> Any:
        """The driver's connection; opens it if necessary."""
        return self._run(self._ready)

    # --- transactions

    @contextmanager
    def transaction(self, write: bool = False) -> Iterator[None]:
        """Enclose reads in one snapshot of the database or, with ``write``, writes in one atomic transaction.

        A connection that was lost since its last use is reopened.
        """
        self._within = True  # set first, in case BEGIN is interrupted: a superfluous ROLLBACK does no harm
        try:
            self._begin((_WRITING if write else _READING).sql("postgres"))
            self.execute(catalog.statement("postgres_settings"))
            yield
            if write:
                self._commit()
        finally:
            self.end()

    def _begin(self, begin: str) -> None:
        fresh = self._opened is None
        try:
            self.execute(begin)
        except errors.ConnectionLost:
            if fresh:
                raise
            self.execute(begin)

    def _commit(self) -> None:
        try:
            self.execute(exp.Commit().sql("postgres"))
        except errors.ConnectionLost:
            raise errors.ConnectionLost(
                f"the connection to {self.address.shown} was lost during COMMIT: the table was written either "
                f"completely or not at all. Check before you write it again."
            ) from None
        self._within = False

    def end(self) -> None:
        """Roll back the transaction, if there is one; also after a cancelled call."""
        if self._within and self._opened is not None:
            ending = self._thread.submit(self._ask, exp.Rollback().sql("postgres"))
            wait([ending])
            if ending.exception() is not None:
                self._forget()
        self._within = False

    # --- statements

    def execute(self, sql: str) -> None:
        """Run a statement and discard its rows."""
        self.rows(sql)

    def rows(self, sql: str, parameters: Sequence[Any] | None = None) -> list[dict[str, Any]]:
        """Return the few rows of a statement as dicts."""
        return self._run(lambda: self._ask(sql, parameters))

    def _ask(self, sql: str, parameters: Sequence[Any] | None = None) -> list[dict[str, Any]]:
        with self._ready().cursor() as cursor:
            cursor.execute(sql, parameters)
            return [] if cursor.description is None else cursor.fetch_arrow_table().to_pylist()

    def expected(self, sql: str) -> tuple[int, int]:
        """Return PostgreSQL's estimates of a query: its number of rows, and bytes per row. The query is not run."""

        def ask() -> Any:
            with self._ready().cursor() as cursor:
                # By default the driver uses COPY, which does not accept EXPLAIN.
                cursor.adbc_statement.set_options(**{"adbc.postgresql.use_copy": "false"})
                cursor.execute(exp.Command(this="EXPLAIN (FORMAT JSON)", expression=sql).sql("postgres"))
                return cursor.fetchone()

        (plan,) = self._run(ask)
        top = (json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]
        return top["Plan Rows"], top["Plan Width"]

    def schema(self, sql: str) -> pa.Schema:
        """Return the columns of a query, without running it."""

        def describe() -> pa.Schema:
            with self._ready().cursor() as cursor:
                return cursor.adbc_execute_schema(sql)

        return self._run(describe)

    def batches(self, sql: str) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a query in batches; the next batch is fetched while one is processed."""

        def begin() -> tuple[Any, pa.RecordBatchReader]:
            cursor = self._ready().cursor()
            try:
                cursor.execute(sql)
                return cursor, cursor.fetch_record_batch()
            except BaseException:
                cursor.close()
                raise

        cursor, reader = self._run(begin)
        more = True
        try:
            coming = self._thread.submit(next, reader, None)
            while more:
                more = False  # after a failure there are no more batches
                batch = self._wait(coming)
                if batch is not None:
                    more = True
                    coming = self._thread.submit(next, reader, None)
                    yield batch
        finally:
            if more:
                self._stop(coming)
                self.cancel()
            wait([coming, self._thread.submit(reader.close), self._thread.submit(cursor.close)])

    def ingest(self, table: str, rows: pa.Table) -> None:
        """Create a temporary table from rows."""

        def write() -> None:
            with self._ready().cursor() as cursor:
                cursor.adbc_ingest(table, rows, mode="create", temporary=True)

        self._run(write)

    def _ready(self) -> Any:
        if self._opened is None:
            self._opened = self._dbapi.connect(self.address.uri, autocommit=True)
        return self._opened

    # --- waiting, and what can go wrong

    def _run(self, function: Callable[[], T]) -> T:
        if self._closed:
            raise errors.EngineError("the session is closed")
        if self.cancelled():
            raise errors.stopped()
        return self._wait(self._thread.submit(function))

    def _wait(self, coming: Future[T]) -> T:
        """Wait for the driver, and stop it as soon as the call is cancelled."""
        try:
            try:
                while not wait([coming], timeout=_TICK).done:
                    if self.cancelled():
                        self._stop(coming)
            except BaseException:
                self._stop(coming)
                raise
            return coming.result()
        except (self._dbapi.Error, OSError, pa.ArrowException) as error:
            raise self._failure(error) from None

    def _stop(self, coming: Future[Any]) -> None:
        """Cancel the query that the driver waits for; repeatedly, as the server may not have started it yet."""
        while not coming.done():
            self.cancel()
            wait([coming], timeout=_TICK)

    def cancel(self) -> None:
        """Cancel the query of this connection on the server; callable from any thread."""
        opened = self._opened
        if opened is not None:
            with suppress(self._dbapi.Error):
                opened.adbc_cancel()

    def _failure(self, error: Exception) -> BaseException:
        """Turn an error of the driver into an error of this package."""
        state = getattr(error, "sqlstate", None) or ""
        details = dict(getattr(error, "details", None) or [])
        message = details.get("PG_DIAG_MESSAGE_PRIMARY", b"").decode(errors="replace") or _primary(str(error))
        if _CANCELLED in message:
            return errors.stopped()
        if self._opened is None:
            message = self.address.without_secrets(message)
            failed = errors.EngineError(f"{self.address.shown} cannot be reached: {message}")
            # A refusal by the server (password, database) would only repeat.
            return failed if "FATAL" in str(error) else errors.transient(failed)
        if state.startswith(("57P", "08")) or any(words in message for words in _LOST):
            self._forget()
            return errors.ConnectionLost(
                f"the connection to {self.address.shown} was lost before the end ({message}); there is no result, and "
                f"nothing was written. Call again: this reconnects."
            )
        kind = errors.from_database(RuntimeError(message))
        if type(kind) is not errors.EngineError:
            return kind
        failed = errors.EngineError(of_postgres(message, state))
        failed.state, failed.transient = state, kind.transient
        return failed

    def _forget(self) -> None:
        """Drop a connection that no longer works."""
        opened, self._opened = self._opened, None
        with suppress(Exception):
            if opened is not None:
                opened.close()

    def close(self) -> None:
        """Close the connection, if there is one."""
        if self._closed:
            return
        self._closed = True
        self._thread.submit(self._forget).result()
        self._thread.shutdown()


def _primary(text: str) -> str:
    """The server's message, without the text that the driver adds."""
    for opening in ("ERROR:", "FATAL:", "[libpq]"):
        text = text.partition(opening)[2] or text
    return " ".join(text.partition("\n\nQuery was:")[0].partition("\nLINE ")[0].partition(". SQLSTATE:")[0].split())
