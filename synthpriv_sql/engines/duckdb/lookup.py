"""Finding and describing the tables that a call names, in a DuckDB connection."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import replace
from typing import Any

import duckdb
from sqlglot import exp
from sqlglot.errors import SqlglotError

from synthpriv_sql.engines.duckdb.files import csv, excel, failures, jsonl, patterns
from synthpriv_sql.engines.duckdb.guard import reading
from synthpriv_sql.engines.duckdb.lake import find as lake
from synthpriv_sql.errors import (
    EngineError,
    OptionError,
    SynthprivError,
    SynthprivWarning,
    UnknownTable,
    about,
    from_database,
)
from synthpriv_sql.planner import planning
from synthpriv_sql.planner.columns import nested as nested_columns
from synthpriv_sql.planner.columns.tables import Relation, label
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers import catalog, files, nested
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.planner.statement.writing import duckdb_text
from synthpriv_sql.unsaid import of_duckdb

_STANDARD_INPUT = frozenset({"-", "/dev/stdin", "/dev/fd/0"})


class Lookup:
    """Finds tables by name in a DuckDB connection.

    Parameters
    ----------
    connection
        Where relations are looked up.
    within_statement
        Whether this is a cursor that plans a call inside a running statement; such a cursor sees fewer tables.
    macros
        The macros that are known in its database.
    """

    name = "DuckDB"
    dialect = "duckdb"
    apart = True

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        within_statement: bool = False,
        macros: reading.Macros | None = None,
    ) -> None:
        self.connection = connection
        self.within_statement = within_statement
        self._macros = macros or reading.Macros()

    def relation(self, parameter: str, value: Any) -> Relation:
        """Find the table that a call names.

        Parameters
        ----------
        parameter
            The parameter that it was passed for.
        value
            A table's name (exactly, or in SQL's quoting: ``schema."My table"``), a file, or a query in parentheses.

        Raises
        ------
        UnknownTable
            No table has that name, or it cannot be read.
        """
        table, entries = nested_columns.entries_of(value)
        if entries:
            return nested_columns.applied(self.relation(parameter, table), entries, self._by_characters())
        if not isinstance(value, str) or not value.strip():
            raise UnknownTable(f"{value!r}, given as {parameter}, names no table. {self._hint()}")
        problem = ""
        for node in self._readings(parameter, value):
            try:
                base = self._is_base_table(node)
                if not base:
                    self._check_reading(parameter, value, node)
                columns = self._describe(node, base)
            except (duckdb.CatalogException, duckdb.BinderException, duckdb.IOException) as error:
                problem = problem or of_duckdb(str(error).partition("\n")[0])
                continue
            except duckdb.InterruptException:
                raise
            except duckdb.Error as error:
                unreadable = failures.plain(str(error))
                if unreadable is not None:
                    raise unreadable from None
                of_a_call = from_database(error)
                if isinstance(of_a_call, SynthprivError) and not isinstance(of_a_call, EngineError):
                    raise about(f"{label(value)}, given as {parameter}", of_a_call) from None
                why = failures.extension(str(error)) or of_duckdb(str(error).partition("\n")[0])
                raise UnknownTable(f"{label(value)}, given as {parameter}, cannot be read: {why}") from None
            guessed = csv.is_file(value) and csv.names_are_guessed(value, columns)
            return Relation(parameter, label(value), node, columns, base, guessed=guessed)
        if value.lstrip().startswith("("):
            try:
                nested.check(value)
            except OptionError as error:
                raise about(f"{label(value)}, given as {parameter}", error) from None
            hint = f" {self._hint()}" if self.within_statement else ""
            raise UnknownTable(f"{label(value)}, given as {parameter}, cannot be run ({problem}).{hint}")
        raise UnknownTable(
            f"{label(value)}, given as {parameter}, is neither a table or view here nor a file that DuckDB reads "
            f"({problem}). {lake.hint(value) or self._hint(value)}"
        )

    def _check_reading(self, parameter: str, value: str, node: exp.Table) -> None:
        """Raise an error for a query or a view that may do more than read."""
        query = value if value.lstrip().startswith("(") else None
        if query is None and not isinstance(node.this, exp.Identifier):
            return  # a query of our own, which reads a file
        try:
            reading.check(self.connection, self._macros, query, node.name)
        except reading.NotRead as error:
            raise error.of(f"{label(value)}, given as {parameter}") from None

    def ask(self, function: Function, given: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the few rows of another call, which the current call needs for its plan."""
        asked = planning.plan(self, function, given, whole=True)
        with self._reading_no_more_than(asked):
            return self._rows(asked.sql)

    def _reading_no_more_than(self, plan: planning.Plan) -> AbstractContextManager[None]:
        """Restrict what is read to the columns of a plan, where DuckDB does not do so itself."""
        return nullcontext()

    def _readings(self, parameter: str, value: str) -> Iterator[exp.Table]:
        """The possible readings of a text."""
        if lake.is_named(value):
            yield self.files(parameter, value)
        elif csv.is_file(value) and not self._is_base_table(table_name(value)):
            yield self._read(value, csv.query(value, self.connection))
        elif excel.is_file(value) and not self._is_base_table(table_name(value)):
            yield _query(excel.query(value, self.connection).sql(self.dialect))
        elif patterns.is_parquet(value) and not self._is_base_table(table_name(value)):
            yield self._read(value, patterns.parquet(value, self.connection))
        elif jsonl.is_file(value) and not self._is_base_table(table_name(value)):
            yield self._read(value, jsonl.query(value, self.connection))
        elif os.path.isfile(value) and patterns.exactly(value) != value and not self._is_base_table(table_name(value)):
            yield _name_of(patterns.exactly(value))
        else:
            yield from _readings(value)

    def _read(self, value: str, query: exp.Query | None) -> exp.Table:
        """The query that reads a file, or the name of the file."""
        return _name_of(value) if query is None else _query(query.sql(self.dialect))

    def read_alike(self, function: Function, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of a call with the formats of dates that one of its CSV files decides for the others."""
        found: list[csv.Looked] = []

        def looked(value: Any) -> csv.Looked | None:
            if not isinstance(value, str) or not csv.is_file(value) or self._is_base_table(table_name(value)):
                return None
            with suppress(SynthprivError, duckdb.Error):  # the lookup of the table says what is wrong
                return csv.looked(value, self.connection)
            return None

        def look(value: Any, name: str) -> Any:
            table = looked(value)
            found.extend([table] if table is not None else [])
            return value

        def decide(value: Any, name: str) -> Any:
            table = looked(value)
            return value if table is None or not table.unclear else csv.decided(value, table, found)

        files.each_table(function, given, look)
        return files.each_table(function, given, decide) if any(table.unclear for table in found) else dict(given)

    def files(self, parameter: str, value: str) -> exp.Table:
        """Return the query that reads the files of a named Delta or Iceberg table."""
        return _query(lake.query(parameter, value, self.connection).sql(self.dialect))

    def _hint(self, value: str = "") -> str:
        if value in _STANDARD_INPUT:
            return "Standard input can be read only once, a table is read several times: write it to a file first."
        if os.path.isdir(value):
            return f'It is a folder; its files are named by a pattern, such as "{value.rstrip("/")}/**/*.parquet".'
        if self.within_statement:
            return (
                "Inside SQL, temporary tables, registered data frames and tables of an uncommitted transaction are "
                "not seen: commit, create an ordinary table, or call the Python method of the session."
            )
        return "Give a name, a path, or a query in parentheses."

    def _describe(self, node: exp.Table, certain: bool) -> tuple[Column, ...]:
        """The columns of a relation; ``certain`` if its name is known to be that of a table."""
        with nullcontext() if certain else self._own_names_only():
            described = self.connection.sql(exp.select("*").from_(node).sql(self.dialect))
            found = zip(described.columns, described.types, strict=True)
            # JSON is text in DuckDB, but equal values may be spelled differently; no engine compares it.
            columns = [Column(name, str(type_), "json" if str(type_) == "JSON" else type_.id) for name, type_ in found]
        if not any(column.family == "text" for column in columns):
            return tuple(columns)
        by_characters = self._by_characters()
        return tuple(replace(c, by_characters=True) if by_characters and c.family == "text" else c for c in columns)

    def _by_characters(self) -> bool:
        """Whether texts have to be told to be compared by their characters."""
        ((collation,),) = self.connection.execute(catalog.statement("default_collation")).fetchall()
        return bool(collation)

    def few(self, query: exp.Query) -> list[dict[str, Any]]:
        """Return the rows of a query that has few."""
        return self._rows(duckdb_text(query))

    def _rows(self, sql: str) -> list[dict[str, Any]]:
        ran = self.connection.execute(sql)
        names = [name for name, *_ in ran.description or ()]
        return [dict(zip(names, row, strict=True)) for row in ran.fetchall()]

    @contextmanager
    def _own_names_only(self) -> Iterator[None]:
        """Keep DuckDB from resolving an unknown name to a Python variable in scope."""
        # Always fetch all rows: an open result would block the next statement.
        ((enabled,),) = self.connection.execute(catalog.statement("python_names")).fetchall()
        if enabled:
            self.connection.execute(catalog.statement("hide_python_names"))
        try:
            yield
        finally:
            if enabled:
                self.connection.execute(catalog.statement("show_python_names"))

    def _is_base_table(self, node: exp.Table) -> bool:
        """Whether it is a table stored in DuckDB itself, whose row order is the same at every read.

        This uses DuckDB's own name lookup: querying its catalog tables takes several times as long.
        """
        if not isinstance(node.this, exp.Identifier):
            return False
        if not any('"' in part.name for part in node.parts):  # DuckDB 1.5 parses names with quotes differently here
            with suppress(duckdb.Error):
                if self.connection.table(node.sql(self.dialect)).type != "TABLE_RELATION":
                    return False
                ((alone,),) = self.connection.execute(catalog.statement("only_duckdb")).fetchall()
                if alone:
                    return True
        ((answer,),) = self.connection.execute(catalog.statement("is_base_table"), _name(node)).fetchall()
        return bool(answer)

    def warn(self, relations: Sequence[Relation]) -> None:
        """Warn about tables that are not read from one snapshot."""
        nodes = {r.node for r in relations if not r.base and isinstance(r.node.this, exp.Identifier)}
        if len(nodes) < 2 or not self.connection.execute(catalog.statement("attached_postgres")).fetchall():
            return
        named = {"tables": [_name(node) for node in nodes]}
        ((several,),) = self.connection.execute(catalog.statement("reads_several_snapshots"), named).fetchall()
        if several:
            warnings.warn(
                "tables of an attached PostgreSQL database are read over several connections, so what is written "
                "meanwhile may be seen in one table and not in the other; to read all of a statement as of one moment: "
                "SET GLOBAL pg_use_ctid_scan = false",
                SynthprivWarning,
                stacklevel=2,
            )


def _name(node: exp.Table) -> dict[str, str | None]:
    """A table's name and its qualifiers, as parameters of generated statements."""
    parts = [part.name for part in node.parts]
    return {"name": parts[-1], "qualifier": parts[-2] if len(parts) > 1 else None}


def table_name(value: str) -> exp.Table:
    """Parse a table name: in SQL syntax if possible, else literally."""
    *_, table = _readings(value)
    return table


def _query(text: str) -> exp.Table:
    """A query as a table. DuckDB parses it, so all of its syntax is accepted, but only a single SELECT."""
    return exp.Table(this=exp.Anonymous(this="query", expressions=[exp.Literal.string(text)]))


def _name_of(value: str) -> exp.Table:
    """A name or file, taken literally."""
    return exp.Table(this=exp.to_identifier(str(value), quoted=True))


def _readings(value: str) -> Iterator[exp.Table]:
    """The possible readings of a text, the most literal first."""
    text = value.strip()
    if text.startswith("("):
        yield _query(text)
        return
    yield _name_of(value)
    try:
        named = exp.to_table(text, dialect="duckdb")
    except (SqlglotError, ValueError):  # ValueError: more than two dots, as in a path
        return
    if isinstance(named.this, exp.Identifier) and (named.db or named.name != value):
        for part in named.parts:
            part.set("quoted", True)
        yield named
