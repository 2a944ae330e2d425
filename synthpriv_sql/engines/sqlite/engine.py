"""SQLite as an engine."""

from __future__ import annotations

from typing import Any

from synthpriv_sql.engines.base import Answer, How
from synthpriv_sql.engines.remote.engine import Remote
from synthpriv_sql.engines.sqlite import driver
from synthpriv_sql.engines.sqlite.lookup import SQLiteLookup
from synthpriv_sql.engines.sqlite.writing import SQLiteWriter


class SQLite(Remote):
    """A SQLite file; it is only read, unless the user writes a result.

    Parameters
    ----------
    url
        ``sqlite:///path.db``; see `synthpriv_sql.engines.sqlite.driver.read`.
    read_only
        Whether to refuse writing results.
    **config
        Settings of the private DuckDB, such as ``threads=2`` or ``memory_limit="2GB"``.

    Raises
    ------
    OptionError
        The URL names no file.
    UnknownTable
        There is no such file.
    EngineError
        The file is no database, or is locked.
    """

    name = "SQLite"
    dialect = "sqlite"
    version_statement = "sqlite_version"
    lacks = SQLiteLookup.lacks
    lookup = SQLiteLookup
    writer = SQLiteWriter

    def __init__(self, url: str, read_only: bool = False, **config: Any) -> None:
        super().__init__(driver.SQLiteDriver(driver.read(url, read_only)), read_only, **config)

    def write(self, answer: Answer, name: str, how: How, run: str | None = None) -> None:
        """Write rows into a table, and measure all tables anew afterwards."""
        super().write(answer, name, how, run)
        assert isinstance(self._lookup, SQLiteLookup)
        self._lookup.forget()
