"""MySQL and MariaDB as an engine."""

from __future__ import annotations

from typing import Any

from synthpriv_sql.engines.mysql import driver
from synthpriv_sql.engines.mysql.lookup import MySQLLookup
from synthpriv_sql.engines.mysql.writing import MySQLWriter
from synthpriv_sql.engines.remote.engine import Remote


class MySQL(Remote):
    """A MySQL or MariaDB server; it is only read, unless the user writes a result.

    Parameters
    ----------
    url
        ``mysql://user:password@host:port/database``; see `synthpriv_sql.engines.mysql.driver.read`.
    read_only
        Whether to refuse writing results.
    **config
        Settings of the private DuckDB, such as ``threads=2`` or ``memory_limit="2GB"``.

    Raises
    ------
    OptionError
        The URL cannot be read, or the driver is not installed.
    EngineError
        The server cannot be reached, or refuses the connection.
    """

    name = "MySQL"
    dialect = "mysql"
    version_statement = "mysql_version"
    lacks = MySQLLookup.lacks
    lookup = MySQLLookup
    writer = MySQLWriter

    def __init__(self, url: str, read_only: bool = False, **config: Any) -> None:
        reached = driver.MySQLDriver(driver.read(url))
        super().__init__(reached, read_only, **config)
        self.name = "MariaDB" if reached.mariadb else "MySQL"
