"""A check of a database that is running: small tables are created, every function is called there and in DuckDB."""

from __future__ import annotations

import datetime
import math
import platform
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import groupby
from secrets import token_hex
from threading import Event, Timer
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
from sqlglot import exp

from synthpriv_sql import errors
from synthpriv_sql.api.opening import connect
from synthpriv_sql.api.session import Session
from synthpriv_sql.conformance import comparing
from synthpriv_sql.conformance.cases import ALL, Case, written_for
from synthpriv_sql.conformance.tables import PEOPLE, TEXT, Table
from synthpriv_sql.engines.base import Answer
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.version import __version__

SAME, DIFFERS, REFUSED, NOT_RUN = "same", "differs", "refused", "not run"
_SHOWN = 5  # differences of a case
_DEFAULT_SCHEMA = {"postgres": "public"}  # where the name of a table to write needs one
_READ = Case("split", ("Train Rows",), {"share": 0.5})
"""Gives a table's own rows."""
_PLACE = "Id"


@dataclass
class Compared:
    """A case: ``refused`` if the documentation says that the engine does not run it, ``not run`` if time was short."""

    function: str
    case: str
    result: str = NOT_RUN
    seconds: float = 0.0
    moved_rows: int = 0
    differences: list[str] = field(default_factory=list)
    """The first five, a sentence each; values are those of the tables of this package."""


@dataclass
class Report:
    """What a check found; the report names no server, user or table of the user's.

    Parameters
    ----------
    engine, version
        The database by its name, and what it says of its version.
    types
        What each column of the table of persons is read as there, as a type of DuckDB.
    has_nan
        Whether a DOUBLE may hold NaN there; otherwise it is NULL, and so it is in the DuckDB that is compared with.
    values
        Whether the rows of a table come back as they were written: ``same`` or ``differs``.
    cases
        The cases, in the order in which they ran.
    left
        Tables that could not be dropped.
    """

    engine: str
    version: str
    types: dict[str, str] = field(default_factory=dict)
    has_nan: bool = True
    values: str = NOT_RUN
    differences: list[str] = field(default_factory=list)
    cases: list[Compared] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    started: str = ""
    seconds: float = 0.0

    @property
    def result(self) -> str:
        """``differs`` if anything does, ``not run`` if time was short, otherwise ``same``."""
        found = {self.values, *(case.result for case in self.cases)}
        return next((result for result in (DIFFERS, NOT_RUN) if result in found), SAME)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        here = {"synthpriv_sql": __version__, "duckdb": duckdb.__version__, "python": platform.python_version()}
        return {"result": self.result, "versions": here, **asdict(self)}


def check(
    session: Session,
    cases: Sequence[Case],
    schema: str | None = None,
    timeout: float = 720.0,
    told: Callable[[str], None] = lambda line: None,
) -> Report:
    """Create tables in a database, compare what functions give there with DuckDB, and drop the tables.

    Parameters
    ----------
    session
        A session on the database, which may create and drop tables.
    cases
        The calls to compare.
    schema
        Where to create the tables; by default ``public`` in PostgreSQL, otherwise where the session is.
    timeout
        Seconds after which the running call is stopped and no further begins.
    told
        Gets a line for each function as soon as its cases are done.

    Raises
    ------
    EngineError
        The tables cannot be created; those that were are dropped.
    ConnectionLost
        The connection was lost.
    """
    tables, cases = written_for(session.engine.dialect, ALL, cases)
    report = Report(session.engine.name, session.engine.version(), cases=_in_groups(cases))
    report.started = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    begun = time.monotonic()
    called = _names(session, schema)
    made: list[str] = []
    with _limited(session, timeout) as late, warnings.catch_warnings():
        warnings.simplefilter("ignore", errors.SynthprivWarning)  # about tables that nobody knows
        try:
            _create(session, tables, called, made)
            with connect(threads=1) as reference:
                report.has_nan, report.types = _copy(session, reference, tables, called)
                _compare_values(session, reference, called, report)
                _compare(session, reference, called, cases, report, late, told)
        except errors.Stopped:
            if not late.is_set():
                raise
        finally:
            report.left = [name for name in made if not _dropped(session, name)]
            report.seconds = time.monotonic() - begun
    return report


@contextmanager
def _limited(session: Session, timeout: float) -> Iterator[Event]:
    """Stop what runs after a time; yields the event that tells."""
    late = Event()

    def stop() -> None:
        late.set()
        session.cancel()

    clock = Timer(timeout, stop)
    clock.daemon = True
    clock.start()
    try:
        yield late
    finally:
        clock.cancel()


def _names(session: Session, schema: str | None) -> Callable[[str], str]:
    """What the tables are called there, in the quoting of the database: nothing can have the name already."""
    dialect, token = session.engine.dialect, token_hex(4)
    where = schema or _DEFAULT_SCHEMA.get(dialect)

    @cache
    def called(name: str) -> str:
        # Catalogs of Spark know no name with a space.
        return exp.table_(f"synthpriv_{token}_{name.replace(' ', '_')}", db=where, quoted=True).sql(dialect)

    return called


