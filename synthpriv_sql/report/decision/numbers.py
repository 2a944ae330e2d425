"""The numbers of the decision page, what was not tested, and what would have been missed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from synthpriv_sql.language.messages import _, listed
from synthpriv_sql.language.numbers import MARK, count, decimals, interval, percent, times
from synthpriv_sql.report.measured import Measured, Number
from synthpriv_sql.report.verdict import evidence, people, replays
from synthpriv_sql.report.verdict.evidence import Evidence
from synthpriv_sql.report.verdict.findings import NAMED_RISKS
from synthpriv_sql.report.verdict.reasons import left_out
from synthpriv_sql.report.verdict.words import Verdict

MARKED = re.compile(f"{MARK[0]}(\\d+){MARK[1]}")


@dataclass(frozen=True, slots=True)
class Row:
    """A number behind the verdict: question, name, value, interval, and what to expect without a leak."""

    question: str
    name: str
    found: str
    interval: str
    otherwise: str


def rows(measured: Measured) -> list[Row]:
    """Return the numbers behind the verdict; without a holdout, those that need none."""
    found = evidence.of(measured)
    shown = [_copied(measured), *_replayed(measured, found), *_together(measured, found)]
    if not measured.has_holdout:
        near = _("5\u202f% of train records are as near to another one")
        return [
            *_recurring(found),
            *shown,
            _row(_("Synthetic records that nearly equal a real one"), measured.number("near_copies", "share"), near),
            *_asked(measured),
        ]
    expected = measured.value("holdout_share", "expected")
    closer = _row(
        _("Synthetic records closer to train than to the holdout"),
        measured.number("holdout_share", "share"),
        "—" if expected is None else _("{share} if nothing leaks", share=percent(expected)),
    )
    if not found.usable:
        closer = _without_a_valid_holdout(closer)
    recurring = _recurring(found) if any(within.leaks for within in found.within.values()) else []
    return [*_of_people(measured, found), *_of_releases(measured), *shown, closer, *recurring, *_asked(measured)]


def _of_people(measured: Measured, found: Evidence) -> list[Row]:
    """Who is identified or given away, and the attack that succeeds most."""
    named = measured.number("exposure", "exposed")
    if named is not None and not found.trusts_holdout and not (named.value and found.naming_beats):
        return [_without_a_valid_holdout(_row(_("People identified as members of train"), named, "—"))]
    chance = measured.value("exposure", "by_chance")
    best = max(found.attacks, key=lambda attack: attack.top, default=None)
    by_chance = "—"
    if best is not None and best.top:
        shown = {"listed": count(best.listed), "chance": count(best.by_chance)}
        by_chance = _("of the {listed} listed, {chance} by chance", **shown)
    worst = max(found.attacks, key=lambda attack: attack.number.value or 0.0, default=None)
    return [
        _row(
            _("People identified as members of train"),
            named,
            "—" if chance is None else _("{n} of them at most by chance", n=count(chance)),
            count,
        ),
        _row(
            _("People given away at the top of a list, at least"),
            None if best is None else measured.number("membership", "at_least", best.name),
            by_chance,
            count,
        ),
        _row(
            _("How often the attack picks the member of train out of two people"),
            None if worst is None else worst.number,
            _("{half} by guessing", half=percent(0.5)),
        ),
    ]


def _of_releases(measured: Measured) -> list[Row]:
    """Whom all releases together identify or give away."""
    if measured.value("releases", "tables") is None:
        return []
    alone = {statistic: measured.value("releases", statistic, "alone") for statistic in ("exposed", "at_least")}
    questions = {
        "exposed": _("People identified by all releases together"),
        "at_least": _("People given away by all releases together, at least"),
    }
    return [
        _row(
            question,
            measured.number("releases", statistic, "union"),
            _("{n} by this table alone", n=count(alone[statistic])),
            count,
        )
        for statistic, question in questions.items()
    ]


def _copied(measured: Measured) -> Row:
    compared = measured.value("copies", "expected")
    usual = "—"
    if compared is not None:
        usual = (
            _("{share} of holdout records do", share=percent(compared))
            if measured.has_holdout
            else _("{share} of train records equal another one", share=percent(compared))
        )
    return _row(_("Synthetic records that equal a real one"), measured.number("copies", "share"), usual)


def _replayed(measured: Measured, found: Evidence) -> list[Row]:
    """The columns whose values come back of train more often than chance explains, or, without a holdout, may."""
    alone = [
        _row(
            _("Values of single people in {column} that come back", column=replay.column),
            replay.replayed,
            _("unknown without a holdout"),
            count,
        )
        for replay in people.come_back(measured)[:3]
    ]
    said = [replay for replay in found.replays if replay.level != "good"]
    return alone or [
        _row(
            _("Values of single people in {column} that come back", column=replay.column),
            replay.replayed,
            _("{n} of the holdout", n=count(replay.held)),
            count,
        )
        for replay in sorted(said, key=lambda replay: -replay.top)[:3]
    ]


def _together(measured: Measured, found: Evidence) -> list[Row]:
    """The set of columns whose combinations come back more often than chance explains, where nobody is named."""
    if measured.value("exposure", "exposed"):
        return []
    return [
        _row(
            _("People whose combination of {columns} comes back", columns=replay.column),
            replay.replayed,
            _("{n} of the holdout", n=count(replay.held)),
            count,
        )
        for replay in found.sets[:1]
        if replay.level != "good"
    ]


def _recurring(found: Evidence) -> list[Row]:
    questions = {
        "train": _("How much more often rare combinations of train recur than among real people"),
        "holdout": _("The same of the holdout"),
    }
    return [
        _row(questions[side], within.ratio, _("at most {limit} times", limit=decimals(replays.RATIO, 1)), _times)
        for side, within in found.within.items()
    ]


def _times(ratio: float | None) -> str:
    return _("{ratio} times", ratio=times(ratio))


def _asked(measured: Measured) -> list[Row]:
    """Risks requested by options: the largest added risk of each kind."""
    questions = {
        "attribute_inference": _("Secrets read right, beyond those of strangers"),
        "linkability": _("Two sources linked, beyond those of strangers"),
        "disclosure": _("Values disclosed by groups, beyond those of strangers"),
        "singling_out": _("People singled out, beyond strangers"),
    }
    found = []
    for metric, question in questions.items():
        numbers = [
            n
            for n in measured.numbers
            if n.metric == metric and (n.metric, n.statistic) in NAMED_RISKS and n.value is not None
        ]
        if numbers:
            found.append(_row(question, max(numbers, key=lambda n: n.value or 0.0), _("0 if nothing leaks")))
    excess = [n for n in measured.numbers if n.statistic == "trained_excess" and n.value is not None]
    if excess:
        worst = max(excess, key=lambda n: n.value or 0.0)
        question = _("Secrets that a model of synthetic guesses right, beyond those of strangers")
        found.append(_row(question, worst, _("0 if nothing leaks")))
        given = [n for n in measured.numbers if (n.metric, n.statistic) == ("attribute_inference", "at_least")]
        most = max(given, key=lambda n: n.value or 0.0)
        found.append(_row(_("People whose secret it gives away, at least"), most, _("0 if nothing leaks"), count))
    return found


def _without_a_valid_holdout(row: Row) -> Row:
    """A number that says nothing where the holdout does not show what chance does: it is not shown."""
    return Row(row.question, row.name, "—", "—", _("the holdout is not valid"))


def _row(question: str, found: Number | None, otherwise: str, shown: Callable[[Any], str] = percent) -> Row:
    if found is None or found.value is None:
        return Row(question, "" if found is None else found.name, _("not measured"), "—", "—")
    between = MARKED.sub("", interval(found)) if found.lower is not None else "—"
    return Row(question, found.name, shown(found.value), between, otherwise)


def untested(measured: Measured, said: Verdict, options: Mapping[str, Any]) -> list[str]:
    """Return the obstacles to a verdict, and what was not tested."""
    asked = {number.metric for number in measured.numbers}
    open_ = [obstacle for obstacle in said.obstacles if obstacle != said.headline]
    open_ += of_columns(measured)
    if measured.attacks:
        open_.append(
            _(
                "Attackers who have the synthesizer or its model, and other attacks than {attacks}.",
                attacks=listed(measured.attacks),
            )
        )
    else:
        open_.append(_("Whether membership in the training data can be inferred."))
    if not options.get("unit"):
        open_.append(_("Persons with several records: each record was counted as a person."))
    if not asked & {"disclosure", "attribute_inference"}:
        open_.append(_("What else can be learned about a person of whom some attributes are known."))
    if "linkability" not in asked:
        open_.append(_("Whether it links two sources."))
    if "singling_out" not in asked:
        open_.append(_("Whether its records single people out."))
    return open_


def of_columns(measured: Measured) -> list[str]:
    """Return which columns nothing looked at, beyond whether their values come back."""
    names = left_out(measured)
    if not names:
        return []
    return [_("The columns {columns}, beyond whether their values come back.", columns=listed(names))]


def missed(measured: Measured) -> str:
    """Return which leaks would not have been found."""
    fewest, noticed = measured.missed, measured.noticed
    if measured.has_holdout and not evidence.of(measured).trusts_holdout:
        return _("Any leak that only people whom the synthesizer never saw can show: this needs a valid holdout.")
    if fewest is None or noticed is None:
        return _("Any leak that repeats rare values no more often than real people do: this needs a holdout.")
    text = _(
        "A leak of fewer than {missed} of {people} people at the top of a list, or of people whom no attack puts "
        "first.",
        missed=count(fewest),
        people=count(measured.value("exposure", "people")),
    )
    if noticed >= 1:
        return text + " " + _("With so few people, no attack on the crowd would have been detected reliably.")
    return (
        text
        + " "
        + _(
            "An attacker who is right less than {share} of the time, where guessing is right {half} of the time, would "
            "have been missed in more than one case of ten.",
            share=percent(noticed),
            half=percent(0.5),
        )
    )
