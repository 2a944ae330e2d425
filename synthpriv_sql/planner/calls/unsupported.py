"""Columns that cannot be compared as they are: text is cast to the type in other tables, or columns are left out."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp

from synthpriv_sql.errors import RoleError, SynthprivWarning
from synthpriv_sql.planner.calls import own
from synthpriv_sql.planner.columns import matching, releases
from synthpriv_sql.planner.columns.tables import Relation, listed_columns
from synthpriv_sql.planner.columns.types import TEXTS, ZONED, Column
from synthpriv_sql.planner.database import Database
from synthpriv_sql.planner.headers import arguments, catalog, known_files, wording
from synthpriv_sql.planner.headers.catalog import Function

AUTO_CAST, EXCLUDE = "auto_cast", "exclude_unsupported"
_MAY_BE_INFINITE = frozenset({"float", "date", "timestamp"})
_OF_NAMES = ("numeric", "categorical", "text", "weights")
"""Options with settings of single columns, from which those that are left out are removed."""


def comparable(
    engine: Database,
    function: Function,
    relations: Sequence[Relation],
    given: Mapping[str, Any],
    checked: arguments.Arguments,
) -> tuple[Sequence[Relation], Mapping[str, Any], arguments.Arguments]:
    """Cast text to the types in other tables, and leave out what cannot be compared, if the call requests it.

    Parameters
    ----------
    engine, function, relations
        As in `read_as_others`.
    given, checked
        The arguments of the call, unchecked and checked.

    Returns
    -------
    tuple
        The tables, and the arguments in both forms, for the columns to compare.
    """
    relations, apart = own.separated(relations)
    if checked.options.get(AUTO_CAST):
        relations = read_as_others(engine, function, relations, checked.relations, checked.options)
    if checked.options.get(EXCLUDE):
        names = left_out(engine, function, relations, checked.relations, checked.options)
        given = without(function, given, names)
        checked = arguments.check(function, given)
        if "exclude" not in function.parameters:
            checked = replace(checked, options={**checked.options, "exclude": names})
    return [*relations, *apart], given, checked


def read_as_others(
    engine: Database,
    function: Function,
    relations: Sequence[Relation],
    tables: Mapping[str, Any],
    options: Mapping[str, Any],
) -> list[Relation]:
    """Return the tables of a call with text columns cast to the types in other tables, and warn of each.

    Parameters
    ----------
    engine
        The engine that holds the tables.
    function, options
        The call.
    relations, tables
        Its tables, and the argument for each parameter.

    Raises
    ------
    RoleError
        A text cannot be cast, and such columns are not to be left out.
    """
    wanted: dict[str, dict[str, Column]] = {}
    for key, sources in matching.disagreeing(relations, distance_options(function, options)).items():
        target = matching.other_than_text(sources.values())
        for parameter, column in sources.items():
            if target is not None and column.family in TEXTS:
                wanted.setdefault(parameter, {})[key] = target
    found, casts, failed = [], [], []
    for relation in relations:
        targets = wanted.get(relation.parameter, {})
        read = {}
        names = [relation.by_name[key].name for key in targets]
        for row in _readings(engine, tables[relation.parameter], names) if names else ():
            key = row["column_name"].lower()
            type_ = _type(targets[key], row, engine.dialect)
            if type_ is None:
                failed.append(_failure(relation, targets[key], row))
            else:
                read[key] = replace(relation.by_name[key], type=type_, type_id=type_.lower(), read_as=type_)
        found.append(replace(relation, columns=tuple(read.get(c.name.lower(), c) for c in relation.columns)))
        by_type: dict[str, list[str]] = {}
        for column in read.values():
            by_type.setdefault(column.type, []).append(column.name)
        casts += [f"{listed_columns(names)} of {relation.label} as {type_}" for type_, names in by_type.items()]
    if failed and not options.get(EXCLUDE):
        raise RoleError("; ".join(failed))
    if casts:
        warnings.warn(f"text is cast to the type in other tables: {'; '.join(casts)}", SynthprivWarning, stacklevel=2)
    return found


def left_out(
    engine: Database,
    function: Function,
    relations: Sequence[Relation],
    tables: Mapping[str, Any],
    options: Mapping[str, Any],
) -> list[str]:
    """Return the names of the columns that cannot be compared, and warn of them with the reason.

    Parameters
    ----------
    engine, function, relations, tables, options
        As in `read_as_others`.
    """
    # Of several tables for one parameter, those that lack columns are left out as a whole; releases may lack some.
    fixed = [r for r in releases.separated(relations)[0] if r.parameter not in function.several]
    chosen = distance_options(function, options)
    problems = matching.problems(fixed, chosen)
    names = [name for problem in problems for name in problem.names]
    reasons = [problem.found for problem in problems]
    if not function.vectors:
        vectors = [
            c.name
            for r in fixed
            for c in r.columns
            if c.family == "vector" and c.name.lower() in compared_names(r, chosen) and c.name not in names
        ]
        if vectors:
            listed = list(dict.fromkeys(vectors))
            reasons.append(f"{listed_columns(listed)} of vectors, which {function.name} does not compare")
            names += listed
    chosen["exclude"] = [*(chosen["exclude"] or []), *names]
    for name, sentence in _infinite(engine, fixed, tables, chosen):
        names.append(name)
        reasons.append(sentence)
    if reasons:
        warnings.warn(f"left out: {'; '.join(reasons)}", SynthprivWarning, stacklevel=2)
    return list(dict.fromkeys(names))


def without(function: Function, given: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return the arguments of a call with these columns excluded as well, if it has such an option."""
    out = {name.lower() for name in names}
    made = {**given, EXCLUDE: None}
    for option in _OF_NAMES:
        value = made.get(option)
        if value:
            named = [value] if isinstance(value, str) else value
            kept = [name for name in named if name.lower() not in out]
            made[option] = {name: value[name] for name in kept} if isinstance(value, Mapping) else kept
    if "exclude" in function.parameters:
        excluded = made.get("exclude") or []
        made["exclude"] = [*([excluded] if isinstance(excluded, str) else excluded), *names]
    return made


