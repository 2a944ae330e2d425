"""Several releases of the same people: further synthetic tables beside the newest, which may have other columns.

The option ``releases`` of a call becomes one parameter a table, ``release_1`` and so on (`expanded`). Files of sql/ go
through them by ``FROM each_release``: through those that the internal option ``released`` names (`places`). A release
with the columns of the newest is compared together with it. One with other columns has a list of its own, and all
together another, in which a column that a release lacks is `Absent`: neither a value nor missing.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlglot import exp

from synthpriv_sql.errors import NotInDialect, OptionError
from synthpriv_sql.planner.columns import groups, matching
from synthpriv_sql.planner.columns.compared import ComparedColumn
from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.planner.headers.catalog import Function, Parameter

OPTION = "releases"
HISTORY = "history"
SPEND = "spend"
RELEASED = "released"
"""The internal option that says which tables a part of a statement is about; see `places`."""
COLUMNS = "columns of "
"""What the names of the lists of columns begin with, before that of a parameter."""
RELEASED_OF = "released_of"
TOLD_OF = "told_of"
SETS = "sets"
"""The internal option with how many sets of releases share the level of ``at_least``."""
_COMPARED = 3
"""The newest alone, those before, and all together: the largest of these numbers counts."""
ALONE = "alone"
ONLY = "only "
"""What the value of the option for one of the releases before begins with, before its place."""
UNITED = f"{COLUMNS}all releases"
"""The list of the columns of all releases, if they differ."""
NEWEST = "synthetic"
_SEARCHES = "false_discovery"
"""The option without which `screen` and `safe` search for nobody."""
_USUAL_LEVEL = 0.05
_SHOWN = 4
"""At most so many sets of the first releases are told beside all of them."""
_NAMED = ("columns", "numeric", "categorical", "text", "weights")
_REFUSED = {
    "order": "runs of rows are compared in one table only",
}


@dataclass(frozen=True, slots=True)
class Absent(Column):
    """A column that a release lacks but another one has."""

    @property
    def node(self) -> exp.Expr:  # type: ignore[override]
        """Nothing, in the type that the column has among real rows."""
        return exp.cast(exp.null(), exp.DataType.build(self.held, dialect="duckdb", udt=True))


class Member(NamedTuple):
    """A table among those that a part of a statement is about."""

    place: int
    """0 for the newest, then the position among ``releases``, from 1."""
    name: str
    parameter: str


def expanded(function: Function, given: Mapping[str, Any]) -> tuple[Function, dict[str, Any]]:
    """Return a function with a parameter for each further release, and its arguments.

    Raises
    ------
    OptionError
        The option is no list of tables, or is given with one that concerns a single table.
    """
    if given.get(HISTORY) is not None:
        raise OptionError(
            f"{function.name}: {wording.option(HISTORY)} is read in Python and on the command line; here "
            f"{wording.option(OPTION)} names the tables"
        )
    given = spent(function, given)
    parameter = function.parameters.get(OPTION)
    if parameter is None or given.get(OPTION) is None or function.released:
        return function, dict(given)
    refuse(function, given)
    if RELEASED_OF in function.sets and given.get("holdout") is None:
        raise OptionError(
            f'{function.name}: {wording.option(OPTION)} needs the table "holdout": without it nobody is counted'
        )
    searches = function.parameters.get(_SEARCHES)
    if searches is not None and searches.default is None and given.get(_SEARCHES) is None:
        raise OptionError(
            f"{function.name}: {wording.option(OPTION)} needs {wording.given(_SEARCHES, _USUAL_LEVEL)}: without it "
            "nobody is searched for, and the releases before change nothing"
        )
    if (given.get("rounds") or 1) > 1:
        raise OptionError(
            f"{function.name}: {wording.option(OPTION)} excludes {wording.option('rounds')}: give "
            f"{wording.given('until_safe', True)}, or call the function again on what it returns"
        )
    tables = named(function, given[OPTION])
    parts = next((name for name, table in tables.items() if isinstance(table, Mapping)), None)
    if parts is not None:
        raise OptionError(
            f"{function.name}: {wording.option(OPTION)}: {parts} is given with parts, which only a call with "
            f"{wording.option('children')} has; give a table"
        )
    if isinstance(given.get(NEWEST), str) and given[NEWEST] in tables.values():
        raise OptionError(
            f"{function.name}: {wording.option(OPTION)} names the synthetic table itself; give only the releases before"
        )
    places = {f"release_{place}": name for place, name in enumerate(tables, 1)}
    parameters = {**function.parameters, **{name: Parameter(name, "relation", doc=parameter.doc) for name in places}}
    made = replace(function, parameters=MappingProxyType(parameters), released=True)
    return made, {**given, OPTION: list(tables), **dict(zip(places, tables.values(), strict=True))}


def spent(function: Function, given: Mapping[str, Any], number: int | None = None) -> Mapping[str, Any]:
    """Return the arguments with the level of names that a release takes of the one given, if it is to be spent.

    Parameters
    ----------
    function, given
        The call.
    number
        The number of the release, from 1; by default one more than those before.

    Raises
    ------
    OptionError
        People are not searched for.
    """
    if not given.get(SPEND):
        return {name: value for name, value in given.items() if name != SPEND or value is None}
    if SPEND not in function.parameters:
        return given  # an error says so
    level = given.get(_SEARCHES) or function.parameters[_SEARCHES].default
    if level is None and given.get("until_safe"):
        level = _USUAL_LEVEL
    if level is None:
        raise OptionError(f"{function.name}: {wording.option(SPEND)} needs {wording.given(_SEARCHES, _USUAL_LEVEL)}")
    if number is None:
        number = 1 + len(named(function, given[OPTION]) if given.get(OPTION) is not None else ())
    with suppress(TypeError, ValueError):  # of what is no number, an error says so
        return {**given, SPEND: None, _SEARCHES: float(level) * share_of_level(number)}
    return given


def share_of_level(number: int) -> float:
    """Return what the release of this number takes of a level that all together stay below, however many follow."""
    return 6 / (math.pi * number) ** 2


def refuse(function: Function, given: Mapping[str, Any]) -> None:
    """Check that releases are not given together with an option that concerns a single table.

    Raises
    ------
    OptionError
        They are.
    """
    other = next((name for name in _REFUSED if given.get(name) is not None), None)
    if other is not None and given.get(OPTION) is not None:
        raise OptionError(
            f"{function.name}: {wording.option(OPTION)} excludes {wording.option(other)}: {_REFUSED[other]}"
        )


def named(function: Function, value: Any) -> dict[str, Any]:
    """Return the tables of the option by name: a table of Python is called by its place.

    Raises
    ------
    OptionError
        There is none, or a name occurs twice.
    """
    if isinstance(value, Mapping):
        pairs = [(str(name), table) for name, table in value.items()]
    else:
        tables = list(value) if isinstance(value, (list, tuple)) else [value]
        texts = [os.fspath(table) if isinstance(table, os.PathLike) else table for table in tables]
        pairs = [(str(t) if isinstance(t, str) else f"release {i}", t) for i, t in enumerate(texts, 1)]
    found = dict(pairs)
    if not found or any(table is None or (isinstance(table, str) and not table) for table in found.values()):
        raise OptionError(f"{function.name}: {wording.option(OPTION)} has no table; leave it out, or name at least one")
    if len(found) < len(pairs):
        raise OptionError(f"{function.name}: {wording.option(OPTION)} names a table twice")
    return found


def separated(relations: Sequence[Relation]) -> tuple[list[Relation], list[Relation]]:
    """Return the tables of a call without its releases, and these."""
    further = [relation for relation in relations if relation.parameter.startswith("release_")]
    return [relation for relation in relations if relation not in further], further


def internal(function: Function, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the internal options of a call that say what its attacks use."""
    if not options.get(OPTION):
        return {RELEASED: None}
    before = len(options[OPTION])
    sets = function.sets.get(RELEASED_OF)
    chosen = function.sets.get(RELEASED, "union")
    # Each set is attacked anew: of many releases, a few sets show how they add up.
    shown = sorted({round(before * i / (_SHOWN + 1)) for i in range(1, _SHOWN + 1)} - {0, before})
    told = [ALONE, *map(str, shown if before > _SHOWN else range(1, before)), "before", "union"]
    each = [*told, *(f"{ONLY}{place}" for place in range(2, before + 1))]
    return {
        RELEASED: None if chosen == ALONE else chosen,
        RELEASED_OF: each if sets == ["each"] else sets or ["union"],
        TOLD_OF: told,
        SETS: _COMPARED if chosen == ALONE and sets == ["each"] else 1,
    }


