"""The SQL of a call for a database that is not connected: only the names and types of its columns are known."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any, Protocol

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.normalize_identifiers import normalize_identifiers

from synthpriv_sql.dialects import find, render
from synthpriv_sql.dialects.base import in_python
from synthpriv_sql.dialects.reviewed import alone, commented
from synthpriv_sql.errors import NotInDialect, OptionError
from synthpriv_sql.planner.columns import nested
from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.database import Database
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.planner.planning import plan

_FILE = re.compile(r"[/\\*?]|\.(parquet|csv|tsv|json|jsonl|ndjson)(\.\w+)?$", re.IGNORECASE)
_GIVEN = "given_as_"


class Asked(Database, Protocol):
    """A database that is asked about its tables too."""

    def few(self, query: exp.Query) -> Sequence[Mapping[str, Any]]:
        """Return the few rows of a query in the database's own dialect."""


def text(
    engine: Asked,
    function: Function,
    given: Mapping[str, Any],
    dialect: str,
    plain: bool = False,
    tables: Mapping[str, str] | None = None,
    part: str | None = None,
) -> str:
    """Write the statement of a call in a dialect, with the neighbor search as plain SQL.

    Parameters
    ----------
    engine
        An engine with tables of the same names and columns.
    function, given
        The call.
    dialect
        ``duckdb`` or one of `synthpriv_sql.dialects.DIALECTS`.
    plain
        Whether the statement is for a DuckDB without this package; for other databases it always is.
    tables
        Names of the tables there, by parameter; by default a table keeps its name, and the table for a file is named
        after the file.
    part
        The section of `evaluate`, or the file of sql/, whose rows alone are asked for.

    Raises
    ------
    OptionError
        There is no such dialect, part or parameter, or a name or query that cannot be read.
    NotInDialect
        The dialect lacks what the function needs.
    """
    find(dialect)
    for parameter in tables or {}:
        if parameter not in {p.name for p in function.relations}:
            known = ", ".join(p.name for p in function.relations)
            raise OptionError(f'{function.name}: there is no table "{parameter}" to name; there are: {known}')
    named = bool(tables) or any(isinstance(v, str) and v.startswith(_GIVEN) for v in given.values())
    same = dialect == engine.dialect == "duckdb" and not named
    numbered: list[str] = []
    there = engine if same else _There(engine, dialect, tables or {}, given.get("key"), numbered)
    planned = plan(there, function, given, kernel=dialect == "duckdb" and not plain, whole=True)
    statement = planned.statement if part is None else alone(planned.function, planned.statement, part)
    if plain and dialect == "duckdb" and statement.calls:
        raise NotInDialect(
            f"duckdb cannot run this: {in_python(statement.calls[-1])}. A connection that "
            "synthpriv_sql.register(connection) was called on runs it: leave --plain and --dialect out (in Python: "
            "plain and dialect) for that statement"
        )
    said = [text.replace("*/", "* /") for text in [*dict.fromkeys(numbered), *statement.warnings]]
    comments = [f"/* {one} */\n" for one in said]
    return "".join(comments) + render(commented(statement), dialect)


class _There:
    """Tables of another database, described by the tables of an engine that have the same columns."""

    def __init__(
        self, engine: Asked, dialect: str, tables: Mapping[str, str], key: str | None, numbered: list[str]
    ) -> None:
        self.dialect = dialect
        self.apart = False
        self._engine = engine
        self._tables = tables
        self._key = key
        self._numbered = numbered

    def relation(self, parameter: str, value: Any) -> Relation:
        """Find a table, rename it to its name there, and define how its records are numbered."""
        table, entries = nested.entries_of(value)
        if entries:
            return nested.applied(self.relation(parameter, table), entries)
        found = self._engine.relation(parameter, value)
        node, label = self._name(parameter, value, found)
        # Only an order by values is the same in every run. Rows with all values equal are interchangeable.
        columns = [c for c in found.columns if c.family not in {None, "null", "vector"}]
        columns.sort(key=lambda column: column.name.lower() != (self._key or "").lower())
        if columns and columns[0].name.lower() == (self._key or "").lower():
            columns = columns[: self._unique(found, columns[0], label)]
        return replace(found, node=node, label=label, base=False, order=tuple(c.node for c in columns))

    def _unique(self, found: Relation, key: Column, label: str) -> int | None:
        """How many columns number the records: the key alone, or all (None) if it repeats or is missing here."""
        repeated = exp.Count(this=exp.Star()) - exp.Count(this=exp.Distinct(expressions=[key.node]))
        query = exp.select(exp.alias_(repeated, "repeated")).from_(found.node.copy())
        (row,) = self._engine.few(query)
        name = exp.to_identifier(key.name, quoted=True).sql(self.dialect)
        if row["repeated"]:
            self._numbered.append(
                f"{label} is numbered by all of its columns: the key {name} is missing or repeats in {row['repeated']} "
                "rows here"
            )
            return None
        self._numbered.append(f"{label} is numbered by the key {name}, which must be unique and never NULL there")
        return 1

    def ask(self, function: Function, given: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """Ask the connected engine, since the other database has no connection."""
        return self._engine.ask(function, given)

    def _name(self, parameter: str, value: Any, found: Relation) -> tuple[exp.Table, str]:
        named = self._tables.get(parameter)
        if named is not None:
            return self._read(parameter, named), f'"{named}"'
        if str(value).lstrip().startswith("("):
            return self._query(parameter, str(value)), found.label
        # A file that a generated query reads keeps its own name.
        name = found.node.name if isinstance(found.node.this, exp.Identifier) else str(value)
        if name.startswith(_GIVEN):
            name = name.removeprefix(_GIVEN)
        elif not found.base and not found.node.db and _FILE.search(name):
            stem = PurePath(name).name.partition(".")[0]
            name = stem if stem.isidentifier() else parameter
        else:
            return found.node, found.label
        return exp.Table(this=exp.to_identifier(name, quoted=True)), f'"{name}"'

    def _read(self, parameter: str, name: str) -> exp.Table:
        try:
            table = exp.to_table(name, dialect=self.dialect)
        except SqlglotError:
            table = exp.Table()
        if not table.parts or not all(isinstance(part, exp.Identifier) for part in table.parts):
            raise OptionError(f"{name!r}, the name of the table {parameter}, is no name of a table")
        found = normalize_identifiers(table.copy(), dialect=self.dialect)
        for part, written in zip(found.parts, table.parts, strict=True):
            if written.args.get("quoted"):  # exactly that name, even if the dialect ignores case
                part.set("this", written.this)
            part.set("quoted", True)
        return found

    def _query(self, parameter: str, query: str) -> exp.Table:
        try:
            parsed = sqlglot.parse_one(query, dialect="duckdb").unnest()
        except SqlglotError as error:
            raise OptionError(
                f"the query {query}, given as {parameter}, cannot be written in {self.dialect}: {error}; "
                f"make a view of it there, and name that"
            ) from None
        if not isinstance(parsed, exp.Query):
            raise OptionError(f"the query {query}, given as {parameter}, is no SELECT")
        alias = exp.TableAlias(this=exp.to_identifier("given"))
        return exp.Table(this=exp.Subquery(this=parsed), alias=alias)
