"""Builds the HTML report from a call."""

from __future__ import annotations

import platform
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import duckdb
from sqlglot import exp

from synthpriv_sql.engines.base import Answer
from synthpriv_sql.errors import NotInDialect, UnknownTable, without_secrets
from synthpriv_sql.planner.calls.sampling import SAMPLE
from synthpriv_sql.planner.columns import groups, nested, releases
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.headers.files import OPTION, is_csv
from synthpriv_sql.planner.statement.trees import literal
from synthpriv_sql.report.drawn import people
from synthpriv_sql.report.drawn.charts import PUBLISHED, PageData, charts
from synthpriv_sql.report.evaluation import Evaluation
from synthpriv_sql.report.fidelity import Fidelity
from synthpriv_sql.report.measured import COMPARISONS, Measured
from synthpriv_sql.report.regulation import answered
from synthpriv_sql.report.scatter import Scatter, pairs
from synthpriv_sql.report.trend import line_now
from synthpriv_sql.report.verdict.findings import BAND_OF
from synthpriv_sql.report.verdict.people import looks
from synthpriv_sql.report.verdict.words import verdict
from synthpriv_sql.report.writing import Shown, environment, inline, label
from synthpriv_sql.results.calls.caller import Caller
from synthpriv_sql.results.checks.cautions import warn
from synthpriv_sql.results.output import has_folder, kept, write_page
from synthpriv_sql.results.result import Result
from synthpriv_sql.results.watching.log import logger
from synthpriv_sql.results.watching.progress import bar
from synthpriv_sql.version import __version__

_STATEMENTS = (
    "exposure",
    "exposure_by",
    "membership",
    "copies",
    "holdout_share",
    "dcr_summary",
    "nndr_summary",
    "comparison",
    "screen",
    "safe",
    "disclosure",
    "anonymity",
    "attribute_inference",
    "linkability",
    "identifiability",
    "singling_out",
    "discernibility",
    "mda",
    "baseline_sweep",
    "fidelity",
    "evaluate",
)
"""The functions whose SQL the page shows."""
_MEANT_FOR = {
    "k": {"discernibility", "evaluate"},
    "attack": {"membership", "evaluate"},
    "false_discovery": {"exposure", "exposure_by", "evaluate"},
    releases.OPTION: {"evaluate"},
}
"""Options of evaluate that only these functions take over: elsewhere the same name means something else."""
_ASKED_BY = {"disclosure": "targets", "anonymity": "sensitive", "identifiability": "risks", "singling_out": "risks"}
"""The option of evaluate that makes it call a function."""


@dataclass(frozen=True, slots=True)
class Statement:
    """The SQL behind a number: a call of the registered function, and the complete statement."""

    call: str
    text: str


def build(
    session: Caller,
    path: str,
    given: Mapping[str, Any],
    *,
    shown: Shown,
    progress: Any,
    beside: str = "",
) -> Evaluation:
    """Evaluate, write the page, and return the same result as evaluate.

    Parameters
    ----------
    session
        The session with the tables.
    path
        The file to write; an existing file is replaced once the new page is complete.
    given
        Arguments of evaluate.
    shown
        What the page shows besides numbers.
    progress
        As in `Session.call`.
    beside
        The name of the file with all numbers, if there is one.

    Raises
    ------
    WriteError
        The file cannot be written.
    """
    given = _asked(given)
    begun = time.monotonic()
    target = Path(path)
    has_folder(target)
    with bar(2 + shown.baseline + shown.values) if progress is True else nullcontext(progress) as report:
        page = session.call(catalog.file("page"), progress=report, **given, show_values=shown.values)
        rows = page.to_arrow().to_pylist()
        listed = rows if shown.keys else [row for row in rows if row["item"] != "key"]
        measured = Measured(listed, _sheets(given, [row["name"] for row in rows if row["item"] == "column"]))
        chosen = _as_compared(measured, given)
        if given.get(SAMPLE):  # what else the page shows is about whole tables, whose records have other numbers
            chosen = {name: value for name, value in chosen.items() if name != SAMPLE}
        plain = _without_vectors(measured, chosen)
        found = PageData(
            measured,
            Fidelity(_rows(session, "page_fidelity", plain, report)) if plain else None,
            _scatter(session, measured, plain, report) if shown.values and plain and not given.get(SAMPLE) else None,
            _baseline(session, plain, report) if shown.baseline and plain else None,
            shown.remedy() if shown.remedy and verdict(measured).level == "bad" else None,
        )
    statements = {
        name: statement(session, name, given if name == "evaluate" else chosen if function.vectors else plain)
        for name, function in catalog.functions().items()
        if name in _STATEMENTS and (function.vectors or not function.compares or plain)
    }
    if given.get("identifiers") != "exclude" and plain:
        # Its option `columns` is a count, so the columns to leave out have to be excluded.
        left_out = [*(given.get("exclude") or []), *_vectors(measured)]
        statements["singling_out"] = statement(session, "singling_out", {**given, "exclude": left_out or None})
    numbers = _numbers(session, page, _sql(session, "evaluate", given))
    if shown.trend:
        found = replace(found, trend=[*shown.trend, line_now(numbers)])
    written = _render(found, given, {name: s for name, s in statements.items() if s is not None}, beside)
    numbers = _timed(numbers, time.monotonic() - begun)
    with kept(numbers, target):
        write_page(target, written, private=shown.values)
    logger.info("report: %s is written after %.1f s", path, numbers.run_seconds["total"])
    warn(numbers)
    return numbers


