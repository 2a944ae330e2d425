"""Splits a plan in two: the part that runs in the database with the tables, and the part that runs with the kernel.

A statement is a sequence of named queries (its CTEs) and a final one. A query that the database cannot run (a part that
calls the kernel, for example) is local, and so are all queries that read it. The others are remote: their rows are
copied into tables that local queries read. Three rules keep the copied rows few and consistent:

- A copied part that is a projection of a table stays available to remote queries, so that statistics are computed
  remotely. Any other copied part is not computed twice: all queries that read it become local.
- A part that must return the same rows at every read (``MATERIALIZED``, for example a user's query without ORDER BY) is
  read by only one remote statement. If two would read it, the part itself is copied.
- A part that reads no user table (a list of words) is placed where it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from sqlglot import exp

from synthpriv_sql.planner.statement.lists import own_name

_ROWS_OF_ARGUMENTS = (exp.GenerateSeries, exp.Unnest)
"""Expressions that produce rows in FROM without reading a table."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """A remote part whose rows local queries read: its table name there, and the statement that produces the rows."""

    name: str
    query: exp.Query


@dataclass(frozen=True, slots=True)
class Cut:
    """The division of a statement: parts that run remotely, and parts that run locally.

    ``crossings`` are fetched in this order; ``local`` reads them as tables. It is None if nothing is local; the only
    crossing is then the whole statement. ``reasons`` says for each part that the database cannot run, why.
    """

    crossings: tuple[Crossing, ...]
    local: exp.Query | None
    reasons: Mapping[str, str]

    def leaving(self) -> str:
        """Describe which rows leave the database before the result, and why; empty if none do."""
        if self.local is None:
            return ""
        because = "; ".join(f'part "{name}" {reason}' for name, reason in self.reasons.items())
        rows = "; ".join(f"{c.name} ({', '.join(shown(c.query))})" for c in self.crossings)
        return f"{because}. These rows would leave: {rows}"


def cut(statement: exp.Query, why_local: Callable[[exp.Query], str | None]) -> Cut:
    """Split a statement.

    Parameters
    ----------
    statement
        With its parts as CTEs, each after the parts that it reads; it is not changed.
    why_local
        Returns why the database cannot run a query, or None if it can.
    """
    parts = _Parts(statement, why_local)
    parts.settle()
    if not parts.local:
        return Cut((Crossing(parts.last, statement.copy()),), None, parts.reasons)
    crossings = tuple(Crossing(name, parts.remote_statement(name)) for name in parts.crossing())
    return Cut(crossings, parts.local_statement(), parts.reasons)


class _Parts:
    """The parts of a statement by name, including the final query, and the set of local parts."""

    def __init__(self, statement: exp.Query, why_local: Callable[[exp.Query], str | None]) -> None:
        self.ctes = {cte.alias: cte for cte in statement.ctes}
        body = statement.copy()
        body.set("with_", None)
        self.last = "result"
        while self.last in self.ctes:
            self.last += "_"
        self.queries: dict[str, exp.Query] = {name: cte.this for name, cte in self.ctes.items()} | {self.last: body}
        self.reads = {name: self._reads(query) for name, query in self.queries.items()}
        self.anywhere = self._reading_no_table()
        found = {name: why_local(query) for name, query in self.queries.items()}
        self.reasons = {name: reason for name, reason in found.items() if reason is not None}
        self.local: set[str] = set()
        self._localize(self.reasons)

    def _reads(self, query: exp.Query) -> dict[str, None]:
        """The parts that a query reads, in the order of the statement."""
        named = {table.name for table in query.find_all(exp.Table) if not table.db}
        return dict.fromkeys(name for name in self.ctes if name in named)

    def _reading_no_table(self) -> set[str]:
        found: set[str] = set()
        for name, query in self.queries.items():
            tables = [t for t in query.find_all(exp.Table) if not isinstance(t.this, _ROWS_OF_ARGUMENTS)]
            if all(not t.db and t.name in found for t in tables):
                found.add(name)
        # The last query is where the others are.
        return found - {self.last}

    def _localize(self, names: Collection[str]) -> None:
        """Make parts local, along with all parts that read them."""
        self.local |= set(names)
        for name, reads in self.reads.items():  # each after the parts that it reads
            if not self.local.isdisjoint(reads):
                self.local.add(name)

    def crossing(self) -> list[str]:
        """The remote parts that local ones read."""
        read = {name for local in self.local for name in self.reads[local]}
        return [name for name in self.queries if name in read - self.local - self.anywhere]

    def settle(self) -> None:
        """Make parts local until the rules hold."""
        while self.local:
            crossing = self.crossing()
            once = {name for name in self.ctes if self.ctes[name].args.get("materialized")} - self.local
            moved = {n for n in crossing if self.ctes[n].args.get("materialized") is not False}
            moved |= {n for n in once if sum(n in self.needed(c) for c in crossing if c != n) + (n in crossing) > 1}
            readers = {name for name, reads in self.reads.items() if not moved.isdisjoint(reads)} - self.local
            if not readers:
                return
            self._localize(readers)

    def needed(self, name: str) -> dict[str, None]:
        """The parts that a part reads, directly or indirectly, in the order of the statement."""
        found: set[str] = set()
        waiting = [name]
        while waiting:
            new = self.reads[waiting.pop()].keys() - found
            found |= new
            waiting += new
        return dict.fromkeys(n for n in self.ctes if n in found)

    def remote_statement(self, name: str) -> exp.Query:
        """The statement that the database runs to produce a part."""
        return self._with(self.queries[name].copy(), list(self.needed(name)))

    def local_statement(self) -> exp.Query:
        """The final query with the local parts that it needs."""
        here = [n for n in self.needed(self.last) if n in self.local or n in self.anywhere]
        return self._with(self.queries[self.last].copy(), here)

    def _with(self, query: exp.Query, names: Collection[str]) -> exp.Query:
        for name in names:
            cte = self.ctes[name]
            query = query.with_(
                cte.args["alias"].copy(), as_=cte.this.copy(), materialized=cte.args.get("materialized"), copy=False
            )
        return query


def shown(query: exp.Query) -> list[str]:
    """The columns of a query, by the names that the user knows."""
    return [own_name(name) or name for name in query.named_selects]
