"""The interface between a Session and a database."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Protocol

from sqlglot import exp

from synthpriv_sql.errors import EngineError
from synthpriv_sql.planner.database import Database
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.planner.planning import Plan
from synthpriv_sql.progress import Progress

if TYPE_CHECKING:
    import pyarrow as pa

RUN_ID = "run_id"
"""The column that identifies the run in a table that collects several runs."""
How = Literal["create", "replace", "append"]
"""How to treat an existing table: raise an error, replace it, or append to it."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The data that left the engine during a call, without the result: rows, and bytes as Arrow."""

    rows: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class Leaving:
    """Data that a plan takes out of the engine before its result; rows and bytes are the engine's own estimates."""

    name: str
    columns: Sequence[str]
    rows: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Value:
    """A column with the same value in all rows, with its DuckDB type."""

    name: str
    type: str
    value: Any


@dataclass
class Answer:
    """The result of running a plan on an engine.

    ``table`` holds the rows, ``types`` the DuckDB type of each column, ``statement`` what was run, as text or as the
    function that writes it, ``seconds`` the duration of its parts, as far as the engine knows them. An engine that
    leaves the rows in the database has a subclass, which transfers them in `fetch`.
    """

    table: pa.Table
    types: Sequence[str]
    statement: str | Callable[[], str]
    moved: Moved = Moved()
    seconds: Mapping[str, float] = dataclasses.field(default_factory=dict)

    @cached_property
    def sql(self) -> str:
        """The text of the statement that was run."""
        return self.statement if isinstance(self.statement, str) else self.statement()

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self.table.column_names)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return int(self.table.num_rows)

    def fetch(self, first: int | None = None) -> pa.Table:
        """Return all rows, or the first ``first``."""
        return self.table.slice(0, first)

    def beside(self, values: Sequence[Value]) -> Answer:
        """Return the rows with constant columns (text, or timestamps in UTC) put before the others."""
        import pyarrow as pa

        table = self.table
        for at, new in enumerate(values):
            type_ = pa.string() if new.type == "VARCHAR" else pa.timestamp("us", "UTC")
            table = table.add_column(at, new.name, pa.array([new.value] * table.num_rows, type_))
        return dataclasses.replace(self, table=table, types=[*(new.type for new in values), *self.types])


class Engine(Database, Protocol):
    """A database, as Session and Result see it.

    ``name`` is its name in messages, ``kernel`` says where neighbors are searched and forests grown. ``lacks`` maps
    what can be a table on other engines and not on this one (``objects``, ``files``, ``csv``) to the reason; a
    function's header says which engines do not run it (``not_on``).
    """

    name: str
    kernel: str
    lacks: Mapping[str, str]

    @property
    def connection(self) -> Any:
        """The user's connection; its type depends on the engine."""

    def call(self) -> AbstractContextManager[None]:
        """Enclose a call, including its planning: `cancel` stops the enclosed call."""

    def read_alike(self, function: Function, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of a call with files that are read as the other tables of the call decide."""

    def holding(self, function: Function, given: Mapping[str, Any]) -> AbstractContextManager[Mapping[str, Any]]:
        """Make the Python objects among the arguments readable as tables during a call; yields the arguments by
        name.
        """

    def few(self, query: exp.Query) -> list[dict[str, Any]]:
        """Return the rows of a query, in the database's own dialect, that has few."""

    def sql(self, plan: Plan) -> str:
        """Return the SQL that a plan runs, as text."""

    def leaving(self, plan: Plan) -> str:
        """Describe which rows a plan takes out of the engine before its result, and why; empty if none."""

    def crossings(self, plan: Plan) -> Sequence[Leaving]:
        """Return the rows that would leave the engine before the result, with estimated sizes; run nothing."""

    def expects(self, plan: Plan) -> Mapping[str, int] | None:
        """How many rows the tables of a plan have, roughly; None where that would read them once more."""

    def run(self, plan: Plan, progress: Progress | None) -> Answer:
        """Run a plan; every failure is raised as a `SynthprivError`."""

    def version(self) -> str:
        """Return the version of the database."""

    def write(self, answer: Answer, name: str, how: How, run: str | None = None) -> None:
        """Write rows into a table atomically, or raise an `EngineError` with the database's message.

        Rows of the run ``run`` are not appended to a table that already contains that run.
        """

    def drop(self, name: str) -> None:
        """Drop a table, if it is there."""

    def cancel(self) -> None:
        """Stop the running call; called from another thread."""

    def close(self) -> None:
        """Close the connection."""


def rows_of_run(table: exp.Table, run: str) -> exp.Select:
    """Return a query that gives one row if the table contains rows of the run."""
    found = exp.column(RUN_ID).eq(exp.Literal.string(run))
    return exp.select(exp.alias_(exp.Literal.number(1), "there")).from_(table.copy()).where(found).limit(1)


def check_columns(name: str, there: Sequence[str], new: Sequence[str]) -> None:
    """Raise an `EngineError` if rows cannot be appended to a table because its columns differ."""
    lacking = sorted(set(new) - set(there))
    others = sorted(set(there) - set(new))
    if lacking or others:
        problems = [f"it lacks {', '.join(lacking)}"] * bool(lacking)
        problems += [f"it also has {', '.join(others)}"] * bool(others)
        raise EngineError(
            f"rows are appended to a table of the same columns, and {' and '.join(problems)}; the first run of a "
            "function with append makes the table that later ones are appended to"
        )
