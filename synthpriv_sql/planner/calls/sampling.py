"""Samples in the place of tables: a call with ``sample`` is about so many records, or persons, of each table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp

from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.columns import nested
from synthpriv_sql.planner.columns.tables import Made, Relation
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.database import Database
from synthpriv_sql.planner.headers import catalog, known_files, wording
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.planner.statement.lists import Lists
from synthpriv_sql.planner.statement.queries import Statement

SAMPLE = "sample"
"""The option with the size of a sample."""
_EXCLUDED = {
    "group_by": "a sample is drawn of whole tables, so it excludes group_by; give queries in parentheses that select "
    "the rows of one group",
    "children": "a sample is drawn of single tables, so it excludes children; evaluate the parents, or a query that "
    "selects the rows of some persons from each table",
    "scores": "scores are those of all records, so a sample excludes them",
}


def is_drawn(function: Function, options: Mapping[str, Any]) -> bool:
    """Whether a call is about samples of its tables."""
    parameter = function.parameters.get(SAMPLE)
    return parameter is not None and not parameter.group and bool(options.get(SAMPLE))


def check(function: Function, given: Mapping[str, Any]) -> None:
    """Check that what a call consists of can be drawn from.

    Raises
    ------
    OptionError
        It has groups, children, scores, attacks that are functions, or several synthetic tables.
    """
    if not is_drawn(function, given):
        return
    for option, why in _EXCLUDED.items():
        if given.get(option) is not None and given.get(option) != []:
            raise OptionError(f"{function.name}: {wording.option(SAMPLE)}: {why}")
    if isinstance(given.get("synthetic"), Mapping | list | tuple):
        raise OptionError(
            f"{function.name}: {wording.option(SAMPLE)} is about one synthetic table, but several are given"
        )


def drawn(
    engine: Database,
    function: Function,
    relations: Sequence[Relation],
    tables: Mapping[str, Any],
    options: Mapping[str, Any],
) -> tuple[Sequence[Relation], dict[str, Any]]:
    """Return samples in the place of the tables that are larger, and the options that say so.

    Parameters
    ----------
    engine
        The engine that holds the tables.
    function, relations, tables, options
        The call: its tables, and how each is given.

    Raises
    ------
    SynthprivError
        See `synthpriv_sql.errors`.
    """
    if not is_drawn(function, options):
        return relations, {}
    size, counted = options[SAMPLE], catalog.file(known_files.DRAWN_FROM)
    found, sizes = [], dict[str, int]()
    for place, relation in enumerate(relations):
        unit = options.get("unit") or ""
        unit = unit if unit.lower() in relation.by_name else None
        people = engine.ask(counted, {"data": tables[relation.parameter], "unit": unit})[0]["people"]
        sizes[relation.parameter] = people
        if people <= size:
            found.append(relation)
            continue
        inner = {"number": size, "tables": len(relations), "place": place, "seed": options["seed"], "unit": unit}
        found.append(_sample(relation, inner, engine.dialect))
    if max(sizes.values()) <= size:
        return found, {}
    return found, {f"{side}_from": sizes[side] for side in _SAID if side in sizes}


_SAID = ("synthetic", "train", "holdout")


def _sample(relation: Relation, options: Mapping[str, Any], dialect: str) -> Relation:
    """A sample of a table, with the same columns; records are numbered as they are there."""
    part = catalog.file(known_files.SAMPLED)
    data = replace(relation, parameter="data")
    named: dict[str, list[Column]] = {"own": list(data.columns), "unit": []}
    if options["unit"]:
        named["unit"] = [data.column(options["unit"], "unit")]
    statement = Statement([data], Lists((), named), options, (), dialect).build(part)
    alias = exp.TableAlias(this=exp.to_identifier("sample"))
    node = exp.Table(this=exp.Subquery(this=statement.tree()), alias=alias)
    columns = tuple(map(nested.once_read, relation.columns))
    return replace(relation, node=node, columns=columns, base=False, order=(), made=Made(data, part.name, statement))