def _sheets(given: Mapping[str, Any], columns: Sequence[str]) -> Mapping[str, int]:
    """Return, for each table that is a single CSV file, the row of its first record in Excel."""
    found = {}
    # DuckDB generates these names for a file without a header.
    headed = not all(re.fullmatch(r"column\d+", name) for name in columns)
    for name in ("synthetic", "train"):
        path = given.get(name)
        if is_csv(path) and Path(str(path)).is_file() and Path(str(path)).suffix.lower() == ".csv":
            reading = getattr(path, "reading", {})
            found[name] = 1 + int(reading.get("header", headed)) + int(reading.get("skip", 0))
    return found


def own_page(target: Path, place: int, name: str) -> Path:
    """Return the path of the page of one part or candidate, next to the main page."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "page"
    return target.with_name(f"{target.stem}-{place}-{slug}.html")


def _as_compared(measured: Measured, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Replace the options that leave columns out by a list of the compared columns.

    Only the call with all tables has detected identifiers, and a function with fewer tables does not know the columns
    of the others.
    """
    if not given.get("exclude") and not given.get("hints") and given.get("identifiers") != "exclude":
        return given
    return {**given, "columns": [column["name"] for column in measured.columns], "exclude": None, "identifiers": None}


def _vectors(measured: Measured) -> list[str]:
    return [column["name"] for column in measured.columns if column["role"] == "vector"]


