"""Evaluates once and writes the requested files: report, decision page, all numbers."""

from __future__ import annotations

import hmac
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.columns import nested, releases
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.report.decision.contents import About, Decision, decide, markdown
from synthpriv_sql.report.decision.several import decide_family
from synthpriv_sql.report.evaluation import Evaluation
from synthpriv_sql.report.writing import Shown, label
from synthpriv_sql.results import output
from synthpriv_sql.results.calls.caller import Caller
from synthpriv_sql.results.output import has_folder, write_page
from synthpriv_sql.results.result import Result
from synthpriv_sql.results.run import now
from synthpriv_sql.results.saved import ENDINGS
from synthpriv_sql.version import __version__

Given = Mapping[str, Any]
File = str | os.PathLike[str] | None


def write_files(
    session: Caller,
    given: Given,
    *,
    page: File,
    decision: File,
    numbers: File,
    shown: Shown,
    progress: Any,
) -> Evaluation:
    """Evaluate once, and write the requested files.

    Parameters
    ----------
    session
        The session with the tables.
    given
        Arguments of evaluate, possibly with ``children``.
    page, decision, numbers
        The files: the report, the decision page (.html, .docx or .md), and all numbers (formats of `output.write`).
    shown, progress
        As in `synthpriv_sql.report.build.build`.

    Raises
    ------
    OptionError
        No file is requested, or one with an unknown extension.
    WriteError
        A file cannot be written.
    """
    beside = Beside(page, decision, numbers)
    made = now()
    if page is None:
        result = Evaluation.of(session.call("evaluate", progress=progress, **given))
    elif given.get("children"):
        from synthpriv_sql.report.parts import build_parts

        result = build_parts(session, os.fspath(page), given, shown=shown, progress=progress)
    else:
        from synthpriv_sql.report.build import build

        result = build(session, os.fspath(page), given, shown=shown, progress=progress, beside=beside.linked)

    def decided() -> Decision:
        metadata = about(session, "evaluate", given, made, beside.salt)
        if result.is_family:
            parts = {name: list(found) for (name,), found in result.groups.items()}
            return decide_family(result.family, parts, metadata)
        remedy = shown.remedy() if shown.remedy and result.verdict.level == "bad" else None
        return decide(list(result), metadata, () if remedy is None else remedy.sentences)

    beside.write(result, decided)
    return result


class Beside:
    """The files beside the page: the decision page, and all numbers.

    Parameters
    ----------
    page, decision, numbers
        The requested files, which are checked before anything is computed.
    """

    def __init__(self, page: File, decision: File, numbers: File) -> None:
        requested = [Path(path) for path in (page, decision, numbers) if path is not None]
        if not requested:
            raise OptionError(
                "there is nothing to write: give a file for the report, for the decision page or for the numbers"
            )
        for path in requested:
            has_folder(path)
        self._decision = None if decision is None else Path(decision)
        self._writer = None if self._decision is None else writer(self._decision)
        self._numbers = None if numbers is None else Path(numbers)
        self.salt = secrets.token_bytes(32)
        """Of the hashes on the decision page: without it, they cannot be compared with those of guessed tables."""
        if self._numbers is not None and self._numbers.suffix not in ENDINGS:
            raise OptionError(
                f'the format of "{numbers}" is unknown: its extension must be one of {", ".join(ENDINGS)}'
            )

    @property
    def linked(self) -> str:
        """The name of the file of numbers, for a link on the page."""
        return "" if self._numbers is None else self._numbers.name

    def write(self, result: Result, decided: Callable[[], Decision]) -> None:
        """Write the files, the decision page first; a file that cannot be written does not lose the result."""
        if self._writer is not None and self._decision is not None:
            with output.kept(result, self._decision):
                write_page(self._decision, self._writer(decided()))
                write_page(salt_of(self._decision), self.salt.hex() + "\n", private=True)
        if self._numbers is not None:
            with output.kept(result, self._numbers):
                output.write(result, self._numbers)


def salt_of(decision: Path) -> Path:
    """The file beside a decision page that keeps its salt, for its owner alone."""
    return decision.with_name(f"{decision.name}.salt")


def about(session: Caller, name: str, given: Given, made: datetime, salt: bytes) -> About:
    """Return the metadata of a run of a function, with hashes of its tables that only who has the salt can repeat."""
    function = catalog.function(name)
    tables = dict(_tables(function, given))
    return About(
        tables={role: label(table) for role, table in tables.items()},
        hashes={role: _hash(session, table, salt) for role, table in tables.items()},
        made=made,
        versions={"synthpriv_sql": __version__, session.engine.name: session.engine.version()},
        options={
            p.name: given[p.name]
            for p in function.options
            if p.name not in {"children", releases.OPTION} and given.get(p.name) not in (None, p.default)
        }
        | nested.reading_of(given),
    )


def _tables(function: Function, given: Given) -> Iterator[tuple[str, Any]]:
    """The tables of a call by their role; those of children and candidates with their name."""
    for parameter in function.relations:
        value = given.get(parameter.name)
        if isinstance(value, Mapping):
            yield from ((f"{parameter.name} {name}", table) for name, table in value.items())
        elif parameter.type == "relations" and isinstance(value, (list, tuple)):
            yield from ((f"{parameter.name} {name}", name) for name in value)
        elif value is not None:
            yield parameter.name, value
    if given.get(releases.OPTION) is not None:
        before = releases.named(function, given[releases.OPTION])
        for name, table in before.items():
            parts = table if isinstance(table, Mapping) else {releases.NEWEST: table}
            yield from (
                (f"release {name}" if part == releases.NEWEST else f"release {name} {part}", one)
                for part, one in parts.items()
                if one is not None
            )
    for name, (*tables, _key) in (given.get("children") or {}).items():
        for side, table in zip(("synthetic", "train", "holdout"), tables, strict=False):
            if table is not None:
                yield f"{side} {name}", table


def _hash(session: Caller, table: Any, salt: bytes) -> str:
    content = str(session.call(catalog.file("content_hash"), data=table)["hash"][0])
    return hmac.new(salt, content.encode(), "sha256").hexdigest()


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
