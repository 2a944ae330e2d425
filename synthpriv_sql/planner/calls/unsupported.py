"""Columns that cannot be compared as they are: texts are read as what other tables hold, or columns are left out."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from synthpriv_sql.errors import RoleError, SynthprivWarning
from synthpriv_sql.planner.calls import own
from synthpriv_sql.planner.columns import matching
from synthpriv_sql.planner.columns.tables import Relation, listed_columns
from synthpriv_sql.planner.columns.types import TEXTS, Column
from synthpriv_sql.planner.headers import arguments, catalog, known_files, wording
from synthpriv_sql.planner.headers.catalog import Function

AUTO_CAST, EXCLUDE = "auto_cast", "exclude_unsupported"
_MAY_BE_INFINITE = frozenset({"float", "date", "timestamp"})
_OF_NAMES = ("numeric", "categorical", "weights")
"""Options that say something of columns, which has no meaning for those that are left out."""


class Asking(Protocol):
    """What is needed of an engine."""

    def ask(self, function: Function, given: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """Return the few rows of another call."""


def comparable(
    engine: Asking,
    function: Function,
    relations: Sequence[Relation],
    given: Mapping[str, Any],
    checked: arguments.Arguments,
) -> tuple[Sequence[Relation], Mapping[str, Any], arguments.Arguments]:
    """Read texts as other tables have them, and leave out what cannot be compared, where that is asked for.

    Parameters
    ----------
    engine, function, relations
        As in `read_as_others`.
    given, checked
        The arguments of the call, as they were given and as they were checked.

    Returns
    -------
    tuple
        The tables, and the arguments in both forms, for the columns that are compared.
    """
    relations, apart = own.beside(relations)
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
    engine: Asking,
    function: Function,
    relations: Sequence[Relation],
    tables: Mapping[str, Any],
    options: Mapping[str, Any],
) -> list[Relation]:
    """Return the tables of a call with texts read as what other tables hold, and say which.

    Parameters
    ----------
    engine
        Where the tables are.
    function, options
        The call.
    relations, tables
        Its tables, and what was given for each parameter.

    Raises
    ------
    RoleError
        A text cannot be read so, and such columns are not to be left out.
    """
    asked: dict[str, dict[str, Column]] = {}
    for key, sources in matching.disagreeing(relations, _chosen(function, options)).items():
        target = matching.other_than_text(sources.values())
        for parameter, column in sources.items():
            if target is not None and column.family in TEXTS:
                asked.setdefault(parameter, {})[key] = target
    found, said, failed = [], [], []
    for relation in relations:
        targets = asked.get(relation.parameter, {})
        read = {}
        names = [relation.by_name[key].name for key in targets]
        for row in _readings(engine, tables[relation.parameter], names) if names else ():
            key = row["column_name"].lower()
            type_ = _type(targets[key], row)
            if type_ is None:
                failed.append(_failure(relation, targets[key], row))
            else:
                read[key] = replace(relation.by_name[key], type=type_, type_id=type_.lower(), read_as=type_)
        found.append(replace(relation, columns=tuple(read.get(c.name.lower(), c) for c in relation.columns)))
        by_type: dict[str, list[str]] = {}
        for column in read.values():
            by_type.setdefault(column.type, []).append(column.name)
        said += [f"{listed_columns(names)} of {relation.label} as {type_}" for type_, names in by_type.items()]
    if failed and not options.get(EXCLUDE):
        raise RoleError("; ".join(failed))
    if said:
        warnings.warn(f"texts are read as other tables have them: {'; '.join(said)}", SynthprivWarning, stacklevel=2)
    return found


def left_out(
    engine: Asking,
    function: Function,
    relations: Sequence[Relation],
    tables: Mapping[str, Any],
    options: Mapping[str, Any],
) -> list[str]:
    """Return the names of the columns that cannot be compared, and say which they are and why.

    Parameters
    ----------
    engine, function, relations, tables, options
        As in `read_as_others`.
    """
    # Of several tables for one parameter those that lack columns are left out themselves.
    fixed = [r for r in relations if r.parameter not in function.several]
    chosen = _chosen(function, options)
    problems = matching.problems(fixed, chosen)
    names = [name for problem in problems for name in problem.names]
    said = [problem.found for problem in problems]
    if not function.vectors:
        vectors = [
            c.name
            for r in fixed
            for c in r.columns
            if c.family == "vector" and c.name.lower() in _compared(r, chosen) and c.name not in names
        ]
        if vectors:
            listed = list(dict.fromkeys(vectors))
            said.append(f"{listed_columns(listed)} of vectors, which {function.name} does not compare")
            names += listed
    chosen["exclude"] = [*(chosen["exclude"] or []), *names]
    for name, sentence in _infinite(engine, fixed, tables, chosen):
        names.append(name)
        said.append(sentence)
    if said:
        warnings.warn(f"left out: {'; '.join(said)}", SynthprivWarning, stacklevel=2)
    return list(dict.fromkeys(names))


def without(function: Function, given: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return the arguments of a call that leaves out these columns too; where it has no such option, what is not so."""
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
    engine: Asking,
    function: Function,
    relations: Sequence[Relation],
    tables: Mapping[str, Any],
    options: Mapping[str, Any],
) -> str:
    """Look for infinite values in the columns that a call compares, and say where they are; empty where there are none.

    Parameters
    ----------
    engine, function, relations, tables, options
        As in `read_as_others`.
    """
    compared, _ = own.beside(relations)
    found = list(_infinite(engine, compared, tables, _chosen(function, options)))
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
    engine: Asking, relations: Sequence[Relation], tables: Mapping[str, Any], chosen: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """The columns with infinite values: the name of each, and a sentence about it."""
    asked = catalog.file(known_files.INFINITE_COLUMNS)
    seen = set()
    for relation in relations:
        wanted = _compared(relation, chosen)
        names = [
            c.name
            for c in relation.columns
            if c.name.lower() in wanted and (c.family in _MAY_BE_INFINITE or c.nan) and not c.read_as
        ]
        if not names or relation.label in seen:
            continue
        seen.add(relation.label)
        for row in engine.ask(asked, {"data": tables[relation.parameter], "columns": names}):
            name, count = row["column_name"], row["infinite"]
            values = "value" if count == 1 else "values"
            yield name, f'column "{name}" of {relation.label} holds {count:,} infinite {values}'


