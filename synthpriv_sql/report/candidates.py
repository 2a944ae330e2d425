"""The page that compares candidates: what each is worth, what it gives away, and which of them might be released."""

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
from synthpriv_sql.report.build import Calls, build, environment, inline, own_page, statement
from synthpriv_sql.report.charts import Chart, draw
from synthpriv_sql.report.evaluation import Evaluation
from synthpriv_sql.report.verdict.findings import LEVELS
from synthpriv_sql.report.verdict.words import Verdict
from synthpriv_sql.report.writing import write_page
from synthpriv_sql.results.result import Result

_APART = {"synthetic", "attack"}
"""The arguments of `candidates` that the evaluation of one of them does not take as they are."""
Row = Mapping[str, Any]


def build_candidates(session: Calls, path: str, given: Mapping[str, Any], *, pages: bool, progress: Any) -> Result:
    """Compare candidates, write the page, and return what `candidates` would.

    Parameters
    ----------
    session
        Where the tables are.
    path
        The file to write.
    given
        Arguments of `candidates`.
    pages
        Whether each candidate gets a page of its own beside it, as `Session.report` writes it.
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
            "the page compares candidates by all of their rows: leave group_by out, or give queries in parentheses "
            "with the rows of one group"
        )
    if given.get("children"):
        raise OptionError(
            "the page compares candidates of one table, so it takes no children: candidates(..., children=...) has the "
            "numbers of each part, and flatten makes one table of parents and children"
        )
    target = Path(path)
    result = session.call("candidates", progress=progress, **given)
    named = given["synthetic"] if isinstance(given["synthetic"], Mapping) else {n: n for n in given["synthetic"]}
    shown = catalog.file("page").parameters
    shared = {name: value for name, value in given.items() if name in shown and name not in _APART}
    rows = []
    for place, measured in enumerate(result, 1):
        row = {**measured, "href": None, "verdict": None}
        if row["auc"] is not None:
            one = {**shared, "synthetic": named[row["candidate"]]}
            if pages:
                own = own_page(target, place, row["candidate"])
                found = build(session, str(own), one, show_values=False, baseline=False, progress=progress)
                row["href"] = own.name
            else:
                found = Evaluation.of(session.call("evaluate", progress=progress, **one))
            row["verdict"] = found.verdict
        rows.append(row)
    write_page(target, _render(session, rows, given))
    return result


def _render(session: Calls, rows: Sequence[Row], given: Mapping[str, Any]) -> str:
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
    """Return the candidate that the page would release: of those whose verdict is good the one most like train.

    Of equal fidelity, the one with the smaller exposure. None where no verdict is good: a table is not released because
    the others are worse.
    """
    good = [row for row in rows if row["verdict"].level == "good"]
    return min(good, key=lambda row: (-row["fidelity"], row["auc"]), default=None)


def overlapping(row: Row, rows: Sequence[Row]) -> list[str]:
    """Return the other candidates whose interval of exposure overlaps with that of one."""
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
    return _("By these numbers, {candidate} is the one to release.", candidate=chosen["candidate"])


def _why(rows: Sequence[Row], chosen: Row | None) -> Sequence[str]:
    """Why that one, or none: what the verdicts are, and whether chance explains the difference to others."""
    by_level: dict[str, list[str]] = {level: [] for level in LEVELS}
    for row in rows:
        by_level[row["verdict"].level].append(row["candidate"])
    said = []
    if chosen is not None:
        good = len(by_level["good"])
        said.append(
            plural(
                "It is the only one in which no sign of a leak was found.",
                "Of the {n} in which no sign of a leak was found, it is the most like train (fidelity {fidelity}).",
                good,
                fidelity=percent(chosen["fidelity"]),
            )
        )
        others = [name for name in overlapping(chosen, rows) if name in by_level["good"]]
        if others:
            said.append(
                _(
                    "Its exposure and that of {others} cannot be told apart: their intervals overlap.",
                    others=listed(others),
                )
            )
    for level, text in (
        ("bad", _("It leaks: {candidates}.", candidates=listed(by_level["bad"]))),
        ("watch", _("To be looked at first: {candidates}.", candidates=listed(by_level["watch"]))),
        ("none", _("Cannot be told: {candidates}.", candidates=listed(by_level["none"]))),
    ):
        if by_level[level]:
            said.append(text)
    if chosen is None and rows:
        said.append(_("That one gives away less than the others does not make it safe."))
    return said


_HALF = 500
"""The width of a picture that stands beside another, in pixels."""
_BASE = "https://page.invalid/"
"""What stands before the name of a file while a chart is drawn: Vega makes addresses whole."""


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
    """Have points lead to files beside the page; those that have none lead nowhere."""
    # As plain text: what is put together of Markup would be escaped.
    alone = re.sub(rf'<a xlink:href="{re.escape(_BASE)}">(.*?)</a>', r"\1", str(svg), flags=re.DOTALL)
    return Markup(alone.replace(_BASE, ""))  # noqa: S704
