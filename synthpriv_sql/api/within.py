"""The database in memory in which a search calls functions on copies of the tables."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any

from synthpriv_sql import errors
from synthpriv_sql.engines.duckdb.engine import DuckDB
from synthpriv_sql.engines.duckdb.opening import open_database
from synthpriv_sql.planner.calls import families
from synthpriv_sql.results.calls.family import maker_of
from synthpriv_sql.results.result import Result


class Within:
    """Calls functions in a database in memory, which is opened by the first call and stays open.

    It knows nothing of the database whose tables are searched: that may be closed as if there were no search.

    Parameters
    ----------
    opened
        Makes a session's calls on an engine.
    threads
        How many threads the database may use; None: all.
    """

    def __init__(self, opened: Callable[[DuckDB], Any], threads: int | None) -> None:
        self._opened = opened
        self._threads = threads
        self._calls: Any = None
        self._lock = Lock()
        self._stopped = False

    def begin(self) -> None:
        """Begin a search, which `cancel` stops."""
        self._stopped = False

    def call(self, function: Any, /, **given: Any) -> Result:
        """Call a function on tables in memory."""
        if self._stopped:
            raise errors.stopped()
        found: Result = self._session().call(function, **given)
        return found

    def maker(self) -> families.Maker:
        """Return what makes the views of a family in this database."""
        return maker_of(self._session(), self.call)

    def _session(self) -> Any:
        with self._lock:
            if self._calls is None:
                settings = {} if self._threads is None else {"threads": self._threads}
                self._calls = self._opened(DuckDB(open_database(config=settings)))
        return self._calls

    def cancel(self) -> None:
        """Stop the search that runs, if one does."""
        self._stopped = True
        if self._calls is not None:
            self._calls.engine.cancel()
