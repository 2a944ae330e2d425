"""One plan for all groups of a call: a prepared statement that is planned once and run for one group after another.

DuckDB plans a prepared statement again on every run if it reads a table, has parameters or reads a setting, and for a
small group planning takes longer than everything else. The statement here does none of these: the rows of a group are
read by statements of their own and handed over as Arrow, and so are the values of the group.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import duckdb
from sqlglot import exp

from synthpriv_sql.engines import unwarned
from synthpriv_sql.engines.duckdb import between
from synthpriv_sql.engines.duckdb.optimizing import planned_quickly
from synthpriv_sql.planner.columns.partitions import Group
from synthpriv_sql.planner.statement.parts import Assembled, Part, gc_paused
from synthpriv_sql.planner.statement.trees import copied, literal, nodes

if TYPE_CHECKING:
    import pyarrow as pa

_MAJOR = int(duckdb.__version__.split(".")[0])


class _Rows:
    """The rows of the group that runs now; DuckDB reads them from the start on every scan."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def __arrow_c_schema__(self) -> Any:
        return self.table.schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)


class SharedPlan:
    """The statement of a call with groups, ready to run.

    Parameters
    ----------
    connection
        Where the tables are.
    statement
        The statement, with the values of a group as parameters in the parts that read the user's tables.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, statement: Assembled) -> None:
        self._connection = connection
        self._statement = statement
        self._token = f"synthpriv_{uuid.uuid4().hex}"
        self._run = f"{self._token}_run"
        self._sources = {f"{self._token}_{part.name}": part for part in _sources(statement)}
        self._rows: dict[str, _Rows] = {}
        self._queries: dict[str, exp.Select] = {}
        self._settings: dict[str, exp.Expr] = {}
        self._prepared: list[str] = []
        self._loaded: Group | None = None

    @contextmanager
    def ready(self, first: Group) -> Iterator[Callable[[Group], str]]:
        """Prepare the statement, and drop it at the end.

        Yields
        ------
        Callable
            Hands the rows of a group over, and returns the text that runs the statement on them.
        """
        try:
            with between.one_state(self._connection):
                for name, part in self._sources.items():
                    self._prepare(name, _text(Assembled((), part.query, ())))  # type: ignore[arg-type]
                for name, text in self._reads(first).items():
                    table, types = self._read(text)
                    self._rows[name] = _Rows(table)
                    self._queries[name] = between.register(self._connection, name, self._rows[name], types)
                self._loaded = first
                self._prepare(self._run, self._reading_rows())
                yield self._hand_over
        finally:
            # An error may have ended the transaction, and the names that were registered in it.
            for name in self._rows:
                with suppress(duckdb.Error, RuntimeError):
                    self._connection.unregister(name)
            for name in self._prepared:
                with suppress(duckdb.Error):
                    self._connection.execute(_command("DEALLOCATE", name))

    def _prepare(self, name: str, text: str) -> None:
        with planned_quickly(self._connection, text):
            self._connection.execute(_command("PREPARE", f"{name} AS {text}"))
        self._prepared.append(name)

    def _hand_over(self, group: Group) -> str:
        if group is not self._loaded:
            for name, text in self._reads(group).items():
                self._rows[name].table = self._read(text)[0]
            self._loaded = group
        return _command("EXECUTE", self._run)

    def _reads(self, group: Group) -> dict[str, str]:
        """The statements that read the rows of a group, and its values, by the names that these are registered by."""
        values = exp.select(*(exp.alias_(copied(value), f"value_{i}") for i, value in enumerate(group.values)))
        reads = {
            name: _command(
                "EXECUTE", exp.Anonymous(this=name, expressions=[copied(v) for v in group.values]).sql("duckdb")
            )
            for name in self._sources
        }
        return {**reads, self._token: values.sql("duckdb", normalize_functions=False)}

    def _read(self, text: str) -> tuple[pa.Table, list[str]]:
        unwarned.ignore("Arrow output on a DB-API result", r"synthpriv_sql\.")
        return between.fetched(self._connection.execute(text))

    def _reading_rows(self) -> str:
        """The text of the statement with nothing left in it that has DuckDB plan it again."""
        names = {part.name: name for name, part in self._sources.items()}
        parts = [
            replace(part, query=copied(self._queries[names[part.name]]))
            if part.name in names
            else replace(part, query=self._constant(part.query))
            for part in self._statement.parts
        ]
        return _text(replace(self._statement, parts=parts, query=self._constant(self._statement.query)))

    def _constant(self, query: Any) -> Any:
        """A query that reads the values of the group from a row, and has the values of settings."""
        query = copied(query)
        for parameter in nodes(query, exp.Parameter):
            value = self._queries[self._token].selects[int(parameter.name) - 1]
            parameter.replace(exp.select(copied(value)).from_(_table(self._token)).subquery())
        for call in nodes(query, exp.Anonymous):
            if call.name.lower() == "current_setting":
                call.replace(copied(self._setting(call)))
        return query

    def _setting(self, call: exp.Anonymous) -> exp.Expr:
        """The value of a setting as a constant of its type; it stands in each search, and is read once."""
        text = exp.select(copied(call)).sql("duckdb", normalize_functions=False)
        if text not in self._settings:
            value, (type_,) = self._read(text)
            self._settings[text] = exp.cast(literal(value.column(0)[0].as_py()), type_, dialect="duckdb")
        return self._settings[text]


def possible(statement: Assembled) -> bool:
    """Whether groups can share a plan: each table is read by a part of its own, and DuckDB 2 runs them.

    DuckDB 1 plans a prepared statement on every run, whatever it reads.
    """
    names = {part.name for part in statement.parts}
    sources = _sources(statement)
    apart = all(names.isdisjoint(part.reads.values()) for part in sources)
    return _MAJOR >= 2 and bool(sources) and apart


def _sources(statement: Assembled) -> Sequence[Part]:
    return [part for part in statement.parts if part.source is not None]


def _table(name: str) -> exp.Table:
    return exp.Table(this=exp.to_identifier(name))


def _text(statement: Assembled) -> str:
    with gc_paused:
        return statement.for_duckdb().sql("duckdb", normalize_functions=False, copy=False)


def _command(word: str, rest: str) -> str:
    return exp.Command(this=word, expression=rest).sql("duckdb")
