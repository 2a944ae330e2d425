"""ClickHouse as an engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from synthpriv_sql.engines.clickhouse import driver
from synthpriv_sql.engines.clickhouse.lookup import ClickHouseLookup
from synthpriv_sql.engines.clickhouse.writing import ClickHouseWriter
from synthpriv_sql.engines.remote.engine import Remote

_MOST_STEPS = 25
"""The most parts of a statement that runs there as a whole: one of 43 took four minutes on a busy machine."""


class ClickHouse(Remote):
    """A ClickHouse server; it is only read, unless the user writes a result.

    Parameters
    ----------
    url
        ``clickhouse://user:password@host:port/database``; see `synthpriv_sql.engines.clickhouse.driver.read`.
    read_only
        Whether to refuse writing results.
    **config
        Settings of the private DuckDB, such as ``threads=2`` or ``memory_limit="2GB"``.

    Raises
    ------
    OptionError
        The URL cannot be read.
    EngineError
        The server cannot be reached, or refuses the connection.
    """

    name = "ClickHouse"
    dialect = "clickhouse"
    version_statement = "clickhouse_version"
    lacks = ClickHouseLookup.lacks
    lookup = ClickHouseLookup
    writer = ClickHouseWriter

    def __init__(self, url: str, read_only: bool = False, **config: Any) -> None:
        super().__init__(driver.ClickHouseDriver(driver.read(url)), read_only, **config)

    def _reasons(self, statement: exp.Query) -> Callable[[exp.Query], str | None]:
        """Of a statement with many steps, which takes minutes to be planned there, only columns are read."""
        steps = sum(1 for _ in statement.find_all(exp.CTE))
        return self._why_local if steps <= _MOST_STEPS else self._why_not_read

    def _why_not_read(self, query: exp.Query) -> str | None:
        if not any(isinstance(table.this, exp.Var) for table in query.find_all(exp.Table)):
            return f"is of a statement of more than {_MOST_STEPS} steps, which ClickHouse plans too slowly"
        return self._why_local(query)

    def _lacking(self, query: exp.Query) -> str | None:
        if query.find(exp.Struct) is not None:
            return "builds structs, which are tuples in ClickHouse"
        if any(isinstance(cast.this, exp.Mul) and cast.to.is_type("bigint") for cast in query.find_all(exp.Cast)):
            return "turns scaled numbers into integers, which ClickHouse does, and fails at, for missing ones as well"
        if any(call.name.lower() == "error" for call in query.find_all(exp.Anonymous)):
            return "checks values, and ClickHouse may compute the error of a CASE whose condition does not hold"
        return super()._lacking(query)