def places(options: Mapping[str, Any]) -> list[Member]:
    """Return the tables that the option ``released`` names.

    Those ``before`` the newest, the ``union`` of all, the first of those before by their number, ``only`` one of them,
    or the newest alone.
    """
    before = [Member(i, name, f"release_{i}") for i, name in enumerate(options.get(OPTION) or (), 1)]
    newest = Member(0, NEWEST, NEWEST)
    chosen = options.get(RELEASED)
    if chosen == "union":
        return [newest, *before]
    if chosen == "before":
        return before
    if chosen and chosen.startswith(ONLY):
        return [before[int(chosen.removeprefix(ONLY)) - 1]]
    return before[: int(chosen)] if chosen else [newest]


# --- columns


def lists(
    function: Function, relations: Sequence[Relation], further: Sequence[Relation], options: Mapping[str, Any]
) -> tuple[Sequence[Relation], Mapping[str, Any], dict[str, tuple[ComparedColumn, ...]]]:
    """Decide which releases are compared together with the newest, and the lists of the columns of others.

    Parameters
    ----------
    function, options
        The call.
    relations, further
        Its tables, the newest release first, and the other releases.

    Returns
    -------
    tuple
        The tables to compare together; the options for these; and lists of columns by name.

    Raises
    ------
    SynthprivError
        As `matching.compare`.
    """
    if not further or not function.compares:
        return [*relations, *further], options, {}
    newest, *real = relations
    all_real = set.intersection(*(set(r.by_name) for r in real))
    out = matching.dropped({**matching.NO_OPTIONS, **options})
    if options.get("columns"):
        all_real &= {name.lower() for name in options["columns"]}
    shared = {r.parameter: set(r.by_name) & all_real - out for r in (newest, *further)}
    elsewhere = set().union(*(shared[r.parameter] for r in further))
    own = _for(newest, [newest, *further], real, options, elsewhere)
    alike = [r for r in further if shared[r.parameter] == shared[newest.parameter]]
    others = [r for r in further if r not in alike]
    if not others:
        return [newest, *real, *alike], _without_extra(own, alike, real), {}
    tables = [newest, *further]
    found = {
        f"{COLUMNS}{r.parameter}": matching.compare(
            [r, *real], _without_extra(_for(r, tables, real, options, all_real), [r], real)
        )
        for r in others
    }
    names = dict.fromkeys(c.name.lower() for r in tables for c in r.columns if c.name.lower() in shared[r.parameter])
    padded = [_padded(r, [real[0].by_name[name] for name in names]) for r in tables]
    united = matching.compare([*padded, *real], _without_extra({**matching.NO_OPTIONS, **options}, further, real))
    return [newest, *real, *alike], _without_extra(own, alike, real), {**found, UNITED: united}


