"""One-time registration in a database: the kernel's functions, and a macro for each function of sql/.

The macros live in an attached in-memory database named ``synthpriv``, so the user's database is unchanged and may be
read-only. A macro plans its call while DuckDB binds the statement, and is replaced by the SQL that `planning` returns.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from weakref import WeakSet, WeakValueDictionary

import duckdb
import pyarrow as pa
from duckdb.func import FunctionNullHandling, PythonUDFType
from sqlglot import exp

from synthpriv_sql import interrupts
from synthpriv_sql.durations import Durations
from synthpriv_sql.engines.duckdb import groups
from synthpriv_sql.engines.duckdb.lookup import Lookup
from synthpriv_sql.errors import SynthprivError
from synthpriv_sql.forests import measures
from synthpriv_sql.forests import udf as forest_udf
from synthpriv_sql.learned import udf as learned_udf
from synthpriv_sql.planner.calls import families
from synthpriv_sql.planner.calls.several import spread
from synthpriv_sql.planner.columns.partitions import REASON
from synthpriv_sql.planner.headers import catalog, files, known_files, wording
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.planner.headers.nested import SCHEMA
from synthpriv_sql.planner.planning import plan
from synthpriv_sql.planner.statement.trees import literal
from synthpriv_sql.progress import Progress
from synthpriv_sql.udf import agreement as agreement_udf
from synthpriv_sql.udf import axes, exchanges, quantiles
from synthpriv_sql.udf import neighbors as udf
from synthpriv_sql.udf import uniques as uniques_udf

_OF_A_MACRO = re.compile(r"\d+_macro_parameters")


@dataclass(eq=False)
class Registration:
    """State shared by the functions in one database.

    ``connections`` are those that `register` was called on. They are held weakly: a database may be closed or garbage
    collected as if nothing had been registered.
    """

    token: str = field(default_factory=lambda: uuid.uuid4().hex)
    connections: WeakSet[duckdb.DuckDBPyConnection] = field(default_factory=WeakSet)
    progress: Progress | None = None
    durations: Durations | None = None
    """The durations of the current statement, if they are measured."""
    stops: int = 0
    """How often searches were cancelled."""
    before: tuple[int, int] | None = None
    """That count and the count of interrupts at the start of a call: cancelling before the search counts too."""

    @contextmanager
    def call(self) -> Iterator[None]:
        """Enclose a session's call."""
        self.before = (self.stops, interrupts.count())
        try:
            yield
        finally:
            self.before = None

    def cancelled(self) -> Callable[[], bool]:
        """Return a function that tells a search that starts now whether it is cancelled."""
        before = self.before or (self.stops, interrupts.count())
        return lambda: (self.stops, interrupts.count()) != before

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Open a cursor that looks up tables while a statement is planned."""
        for connection in list(self.connections):
            try:
                return connection.cursor()
            except duckdb.ConnectionException:
                continue
        raise SynthprivError(
            "the connection that synthpriv_sql was registered on is gone; call synthpriv_sql.register(connection) "
            "on one that you keep"
        )


_REGISTRATIONS: WeakValueDictionary[str, Registration] = WeakValueDictionary()
"""By token. The functions in a database keep its registration alive."""


def register(connection: duckdb.DuckDBPyConnection) -> Registration:
    """Make the functions available in the database of a connection, once.

    Raises
    ------
    SynthprivError
        The user has a database of their own that is named ``synthpriv``.
    """
    registration = _known(connection)
    if registration is None:
        registration = Registration()
        _create_functions(connection, registration)
        _create_macros(connection)
        _REGISTRATIONS[registration.token] = registration
    registration.connections.add(connection)
    return registration


def _known(connection: duckdb.DuckDBPyConnection) -> Registration | None:
    try:
        ((token,),) = connection.execute(catalog.statement("registration")).fetchall()
    except duckdb.CatalogException:
        return None
    return _REGISTRATIONS[token]


def _create_functions(connection: duckdb.DuckDBPyConnection, registration: Registration) -> None:
    def search(query_pages: Any, reference_pages: Any, spreads: Any, options: Any) -> Any:
        watched = udf.Monitor(registration.progress, registration.cancelled())
        return udf.search(query_pages, reference_pages, spreads, options, watched)

    def agree(synthetic_pages: Any, train_pages: Any, holdout_pages: Any, options: Any) -> Any:
        watched = udf.Monitor(registration.progress, registration.cancelled())
        return agreement_udf.agree(synthetic_pages, train_pages, holdout_pages, options, watched)

    def unique(synthetic: Any, train: Any, holdout: Any, train_units: Any, holdout_units: Any, options: Any) -> Any:
        given = (synthetic, train, holdout, train_units, holdout_units, options)
        return uniques_udf.replicated(*given, monitor=udf.Monitor(registration.progress, registration.cancelled()))

    def learn(*given: Any) -> Any:
        return learned_udf.judge(*given, monitor=udf.Monitor(registration.progress, registration.cancelled()))

    def forest(pages: Any, options: Any) -> Any:
        return forest_udf.predict(pages, options, registration.progress, registration.cancelled())

    def detect(synthetic_pages: Any, train_pages: Any, options: Any) -> Any:
        return measures.detect(synthetic_pages, train_pages, options, registration.progress, registration.cancelled())

    def use(synthetic_pages: Any, train_pages: Any, holdout_pages: Any, options: Any) -> Any:
        given = (synthetic_pages, train_pages, holdout_pages, options)
        return measures.use(*given, registration.progress, registration.cancelled())

    def plan_calls(names: Any, search_paths: Any, catalogs: Any, schemas: Any, arguments: Any) -> Any:
        interrupts.watch()
        texts = (column.to_pylist() for column in (names, search_paths, catalogs, schemas))
        calls = zip(*texts, map(_python_value, arguments), strict=True)
        return pa.array([_plan_in_sql(registration, *call) for call in calls])

    def run_groups(search_paths: Any, catalogs: Any, schemas: Any, statements: Any, runs: Any) -> Any:
        calls = zip(
            *(column.to_pylist() for column in (search_paths, catalogs, schemas, statements, runs)), strict=True
        )
        return pa.array([_of_groups(registration, *call) for call in calls], pa.list_(pa.list_(pa.string())))

    def token(anything: Any) -> Any:
        return pa.array([registration.token] * len(anything))

    def create(name: str, function: Callable[..., Any], returns: str, pure: bool) -> None:
        if name in _TIMED:
            function = _timed(registration, _TIMED[name], function)
        # DuckDB folds a pure function of constants during binding; a function with side effects runs once per chunk,
        # and # is neither moved nor duplicated.
        connection.create_function(
            name,
            function,
            None,
            returns,
            type=PythonUDFType.ARROW,
            null_handling=FunctionNullHandling.SPECIAL,
            side_effects=not pure,
        )

    create("synthpriv_session", token, "VARCHAR", pure=True)
    create("synthpriv_plan", plan_calls, "VARCHAR", pure=True)
    create(groups.FUNCTION, run_groups, groups.ROWS_SQL, pure=False)
    create("synthpriv_page", udf.page, "BLOB", pure=False)
    create("synthpriv_search", search, udf.FOUND_SQL, pure=False)
    create("synthpriv_spreads", udf.spreads, "DOUBLE[]", pure=False)
    create("synthpriv_deviations", udf.deviations, "DOUBLE[]", pure=False)
    create("synthpriv_agreement", agree, agreement_udf.FOUND_SQL, pure=False)
    create("synthpriv_uniques", unique, uniques_udf.FOUND_SQL, pure=False)
    create("synthpriv_learned", learn, learned_udf.FOUND_SQL, pure=False)
    create("synthpriv_beta_quantile", quantiles.beta, quantiles.BETA_SQL, pure=True)
    create("synthpriv_exchanged", exchanges.p_value, exchanges.P_VALUE_SQL, pure=True)
    create("synthpriv_components", axes.components, axes.FOUND_SQL, pure=False)
    create("synthpriv_forest", forest, forest_udf.PREDICTED_SQL, pure=False)
    create("synthpriv_detection", detect, measures.DETECTED_SQL, pure=False)
    create("synthpriv_utility", use, measures.USED_SQL, pure=False)


_TIMED = {
    "synthpriv_page": "encoding",
    "synthpriv_spreads": "encoding",
    "synthpriv_deviations": "encoding",
    "synthpriv_search": "search",
    "synthpriv_agreement": "search for agreement",
    "synthpriv_uniques": "combinations",
    "synthpriv_learned": "learning",
    "synthpriv_components": "principal axes",
    **dict.fromkeys(("synthpriv_forest", "synthpriv_detection", "synthpriv_utility"), "forests"),
}
"""The name of each function in the measured durations; for a search, the names of its tables follow."""


def _timed(registration: Registration, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function so that its duration is recorded, if durations are measured."""

    def timed(*given: Any) -> Any:
        if registration.durations is None:
            return function(*given)
        about = given[-1][0].as_py() if part == "search" and len(given[-1]) else None
        named = f"{part}, {about['queries']} → {about['reference']}" if about else part
        with registration.durations.span(named):
            return function(*given)

    return timed


