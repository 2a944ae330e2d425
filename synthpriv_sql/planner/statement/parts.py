"""A statement put together: its parts, which are its CTEs, and the query that reads them."""

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
from synthpriv_sql.planner.statement.trees import copied, nodes

_QUICK = {
    "synthpriv_page",
    "synthpriv_spreads",
    "synthpriv_deviations",
    "synthpriv_beta_quantile",
    "synthpriv_exchanged",
}
"""The functions of ours that are no search and no forest."""
_MANY = 200
"""Of so many parts and more, DuckDB binds a statement faster where parts stand inside others."""


class _Pause:
    """Keeps the garbage collector off while at least one thread wants it off."""

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
"""Pauses the garbage collector of the process: ``with gc_paused:``, in several threads at once too.

A statement is tens of thousands of objects that live until its text is written; a collector that goes through them
again and again takes a third of the time.
"""


@dataclass(slots=True)
class Part:
    """A CTE of the statement, which several calls may read.

    ``file`` is the file of sql/ that it is the body of, ``options`` what that was called with, ``operator`` the step of
    an engine that it stands for; a CTE inside a file and a relation of the user's have no file.
    """

    name: str
    query: exp.Query
    materialized: bool | None
    file: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    operator: Operator | None = None
    source: Relation | None = None
    """The user's relation that it reads, where it is one."""
    warning: str = ""
    """What who runs it should know before."""
    widest: exp.Literal | None = None
    once: bool = False
    """Whether it is worth keeping only where it is read more than once."""

    @property
    def reads(self) -> Mapping[str, str]:
        """What it reads by what it calls it: other parts, tables and functions of the database."""
        return {table.alias_or_name: table.name for table in nodes(self.query, exp.Table)}


@dataclass(frozen=True)
class Assembled:
    """A statement: its parts, each of which reads earlier ones only, and the query that reads them."""

    parts: Sequence[Part]
    query: exp.Select
    compared: Sequence[ComparedColumn]
    groups: Sequence[str] = ()
    """Where it is computed for groups of rows: the parts whose rows are those of a group."""

    def tree(self) -> exp.Select:
        """Return all of it as one query, the caller's to change."""
        return _with_parts(copied(self.query), [replace(part, query=copied(part.query)) for part in self.parts])

    @cached_property
    def warnings(self) -> list[str]:
        """What who runs it should know before."""
        return list(dict.fromkeys(part.warning for part in self.parts if part.warning))

    @property
    def searches(self) -> int:
        """How many times it calls the kernel for neighbors or forests."""
        return sum(name not in _QUICK for name in self.calls)

    @cached_property
    def calls(self) -> list[str]:
        """The functions of ours that it calls, which only a registered connection has; one for each call."""
        names = [call.name for part in self.parts for call in nodes(part.query, exp.Anonymous)]
        return [name for name in names if name.startswith("synthpriv_")]

    @cached_property
    def sql(self) -> str:
        """The text of all of it, for DuckDB."""
        with gc_paused:
            return self._text()

    def _text(self) -> str:
        return self.for_duckdb().sql("duckdb", pretty=True, normalize_functions=False, copy=False)

    def for_duckdb(self) -> exp.Select:
        """Return all of it as one query for DuckDB to run, the caller's to change: sqlglot changes what it writes."""
        parts = [replace(part, query=copied(_with_nan(part.query))) for part in self.parts]
        nest = self.groups or len(parts) >= _MANY
        return (_nested if nest else _with_parts)(copied(self.query), parts)


def _with_nan(query: exp.Query) -> exp.Query:
    """Ask for NaN without an =, which DuckDB decides by the statistics of a Parquet file, and these leave NaN out."""
    if not any(is_nan(node.expression) for node in nodes(query, exp.Nullif)):
        return query
    query = copied(query)
    for node in nodes(query, exp.Nullif):
        if is_nan(node.expression):
            node.replace(exp.Case().when(exp.IsNan(this=copied(node.this)), exp.null()).else_(copied(node.this)))
    return query


def _with_parts(query: exp.Select, parts: Sequence[Part]) -> exp.Select:
    """A query with parts as its CTEs, one beside the other."""
    for part in parts:
        query = query.with_(exp.to_identifier(part.name), as_=part.query, materialized=part.materialized, copy=False)
    return query


def _nested(query: exp.Select, parts: Sequence[Part]) -> exp.Select:
    """A query with parts as its CTEs, each inside the innermost that all that read it are in.

    DuckDB takes CTEs that stand beside each other as one inside the other, and goes through all that follow for each of
    them: a statement of hundreds is bound in half of the time so. A thousand would be too deep.
    """
    home = _homes(query, parts)
    inside: dict[str, list[Part]] = {}
    for part in parts:
        inside.setdefault(home[part.name], []).append(part)
        # All that it reads stands before it, so what is inside it is complete.
        part.query = _with_parts(part.query, inside.get(part.name, []))  # type: ignore[arg-type]
    return _with_parts(query, inside.get("", []))


def _homes(query: exp.Select, parts: Sequence[Part]) -> dict[str, str]:
    """The part that each part is to stand in; nothing for those that stand in the query itself."""
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

    for part in reversed(parts):  # those that read a part come after it
        found = "" if part.name in direct else reduce(shared, readers[part.name])
        home[part.name], depth[part.name] = found, depth[found] + 1
    return home
