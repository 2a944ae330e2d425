"""The report of a family of tables: an overview with the verdict of each part, and a page for each part."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from synthpriv_sql.planner.calls.families import View
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.report.build import build, own_page
from synthpriv_sql.report.evaluation import Evaluation
from synthpriv_sql.report.writing import Shown, environment, inline
from synthpriv_sql.results.calls.caller import Caller
from synthpriv_sql.results.calls.family import family_call
from synthpriv_sql.results.output import write_page


def build_parts(session: Caller, path: str, given: Mapping[str, Any], *, shown: Shown, progress: Any) -> Evaluation:
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
    shown, progress
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
        found = build(session, str(own), about, shown=shown, progress=progress)
        pages[view.name] = own.name
        return found

    result = Evaluation.of(family_call(session, catalog.function("evaluate"), given, session.call, evaluated))
    found = result.family
    parts = [{"name": name, "href": pages.get(name), "verdict": of_part} for name, of_part in found.parts.items()]
    page = environment().get_template("parts.html.j2").render(file=inline, headline=found.headline, parts=parts)
    write_page(target, page, private=shown.values)
    return result
