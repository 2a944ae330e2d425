"""Calls with several tables for one parameter: each table gets a parameter and a SELECT of its own.

A parameter of type ``relations`` takes tables by name, or a list of names. ``FROM each_of_PARAMETER`` stands for a
UNION ALL over them, with ``this_PARAMETER`` for the table, and its name and place (from 1) as ``this_name_of`` and
``this_place_of``; ``FROM each_left_out`` iterates over those that cannot be compared, with the reason as
``this_reason_of``.

A parameter that declares ``each`` takes one table, or several by name: then the function is called for each, shared
parts are computed once, and the name is the first column of the result (`apart`).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from sqlglot import exp

from synthpriv_sql.errors import ColumnMismatch, EmptyTable, OptionError, RoleError, SynthprivWarning, UnknownColumn
from synthpriv_sql.planner.columns import matching, releases
from synthpriv_sql.planner.columns.partitions import Group, Groups
from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.planner.headers.catalog import Function, Parameter

NAME = "name"
"""The column with the name of the table that a row belongs to."""


def resolved(function: Function, given: Mapping[str, Any]) -> tuple[Function, dict[str, Any]]:
    """Return a function with one table per parameter, and its arguments, for one that takes several.

    Raises
    ------
    OptionError
        The argument is not a list of names, has no table, or has a name twice.
    """
    function, given = releases.expanded(function, _copies_only(function, given))
    several = next((p for p in function.parameters.values() if p.type == "relations"), None)
    if several is None:
        return _each(function, given)
    if given.get(several.name) is None:
        return function, dict(given)
    named = named_tables(function, several, given[several.name])
    arguments = {name: value for name, value in given.items() if name != several.name}
    places = {f"{several.name}_{place}": name for place, name in enumerate(named, 1)}
    return _expanded(function, several, places, {}), arguments | dict(zip(places, named.values(), strict=True))


_OTHER_LIMITS = ("dcr_below", "nndr_below", "false_discovery", "until_safe")


def _copies_only(function: Function, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Put the limit that ``copies_only`` of `safe` stands for into its place."""
    if not given.get("copies_only"):
        return given
    other = next((name for name in _OTHER_LIMITS if given.get(name)), None)
    if other is not None:
        raise OptionError(
            f"{function.name}: {wording.given('copies_only', True)} removes nothing but copies, and "
            f"{wording.option(other)} more than these: give one of them"
        )
    return {**given, "dcr_below": 0}


def are_given(function: Function, given: Mapping[str, Any]) -> bool:
    """Whether several tables are given for a parameter that declares ``each``."""
    return any(p.each and _is_several(given.get(p.name)) for p in function.parameters.values())


def check(function: Function, given: Mapping[str, Any]) -> None:
    """Check that no option for a single table is given together with several tables.

    Raises
    ------
    OptionError
        One is.
    """
    releases.refuse(function, given)
    option = next((name for name in ("children", "group_by", "scores") if given.get(name) is not None), None)
    if option is not None and are_given(function, given):
        raise OptionError(
            f"{function.name}: {wording.option(option)} is about one table, but several are given; call the function "
            "for each of them"
        )


def _is_several(value: Any) -> bool:
    return isinstance(value, Mapping) or (
        isinstance(value, (list, tuple)) and bool(value) and all(isinstance(name, str) for name in value)
    )


def _each(function: Function, given: Mapping[str, Any]) -> tuple[Function, dict[str, Any]]:
    if not are_given(function, given):
        return function, dict(given)
    check(function, given)
    parameter = next(p for p in function.parameters.values() if p.each)
    named = named_tables(function, parameter, given[parameter.name])
    places = {f"{parameter.name}_{place}": name for place, name in enumerate(named, 1)}
    parameters: dict[str, Parameter] = {}
    for name, one in function.parameters.items():
        if one is parameter:
            parameters |= {place: replace(parameter, name=place) for place in places}
        else:
            parameters[name] = one
    arguments = {name: value for name, value in given.items() if name != parameter.name}
    made = replace(
        function,
        parameters=MappingProxyType(parameters),
        several=MappingProxyType(places),
        spread_of=(function, parameter),
    )
    return made, arguments | dict(zip(places, named.values(), strict=True))


def is_apart(function: Function) -> bool:
    """Whether a function is the expansion of one that is called for each of several tables."""
    return function.spread_of is not None and function.spread_of[1].each


def apart(function: Function, relations: Sequence[Relation]) -> Groups:
    """Return the groups of a call for each of several tables: the name of each, and the tables that it is used with."""
    shared = [relation for relation in relations if relation.parameter not in function.several]
    by_place = {relation.parameter: relation for relation in relations}
    groups = [
        Group((exp.Literal.string(name),), (by_place[place], *shared)) for place, name in function.several.items()
    ]
    return Groups((Column(NAME, "VARCHAR", "varchar"),), tuple(groups), strict=True)


