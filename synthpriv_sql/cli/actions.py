"""Implements the commands. `cli/commands.py` declares them, and shell completion imports only that."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import click
import duckdb

from synthpriv_sql import errors
from synthpriv_sql.cli.opening import echo, opened
from synthpriv_sql.cli.options import OPENING
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.planner.headers.files import with_reading
from synthpriv_sql.remedies.again import of_child, remedied_again
from synthpriv_sql.remedies.finding import OF_SEARCH
from synthpriv_sql.report.evaluation import Evaluation
from synthpriv_sql.results import output
from synthpriv_sql.results.display import Printed
from synthpriv_sql.results.output import Csv, has_folder, kept, printing, write_page, writing_csv
from synthpriv_sql.results.watching.log import logger
from synthpriv_sql.visible import hidden, visible

_TABLE = "table:"
"""What precedes a table of generalizations in --ladder."""


def bar() -> bool | None:
    """Whether to show a progress bar: only on a terminal without a log."""
    return (sys.stderr.isatty() and not logger.isEnabledFor(logging.INFO)) or None


def name_tables(function: Function, given: dict[str, Any]) -> None:
    """Combine the tables of a repeated option into a dict by name."""
    for parameter in function.parameters.values():
        if parameter.type == "families":
            given[parameter.name] = dict(given[parameter.name]) or None
        if parameter.type == "ladders":
            given[parameter.name] = _ladders(given[parameter.name]) or None
        if parameter.type in {"relations", "tables"}:
            pairs = given[parameter.name]
            given[parameter.name] = dict(pairs) or ({} if parameter.type == "relations" else None)
            if len(given[parameter.name] or ()) < len(pairs):
                flag = parameter.name.removesuffix("s") if parameter.type == "tables" else parameter.name
                raise errors.OptionError(f"--{flag}: a name is given twice; write NAME=TABLE with distinct names")


def _ladders(pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Steps by column, in the order in which they are given."""
    ladders: dict[str, Any] = {}
    for name, step in pairs:
        table = step.removeprefix(_TABLE)
        if table != step:
            ladders[name] = table
        elif isinstance(ladders.setdefault(name, []), list):
            ladders[name].append(step)
    return ladders


def run(name: str, form: str, output: Path | None, append: bool, limit: int | None, **given: Any) -> None:
    """Call a function, and print or write its rows."""
    function = catalog.function(name)
    check_output(output, append)
    name_tables(function, given)
    wait, written = given["wait"], csv_form(function, given)
    with opened(given) as session:
        result = session.call(name, progress=bar(), **given)
        with writing_csv(written):
            deliver(result, form, output, append, wait, limit)


def csv_form(function: Function, given: dict[str, Any]) -> Csv:
    """The form of CSV: for the user's own rows that of the file with them."""
    safe = bool(given.pop("spreadsheet_safe", False))
    if function.columns_of != "own":
        return Csv(spreadsheet_safe=safe)
    with suppress(errors.OptionError):  # the call says what is wrong
        return Csv.of(with_reading(function, given).get(function.relations[0].name), safe)
    return Csv(spreadsheet_safe=safe)


def candidates(form: str, output: Path | None, append: bool, limit: int | None, **given: Any) -> None:
    """Compare candidates, and write the pages that are requested."""
    html, decision = given.pop("html"), given.pop("decision")
    if html is None and decision is None:
        run("candidates", form, output, append, limit, **given)
        return
    check_output(output, append)
    name_tables(catalog.function("candidates"), given)
    wait = given["wait"]
    with opened(given) as session:
        result = session.report_candidates(html, decision=decision, progress=bar(), **given)
        deliver(result, form, output, append, wait, limit)


