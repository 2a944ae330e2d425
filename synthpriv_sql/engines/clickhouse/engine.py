"""ClickHouse as an engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlglot import exp

from synthpriv_sql.engines.base import Answer, How
from synthpriv_sql.engines.clickhouse import driver
from synthpriv_sql.engines.clickhouse.lookup import ClickHouseLookup
from synthpriv_sql.engines.clickhouse.writing import write_table
from synthpriv_sql.engines.cut import Cut, cut
from synthpriv_sql.engines.remote.connection import Connection
from synthpriv_sql.engines.remote.engine import Remote
from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.planning import Plan

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

    def __init__(self, url: str, read_only: bool = False, **config: Any) -> None:
        super().__init__(driver.ClickHouseDriver(driver.read(url)), read_only, **config)

    def _make_lookup(self, connection: Connection) -> ClickHouseLookup:
        return ClickHouseLookup(connection)

    def _cut(self, plan: Plan) -> Cut:
        """Divide a plan; of one with many steps, which takes minutes to be planned there, only columns are read."""
        if self._pieces is None or self._pieces[0] is not plan:
            tree = plan.statement.tree()
            steps = sum(1 for _ in tree.find_all(exp.CTE))
            why = self._why_local if steps <= _MOST_STEPS else self._why_not_read
            self._pieces = (plan, cut(tree, why))
        return self._pieces[1]

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

    def _write(
        self, answer: Answer, own: Mapping[str, tuple[Relation, str]], name: str, how: How, run: str | None
    ) -> None:
        assert isinstance(self._lookup, ClickHouseLookup)
        write_table(self._connection, self._lookup, answer, own, name, how, run)
