"""Planning long statements without the optimizer rules of DuckDB that take most of the time.

These rules traverse the whole plan repeatedly: `evaluate` of 60 rows spends almost half of its time in
`projection_pullup`, and that of 150 columns more than half of the rest in `cte_inlining`. The setting is the
database's, so other connections plan without them in the meantime: rules that a query may depend on, such as
`join_order`, stay. Decision 0005 has the measurements.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Any

import duckdb
from sqlglot import exp

_MAJOR = int(duckdb.__version__.split(".")[0])
_RULES = ({"projection_pullup": 100_000} if _MAJOR >= 2 else {}) | {"cte_inlining": 1_000_000}
"""The disabled rules, with the minimum statement length. They change how a statement runs, not its
result.
"""
_SETTING = "disabled_optimizers"
_ONE_AT_A_TIME = Lock()


@contextmanager
def planned_quickly(connection: Any, sql: str) -> Iterator[None]:
    """Disable these rules in the database for the duration; rules that the user disabled stay disabled.

    Uses a cursor, since the transaction of the connection may have failed. Locked settings are left unchanged.
    """
    slow = [rule for rule, length in _RULES.items() if len(sql) >= length]
    left_out: list[str] = []
    if slow:
        with suppress(duckdb.Error), _ONE_AT_A_TIME, connection.cursor() as cursor:
            rules = _rules(cursor)
            added = [rule for rule in slow if rule not in rules]
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


def _leave_out(cursor: Any, rules: list[str]) -> None:
    value = exp.EQ(this=exp.column(_SETTING), expression=exp.Literal.string(",".join(rules)))
    cursor.execute(exp.Set(expressions=[exp.SetItem(this=value)]).sql("duckdb"))
