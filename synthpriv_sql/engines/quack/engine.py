"""A DuckDB server as an engine."""

from __future__ import annotations

from typing import Any

from synthpriv_sql.engines.quack import driver
from synthpriv_sql.engines.quack.lookup import QuackLookup
from synthpriv_sql.engines.quack.writing import QuackWriter
from synthpriv_sql.engines.remote.engine import Remote


class Quack(Remote):
    """A DuckDB that serves its databases (``CALL quack_serve``); it is only read, unless the user writes a result.

    Parameters
    ----------
    url
        ``duckdb+quack://host:port``; see `synthpriv_sql.engines.quack.driver.read`.
    read_only
        Whether to refuse writing results.
    **config
        Settings of the private DuckDB, such as ``threads=2`` or ``memory_limit="2GB"``.

    Raises
    ------
    OptionError
        The URL cannot be read, or DuckDB's extension is not installed.
    EngineError
        The server cannot be reached, or refuses the token.
    """

    name = "the DuckDB server"
    dialect = "duckdb"
    version_statement = "quack_version"
    lacks = QuackLookup.lacks
    lookup = QuackLookup
    writer = QuackWriter

    def __init__(self, url: str, read_only: bool = False, **config: Any) -> None:
        super().__init__(driver.QuackDriver(driver.read(url)), read_only, **config)
