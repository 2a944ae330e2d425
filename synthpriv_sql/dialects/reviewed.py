"""Statements for whoever reads them: what each part is, and one part of a statement alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlglot import exp

from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.headers import catalog, wording
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.planner.statement.parts import Assembled, Part
from synthpriv_sql.planner.statement.trees import in_order, nodes

_SECTION = "evaluated_"
"""What the names of the files of sections of `evaluate` begin with."""


def commented(statement: Assembled) -> exp.Select:
    """Return the tree of a statement in which a comment says of each part what it is."""
    tree = statement.tree()
    said = {part.name: _said(part) for part in statement.parts}
    for cte in tree.ctes:
        if said.get(cte.alias):
            select = cte.this.find(exp.Select)  # the first one of a union: the comment is above it
            select.add_comments([f" {said[cte.alias]} "], prepend=True)
    return tree


def _said(part: Part) -> str:
    """What a part is."""
    if part.source is not None:
        return f"The columns that are read of {part.source.parameter}."
    function = catalog.part(part.file) if part.file else None
    return "" if function is None else f"{part.file}: {function.summary}"


def alone(function: Function, statement: Assembled, name: str) -> Assembled:
    """Return a statement for the rows of one of its parts, with what that reads.

    Parameters
    ----------
    function, statement
        A call.
    name
        A section of `evaluate`, or a file of sql/.

    Raises
    ------
    OptionError
        It has no such part.
    """
    found = [part for part in statement.parts if part.file in {name, f"{_SECTION}{name}"}]
    if not found:
        files = [part.file for part in statement.parts if part.file]
        sections = [file.removeprefix(_SECTION) for file in files if file.startswith(_SECTION)]
        listed = ", ".join(dict.fromkeys(sections or files))
        raise OptionError(f"{function.name}: {wording.refused('part', name)} is no part of it; there are: {listed}")
    part = found[-1]
    table = exp.to_table(part.name)
    query = exp.select("*").from_(table)
    if part.file.startswith(_SECTION):
        query = exp.select(*function.columns).from_(table).order_by(*map(in_order, map(exp.column, function.order)))
    return replace(statement, parts=_needed(statement.parts, part), query=query)


def _needed(parts: Sequence[Part], last: Part) -> list[Part]:
    """The parts that one reads, and itself, in their order."""
    by_name: Mapping[str, Part] = {part.name: part for part in parts}
    needed: set[str] = set()
    waiting = [last.name]
    while waiting:
        name = waiting.pop()
        if name in needed or name not in by_name:
            continue
        needed.add(name)
        waiting += [table.name for table in nodes(by_name[name].query, exp.Table)]
    return [part for part in parts if part.name in needed]
