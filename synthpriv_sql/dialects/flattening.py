"""Finding what nested columns hold, and reading them as columns of one level: the option ``json`` of a call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import sqlglot
from sqlglot import exp

from synthpriv_sql.dialects.postgres import as_jsonb
from synthpriv_sql.dialects.spark import as_json_text
from synthpriv_sql.errors import NotInDialect, OptionError, RoleError, UnknownColumn
from synthpriv_sql.planner.columns import nested
from synthpriv_sql.planner.columns.nested import OPTION, Entries, Entry
from synthpriv_sql.planner.columns.tables import Relation, listed_columns
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers import catalog, files, wording
from synthpriv_sql.planner.headers.arguments import ALL
from synthpriv_sql.planner.headers.catalog import Function

_STATEMENTS = {"duckdb": "json_entries", "postgres": "json_entries_postgres", "spark": "json_entries_spark"}
_AS_JSON = {"duckdb": nested.as_json, "postgres": as_jsonb, "spark": as_json_text}
_MOST = 1000
"""The most keys of a column: more are no columns, but values such as dates or identifiers."""
_FAMILIES = "children"


class Database(Protocol):
    """A database that has the tables of a call."""

    dialect: str

    def relation(self, parameter: str, value: Any) -> Relation:
        """Find a table."""

    def few(self, query: exp.Query) -> Iterable[Mapping[str, Any]]:
        """Return the few rows of a query in the database's own dialect."""


Opened = Callable[[Any], AbstractContextManager[tuple[Database, Any]]]
"""Makes a table readable: gives the database, and the table by its name there."""


def flattened(function: Function, given: Mapping[str, Any], opened: Opened) -> dict[str, Any]:
    """Return the arguments of a call, with tables whose nested columns are read as columns of one level.

    Parameters
    ----------
    function, given
        The call, with the option ``json``.
    opened
        Makes a table readable.

    Raises
    ------
    UnknownColumn
        No table has a column that the option names.
    RoleError
        A column is not nested, or its text is no JSON.
    OptionError
        A new column would have the name of another, or there are too many.
    NotInDialect
        The database's JSON is not read.
    """
    wanted = _wanted(function, given)
    made = {name: value for name, value in given.items() if name != OPTION}
    seen: set[str] = set()
    apart = {"parents"} & function.parameters.keys()
    children = made.get(_FAMILIES) if _FAMILIES in function.parameters and not apart else None
    alone = {name: value for name, value in made.items() if children is None or name != _FAMILIES}
    if apart:  # a table of parents and one of children have different columns
        for name, value in alone.items():
            made |= _together(function, {name: value}, wanted, opened, seen)
    else:
        made |= _together(function, alone, wanted, opened, seen)
    if isinstance(children, Mapping):
        of_each = (_together(function, {_FAMILIES: {n: one}}, wanted, opened, seen) for n, one in children.items())
        made[_FAMILIES] = {name: table for one in of_each for name, table in one[_FAMILIES].items()}
    unknown = [name for name in wanted.names if name.lower() not in seen]
    if unknown:
        raise UnknownColumn(f"{wording.option(OPTION)} names {listed_columns(unknown)}, which no table of the call has")
    return made


class _Wanted:
    """The columns that the option names; all nested ones that are not excluded if it is ``all``."""

    def __init__(self, names: Sequence[str], excluded: Iterable[str]) -> None:
        self._all = list(names) == [ALL]
        self._excluded = {name.lower() for name in excluded}
        self.names: Sequence[str] = [] if self._all else names
        self._keys = {name.lower() for name in names}

    def of(self, relation: Relation) -> list[Column]:
        """The columns of a table."""
        if self._all and ALL not in relation.by_name:
            return [c for c in relation.columns if nested.is_nested(c) and c.name.lower() not in self._excluded]
        return [column for column in relation.columns if column.name.lower() in self._keys]


def _wanted(function: Function, given: Mapping[str, Any]) -> _Wanted:
    names, excluded = (
        [value] if isinstance(value, str) else list(value or []) for value in (given[OPTION], given.get("exclude"))
    )
    if not all(isinstance(name, str) for name in names):
        raise OptionError(f"{function.name}: {wording.refused(OPTION, given[OPTION])} is not a list of column names")
    return _Wanted(names, excluded)