def _create(session: Session, tables: Mapping[str, Table], called: Callable[[str], str], made: list[str]) -> None:
    for name, table in tables.items():
        types = [TEXT if type_.startswith("ENUM") else type_ for type_ in table.columns.values()]
        made.append(called(name))  # before, as it may be there after an interrupt
        try:
            session.engine.write(Answer(table.arrow(), types, ""), called(name), "create")
        except errors.EngineError as error:
            if isinstance(error, errors.ConnectionLost):
                raise
            refused = errors.EngineError(
                f"a table cannot be created in {session.engine.name}: {error}. The check needs the right to create "
                "and drop tables; --schema names a schema where you have it. What was created is dropped again"
            )
            refused.transient = error.transient
            raise refused from None


def _dropped(session: Session, name: str) -> bool:
    try:
        session.engine.drop(name)
    except errors.SynthprivError:
        return False
    return True


def _copy(
    session: Session, reference: Session, tables: Mapping[str, Table], called: Callable[[str], str]
) -> tuple[bool, dict[str, str]]:
    """Create the tables in DuckDB, in the types that they are read in there, and NaN as NULL where that is it there."""
    reference.connection.execute(catalog.statement("times_in_utc"))
    name, read = _READ.tables[0], {row[_PLACE]: row for row in _own_rows(session, called)}
    assert name is not None
    number = next(column for column, type_ in PEOPLE.items() if type_ == "DOUBLE")
    there = [read[row[_PLACE]][number] for row in tables[name].arrow().to_pylist() if _is_nan(row[number])]
    has_nan = any(value is not None for value in there)
    types: dict[str, str] = {}
    for table in tables:
        with session.engine.call():
            relation = session.engine.relation("data", called(table))
        held = [column.held for column in relation.columns]
        if table == name:
            types = dict(zip(tables[name].columns, held, strict=True))
        rows = tables[table].arrow()
        answer = Answer(rows if has_nan else _without_nan(rows), held, "")
        reference.engine.write(answer, exp.to_identifier(table, quoted=True).sql("duckdb"), "create")
    return has_nan, types


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _without_nan(table: pa.Table) -> pa.Table:
    for i, column in enumerate(table.columns):
        if pa.types.is_floating(column.type):
            known = pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)
            table = table.set_column(i, table.column_names[i], known)
    return table


def _own_rows(session: Session, called: Callable[[str], str]) -> list[dict[str, Any]]:
    found = comparing.run(session, called, _READ)
    if isinstance(found, tuple):
        raise errors.EngineError(f"a table that was written cannot be read again: {found[1]}")
    # After those of the row that is read stands what the function says of it.
    return sorted(({name: row[name] for name in [*row][: len(PEOPLE)]} for row in found), key=lambda row: row[_PLACE])


def _compare_values(session: Session, reference: Session, called: Callable[[str], str], report: Report) -> None:
    """Compare the rows of a table as they come back with those that were written."""
    found = list(comparing.differences(_own_rows(session, called), _own_rows(reference, str)))
    report.values, report.differences = DIFFERS if found else SAME, found[:_SHOWN]


def _in_groups(cases: Sequence[Case]) -> list[Compared]:
    first = {case.function: place for place, case in reversed([*enumerate(cases)])}
    ordered = sorted(cases, key=lambda case: first[case.function])
    return [Compared(case.function, case.name) for case in ordered]


def _compare(
    session: Session,
    reference: Session,
    called: Callable[[str], str],
    cases: Sequence[Case],
    report: Report,
    late: Event,
    told: Callable[[str], None],
) -> None:
    by_name = {case.name: case for case in cases}
    for function, group in groupby(report.cases, key=lambda compared: compared.function):
        of_function = list(group)
        for compared in of_function:
            if late.is_set():
                return
            _compare_case(session, reference, called, by_name[compared.case], compared)
        told(_line(function, of_function))


def _compare_case(
    session: Session, reference: Session, called: Callable[[str], str], case: Case, compared: Compared
) -> None:
    dialect, begun = session.engine.dialect, time.monotonic()
    try:
        found, moved = comparing.measured(session, called, case)
        compared.moved_rows = moved.rows
    except errors.SynthprivError:
        raise
    except Exception as fault:  # which must not keep the other functions from being compared
        compared.result, compared.differences = DIFFERS, [f"this is a fault of synthpriv ({type(fault).__name__})"]
        return
    finally:
        compared.seconds = round(time.monotonic() - begun, 3)
    reason = comparing.refusal(case, dialect)
    if reason is not None:
        told = isinstance(found, tuple) and found[0] is errors.NotInDialect and reason in found[1]
        differing = [] if told else [f"it is not refused, though the documentation says: {reason}"]
    else:
        wanted = comparing.run(reference, str, case)
        differing = list(comparing.differences(found, wanted))
    compared.result = DIFFERS if differing else SAME if reason is None else REFUSED
    compared.differences = differing[:_SHOWN]


def _line(function: str, of_function: Sequence[Compared]) -> str:
    """A line about a function, and one for each difference."""
    found = {compared.result for compared in of_function}
    result = next(one for one in (DIFFERS, NOT_RUN, SAME, REFUSED) if one in found)
    calls = f"{len(of_function)} call" + "s" * (len(of_function) > 1)
    line = f"{result:<8} {function:<30} {calls:>8}  {sum(c.seconds for c in of_function):6.1f} s"
    more = [f"         {c.case}: {difference}" for c in of_function for difference in c.differences[:1]]
    return "\n".join([line, *more])
