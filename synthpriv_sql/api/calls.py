"""A call of a function on one engine: run, written as SQL, or only planned."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from threading import RLock
from typing import Any

from synthpriv_sql import errors, interrupts
from synthpriv_sql.api import effort, searching
from synthpriv_sql.api.methods import Methods
from synthpriv_sql.api.rewriters import ToPlan, ToRun, ToWrite
from synthpriv_sql.choices import PUSHDOWN
from synthpriv_sql.dialects.text import text
from synthpriv_sql.engines.base import Engine
from synthpriv_sql.planner.calls import unsupported
from synthpriv_sql.planner.calls.rewriting import Call, rewritten
from synthpriv_sql.planner.columns.tables import label
from synthpriv_sql.planner.headers import arguments, catalog, known_files, wording
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.planner.planning import Plan, plan
from synthpriv_sql.progress import Progress
from synthpriv_sql.results.calls import removal
from synthpriv_sql.results.calls.dry import foresee
from synthpriv_sql.results.checks.cautions import warn
from synthpriv_sql.results.result import Result
from synthpriv_sql.results.run import Run, now
from synthpriv_sql.results.watching.log import Logged, logger


class Calls(Methods):
    """Calls functions of the catalog on one engine.

    Parameters
    ----------
    engine
        Where the tables are.
    pushdown
        As in `synthpriv_sql.connect`.
    """

    def __init__(self, engine: Engine, pushdown: str = "auto") -> None:
        self.engine = engine
        self.pushdown = _checked(pushdown)
        self._lock = RLock()
        self.searches = searching.searches(engine, Calls)

    def call(
        self,
        function: str | Function,
        /,
        *surplus: Any,
        progress: Progress | bool | None = None,
        pushdown: str | None = None,
        **given: Any,
    ) -> Result:
        """Call a function of the catalog by its name.

        Parameters
        ----------
        function
            The name, as in ``FROM synthpriv.NAME(…)``; or a file of sql/ that is not a public function.
        *surplus
            Positional arguments beyond the tables, which are an error.
        progress
            A callable ``(done, total, label)``, or True for a bar.
        pushdown
            ``auto`` or ``require``, for this call; see `connect`.
        **given
            The function's arguments by name.
        """
        if surplus:
            raise arguments.unnamed(catalog.function(str(function)), surplus)
        required = _checked(pushdown or self.pushdown) == "require"
        again = partial(self.call, progress=progress, pushdown=pushdown)
        to_run = ToRun(self, self._lock, again, self._count, partial(self._searched, progress, required))
        call = rewritten(Call.of(function, given), to_run)
        if not isinstance(call, Call):
            return call
        at, begun = now(), time.monotonic()
        with (
            self._naming_all_without_rows(call.with_a_parameter_for_each_table()),
            _distinguishing_interrupts(),
            self._lock,
            self.engine.call(),
            self._planned(call, running=True) as planned,
        ):
            after = time.monotonic()
            leaving = self.engine.leaving(planned) if required else ""
            if leaving:
                raise errors.DataWouldLeave(
                    f'{planned.function.name} cannot be computed in {self.engine.name} alone, as pushdown "require" '
                    f'demands: {leaving}. Allow it (pushdown "auto"), or call a function that runs there entirely.'
                )
            with _reported(progress, planned) as report:
                if logger.isEnabledFor(logging.DEBUG):
                    grouped = bool(call.given.get("group_by"))
                    logger.debug("%s: %s", call.function.name, self._without_values(planned, grouped))
                try:
                    answer = self.engine.run(planned, report)
                except Exception as error:
                    if (found := self._of_infinite_values(error, planned)) is not None:
                        raise found from None
                    raise
                ended = time.monotonic()
                parts = answer.seconds or {"running": ended - after}
                # The text of the statement is generated when it runs.
                planning = ended - begun - sum(parts.values())
                seconds = {"planning": planning, **parts, "total": ended - begun}
                if isinstance(report, Logged):
                    report.end(answer.rows, seconds)
        planned.warn(stacklevel=3)
        run = Run.of(at, planned, call.given, self._count, seconds)
        result = Result(self.engine, planned.function.name, answer, run)
        if planned.function.name == "membership":  # for the whole curve of its picture
            result._again = partial(self.call, function, **{"pushdown": pushdown, **call.given})
        warn(result)
        if function == "safe":
            again = partial(self.call, pushdown=pushdown)
            removal.warn_of_rest(again if self._asks_again(call.given) else None, self._count, result, call.given)
        return result

    def _searched(self, progress: Progress | bool | None, required: bool, call: Call) -> Result:
        return searching.result(self, call.function, call.given, progress, required)

    @contextmanager
    def _naming_all_without_rows(self, call: Call) -> Iterator[None]:
        """Name all tables without rows: which search fails first is random."""
        try:
            yield
        except errors.EmptyTable:
            named = {p.name: call.given.get(p.name) for p in call.function.relations}
            tables = {name: table for name, table in named.items() if table is not None}
            found = [label(v) if isinstance(v, str) else name for name, v in tables.items() if self._count(v) == 0]
            if len(found) < 2:
                raise
            listed = f"{', '.join(found[:-1])} and {found[-1]}"
            raise errors.EmptyTable(f"{listed} have no rows; without a record there is no closest one") from None

    def _of_infinite_values(self, error: Exception, planned: Plan) -> errors.SynthprivError | None:
        """Locate the infinite values in the tables of a call that failed because of them; None for other failures.

        A statement may fail to convert an infinite date before it is found to be one.
        """
        found = error if isinstance(error, errors.SynthprivError) else errors.from_database(error)
        infinite = isinstance(found, errors.InfiniteValue)
        if not isinstance(found, errors.SynthprivError) or not (infinite or type(found) is errors.EngineError):
            return None
        said = ""
        with suppress(errors.SynthprivError):  # the tables cannot be queried
            given = (planned.function, planned.relations, planned.tables, planned.options)
            said = unsupported.infinite(self.engine, *given)
        return errors.InfiniteValue(said) if said else found if infinite else None

    def _asks_again(self, given: Mapping[str, Any]) -> bool:
        """Whether to warn about people who can still be named: not within ``until_safe``, nor for groups.

        An engine that accepts no rows cannot evaluate the remaining ones.
        """
        between = given.get("until_safe", False) is None
        return not (between or given.get("group_by") or "objects" in self.engine.lacks)

    def _count(self, table: Any) -> int:
        return int(self.call(catalog.file(known_files.ROW_COUNT), data=table)["rows"][0])

    def _without_values(self, planned: Plan, grouped: bool) -> str:
        """The statement of a call for the log, which has no values of tables: groups are named by theirs."""
        if planned.groups is not None:
            return planned.sql
        if grouped:
            return "the statement contains the values of groups, and is not logged"
        return self.engine.sql(planned)

    def sql(
        self,
        function: str | Function,
        /,
        *,
        dialect: str | None = None,
        plain: bool = False,
        tables: Mapping[str, str] | None = None,
        part: str | None = None,
        **given: Any,
    ) -> str:
        """Return the SQL of a call, for this session or another database, without running it.

        Parameters
        ----------
        function
            As in `call`.
        dialect
            ``duckdb``, ``postgres``, ``spark`` and others (`synthpriv_sql.dialects.DIALECTS`). The tables there must
            have the columns of those given here; neighbors are found in plain SQL. By default the statement is the one
            that this session runs, which in DuckDB needs a connection on which `register` was called.
        plain
            In a DuckDB session the same as the dialect ``duckdb``: a statement for a DuckDB without this package, such
            as its shell, R, JDBC or MotherDuck.
        tables
            The names of the tables there, by parameter. By default a table keeps its name, and a file's table is named
            after the file.
        part
            A section of `evaluate`, such as ``copies``, or a file of sql/: the statement for its rows alone, which is
            shorter to read, and runs by itself.
        **given
            The function's arguments by name.

        Raises
        ------
        NotInDialect
            The dialect lacks a feature that the function needs.
        """
        called = Call.of(function, given)
        if part is not None and "part" in called.function.parameters:  # its own, not one of the statement
            called, part = called.on({**given, "part": part}), None

        def search(call: Call) -> str:
            return searching.text(self, call.function, call.given, dialect, tables)

        call = rewritten(called, ToWrite(self, self._lock, self.call, self._count, search))
        if not isinstance(call, Call):
            return call
        plain = plain or dialect == "duckdb"
        if dialect is None and not plain and not tables and part is None:
            with self._lock, self.engine.call(), self._planned(call) as planned:
                return self.engine.sql(planned)
        each = call.with_a_parameter_for_each_table()
        with self._lock, self.engine.call(), self.engine.holding(each.function, each.given) as named:
            return text(self.engine, each.function, named, dialect or self.engine.dialect, plain, tables, part)

    def plan(self, function: str | Function, /, **given: Any) -> Result:
        """Return what a call would do, without running it; only rows are counted.

        Parameters
        ----------
        function
            As in `call`.
        **given
            The function's arguments by name.

        Returns
        -------
        Result
            One row per step: tables that are ``read`` and their columns; the data that ``leaves`` the database before
            the result; the ``statement``; each kernel step, with the maximum number of query ``rows`` ``against``
            reference rows; and what is ``left out``. ``bytes`` are an estimate, and ``note`` says of what.
            ``seconds`` are what each step may take, and the last row is about the ``time`` of all: by sizes and the
            speed of this machine, which is measured once; the values may halve or double it.
        """
        call = rewritten(Call.of(function, given), ToPlan(self, self._lock, self.call, self._count))
        with _distinguishing_interrupts(), self._lock, self.engine.call(), self._planned(call) as planned:
            counted = catalog.file(known_files.ROW_COUNT)
            rows = {
                relation.parameter: int(
                    self.engine.ask(counted, {"data": planned.tables[relation.parameter]})[0]["rows"]
                )
                for relation in planned.relations
            }
            return Result(self.engine, "plan", foresee(self.engine, planned, rows))

    def _check(self, function: str, given: Mapping[str, Any]) -> None:
        """Plan a call, and run nothing: an error says what is wrong with its tables and options."""
        with _distinguishing_interrupts(), self._lock, self.engine.call(), self._planned(Call.of(function, given)):
            pass

    @contextmanager
    def _planned(self, call: Call, running: bool = False) -> Iterator[Plan]:
        """Plan a call while the Python objects among its tables are registered: one that runs, as affordable."""
        each = call.with_a_parameter_for_each_table()
        reason = each.function.not_on.get(self.engine.dialect)
        if reason is not None:
            raise errors.NotInDialect(f"{self.engine.name} cannot run {each.function.name}: {reason}")
        with self.engine.holding(each.function, each.given) as named:
            planned = plan(self.engine, each.function, named)
            yield effort.affordable(self.engine, planned, each.function, named) if running else planned


@contextmanager
def _distinguishing_interrupts() -> Iterator[None]:
    """Distinguish Ctrl-C from `Session.cancel`, which end a call in the same way."""
    before = interrupts.count()
    try:
        yield
    except errors.Stopped:
        if interrupts.count() > before:
            raise errors.interrupted() from None
        raise


@contextmanager
def _reported(progress: Progress | bool | None, planned: Plan) -> Iterator[Progress | None]:
    """Report the begin and end of a call without a search; searches report their own progress."""
    logged = logger.isEnabledFor(logging.INFO) and not planned.function.part
    if not progress:
        yield Logged(planned.function.name, None) if logged else None
        return
    from synthpriv_sql.results.watching.progress import Bar, bar

    searches = planned.searches
    with bar() if progress is True else nullcontext(progress) as report:
        if isinstance(report, Bar):
            report.expect(searches)
        if not searches:
            report(0, 1, planned.function.name)
        yield Logged(planned.function.name, report) if logged else report
        if not searches:
            report(1, 1, planned.function.name)


def _checked(pushdown: str) -> str:
    if pushdown not in PUSHDOWN:
        raise errors.OptionError(f"{wording.refused('pushdown', pushdown)} is not one of {', '.join(PUSHDOWN)}")
    return pushdown
