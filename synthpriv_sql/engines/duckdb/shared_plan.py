"""A statement that DuckDB plans once and runs on the rows of one group, or of one call, after another.

DuckDB plans a prepared statement again on every run if it reads a table, has parameters or reads a setting, and for few
rows planning takes longer than everything else. The statement here does none of these: rows are read by statements of
their own and handed over as Arrow, and so are the values of its parameters.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import duckdb
from sqlglot import exp

from synthpriv_sql.engines import unwarned
from synthpriv_sql.engines.duckdb import between
from synthpriv_sql.engines.duckdb.optimizing import planned_quickly
from synthpriv_sql.planner.statement.parts import Assembled, Part, gc_paused
from synthpriv_sql.planner.statement.trees import copied, literal, nodes

if TYPE_CHECKING:
    import pyarrow as pa

_MAJOR = int(duckdb.__version__.split(".")[0])
VALUES = ""
"""The name of the row with the values of parameters, which no part has."""
Rows = Mapping[str, "tuple[pa.Table, list[str]]"]
"""The rows that a run reads, and their types, by the name of the part; the values of parameters as `VALUES`."""


class SharedPlan:
    """A prepared statement; the names of its rows exist only while DuckDB plans it.

    Parameters
    ----------
    connection
        Where it is prepared.
    statement
        The statement, whose parameters stand outside the parts that read the user's tables.
    rows
        Rows as the first run may have them; those of later runs have the same types.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, statement: Assembled, rows: Rows) -> None:
        self._connection = connection
        self._name = f"synthpriv_{uuid.uuid4().hex}"
        self._types = {name: (table.schema, types) for name, (table, types) in rows.items()}
        self._handed = {name: between.Handed(table) for name, (table, _) in rows.items()}
        self._queries: dict[str, exp.Select] = {}
        self._settings: dict[str, exp.Expr] = {}
        try:
            for name, (_, types) in rows.items():
                self._queries[name] = between.register(connection, self._row_name(name), self._handed[name], types)
            text = self._reading_rows(statement)
            with planned_quickly(connection, text):
                connection.execute(command("PREPARE", f"{self._name} AS {text}"))
        finally:
            for name in self._handed:
                # An error may have ended the transaction, and the names that were registered in it.
                with suppress(duckdb.Error, RuntimeError):
                    connection.unregister(self._row_name(name))

    def fits(self, rows: Rows) -> bool:
        """Whether rows have the types of those that it was planned with."""
        return self._types == {name: (table.schema, types) for name, (table, types) in rows.items()}

    def hand_over(self, rows: Rows) -> str:
        """Hand over the rows of the next run, and return the text that runs the statement on them."""
        for name, (table, _) in rows.items():
            self._handed[name].table = table
        return command("EXECUTE", self._name)

    def release(self) -> None:
        """Let go of the rows of the last run."""
        for handed in self._handed.values():
            handed.release()

    def drop(self) -> None:
        """Have DuckDB forget the plan."""
        with suppress(duckdb.Error):  # another error may have ended the transaction
            self._connection.execute(command("DEALLOCATE", self._name))

    def _row_name(self, part: str) -> str:
        return f"{self._name}_{part}"

    def _reading_rows(self, statement: Assembled) -> str:
        """The text of the statement with nothing left in it that has DuckDB plan it again."""
        with gc_paused:
            parts = [
                replace(part, query=copied(self._queries[part.name]))
                if part.name in self._queries
                else replace(part, query=self._constant(part.query))
                for part in statement.parts
            ]
            return text(replace(statement, parts=parts, query=self._constant(statement.query)))

    def _constant(self, query: Any) -> Any:
        """A query that reads the values of its parameters from a row, and has the values of settings."""
        query = copied(query)
        for parameter in nodes(query, exp.Parameter):
            value = self._queries[VALUES].selects[int(parameter.name) - 1]
            source = exp.Table(this=exp.to_identifier(self._row_name(VALUES)))
            parameter.replace(exp.select(copied(value)).from_(source).subquery())
        for call in nodes(query, exp.Anonymous):
            if call.name.lower() == "current_setting":
                call.replace(copied(self._setting(call)))
        return query

    def _setting(self, call: exp.Anonymous) -> exp.Expr:
        """The value of a setting as a constant of its type; it stands in each search, and is read once."""
        asked = exp.select(copied(call)).sql("duckdb", normalize_functions=False)
        if asked not in self._settings:
            value, (type_,) = read(self._connection, {VALUES: asked})[VALUES]
            self._settings[asked] = exp.cast(literal(value.column(0)[0].as_py()), type_, dialect="duckdb")
        return self._settings[asked]


def possible(statement: Assembled) -> bool:
    """Whether a plan can be shared: each table is read by a part of its own, and DuckDB 2 runs the statement.

    DuckDB 1 plans a prepared statement on every run, whatever it reads.
    """
    names = {part.name for part in statement.parts}
    read_tables = sources(statement.parts)
    apart = all(names.isdisjoint(part.reads.values()) for part in read_tables)
    return _MAJOR >= 2 and bool(read_tables) and apart


def sources(parts: Sequence[Part]) -> list[Part]:
    """The parts that read the user's tables."""
    return [part for part in parts if part.source is not None]


def read(connection: duckdb.DuckDBPyConnection, texts: Mapping[str, str]) -> Rows:
    """Return the rows of statements by their names."""
    unwarned.ignore("Arrow output on a DB-API result", r"synthpriv_sql\.")
    return {name: between.fetched(connection.execute(asked)) for name, asked in texts.items()}


def row_of(values: Sequence[exp.Expr]) -> str:
    """The statement that gives the values of parameters."""
    named = (exp.alias_(copied(value), f"value_{i}") for i, value in enumerate(values))
    return exp.select(*named).sql("duckdb", normalize_functions=False)


def text(statement: Assembled) -> str:
    """The text of a statement for DuckDB to prepare."""
    with gc_paused:
        return statement.for_duckdb().sql("duckdb", normalize_functions=False, copy=False)


def command(word: str, rest: str) -> str:
    """The text of PREPARE, EXECUTE or DEALLOCATE."""
    return exp.Command(this=word, expression=rest).sql("duckdb")