def _chosen(function: Function, options: Mapping[str, Any]) -> dict[str, Any]:
    """The distance options of a call; what is compared of groups are their columns."""
    chosen = dict(matching.NO_OPTIONS) | {
        name: options.get(name) for name in (*matching.NO_OPTIONS, "unit", "group_by")
    }
    order = [options["order"]] if options.get("order") else []
    chosen["exclude"] = [*(chosen["exclude"] or []), *(options.get("hints") or []), *order]
    if isinstance(chosen["columns"], int):  # how many, not which
        chosen["columns"] = None
    if function.groups and not (function.rest and options.get(function.rest) is None):
        chosen["columns"] = [name for group in function.groups for name in options.get(group) or []]
    return chosen


def _compared(relation: Relation, options: Mapping[str, Any]) -> set[str]:
    """The columns of a table that a call compares, in lower case."""
    chosen = {name.lower() for name in options.get("columns") or []} or set(relation.by_name)
    return chosen - matching.dropped(options)


def _readings(engine: Asking, table: Any, names: Sequence[str]) -> Sequence[Mapping[str, Any]]:
    return engine.ask(catalog.file(known_files.READINGS), {"data": table, "columns": names, "categorical": names})


def _type(target: Column, row: Mapping[str, Any]) -> str | None:
    """The type that all texts of a column can be read as, so that they can be compared with another; None for none."""
    texts = row["texts"]
    if target.is_number:
        whole = target.family == "integer" and row["whole_numbers"] == texts
        return "BIGINT" if whole else "DOUBLE" if row["numbers"] == texts else None
    if target.family == "time":
        return target.held if row["times"] == texts else None
    if row["moments"] != texts:
        return None
    if target.family == "date":
        return "DATE" if row["dates"] == texts else "TIMESTAMP"
    return "TIMESTAMP WITH TIME ZONE" if target.type_id == "timestamp with time zone" else "TIMESTAMP"


def _failure(relation: Relation, target: Column, row: Mapping[str, Any]) -> str:
    """What is said of a column of texts that cannot be read as another."""
    name, texts = row["column_name"], row["texts"]
    kind, counted = "number", "numbers"
    if not target.is_number:
        kind, counted = ("time of day", "times") if target.family == "time" else ("date", "moments")
    what = f'column "{name}" of {relation.label} is text here and {target.type} in another table'
    cast = f"cast it in a query in parentheses, or compare it as a category ({wording.given('categorical', [name])})"
    if row[counted] is None:
        return f"{what}, and PostgreSQL cannot try whether a text is a {kind}: {cast}"
    first = row["no_time" if counted == "times" else "no_moment" if counted == "moments" else "no_number"]
    lacking = texts - row[counted]
    are = "is" if lacking == 1 else "are"
    return (
        f"{what}, and {lacking:,} of its {texts:,} values {are} no {kind} as SQL writes it, the first of them in "
        f"record {first} (counted from 0). auto_cast reads all values of a column or none: {cast}"
    )