def remedy(
    form: str,
    limit: int | None,
    output: Path | None,
    select: Path | None,
    dialect: str | None,
    found: Path | None,
    **given: Any,
) -> None:
    """Search for a remedy, print its steps, and write the table and the SELECT; or treat tables by an earlier one."""
    function = catalog.function("remedy")
    for path in (output, select):
        check_output(path)
    if dialect is not None and select is None:
        raise errors.OptionError("--dialect is about the statement of --sql: give a file for it")
    name_tables(function, given)
    wait, written, bad = given["wait"], csv_form(catalog.function("remedied"), given), False
    with opened(given) as session:
        if found is not None:
            if select is not None:
                raise errors.OptionError("--with treats tables by a statement that there is: omit --sql")
            made, evaluation = _remedied_again(session, function, found, given)
            bad = (evaluation.family if evaluation.is_family else evaluation.verdict).level == "bad"
            with printing():
                evaluation.show(Printed())
        else:
            steps = session.remedy(progress=bar(), **given)
            deliver(steps.shortened() if form == "table" else steps, form, None, limit=limit)
            for sentence in steps.sentences:
                echo(sentence)
            made = {"": steps.remedied, **steps.children}
            if select is not None:
                for child in made:
                    text = steps.statement(dialect=dialect or "duckdb", child=child)
                    write_page(of_child(select, child), (text + ";\n").encode())
                for line in steps.unwritten:
                    echo(line)
        if output is not None:
            with writing_csv(written):
                for child, table in made.items():
                    deliver(table, form, of_child(output, child), wait=wait)
    if bad:
        sys.exit(1)


def _remedied_again(
    session: Any, function: Function, found: Path, given: Mapping[str, Any]
) -> tuple[dict[str, Any], Evaluation]:
    """The synthetic tables by name and their evaluation after an earlier remedy of all tables."""
    changed = [n for n in OF_SEARCH if (given[n] or None) != (function.parameters[n].default or None)]
    if changed:
        raise errors.OptionError(f"--with does not search: omit {', '.join('--' + name for name in changed)}")
    return remedied_again(session, found, {name: value for name, value in given.items() if name not in OPENING})


def repeat(form: str, output: Path | None, limit: int | None, each: Path | None, command: str, **given: Any) -> None:
    """Train on many splits, and print or write the numbers."""
    from synthpriv_sql.repeating.splits import repeat as train_again

    for path in (output, each):
        check_output(path)
    with _repeating(given) as asked:
        result = train_again(command, **asked)
        deliver(result, form, output, limit=limit)
        if each is not None:
            deliver(result.splits, form, each)


def person_risk(
    form: str, output: Path | None, limit: int | None, each: Path | None, command: str, **given: Any
) -> None:
    """Train with and without a person, and print or write the success of attacks."""
    from synthpriv_sql.repeating.persons import person_risk as train_again

    for path in (output, each):
        check_output(path)
    with _repeating(given) as asked:
        result = train_again(command, **asked)
        deliver(result, form, output, limit=limit)
        if each is not None:
            deliver(result.runs, form, each)


