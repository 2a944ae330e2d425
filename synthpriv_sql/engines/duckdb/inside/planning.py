"""Planning a call inside SQL while DuckDB binds the statement, and running it for each of its groups."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import duckdb
import pyarrow as pa
import sqlglot
from sqlglot import exp

from synthpriv_sql.dialects.flattening import flattened
from synthpriv_sql.engines.duckdb import groups
from synthpriv_sql.engines.duckdb.guard.reading import Macros
from synthpriv_sql.engines.duckdb.guard.runs import Run, Runs, Where, reading_only
from synthpriv_sql.engines.duckdb.lookup import Lookup
from synthpriv_sql.planner.calls import families
from synthpriv_sql.planner.calls.rewriting import Call, Rewriter, rewritten
from synthpriv_sql.planner.columns.partitions import REASON
from synthpriv_sql.planner.headers import catalog, known_files, wording
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.planner.planning import plan
from synthpriv_sql.planner.statement.trees import literal
from synthpriv_sql.planner.statement.writing import duckdb_text

_OF_A_MACRO = re.compile(r"\d+_macro_parameters")


class Searches(Protocol):
    """Runs the searches of functions whose rows are found by many calls, see `synthpriv_sql.remedies.calling`."""

    def remedy(
        self,
        function: Function,
        given: Mapping[str, Any],
        read: Callable[[Any, frozenset[str] | None], pa.Table],
        report: Callable[[str], None],
    ) -> Any:
        """Return what a search finds."""


@dataclass(frozen=True, slots=True)
class Searching:
    """What runs searches while a statement is planned, and whether to stop."""

    searches: Searches | None
    cancelled: Callable[[], bool]


def _stands_in_a_macro(value: Any) -> bool:
    """Whether a value is the placeholder for macro parameters with which DuckDB checks the body of a new macro."""
    if isinstance(value, str):
        return _OF_A_MACRO.match(value) is not None
    values = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return any(map(_stands_in_a_macro, values))


def python_value(value: pa.Scalar) -> Any:
    """Convert an argument to Python; a struct without field names, such as ``('a', 'b')``, becomes a list."""
    if not isinstance(value, pa.StructScalar) or not value.is_valid:
        return value.as_py()
    names = [field.name for field in value.type]
    values = [python_value(value[i]) for i in range(len(names))]
    return dict(zip(names, values, strict=True)) if len(set(names)) == len(names) else values


def _no_rows(function: Function, arguments: Mapping[str, Any]) -> str:
    """An empty statement with the columns of a call whose tables are unknown, to check the body of a macro."""
    by = arguments.get("group_by")
    names = [by] if isinstance(by, str) else list(by or [])
    if families.are_asked_for(function, arguments) and not function.searched:
        names.append(families.PART)
    for column in function.columns:
        names.append(column)
        if column in function.keys and arguments.get("key"):
            names.append("key" if column == "record" else "neighbor_key")
    if by and not arguments.get("strict_groups"):
        names.append(REASON)
    return _empty(tuple(names or ["nothing"]))


def _of_rows(table: pa.Table, function: Function) -> exp.Select:
    """A statement that gives the rows of a table, in the types of a function's columns."""
    rows = exp.Array(expressions=[literal(row) for row in table.to_pylist()])
    unnested = exp.select(exp.alias_(exp.Anonymous(this="unnest", expressions=[rows]), "found"))
    shown = (
        exp.alias_(exp.cast(exp.Dot(this=exp.column("found"), expression=exp.to_identifier(name)), type_), name)
        for name, type_ in function.types.items()
    )
    return exp.select(*shown).from_(unnested.subquery("rows"))


@cache
def _empty(names: tuple[str, ...]) -> str:
    """A statement with these columns and no rows."""
    return exp.select(*(exp.alias_(exp.null(), name, quoted=True) for name in names)).where(exp.false()).sql("duckdb")


def planned(
    opened: Callable[[], duckdb.DuckDBPyConnection],
    kept: Runs,
    macros: Macros,
    searching: Searching,
    name: str,
    where: Where,
    arguments: Mapping[str, Any],
) -> str:
    """Return the statement of a call, planned on a cursor that resolves names like the caller, and writes nothing.

    Parameters
    ----------
    opened
        Opens a cursor.
    kept
        Keeps what the call runs for each of its groups.
    macros
        The macros that are known in the database.
    searching
        Runs searches.
    name, arguments
        The call.
    where
        The search path, the database and the schema of the caller.
    """
    if _stands_in_a_macro(arguments):
        return _no_rows(catalog.function(name), arguments)
    with _cursor(opened, where) as cursor, reading_only(cursor), wording.spoken("sql"):
        planner = _Planner(Lookup(cursor, within_statement=True, macros=macros), kept, where, searching)
        call = rewritten(Call.of(name, arguments), planner)
        return planner.call(call.function, call.given) if isinstance(call, Call) else call


def rows(
    opened: Callable[[], duckdb.DuckDBPyConnection], run: Run, cancelled: Callable[[], bool]
) -> list[list[str | None]]:
    """Run what a call has kept for each of its groups."""
    with _cursor(opened, run.where) as cursor:
        return groups.rows(cursor, run, cancelled)


