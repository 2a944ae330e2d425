"""A plan cut in two: what runs where the tables are, and what runs beside the kernel.

A statement is a chain of named queries (its CTEs) and a last one. A query that the engine of the tables cannot run (a
part that calls the kernel, say) is local, and so is all that reads it. What is left is remote: local queries read it as
tables that the engine's rows are put into. Three rules keep what crosses small and right:

- A projection of a table that is moved stays remote for what else reads it, so that statistics are taken over there.
  Any other part that is moved is not computed twice: what reads it is local as well.
- A part that has to give one answer however often it is read (``MATERIALIZED``: a query of the user's without an order,
  say) is read by one remote statement. Where two would read it, it is moved itself.
- A part that reads no table of the user's (a list of words) is put where it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from sqlglot import exp

from synthpriv_sql.planner.statement.lists import own_name

_ROWS_OF_ARGUMENTS = (exp.GenerateSeries, exp.Unnest)
"""What gives rows in a FROM without reading a table."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """A remote part whose rows local queries read: its name there, and the whole statement that gives them."""

    name: str
    query: exp.Query


@dataclass(frozen=True, slots=True)
class Cut:
    """Where the parts of a statement run.

    ``crossings`` are fetched in their order; ``local`` reads them as tables, and is None where nothing is local: then
    the only crossing is the statement itself. ``reasons`` says of each part that is local for its own sake, why.
    """

    crossings: tuple[Crossing, ...]
    local: exp.Query | None
    reasons: Mapping[str, str]

    def leaving(self) -> str:
        """Say which rows leave the engine of the tables before the result, and why; empty where none do."""
        if self.local is None:
            return ""
        because = "; ".join(f'part "{name}" {reason}' for name, reason in self.reasons.items())
        rows = "; ".join(f"{c.name} ({', '.join(shown(c.query))})" for c in self.crossings)
        return f"{because}. These rows would leave: {rows}"


def cut(statement: exp.Query, why_local: Callable[[exp.Query], str | None]) -> Cut:
    """Cut a statement.

    Parameters
    ----------
    statement
        With its parts as CTEs, each after those that it reads; it is not changed.
    why_local
        Says why the engine of the tables cannot run a query, or None where it can.
    """
    parts = _Parts(statement, why_local)
    parts.settle()
    if not parts.local:
        return Cut((Crossing(parts.last, statement.copy()),), None, parts.reasons)
    crossings = tuple(Crossing(name, parts.remote_statement(name)) for name in parts.crossing())
    return Cut(crossings, parts.local_statement(), parts.reasons)


class _Parts:
    """The parts of a statement by name, the last query among them, and which of them are local."""

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
        """Make parts local, and what reads them."""
        self.local |= set(names)
        for name, reads in self.reads.items():  # each after those that it reads
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
        """The parts that a part reads, those that these read, and so on, in the order of the statement."""
        found: set[str] = set()
        waiting = [name]
        while waiting:
            new = self.reads[waiting.pop()].keys() - found
            found |= new
            waiting += new
        return dict.fromkeys(n for n in self.ctes if n in found)

    def remote_statement(self, name: str) -> exp.Query:
        """What the engine of the tables runs to give a part."""
        return self._with(self.queries[name].copy(), list(self.needed(name)))

    def local_statement(self) -> exp.Query:
        """What is left: the last query and the local parts that it needs."""
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
    """The columns that a query gives, as the user knows them."""
    return [own_name(name) or name for name in query.named_selects]