def _stands_in_a_macro(value: Any) -> bool:
    """Whether a value is the placeholder for macro parameters with which DuckDB checks the body of a new macro."""
    if isinstance(value, str):
        return _OF_A_MACRO.match(value) is not None
    values = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return any(map(_stands_in_a_macro, values))


def _python_value(value: pa.Scalar) -> Any:
    """Convert an argument to Python; a struct without field names, such as ``('a', 'b')``, becomes a list."""
    if not isinstance(value, pa.StructScalar) or not value.is_valid:
        return value.as_py()
    names = [field.name for field in value.type]
    values = [_python_value(value[i]) for i in range(len(names))]
    return dict(zip(names, values, strict=True)) if len(set(names)) == len(names) else values


def _no_rows(function: Function, arguments: Mapping[str, Any]) -> str:
    """An empty statement with the columns of a call whose tables are unknown, to check the body of a macro."""
    by = arguments.get("group_by")
    names = [by] if isinstance(by, str) else list(by or [])
    if families.are_asked_for(function, arguments):
        names.append(families.PART)
    for column in function.columns:
        names.append(column)
        if column in function.keys and arguments.get("key"):
            names.append("key" if column == "record" else "neighbor_key")
    if by and not arguments.get("strict_groups"):
        names.append(REASON)
    return _empty(tuple(names or ["nothing"]))