def _together(
    function: Function, given: Mapping[str, Any], wanted: _Wanted, opened: Opened, seen: set[str]
) -> dict[str, Any]:
    """Flatten the tables among arguments, which all get the same new columns."""
    found: dict[str, dict[str | None, set[str]]] = {}
    spelled: dict[str, str] = {}
    there: dict[str, tuple[str, str]] = {}

    def look(table: Any, parameter: str) -> Any:
        if table is None or not _may_be_table(table):
            return table
        with opened(table) as (database, named):
            relation = database.relation(parameter, named)
            columns = wanted.of(relation)
            for one in columns:
                key = one.name.lower()
                spelled.setdefault(key, one.name)
                kinds = found.setdefault(key, {})
                for entry, kind in _surveyed(database, relation, one):
                    kinds.setdefault(entry, set()).add(kind)
            taken = {one.name.lower() for one in columns}
            for one in relation.columns:
                if one.name.lower() not in taken:
                    there.setdefault(one.name.lower(), (one.name, relation.label))
        return table

    files.each_table(function, given, look)
    seen.update(found)
    entries = {key: _entries(spelled[key], kinds) for key, kinds in found.items()}
    _check(spelled, entries, there)
    if not entries:
        return dict(given)
    return files.each_table(
        function, given, lambda table, _: nested.flat(table, entries) if _may_be_table(table) else table
    )


def _may_be_table(value: Any) -> bool:
    return value is not None and not isinstance(value, (int, float))


def _surveyed(database: Database, relation: Relation, column: Column) -> Iterable[tuple[str | None, str]]:
    """The keys of a column with the kinds of their values, and None with the kinds of what is no object."""
    statement = _STATEMENTS.get(database.dialect)
    if statement is None:
        raise NotInDialect(
            f"{wording.option(OPTION)} is for DuckDB, PostgreSQL and Spark; elsewhere give a view, or a query in "
            "parentheses, that makes columns of the keys"
        )
    if not (nested.is_nested(column) or column.family == "vector" or _may_be_json(column, database.dialect)):
        raise RoleError(
            f'{wording.option(OPTION)} names column "{column.name}" of {relation.label}, which is {column.type}; it '
            "takes JSON, structs, maps and lists, and in DuckDB and Spark text with JSON"
        )
    query = sqlglot.parse_one(catalog.statement(statement), dialect=database.dialect)
    assert isinstance(query, exp.Query)
    own = exp.column(exp.to_identifier(column.name, quoted=True))
    value = _AS_JSON[database.dialect](column)
    present = exp.paren(own.is_(exp.null()).not_())
    given = exp.select(exp.alias_(value, "value"), exp.alias_(present, "present")).from_(relation.node.copy())
    query.ctes[0].set("this", given)
    rows = list(database.few(query))
    broken = sum(row["records"] for row in rows if row["kind"] == "broken")
    if broken:
        records = "record is" if broken == 1 else "records are"
        raise RoleError(
            f'{wording.option(OPTION)}: {broken:,} {records} no JSON in column "{column.name}" of {relation.label}, '
            "which is text; correct them in a query in parentheses, or compare the column as it is"
        )
    if len({row["key"] for row in rows}) > _MOST:
        raise OptionError(
            f'{wording.option(OPTION)}: the objects in column "{column.name}" of {relation.label} have more than '
            f"{_MOST:,} different keys, which are values rather than columns; make columns of those that matter in a "
            "query in parentheses, or compare the column as it is"
        )
    return [(row["key"], row["kind"]) for row in rows]


def _may_be_json(column: Column, dialect: str) -> bool:
    return dialect in {"duckdb", "spark"} and column.family == "text" and column.type_id != "enum"


def _entries(name: str, kinds: Mapping[str | None, set[str]]) -> list[Entry]:
    """The columns that a nested column becomes: of what is no object, and of each key."""
    keys = sorted(key for key in kinds if key is not None)
    own = kinds.get(None, set()) - {"null"}
    first = [Entry(name, None, _kind(own))] if own or not keys else []
    return first + [Entry(f"{name}_{key}", key, _kind(kinds[key] - {"null"})) for key in keys]


def _kind(kinds: set[str]) -> str:
    """The kind of a column with values of these kinds."""
    if kinds and kinds <= {"integer", "number"}:
        return "number" if "number" in kinds else "integer"
    return "truth" if kinds == {"truth"} else "set" if "list" in kinds else "text"


def _check(spelled: Mapping[str, str], entries: Entries, there: Mapping[str, tuple[str, str]]) -> None:
    """Raise an error for a new column with the name of another."""
    made: dict[str, str] = {}
    for key, listed in entries.items():
        for entry in listed:
            what = f'column "{spelled[key]}"' if entry.key is None else f'key "{entry.key}" of column "{spelled[key]}"'
            name = entry.name.lower()
            other = made.get(name)
            if other is None and name in there:
                column, label = there[name]
                other = f'column "{column}" of {label}'
            if other is not None:
                raise OptionError(
                    f'{wording.option(OPTION)}: {what} would become column "{entry.name}", as {other} is called; '
                    "rename one of them in a query in parentheses"
                )
            made[name] = what