def _for(
    table: Relation, tables: Sequence[Relation], real: Sequence[Relation], options: Mapping[str, Any], known: set[str]
) -> dict[str, Any]:
    """The options for a table: without the columns that it lacks but that another release has."""
    made = {**matching.NO_OPTIONS, **options}
    lacking = {n for n in known if n not in table.by_name and any(n in r.by_name for r in tables)}
    for option in _NAMED:
        value = made.get(option)
        if isinstance(value, Mapping):
            made[option] = {name: one for name, one in value.items() if name.lower() not in lacking}
        elif isinstance(value, list):
            made[option] = [name for name in value if name.lower() not in lacking]
    known_here = {name for r in (table, *real) for name in r.by_name}
    made["exclude"] = [
        name
        for name in made["exclude"] or []
        if name.lower() in known_here or not any(name.lower() in r.by_name for r in tables)
    ]
    spelled = [c.name for c in real[0].columns if c.name.lower() in known and c.name.lower() not in table.by_name]
    if not made["columns"]:
        made["exclude"] += spelled
    return made


def _without_extra(options: Mapping[str, Any], further: Sequence[Relation], real: Sequence[Relation]) -> dict[str, Any]:
    """The options without the columns of releases that no real table has."""
    if options.get("columns"):
        return dict(options)
    extra = [c.name for r in further for c in r.columns if not any(c.name.lower() in table.by_name for table in real)]
    return {**options, "exclude": list(dict.fromkeys([*(options.get("exclude") or []), *extra])) or None}


def _padded(table: Relation, columns: Sequence[Column]) -> Relation:
    """A table with the columns that it lacks."""
    lacking = [
        Absent(c.name, c.type, c.type_id, read_as=c.read_as) for c in columns if c.name.lower() not in table.by_name
    ]
    return replace(table, columns=(*table.columns, *lacking))


def check(function: Function, options: Mapping[str, Any], dialect: str) -> None:
    """Refuse attacks that an engine has not.

    Raises
    ------
    NotInDialect
        An attack does not run on the engine.
    """
    attacks = options.get("attack") or []
    if dialect == "spark" and "kernel" in [attacks, *attacks]:
        raise NotInDialect(
            f"{function.name}: the attack kernel does not run on Spark; name others "
            f"({wording.given('attack', ['uniques', 'agreement'])}), or write the tables to files and read them in "
            "DuckDB"
        )
    if dialect == "spark" and groups.guesses_secrets(function) and "learned" in attacks:
        raise NotInDialect(
            f"{function.name}: the attack learned trains models, which does not run on Spark; name the other "
            f"({wording.given('attack', [groups.NEAREST])}), or write the tables to files and read them in DuckDB"
        )


def lacking(columns: Sequence[Any], parameter: str) -> list[str]:
    """Return the names of the compared columns that a release lacks."""
    return [c.name for c in columns if isinstance(c, ComparedColumn) and isinstance(c.sources.get(parameter), Absent)]
