"""Cautions about columns that are compared although their types write equal values differently."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from synthpriv_sql.planner.calls import own, unsupported
from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.planner.headers.catalog import Function

_SINGLE = "float"
"""The type of numbers of four bytes."""


def cautions(function: Function, relations: Sequence[Relation], options: Mapping[str, Any]) -> Iterator[str]:
    """Yield the warnings about the columns that a call compares.

    Parameters
    ----------
    function, relations, options
        The call.
    """
    relations, _ = own.separated(relations)
    if len(relations) < 2:
        return
    chosen = unsupported.distance_options(function, options)
    wanted = [unsupported.compared_names(relation, chosen) for relation in relations]
    for key in relations[0].by_name:
        if not all(key in names for names in wanted):
            continue
        sources = {relation.label: relation.by_name[key] for relation in relations if key in relation.by_name}
        families = {column.family for column in sources.values()}
        if {"boolean", "text"} <= families:
            yield (
                f"{_sides(sources)}: texts that stand for a truth value (true, yes, 1 and the like) are compared as "
                "such, all others as text"
            )
        singles = {column.type_id == _SINGLE for column in sources.values() if column.family in {"float", "decimal"}}
        if len(singles) > 1:
            name = next(iter(sources.values())).name
            yield (
                f"{_sides(sources)}: a fraction such as 0.1 is not the same number in both, so that copies are missed, "
                "or at a distance above 0; cast one side in a query in parentheses, or "
                f"{wording.given('exclude', [name])}"
            )


def _sides(sources: Mapping[str, Column]) -> str:
    name = next(iter(sources.values())).name
    types: dict[str, str] = {}
    for label, column in sources.items():
        types.setdefault(column.type, label)
    return f'column "{name}" is ' + " and ".join(f"{type_} in {label}" for type_, label in types.items())
