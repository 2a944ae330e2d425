"""Long statements are planned without the rule of DuckDB 2's optimizer that takes most of the time.

It goes through the whole plan again and again: `evaluate` of 40 to 80 columns spent half of its planning there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Any

import duckdb
from sqlglot import exp

_RULE = "projection_pullup"  # changes how a statement runs, never what it returns
_LONG = 100_000  # characters of a statement
_SETTING = "disabled_optimizers"
_ONE_AT_A_TIME = Lock()


@contextmanager
def planned_quickly(connection: Any, sql: str) -> Iterator[None]:
    """Leave the rule out meanwhile, in this database; what a user has left out stays so.

    On a cursor, since the transaction of the connection may have failed. Where settings are locked the rule stays.
    """
    left_out = False
    if len(sql) >= _LONG and int(duckdb.__version__.split(".")[0]) >= 2:
        with suppress(duckdb.Error), _ONE_AT_A_TIME, connection.cursor() as cursor:
            rules = _rules(cursor)
            if _RULE not in rules:
                _leave_out(cursor, [*rules, _RULE])
                left_out = True
    try:
        yield
    finally:
        if left_out:
            with suppress(duckdb.Error), _ONE_AT_A_TIME, connection.cursor() as cursor:
                _leave_out(cursor, [rule for rule in _rules(cursor) if rule != _RULE])


def _rules(cursor: Any) -> list[str]:
    setting = exp.Anonymous(this="current_setting", expressions=[exp.Literal.string(_SETTING)])
    ((listed,),) = cursor.execute(exp.select(setting).sql("duckdb")).fetchall()
    return [rule for rule in listed.split(",") if rule]


def _leave_out(cursor: Any, rules: list[str]) -> None:
    value = exp.EQ(this=exp.column(_SETTING), expression=exp.Literal.string(",".join(rules)))
    cursor.execute(exp.Set(expressions=[exp.SetItem(this=value)]).sql("duckdb"))
