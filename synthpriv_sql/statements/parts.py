"""A statement put together: its parts, which are its CTEs, and the query that reads them."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Lock
from typing import Any

from sqlglot import exp

from synthpriv_sql.statements.columns import is_nan
from synthpriv_sql.statements.compared import ComparedColumn
from synthpriv_sql.statements.tables import Relation
from synthpriv_sql.statements.trees import copied, nodes

_QUICK = {
    "synthpriv_page",
    "synthpriv_spreads",
    "synthpriv_deviations",
    "synthpriv_beta_quantile",
    "synthpriv_exchanged",
}
"""The functions of ours that are no search and no forest."""


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

    ``file`` is the file of sql/ that it is the body of, and ``options`` what that was called with; a CTE inside a file
    and a relation of the user's have no file.
    """

    name: str
    query: exp.Query
    materialized: bool | None
    file: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
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
        query = copied(self.query)
        return _with_parts(query, self.parts)

    def _of_groups_apart(self) -> exp.Select:
        """All of it as one query in which each group has its own parts to itself.

        DuckDB takes CTEs one inside the other: a thousand of them are too deep, and some hundreds take long to bind.
        """
        by_name = {part.name: part for part in self.parts}
        needed = {name: _needed(by_name, name) for name in self.groups}
        times = Counter(name for names in needed.values() for name in names)
        apart = {name for name, count in times.items() if count == 1}
        parts = []
        for part in self.parts:
            if part.name in needed:
                own = [p for p in self.parts if p.name in apart and p.name in needed[part.name] and p is not part]
                assert isinstance(part.query, exp.Select)
                inside = _with_parts(copied(part.query), own)
                parts.append(
                    replace(part, query=exp.select("*").from_(inside.subquery("of_group", copy=False), copy=False))
                )
            elif part.name not in apart:
                parts.append(replace(part, query=copied(part.query)))
        return _with_parts(copied(self.query), parts, copy=False)

    @property
    def warnings(self) -> list[str]:
        """What who runs it should know before."""
        return list(dict.fromkeys(part.warning for part in self.parts if part.warning))

    @property
    def searches(self) -> int:
        """How many times it calls the kernel for neighbors or forests."""
        return sum(name not in _QUICK for name in self.calls)

    @property
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
        whole = replace(self, parts=[replace(part, query=_with_nan(part.query)) for part in self.parts])
        return whole._of_groups_apart() if self.groups else whole.tree()


def _with_nan(query: exp.Query) -> exp.Query:
    """Ask for NaN without an =, which DuckDB decides by the statistics of a Parquet file, and these leave NaN out."""
    if not any(is_nan(node.expression) for node in nodes(query, exp.Nullif)):
        return query
    query = copied(query)
    for node in nodes(query, exp.Nullif):
        if is_nan(node.expression):
            node.replace(exp.Case().when(exp.IsNan(this=copied(node.this)), exp.null()).else_(copied(node.this)))
    return query


def _with_parts(query: exp.Select, parts: Sequence[Part], copy: bool = True) -> exp.Select:
    """A query with parts as its CTEs."""
    for part in parts:
        body = copied(part.query) if copy else part.query
        query = query.with_(exp.to_identifier(part.name), as_=body, materialized=part.materialized, copy=False)
    return query


def _needed(parts: Mapping[str, Part], name: str) -> set[str]:
    """A part, those that it reads, those that these read, and so on."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        one = waiting.pop()
        if one in parts and one not in found:
            found.add(one)
            waiting += [table.name for table in nodes(parts[one].query, exp.Table)]
    return found