@contextmanager
def _cursor(opened: Callable[[], duckdb.DuckDBPyConnection], where: Where) -> Iterator[duckdb.DuckDBPyConnection]:
    """A cursor that resolves names like a connection with this search path, database and schema."""
    search_path, database, schema = where
    cursor = opened()
    try:
        here = search_path or exp.table_(schema, catalog=database, quoted=True).sql("duckdb")
        setting = exp.SetItem(this=exp.EQ(this=exp.var("search_path"), expression=exp.Literal.string(here)))
        cursor.execute(exp.Set(expressions=[setting]).sql("duckdb"))
        yield cursor
    finally:
        cursor.close()


@dataclass(frozen=True, slots=True)
class _Planner(Rewriter[str]):
    """Plans calls inside SQL for a caller with a search path, a database and a schema."""

    lookup: Lookup
    runs: Runs
    where: Where
    searching: Searching

    def of_files(self, call: Call) -> Call:
        """Read them as the other tables decide."""
        return call.on(self.lookup.read_alike(call.function, call.given))

    def of_json(self, call: Call) -> Call:
        """Ask the tables for what their nested columns hold."""
        return call.on(flattened(call.function, call.given, lambda table: nullcontext((self.lookup, table))))

    def call(self, function: Function, arguments: Mapping[str, Any]) -> str:
        """Return the statement of a call."""
        each = Call(function, arguments).with_a_parameter_for_each_table()
        planned = plan(self.lookup, each.function, each.given)
        self.lookup.warn(planned.relations)
        planned.warn(stacklevel=2)
        if planned.groups is None:
            return planned.sql
        described = groups.described(self.lookup.connection, planned)
        name = self.runs.keep(groups.run_of(planned, described.columns, self.where))
        return groups.called(name, described.columns, [str(type_) for type_ in described.types])

    def of_search(self, call: Call) -> str:
        """Return a statement with what a search finds, which runs now: only then are the columns known."""
        kept = catalog.file(known_files.KEPT)

        def read(table: Any, _: frozenset[str] | None) -> pa.Table:
            return self.lookup.connection.sql(self.call(kept, {"data": table})).to_arrow_table()

        searches, cancelled = self.searching.searches, self.searching.cancelled
        assert searches is not None
        found = searches.remedy(call.function, call.given, read, lambda _: groups.go_on(cancelled))
        if not call.function.columns_of:
            return duckdb_text(_of_rows(found.steps, call.function))
        child, table = str(call.given.get("part") or ""), call.given["synthetic"]
        if child:
            of_child = call.given["children"][child]
            table = next(iter(of_child.values() if isinstance(of_child, Mapping) else of_child))
        rows = sqlglot.parse_one(
            self.call(kept, {"data": table, "removed": found.removed_of(child) or None}), dialect="duckdb"
        )
        assert isinstance(rows, exp.Query)
        return duckdb_text(found.select(rows.subquery("left_rows"), child))

    def of_family(self, call: Call) -> str:
        """Return one statement for all views of related tables."""
        parts = []
        for view in families.views(call.function, call.given, _Maker(self)):
            named = exp.select(exp.alias_(literal(view.name), families.PART), "*").sql("duckdb")
            parts.append(f"{named} FROM ({self.call(call.function, view.given)})")
        # BY NAME: the views of children have a column more, for the person.
        return " UNION ALL BY NAME ".join(parts)


@dataclass(frozen=True, slots=True)
class _Maker:
    """Writes the views of related tables as queries."""

    planner: _Planner

    def columns(self, table: Any) -> list[str]:
        return [column.name for column in self.planner.lookup.relation("data", table).columns]

    def flat(self, parents: Any, children: Any, key: str, prefix: str, options: Mapping[str, Any]) -> str:
        given = {"parents": parents, "children": children, "key": key, "prefix": prefix, **options}
        return self._query(known_files.FLATTEN, given)

    def identifiers(self, given: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        return self.planner.lookup.ask(catalog.file(known_files.IDENTIFIERS), given)

    def chosen(self, table: Any, columns: Sequence[str]) -> str:
        return self._query(known_files.CHOSEN, {"data": table, "columns": columns})

    def beside_parents(self, parents: Any, children: Any, key: str) -> str:
        return self._query(known_files.WITH_PARENTS, {"parents": parents, "children": children, "key": key})

    def scores(self, given: Mapping[str, Any]) -> str:
        return self._query(known_files.VIEW_SCORES, given)

    def _query(self, name: str, given: Mapping[str, Any]) -> str:
        return f"({self.planner.call(catalog.file(name), given)})"

    def beside(self, parents: str, side: str, key: str, scores: str, by: str, names: Mapping[str, str]) -> str:
        place = exp.to_identifier("[place]", quoted=True)
        numbered = exp.select("*", exp.alias_(exp.Window(this=exp.RowNumber()), place)).sql("duckdb")
        shown = exp.select(f"parents.* EXCLUDE ({place.sql('duckdb')})", dialect="duckdb").select(
            *(exp.alias_(exp.column(score, table="scores"), name, quoted=True) for score, name in names.items())
        )
        own = exp.column(exp.to_identifier(key, quoted=True), table="parents")
        on = exp.and_(exp.column("side", table="scores").eq(literal(side)), exp.column(by, table="scores").eq(own))
        order = exp.column(place, table="parents")
        return (
            f"({shown.sql('duckdb')} FROM ({numbered} FROM {parents}) AS parents LEFT JOIN {scores} AS scores "
            f"ON {on.sql('duckdb')} ORDER BY {order.sql('duckdb')})"
        )
