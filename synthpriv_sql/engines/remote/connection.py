"""A connection to a database: transactions, rows as Arrow, and errors of this package.

All calls of the driver run in one dedicated thread, while the calling thread waits in short steps: so Ctrl-C and
`Session.cancel` end a call at once, whatever the server does, and no two threads ever use the connection.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import pyarrow as pa
from sqlglot import exp

from synthpriv_sql import errors
from synthpriv_sql.engines.remote.driver import Address, Driver, Reader
from synthpriv_sql.planner.headers import catalog

T = TypeVar("T")

_TICK = 0.05  # seconds between checks for cancellation


class Connection:
    """A connection that is opened on first use, and reopened after it was lost.

    Parameters
    ----------
    driver
        How the database is reached.
    """

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="synthpriv-connection")
        self._opened: Any = None
        self._within = self._closed = False
        self.cancelled: Callable[[], bool] = lambda: False

    @property
    def address(self) -> Address:
        """Where the database is."""
        return self.driver.address

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
        begin = self.driver.begin_writing if write else self.driver.begin
        self._within = bool(begin)  # set first, in case BEGIN is interrupted: a superfluous ROLLBACK does no harm
        try:
            if begin:
                self._begin(begin)
            for name in self.driver.settings:
                self.execute(catalog.statement(name))
            yield
            if write and begin:
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
            self.execute(exp.Commit().sql())
        except errors.ConnectionLost:
            raise errors.ConnectionLost(
                f"the connection to {self.address.shown} was lost during COMMIT: the table was written either "
                f"completely or not at all. Check before you write it again."
            ) from None
        self._within = False

    def end(self) -> None:
        """Roll back the transaction, if there is one; also after a cancelled call."""
        if self._within and self._opened is not None:
            ending = self._thread.submit(lambda: self.driver.ask(self._ready(), exp.Rollback().sql(), None))
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
        return self._run(lambda: self.driver.ask(self._ready(), sql, parameters))

    def run(self, function: Callable[[Any], T]) -> T:
        """Return what a function makes of the driver's connection."""
        return self._run(lambda: function(self._ready()))

    def batches(self, sql: str, types: Sequence[str] = ()) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a query in batches; the next batch is fetched while one is processed.

        ``types`` are the DuckDB types that its columns are to have.
        """

        def begin() -> Reader:
            return self.driver.start(self._ready(), sql, types)

        reader = self._run(begin)
        more = True
        try:
            coming = self._thread.submit(reader.following)
            while more:
                more = False  # after a failure there are no more batches
                batch = self._wait(coming)
                if batch is not None:
                    more = True
                    coming = self._thread.submit(reader.following)
                    yield batch
        finally:
            if more:
                self._stop(coming)
                self.cancel()
            wait([coming, self._thread.submit(reader.close)])

    def _ready(self) -> Any:
        if self._opened is None:
            self._opened = self.driver.connect()
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
        except (*self.driver.errors, OSError, pa.ArrowException) as error:
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
            with suppress(*self.driver.errors):
                self.driver.cancel(opened)

    def _failure(self, error: Exception) -> BaseException:
        """Turn an error of the driver into an error of this package."""
        said = self.driver.said(error)
        if said.stopped:
            return errors.stopped()
        if self._opened is None:
            message = self.address.without_secrets(said.message)
            failed = errors.EngineError(f"{self.address.shown} cannot be reached: {message}")
            # A refusal by the server (password, database) would only repeat.
            return failed if said.final else errors.transient(failed)
        if said.lost:
            self._forget()
            return errors.ConnectionLost(
                f"the connection to {self.address.shown} was lost before the end ({said.message}); there is no "
                f"result, and nothing was written. Call again: this reconnects."
            )
        kind = errors.from_database(RuntimeError(said.message))
        if type(kind) is not errors.EngineError:
            return kind
        failed = errors.EngineError(said.shown)
        failed.state, failed.transient = said.state, kind.transient or said.transient
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
