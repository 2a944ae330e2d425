"""An evaluation and the files that are asked for: the page, the page to sign, all numbers."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from synthpriv_sql.engines.base import Engine
from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.report.decision.contents import About, Decision, decide, markdown
from synthpriv_sql.report.evaluation import Evaluation
from synthpriv_sql.report.writing import has_folder, label, write_page
from synthpriv_sql.results import output
from synthpriv_sql.results.result import Result
from synthpriv_sql.results.run import now
from synthpriv_sql.results.saved import ENDINGS
from synthpriv_sql.version import __version__

Given = Mapping[str, Any]
File = str | os.PathLike[str] | None


class Calls(Protocol):
    """What the files need of a session."""

    @property
    def engine(self) -> Engine:
        """Where the tables are."""

    def call(self, function: str | Function, /, *, progress: Any = None, **given: Any) -> Result:
        """Call a function."""

    def sql(self, function: str | Function, /, **given: Any) -> str:
        """Return the SQL that a call would run."""


def write_files(
    session: Calls,
    given: Given,
    *,
    page: File,
    decision: File,
    numbers: File,
    show_values: bool,
    baseline: bool,
    progress: Any,
) -> Evaluation:
    """Evaluate once, and write what is asked for.

    Parameters
    ----------
    session
        Where the tables are.
    given
        Arguments of evaluate.
    page, decision, numbers
        The files: the page, the page to sign (.html, .docx or .md), and all numbers (as `output.write` takes them).
    show_values, baseline, progress
        As in `synthpriv_sql.report.build.build`.

    Raises
    ------
    OptionError
        No file is asked for, or one whose ending says nothing.
    WriteError
        A file cannot be written.
    """
    paths = {path: Path(path) for path in (page, decision, numbers) if path is not None}
    if not paths:
        raise OptionError("there is nothing to write: give a file for the page, for the decision or for the numbers")
    for path in paths.values():
        has_folder(path)
    as_decided = None if decision is None else writer(paths[decision])
    if numbers is not None and paths[numbers].suffix not in ENDINGS:
        raise OptionError(f'"{numbers}" ends in none of {", ".join(ENDINGS)}; the ending says how it is written')
    made = now()
    if page is None:
        result = Evaluation.of(session.call("evaluate", progress=progress, **given))
    else:
        from synthpriv_sql.report.build import build

        result = build(
            session,
            os.fspath(page),
            given,
            show_values=show_values,
            baseline=baseline,
            progress=progress,
            beside="" if numbers is None else paths[numbers].name,
        )
    if as_decided is not None and decision is not None:
        function = catalog.function("evaluate")
        tables = {p.name: given[p.name] for p in function.relations if given.get(p.name) is not None}
        about = About(
            tables={name: label(table) for name, table in tables.items()},
            hashes={name: _hash(session, table) for name, table in tables.items()},
            made=made,
            versions={"synthpriv_sql": __version__, session.engine.name: session.engine.version()},
            options={p.name: given[p.name] for p in function.options if given.get(p.name) not in (None, p.default)},
        )
        write_page(paths[decision], as_decided(decide(result.to_arrow().to_pylist(), about)))
    if numbers is not None:
        output.write(result, paths[numbers])
    return result


def _hash(session: Calls, table: Any) -> str:
    return str(session.call(catalog.file("content_hash"), data=table)["hash"][0])


def writer(path: Path) -> Callable[[Decision], bytes]:
    """Return what writes the page in the form that the ending of a file asks for.

    Raises
    ------
    OptionError
        The ending is another one, or what the form needs is not installed.
    """
    ending = path.suffix.lower()
    try:
        if ending == ".html":
            from synthpriv_sql.report.decision.html import html

            return html
        if ending == ".docx":
            from synthpriv_sql.report.decision.docx import docx

            return docx
    except ModuleNotFoundError as missing:
        extra = "docx" if ending == ".docx" else "report"
        raise OptionError(
            f'a decision as {ending} needs {missing.name}, which is not installed: pip install "synthpriv-sql[{extra}]"'
        ) from None
    if ending == ".md":
        return markdown
    raise OptionError(f'a decision is written as .html, .docx or .md, and "{path}" ends otherwise')