@contextmanager
def _repeating(given: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Open the session with the data, and yield the arguments of runs."""
    shared = {name: given[name] for name in ("threads", "wait")}
    with opened(given | {"timeout": None}) as session:
        asked = {name: value for name, value in given.items() if name not in OPENING}
        yield {**asked, **shared, "session": session, "progress": bar()}


def check_output(output: Path | None, append: bool = False) -> None:
    """Raise before anything is computed if there is no folder to write to, or rows cannot be appended."""
    if output is not None:
        has_folder(output)
    if append and (output is None or output.suffix != ".duckdb"):
        raise errors.OptionError("--append adds rows to those in a .duckdb file: give it with --output")


def deliver(
    result: Any, form: str, path: Path | None, append: bool = False, wait: float = 0, limit: int | None = None
) -> None:
    """Print or write a result; if its file cannot be written, keep it elsewhere."""
    if path is None:
        with kept(result, Path(result.name)), printing():
            printed = output.show(result, form, Printed(), limit)
        if printed < len(result):
            shown = f"{printed:,} of {len(result):,} rows are shown"
            echo(f"{shown}: --limit {len(result)} shows all, --output FILE writes them")
        return
    begun = time.monotonic()
    with kept(result, path):
        output.write(result, path, append, wait, echo)
    logger.info("%s: written to %s in %.1f s", result.name, path, time.monotonic() - begun)


def _table_name(text: str) -> tuple[str, str]:
    parameter, equals, name = text.partition("=")
    if not (parameter and equals and name):
        raise errors.OptionError(f"--table {text}: give a table and its name, such as train=analytics.customers")
    return parameter.replace("-", "_"), name


def show_sql(
    name: str, dialect: str | None, plain: bool, table: tuple[str, ...], part: str | None, **given: Any
) -> None:
    """Print the SQL of a call."""
    function = catalog.function(name)
    named = dict(_table_name(text) for text in table)
    name_tables(function, given)
    with opened(given) as session:
        text = session.sql(name, dialect=dialect, plain=plain, tables=named, part=part, **given)
        if hidden(text) and sys.stdout.isatty():
            echo("names hold characters that a terminal obeys; they are shown as escapes, and written whole to a file")
            text = visible(text)
        with printing():
            click.echo(text)


def plan(name: str, form: str, output: Path | None, **given: Any) -> None:
    """Print what a call would do."""
    check_output(output)
    name_tables(catalog.function(name), given)
    wait = given["wait"]
    with opened(given) as session:
        deliver(session.plan(name, **given), form, output, wait=wait)


def demo(database: str | None) -> None:
    """Create the tables of the demo, and evaluate them."""
    from synthpriv_sql.demo import run as show_demo

    try:
        show_demo(Printed(), database or ":memory:")
    except duckdb.Error as error:
        raise errors.WriteError(f'the tables of the demo were not written to "{database}": {error}') from None


def warm() -> None:
    """Compile the kernel."""
    from synthpriv_sql.cli.warming import warm as compile_all

    warmed = compile_all()
    if warmed.folder is None:
        raise errors.WriteError("compiled, but there is no writable folder for the cache: set NUMBA_CACHE_DIR to one")
    click.echo(f"compiled in {warmed.seconds:.0f} s, kept in {warmed.folder}")


def conformance(
    database: str, schema: str | None, more: bool, output: Path | None, time_limit: float, threads: int | None
) -> None:
    """Compare what a database gives with DuckDB, a line a function, and write the report."""
    from synthpriv_sql.conformance.cases import CASES, LEAN, PEERS
    from synthpriv_sql.conformance.checking import DIFFERS, NOT_RUN, check

    check_output(output)
    opening = dict.fromkeys(OPENING) | {"pushdown": "auto", "log_format": "text", "wait": 60.0}
    with opened(opening | {"database": database, "threads": threads}, read_only=False) as session:
        report = check(session, CASES if more else LEAN + PEERS, schema, time_limit, click.echo)
    told = json.dumps(report.to_dict(), ensure_ascii=False, indent=2)
    if output is not None:
        write_page(output, told)
        echo(f'the report is in "{output}"; it names no server, user or table of yours')
    of = {result: sum(case.result == result for case in report.cases) for result in (DIFFERS, NOT_RUN)}
    differing = of[DIFFERS] + (report.values == DIFFERS)
    echo(
        f"{report.engine} {report.version}: {len(report.cases):,} calls, {differing:,} of them differ from DuckDB, "
        f"{of[NOT_RUN]:,} not run, {report.seconds:.0f} s"
    )
    for difference in report.differences:
        echo(f"a table is not read as it was written: {difference}")
    if report.left:
        raise errors.EngineError(f"these tables could not be dropped, drop them yourself: {', '.join(report.left)}")
    if differing:
        sys.exit(1)
    if of[NOT_RUN]:
        raise errors.Stopped(
            f"stopped after {time_limit:g} s because of --timeout, with {of[NOT_RUN]:,} calls not compared; the tables "
            "are dropped"
        )
