"""The page that compares candidates: fidelity and exposure of each, and which one might be released."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from synthpriv_sql.errors import OptionError
from synthpriv_sql.language.messages import _, listed, plural
from synthpriv_sql.language.numbers import number, percent
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.report.build import build, own_page, statement
from synthpriv_sql.report.decision.contents import Decision
from synthpriv_sql.report.decision.several import decide_candidates
from synthpriv_sql.report.drawn.charts import Chart, draw
from synthpriv_sql.report.evaluation import Evaluation
from synthpriv_sql.report.files import Beside, File, about
from synthpriv_sql.report.verdict.findings import LEVELS
from synthpriv_sql.report.verdict.words import Verdict
from synthpriv_sql.report.writing import Shown, environment, inline
from synthpriv_sql.results import output
from synthpriv_sql.results.calls.caller import Caller
from synthpriv_sql.results.output import write_page
from synthpriv_sql.results.result import Result
from synthpriv_sql.results.run import now

_APART = {"synthetic", "attack"}
"""The arguments of `candidates` that are not passed on to the evaluation of each."""
Row = Mapping[str, Any]


def build_candidates(
    session: Caller, given: Mapping[str, Any], *, page: File, decision: File, numbers: File, pages: bool, progress: Any
) -> Result:
    """Compare candidates, write the page, and return the same result as `candidates`.

    Parameters
    ----------
    session
        The session with the tables.
    given
        Arguments of `candidates`.
    page, decision, numbers
        The files to write: the page, the decision page, and the rows of `candidates`.
    pages
        Whether to write a report of each candidate next to the page, as `Session.report` does.
    progress
        As in `Session.call`.

    Raises
    ------
    WriteError
        A file cannot be written.
    OptionError
        ``group_by`` or ``children`` is given.
    """
    if given.get("group_by"):
        raise OptionError(
            "the page compares candidates on all of their rows: omit group_by, or give queries in parentheses that "
            "select the rows of one group"
        )
    if given.get("children"):
        raise OptionError(
            "the page compares candidates of a single table, so it takes no children: candidates(..., children=...) "
            "has the numbers of each part, and flatten combines parents and children into one table"
        )
    beside = Beside(page, decision, numbers)
    made = now()
    result = session.call("candidates", progress=progress, **given)
    named = given["synthetic"] if isinstance(given["synthetic"], Mapping) else {n: n for n in given["synthetic"]}
    shown = catalog.file("page").parameters
    shared = {name: value for name, value in given.items() if name in shown and name not in _APART}
    rows = []
    for place, measured in enumerate(result, 1):
        row = {**measured, "href": None, "verdict": None}
        if row["auc"] is not None:
            one = {**shared, "synthetic": named[row["candidate"]]}
            if pages and page is not None:
                own = own_page(Path(page), place, row["candidate"])
                found = build(session, str(own), one, shown=Shown(), progress=progress)
                row["href"] = own.name
            else:
                found = Evaluation.of(session.call("evaluate", progress=progress, **one))
            row["verdict"] = found.verdict
        rows.append(row)
    if page is not None:
        with output.kept(result, Path(page)):
            write_page(Path(page), _render(session, rows, given))

    def decided() -> Decision:
        measured = [row for row in rows if row["auc"] is not None]
        chosen = choose(measured)
        found = about(session, "candidates", given, made, beside.salt)
        return decide_candidates(_headline(measured, chosen), _why(measured, chosen), rows, found)

    beside.write(result, decided)
    return result


def _render(session: Caller, rows: Sequence[Row], given: Mapping[str, Any]) -> str:
    found = statement(session, "candidates", given)
    measured = [row for row in rows if row["auc"] is not None]
    chosen = choose(measured)
    return (
        environment()
        .get_template("candidates.html.j2")
        .render(
            charts={name: _chart(name, measured, chosen) for name in ("candidates_whole", "candidates")}
            if measured
            else {},
            chosen=chosen,
            file=inline,
            headline=_headline(measured, chosen),
            linked=any(row["href"] for row in rows),
            near={row["candidate"]: overlapping(row, measured) for row in measured},
            rows=rows,
            statements={"candidates": found} if found else {},
            why=_why(measured, chosen),
        )
    )


def choose(rows: Sequence[Row]) -> Row | None:
    """Return the candidate to release: of those with a good verdict, the one most similar to train.

    Ties are resolved by the smaller exposure. None if no verdict is good: being better than others is not enough.
    """
    good = [row for row in rows if row["verdict"].level == "good"]
    return min(good, key=lambda row: (-row["fidelity"], row["auc"]), default=None)


def overlapping(row: Row, rows: Sequence[Row]) -> list[str]:
    """Return the other candidates whose interval of exposure overlaps with that of the row."""
    return [
        other["candidate"]
        for other in rows
        if other is not row and row["lower"] <= other["upper"] and other["lower"] <= row["upper"]
    ]


def _headline(rows: Sequence[Row], chosen: Row | None) -> str:
    if not rows:
        return _("No candidate can be compared.")
    if chosen is None:
        return _("By these numbers, none of the candidates should be released.")
    return _("By these numbers, {candidate} is the candidate to release.", candidate=chosen["candidate"])


def _why(rows: Sequence[Row], chosen: Row | None) -> Sequence[str]:
    """The reasons for the choice: the verdicts, and whether chance explains differences."""
    by_level: dict[str, list[str]] = {level: [] for level in LEVELS}
    for row in rows:
        by_level[row["verdict"].level].append(row["candidate"])
    reasons = []
    if chosen is not None:
        good = len(by_level["good"])
        reasons.append(
            plural(
                "It is the only candidate without a sign of a leak.",
                "Of the {n} candidates without a sign of a leak, it is the most similar to train (fidelity "
                "{fidelity}).",
                good,
                fidelity=percent(chosen["fidelity"]),
            )
        )
        others = [name for name in overlapping(chosen, rows) if name in by_level["good"]]
        if others:
            reasons.append(
                _(
                    "Its exposure does not differ significantly from that of {others}: their intervals overlap.",
                    others=listed(others),
                )
            )
    for level, text in (
        ("bad", _("With a leak: {candidates}.", candidates=listed(by_level["bad"]))),
        ("watch", _("To be reviewed first: {candidates}.", candidates=listed(by_level["watch"]))),
        ("none", _("Without a verdict: {candidates}.", candidates=listed(by_level["none"]))),
    ):
        if by_level[level]:
            reasons.append(text)
    if chosen is None and rows:
        reasons.append(_("A candidate is not safe merely because the others leak more."))
    return reasons


_HALF = 500
"""The width of each of two adjacent charts, in pixels."""
_BASE = "https://page.invalid/"
"""A placeholder base of links, removed after drawing, because Vega only accepts absolute addresses."""


def _chart(name: str, rows: Sequence[Row], chosen: Row | None) -> Chart:
    points = [
        {
            **{column: row[column] for column in ("fidelity", "auc", "lower", "upper")},
            "label": row["candidate"],
            "kind": "chosen" if row is chosen else _level(row),
            "tip": _tip(row),
            "href": _BASE + (row["href"] or ""),
        }
        for row in rows
    ]
    label = _("Fidelity and exposure of each candidate")
    drawn = draw(name, label, wide=_HALF, candidates=points, chance=[{"auc": 0.5}])
    return Chart(label, *(_linked(svg) for svg in (drawn.wide, drawn.narrow)))


def _level(row: Row) -> str:
    verdict: Verdict = row["verdict"]
    return verdict.level


def _tip(row: Row) -> str:
    return _(
        "{candidate}: fidelity {fidelity}, AUC {auc} ({lower} to {upper}) by {attack}",
        candidate=row["candidate"],
        fidelity=percent(row["fidelity"]),
        auc=number(row["auc"]),
        lower=number(row["lower"]),
        upper=number(row["upper"]),
        attack=row["attack"],
    )


def _linked(svg: Markup) -> Markup:
    """Make the links of points relative, and remove those without a target."""
    # As str: operations on Markup would escape the result.
    without_empty = re.sub(rf'<a xlink:href="{re.escape(_BASE)}">(.*?)</a>', r"\1", str(svg), flags=re.DOTALL)
    return Markup(without_empty.replace(_BASE, ""))  # noqa: S704