def infinite(
    engine: Database,
    function: Function,
    relations: Sequence[Relation],
    tables: Mapping[str, Any],
    options: Mapping[str, Any],
) -> str:
    """Return a message about infinite values in the columns that a call compares; empty if there are none.

    Parameters
    ----------
    engine, function, relations, tables, options
        As in `read_as_others`.
    """
    compared, _ = own.separated(relations)
    found = list(_infinite(engine, compared, tables, distance_options(function, options)))
    names = list(dict.fromkeys(name for name, _ in found))
    if not names:
        return ""
    columns = "columns" if len(names) > 1 else "column"
    return (
        f"{'; '.join(sentence for _, sentence in found)}; infinite values have no distance. Replace them by NULL or "
        f"exclude the {columns} ({wording.given('exclude', names)}, as "
        f"{wording.given('exclude_unsupported', True)} does)"
    )


def _infinite(
    engine: Database, relations: Sequence[Relation], tables: Mapping[str, Any], chosen: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """The columns with infinite values: the name of each, and a sentence about it."""
    function = catalog.file(known_files.INFINITE_COLUMNS)
    seen = set()
    for relation in relations:
        wanted = compared_names(relation, chosen)
        names = [
            c.name
            for c in relation.columns
            if c.name.lower() in wanted and (c.family in _MAY_BE_INFINITE or c.nan) and not c.read_as
        ]
        if not names or relation.label in seen:
            continue
        seen.add(relation.label)
        for row in engine.ask(function, {"data": tables[relation.parameter], "columns": names}):
            name, count = row["column_name"], row["infinite"]
            values = "value" if count == 1 else "values"
            yield name, f'column "{name}" of {relation.label} holds {count:,} infinite {values}'


def distance_options(function: Function, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the distance options of a call; of a function with groups, their columns are compared."""
    found = dict(matching.NO_OPTIONS) | {name: options.get(name) for name in (*matching.NO_OPTIONS, "unit", "group_by")}
    order = [options["order"]] if options.get("order") else []
    found["exclude"] = [*(found["exclude"] or []), *(options.get("hints") or []), *order]
    own = function.parameters.get("columns")
    if own is not None and not own.group:  # an option of the function itself: not those to compare
        found["columns"] = None
    if function.groups and not (function.rest and options.get(function.rest) is None):
        found["columns"] = [name for group in function.groups for name in options.get(group) or []]
    return found


def compared_names(relation: Relation, options: Mapping[str, Any]) -> set[str]:
    """Return the columns of a table that a call compares, in lower case."""
    wanted = {name.lower() for name in options.get("columns") or []} or set(relation.by_name)
    return wanted - matching.dropped(options)


def _readings(engine: Database, table: Any, names: Sequence[str]) -> Sequence[Mapping[str, Any]]:
    return engine.ask(catalog.file(known_files.READINGS), {"data": table, "columns": names, "categorical": names})


def _type(target: Column, row: Mapping[str, Any], dialect: str) -> str | None:
    """The type to which all texts of a column can be cast to be compared with another column; None if there is none."""
    texts = row["texts"]
    if target.is_number:
        whole = target.family == "integer" and row["whole_numbers"] == texts
        return "BIGINT" if whole else "DOUBLE" if row["numbers"] == texts else None
    if target.family == "time":
        return None if row["times"] != texts else "TIME WITH TIME ZONE" if row["zoned"] else target.held
    return None if row["moments"] != texts else _moment(target, row, dialect)


def _moment(target: Column, row: Mapping[str, Any], dialect: str) -> str | None:
    """The type that holds all of a column of moments; none of DuckDB has both an offset and nanoseconds."""
    if row["fine"]:
        return "TIMESTAMP_NS" if dialect == "duckdb" and not row["zoned"] else None
    if row["zoned"] or target.type_id == "timestamp with time zone":
        return ZONED
    return "DATE" if target.family == "date" and row["dates"] == row["texts"] else "TIMESTAMP"


def _failure(relation: Relation, target: Column, row: Mapping[str, Any]) -> str:
    """The message about a text column that cannot be cast to the type of another."""
    name, texts = row["column_name"], row["texts"]
    kind, counted = "number", "numbers"
    if not target.is_number:
        kind, counted = ("time of day", "times") if target.family == "time" else ("date", "moments")
    what = f'column "{name}" of {relation.label} is text here and {target.type} in another table'
    column = exp.column(name, quoted=True).sql("duckdb")
    example = f"strptime({column}, '%d.%m.%Y')" if counted == "moments" else f"TRY_CAST({column} AS {target.held})"
    cast = (
        f"cast it in a query in parentheses (in DuckDB by {example}, for one), or compare it as a category "
        f"({wording.given('categorical', [name])})"
    )
    if row[counted] is None:
        return f"{what}, and PostgreSQL cannot check whether a text is a {kind}: {cast}"
    first = row["no_time" if counted == "times" else "no_moment" if counted == "moments" else "no_number"]
    lacking = texts - row[counted]
    return (
        f"{what}, and {lacking:,} of its {texts:,} values cannot be read as a {kind} in SQL format, the first of "
        f"them in record {first} (counted from 0). {wording.option('auto_cast')} casts all values of a column or none: "
        f"{cast}"
    )
