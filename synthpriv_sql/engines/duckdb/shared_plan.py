"""A statement that DuckDB plans once and runs on the rows of one group after another.

DuckDB plans a prepared statement again on every run if it reads a table, a file or Arrow, has parameters or reads a
setting, and for few rows planning takes longer than everything else. The statement here does none of these: a function
that exists as long as the plan returns the rows of the current group, which statements of their own have read, and
another one the values of its parameters. If DuckDB plans it again nevertheless, only time is lost.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import duckdb
from duckdb.func import FunctionNullHandling, PythonUDFType
from sqlglot import exp

from synthpriv_sql.engines import unwarned
from synthpriv_sql.engines.duckdb import between
from synthpriv_sql.engines.duckdb.optimizing import planned_quickly
from synthpriv_sql.planner.statement.parts import Assembled, Part, gc_paused
from synthpriv_sql.planner.statement.trees import copied, literal, nodes
from synthpriv_sql.planner.statement.writing import duckdb_text

if TYPE_CHECKING:
    import pyarrow as pa

_MAJOR = int(duckdb.__version__.split(".")[0])
ROWS = 5_000
"""Up to how many rows of a group, of all tables together: beyond, planning is less than a tenth of a run, and DuckDB
returns the rows of a function in one thread."""
_ROW = "row_given"
VALUES = ""
"""The name of the row with the values of parameters, which no part has."""
Rows = Mapping[str, "tuple[pa.Table, list[str]]"]
"""The rows that a run reads, and their types, by the name of the part; the values of parameters as `VALUES`."""


class SharedPlan:
    """A prepared statement, and the functions that return its rows.

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
        self._given = {name: _Given(table) for name, (table, _) in rows.items()}
        self._created: list[str] = []
        self._queries: dict[str, exp.Select] = {}
        self._settings: dict[str, exp.Expr] = {}
        try:
            for name, (_, types) in rows.items():
                self._queries[name] = self._create(name, types)
            text = self._reading_rows(statement)
            with planned_quickly(connection, text):
                connection.execute(command("PREPARE", f"{self._name} AS {text}"))
        except BaseException:
            self.drop()
            raise

    def _create(self, part: str, types: Sequence[str]) -> exp.Select:
        """Create the function that returns the rows of a part, and return the query that reads them."""
        name = f"{self._name}_{len(self._created)}"
        given = self._given[part]
        fields = (f"{place} {type_}" for place, type_ in zip(given.places, types, strict=True))
        # With side effects: DuckDB neither evaluates it while it plans nor keeps its rows.
        self._connection.create_function(
            name,
            given,
            None,
            f"STRUCT({', '.join(fields)})[]",
            type=PythonUDFType.ARROW,
            null_handling=FunctionNullHandling.SPECIAL,
            side_effects=True,
        )
        self._created.append(name)
        called = exp.Anonymous(this=name, expressions=[exp.true()])
        rows = exp.select(exp.alias_(exp.Anonymous(this="unnest", expressions=[called]), _ROW))
        names = given.table.column_names
        cells = (
            exp.Anonymous(this="struct_extract", expressions=[exp.column(_ROW), exp.Literal.string(place)])
            for place in given.places
        )
        columns = (exp.alias_(cell, column, quoted=True) for cell, column in zip(cells, names, strict=True))
        return exp.select(*columns).from_(rows.subquery("given"))

    def hand_over(self, rows: Rows) -> str:
        """Hand over the rows of the next run, and return the text that runs the statement on them."""
        for name, (table, _) in rows.items():
            self._given[name].table = table
        return command("EXECUTE", self._name)

    def drop(self) -> None:
        """Have DuckDB forget the plan and the functions."""
        with suppress(duckdb.Error):  # another error may have ended the transaction, and with it the functions
            self._connection.execute(command("DEALLOCATE", self._name))
        for name in self._created:
            with suppress(duckdb.Error):
                self._connection.remove_function(name)
        for given in self._given.values():
            given.table = given.table.schema.empty_table()

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
            row = copied(self._queries[VALUES])
            row.set("expressions", [row.selects[int(parameter.name) - 1]])
            parameter.replace(row.subquery(copy=False))
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


class _Given:
    """A function that returns the current rows: a list of structs for each row of its argument."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table
        self.places = [f"column_{i}" for i in range(table.num_columns)]

    def __call__(self, argument: Any) -> Any:
        import pyarrow as pa

        rows = self.table.rename_columns(self.places).to_struct_array().combine_chunks()
        offsets = pa.array([i * len(rows) for i in range(len(argument) + 1)], pa.int32())
        return pa.ListArray.from_arrays(offsets, pa.concat_arrays([rows] * len(argument)))


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
        return duckdb_text(statement.for_duckdb())


def command(word: str, rest: str) -> str:
    """The text of PREPARE, EXECUTE or DEALLOCATE."""
    return exp.Command(this=word, expression=rest).sql("duckdb")