def _without_vectors(measured: Measured, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the arguments restricted to columns that are no vectors; empty if there are none."""
    vectors = _vectors(measured)
    if not vectors:
        return given
    kept = [column["name"] for column in measured.columns if column["name"] not in vectors]
    spelled = {name.lower() for name in kept}
    weights = {name: weight for name, weight in (given.get("weights") or {}).items() if name.lower() in spelled}
    return {**given, "columns": kept, "exclude": None, "identifiers": None, "weights": weights or None} if kept else {}


def _scatter(session: Caller, measured: Measured, given: Mapping[str, Any], progress: Any) -> Scatter | None:
    """Project the listed records and a sample of others to two dimensions; None if the engine cannot."""
    both = pairs(measured)
    wanted = {"of_synthetic": sorted({s for _, s, _ in both}), "of_train": sorted({t for _, _, t in both})}
    # The projection of `reduce` has a scaling of its own.
    taken = {name: value for name, value in given.items() if name != "scaling"} | wanted
    try:
        return Scatter(_rows(session, "page_scatter", taken, progress), measured)
    except NotInDialect:
        return None


def _baseline(session: Caller, given: Mapping[str, Any], progress: Any) -> list[dict[str, Any]]:
    stops = catalog.file("page_baseline").parameters["threshold"].default
    wanted = sorted({*stops, *PUBLISHED, _first(given.get("threshold"))})
    return _rows(session, "page_baseline", {**given, "threshold": wanted}, progress)


def _rows(session: Caller, name: str, given: Mapping[str, Any], progress: Any) -> list[dict[str, Any]]:
    """Run a function of sql/report/ with the arguments of evaluate that it takes."""
    function = catalog.file(name)
    taken = {name: value for name, value in given.items() if name in function.parameters}
    return session.call(function, progress=progress, **taken).to_arrow().to_pylist()  # type: ignore[no-any-return]


def _first(threshold: float | Sequence[float] | None) -> float:
    """The threshold that the page shows initially."""
    found = catalog.function("mda").parameters["threshold"].default if threshold is None else threshold
    return float(found[0] if isinstance(found, Sequence) else found)


def _numbers(session: Caller, page: Result, sql: str) -> Evaluation:
    """Select the rows of evaluate from those of the page."""
    columns = list(catalog.function("evaluate").columns)
    table = page.to_arrow()
    is_number = [item == "number" for item in table.column("item").to_pylist()]
    types = dict(zip(page.columns, page.types, strict=True))
    answer = Answer(table.filter(is_number).select(columns), [types[c] for c in columns], sql, page.moved)
    run = page.run and replace(page.run, function="evaluate")
    return Evaluation.of(Result(session.engine, "evaluate", answer, run))


def _timed(numbers: Evaluation, took: float) -> Evaluation:
    """Add the time of the page; `took` is that of the whole report in seconds."""
    seconds = numbers.run_seconds
    seconds |= {"page": took - seconds.pop("total", 0.0), "total": took}
    numbers.run = numbers.run and replace(numbers.run, seconds=seconds)
    return numbers


def _asked(given: Mapping[str, Any]) -> dict[str, Any]:
    """Drop arguments that are None, and defaults of evaluate that the page does not know."""
    known, of_evaluate = catalog.file("page").parameters, catalog.function("evaluate").parameters
    return {
        name: value
        for name, value in given.items()
        if value is not None and (name in known or name not in of_evaluate or value != of_evaluate[name].default)
    }


def statement(session: Caller, name: str, given: Mapping[str, Any]) -> Statement | None:
    """Return the SQL of a function with the arguments of evaluate; None if a required one is missing."""
    function = catalog.function(name)
    if name in _ASKED_BY and not given.get(_ASKED_BY[name]):
        return None
    given = groups.about(function, given) if function.groups else given
    aliases = {"a": "synthetic", "b": "train", "data": "synthetic"}
    shared = {p.name for p in catalog.function("evaluate").options if p.group}
    meant = [
        p
        for p, own in function.parameters.items()
        # An option of its own that only has the name of a shared one, such as near of copies, is another.
        if name in _MEANT_FOR.get(p, {name}) and (own.group or p not in shared or p == "columns")
    ]
    if given.get("columns") and "columns" in meant and not function.parameters["columns"].group:
        return None  # a count there, names here
    taken: dict[str, Any] = {p: given.get(aliases.get(p, p)) for p in meant}
    taken = {p: value for p, value in taken.items() if value is not None}
    read = nested.reading_of(taken) if OPTION in function.parameters else {}
    if any(parameter.required and p not in taken for p, parameter in function.parameters.items()):
        return None
    tables = {p.name for p in function.parameters.values() if p.type in {"relation", "relations", "tables"}}
    arguments = [
        exp.PropertyEQ(
            this=exp.to_identifier(parameter),
            expression=literal(_labels(value) if parameter in tables else value),
        )
        for parameter, value in {**taken, **read}.items()
    ]
    call = exp.Table(this=exp.Anonymous(this=name, expressions=arguments), db=exp.to_identifier("synthpriv"))
    return Statement(
        exp.select("*").from_(call).sql("duckdb", pretty=True, normalize_functions=False), _sql(session, name, taken)
    )


def _labels(tables: Any) -> Any:
    """The label of a table, or of each of several."""
    if isinstance(tables, Mapping):
        return {name: label(table) for name, table in tables.items()}
    return [label(table) for table in tables] if isinstance(tables, (list, tuple)) else label(tables)


def _sql(session: Caller, name: str, given: Mapping[str, Any]) -> str:
    """The SQL of a call, or a comment why a table that only Python can read has none."""
    try:
        return without_secrets(session.sql(name, **given))
    except UnknownTable as unread:
        return f"-- {unread}"


def _render(
    found: PageData,
    given: Mapping[str, Any],
    statements: Mapping[str, Statement],
    beside: str,
) -> str:
    evaluate = catalog.function("evaluate")
    tables = {p.name: label(given[p.name]) for p in evaluate.relations if given.get(p.name) is not None}
    before = given.get(releases.OPTION)
    named = {} if before is None else releases.named(evaluate, before)
    tables |= {f"release {name}": label(table) for name, table in named.items()}
    options = {
        p.name: given[p.name] if given.get(p.name) is not None else p.default
        for p in evaluate.options
        if p.name != releases.OPTION and (given.get(p.name) is not None or p.default is not None)
    } | nested.reading_of(given)
    return (
        environment()
        .get_template("page.html.j2")
        .render(
            bands=BAND_OF,
            baseline=found.baseline,
            beside=beside,
            charts={
                **charts(found, _first(given.get("threshold"))),
                **people.charts(found.measured),
                **people.trend(found.trend),
            },
            comparisons=COMPARISONS,
            fidelity=found.fidelity,
            file=inline,
            looks=looks(found.measured),
            made=datetime.now(UTC),
            measured=found.measured,
            scatter=found.scatter,
            options=options,
            questions=answered(found.measured),
            remedy=found.remedy,
            trend=found.trend,
            statements=statements,
            tables=tables,
            verdict=verdict(found.measured),
            versions={
                "synthpriv_sql": __version__,
                "DuckDB": duckdb.__version__,
                "Python": platform.python_version(),
                "vl-convert": version("vl-convert-python"),
            },
        )
    )
