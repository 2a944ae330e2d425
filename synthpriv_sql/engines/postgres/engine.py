"""PostgreSQL as an engine."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from synthpriv_sql.engines.postgres import address
from synthpriv_sql.engines.postgres.driver import PostgresDriver, expected
from synthpriv_sql.engines.postgres.lookup import PostgresLookup
from synthpriv_sql.engines.postgres.writing import PostgresWriter
from synthpriv_sql.engines.remote.engine import Remote


class Postgres(Remote):
    """A PostgreSQL database; it is only read, unless the user writes a result.

    Parameters
    ----------
    url
        ``postgresql://user:password@host:port/database``; see `synthpriv_sql.engines.postgres.address`.
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

    name = "PostgreSQL"
    dialect = "postgres"
    version_statement = "postgres_version"
    lacks = PostgresLookup.lacks
    lookup = PostgresLookup
    writer = PostgresWriter

    def __init__(self, url: str, read_only: bool = False, **config: Any) -> None:
        super().__init__(PostgresDriver(address.read(url)), read_only, **config)

    def _lacking(self, query: exp.Query) -> str | None:
        if query.find(exp.Struct) is not None:
            return "builds structs, which PostgreSQL supports only for types that were created"
        return None

    def _expected(self, crossing: exp.Query) -> tuple[int, int]:
        sql = self._written.write(crossing)
        return self._connection.run(lambda opened: expected(opened, sql))
