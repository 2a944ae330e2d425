"""The decision page: the evaluated tables, the verdict and its numbers, open questions, and space to sign."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from synthpriv_sql.language.messages import _
from synthpriv_sql.language.numbers import MARK, collecting_names, count, moment
from synthpriv_sql.report.decision.numbers import MARKED, Row, missed, untested
from synthpriv_sql.report.decision.numbers import rows as rows_of
from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.verdict import samples
from synthpriv_sql.report.verdict.words import verdict
from synthpriv_sql.visible import in_markdown, visible

REASONS = 5
"""Maximum number of sentences below the headline."""
_LONG = 88
"""Maximum length of a displayed table name or query; the hash identifies the contents."""
_LONGEST = 240
"""Maximum length of the displayed options."""


@dataclass(frozen=True, slots=True)
class About:
    """Metadata of a run: its tables by parameter, the hash of their contents, time, versions, options."""

    tables: Mapping[str, str]
    hashes: Mapping[str, str]
    made: datetime
    versions: Mapping[str, str]
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Decision:
    """The contents of the page. Numbers in texts are followed by a mark with the index of their name in ``names``."""

    level: str
    word: str
    headline: str
    reasons: Sequence[str]
    rows: Sequence[Row]
    untested: Sequence[str]
    missed: str
    steps: Sequence[str]
    attested: Sequence[str]
    tables: Sequence[tuple[str, str, str, str]]
    run: Sequence[tuple[str, str]]
    names: Sequence[str]
    remedy: Sequence[str] = ()


def decide(rows: Sequence[Mapping[str, Any]], about: About, remedy: Sequence[str] = ()) -> Decision:
    """Return the contents of the page, in the current language.

    Parameters
    ----------
    rows
        The rows of `evaluate`, where every number of the page comes from.
    about
        The metadata of the run.
    remedy
        After which changes the table may be released, if that was searched for.
    """
    measured = Measured([{"item": "number", **row} for row in rows])
    with collecting_names() as names:
        said = verdict(measured)
        page = Decision(
            level=said.level,
            word=word(said.level),
            headline=said.headline,
            reasons=said.reasons[:REASONS],
            tables=tables_of(about, {role: samples.rows(measured, role) for role in about.tables}),
            run=run_of(about),
            rows=rows_of(measured),
            untested=untested(measured, said, about.options),
            missed=missed(measured),
            steps=said.next_steps
            or [_("Nothing before the decision. Evaluate again when the table or the synthesizer changes.")],
            attested=[] if measured.has_holdout else attested(),
            names=(),
            remedy=remedy,
        )
    return in_order(page, names)


def tables_of(about: About, rows: Mapping[str, str]) -> list[tuple[str, str, str, str]]:
    """Return role, name, number of rows and hash of each table."""
    return [
        (_role(role), _cut(name, _LONG), rows.get(role, count(None)), about.hashes[role])
        for role, name in about.tables.items()
    ]


def run_of(about: About) -> list[tuple[str, str]]:
    """Return when and how it was evaluated."""
    return [
        (_("Evaluated"), moment(about.made)),
        (_("With"), ", ".join(f"{name} {version}" for name, version in about.versions.items())),
        (_("Options"), _cut(_options(about.options), _LONGEST) or _("none; all have their defaults")),
    ]


def in_order(page: Decision, used: Sequence[str]) -> Decision:
    """Renumber names in the order of the page, and drop names of numbers that it does not show."""
    names: list[str] = []

    def renumbered(value: Any) -> Any:
        if isinstance(value, str):
            return MARKED.sub(place, value)
        if isinstance(value, Row):
            return Row(*(renumbered(getattr(value, field.name)) for field in fields(value)))
        return tuple(map(renumbered, value))

    def place(mark: re.Match[str]) -> str:
        name = used[int(mark[1]) - 1]
        if name not in names:
            names.append(name)
        return f"{MARK[0]}{names.index(name) + 1}{MARK[1]}"

    return Decision(**{field.name: renumbered(getattr(page, field.name)) for field in fields(page)} | {"names": names})


def pieces(text: str) -> Iterator[tuple[str, str]]:
    """Split a text at its marks: yield each piece with the letters of the mark after it, or an empty string."""
    parts = MARKED.split(text)
    for place in range(0, len(parts), 2):
        yield parts[place], letters(int(parts[place + 1])) if place + 1 < len(parts) else ""


def letters(place: int) -> str:
    """Return the letters of the name at a position from 1: a to z, then aa, ab and so on."""
    text = ""
    while place:
        place, last = divmod(place - 1, 26)
        text = chr(ord("a") + last) + text
    return text


def attested() -> Sequence[str]:
    """The statement that somebody has to vouch for without a holdout: nothing was compared with people never seen."""
    return [
        _("Held back from the synthesizer, by whom and how many people"),
        _("The vendor's word that it saw nothing else of these people"),
    ]


def choices() -> Sequence[str]:
    """Return the possible decisions."""
    return [_("Release"), _("Release after the steps above, and a new evaluation"), _("Do not release")]


def markdown(page: Decision) -> bytes:
    """Return the page as Markdown."""

    def text(marked: str) -> str:
        return "".join(_escaped(piece) + (f"<sup>{mark}</sup>" if mark else "") for piece, mark in pieces(marked))

    def table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> list[str]:
        return [f"| {' | '.join(line)} |" for line in (heads, ["---"] * len(heads), *lines)]

    words = headings()
    tables = [[text(role), _code(name), text(rows), f"`{hashed}`"] for role, name, rows, hashed in page.tables]
    numbers = [
        [f"{text(row.question)} ({_code(row.name)})", text(row.found), text(row.interval), text(row.otherwise)]
        for row in page.rows
    ]
    lines = [
        f"# {words.title}",
        "",
        *table([words.table, words.name, words.records, words.hash], tables),
        "",
        *(f"{name}: {text(value)}  " for name, value in page.run),
        "",
        f"## {text(page.word)}: {text(page.headline)}",
        "",
        " ".join(map(text, page.reasons)),
        "",
        *table([words.number, words.found, words.interval, words.otherwise], numbers),
        "",
        f"**{words.untested}** " + " ".join(map(text, page.untested)),
        "",
        f"**{words.missed}** {text(page.missed)}",
        "",
        f"**{words.steps}** " + " ".join(map(text, page.steps)),
        "",
        *([f"**{words.remedy}** " + " ".join(map(text, page.remedy)), ""] if page.remedy else []),
        f"## {words.decision}",
        "",
        *(f"- [ ] {choice}" for choice in choices()),
        "",
        *(f"{line}: ______________________  " for line in page.attested),
        "",
        "  ".join(f"{word}: ______________________" for word in words.signature),
        "",
        f"{words.names} "
        + "; ".join(f"<sup>{letters(at)}</sup> {_code(name)}" for at, name in enumerate(page.names, 1)),
        "",
    ]
    return "\n".join(lines).encode()


@dataclass(frozen=True, slots=True)
class Headings:
    """The headings of the page."""

    title: str
    table: str
    name: str
    records: str
    hash: str
    number: str
    found: str
    interval: str
    otherwise: str
    untested: str
    missed: str
    steps: str
    remedy: str
    decision: str
    signature: Sequence[str]
    names: str


def headings() -> Headings:
    """Return the headings, in the current language."""
    return Headings(
        title=_("Release of a synthetic table: evaluation and decision"),
        table=_("Table"),
        name=_("Name"),
        records=_("Records"),
        hash=_("Hash of its contents and of a salt (HMAC-SHA-256)"),
        number=_("Numbers behind the verdict"),
        found=_("Found"),
        interval=_("95\u202f% interval"),
        otherwise=_("To compare with"),
        untested=_("What was not tested."),
        missed=_("What would have been missed."),
        steps=_("What to do next, with the engineer."),
        remedy=_("Release after these changes."),
        decision=_("Decision"),
        signature=[_("Name"), _("Date"), _("Signature")],
        names=_("Names of these numbers in the evaluation:"),
    )


def _escaped(text: str) -> str:
    return re.sub(r"([*_{}\]#])", r"\\\1", in_markdown(text))


def _code(name: str) -> str:
    """A name as code, which may hold any character."""
    fence = "`" * (1 + max(map(len, re.findall("`+", name)), default=0))
    space = " " if "`" in name else ""
    return f"{fence}{space}{visible(name).replace('|', chr(92) + '|').replace(chr(10), ' ')}{space}{fence}"


def word(level: str) -> str:
    """Return the name of a level."""
    return {
        "good": _("No sign of a leak"),
        "watch": _("Needs review"),
        "bad": _("Problem"),
        "none": _("No statement possible"),
    }[level]


def _role(role: str) -> str:
    side, _space, name = role.partition(" ")
    called = {
        "synthetic": _("Synthetic"),
        "train": _("Train"),
        "holdout": _("Holdout"),
        "release": _("Released before"),
    }.get(side, side)
    return f"{called}: {name}" if name else called


def _cut(text: str, longest: int) -> str:
    """Cut the middle out of a text that is too long."""
    text = " ".join(text.split())
    half = (longest - 1) // 2
    return text if len(text) <= longest else f"{text[:half]}…{text[-half:]}"


def _options(options: Mapping[str, Any]) -> str:
    def shown(value: Any) -> str:
        if isinstance(value, Mapping):
            return ", ".join(f"{name} {one}" for name, one in value.items())
        return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)

    return "; ".join(f"{name}: {shown(value)}" for name, value in options.items())