def named_tables(function: Function, parameter: Parameter, value: Any) -> dict[str, Any]:
    """Return the tables of a parameter that takes several, by name.

    Raises
    ------
    OptionError
        As `resolved`.
    """
    if isinstance(value, Mapping):
        named = {name: table for name, table in value.items() if table is not None}
    else:
        listed = [value] if isinstance(value, str) else value
        if not isinstance(listed, Sequence) or not all(isinstance(table, str) for table in listed):
            raise OptionError(
                f'{function.name}: "{parameter.name}" is not a list of table names; give other tables by name, '
                "such as {'a': table, 'b': table}"
            )
        named = {table: table for table in listed}
        if len(named) < len(listed):
            raise OptionError(f'{function.name}: "{parameter.name}" names a table twice')
    if not named:
        raise OptionError(f'{function.name}: "{parameter.name}" has no table; give at least one')
    return named


def fit(
    function: Function, relations: Sequence[Relation], options: Mapping[str, Any], is_empty: Callable[[str], bool]
) -> tuple[Function, list[Relation]]:
    """Leave out those of several tables that cannot be compared with the other tables of a call, with a warning.

    Parameters
    ----------
    function, relations, options
        The call.
    is_empty
        Returns whether the table of a parameter has no rows.

    Raises
    ------
    ColumnMismatch, EmptyTable, RoleError, UnknownColumn
        No table can be compared.
    """
    if not function.several or is_apart(function):
        return function, list(relations)
    # Releases may have other columns, each compared by its own.
    alike, _ = releases.separated(relations)
    others = [r for r in alike if r.parameter not in function.several]
    out: dict[str, tuple[str, str]] = {}
    for relation in relations:
        name = function.several.get(relation.parameter)
        if name is None:
            continue
        try:
            matching.compare([relation, *others], dict(matching.NO_OPTIONS) | dict(options))
            if is_empty(relation.parameter):
                raise EmptyTable(f"{relation.label} has no rows")
        except (ColumnMismatch, EmptyTable, RoleError, UnknownColumn) as error:
            if len(out) + 1 == len(function.several):
                raise
            out[relation.parameter] = name, str(error)
            warnings.warn(f'"{name}" is left out: {error}', SynthprivWarning, stacklevel=2)
    if not out:
        return function, list(relations)
    places = {p: name for p, name in function.several.items() if p not in out}
    assert function.spread_of is not None
    whole, parameter = function.spread_of
    return _expanded(whole, parameter, places, out), [r for r in relations if r.parameter not in out]


def _expanded(
    function: Function, several: Parameter, places: Mapping[str, str], out: Mapping[str, tuple[str, str]]
) -> Function:
    parameters: dict[str, Parameter] = {}
    for name, parameter in function.parameters.items():
        if parameter is several:
            parameters |= {place: replace(parameter, name=place, type="relation") for place in places}
        else:
            parameters[name] = parameter
    tree = function.tree.copy()
    for source, found in (
        (f"each_of_{several.name}", {place: (name, "") for place, name in places.items()}),
        ("each_left_out", out),
    ):
        tree = _repeated(tree, source, several.name, found)
    return replace(
        function,
        parameters=MappingProxyType(parameters),
        text=tree.sql("duckdb", normalize_functions=False),
        several=MappingProxyType(dict(places)),
        spread_of=(function, several),
    )


def _repeated(tree: exp.Query, source: str, parameter: str, places: Mapping[str, tuple[str, str]]) -> exp.Query:
    for table in [t for t in tree.find_all(exp.Table) if t.name == source]:
        select = table.find_ancestor(exp.Select)
        assert isinstance(select, exp.Select)
        joins = select.args.get("joins") or []
        select.set("from_", exp.From(this=joins[0].this) if joins else None)
        select.set("joins", joins[1:])
        copies = [_at(select.copy(), parameter, place, *texts) for place, texts in places.items()]
        if not copies:
            above = select.parent
            assert isinstance(above, exp.Union)
            other = above.this if above.expression is select else above.expression
            if above is tree:
                with_ = tree.args.get("with_")
                tree = other.copy()
                tree.set("with_", with_)
            else:
                above.replace(other)
            continue
        union: exp.Query = copies[0]
        for copy in copies[1:]:
            union = exp.union(union, copy, distinct=False, copy=False)
        select.replace(union)
    return tree


def _at(select: exp.Select, parameter: str, place: str, name: str, reason: str) -> exp.Select:
    values = {
        f"this_{parameter}": exp.column(place),
        "this_name_of": exp.Literal.string(name),
        "this_reason_of": exp.Literal.string(reason),
        "this_place_of": exp.Literal.number(int(place.rpartition("_")[2])),
    }

    def put(node: exp.Expr) -> exp.Expr:
        return values[node.name].copy() if isinstance(node, exp.Column) and node.name in values else node

    filled = select.transform(put)
    assert isinstance(filled, exp.Select)
    return filled
