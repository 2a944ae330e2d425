"""Planning long statements without the optimizer rules of DuckDB that take most of the time.

These rules traverse the whole plan repeatedly: `evaluate` of 60 rows spends almost half of its time in
`projection_pullup`. On few rows the rules are disabled as well that save less time there than they take. The setting is
the database's, so other connections plan without them in the meantime: rules that a query may depend on, such as
`join_order`, stay. So does `cte_inlining` in DuckDB 2: a thousand CTEs that are not inlined take longer to begin than
the rule takes, with one thread longer than everything else. Decision 0005 has the measurements.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Any

import duckdb
from sqlglot import exp

_MAJOR = int(duckdb.__version__.split(".")[0])
_LONG = 100_000
_RULES = {"projection_pullup": _LONG} if _MAJOR >= 2 else {"cte_inlining": 1_000_000}
"""The disabled rules, with the minimum statement length. They change how a statement runs, not its
result.
"""
_ON_FEW_ROWS = (
    {
        "common_subexpressions",
        "common_subplan",
        "cte_filter_pusher",
        "projection_placement",
        "statistics_propagation",
    }
    if _MAJOR >= 2
    else set()
)
"""Rules that are also disabled for a long statement on few rows."""
FEW_ROWS = 10_000
"""Up to how many rows, of all tables together: the statement of `evaluate` is planned for longer than it runs."""
_SETTING = "disabled_optimizers"
_ONE_AT_A_TIME = Lock()


@contextmanager
def planned_quickly(connection: Any, sql: str, rows: int | None = None) -> Iterator[None]:
    """Disable these rules in the database for the duration; rules that the user disabled stay disabled.

    Uses a cursor, since the transaction of the connection may have failed. Locked settings are left unchanged.

    Parameters
    ----------
    connection
        Of the database that plans the statement.
    sql
        The statement.
    rows
        The expected number of rows of its tables, if it is known.
    """
    slow = [rule for rule, length in _RULES.items() if len(sql) >= length]
    if rows is not None and rows <= FEW_ROWS and len(sql) >= _LONG:
        slow += _ON_FEW_ROWS
    left_out: list[str] = []
    if slow:
        with suppress(duckdb.Error), _ONE_AT_A_TIME, connection.cursor() as cursor:
            rules = _rules(cursor)
            added = [rule for rule in slow if rule not in rules and rule in _known(cursor)]
            _leave_out(cursor, rules + added)
            left_out = added
    try:
        yield
    finally:
        if left_out:
            with suppress(duckdb.Error), _ONE_AT_A_TIME, connection.cursor() as cursor:
                _leave_out(cursor, [rule for rule in _rules(cursor) if rule not in left_out])


def _rules(cursor: Any) -> list[str]:
    setting = exp.Anonymous(this="current_setting", expressions=[exp.Literal.string(_SETTING)])
    ((listed,),) = cursor.execute(exp.select(setting).sql("duckdb")).fetchall()
    return [rule for rule in listed.split(",") if rule]


def _known(cursor: Any) -> set[str]:
    """The rules of this DuckDB: it refuses a setting that names another one."""
    function = exp.Anonymous(this="duckdb_optimizers")
    return {rule for (rule,) in cursor.execute(exp.select("name").from_(function).sql("duckdb")).fetchall()}


def _leave_out(cursor: Any, rules: list[str]) -> None:
    value = exp.EQ(this=exp.column(_SETTING), expression=exp.Literal.string(",".join(rules)))
    cursor.execute(exp.Set(expressions=[exp.SetItem(this=value)]).sql("duckdb"))
