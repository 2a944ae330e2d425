"""Families of tables: parents and their children, looked at as parents, as what children are together, and as rows.

A call with ``children`` is one call for each of these views, whose rows come one after the other, with its name first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from synthpriv_sql.errors import OptionError, UnknownColumn
from synthpriv_sql.statements.catalog import Function

PART = "part"
"""The column that says which view a row is of."""
_SIDES = ("synthetic", "train", "holdout")
_OF_COLUMNS = ("exclude", "numeric", "categorical", "weights")
"""Options that name columns, which not every view has."""
_OF_PARENTS = ("quasi_identifiers", "targets", "sensitive", "known", "secrets", "other", "k")
"""Options that name columns of parents, and say what is measured of them."""


class Child(NamedTuple):
    """A table of children: what is given for each of the three tables, and the column that names the parent."""

    tables: Mapping[str, Any]
    key: str


class View(NamedTuple):
    """One way to look at a family: its name, and the arguments of the call."""

    name: str
    given: Mapping[str, Any]


def are_asked_for(function: Function, given: Mapping[str, Any]) -> bool:
    """Whether a call is about a family of tables."""
    parameter = function.parameters.get("children")
    return parameter is not None and parameter.type == "families" and given.get("children") is not None


def views(
    function: Function,
    given: Mapping[str, Any],
    columns: Callable[[Any], Sequence[str]],
    flat: Callable[[Any, Any, str, str], Any],
) -> Iterator[View]:
    """Go through the calls that one with ``children`` is made of.

    Parameters
    ----------
    function, given
        The call.
    columns
        Returns the columns of a table.
    flat
        Returns what `flatten` makes of parents, children, a key and a prefix, as a table.

    Raises
    ------
    OptionError
        ``children`` is not what it has to be, or stands beside an option that is about one table.
    UnknownColumn
        An option names a column that no table of the family has.
    """
    children = _children(function, given)
    order = given.get("order")
    alone = {name: value for name, value in given.items() if name not in {"children", "order"}}
    sides = [side for side in _SIDES if alone.get(side) is not None]
    _check_sides(function, children, sides)
    of_parents = [name.lower() for name in columns(alone["train"])]
    keys = list(dict.fromkeys(child.key for child in children.values()))
    unknown = next((key for key in keys if key.lower() not in of_parents), None)
    if unknown is not None:
        raise UnknownColumn(
            f'option "children": the key "{unknown}" is no column of the parents, which have: {", ".join(of_parents)}'
        )
    shared = {name: value for name, value in alone.items() if name not in _OF_PARENTS}
    seen = set(of_parents)
    found = [View("parents", _about(alone, columns(alone["train"]), keys, []))]
    every: Mapping[str, Any] = {side: alone[side] for side in sides}
    for name, child in children.items():
        together = {side: flat(alone[side], child.tables[side], child.key, f"{name}_") for side in sides}
        there = columns(together["train"])
        found.append(View(f"{name}, together", _about({**shared, **together}, there, keys, of_parents)))
        if len(children) > 1:
            every = {side: flat(every[side], child.tables[side], child.key, f"{name}_") for side in sides}
        else:
            every = together
        seen |= {column.lower() for column in there}
    found.append(
        View(f"parents and {' and '.join(children)}", _about({**alone, **every}, columns(every["train"]), keys, []))
    )
    ordered = False
    for name, child in children.items():
        rows = {side: child.tables[side] for side in sides}
        there = columns(rows["train"])
        seen |= {column.lower() for column in there}
        of_rows = {**_about({**shared, **rows}, there, [], []), "unit": child.key}
        found.append(View(name, of_rows))
        if order and order.lower() in map(str.lower, there):
            ordered = True
            found.append(View(f"{name}, in order", {**of_rows, "order": order}))
    if order and not ordered:
        raise UnknownColumn(f'option "order" names column "{order}", which no table of children has')
    _check(alone, seen)
    return iter(found)


def _children(function: Function, call: Mapping[str, Any]) -> dict[str, Child]:
    """The tables of children by name, as they were given: three tables and a key each."""
    for name in ("columns", "unit", "group_by"):
        if call.get(name):
            raise OptionError(
                f'{function.name}: option "{name}" is about one table, and "children" gives several; leave it out, or '
                "call it for each table (flatten makes one of two)"
            )
    given = call["children"]
    if not isinstance(given, Mapping) or not given:
        raise OptionError(
            f'{function.name}: option "children" := {given!r} is no mapping of a name to tables and a key'
        )
    found = {}
    for name, parts in given.items():
        listed = list(parts.values()) if isinstance(parts, Mapping) else parts
        if isinstance(listed, str) or not isinstance(listed, Sequence) or len(listed) != 4 or not listed[3]:
            raise OptionError(
                f'{function.name}: option "children" has for "{name}" what is not four: the synthetic table, that of '
                "train, that of the holdout (or nothing) and the column of both that says whose child a row is"
            )
        found[str(name)] = Child(dict(zip(_SIDES, listed[:3], strict=True)), str(listed[3]))
    return found


def _check_sides(function: Function, children: Mapping[str, Child], sides: Sequence[str]) -> None:
    """Raise an error where parents have a table that their children lack."""
    for name, child in children.items():
        lacking = next((side for side in sides if child.tables[side] is None or child.tables[side] == ""), None)
        if lacking is not None:
            raise OptionError(
                f'{function.name}: option "children" has no {lacking} table for "{name}", and the parents have one'
            )


def _about(given: Mapping[str, Any], there: Sequence[str], keys: Sequence[str], out: Sequence[str]) -> dict[str, Any]:
    """The arguments for a table with these columns: what others have is left out of the options, and keys are keys."""
    known = {name.lower() for name in there}
    made = dict(given)
    for option in _OF_COLUMNS:
        value = made.get(option)
        if value is None:
            continue
        named = [value] if isinstance(value, str) else value
        kept = [name for name in named if name.lower() in known]
        made[option] = {name: value[name] for name in kept} if isinstance(value, Mapping) else kept
    key = made.get("key") or (keys[0] if keys else None)
    made["key"] = key if key and key.lower() in known else None
    others = [
        name for name in there if name.lower() in {*map(str.lower, keys), *out} and name.lower() != (key or "").lower()
    ]
    excluded = [*(made.get("exclude") or []), *others]
    made["exclude"] = list(dict.fromkeys(excluded)) or None
    return made


def _check(given: Mapping[str, Any], seen: set[str]) -> None:
    """Raise an error for a column that no table of a family has."""
    for option in _OF_COLUMNS:
        named = given.get(option) or []
        for name in [named] if isinstance(named, str) else named:
            if name.lower() not in seen:
                raise UnknownColumn(f'option "{option}" names column "{name}", which no table of the family has')
