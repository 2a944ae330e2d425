"""The decision page of a family of tables, and that of candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from synthpriv_sql.language.messages import _, listed
from synthpriv_sql.language.numbers import collecting_names, count, decimals, interval, percent
from synthpriv_sql.report.decision.contents import About, Decision, attested, in_order, run_of, tables_of, word
from synthpriv_sql.report.decision.numbers import MARKED, Row, missed, of_columns, untested
from synthpriv_sql.report.measured import Measured, Number
from synthpriv_sql.report.verdict import samples
from synthpriv_sql.report.verdict.family import Family
from synthpriv_sql.report.verdict.words import Verdict

Rows = Sequence[Mapping[str, Any]]


def decide_family(found: Family, parts: Mapping[str, Rows], about: About) -> Decision:
    """Return the decision page of a family, in the current language.

    Parameters
    ----------
    found
        The verdict on the family.
    parts
        The rows of `evaluate` of each part.
    about
        The metadata of the run.
    """
    measured = {name: Measured([{"item": "number", **row} for row in rows]) for name, rows in parts.items()}
    first = next(iter(measured.values()))
    with collecting_names() as names:
        worst = max(found.parts.values(), key=lambda one: (one.level == found.level, one.given_away))
        page = Decision(
            level=found.level,
            word=word(found.level),
            headline=found.headline,
            reasons=[
                _("{part}: {headline}", part=name, headline=said.headline)
                for name, said in found.parts.items()
                if said.headline not in found.headline
            ],
            rows=[_of_part(name, measured[name]) for name in found.parts],
            untested=_untested(measured, worst, about.options),
            missed=missed(first),
            steps=worst.next_steps,
            attested=[] if first.has_holdout else attested(),
            tables=tables_of(about, {side: samples.rows(first, side) for side in about.tables}),
            run=run_of(about),
            names=(),
        )
    return in_order(page, names)


def _untested(parts: Mapping[str, Measured], said: Verdict, options: Mapping[str, Any]) -> list[str]:
    """What was not tested in any part, and the columns of each that nothing looked at; parents are the persons."""
    first, *others = parts.values()
    return [
        *untested(first, said, {"unit": True, **options}),
        *(line for other in others for line in of_columns(other)),
    ]


def _of_part(name: str, measured: Measured) -> Row:
    """The people whom a part gives away: those identified, or at least so many at the top of a list."""
    given = [measured.number("exposure", statistic) for statistic in ("exposed", "at_least")]
    most = max((n for n in given if n and n.value is not None), key=lambda n: n.value or 0.0, default=None)
    people = count(measured.value("exposure", "people"))
    return Row(
        _("People given away by {part}", part=name),
        "" if most is None else most.name,
        _("not measured") if most is None else count(most.value),
        "—",
        _("of {people} people", people=people),
    )


def decide_candidates(headline: str, reasons: Sequence[str], rows: Rows, about: About) -> Decision:
    """Return the decision page of candidates, in the current language.

    Parameters
    ----------
    headline, reasons
        Which candidate to release, if any, and why.
    rows
        The rows of `candidates`, each with its ``verdict``.
    about
        The metadata of the run.
    """
    judged = [row for row in rows if row["verdict"] is not None]
    with collecting_names() as names:
        chosen = any(row["verdict"].level == "good" for row in judged)
        others = [row["candidate"] for row in rows if row["verdict"] is None]
        page = Decision(
            level="good" if chosen else "bad",
            word=_("A recommendation") if chosen else _("No recommendation"),
            headline=headline,
            reasons=reasons,
            rows=[_of_candidate(row) for row in judged],
            untested=[_("Not compared: {candidates}.", candidates=listed(others))] if others else [],
            missed=_("What each evaluation would have missed stands on its own page."),
            steps=[_("Evaluate the table that is to be released, and decide on its own page.")],
            attested=[],
            tables=tables_of(about, {}),
            run=run_of(about),
            names=(),
        )
    return in_order(page, names)


def _of_candidate(row: Mapping[str, Any]) -> Row:
    area = Number("candidates", "candidates", row["candidate"], "auc", row["auc"], row["lower"], row["upper"], None, "")
    return Row(
        _("{candidate}: {verdict}", candidate=row["candidate"], verdict=word(row["verdict"].level)),
        "candidates.auc",
        percent(row["auc"]),
        MARKED.sub("", interval(area)),
        _(
            "{exposed} people named, at least {given} given away, fidelity {fidelity}",
            exposed=count(row["exposed"]),
            given=count(row["at_least"]),
            fidelity=decimals(row["fidelity"], 3),
        ),
    )
