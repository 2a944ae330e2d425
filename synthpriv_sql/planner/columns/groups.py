"""Groups of columns that options name: quasi-identifiers and targets, known and secret columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from synthpriv_sql.errors import ColumnMismatch, OptionError
from synthpriv_sql.planner.columns import matching
from synthpriv_sql.planner.columns.compared import ComparedColumn
from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers import catalog, wording
from synthpriv_sql.planner.headers.arguments import ALL
from synthpriv_sql.planner.headers.catalog import Function

SECRETS, NEAREST = "secrets", "nearest"
MOST_SECRETS = 12
"""The most columns that ``all`` stands for."""
EACH = "each_secret"
"""The internal option that says that each secret is inferred from all others."""


def columns(
    function: Function, relations: Sequence[Relation], options: Mapping[str, Any]
) -> dict[str, Sequence[ComparedColumn]]:
    """Return the columns of each group in the order of the option, and its numeric and its categorical columns.

    Parameters
    ----------
    function
        Its ``groups`` are the options; a group that is not given is left out or, if it is ``rest``, has all other
        columns.
    relations
        The tables, each of which must have every column.
    options
        The options of the call, distance options among them.

    Raises
    ------
    UnknownColumn
        An option names a column that a table lacks.
    ColumnMismatch
        A column is in some tables only, and no option selects columns.
    OptionError
        An option names no column, or two options name the same.
    RoleError
        See `matching.compare`.
    """
    named: dict[str, list[str]] = {}
    owner: dict[str, str] = {}
    for option in function.groups:
        if options[option] is None:
            continue
        named[option] = _named(option, options[option], relations)
        for name in named[option]:
            if name == str(options.get("key") or "").lower():
                raise OptionError(f'{wording.option(option)} names column "{options["key"]}", which is the key')
            if name in owner:
                spelled = relations[0].by_name[name].name
                raise OptionError(f'column "{spelled}" is in both options {owner[name]} and {option}; choose one')
            owner[name] = option
    if function.rest and function.rest not in named:
        taken = {**owner, **{name.lower(): "group_by" for name in options.get("group_by") or ()}}
        # Vectors have no values to count.
        there = (column for relation in relations for column in relation.columns)
        taken |= {column.name.lower(): "vectors" for column in there if column.family == "vector"}
        taken |= {name.lower(): "exclude" for name in options.get("exclude") or ()}
        named[function.rest] = _rest(function.rest, taken, relations)
    names = [relations[0].by_name[name].name for listed in named.values() for name in listed]
    given = {name: options.get(name) for name in matching.NO_OPTIONS} | {"columns": names, "exclude": None}
    compared = {column.name.lower(): column for column in matching.compare(relations, given)}
    found: dict[str, Sequence[ComparedColumn]] = {}
    for option, listed in named.items():
        found[option] = [compared[name] for name in listed]
        vectors = [column for column in found[option] if column.role == "vector"]
        if vectors and option not in function.vector_groups:
            raise matching.takes_no_vectors(function.name, vectors, option)
        found[f"{option}_numeric"] = [column for column in found[option] if column.role in {"numeric", "temporal"}]
        found[f"{option}_categorical"] = [column for column in found[option] if column.role == "categorical"]
    return found


def of_requested(
    function: Function, relations: Sequence[Relation], options: Mapping[str, Any]
) -> dict[str, Sequence[ComparedColumn]]:
    """Return the columns of each group of the functions that a call requests by naming all their groups.

    Parameters
    ----------
    function
        Its ``asks`` are the names of these functions.
    relations
        As in `columns`.
    options
        As in `columns`.

    Raises
    ------
    OptionError
        A group is named without another that it requires.
    SynthprivError
        See `columns`.
    """
    found: dict[str, Sequence[ComparedColumn]] = {}
    lacking: dict[str, list[str]] = {}
    for inner in map(catalog.function, function.asks):
        each = bool(options.get(EACH)) and SECRETS in inner.groups
        missing = [group for group in inner.groups if options[group] is None and not (each and group == "known")]
        if not missing:
            found |= columns(inner, relations, about(inner, options))
        for group in set(inner.groups) - {"quasi_identifiers", *missing, *(["known"] if each else [])}:
            lacking.setdefault(group, []).extend(missing)
    for group, missing in lacking.items():
        if group not in found:
            others = " or ".join(f'"{name}"' for name in missing)
            raise OptionError(f"{function.name}: {wording.option(group)} also needs the option {others}")
    return found


def resolved(function: Function, options: Mapping[str, Any], relations: Sequence[Relation]) -> dict[str, Any]:
    """Return the options with names in the place of ``all`` as known or secret columns: all others.

    Where both are ``all``, `EACH` says that each secret is inferred from all other columns.

    Raises
    ------
    OptionError
        There are more than `MOST_SECRETS` columns, each of which would need models of its own; or the attack nearest
        is asked for each.
    """
    found = dict(options)
    if SECRETS not in options or not relations:
        return found
    known, secrets = (_is_all(options.get(name), relations) for name in ("known", "secrets"))
    if not (known or secrets):
        return found
    names = [c.name for c in relations[0].columns if _may_be_secret(c, relations, options)]
    if not secrets:
        taken = {str(name).lower() for name in options["secrets"] or []}
        found["known"] = [name for name in names if name.lower() not in taken] or None
        return found
    if not (known or options.get("known") is None):
        taken = {str(name).lower() for name in options["known"]}
        names = [name for name in names if name.lower() not in taken]
    if len(names) > MOST_SECRETS:
        raise OptionError(
            f"{wording.given('secrets', 'all')} stands for at most {MOST_SECRETS} columns, and there are {len(names)}: "
            "name those that matter"
        )
    found["secrets"] = names
    if known or options.get("known") is None:
        if guesses_secrets(function) and NEAREST in options["attack"]:
            raise OptionError(
                f"{function.name}: each column is inferred from all others by a model only: give "
                f"{wording.given('attack', 'learned')}, or name what is known"
            )
        found |= {"known": None, EACH: True}
    return found


def guesses_secrets(function: Function) -> bool:
    """Whether the attacks of a function guess secret columns."""
    attack = function.parameters.get("attack")
    return attack is not None and NEAREST in attack.choices


def _is_all(given: Any, relations: Sequence[Relation]) -> bool:
    return given == [ALL] and not any(ALL in relation.by_name for relation in relations)


def _may_be_secret(column: Column, relations: Sequence[Relation], options: Mapping[str, Any]) -> bool:
    """Whether a column may be known or secret: all tables have it, and it has values that can be compared."""
    apart = [options.get(name) for name in ("key", "unit", "order")]
    left_out = [*(options.get("exclude") or []), *(options.get("group_by") or []), *filter(None, apart)]
    chosen = {name.lower() for name in options.get("columns") or []}
    same = [relation.by_name.get(column.name.lower()) for relation in relations]
    return (
        all(one is not None and one.family not in {None, "vector"} for one in same)
        and column.name.lower() not in {name.lower() for name in left_out}
        and (not chosen or column.name.lower() in chosen)
    )


def about(function: Function, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options with the weights and roles of only the columns in the function's groups."""
    names = {str(name).lower() for group in function.groups for name in options.get(group) or []}
    kept = dict(options)
    for option in ("numeric", "categorical", "text"):
        kept[option] = [name for name in options.get(option) or [] if name.lower() in names] or None
    given = options.get("weights") or {}
    kept["weights"] = {name: weight for name, weight in given.items() if name.lower() in names} or None
    return kept


def _named(option: str, names: Sequence[str], relations: Sequence[Relation]) -> list[str]:
    if not names:
        raise OptionError(f"{wording.option(option)} names no column; give at least one")
    for relation in relations:
        relation.listed(names, option)
    return list(dict.fromkeys(name.lower() for name in names))


def _rest(option: str, taken: Mapping[str, str], relations: Sequence[Relation]) -> list[str]:
    names = [name for name in relations[0].by_name if name not in taken]
    for relation in relations:
        lacking = set(names) ^ (relation.by_name.keys() - taken.keys())
        if lacking:
            one = sorted(lacking)[0]
            has, lacks = (relation, relations[0]) if one in relation.by_name else (relations[0], relation)
            raise ColumnMismatch(
                f"column {has.said(has.by_name[one].name)} is in {has.label} but not in {lacks.label}; "
                f"choose the columns ({wording.given(option, [...])})"
            )
    if not names:
        raise OptionError(f"no column is left for {wording.option(option)}; {relations[0].label} has no other")
    return names
