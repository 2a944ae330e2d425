"""DuckDB as an engine: the functions are registered in the user's database, which runs whole statements."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import duckdb
from sqlglot import exp

from synthpriv_sql import errors, interrupts
from synthpriv_sql.durations import Durations
from synthpriv_sql.engines import unwarned
from synthpriv_sql.engines.base import Answer, How, Leaving
from synthpriv_sql.engines.duckdb import between, expected, frames, groups, registration, shared_plan, stages
from synthpriv_sql.engines.duckdb.files import copies, failures
from synthpriv_sql.engines.duckdb.lake import find as lake
from synthpriv_sql.engines.duckdb.lookup import Lookup, table_name
from synthpriv_sql.engines.duckdb.optimizing import planned_quickly
from synthpriv_sql.engines.duckdb.writing import arrow_rows, kept_in_arrow, lost_in_arrow, write_table
from synthpriv_sql.planner.columns import nested
from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.planner.planning import Plan
from synthpriv_sql.planner.statement.writing import duckdb_text
from synthpriv_sql.progress import Progress

if TYPE_CHECKING:
    from synthpriv_sql.engines.duckdb.lake.streams import Stream


class DuckDB(Lookup):
    """A connection on which the functions are registered.

    Parameters
    ----------
    connection
        Stays the caller's; only `close` closes it.
    """

    kernel = "in DuckDB, inside the statement"
    lacks: Mapping[str, str] = MappingProxyType({})

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._registration = registration.register(connection)
        super().__init__(connection, macros=self._registration.macros)
        self._streams: dict[str, Stream] = {}
        """The streams among the tables of the current call, by their names in DuckDB."""
        self._given: frozenset[str] = frozenset()
        """The names in DuckDB of all Python objects and streams among its tables."""
        self._labels: dict[str, str] = {}
        """The names of the Python objects among them in messages."""

    @contextmanager
    def call(self) -> Iterator[None]:
        """Enclose a call."""
        interrupts.watch()
        try:
            with self._registration.call():
                yield
        except (duckdb.Error, RuntimeError, KeyboardInterrupt) as error:
            stopped = errors.from_database(error)
            if isinstance(stopped, errors.EngineError):
                stopped = failures.plain(str(error)) or stopped
            if isinstance(stopped, errors.Cancelled):
                # DuckDB 1 does not wait for running functions; this statement does. It may be cancelled as well.
                with suppress(duckdb.InterruptException):
                    self.connection.execute(catalog.statement("python_names")).fetchall()
            raise stopped from None

    @contextmanager
    def holding(self, function: Function, given: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        """Register the Python objects and the streams among the tables during a call."""
        named = dict(given)
        registered: dict[str | int, str] = {}
        try:
            for parameter in function.relations:
                value, entries = nested.entries_of(named.get(parameter.name))
                if isinstance(value, os.PathLike):
                    value = os.fspath(value)
                    named[parameter.name] = nested.flat(value, entries)
                if value is None or (isinstance(value, str) and not lake.is_named(value)):
                    continue
                key = value if isinstance(value, str) else id(value)
                if key not in registered:
                    name = f"given_as_{parameter.name}"
                    stream = lake.stream(parameter.name, value)
                    frames.register(self.connection, name, parameter.name, value if stream is None else stream)
                    registered[key] = name
                    kind = f"a {type(value).__module__.partition('.')[0]} {type(value).__name__}"
                    self._labels[name] = f"{function.several.get(parameter.name, parameter.name)} ({kind})"
                    if stream is not None:
                        self._streams[name] = stream
                named[parameter.name] = nested.flat(registered[key], entries)
            self._given = frozenset(registered.values())
            yield named
        finally:
            self._streams.clear()
            self._given = frozenset()
            self._labels.clear()
            for name in registered.values():
                self.connection.unregister(name)

    @property
    def threads(self) -> int:
        """How many threads the database uses."""
        ((threads,),) = self.connection.execute(catalog.statement("threads")).fetchall()
        return int(threads)

    def expects(self, plan: Plan) -> dict[str, int]:
        """Return how many rows each table of a plan is expected to have, by parameter; none is read."""
        return {one.parameter: expected.rows(self.connection, [one]) for one in plan.relations}

    @property
    def searches(self) -> Any:
        """What runs the searches of calls inside SQL, see `synthpriv_sql.remedies.calling`; None if nothing does."""
        return self._registration.searches

    @searches.setter
    def searches(self, searches: Any) -> None:
        self._registration.searches = searches

    def judges(self, judge: Callable[[list[Any]], Any]) -> None:
        """Take what gives the verdict on rows of `evaluate` inside SQL."""
        self._registration.judge = judge

    def relation(self, parameter: str, value: Any) -> Relation:
        """Find the table that a call names, as `Lookup` does; Python objects keep the caller's name in messages."""
        found = super().relation(parameter, value)
        if value in self._streams:
            return replace(found, label=self._streams[value].label)
        return replace(found, label=self._labels[value]) if value in self._labels else found

    def _is_base_table(self, node: exp.Table) -> bool:
        return node.name not in self._given and super()._is_base_table(node)

    def sql(self, plan: Plan) -> str:
        """Return the SQL of a plan, with a note if it needs registered functions; streams appear as their files."""
        return _REGISTERED * bool(plan.written.shape.calls) + self._without_streams(plan)

    def _without_streams(self, plan: Plan) -> str:
        if plan.groups is not None:
            return groups.text(plan, len(groups.described(self.connection, plan).columns))
        named = {name: stream.given for name, stream in self._streams.items() if lake.is_named(stream.given)}
        if not named:
            return copies.shown(plan.sql)
        tree = plan.statement.tree()
        for table in list(tree.find_all(exp.Table)):
            if table.name in named:
                files = self.files(table.name, named[table.name])
                files.set("alias", exp.TableAlias(this=exp.to_identifier(table.alias_or_name)))
                table.replace(files)
        return copies.shown(duckdb_text(tree, pretty=True))

    def leaving(self, plan: Plan) -> str:
        """Nothing leaves DuckDB but the result."""
        return ""

    def crossings(self, plan: Plan) -> Sequence[Leaving]:
        """Nothing leaves."""
        return ()

    def run(self, plan: Plan, progress: Progress | None) -> Answer:
        """Run the whole statement; nothing leaves DuckDB but its result."""
        self.warn(plan.relations)
        if plan.written.shape.searches:
            from synthpriv_sql.learned import ahead  # loads NumPy

            ahead.expect(plan.written.shape.calls)
        with self._reading_no_more_than(plan):
            return self._run(plan, progress)

    def _run(self, plan: Plan, progress: Progress | None) -> Answer:
        types = {column.type for relation in plan.relations for column in relation.columns}
        lossy = any(lost_in_arrow(type_) for type_ in types)
        if plan.groups is not None:
            return self._of_groups(plan, progress, lossy)
        with self._watched(progress):
            rows = self._expected(plan)
        if rows is not None and not lossy:
            answer = self._in_stages(plan, rows, progress)
            if answer is not None:
                return answer
        # DuckDB expects one row of a stream, whatever it has.
        return self.answer(plan.sql, progress, lossy, None if self._streams else rows)

    def _expected(self, plan: Plan) -> int | None:
        """The number of rows that a long statement reads; None for one that is short."""
        return expected.rows(self.connection, plan.relations) if plan.written.shape.size >= stages.PARTS else None

    def _in_stages(self, plan: Plan, rows: int, progress: Progress | None) -> Answer | None:
        """Run a long statement on large tables in stages; None if it is not one, or its types do not allow it."""
        if not stages.pay(plan.written.shape.size, rows):
            return None
        with self._watched(progress) as durations:
            if expected.collated(self.connection, plan.relations):
                return None
            answer = stages.run(self.connection, plan.statement, self._execute, self.cancelled())
            return replace(answer, statement=plan.sql, seconds=_parts(durations))

    def _execute(self, sql: str) -> duckdb.DuckDBPyConnection:
        with planned_quickly(self.connection, sql):
            return self.connection.execute(sql)

    def _of_groups(self, plan: Plan, progress: Progress | None, lossy: bool) -> Answer:
        """Run a plan for each group in turn."""
        import pyarrow as pa

        text: str | None = None
        types: list[str] | None = None
        if lossy:
            described = groups.described(self.connection, plan)
            types = [str(type_) for type_ in described.types]
            text = groups.cast(plan, described.columns, list(map(kept_in_arrow, types)))
        shares = not lossy and self._groups_share(plan)
        run = partial(self.answer, progress=progress)
        answers = groups.answers(self.connection, plan, text, run, self.cancelled(), shares)
        table = pa.concat_tables([answer.table for answer in answers])
        types = types or list(answers[0].types)
        # Few ask for it, and to write it takes as long as two groups do; without the trees that the plan has made.
        asked = replace(plan, written=replace(plan.written))
        return Answer(table, types, partial(groups.text, asked, table.num_columns))

    def _groups_share(self, plan: Plan) -> bool:
        """Whether groups are small, and without collations, so that they may share a plan."""
        assert plan.groups is not None
        few = expected.rows(self.connection, plan.relations) <= shared_plan.ROWS * len(plan.groups.each)
        return few and not expected.collated(self.connection, plan.relations)

    def answer(self, sql: str, progress: Progress | None, lossy: bool = False, rows: int | None = None) -> Answer:
        """Run a statement that may call the kernel.

        ``lossy`` says that it may return types that Arrow lacks, ``rows`` how many it is expected to read.
        """
        with self._watched(progress) as durations, planned_quickly(self.connection, sql, rows):
            if lossy:
                relation = self.connection.sql(sql)
                table = arrow_rows(relation)
                return Answer(table, [str(type_) for type_ in relation.types], sql, seconds=_parts(durations))
            # Not as a relation, which is planned twice: for its types, and to run it.
            table, types = between.fetched(self.connection.execute(sql))
            return Answer(table, types, sql, seconds=_parts(durations))

    @contextmanager
    def _watched(self, progress: Progress | None) -> Iterator[Durations]:
        """Report the progress of searches, and measure the durations of the parts of a run."""
        self._registration.progress = progress
        self._registration.durations = durations = Durations()
        # DuckDB 2 warns that a relation would save a copy of the result; planning twice costs more.
        unwarned.ignore("Arrow output on a DB-API result", r"synthpriv_sql\.")
        try:
            yield durations
        except duckdb.Error:
            for stream in self._streams.values():
                if stream.failed is not None:
                    raise stream.failed from None
            raise
        finally:
            self._registration.progress = self._registration.durations = None

    def cancelled(self) -> Callable[[], bool]:
        """Return a function that tells whether the running call is cancelled."""
        return self._registration.cancelled()

    @contextmanager
    def _reading_no_more_than(self, plan: Plan) -> Iterator[None]:
        """Restrict streams to the columns of a plan; DuckDB itself would read whole rows."""
        whole = {name: stream.schema for name, stream in self._streams.items()}
        for part in plan.statement.parts if self._streams else ():
            name = part.source.node.name if part.source is not None else ""
            if name in self._streams and not part.query.is_star:
                self._streams[name].select({column.name for column in part.query.find_all(exp.Column)})
                self.connection.register(name, self._streams[name])
        try:
            yield
        finally:
            for name, schema in whole.items():
                if self._streams[name].schema is not schema:
                    self._streams[name].schema = schema
                    self.connection.register(name, self._streams[name])

    def version(self) -> str:
        """Return the version of DuckDB."""
        return duckdb.__version__

    def write(self, answer: Answer, name: str, how: How, run: str | None = None) -> None:
        """Write rows into a table of the database."""
        try:
            write_table(self.connection, answer.table, answer.types, name, how, run)
        except duckdb.Error as error:
            raise errors.of_engine(error) from None

    def drop(self, name: str) -> None:
        """Drop a table, if it is there."""
        try:
            self.connection.execute(exp.Drop(tables=[table_name(name)], kind="TABLE", exists=True).sql("duckdb"))
        except duckdb.Error as error:
            raise errors.of_engine(error) from None

    def cancel(self) -> None:
        """Stop what runs on the connection, and every search in the database."""
        self._registration.stops += 1
        self.connection.interrupt()

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()


def _parts(durations: Durations) -> dict[str, float]:
    return durations.seconds("binding", "counts and joins")


_REGISTERED = """\
/* For a connection that synthpriv_sql.register(connection) was called on; for any other: --plain, plain=True */
"""
