"""Dry runs: the steps of a call and their places, the data that would leave the database, and upper bounds."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa
from sqlglot import exp

from synthpriv_sql.engines.base import Answer, Engine
from synthpriv_sql.kernels.knn.index import bytes_of_row
from synthpriv_sql.planner.calls.sampling import SAMPLE, is_drawn
from synthpriv_sql.planner.columns.compared import ComparedColumn
from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.headers import known_files
from synthpriv_sql.planner.planning import Plan
from synthpriv_sql.planner.statement.parts import Part
from synthpriv_sql.results.calls import calibrating, estimating

COLUMNS = {
    "step": "VARCHAR",
    "what": "VARCHAR",
    "place": "VARCHAR",
    "rows": "BIGINT",
    "against": "BIGINT",
    "columns": "VARCHAR[]",
    "bytes": "BIGINT",
    "seconds": "DOUBLE",
    "note": "VARCHAR",
}
_STEPS = {
    "synthpriv_search": "search",
    "synthpriv_agreement": "search for agreement",
    "synthpriv_uniques": "combinations",
    "synthpriv_within": "combinations of halves",
    **dict.fromkeys(
        ("synthpriv_near", "synthpriv_near_copies", "synthpriv_near_records", "synthpriv_phrases"), "texts"
    ),
    "synthpriv_learned": "learning",
    "synthpriv_inference": "models of secrets",
    "synthpriv_kernel": "densities",
    "synthpriv_components": "principal axes",
    **dict.fromkeys(("synthpriv_forest", "synthpriv_detection", "synthpriv_utility"), "forests"),
}
"""The kernel functions that process rows, with the name of the step of each."""
_QUERIES = ("query_pages", "synthetic_pages")
"""The parameters whose records are queries; other tables are references."""
_PEOPLE = ("query_pages", "people")
"""The parameters that say whose records are scored."""
_INDEX = "bytes: its index, at most"


@dataclass(slots=True)
class Step:
    """A row of the plan; values that are unknown or do not apply are empty."""

    step: str
    what: str
    place: str | None = None
    rows: int | None = None
    against: int | None = None
    columns: list[str] | None = None
    bytes: int | None = None
    note: str | None = None
    seconds: float | None = None


def foresee(engine: Engine, plan: Plan, rows: Mapping[str, int], pilot: float | None = None) -> Answer:
    """Return the steps of a call.

    Parameters
    ----------
    engine
        Where the tables are.
    plan
        The call.
    rows
        The number of rows of each table, by parameter.
    pilot
        The processor seconds of a query in a pilot search, if there was one.
    """
    rows = _drawn(plan, rows)
    steps = [*_read(engine, plan, rows), *_statements(engine, plan)]
    steps += [*_searches(engine, plan, rows), *_left_out(plan, rows)]
    if engine.dialect != "spark":  # how many executors there will be is not known
        steps += _time(engine, plan, rows, steps, pilot)
    arrays = [pa.array([getattr(step, name) for step in steps], _arrow(type_)) for name, type_ in COLUMNS.items()]
    return Answer(pa.table(arrays, list(COLUMNS)), list(COLUMNS.values()), engine.sql(plan))


def _arrow(type_: str) -> pa.DataType:
    types = {"VARCHAR": pa.string(), "BIGINT": pa.int64(), "DOUBLE": pa.float64(), "VARCHAR[]": pa.list_(pa.string())}
    return types[type_]


def _read(engine: Engine, plan: Plan, rows: Mapping[str, int]) -> Iterator[Step]:
    """The tables, and the columns that are read."""
    for relation in plan.relations:
        name = relation.parameter
        queries = [p.query for p in plan.statement.parts if p.source is not None and p.source.parameter == name]
        read = {column.name.lower() for query in queries for column in query.find_all(exp.Column)}
        whole = any(query.is_star for query in queries)
        columns = [c.name for c in relation.columns if whole or c.name.lower() in read]
        yield Step("read", f"{name}: {relation.label}", engine.name, rows[name], columns=columns)


def _statements(engine: Engine, plan: Plan) -> Iterator[Step]:
    """The statements, and the data that leaves the database before the result."""
    leaving = engine.crossings(plan)
    for one in leaving:
        said = "leaves the database; rows and bytes are estimates of its planner"
        yield Step("leaves", one.name, engine.name, one.rows, None, list(one.columns), one.bytes, said)
    calls = sum(name in _STEPS for name in plan.statement.calls)
    what = f"{plan.function.name}: {len(plan.statement.parts)} parts, {calls} of them steps of the kernel"
    if leaving:
        yield Step("statement", what, f"{engine.name} and a local DuckDB", note="DuckDB reads the rows that leave")
    else:
        yield Step("statement", what, engine.name, note="nothing but the result leaves the database")


def _searches(engine: Engine, plan: Plan, rows: Mapping[str, int]) -> Iterator[Step]:
    """The kernel calls, with the rows of queries and reference."""
    parts = {part.name: part for part in plan.statement.parts}
    row = _bytes(plan.statement.compared)
    for part in plan.statement.parts:
        for call in part.query.find_all(exp.Anonymous):
            if call.name not in _STEPS:
                continue
            pages = {alias: _tables(parts, name) for alias, name in part.reads.items() if alias.endswith("pages")}
            queries = next((pages[a] for a in _QUERIES if a in pages), next(iter(pages.values()), {}))
            reference = {
                p: r for a, of in pages.items() if a not in _QUERIES and of is not queries for p, r in of.items()
            }
            named = " → ".join(" and ".join(r.label for r in of.values()) for of in (queries, reference) if of)
            asked = next((part.reads[alias] for alias in _PEOPLE if alias in part.reads), "")
            draws = any(one.file == known_files.ASKED for one in _before(parts, asked))
            most = plan.options.get("most_asked") if draws else None
            searches = call.name == "synthpriv_search"
            step = Step(_STEPS[call.name], named, engine.kernel, _asked(queries, rows, most if searches else None))
            step.against = _asked(reference, rows, None if searches else most) if reference else None
            if searches:
                step.bytes, step.note = (step.against or 0) * row, _INDEX
            yield step


def _asked(tables: Iterable[str], rows: Mapping[str, int], most: int | None) -> int:
    """The people of several tables that are asked, if at most so many are drawn of each."""
    return sum(rows[name] if most is None else min(rows[name], most) for name in tables)


def _drawn(plan: Plan, rows: Mapping[str, int]) -> dict[str, int]:
    """The rows that a call goes through: of a table that a sample is drawn from, about so many."""
    size = plan.options.get(SAMPLE) if is_drawn(plan.function, plan.options) else None
    return {name: n if size is None else min(n, int(size)) for name, n in rows.items()}


def _time(
    engine: Engine, plan: Plan, rows: Mapping[str, int], steps: Sequence[Step], pilot: float | None
) -> Iterator[Step]:
    """How long a call takes, and which steps weigh; the seconds of each step are filled in."""
    here = calibrating.speed()
    times = (here or calibrating.REFERENCE).times(calibrating.REFERENCE)
    columns, threads = len(plan.statement.compared), getattr(engine, "threads", None) or os.cpu_count() or 1
    ratio = 1.0 if pilot is None else estimating.of_pilot(pilot, rows["train"], columns, times)
    groups = max(1, plan.groups is not None and len(plan.groups.each))
    most = plan.options.get("most")
    people = _asked({"train", "holdout"} & rows.keys(), rows, most)
    kinds: dict[str, float] = {}
    unknown: list[str] = []
    for step in steps:
        if step.place == engine.kernel and step.rows is not None:
            sizes = estimating.Sizes(step.rows, step.against or 0, columns, people, plan.options.get("folds"))
            used = estimating.of_step(step.step, sizes, times, ratio)
            if used is None:
                unknown.append(step.step)
                continue
        elif step.step == "statement":
            parts = groups * len(plan.statement.parts)
            used = estimating.of_statement(parts, sum(rows.values()) // groups, columns, times)
        else:
            continue
        step.seconds = estimating.on_threads(used, threads)
        kinds[step.step] = kinds.get(step.step, 0.0) + step.seconds
    total = sum(kinds.values())
    weights = ", ".join(f"{name} {share:.0%}" for name, share in estimating.shares(kinds))
    note = "by numbers of rows and columns, and the speed of this machine: half or twice as long is possible"
    if here is None:
        note += "; not measured here yet: synthpriv warm compiles the kernel, which takes a minute once"
    beyond = f", and {', '.join(dict.fromkeys(unknown))}, which may take longer" if unknown else ""
    yield Step("time", f"about {estimating.in_words(total)}: {weights}{beyond}", seconds=total, note=note)


def _tables(parts: Mapping[str, Part], name: str) -> dict[str, Relation]:
    """The user's tables that a part depends on, by parameter."""
    found: dict[str, Relation] = {}
    for part in _before(parts, name):
        if part.source is not None:
            found.setdefault(part.source.parameter, part.source)
    return found


