"""An assembled statement: its parts, which are its CTEs, and the query that reads them."""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from threading import Lock
from typing import Any

from sqlglot import exp

from synthpriv_sql.planner.columns.compared import ComparedColumn
from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.columns.types import is_nan
from synthpriv_sql.planner.headers.function import Operator
from synthpriv_sql.planner.statement.trees import Node, copied, dissolve, nodes
from synthpriv_sql.planner.statement.writing import duckdb_text

_QUICK = {
    "synthpriv_page",
    "synthpriv_spreads",
    "synthpriv_deviations",
    "synthpriv_beta_quantile",
    "synthpriv_exchanged",
}
"""Our functions that neither search for neighbors nor train forests."""
_MANY = 200
"""From this number of parts, DuckDB binds a statement faster if parts are nested in others."""


class _Pause:
    """Disables the garbage collector while at least one thread requests it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._holders = 0
        self._was_on = False

    def __enter__(self) -> None:
        with self._lock:
            if not self._holders:
                self._was_on = gc.isenabled()
                gc.disable()
            self._holders += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._holders -= 1
            if not self._holders and self._was_on:
                gc.enable()


gc_paused = _Pause()
"""Pauses the garbage collector of the process: ``with gc_paused:``, also in several threads at once.

A statement consists of tens of thousands of objects that live until its text is generated; scanning them again and
again takes a third of the time.
"""


@dataclass(slots=True)
class Part:
    """A CTE of the statement, which several calls may read.

    ``file`` is the file of sql/ whose body it is, ``options`` are those of the call of that file, and ``operator`` is
    the step of an engine that it represents; a CTE inside a file and a relation of the user have no file.
    """

    name: str
    query: exp.Query
    materialized: bool | None
    file: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    operator: Operator | None = None
    source: Relation | None = None
    """The relation of the user that it reads, if it reads one directly."""
    warning: str = ""
    """A warning to show before it runs."""
    widest: exp.Literal | None = None
    once: bool = False
    """Whether it is worth materializing only if it is read more than once."""

    @property
    def reads(self) -> Mapping[str, str]:
        """The sources that it reads, by alias: other parts, tables and functions of the database."""
        return {table.alias_or_name: table.name for table in nodes(self.query, exp.Table)}


@dataclass(frozen=True)
class Assembled:
    """A statement: its parts, each of which reads only earlier ones, and the query that reads them."""

    parts: Sequence[Part]
    query: exp.Select
    compared: Sequence[ComparedColumn]
    groups: Sequence[str] = ()
    """The parts that return the rows of one group each, if it is computed for groups."""

    def tree(self) -> exp.Select:
        """Return the whole statement as one query, which the caller may change."""
        return _with_parts(copied(self.query), [replace(part, query=copied(part.query)) for part in self.parts])

    @property
    def size(self) -> int:
        """The number of its parts."""
        return len(self.parts)

    @cached_property
    def warnings(self) -> list[str]:
        """Warnings to show before it runs."""
        return list(dict.fromkeys(part.warning for part in self.parts if part.warning))

    @property
    def searches(self) -> int:
        """The number of kernel calls for neighbors or forests."""
        return sum(name not in _QUICK for name in self.calls)

    @cached_property
    def calls(self) -> list[str]:
        """Our functions that it calls, which exist only on a registered connection; one entry per call."""
        names = [call.name for part in self.parts for call in nodes(part.query, exp.Anonymous)]
        return [name for name in names if name.startswith("synthpriv_")]

    @cached_property
    def sql(self) -> str:
        """The text of the whole statement, for DuckDB."""
        with gc_paused:
            return self._text()

    def _text(self, last: bool = False) -> str:
        tree = self.for_duckdb(last)
        text = duckdb_text(tree, pretty=True)
        dissolve(tree)
        return text

    def last_text(self) -> str:
        """Return the text for DuckDB, and take the statement apart, before the garbage collector visits it."""
        with gc_paused:
            return self._text(last=True)

    def for_duckdb(self, last: bool = False) -> exp.Select:
        """Return the whole statement for DuckDB, which the caller may change: sqlglot modifies a tree to write it.

        ``last`` says that this statement is not needed any more, so that its own trees may become part of the result.
        """

        def own(tree: Node) -> Node:
            return tree if last else copied(tree)

        parts = [replace(part, query=_shared_quantiles(own(_with_nan(part.query)))) for part in self.parts]
        nest = self.groups or len(parts) >= _MANY
        return (_nested if nest else _with_parts)(own(self.query), parts)


def _with_nan(query: exp.Query) -> exp.Query:
    """Test for NaN without =, which DuckDB evaluates by the statistics of a Parquet file; these ignore NaN."""
    if not any(is_nan(node.expression) for node in nodes(query, exp.Nullif)):
        return query
    query = copied(query)
    for node in nodes(query, exp.Nullif):
        if is_nan(node.expression):
            node.replace(exp.Case().when(exp.IsNan(this=copied(node.this)), exp.null()).else_(copied(node.this)))
    return query


def _shared_quantiles(query: exp.Query) -> exp.Query:
    """Have one call find all quantiles of the same values: DuckDB gathers the values once for each call."""
    calls: dict[tuple[int, exp.Expr], list[exp.PercentileCont]] = {}
    for call in nodes(query, exp.PercentileCont):
        if isinstance(call.expression, exp.Literal) and not isinstance(call.parent, exp.Filter | exp.Window):
            calls.setdefault((id(call.find_ancestor(exp.Select)), call.this), []).append(call)
    for (_, values), those in calls.items():
        shares = exp.Array(expressions=[copied(call.expression) for call in those])
        for place, call in enumerate(those if len(those) > 1 else (), 1):
            together = exp.PercentileCont(this=copied(values), expression=copied(shares))
            call.replace(exp.Anonymous(this="list_extract", expressions=[together, exp.Literal.number(place)]))
    return query


def _with_parts(query: exp.Select, parts: Sequence[Part]) -> exp.Select:
    """A query with parts as its CTEs, all at the same level."""
    for part in parts:
        query = query.with_(exp.to_identifier(part.name), as_=part.query, materialized=part.materialized, copy=False)
    return query


def _nested(query: exp.Select, parts: Sequence[Part]) -> exp.Select:
    """A query with parts as its CTEs, each nested in the innermost part that contains all of its readers.

    DuckDB binds CTEs at the same level as if each contained all that follow, and visits these for each of them. With
    nested CTEs, a statement of hundreds is bound in half of the time. A thousand at one level would be too deep.
    """
    home = _homes(query, parts)
    inside: dict[str, list[Part]] = {}
    for part in parts:
        inside.setdefault(home[part.name], []).append(part)
        # All that it reads precedes it, so the parts nested in it are complete.
        part.query = _with_parts(part.query, inside.get(part.name, []))  # type: ignore[arg-type]
    return _with_parts(query, inside.get("", []))


def _homes(query: exp.Select, parts: Sequence[Part]) -> dict[str, str]:
    """The part in which each part is nested; empty for those of the query itself."""
    readers: dict[str, list[str]] = {part.name: [] for part in parts}
    for name, body in ((part.name, part.query) for part in parts):
        for table in nodes(body, exp.Table):
            if table.name in readers:
                readers[table.name].append(name)
    direct = {table.name for table in nodes(query, exp.Table)}
    home: dict[str, str] = {}
    depth = {"": 0}

    def shared(one: str, other: str) -> str:
        while one != other:
            if depth[one] < depth[other]:
                one, other = other, one
            one = home[one]
        return one

    for part in reversed(parts):  # a part is read only by later ones
        found = "" if part.name in direct else reduce(shared, readers[part.name])
        home[part.name], depth[part.name] = found, depth[found] + 1
    return home
