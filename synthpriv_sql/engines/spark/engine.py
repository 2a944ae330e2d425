"""Spark as an engine: Spark SQL, with searches and forests on the executors; only results come to the driver."""

from __future__ import annotations

import os
import uuid
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import Event, Thread
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from synthpriv_sql import errors, interrupts
from synthpriv_sql.engines import unwarned
from synthpriv_sql.engines.arrays import as_table
from synthpriv_sql.engines.base import Answer, How, Leaving, Moved, Value
from synthpriv_sql.engines.spark import failures, records, text, writing
from synthpriv_sql.engines.spark.lookup import Lookup, from_arrow, is_remote, result_types
from synthpriv_sql.engines.spark.running import Run
from synthpriv_sql.errors import OptionError, UnknownTable
from synthpriv_sql.planner import planning
from synthpriv_sql.planner.columns import nested
from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.planner.planning import Plan
from synthpriv_sql.progress import Progress

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

_FEW = 10_000
"""The largest result, in rows, that is collected to the driver at once, and written as one file."""
_TICK = 0.1
"""Seconds between checks for cancellation."""


class Spark:
    """A user's SparkSession as an engine.

    Parameters
    ----------
    session
        Stays the caller's; only `close` stops it.
    tasks
        The approximate number of parallel tasks; by default, Spark's own figure for the cluster.
    shard_rows
        The maximum number of reference records that a task searches at a time.
    """

    name = "Spark"
    dialect = "spark"
    apart = False
    kernel = "on its executors"
    lacks: Mapping[str, str] = MappingProxyType(
        {"csv": "Spark reads CSV itself: give a DataFrame (spark.read.csv with sep, encoding and so on)"}
    )

    def __init__(self, session: SparkSession, tasks: int | None = None, shard_rows: int | None = None) -> None:
        for option, value in (("tasks", tasks), ("shard_rows", shard_rows)):
            if value is not None and value < 1:
                raise OptionError(f"{wording.refused(option, value)} is out of range: it must be at least 1")
        self.connection = session
        self._lookup = Lookup(session)
        self._tasks = tasks
        self._shard_rows = shard_rows
        self._tag = _new_tag()
        """The tag of the jobs of the current call."""
        self._cancelled = Event()

    def relation(self, parameter: str, value: Any) -> Relation:
        """Find the table that a call passes for a parameter."""
        with self._stoppable():
            table, entries = nested.entries_of(value)
            return nested.applied(self._lookup.relation(parameter, table), entries)

    @contextmanager
    def call(self) -> Iterator[None]:
        """Enclose a call."""
        self._cancelled.clear()
        self._tag = _new_tag()
        # A KeyboardInterrupt during an exchange with Spark would break the connection.
        # Spark warns about every Python function; those of this package use Arrow only, not pandas.
        unwarned.ignore("PySpark does not yet fully support pandas", r"pyspark\.")
        with interrupts.instead(self.cancel), self._stopping():
            try:
                yield
            except KeyboardInterrupt:
                raise errors.interrupted() from None
            except Exception as error:
                # A cancelled job may fail with any message, such as that a file cannot be read.
                raise (errors.stopped() if self._cancelled.is_set() else failures.from_spark(error)) from None

    @contextmanager
    def _stopping(self) -> Iterator[None]:
        """Cancel the jobs of a call once it is cancelled; repeatedly, as Spark may be about to start another."""

        def watch() -> None:
            while not over.wait(_TICK):
                if self._cancelled.is_set():
                    with suppress(Exception):  # the session is gone
                        self._stop_jobs(tag)

        over, tag = Event(), self._tag
        Thread(target=watch, daemon=True).start()
        try:
            yield
        finally:
            # Not joined: a lost server may block it for minutes, and other calls have other tags.
            over.set()

    @contextmanager
    def _stoppable(self) -> Iterator[None]:
        """Enclose jobs that may be cancelled, unlike cleaning up or renaming a table.

        The tags of the SparkSession itself are visible only to the thread that added them.
        """
        context, tag = self._context(), self._tag
        give, take = (
            (self.connection.addTag, self.connection.removeTag)
            if context is None
            else (context.addJobTag, context.removeJobTag)
        )
        give(tag)
        try:
            yield
        finally:
            take(tag)

    def _context(self) -> Any:
        """The SparkContext; None over Spark Connect."""
        return None if is_remote(self.connection) else self.connection.sparkContext

    @contextmanager
    def holding(self, function: Function, given: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        """Give the frames among the tables a name during a call."""
        named = dict(given)
        names: dict[int, str] = {}
        self._lookup.forget()
        try:
            for parameter in function.relations:
                value, entries = nested.entries_of(named.get(parameter.name))
                if isinstance(value, os.PathLike):
                    value = os.fspath(value)
                    named[parameter.name] = nested.flat(value, entries)
                if value is not None and not isinstance(value, str):
                    if id(value) not in names:
                        names[id(value)] = f"given_as_{parameter.name}"
                        self._lookup.given[names[id(value)]] = self._frame(parameter.name, value)
                    named[parameter.name] = nested.flat(names[id(value)], entries)
            yield named
        finally:
            self._lookup.forget()

    def _frame(self, parameter: str, value: Any) -> DataFrame:
        if hasattr(value, "sparkSession"):
            frame: DataFrame = value
            return frame
        import pyarrow

        value = as_table(parameter, value)
        try:
            table = pyarrow.table(value) if hasattr(value, "__arrow_c_stream__") else pyarrow.Table.from_pandas(value)
            return from_arrow(self.connection, table)
        except Exception as error:
            raise UnknownTable(
                f"what is given as {parameter} is a {type(value).__name__}, which Spark cannot read as a table "
                f"({failures.words(error)}); give a name, a path with its format, a query in parentheses, a DataFrame "
                "of Spark or pandas, or an object with __arrow_c_stream__"
            ) from None

    def read_alike(self, function: Function, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments as they are: tables have types here."""
        return dict(given)

    def ask(self, function: Function, given: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the few rows of another call, which the current call needs for its plan."""
        rows: list[dict[str, Any]] = self.run(planning.plan(self, function, given), None).fetch().to_pylist()
        return rows

    def few(self, query: exp.Query) -> list[dict[str, Any]]:
        """Return the rows of a query, in Spark's dialect, that reads tables of the call and has few."""
        with self._stoppable():
            return self._lookup.few(query)

    def sql(self, plan: Plan) -> str:
        """Return the SQL that a plan runs, as text."""
        return text.written(plan)

    def leaving(self, plan: Plan) -> str:
        """Nothing leaves Spark, except the result and the aggregates that it needs."""
        return ""

    def crossings(self, plan: Plan) -> Sequence[Leaving]:
        """Nothing leaves."""
        return ()

    def expects(self, plan: Plan) -> Mapping[str, int] | None:
        """Unknown: the tables would have to be read once more."""
        return None

    def run(self, plan: Plan, progress: Progress | None) -> Answer:
        """Run a plan; a small result is collected to the driver, a larger one stays on the executors."""
        tasks = self._tasks or self._running_at_a_time()
        run = Run(self._lookup, plan, tasks, self._shard_rows, progress, self._cancelled.is_set)
        try:
            with self._stoppable():
                frame = run.frame()
                types = result_types(frame, {} if not plan.relations else plan.relations[0].by_name)
                sql = text.written(plan)
                large = bool(plan.function.keys or plan.function.columns_of or plan.function.side)
                answer = None if large else self._collected(run, frame, types, sql)
                answer = answer or Kept(run, frame, types, sql)
        except BaseException:
            run.release()
            raise
        if isinstance(answer, Kept):
            run.settle()
        else:
            run.release()
        return answer

    def _collected(self, run: Run, frame: DataFrame, types: list[str], sql: str) -> Answer | None:
        """The collected rows, if there are few; otherwise None."""
        table = frame.limit(_FEW + 1).toArrow()
        if table.num_rows > _FEW:
            return None
        records.check(list(run.numbered.values()))
        return Answer(table, types, sql, Moved(run.moved_rows, run.moved_bytes))

    def _running_at_a_time(self) -> int:
        from pyspark.sql import functions as sf

        context = self._context()
        if context is not None:
            return int(context.defaultParallelism)
        # Spark Connect does not report it, but a range has that many partitions.
        parts = self.connection.range(1 << 20).select(sf.spark_partition_id().alias("part"))
        return int(parts.distinct().count())

    def version(self) -> str:
        """Return the version of Spark."""
        return str(self.connection.version)

    def write(self, answer: Answer, name: str, how: How, run: str | None = None) -> None:
        """Write rows into a table of the catalog, from the executors."""
        with self.call():
            if isinstance(answer, (Kept, Beside)):
                writing.write(answer.frame(), name, how, self._stoppable, answer.check, run)
            else:
                frame = from_arrow(self.connection, answer.table)
                # Of several files, a table has its rows in any order.
                frame = frame.coalesce(1) if answer.table.num_rows <= _FEW else frame
                writing.write(frame, name, how, self._stoppable, run=run)

    def drop(self, name: str) -> None:
        """Drop a table of the catalog, if it is there."""
        table = exp.to_table(name, dialect="spark")
        with self._stoppable():
            self.connection.sql(exp.Drop(tables=[table], kind="TABLE", exists=True).sql("spark"))

    def frame(self, answer: Answer) -> DataFrame:
        """Return the rows as a DataFrame that stays cached as long as the Spark session."""
        with self.call():
            return answer.hand_out() if isinstance(answer, Kept) else from_arrow(self.connection, answer.table)

    def cancel(self) -> None:
        """Stop the running call."""
        self._cancelled.set()

    def _stop_jobs(self, tag: str) -> None:
        context = self._context()
        if context is None:
            self.connection.interruptTag(tag)
        else:
            context.cancelJobsWithTag(tag)

    def close(self) -> None:
        """Stop the Spark session."""
        self.connection.stop()


class Kept(Answer):
    """Rows that stay on the executors until requested, as long as the result is referenced."""

    def __init__(self, run: Run, frame: DataFrame, types: list[str], sql: str) -> None:
        from pyspark.sql import functions as sf

        self.types = types
        self.seconds = {}
        self.sql = sql
        self.moved = Moved(run.moved_rows, run.moved_bytes)
        self._run = run
        self._columns = frame.columns
        self._place = "place"
        while self._place in self._columns:
            self._place += "_"
        # LIMIT takes arbitrary rows, unless Spark knows their order.
        placed = frame.withColumn(self._place, sf.monotonically_increasing_id())
        self._kept = placed if run.stays else run.keep(placed)
        self._fetched: pa.Table | None = None
        self._rows = None if run.stays else self._kept.count()
        # Without a reference to the finalized object; in a thread, as garbage collection may happen during an exchange
        # with Spark.
        self._finalizer = weakref.finalize(self, _aside, run.release)
        self._finalizer.atexit = False

    def check(self) -> None:
        """See whether record numbers still mean the rows that they meant at first."""
        records.check(list(self._run.numbered.values()))

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._columns)

    @property
    def rows(self) -> int:
        """The number of rows; counted on request, on the cached rows."""
        if self._rows is None:
            try:
                self._rows = self._kept.count()
            except Exception as error:
                raise failures.from_spark(error) from None
        return int(self._rows)

    def fetch(self, first: int | None = None) -> pa.Table:
        """Collect rows to the driver; all rows only once."""
        if self._fetched is not None:
            return self._fetched.slice(0, first)
        few = self._kept if first is None else self._kept.orderBy(self._place).limit(first)
        try:
            table = few.drop(self._place).toArrow()
            self.check()
        except Exception as error:
            raise failures.from_spark(error) from None
        if first is None:
            self._fetched = table
        return table

    def frame(self) -> DataFrame:
        """The cached rows."""
        return self._kept.drop(self._place)

    def beside(self, values: Sequence[Value]) -> Answer:
        """Return the rows with constant columns put before the others."""
        return Beside(self, values)

    def hand_out(self) -> DataFrame:
        """The cached rows; they stay cached as long as the Spark session."""
        self.check()
        self._finalizer.detach()
        return self.frame()


class Beside(Answer):
    """Rows that stay on the executors, with constant columns put before the others; they can only be written."""

    def __init__(self, kept: Kept, values: Sequence[Value]) -> None:
        self._kept, self._values = kept, values

    def check(self) -> None:
        """See whether record numbers still mean the rows that they meant at first."""
        self._kept.check()

    def frame(self) -> DataFrame:
        """The rows with the constant columns."""
        from pyspark.sql import functions as sf

        return self._kept.frame().select(*(sf.lit(new.value).alias(new.name) for new in self._values), "*")


def _new_tag() -> str:
    return f"synthpriv-{uuid.uuid4().hex}"


def _aside(release: Callable[[], None]) -> None:
    def quietly() -> None:
        with suppress(Exception):  # the session may be stopped
            release()

    with suppress(RuntimeError):  # at interpreter exit no thread can start
        Thread(target=quietly, daemon=True).start()
