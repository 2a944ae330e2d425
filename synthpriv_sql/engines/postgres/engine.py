"""PostgreSQL as an engine: aggregates and joins run there, the kernel in a private DuckDB."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import RLock
from typing import Any

from sqlglot import exp

from synthpriv_sql import errors
from synthpriv_sql.dialects import render
from synthpriv_sql.dialects.base import IN_PYTHON
from synthpriv_sql.engines.base import Answer, How, Leaving, Moved
from synthpriv_sql.engines.cut import Cut, cut, shown
from synthpriv_sql.engines.postgres import address, lookup
from synthpriv_sql.engines.postgres.connection import Connection
from synthpriv_sql.engines.postgres.workbench import Workbench
from synthpriv_sql.engines.postgres.writing import write_table
from synthpriv_sql.planner import planning
from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.planner.planning import Plan
from synthpriv_sql.planner.statement.lists import own_name
from synthpriv_sql.progress import Progress


@dataclass
class PostgresAnswer(Answer):
    """Rows, with the origin of columns that are the user's own: column of the result → relation and its column."""

    own: Mapping[str, tuple[Relation, str]] = field(default_factory=dict)


class Postgres:
    """A PostgreSQL database; it is only read, unless the user writes a result.

    Parameters
    ----------
    url
        ``postgresql://user:password@host:port/database``; see `synthpriv_sql.engines.postgres.address`.
    read_only
        Whether to refuse writing results.
    **config
        Settings of the private DuckDB, such as ``threads=2`` or ``memory_limit="2GB"``.

    Raises
    ------
    OptionError
        The URL cannot be read, or the driver is not installed.
    EngineError
        The server cannot be reached, or refuses the connection.
    """

    name = "PostgreSQL"
    dialect = "postgres"
    apart = False
    kernel = "in a DuckDB beside it, on rows that leave"
    lacks = lookup.LACKS

    def __init__(self, url: str, read_only: bool = False, **config: Any) -> None:
        self._connection = Connection(address.read(url))
        self._read_only = read_only
        self._exact = False
        self._lock = RLock()
        try:
            _ = self._connection.opened
            self._workbench = Workbench(**config)
        except BaseException:
            self._connection.close()
            raise

    def __repr__(self) -> str:
        return f"<PostgreSQL at {self._connection.address.shown}>"

    @property
    def connection(self) -> Any:
        """The driver's connection (DB-API 2.0, with autocommit)."""
        return self._connection.opened

    @contextmanager
    def call(self) -> Iterator[None]:
        """Enclose a call, which reads all tables from one snapshot of the database."""
        with self._stoppable(), self._connection.transaction():
            yield

    @contextmanager
    def _stoppable(self) -> Iterator[None]:
        # One transaction at a time: any thread may write a result.
        with self._lock, self._workbench.engine.call():
            self._connection.cancelled = self._workbench.engine.cancelled()
            try:
                yield
            finally:
                self._connection.cancelled = lambda: False

    @contextmanager
    def holding(self, function: Function, given: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        """Note the function: values of a table that it returns, or new values of their types, keep every digit."""
        self._exact = bool(function.columns_of) or function.exact
        yield given

    def relation(self, parameter: str, value: Any) -> Relation:
        """Find the table that a call names; see `synthpriv_sql.engines.postgres.lookup.find`."""
        return lookup.find(self._connection, parameter, value, self._exact)

    def read_alike(self, function: Function, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments as they are: tables have types here."""
        return dict(given)

    def ask(self, function: Function, given: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the few rows of another call, read from the same snapshot of the database."""
        return self._connection.rows(render(planning.plan(self, function, given).statement.tree(), self.dialect))

    def sql(self, plan: Plan) -> str:
        """Return the SQL of a plan: the statements for PostgreSQL, then the one for DuckDB."""
        return _text(self._cut(plan))

    def _cut(self, plan: Plan) -> Cut:
        return cut(plan.statement.tree(), _why_local)

    def leaving(self, plan: Plan) -> str:
        """Describe what a plan would take out of PostgreSQL, and why."""
        return self._cut(plan).leaving()

    def crossings(self, plan: Plan) -> Sequence[Leaving]:
        """Return the rows that leave PostgreSQL, with its planner's row estimates."""
        pieces = self._cut(plan)
        if pieces.local is None:
            return ()
        found = []
        for crossing in pieces.crossings:
            with self._stoppable():
                rows, width = self._connection.expected(render(crossing.query, self.dialect))
            found.append(Leaving(crossing.name, shown(crossing.query), rows, rows * width))
        return found

    def run(self, plan: Plan, progress: Progress | None) -> Answer:
        """Run a plan: in PostgreSQL where possible, the rest in DuckDB on the fetched rows."""
        pieces = self._cut(plan)
        moved = Moved()
        begun = time.monotonic()
        with self._workbench.like(plan.relations) as like:
            for crossing in pieces.crossings:
                types = self._workbench.types(crossing.query, like)
                batches = self._connection.batches(render(crossing.query, self.dialect))
                read = self._workbench.load(crossing, types, batches)
                moved = Moved(moved.rows + read.rows, moved.bytes + read.bytes)
            # A search may take long; the server need not keep the snapshot for it.
            self._connection.end()
            taken = {"in PostgreSQL": time.monotonic() - begun}
            last = pieces.local if pieces.local is not None else exp.select("*").from_(pieces.crossings[-1].name)
            answer = self._workbench.run(last, progress)
        # The result leaves in any case and is not counted.
        moved = moved if pieces.local is not None else Moved()
        seconds = {**taken, **answer.seconds}
        return PostgresAnswer(answer.table, answer.types, _text(pieces), moved, seconds, _own(plan))

    def version(self) -> str:
        """Return the version of the server."""
        with self._stoppable():
            return str(self._connection.rows(catalog.statement("postgres_version"))[0]["version"])

    def write(self, answer: Answer, name: str, how: How, run: str | None = None) -> None:
        """Write rows into a table whose name includes its schema."""
        if self._read_only:
            raise errors.EngineError("the session is read-only; connect without read_only to write")
        with self._stoppable():
            own = answer.own if isinstance(answer, PostgresAnswer) else {}
            write_table(self._connection, self._workbench.connection, answer, own, name, how, run)

    def cancel(self) -> None:
        """Stop the running call, in PostgreSQL or in DuckDB."""
        self._workbench.engine.cancel()
        self._connection.cancel()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
        self._workbench.close()


def _why_local(query: exp.Query) -> str | None:
    """Return why PostgreSQL cannot run a query, or None."""
    for call in query.find_all(exp.Anonymous):
        if call.name in IN_PYTHON:
            return f"{IN_PYTHON[call.name]}, which does not run in PostgreSQL"
    if query.find(exp.Struct) is not None:
        return "builds structs, which PostgreSQL supports only for types that were created"
    return None


def _text(pieces: Cut) -> str:
    """The statements of both engines, one after the other."""
    if pieces.local is None:
        return render(pieces.crossings[0].query, Postgres.dialect)
    texts = [f"-- {c.name}, in PostgreSQL\n{render(c.query, Postgres.dialect)}" for c in pieces.crossings]
    local = pieces.local.sql("duckdb", pretty=True, normalize_functions=False)
    return ";\n\n".join([*texts, f"-- on these rows, in DuckDB\n{local}"])


def _own(plan: Plan) -> Mapping[str, tuple[Relation, str]]:
    """The columns of the result that come from the user's tables, with their relation and column."""
    by_parameter = {relation.parameter: relation for relation in plan.relations}
    found = {}
    for projection in plan.statement.query.expressions:
        name = projection.alias_or_name
        # A key may belong to several relations.
        for column in projection.find_all(exp.Column):
            own = own_name(column.name)
            key = by_parameter.get(column.table.partition("keys_")[2])
            if own is not None:
                found[name] = (plan.relations[0], own)
            elif key is not None and column.name == "key":
                found[name] = (key, key.by_name[plan.options["key"].lower()].name)
    return found
