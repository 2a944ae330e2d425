"""The report of a family of tables: an overview with the verdict of each part, and a page for each part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from synthpriv_sql.language.messages import _
from synthpriv_sql.planner.calls.families import View
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.report.build import Calls, build, environment, inline, own_page
from synthpriv_sql.report.evaluation import Evaluation
from synthpriv_sql.report.verdict.findings import LEVELS
from synthpriv_sql.report.writing import write_page
from synthpriv_sql.results.calls.family import family_call


def build_parts(
    session: Calls, path: str, given: Mapping[str, Any], *, show_values: bool, baseline: bool, progress: Any
) -> Evaluation:
    """Evaluate each part of a family, write its page and an overview; return the same result as evaluate.

    Parts about the order of rows have numbers and a verdict, but no page.

    Parameters
    ----------
    session
        The session with the tables.
    path
        The file of the overview; the pages of the parts are written next to it.
    given
        Arguments of evaluate, with ``children``.
    show_values, baseline, progress
        As in `synthpriv_sql.report.build.build`.

    Raises
    ------
    WriteError
        A file cannot be written.
    """
    target = Path(path)
    pages: dict[str, str] = {}

    def evaluated(view: View) -> Evaluation:
        if view.given.get("order"):
            return Evaluation.of(session.call("evaluate", progress=progress, **view.given))
        own = own_page(target, len(pages) + 1, view.name)
        about = {name: value for name, value in view.given.items() if name != "length"}
        found = build(session, str(own), about, show_values=show_values, baseline=baseline, progress=progress)
        pages[view.name] = own.name
        return found

    result = Evaluation.of(family_call(session, catalog.function("evaluate"), given, session.call, evaluated))
    parts = [
        {"name": name, "href": pages.get(name), "verdict": of_part.verdict}
        for (name,), of_part in result.groups.items()
    ]
    page = environment().get_template("parts.html.j2").render(file=inline, headline=_headline(parts), parts=parts)
    write_page(target, page)
    return result


def _headline(parts: Sequence[Mapping[str, Any]]) -> str:
    worst = max((part["verdict"].level for part in parts), key=LEVELS.index)
    parts_named = ", ".join(f"“{part['name']}”" for part in parts if part["verdict"].level == worst)
    if worst == "good":
        return _("Nothing was found in any part")
    if worst == "bad":
        return _("People of train are exposed by {parts}", parts=parts_named)
    if worst == "watch":
        return _("Needs review: {parts}", parts=parts_named)
    return _("No verdict on {parts}", parts=parts_named)
