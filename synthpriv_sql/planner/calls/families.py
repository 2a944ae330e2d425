"""Families of tables: parents and their children, compared as parents, as aggregates of children, and as child rows.

A call with ``children`` is one call for each of these views. The result has the rows of all views, one view after the
other, with the name of the view first. Each of its releases is a family as well: a side beside synthetic, train and the
holdout, in the views of those parts that it has.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from synthpriv_sql.errors import OptionError, SynthprivWarning, UnknownColumn
from synthpriv_sql.planner.calls import several
from synthpriv_sql.planner.calls.descent import Child, flat, prepared, related
from synthpriv_sql.planner.columns import releases
from synthpriv_sql.planner.columns.children import ENDINGS
from synthpriv_sql.planner.headers import catalog, known_files, wording
from synthpriv_sql.planner.headers.arguments import AUTO
from synthpriv_sql.planner.headers.catalog import Function

PART = "part"
"""The column with the name of the view that a row belongs to."""
_SIDES = ("synthetic", "train", "holdout")
RELEASE = "release "
"""What the names of the sides of releases begin with."""
_OF_COLUMNS = ("exclude", "numeric", "categorical", "text", "weights", "hints")
"""Options that name columns; not every view has all of these columns."""
_BY_VALUES = ("text", AUTO)
"""An option that names no columns, but has them chosen in each view."""
_LEARNS = "learned"
_SCORES = ("distance", "density", "agreement", "uniques")
"""The scores of each view from sql/membership/view_scores.sql: features of the attack that learns."""
_OF_PARENTS = ("quasi_identifiers", "targets", "sensitive", "known", "secrets", "other", "k")
"""Options that apply to parents only: they name their columns, or parameterize measures of these."""


class View(NamedTuple):
    """A view of a family: its name, and the arguments of the call."""

    name: str
    given: Mapping[str, Any]


class Maker(Protocol):
    """Creates the tables of views."""

    def columns(self, table: Any) -> Sequence[str]:
        """Return the columns of a table."""

    def flat(self, parents: Any, children: Any, key: str, prefix: str, options: Mapping[str, Any]) -> Any:
        """Return the result of `flatten` as a table."""

    def identifiers(self, given: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """Return the rows of `identifiers` for some tables."""

    def chosen(self, table: Any, columns: Sequence[str]) -> Any:
        """Return these columns of a table that this maker made."""

    def beside_parents(self, parents: Any, children: Any, key: str) -> Any:
        """Return a table of children, each with the columns of its parent."""

    def scores(self, given: Mapping[str, Any]) -> Any:
        """Return the result of view_scores as a table; None if scores cannot be joined to a table."""

    def beside(self, parents: Any, side: str, key: str, scores: Any, by: str, names: Mapping[str, str]) -> Any:
        """Join the scores of one side to its parents, where ``by`` equals the parent's key.

        ``names`` maps the scores to the names of the new columns.
        """


def are_asked_for(function: Function, given: Mapping[str, Any]) -> bool:
    """Whether a call compares a family of tables."""
    parameter = function.parameters.get("children")
    return parameter is not None and parameter.type == "families" and given.get("children") is not None


def views(function: Function, given: Mapping[str, Any], maker: Maker) -> Iterator[View]:
    """Iterate over the calls, one per view, that a call with ``children`` consists of.

    Parameters
    ----------
    function, given
        The call.
    maker
        Creates the tables of the views.

    Raises
    ------
    OptionError
        ``children`` has the wrong form, or is given together with an option for a single table.
    UnknownColumn
        An option names a column that no table of the family has.
    """
    several.check(function, given)
    children = given_children(function, given)
    order = given.get("order")
    alone = {name: value for name, value in given.items() if name not in {"children", "order"}}
    sides = [side for side in _SIDES if alone.get(side) is not None]
    _check_sides(function, children, sides)
    alone, children = with_releases(function, alone, children)
    sides += [name for name in alone if name.startswith(RELEASE)]
    if function.parameters["synthetic"].type == "relations":
        alone, children = _of_each(function, alone, children)
    named = {column.lower() for child in children.values() for column in maker.columns(_first(child.tables["train"]))}
    of_parents = [name.lower() for name in maker.columns(alone["train"])]
    keys = list(dict.fromkeys(child.key for child in children.values() if not child.of))
    unknown = next((key for key in keys if key.lower() not in of_parents), None)
    if unknown is not None:
        raise UnknownColumn(
            f'{wording.option("children")}: the key "{unknown}" is not a column of the parents, which have: '
            f"{', '.join(of_parents)}"
        )
    children = prepared(children, given, sides, maker)
    shared = {n: value for n, value in alone.items() if n not in _OF_PARENTS and not n.startswith(RELEASE)}
    seen = set(of_parents)
    parents = View("parents", _about(alone, maker.columns(alone["train"]), keys, []))
    together, rows = [], []
    every: Mapping[str, Any] = {side: alone[side] for side in sides}
    for name, child in children.items():
        aggregated = _flat(maker, alone, child, f"{name}_", sides)
        there = maker.columns(aggregated["train"])
        # What parents have is no part of this view: not even in what it looks at beside the compared columns.
        kept = [column for column in there if column.lower() not in of_parents or column.lower() == child.key.lower()]
        aggregates = {side: _chosen(maker, one, kept, side.startswith(RELEASE)) for side, one in aggregated.items()}
        told = _weighed({**shared, **aggregates}, name, kept)
        together.append(View(f"{name}, together", _about(told, kept, keys, [])))
        every = {**every, **(_flat(maker, every, child, f"{name}_", sides) if len(children) > 1 else aggregated)}
        seen |= {column.lower() for column in there}
    for name, child in children.items():
        views_of_rows, there = _of_rows(function, name, child, alone, shared, sides, keys, order, maker)
        rows += views_of_rows
        seen |= {column.lower() for column in there}
    if order and not any(view.given.get("order") for view in rows):
        raise UnknownColumn(f'{wording.option("order")} names column "{order}", which no table of children has')
    _check(alone, seen | named)
    there, told = maker.columns(every["train"]), {**alone, **every}
    for name in children:
        told = _weighed(told, name, there)
    both = View(f"parents and {' and '.join(children)}", _about(told, there, keys, []))
    if "hints" in function.parameters and _LEARNS in _attacks(function, given) and sides == list(_SIDES):
        both = _with_hints(both, [parents, *together, *rows], maker)
    return map(_packed, [parents, *together, both, *rows])


def _of_rows(
    function: Function,
    name: str,
    child: Child,
    alone: Mapping[str, Any],
    shared: Mapping[str, Any],
    sides: Sequence[str],
    keys: Sequence[str],
    order: str | None,
    maker: Maker,
) -> tuple[list[View], Sequence[str]]:
    """The views of the rows of children, and the columns of these rows."""
    if "unit" not in function.parameters:
        # A function that counts no persons can compare a child together with its parent.
        tables = {
            side: maker.beside_parents(alone[side], child.tables[side], child.key)
            for side in sides
            if side in child.tables
        }
        there = maker.columns(tables["train"])
        told = _about({**shared, **tables}, there, keys, [column.lower() for column in child.skipped])
        return [View(f"{name} with parents", told)], there
    there = maker.columns(child.tables["train"])
    tables = {side: child.tables[side] for side in sides if side in child.tables}
    told = _about({**shared, **tables}, there, [], [column.lower() for column in child.skipped])
    views = [View(name, {**told, "unit": child.key})]
    if order and order.lower() in map(str.lower, there):
        views.append(View(f"{name}, in order", {**views[0].given, "order": order}))
    return views, there


def with_releases(
    function: Function, given: Mapping[str, Any], children: Mapping[str, Child]
) -> tuple[dict[str, Any], dict[str, Child]]:
    """Return a call with its releases as further sides of the parents, and of those children that each has.

    Raises
    ------
    OptionError
        A release has no table of parents, or one of unknown children.
    """
    found, of_children = dict(releases.spent(function, given)), dict(children)
    before = found.pop(releases.OPTION, None)
    for name, one in releases.named(function, before).items() if before is not None else ():
        parts = (
            {k: t for k, t in one.items() if not _is_missing(t)} if isinstance(one, Mapping) else {releases.NEWEST: one}
        )
        unknown = next((part for part in parts if part != releases.NEWEST and part not in children), None)
        if unknown is not None or releases.NEWEST not in parts:
            wrong = f'names "{unknown}"' if unknown is not None else f'has no "{releases.NEWEST}"'
            raise OptionError(
                f"{function.name}: {wording.option(releases.OPTION)}: {name} {wrong}: give its table of parents as "
                f'"{releases.NEWEST}", and its tables of children by the names in {wording.option("children")}: '
                f"{', '.join(children)}"
            )
        for child in children:
            if child in parts:
                own = of_children[child]
                of_children[child] = own._replace(tables={**own.tables, f"{RELEASE}{name}": parts[child]})
        found[f"{RELEASE}{name}"] = parts[releases.NEWEST]
        lacking = [child for child in children if child not in parts]
        if lacking:
            warnings.warn(
                f"{wording.option(releases.OPTION)}: {name} has no table for {', '.join(lacking)}: it does not count",
                SynthprivWarning,
                stacklevel=2,
            )
    return found, of_children


def _packed(view: View) -> View:
    """A view with its releases as an option, if it has any."""
    before = {name.removeprefix(RELEASE): t for name, t in view.given.items() if name.startswith(RELEASE)}
    given = {name: value for name, value in view.given.items() if not name.startswith(RELEASE)}
    return View(view.name, {**given, releases.OPTION: before} if before else given)


def _flat(maker: Maker, parents: Mapping[str, Any], child: Child, prefix: str, sides: Sequence[str]) -> dict[str, Any]:
    """The parents of each side that has these children, with the aggregates of the children."""
    return {
        side: flat(maker, parents[side], child.tables[side], child, prefix, may_lack=side.startswith(RELEASE))
        for side in sides
        if side in child.tables
    }


def _first(table: Any) -> Any:
    """A table, or the first of several by name."""
    return next(iter(table.values())) if isinstance(table, Mapping) else table


def _weighed(given: dict[str, Any], name: str, there: Sequence[str]) -> dict[str, Any]:
    """Give the aggregates of a column of children its weight."""
    weights = given.get("weights")
    if not weights:
        return given
    known = {column.lower(): column for column in there}
    of_aggregates = {
        known[flattened]: weight
        for column, weight in weights.items()
        for ending in ENDINGS
        if (flattened := f"{name}_{column}_{ending}".lower()) in known
    }
    return {**given, "weights": {**of_aggregates, **weights}}


def _chosen(maker: Maker, table: Any, columns: Sequence[str], may_lack: bool) -> Any:
    """These columns of a flattened table, which a release may lack, or of each of several by name."""
    if isinstance(table, Mapping):
        return {name: maker.chosen(one, columns) for name, one in table.items()}
    if may_lack:
        known = {column.lower() for column in maker.columns(table)}
        columns = [column for column in columns if column.lower() in known]
    return maker.chosen(table, columns)


def _of_each(
    function: Function, given: Mapping[str, Any], children: Mapping[str, Child]
) -> tuple[dict[str, Any], dict[str, Child]]:
    """The synthetic tables of a call that takes several by name, and likewise those of their children."""
    parents = several.named_tables(function, function.parameters["synthetic"], given["synthetic"])
    found = {}
    for name, child in children.items():
        tables = child.tables["synthetic"]
        if isinstance(tables, str):
            tables = tables.split("+")
        if not isinstance(tables, Mapping) and isinstance(tables, Sequence) and len(tables) == len(parents):
            tables = dict(zip(parents, tables, strict=True))
        if not isinstance(tables, Mapping) or tables.keys() != parents.keys():
            raise OptionError(
                f'{function.name}: {wording.option("children")} has for "{name}" no synthetic table for each of '
                f"{', '.join(parents)}: give as many, in their order or by the same names (on the command line joined "
                "by +)"
            )
        found[name] = child._replace(tables={**child.tables, "synthetic": tables})
    return {**given, "synthetic": parents}, found


def _attacks(function: Function, given: Mapping[str, Any]) -> Sequence[str]:
    """The attacks that a call runs; with ``all``, they include the one that learns."""
    parameter = function.parameters.get("attack")
    if parameter is None:
        return ()
    attacks = given.get("attack") or parameter.default
    listed = [attacks] if isinstance(attacks, str) else attacks
    return [_LEARNS, *listed] if "all" in listed else listed


def _with_hints(both: View, views: Sequence[View], maker: Maker) -> View:
    """Add the scores of each view as features of the attack that learns: for rows, their mean and maximum."""
    given = dict(both.given)
    key = given["key"]
    if key is None:
        return both
    hints = list(given.get("hints") or [])
    taken = catalog.file(known_files.VIEW_SCORES)
    for view in views:
        arguments = {name: value for name, value in view.given.items() if name in taken.parameters}
        by_row = "unit" in view.given
        by = view.given["unit"] if by_row else view.given["key"]
        if by is None or by.lower() != key.lower():  # its key is not that of the parents
            continue
        for made in ("mean", "max") if by_row else ("",):
            scores = maker.scores(arguments | ({"unit_score": made} if made else {}))
            if scores is None:
                return both
            names = {score: f"{score} of {view.name}{f', {made}' if made else ''}" for score in _SCORES}
            for side in ("train", "holdout"):
                given[side] = maker.beside(given[side], side, key, scores, "person" if by_row else "key", names)
            hints += names.values()
    return View(both.name, {**given, "hints": hints})


def given_children(function: Function, call: Mapping[str, Any]) -> dict[str, Child]:
    """Return the tables of children by name, as given: three tables and a key each.

    Raises
    ------
    OptionError
        They have another form, or are given together with an option for a single table.
    """
    for name in ("columns", "unit", "group_by"):
        if call.get(name):
            raise OptionError(
                f'{function.name}: {wording.option(name)} is about one table, but "children" gives several; leave '
                "it out, or call the function for each table (flatten combines parents and children)"
            )
    given = call["children"]
    if not isinstance(given, Mapping) or not given:
        raise OptionError(
            f"{function.name}: {wording.refused('children', given)} is not a mapping of names to tables and a key"
        )
    found = {}
    for name, parts in given.items():
        listed = list(parts.values()) if isinstance(parts, Mapping) else parts
        if (
            isinstance(listed, str)
            or not isinstance(listed, Sequence)
            or len(listed) != 4
            or not isinstance(listed[3], str)
            or not listed[3]
        ):
            raise OptionError(
                f'{function.name}: {wording.option("children")} needs four values for "{name}": the synthetic '
                "table, that of train, that of the holdout (or nothing) and the column that identifies the parent"
            )
        found[str(name)] = Child(dict(zip(_SIDES, listed[:3], strict=True)), listed[3])
    return related(found)


def _is_missing(table: Any) -> bool:
    """Whether no table is given; a data frame can be compared with nothing else."""
    return table is None or (isinstance(table, str) and not table)


def _check_sides(function: Function, children: Mapping[str, Child], sides: Sequence[str]) -> None:
    """Raise an error if parents have a table that their children lack."""
    for name, child in children.items():
        lacking = next((side for side in sides if _is_missing(child.tables[side])), None)
        if lacking is not None:
            raise OptionError(
                f'{function.name}: {wording.option("children")} has no {lacking} table for "{name}", but the '
                "parents have one"
            )


def _about(given: Mapping[str, Any], there: Sequence[str], keys: Sequence[str], out: Sequence[str]) -> dict[str, Any]:
    """The arguments for a table with these columns: options without the names of other columns, and its key."""
    known = {name.lower() for name in there}
    made = dict(given)
    for option in _OF_COLUMNS:
        value = made.get(option)
        if value is None:
            continue
        named = [value] if isinstance(value, str) else value
        kept = [name for name in named if name.lower() in known or (option, name) == _BY_VALUES]
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
    """Raise an error for a named column that no table of a family has."""
    for option in _OF_COLUMNS:
        named = given.get(option) or []
        for name in [named] if isinstance(named, str) else named:
            if name.lower() not in seen and (option, name) != _BY_VALUES:
                raise UnknownColumn(f'{wording.option(option)} names column "{name}", which no table of the family has')
