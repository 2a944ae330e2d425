"""A database over a connection as an engine: aggregates and joins run there, the kernel in a private DuckDB."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import RLock
from typing import Any

from sqlglot import exp

from synthpriv_sql import errors
from synthpriv_sql.dialects import DIALECTS, IN_SESSIONS
from synthpriv_sql.dialects.base import IN_PYTHON
from synthpriv_sql.engines.base import Answer, How, Leaving, Moved
from synthpriv_sql.engines.cut import Cut, cut, shown
from synthpriv_sql.engines.duckdb.writing import lost_in_arrow
from synthpriv_sql.engines.remote.connection import Connection
from synthpriv_sql.engines.remote.driver import Driver
from synthpriv_sql.engines.remote.lookup import Lookup
from synthpriv_sql.engines.remote.workbench import Workbench
from synthpriv_sql.engines.remote.writing import Writer
from synthpriv_sql.planner import planning
from synthpriv_sql.planner.columns import nested
from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.planner.planning import Plan
from synthpriv_sql.planner.statement.lists import own_name
from synthpriv_sql.progress import Progress

_LISTS = (exp.Struct, exp.Array, exp.ArrayAgg, exp.ArrayFilter, exp.Explode, exp.Unnest)


@dataclass
class RemoteAnswer(Answer):
    """Rows, with the origin of columns that are the user's own: column of the result → relation and its column."""

    own: Mapping[str, tuple[Relation, str]] = field(default_factory=dict)


