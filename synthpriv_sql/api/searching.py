"""Calls whose rows are found by many calls: a search on copies of the tables, in a database of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from sqlglot import exp

from synthpriv_sql import errors
from synthpriv_sql.api.within import Within
from synthpriv_sql.engines.base import Answer, Engine, Moved
from synthpriv_sql.engines.duckdb.engine import DuckDB
from synthpriv_sql.planner.columns.releases import OPTION
from synthpriv_sql.planner.headers import arguments, catalog, known_files
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.progress import Progress
from synthpriv_sql.remedies import calling, in_place
from synthpriv_sql.remedies.finding import Found
from synthpriv_sql.remedies.ladder import written
from synthpriv_sql.remedies.result import Remedy
from synthpriv_sql.remedies.tables import SIDES
from synthpriv_sql.results.result import Result
from synthpriv_sql.results.watching.log import logger

if TYPE_CHECKING:
    import pyarrow as pa


class Calls(Protocol):
    """The part of a session that a search needs."""

    engine: Engine
    searches: calling.Searches

    def call(self, function: str | Function, /, **given: Any) -> Result:
        """Call a function."""

    def _check(self, function: str, given: Mapping[str, Any]) -> None:
        """Plan a call, and run nothing."""


def searches(engine: Engine, opened: Callable[[DuckDB], Any]) -> calling.Searches:
    """Return the searches on an engine; those inside the SQL of a DuckDB database are the same.

    Parameters
    ----------
    engine
        Where the tables are.
    opened
        Makes a session's calls on an engine.
    """
    if not isinstance(engine, DuckDB):
        return calling.Searches(Within(opened, None))
    found: calling.Searches = engine.searches or calling.Searches(Within(opened, engine.threads))
    engine.searches = found
    engine.judges(_judged)
    return found


def _judged(rows: list[Any]) -> dict[str, Any]:
    """The verdict on rows of `evaluate`, for SQL."""
    from synthpriv_sql.report.evaluation import verdict_of  # imported lazily: few statements ask for it

    found = verdict_of(rows)
    said = {name: getattr(found, name) for name in ("level", "headline", "sentence")}
    return {**said, "reasons": list(found.reasons)}


def result(
    session: Calls, function: Function, given: Mapping[str, Any], progress: Progress | bool | None, required: bool
) -> Result:
    """Search, and return the steps or the table.

    Parameters
    ----------
    session
        Has the tables.
    function, given, progress
        The call.
    required
        Whether it must not take rows out of the engine.
    """
    if required and session.engine.dialect != "duckdb":
        raise errors.DataWouldLeave(
            f'{function.name} cannot be computed in {session.engine.name} alone, as pushdown "require" demands: the '
            'search takes out all rows of the tables. Allow it (pushdown "auto"), or ask for uniques, which run there'
        )
    found, moved = _found(session, function, given, progress)
    table = calling.named(given["synthetic"])
    there = partial(_there, session, found, given["synthetic"], moved)
    if not function.columns_of:
        return Remedy.of(session.engine, found, table, moved, calling.named_children(given), there)
    child = calling.part(function, given)
    answer = None if child else there()
    if answer is None:
        select = found.select(calling.named_children(given)[child] if child else table, child)
        answer = Answer(found.made[child], found.types(child), select.sql("duckdb", pretty=True), moved)
    return Result(session.engine, function.name, answer)


def _there(session: Calls, found: Found, table: Any, moved: Moved) -> Answer | None:
    """The rows that a database computes from its own table by the SELECT of a remedy.

    None in DuckDB, where the search has them, for a table that has no name there, and where records are taken out: no
    SELECT does that.
    """
    dialect = session.engine.dialect
    if dialect == "duckdb" or not isinstance(table, str) or table.lstrip().startswith("(") or found.removed:
        return None
    with session.engine.call():
        node = session.engine.relation("data", table).node
    treated = written(found.select(node.copy()).subquery(), dialect)
    answer = session.call(catalog.file(known_files.KEPT), data=treated)._answer
    answer.moved = moved
    return answer


def text(
    session: Calls, function: Function, given: Mapping[str, Any], dialect: str | None, tables: Mapping[str, str] | None
) -> str:
    """Search, and return the SELECT that treats synthetic, in the SQL of a database."""
    found, _ = _found(session, function, given, None)
    named, child = (tables or {}).get("synthetic"), calling.part(function, given)
    own = calling.named_children(given)[child] if child else calling.named(given["synthetic"])
    table = own if named is None else exp.to_table(named)
    return written(found.select(table, child), dialect or "duckdb", pretty=True)


def _found(
    session: Calls,
    function: Function,
    given: Mapping[str, Any],
    progress: Progress | bool | None,
) -> tuple[Found, Moved]:
    """Return what a search finds, and what left the engine."""
    shared = catalog.function("safe").parameters
    # What is wrong with the tables is said of those that were given.
    checked = {name: value for name, value in given.items() if name in shared}
    if given.get("children") is not None:
        checked.pop(OPTION, None)  # whose releases are families: the search reads them
    session._check("safe", checked | ({"false_discovery": 0.05} if checked.get(OPTION) is not None else {}))
    left = [Moved()]
    is_judged = session.engine.dialect != "duckdb" and _is_plain(given)
    if is_judged:
        as_it_is = _in_place(session, function, given, left)
        if as_it_is is not None:
            return as_it_is, _sum(left)

    def read(table: Any, names: frozenset[str] | None) -> pa.Table:
        columns = None if names is None else _needed(session.engine, table, names)
        file, chosen = (known_files.KEPT, {}) if columns is None else (known_files.CHOSEN, {"columns": columns})
        rows = session.call(catalog.file(file), data=table, **chosen).to_arrow()
        if session.engine.dialect != "duckdb":
            left.append(Moved(rows.num_rows, rows.nbytes))
        return rows

    with _reported(function, progress) as report:
        found = session.searches.remedy(function, given, read, report, is_judged)
    return found, _sum(left)


def _sum(left: Sequence[Moved]) -> Moved:
    return Moved(sum(one.rows for one in left), sum(one.bytes for one in left))


def _is_plain(given: Mapping[str, Any]) -> bool:
    """Whether the tables are judged where they are: families, releases and queries are by the search alone."""
    plain = all(isinstance(given[side], str) and not given[side].lstrip().startswith("(") for side in SIDES)
    return plain and given.get(OPTION) is None and not given.get("children") and not given.get("group_by")


def _in_place(session: Calls, function: Function, given: Mapping[str, Any], left: list[Moved]) -> Found | None:
    """Return what a search finds of a table that may be released as it is, where the tables are; None if it may not."""
    names = {side: given[side] for side in SIDES}
    options = arguments.check(function, {**given, "children": None}).options

    def call(asked: str | Function, /, **more: Any) -> Result:
        found = session.call(asked, **more)
        left.append(found.moved)
        return found

    with session.engine.call():
        columns = session.engine.relation("synthetic", names["synthetic"]).columns
    return in_place.judged(names, columns, {**options, "children": {}}, call)


def _needed(engine: Engine, table: Any, names: frozenset[str]) -> list[str] | None:
    """The columns of these names, if others would leave a database for nothing; None: all."""
    if engine.dialect == "duckdb" or not isinstance(table, str):
        return None
    with engine.call():
        columns = engine.relation("data", table).columns
    needed = [column for column in columns if column.name.lower() in names]
    is_plain = all(column.family not in {None, "vector"} for column in needed)
    return [column.name for column in needed] if is_plain and len(needed) < len(columns) else None


@contextmanager
def _reported(function: Function, progress: Progress | bool | None) -> Iterator[Callable[[str], None]]:
    """Report what a search does, whose number of steps nobody knows before."""
    from synthpriv_sql.results.watching.progress import bar

    done = 0
    with bar() if progress is True else nullcontext(progress or None) as shown:

        def report(label: str) -> None:
            nonlocal done
            done += 1
            logger.info("%s: %s", function.name, label)
            if shown is not None:
                shown(done, done + 1, f"{function.name}, {label}")

        yield report
