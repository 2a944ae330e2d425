"""Columns whose names differ in case only, which DuckDB calls ``a`` and ``A_1``, in the order in which they stand."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlglot import exp

from synthpriv_sql.errors import ColumnMismatch, SynthprivWarning
from synthpriv_sql.planner.columns.tables import Relation

_RENAMED = re.compile(r"(.+)_\d+", re.DOTALL)


def alike(relations: Sequence[Relation]) -> list[Relation]:
    """Return the tables of a call with the same names for columns that are spelled the same in their sources.

    Parameters
    ----------
    relations
        The tables.

    Raises
    ------
    ColumnMismatch
        A table has two columns that its database tells apart and DuckDB does not.
    """
    for relation in relations:
        _check(relation)
    names: dict[str, Mapping[str, str]] = {}
    for relation in relations:
        for key, spelled in _renamed(relation).items():
            if key not in names and len(relations) > 1:
                (first, _), *others = spelled.items()
                listed = ", ".join(f'"{own}" is called "{name}"' for own, name in others)
                warnings.warn(
                    f'{relation.label} has columns whose names differ from "{first}" in case only: {listed} here',
                    SynthprivWarning,
                    stacklevel=2,
                )
            names.setdefault(key, spelled)
    return [_as(relation, names) for relation in relations] if names else list(relations)


def _check(relation: Relation) -> None:
    if len(relation.by_name) == len(relation.columns):
        return
    own = [column.name for column in relation.columns]
    first, second = next((a, b) for place, a in enumerate(own) for b in own[place + 1 :] if a.lower() == b.lower())
    raise ColumnMismatch(
        f'{relation.label} has columns "{first}" and "{second}", whose names differ in case only or not at all; give '
        "a query in parentheses that renames one of them"
    )


def _renamed(relation: Relation) -> Mapping[str, Mapping[str, str]]:
    """The present names of columns that differ in case only, by their original names, by the name in lower case."""
    found: dict[str, dict[str, str]] = {}
    for column in () if relation.base else relation.columns:
        original = _RENAMED.fullmatch(column.name)
        other = relation.by_name.get(original[1].lower()) if original is not None else None
        if original is not None and other is not None and other.name != original[1]:
            found.setdefault(other.name.lower(), {other.name: other.name})[original[1]] = column.name
    return found


def _as(relation: Relation, names: Mapping[str, Mapping[str, str]]) -> Relation:
    """A table whose columns have the names that others have for the same spelling."""
    own = _renamed(relation)
    wanted: dict[str, str] = {}
    for key, spelled in names.items():
        here = own.get(key) or {c.name: c.name for c in relation.columns if c.name.lower() == key}
        wanted |= {name: spelled[original] for original, name in here.items() if original in spelled}
    if all(old == new for old, new in wanted.items()):
        return relation
    columns = [exp.alias_(c.node, wanted.get(c.name, c.name), quoted=True) for c in relation.columns]
    rows = exp.select(*columns).from_(relation.node.copy())
    query = exp.Anonymous(this="query", expressions=[exp.Literal.string(rows.sql("duckdb"))])
    renamed = tuple(replace(column, name=wanted.get(column.name, column.name)) for column in relation.columns)
    return replace(relation, node=exp.Table(this=query), columns=renamed, base=False)