class Remote:
    """A database; it is only read, unless the user writes a result. Each database has a subclass.

    Parameters
    ----------
    driver
        How the database is reached.
    read_only
        Whether to refuse writing results.
    **config
        Settings of the private DuckDB, such as ``threads=2`` or ``memory_limit="2GB"``.

    Raises
    ------
    EngineError
        The database cannot be reached, or refuses the connection.
    """

    name: str
    dialect: str
    version_statement: str
    """The name of the statement that asks for the version."""
    apart = False
    kernel = "in a DuckDB beside it, on rows that leave"
    lacks: Mapping[str, str]
    no_lists = ""
    """Why queries that build lists or structs run beside the database, if they do."""
    lookup: type[Lookup]
    writer: type[Writer]

    def __init__(self, driver: Driver, read_only: bool = False, **config: Any) -> None:
        self._connection = Connection(driver)
        self._lookup = self.lookup(self._connection)
        self._written = IN_SESSIONS.get(self.dialect) or DIALECTS[self.dialect]
        self._read_only = read_only
        self._exact = False
        self._pieces: tuple[Plan, Cut] | None = None
        self._lock = RLock()
        try:
            _ = self._connection.opened
            self._workbench = Workbench(**config)
        except BaseException:
            self._connection.close()
            raise

    def __repr__(self) -> str:
        return f"<{self.name} at {self._connection.address.shown}>"

    # --- what a database says of itself

    def _reasons(self, statement: exp.Query) -> Callable[[exp.Query], str | None]:
        """Return what says why the database cannot run a query of a statement."""
        return self._why_local

    def _why_local(self, query: exp.Query) -> str | None:
        """Return why the database cannot run a query, or None."""
        for call in query.find_all(exp.Anonymous):
            if call.name in IN_PYTHON:
                return f"{IN_PYTHON[call.name]}, which does not run in {self.name}"
        return self._lacking(query)

    def _lacking(self, query: exp.Query) -> str | None:
        """Return what a query needs that the database's SQL lacks, or None."""
        if self.no_lists and query.find(*_LISTS) is not None:
            return self.no_lists
        try:
            self._written.rewritten(query.copy())
        except errors.NotInDialect as lacking:
            return f"needs what {self.name} lacks ({str(lacking).partition(': ')[2]})"
        return None

    def _expected(self, crossing: exp.Query) -> tuple[int, int]:
        """Return estimates of a query: its number of rows, and bytes per row. Here rows are counted."""
        counted = exp.select(exp.alias_(exp.Count(this=exp.Star()), "rows")).from_(crossing.subquery("counted"))
        (row,) = self._connection.rows(self._written.write(counted))
        return int(row["rows"]), 8 * len(crossing.named_selects)

    # --- the engine

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
        """Find the table that a call names; see `synthpriv_sql.engines.remote.lookup.Lookup.find`."""
        table, entries = nested.entries_of(value)
        return nested.applied(self._lookup.find(parameter, table, self._exact), entries)

    def read_alike(self, function: Function, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments as they are: tables have types here."""
        return dict(given)

    def ask(self, function: Function, given: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the few rows of another call, read from the same snapshot of the database."""
        plan = planning.plan(self, function, given)
        pieces = self._cut(plan)
        if pieces.local is None:
            return self._connection.rows(self._written.write(pieces.crossings[0].query))
        with self._workbench.like(plan.relations) as like:
            self._fetch(pieces, like)
            rows: list[dict[str, Any]] = self._workbench.run(pieces.local, None).table.to_pylist()
            return rows

    def _fetch(self, pieces: Cut, like: Mapping[exp.Table, str]) -> Moved:
        """Load what crosses into tables of the workbench."""
        moved = Moved()
        for crossing in pieces.crossings:
            types = self._workbench.types(crossing.query, like)
            batches = self._connection.batches(self._written.write(crossing.query), list(types.values()))
            read = self._workbench.load(crossing, types, batches, self._connection.driver.plain)
            moved = Moved(moved.rows + read.rows, moved.bytes + read.bytes)
        return moved

    def few(self, query: exp.Query) -> list[dict[str, Any]]:
        """Return the rows of a query, in the database's own dialect, that has few."""
        return self._connection.rows(query.sql(self.dialect))

    def sql(self, plan: Plan) -> str:
        """Return the SQL of a plan: the statements for the database, then the one for DuckDB."""
        return self._text(self._cut(plan))

    def _cut(self, plan: Plan) -> Cut:
        if self._pieces is None or self._pieces[0] is not plan:
            tree = plan.statement.tree()
            self._pieces = (plan, cut(tree, self._reasons(tree)))
        return self._pieces[1]

    def leaving(self, plan: Plan) -> str:
        """Describe what a plan would take out of the database, and why."""
        return self._cut(plan).leaving()

    def crossings(self, plan: Plan) -> Sequence[Leaving]:
        """Return the rows that leave the database, with its estimates."""
        pieces = self._cut(plan)
        if pieces.local is None:
            return ()
        found = []
        for crossing in pieces.crossings:
            with self._stoppable():
                rows, width = self._expected(crossing.query)
            found.append(Leaving(crossing.name, shown(crossing.query), rows, rows * width))
        return found

    def expects(self, plan: Plan) -> Mapping[str, int] | None:
        """Unknown: the tables would have to be read once more."""
        return None

    def run(self, plan: Plan, progress: Progress | None) -> Answer:
        """Run a plan: in the database where possible, the rest in DuckDB on the fetched rows."""
        pieces = self._cut(plan)
        begun = time.monotonic()
        with self._workbench.like(plan.relations) as like:
            moved = self._fetch(pieces, like)
            # A search may take long; the server need not keep the snapshot for it.
            self._connection.end()
            taken = {f"in {self.name}": time.monotonic() - begun}
            last = pieces.local if pieces.local is not None else exp.select("*").from_(pieces.crossings[-1].name)
            lossy = any(lost_in_arrow(column.held) for relation in plan.relations for column in relation.columns)
            answer = self._workbench.run(last, progress, lossy)
        # The result leaves in any case and is not counted.
        moved = moved if pieces.local is not None else Moved()
        seconds = {**taken, **answer.seconds}
        return RemoteAnswer(answer.table, answer.types, self._text(pieces), moved, seconds, _own(plan))

    def version(self) -> str:
        """Return the version of the server."""
        with self._stoppable():
            return str(self._connection.rows(catalog.statement(self.version_statement))[0]["version"])

    def write(self, answer: Answer, name: str, how: How, run: str | None = None) -> None:
        """Write rows into a table."""
        if self._read_only:
            raise errors.EngineError("the session is read-only; connect without read_only to write")
        with self._stoppable():
            own = answer.own if isinstance(answer, RemoteAnswer) else {}
            self.writer(self._connection, self._lookup, self._workbench.connection, answer, own).write(name, how, run)

    def drop(self, name: str) -> None:
        """Drop a table, if it is there."""
        if self._read_only:
            raise errors.EngineError("the session is read-only; connect without read_only to drop a table")
        table = exp.to_table(name, dialect=self.dialect)
        with self._stoppable(), self._connection.transaction(write=True):
            self._connection.execute(exp.Drop(tables=[table], kind="TABLE", exists=True).sql(self.dialect))

    def cancel(self) -> None:
        """Stop the running call, in the database or in DuckDB."""
        self._workbench.engine.cancel()
        self._connection.cancel()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
        self._workbench.close()

    def _text(self, pieces: Cut) -> str:
        """The statements of both engines, one after the other."""
        if pieces.local is None:
            return self._written.write(pieces.crossings[0].query)
        texts = [f"-- {c.name}, in {self.name}\n{self._written.write(c.query)}" for c in pieces.crossings]
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