def _before(parts: Mapping[str, Part], name: str) -> Iterator[Part]:
    """A part, and all that it depends on."""
    waiting, seen = [name], set()
    while waiting:
        one = waiting.pop()
        if one in parts and one not in seen:
            seen.add(one)
            yield parts[one]
            waiting += [table.name for table in parts[one].query.find_all(exp.Table)]


def _bytes(compared: Sequence[ComparedColumn]) -> int:
    """The bytes of a row in the index of a search."""
    numbers = categories = 0
    for column in compared:
        if column.role == "vector":
            length = re.search(r"\[(\d+)\]$", next(iter(column.sources.values())).type)
            numbers += int(length[1]) if length else 0
        elif column.role == "numeric":
            numbers += 1
        else:
            categories += 1
    return bytes_of_row(numbers, categories)


def _left_out(plan: Plan, rows: Mapping[str, int]) -> Iterator[Step]:
    """Computations that are left out, or limited to some rows, and the reason."""
    for said in plan.statement.warnings:
        yield Step("left out", said)
    if "holdout" in plan.function.parameters and "holdout" not in rows:
        yield Step("left out", "comparisons with a holdout, such as attacks: none is given")
    learns = "synthpriv_learned" in plan.statement.calls
    draws = any(part.file == known_files.ASKED for part in plan.statement.parts)
    samples = {
        "learned uses": plan.options.get("most") if learns else None,
        "attacks by distance and agreement use": plan.options.get("most_asked") if draws else None,
    }
    for attacks, most in samples.items():
        for name in ("train", "holdout"):
            if most is not None and rows.get(name, 0) > most:
                yield Step("left out", f"{attacks} {most:,} of the {rows[name]:,} rows of {name}, sampled with seed")
