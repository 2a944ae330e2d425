"""Calls of families of tables: one for each view, and their rows one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import pyarrow as pa

from synthpriv_sql.engines.base import Answer, Engine
from synthpriv_sql.results.result import Result
from synthpriv_sql.statements import catalog, families
from synthpriv_sql.statements.catalog import Function
from synthpriv_sql.statements.families import PART


class Calls(Protocol):
    """What a call of a family needs of a session."""

    @property
    def engine(self) -> Engine:
        """Where the tables are."""

    def sql(self, function: str, /, **given: Any) -> str:
        """Return the SQL that a call would run."""


def family_call(session: Calls, function: Function, given: Mapping[str, Any], call: Callable[..., Result]) -> Result:
    """Call a function for each view of a family of tables, and return the rows of all, with the view as first column.

    Parameters
    ----------
    session
        Where the tables are.
    function, given
        The call, with ``children``.
    call
        Calls a function by its name.
    """

    def columns(table: Any) -> Sequence[str]:
        counts = catalog.part("row_count")
        assert counts is not None
        with session.engine.holding(counts, {"data": table}) as named:
            return [column.name for column in session.engine.relation("data", named["data"]).columns]

    def flat(parents: Any, children: Any, key: str, prefix: str) -> Any:
        made = call("flatten", parents=parents, children=children, key=key, prefix=prefix)
        if "objects" in session.engine.lacks:
            return f"({session.sql('flatten', parents=parents, children=children, key=key, prefix=prefix)})"
        return made.to_arrow()

    results = {view.name: call(function.name, **view.given) for view in families.views(function, given, columns, flat)}
    first = next(iter(results.values()))
    tables = []
    for name, result in results.items():
        table = result.to_arrow()
        tables.append(table.add_column(0, PART, pa.array([name] * len(table), pa.string())))
    sql = ";\n".join(f"-- {name}\n{result.sql}" for name, result in results.items())
    together = pa.concat_tables(tables, promote_options="permissive")
    types = {PART: "VARCHAR"}
    for result in results.values():  # of the rows of children a person is told as well
        types |= {c: kind for c, kind in zip(result.columns, result.types, strict=True) if c not in types}
    answer = Answer(together, [types[name] for name in together.column_names], sql)
    return Result(session.engine, first.name, answer, first.run)
