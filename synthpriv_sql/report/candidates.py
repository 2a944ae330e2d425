"""The page that compares candidates: what each is worth, and what it gives away."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from synthpriv_sql.errors import OptionError
from synthpriv_sql.report.build import Calls, build, environment, inline, own_page, statement
from synthpriv_sql.report.charts import Chart, draw
from synthpriv_sql.report.words import number, percent
from synthpriv_sql.report.writing import write_page
from synthpriv_sql.results.result import Result
from synthpriv_sql.statements import catalog

_APART = {"synthetic", "attack"}
"""The arguments of `candidates` that the page of one of them does not take as they are."""


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
    rows = [dict(row) for row in result]
    named = given["synthetic"] if isinstance(given["synthetic"], Mapping) else {n: n for n in given["synthetic"]}
    shown = catalog.file("page").parameters
    shared = {name: value for name, value in given.items() if name in shown and name not in _APART}
    for place, row in enumerate(rows, 1):
        row["href"] = None
        if pages and row["auc"] is not None:
            own = own_page(target, place, row["candidate"])
            one = {**shared, "synthetic": named[row["candidate"]]}
            build(session, str(own), one, show_values=False, baseline=False, progress=progress)
            row["href"] = own.name
    write_page(target, _render(session, rows, given))
    return result


def _render(session: Calls, rows: Sequence[Mapping[str, Any]], given: Mapping[str, Any]) -> str:
    found = statement(session, "candidates", given)
    measured = [row for row in rows if row["auc"] is not None]
    best = [row["candidate"] for row in measured if not row["beaten_by"]]
    return (
        environment()
        .get_template("candidates.html.j2")
        .render(
            charts={"candidates": _chart(measured)} if measured else {},
            expected="half of them where nothing leaks and both have as many rows",
            file=inline,
            headline=_headline(best, len(rows)),
            linked=any(row["href"] for row in rows),
            rows=rows,
            statements={"candidates": found} if found else {},
        )
    )


_BASE = "https://page.invalid/"
"""What stands before the name of a file while a chart is drawn: Vega makes addresses whole."""


def _headline(best: Sequence[str], of: int) -> str:
    if not best:
        return "No candidate can be compared"
    if len(best) == 1:
        return f"{best[0]} is beaten by no other of {of} candidates" if of > 1 else f"{best[0]}, the only candidate"
    return f"{len(best)} of {of} candidates are beaten by no other"


def _chart(rows: Sequence[Mapping[str, Any]]) -> Chart:
    points = [
        {
            **{name: row[name] for name in ("fidelity", "auc", "lower", "upper")},
            "label": row["candidate"],
            "kind": "beaten" if row["beaten_by"] else "front",
            "tip": f"{row['candidate']}: fidelity {percent(row['fidelity'])}, AUC {number(row['auc'])} "
            f"({number(row['lower'])} to {number(row['upper'])}) by {row['attack']}",
            "href": _BASE + (row["href"] or ""),
        }
        for row in rows
    ]
    front = [{"fidelity": p["fidelity"], "auc": p["auc"]} for p in points if p["kind"] == "front"]
    label = "Fidelity and exposure of each candidate"
    drawn = draw("candidates", label, candidates=points, front=front, chance=[{"auc": 0.5}])
    return Chart(label, *(_linked(svg) for svg in (drawn.wide, drawn.narrow)))


def _linked(svg: Markup) -> Markup:
    """Have points lead to files beside the page; those that have none lead nowhere."""
    alone = re.sub(rf'<a xlink:href="{re.escape(_BASE)}">(.*?)</a>', r"\1", svg, flags=re.DOTALL)
    return Markup(alone.replace(_BASE, ""))  # noqa: S704
