"""What a database has to do so that a Session can work on it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from sqlglot import exp

from synthpriv_sql.errors import EngineError
from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.planner.planning import Plan

if TYPE_CHECKING:
    import pyarrow as pa

RUN_ID = "run_id"
"""The column of a table of several runs that has another value in each."""
Progress = Callable[[int, int, str], None]
How = Literal["create", "replace", "append"]
"""What becomes of a table that is there already: an error, a new one in its place, or one with more rows."""


@dataclass(frozen=True, slots=True)
class Moved:
    """What left the engine in a call for the sake of the result, which is not counted: rows, and bytes as Arrow."""

    rows: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class Leaving:
    """What a plan takes out of the engine before its result; rows and bytes as the engine itself expects them."""

    name: str
    columns: Sequence[str]
    rows: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Value:
    """A column that has one value in all rows, with its DuckDB type."""

    name: str
    type: str
    value: Any


@dataclass
class Answer:
    """What an engine gives for a plan.

    ``table`` holds the rows, ``types`` the DuckDB type of each column, ``sql`` what was run, ``seconds`` how long its
    parts took, as far as the engine knows. An engine that leaves the rows where they are has a kind of its own, whose
    `fetch` lets them come.
    """

    table: pa.Table
    types: Sequence[str]
    sql: str
    moved: Moved = Moved()
    seconds: Mapping[str, float] = dataclasses.field(default_factory=dict)

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self.table.column_names)

    @property
    def rows(self) -> int:
        """How many there are."""
        return int(self.table.num_rows)

    def fetch(self, first: int | None = None) -> pa.Table:
        """The rows themselves, or so many first ones."""
        return self.table.slice(0, first)

    def beside(self, values: Sequence[Value]) -> Answer:
        """The same rows, with columns before them that have one value each: texts, and times in UTC."""
        import pyarrow as pa

        table = self.table
        for at, new in enumerate(values):
            type_ = pa.string() if new.type == "VARCHAR" else pa.timestamp("us", "UTC")
            table = table.add_column(at, new.name, pa.array([new.value] * table.num_rows, type_))
        return dataclasses.replace(self, table=table, types=[*(new.type for new in values), *self.types])


class Engine(Protocol):
    """A database, as Session, planning and Result see it.

    ``name`` is how messages call it, ``dialect`` the name that sqlglot has for its SQL. ``apart`` says whether
    groups are run one by one, ``kernel`` where neighbors are searched and forests grown. ``lacks`` has what it cannot
    do although others can (``objects`` and ``files`` as tables, or a function by its name), with the reason.
    """

    name: str
    dialect: str
    apart: bool
    kernel: str
    lacks: Mapping[str, str]

    @property
    def connection(self) -> Any:
        """The user's connection, whatever that is here."""

    def call(self) -> AbstractContextManager[None]:
        """Mark the time of a call, planning included: what is cancelled meanwhile is this call."""

    def relation(self, parameter: str, value: Any) -> Relation:
        """Find the table that a call gives for a parameter, or raise `UnknownTable`."""

    def ask(self, function: Function, given: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """Return the few rows of another call, on which the plan of this one depends."""

    def holding(self, function: Function, given: Mapping[str, Any]) -> AbstractContextManager[Mapping[str, Any]]:
        """Keep Python objects among the tables readable while a call lasts; gives the arguments with their names."""

    def sql(self, plan: Plan) -> str:
        """Return the text of what a plan runs."""

    def leaving(self, plan: Plan) -> str:
        """Say which rows a plan takes out of the engine before its result, and why; empty where it takes none."""

    def crossings(self, plan: Plan) -> Sequence[Leaving]:
        """Say what a plan takes out of the engine before its result, and how much that may be; nothing runs."""

    def run(self, plan: Plan, progress: Progress | None) -> Answer:
        """Run a plan; whatever stops it is raised as a `SynthprivError`."""

    def version(self) -> str:
        """Return the version of the database."""

    def write(self, answer: Answer, name: str, how: How, run: str | None = None) -> None:
        """Write rows into a table, whole or not at all, or raise an `EngineError` with the database's own words.

        Rows of a run, which ``run`` names, are not appended to a table that has them already.
        """

    def cancel(self) -> None:
        """Stop what runs; called from another thread."""

    def close(self) -> None:
        """Close the connection."""


def rows_of_run(table: exp.Table, run: str) -> exp.Select:
    """Return what has a row where a table has rows of a run."""
    found = exp.column(RUN_ID).eq(exp.Literal.string(run))
    return exp.select(exp.alias_(exp.Literal.number(1), "there")).from_(table.copy()).where(found).limit(1)


def check_columns(name: str, there: Sequence[str], new: Sequence[str]) -> None:
    """Raise an `EngineError` where rows cannot be appended to a table, as it has other columns."""
    lacking = sorted(set(new) - set(there))
    others = sorted(set(there) - set(new))
    if lacking or others:
        said = [f"it lacks {', '.join(lacking)}"] * bool(lacking) + [f"it also has {', '.join(others)}"] * bool(others)
        raise EngineError(
            f"rows are appended to a table of the same columns, and {' and '.join(said)}; the first run of a function "
            "with append makes the table that later ones are appended to"
        )
