"""Snowflake as an engine."""

from __future__ import annotations

from typing import Any

from synthpriv_sql.engines.remote.engine import Remote
from synthpriv_sql.engines.snowflake import driver
from synthpriv_sql.engines.snowflake.lookup import SnowflakeLookup
from synthpriv_sql.engines.snowflake.writing import SnowflakeWriter


class Snowflake(Remote):
    """A Snowflake account; it is only read, unless the user writes a result.

    Parameters
    ----------
    url
        ``snowflake://user:password@account/database/schema``; see `synthpriv_sql.engines.snowflake.driver.read`.
    read_only
        Whether to refuse writing results.
    **config
        Settings of the private DuckDB, such as ``threads=2`` or ``memory_limit="2GB"``.

    Raises
    ------
    OptionError
        The URL cannot be read, or the driver is not installed.
    EngineError
        The account cannot be reached, or refuses the connection.
    """

    name = "Snowflake"
    dialect = "snowflake"
    version_statement = "snowflake_version"
    lacks = SnowflakeLookup.lacks
    lookup = SnowflakeLookup
    writer = SnowflakeWriter
    no_lists = "builds lists or structs, whose items have no types in Snowflake"

    def __init__(self, url: str, read_only: bool = False, **config: Any) -> None:
        super().__init__(driver.SnowflakeDriver(driver.read(url)), read_only, **config)
