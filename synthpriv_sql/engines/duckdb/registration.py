"""One-time registration in a database: the kernel's functions, and a macro for each function of sql/.

The macros live in an attached in-memory database named ``synthpriv``, so the user's database is unchanged and may be
read-only. A macro plans its call while DuckDB binds the statement, and is replaced by the SQL that `planning` returns.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
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
from synthpriv_sql.engines.duckdb.guard.reading import Macros
from synthpriv_sql.engines.duckdb.guard.runs import Runs
from synthpriv_sql.engines.duckdb.inside import planning
from synthpriv_sql.errors import SynthprivError
from synthpriv_sql.forests import measures
from synthpriv_sql.forests import udf as forest_udf
from synthpriv_sql.learned import inference, smoothing
from synthpriv_sql.learned import udf as learned_udf
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.planner.headers.nested import SCHEMA
from synthpriv_sql.planner.statement.trees import literal
from synthpriv_sql.progress import Progress
from synthpriv_sql.udf import agreement as agreement_udf
from synthpriv_sql.udf import axes, exchanges, quantiles, within
from synthpriv_sql.udf import neighbors as udf
from synthpriv_sql.udf import uniques as uniques_udf
from synthpriv_sql.udf.texts import copies, phones, phrases, records, replay

VERDICT_SQL = "STRUCT(level VARCHAR, headline VARCHAR, sentence VARCHAR, reasons VARCHAR[])"
"""What `synthpriv_verdict(list(numbers))` says of rows of `evaluate`."""
_TEXTS = pa.list_(pa.string())
_VERDICT = pa.struct(
    {"level": pa.string(), "headline": pa.string(), "sentence": pa.string(), "reasons": _TEXTS}.items()
)


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
    runs: Runs = field(default_factory=Runs)
    """The statements of calls inside SQL with groups, one per group."""
    macros: Macros = field(default_factory=Macros)
    """The macros of the database."""
    searches: Any = None
    """What runs the searches of calls inside SQL."""
    judge: Callable[[list[Any]], Any] | None = None
    """Returns the verdict on rows of `evaluate` as a mapping of `VERDICT_SQL`."""
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
    def monitored(function: Callable[..., Any]) -> Callable[..., Any]:
        def called(*given: Any) -> Any:
            return function(*given, monitor=udf.Monitor(registration.progress, registration.cancelled()))

        return called

    def forest(pages: Any, options: Any) -> Any:
        return forest_udf.predict(pages, options, registration.progress, registration.cancelled())

    def detect(synthetic_pages: Any, train_pages: Any, options: Any) -> Any:
        return measures.detect(synthetic_pages, train_pages, options, registration.progress, registration.cancelled())

    def use(synthetic_pages: Any, train_pages: Any, holdout_pages: Any, options: Any) -> Any:
        given = (synthetic_pages, train_pages, holdout_pages, options)
        return measures.use(*given, registration.progress, registration.cancelled())

    def plan_calls(names: Any, search_paths: Any, catalogs: Any, schemas: Any, arguments: Any) -> Any:
        interrupts.watch()
        wheres = zip(*(column.to_pylist() for column in (search_paths, catalogs, schemas)), strict=True)
        calls = zip(names.to_pylist(), wheres, map(planning.python_value, arguments), strict=True)
        searching = planning.Searching(registration.searches, registration.cancelled())
        known = (registration.cursor, registration.runs, registration.macros, searching)
        return pa.array([planning.planned(*known, *call) for call in calls])

    def run_groups(names: Any) -> Any:
        kept = map(registration.runs.of, names.to_pylist())
        found = [planning.rows(registration.cursor, run, registration.cancelled()) for run in kept]
        return pa.array(found, pa.list_(pa.list_(pa.string())))

    def verdicts(numbers: Any) -> Any:
        judge = registration.judge
        assert judge is not None
        return pa.array([judge(rows) if rows else None for rows in numbers.to_pylist()], _VERDICT)

    def token(anything: Any) -> Any:
        return pa.array([registration.token] * len(anything))

    def create(name: str, function: Callable[..., Any], returns: str, pure: bool) -> None:
        if name in _TIMED:
            function = _timed(registration, _TIMED[name], function)
        # DuckDB folds a pure function of constants during binding; a function with side effects runs once per chunk,
        # and is neither moved nor duplicated.
        connection.create_function(
            name,
            function,
            None,
            returns,
            type=PythonUDFType.ARROW,
            null_handling=FunctionNullHandling.SPECIAL,
            side_effects=not pure,
        )

    create("synthpriv_verdict", verdicts, VERDICT_SQL, pure=True)
    create("synthpriv_session", token, "VARCHAR", pure=True)
    create("synthpriv_plan", plan_calls, "VARCHAR", pure=True)
    create(groups.FUNCTION, run_groups, groups.ROWS_SQL, pure=False)
    create("synthpriv_page", udf.page, "BLOB", pure=False)
    create("synthpriv_search", monitored(udf.search), udf.FOUND_SQL, pure=False)
    create("synthpriv_spreads", udf.spreads, "DOUBLE[]", pure=False)
    create("synthpriv_deviations", udf.deviations, "DOUBLE[]", pure=False)
    create("synthpriv_agreement", monitored(agreement_udf.agree), agreement_udf.FOUND_SQL, pure=False)
    create("synthpriv_uniques", monitored(uniques_udf.replicated), uniques_udf.FOUND_SQL, pure=False)
    create("synthpriv_within", monitored(within.within), within.FOUND_SQL, pure=False)
    create("synthpriv_near", monitored(replay.near), replay.FOUND_SQL, pure=False)
    create("synthpriv_near_copies", monitored(copies.near_copies), copies.FOUND_SQL, pure=False)
    create("synthpriv_near_records", monitored(records.near_records), records.FOUND_SQL, pure=False)
    create("synthpriv_phrases", monitored(phrases.phrases), phrases.FOUND_SQL, pure=False)
    create("synthpriv_phones", monitored(phones.phones), phones.FOUND_SQL, pure=False)
    create("synthpriv_learned", monitored(learned_udf.judge), learned_udf.FOUND_SQL, pure=False)
    create("synthpriv_inference", monitored(inference.infer), inference.FOUND_SQL, pure=False)
    create("synthpriv_kernel", monitored(smoothing.ratios), smoothing.FOUND_SQL, pure=False)
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
    "synthpriv_within": "combinations of halves",
    **dict.fromkeys(
        ("synthpriv_near", "synthpriv_near_copies", "synthpriv_near_records", "synthpriv_phrases"), "texts"
    ),
    "synthpriv_phones": "telephone numbers",
    "synthpriv_learned": "learning",
    "synthpriv_inference": "models of secrets",
    "synthpriv_kernel": "densities",
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