@cache
def _empty(names: tuple[str, ...]) -> str:
    """A statement with these columns and no rows."""
    return exp.select(*(exp.alias_(exp.null(), name, quoted=True) for name in names)).where(exp.false()).sql("duckdb")


def _plan_in_sql(
    registration: Registration, name: str, search_path: str, database: str, schema: str, arguments: Mapping[str, Any]
) -> str:
    """Plan a call inside SQL, on a cursor that resolves names like the calling connection."""
    if _stands_in_a_macro(arguments):
        return _no_rows(catalog.function(name), arguments)
    with _cursor(registration, search_path, database, schema) as cursor, wording.spoken("sql"):
        lookup = Lookup(cursor, within_statement=True)
        arguments = files.with_reading(catalog.function(name), arguments)
        if families.are_asked_for(catalog.function(name), arguments):
            return _plan_of_family(lookup, catalog.function(name), arguments)
        return _planned(lookup, catalog.function(name), arguments)


@contextmanager
def _cursor(
    registration: Registration, search_path: str, database: str, schema: str
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A cursor that resolves names like a connection with these settings."""
    cursor = registration.cursor()
    try:
        here = search_path or exp.table_(schema, catalog=database, quoted=True).sql("duckdb")
        setting = exp.SetItem(this=exp.EQ(this=exp.var("search_path"), expression=exp.Literal.string(here)))
        cursor.execute(exp.Set(expressions=[setting]).sql("duckdb"))
        yield cursor
    finally:
        cursor.close()


def _of_groups(
    registration: Registration, search_path: str, database: str, schema: str, statement: str, runs: Sequence[str]
) -> list[list[str | None]]:
    """Run a call inside SQL for each of its groups."""
    with _cursor(registration, search_path, database, schema) as cursor:
        return groups.rows(cursor, statement, runs, registration.cancelled())


def _planned(lookup: Lookup, function: Function, arguments: Mapping[str, Any]) -> str:
    planned = plan(lookup, *spread(function, arguments))
    lookup.warn(planned.relations)
    planned.warn(stacklevel=2)
    if planned.groups is None:
        return planned.sql
    described = groups.described(lookup.connection, planned)
    return groups.sql(planned, described.columns, [str(type_) for type_ in described.types])


@dataclass(frozen=True, slots=True)
class _Maker:
    """Writes the views of related tables as queries."""

    lookup: Lookup

    def columns(self, table: Any) -> list[str]:
        return [column.name for column in self.lookup.relation("data", table).columns]

    def flat(self, parents: Any, children: Any, key: str, prefix: str) -> str:
        return self._query(
            known_files.FLATTEN, {"parents": parents, "children": children, "key": key, "prefix": prefix}
        )

    def beside_parents(self, parents: Any, children: Any, key: str) -> str:
        return self._query(known_files.WITH_PARENTS, {"parents": parents, "children": children, "key": key})

    def scores(self, given: Mapping[str, Any]) -> str:
        return self._query(known_files.VIEW_SCORES, given)

    def _query(self, name: str, given: Mapping[str, Any]) -> str:
        return f"({_planned(self.lookup, catalog.file(name), given)})"

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


def _plan_of_family(lookup: Lookup, function: Function, arguments: Mapping[str, Any]) -> str:
    """Return one statement for all views of related tables."""
    parts = []
    for view in families.views(function, arguments, _Maker(lookup)):
        named = exp.select(exp.alias_(literal(view.name), families.PART), "*").sql("duckdb")
        parts.append(f"{named} FROM ({_planned(lookup, function, view.given)})")
    # BY NAME: the views of children have a column more, for the person.
    return " UNION ALL BY NAME ".join(parts)


def _create_macros(connection: duckdb.DuckDBPyConnection) -> None:
    # A separate cursor: the user's connection may be in a transaction on another database.
    cursor = connection.cursor()
    try:
        cursor.execute(catalog.statement("attach"))
        for statement in _macros():
            cursor.execute(statement)
    except duckdb.BinderException as error:
        raise SynthprivError(
            f'a database named "{SCHEMA}" is attached already; detach it or attach it under another name ({error})'
        ) from None
    finally:
        cursor.close()


@cache
def _macros() -> tuple[str, ...]:
    """The statements that create the macros; the same for every connection."""
    functions = catalog.functions().values()
    return tuple(_macro(function).sql("duckdb", normalize_functions=False, copy=False) for function in functions)


def _macro(function: Function) -> exp.Create:
    """``CREATE MACRO synthpriv.name(…) AS TABLE FROM query(synthpriv_plan(…))``."""
    parameters: list[exp.Expr] = []
    for parameter in function.parameters.values():
        name = exp.to_identifier(parameter.name, quoted=True)
        default = exp.null() if parameter.required or parameter.default is None else literal(parameter.default)
        parameters.append(name if parameter.required else exp.PropertyEQ(this=name, expression=default))
    given = exp.Struct(
        expressions=[
            exp.PropertyEQ(this=exp.to_identifier(p, quoted=True), expression=exp.column(p, quoted=True))
            for p in function.parameters
        ]
    )
    named = [exp.Literal.string(function.name), *groups.caller(), given]
    planned = exp.Anonymous(this="synthpriv_plan", expressions=named)
    body = exp.select("*").from_(exp.Table(this=exp.Anonymous(this="query", expressions=[planned])))
    head = exp.UserDefinedFunction(this=exp.to_table(f"{SCHEMA}.{function.name}"), expressions=parameters, wrapped=True)
    return exp.Create(this=head, kind="MACRO", replace=True, expression=exp.Anonymous(this="TABLE", expressions=[body]))
