"""Implements the commands about evaluations: evaluate, report, gate and history."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from synthpriv_sql import errors
from synthpriv_sql.api.effort import EFFORT, required
from synthpriv_sql.api.opening import connect
from synthpriv_sql.cli.actions import bar, check_output, csv_form, deliver, name_tables
from synthpriv_sql.cli.opening import echo, opened
from synthpriv_sql.cli.remembering import first_named, remember_release
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.report.evaluation import Evaluation, judged
from synthpriv_sql.report.trend import lines_of, with_verdict
from synthpriv_sql.results import gate
from synthpriv_sql.results.calls import history
from synthpriv_sql.results.checks.cautions import cautions_of
from synthpriv_sql.results.checks.croissant import croissant
from synthpriv_sql.results.checks.junit import Checked, junit
from synthpriv_sql.results.checks.openmetrics import openmetrics
from synthpriv_sql.results.checks.regression import regressions
from synthpriv_sql.results.checks.runs import Kept, chosen, last_accepted, runs_of
from synthpriv_sql.results.checks.since import show as show_changes
from synthpriv_sql.results.display import Printed
from synthpriv_sql.results.output import kept, printing, writing_csv
from synthpriv_sql.results.result import Result

_OF_THE_PAGE = ("show_values", "hide_keys", "baseline")
_OF_PAGES = (*_OF_THE_PAGE, "remedy")
_TEXTS = ("junit", "prometheus", "croissant")
"""Formats of a text about the evaluation; --output gets it unless --append has rows written there."""


def evaluate(
    form: str,
    output: Path | None,
    html: str | None,
    decision: str | None,
    require: tuple[str, ...],
    requirements: Path | None,
    no_regression: bool,
    everything: bool,
    since: Path | None,
    apart: bool,
    append: bool,
    remember: bool,
    **given: Any,
) -> None:
    """Evaluate, show the numbers, and exit with 1 if a condition is broken."""
    conditions = [*map(gate.parse, require), *(gate.read(requirements) if requirements else ())]
    if form == "junit" and not conditions and not no_regression:
        raise errors.OptionError("--format junit shows conditions: give some with --require or --requirements")
    name_tables(catalog.function("evaluate"), given)
    gate.foresee(conditions, given)
    given[EFFORT] = required(((one.metric, one.statistic) for one in conditions), given[EFFORT])
    if since is not None and output is None and form != "table" and not no_regression:
        raise errors.OptionError("--since prints a table of changes: omit --format, or give --output too")
    since = since or (output if no_regression and append else None)
    _check_since(since, apart, no_regression, given)
    before = None if since is None or _begins(since, output, append) else _earlier(since, no_regression)
    check_output(output, append)
    if remember and not append:
        raise errors.OptionError("--remember is about the history that --output FILE --append writes: give these too")
    _needs_page(html, decision, given)
    page = {name: given.pop(name) for name in _OF_PAGES}
    wait, written = given["wait"], csv_form(catalog.function("evaluate"), given)
    with opened(given) as session:
        call = history.resolved(session, catalog.function("evaluate"), given, output if append else None)
        if given.get("history") is not None and not call.given.get("releases"):
            conditions = gate.of_first_release(conditions)
        if html is None and decision is None:
            result = session.evaluate(progress=bar(), **call.given)
        else:
            trend = given.get("history") or (output if append else None)
            result = session.report(html, decision=decision, **page, trend=trend, progress=bar(), **call.given)
        outcomes: list[Checked] = list(gate.check(result, conditions, judged))
        release = None
        if append and output is not None and call.hash is not None and not result.group_columns:
            release = history.made(session, call, result, result.verdict.level, remember, True)
        changes = None
        if before is not None:
            changes, now = _changes(session, result, before)
            if no_regression:
                outcomes += regressions(changes, now, before, first_named(call, release))
        result.passed = all(one.holds for one in outcomes) if outcomes else None
        if release is not None and output is not None:
            remember_release(output, call, replace(release, released=result.passed is not False), wait)
        with writing_csv(written):
            aside = _write(result, outcomes, form, output, append, wait, everything)
        if changes is not None and before is not None and aside:
            with printing():
                show_changes(changes, result, before, Printed(), apart)
    for line in result.unseen if conditions else ():
        echo(line)
    _stop_where_broken(outcomes)


def _check_since(since: Path | None, apart: bool, no_regression: bool, given: Mapping[str, Any]) -> None:
    if since is None and no_regression:
        raise errors.OptionError(
            "--require-no-regression compares with an earlier evaluation: give its file with --since, or --output "
            "FILE.duckdb --append"
        )
    if since is None and apart:
        raise errors.OptionError("--apart is about the changes that --since shows: give --since FILE too")
    if since is not None and (given.get("group_by") or given.get("children")):
        asked = "--require-no-regression" if no_regression else "--since"
        raise errors.OptionError(
            f"{asked} compares evaluations of whole tables: omit --group-by and --children, or {asked}"
        )


def _earlier(since: Path, accepted: bool) -> Kept | None:
    """The last run in a file; of those that met what was required, if nothing may become worse."""
    runs = runs_of(since)
    found = last_accepted(runs) if accepted else runs[-1]
    if found is None:
        echo(f"no run in {since} met what was required of it: there is nothing to compare with")
    return None if found is None else with_verdict(found)


def _changes(session: Any, result: Evaluation, before: Kept) -> tuple[Result, Kept]:
    """The changes since an earlier evaluation; an engine that takes no rows as tables leaves them to DuckDB."""
    now = Kept(result, result.as_written())
    if "objects" in session.engine.lacks:
        return _compared(now, before), now
    return session.changes(now.whole.to_arrow(), before.whole.to_arrow()), now


def _compared(now: Kept, before: Kept) -> Result:
    with connect() as own:
        return own.changes(now.whole.to_arrow(), before.whole.to_arrow())


def _write(
    result: Evaluation,
    outcomes: Sequence[Checked],
    form: str,
    output: Path | None,
    append: bool,
    wait: float,
    everything: bool,
) -> bool:
    """Print or write an evaluation; return whether standard output is left to tables."""
    if output is not None and (append or form not in _TEXTS):
        deliver(result, form, output, append, wait)
    aside = form == "table" or (output is not None and not (append and form in _TEXTS))
    if form in _TEXTS:
        gate.write(_text(form, result, outcomes), None if append else output)
    elif output is None and form != "table":
        deliver(result, form, None)
    elif output is None or everything:
        with kept(result, Path(result.name)), printing():
            result.show(Printed(), everything)
    if output is not None:
        for line in result.in_a_line:
            echo(line)
    return aside


def _text(form: str, result: Evaluation, outcomes: Sequence[Checked]) -> str:
    """An evaluation in the format of another program."""
    if form != "junit":
        return (openmetrics if form == "prometheus" else croissant)(Kept(result, result.as_written()), result.run)
    said = [*(caution.text for caution in cautions_of(result)), *result.unseen]
    return junit(outcomes, said, result.run_seconds, result.run.at if result.run is not None else None)


def _begins(since: Path, output: Path | None, append: bool) -> bool:
    """Whether this is the first run of an appended file, so that there is nothing to compare with yet."""
    if since != output or not append or since.exists():
        return False
    echo(f"this is the first run in {since}; there is nothing to compare with")
    return True


def _stop_where_broken(outcomes: Sequence[Checked]) -> None:
    broken = [outcome for outcome in outcomes if not outcome.holds]
    for outcome in broken:
        echo(f"required {outcome}")
    if broken:
        sys.exit(1)


def check(
    evaluation: Path,
    form: str,
    output: Path | None,
    require: tuple[str, ...],
    requirements: Path | None,
    no_regression: bool,
    tolerance: float | None,
    run: str | None,
    all_runs: bool,
) -> None:
    """Check conditions on a saved evaluation, and exit with 1 if one is broken."""
    conditions = [*map(gate.parse, require), *(gate.read(requirements) if requirements else ())]
    if not conditions and not no_regression:
        raise errors.OptionError("there is nothing to check: give conditions with --require or --requirements")
    if run is not None and all_runs:
        raise errors.OptionError("--run names one run, and --all-runs means each: give one of them")
    runs = runs_of(evaluation)
    asked = runs if all_runs else [chosen(runs, run)] if run is not None else runs[-1:]
    outcomes: list[Checked] = []
    for one in asked:
        of = f"run {one.shown}" if len(runs) > 1 else ""
        outcomes += gate.check(one.result, conditions, partial(judged, tolerance=tolerance), of)
        if no_regression:
            outcomes += _regressions(runs, one)
    found = [Evaluation.of(one.result) for one in asked]
    unseen = list(dict.fromkeys(line for one in found for line in one.unseen))
    if form == "junit":
        cautions = dict.fromkeys(caution.text for one in found for caution in cautions_of(one))
        gate.write(junit(outcomes, [*cautions, *unseen]), output)
    else:
        gate.write("".join(f"{'holds' if o.holds else 'BROKEN'}  {o}\n" for o in outcomes), output)
    for line in unseen:
        echo(line)
    _stop_where_broken(outcomes)


def _regressions(runs: Sequence[Kept], one: Kept) -> Sequence[Checked]:
    """Compare a run with the last one before it that met what was required."""
    before = last_accepted(runs[: one.number - 1])
    if before is None:
        echo(f"no run before {one.called} met what was required of it: there is nothing to compare with")
        return []
    now, then = with_verdict(one), with_verdict(before)
    return regressions(_compared(now, then), now, then)


def show_history(file: Path, form: str, output: Path | None, limit: int | None) -> None:
    """Print a line for each run in a file, or the numbers of the last one as metrics."""
    check_output(output)
    runs = runs_of(file)
    if form == "prometheus":
        gate.write(openmetrics(with_verdict(runs[-1])), output)
        return
    deliver(lines_of(runs), form, output, limit=limit)


def report(html: str | None, decision: str | None, numbers: str | None, **given: Any) -> None:
    """Evaluate, and write the page, the decision page, or all numbers."""
    files = [file for file in (html, decision, numbers) if file is not None]
    if not files:
        raise errors.OptionError("there is nothing to write: give a file with --html, --decision or --numbers")
    _needs_page(html, decision, given)
    name_tables(catalog.function("evaluate"), given)
    with opened(given) as session:
        result = session.report(html, decision=decision, numbers=numbers, progress=bar(), **given)
    with printing():
        result.show(Printed())
        for file in files:
            click.echo(f"{file} is written")


def _needs_page(html: str | None, decision: str | None, given: Mapping[str, Any]) -> None:
    if html is None and any(given[name] for name in _OF_THE_PAGE):
        raise errors.OptionError("--show-values, --hide-keys and --baseline apply to the page: give its file, --html")
    if given["remedy"] and html is None and decision is None:
        raise errors.OptionError("--remedy is shown on pages: give a file with --html or --decision, or call remedy")
