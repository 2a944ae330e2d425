"""Dependencies between the parts of a plan: which part reads which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from sqlglot import exp

from synthpriv_sql.engines.spark import shapes, text
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.headers.function import Operator
from synthpriv_sql.planner.planning import Plan
from synthpriv_sql.planner.statement.parts import Part
from synthpriv_sql.planner.statement.trees import python_value


class Held(NamedTuple):
    """The name of a part that gathers pages; of several releases, the name of theirs, and the columns that it lacks."""

    pages: str
    release: str | None = None
    lacks: Sequence[str] = ()


class Reading:
    """The parts of a plan by name, and its final query."""

    def __init__(self, plan: Plan) -> None:
        self.query = plan.statement.query
        self.parts = {part.name: part for part in plan.statement.parts}

    def inner(self, part: Part) -> list[Part]:
        """The parts that a part reads."""
        # Not by alias: the SELECTs of a UNION may give the same one to different parts.
        names = dict.fromkeys(table.name for table in part.query.find_all(exp.Table))
        return [self.parts[name] for name in names if name in self.parts]

    def needed(self, part: Part) -> set[str]:
        """The names of the parts that a part reads, directly or indirectly."""
        found: set[str] = set()
        waiting = [part]
        while waiting:
            new = [inner for inner in self.inner(waiting.pop()) if inner.name not in found]
            found |= {inner.name for inner in new}
            waiting += new
        return found

    def held(self, name: str) -> list[Held]:
        """The pages that a part passes on, those of several releases in their order; none for a missing table."""
        part = self.parts[name]
        if text.gathers(part):
            return [Held(name)]
        found = []
        for select in part.query.find_all(exp.Select):
            from_ = select.args.get("from_")
            if from_ is None or not isinstance(from_.this, exp.Table) or from_.this.name not in self.parts:
                continue
            given = {one.alias: one.unalias() for one in select.expressions}
            ((pages, *_),) = self.held(from_.this.name)
            if "lacks" in given:
                place, release, lacks = (python_value(given[field]) for field in ("place", "release", "lacks"))
                found.append((place, Held(pages, release, lacks)))
            else:
                found.append((0, Held(pages)))
        return [held for _, held in sorted(found, key=itemgetter(0))]

    @cached_property
    def reads(self) -> Counter[str]:
        """How often each part is read by the parts and the final query."""
        queries = (self.query, *(part.query for part in self.parts.values()))
        return Counter(table.name for query in queries for table in query.find_all(exp.Table) if not table.db)

    def only_in_pages(self, table: Part, number: str) -> bool:
        """Whether the records of a table are used only in one list of pages for searches, and in sums."""
        numbers = {number, "record"}
        pages: set[str] = set()
        waiting, made = [table.name], {table.name}
        while waiting:
            name = waiting.pop()
            if any(read.name == name for read in self.query.find_all(exp.Table)):
                return False
            for part in self.parts.values():
                if name not in part.reads.values():
                    continue
                if part.operator is Operator.GATHERING:
                    pages.add(part.name)
                    continue
                if any(inner.name not in made and not self.is_few(inner) for inner in self.inner(part)):
                    return False
                if self.is_few(part):
                    if not shapes.reads_no_number(part.query, numbers):
                        return False
                elif not shapes.passes_on(part.query, numbers):
                    return False
                elif part.name not in made:
                    made.add(part.name)
                    waiting.append(part.name)
        readers = [part for part in self.parts.values() if pages & {*part.reads.values()}]
        return len(pages) == 1 and all(part.operator is Operator.SEARCH for part in readers)

    def is_few(self, part: Part) -> bool:
        """Whether a part has only a few rows, however large the tables are."""
        function = catalog.part(part.file)
        return (function is not None and function.few) or self._gives_few(part.query)

    def computes(self, part: Part, kept: Collection[str]) -> bool:
        """Whether a part is more than a projection of rows that there are: those of the parts that are kept."""
        inner = (p for p in self.inner(part) if p.name not in kept)
        return part.query.find(*shapes.COMPUTES) is not None or any(self.computes(p, kept) for p in inner)

    def reads_rows(self, part: Part, kept: Collection[str]) -> bool:
        """Whether a part reads more than a few rows of other parts."""
        return any(p.name in kept or (not self.is_few(p) and self.reads_rows(p, kept)) for p in self.inner(part))

    def _gives_few(self, query: exp.Query) -> bool:
        if isinstance(query, exp.SetOperation):
            return self._gives_few(query.this) and self._gives_few(query.expression)
        if query.args.get("group"):
            return False
        if any(_aggregates(projection) for projection in query.expressions):
            return True
        tables = [source.this for source in (query.args.get("from_"), *query.args.get("joins", ())) if source]
        return all(
            isinstance(t, exp.Table) and t.name in self.parts and self.is_few(self.parts[t.name]) for t in tables
        )


def _aggregates(projection: exp.Expr) -> bool:
    """Whether a projection aggregates all rows into one; a window or a subquery inside it does not count."""
    inner = projection.walk(prune=lambda node: isinstance(node, (exp.Window, exp.Query)))
    return any(isinstance(node, exp.AggFunc) and not isinstance(node.parent, exp.Window) for node in inner)
