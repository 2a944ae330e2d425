"""Evaluates once and writes the requested files: report, decision page, all numbers."""

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
    """The part of a session that this module needs."""

    @property
    def engine(self) -> Engine:
        """The engine that holds the tables."""

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
    """Evaluate once, and write the requested files.

    Parameters
    ----------
    session
        The session with the tables.
    given
        Arguments of evaluate.
    page, decision, numbers
        The files: the report, the decision page (.html, .docx or .md), and all numbers (formats of `output.write`).
    show_values, baseline, progress
        As in `synthpriv_sql.report.build.build`.

    Raises
    ------
    OptionError
        No file is requested, or one with an unknown extension.
    WriteError
        A file cannot be written.
    """
    paths = {path: Path(path) for path in (page, decision, numbers) if path is not None}
    if not paths:
        raise OptionError(
            "there is nothing to write: give a file for the report, for the decision page or for the numbers"
        )
    for path in paths.values():
        has_folder(path)
    as_decided = None if decision is None else writer(paths[decision])
    if numbers is not None and paths[numbers].suffix not in ENDINGS:
        raise OptionError(f'the format of "{numbers}" is unknown: its extension must be one of {", ".join(ENDINGS)}')
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
        with output.kept(result, paths[decision]):
            write_page(paths[decision], as_decided(decide(list(result), about)))
    if numbers is not None:
        with output.kept(result, paths[numbers]):
            output.write(result, paths[numbers])
    return result


def _hash(session: Calls, table: Any) -> str:
    return str(session.call(catalog.file("content_hash"), data=table)["hash"][0])


def writer(path: Path) -> Callable[[Decision], bytes]:
    """Return the writer of the decision page for the extension of a file.

    Raises
    ------
    OptionError
        The extension is not supported, or the package that it needs is not installed.
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
            f"a decision page as {ending} needs {missing.name}, which is not installed: "
            f'pip install "synthpriv-sql[{extra}]"'
        ) from None
    if ending == ".md":
        return markdown
    raise OptionError(f'a decision page must be .html, .docx or .md, not "{path}"')
