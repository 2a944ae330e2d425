"""The answers about people: who can be identified or is given away, and whose values or combinations come back."""

from __future__ import annotations

from collections.abc import Sequence

from synthpriv_sql.language.messages import N_, _, listed, plural
from synthpriv_sql.language.numbers import count, interval, percent, times
from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.verdict.evidence import Evidence, Within
from synthpriv_sql.report.verdict.findings import LEVELS, Finding, copies_level, why_none
from synthpriv_sql.report.verdict.replays import MANY, OF_PEOPLE, Replay

_KINDS = {
    "email": N_("e-mail addresses"),
    "phone": N_("telephone numbers"),
    "iban": N_("bank account numbers (IBAN)"),
    "card": N_("card numbers"),
    "ip": N_("IP addresses"),
    "url": N_("web addresses"),
    "uuid": N_("unique identifiers (UUID)"),
    "date": N_("dates"),
    "number": N_("numbers"),
    "name-like": N_("values that look like names"),
    "text": N_("texts"),
    "other": N_("values"),
}
"""How the kinds of `replay` are called."""
_TOLD_BY = {
    "phonenumbers": N_("telephone numbers, told by phonenumbers"),
    "rule": N_("telephone numbers, told by a plain rule"),
}
"""How they are called where it is said what told them."""


def of_people(measured: Measured, found: Evidence) -> Sequence[Finding]:
    """Who can be identified or is given away, and how well membership in train can be inferred."""
    within = found.within.get("train")
    findings = [_within(within)] if within and (not measured.has_holdout or within.level != "good") else []
    if measured.has_holdout:
        findings += [_exposure(measured, found), _top(measured, found)]
    else:
        findings.append(_exposure(measured, found))
    findings += [_membership(measured, found)]
    return [*findings, *_replayed(measured, found), *_together(found)]


def kind(replay: Replay) -> str:
    """The noun for the values of a column, or for what comes back of its texts."""
    if replay.how == "phrase_replay":
        return _("runs of words")
    return _(_KINDS.get(replay.kind, _KINDS["other"]))


def looks(measured: Measured) -> dict[str, str]:
    """What the values of each column of `replay` are called, and what told telephone numbers."""
    found = {column: measured.number("replay", "replayed", column) for column in measured.variants("replay") if column}
    return {
        column: _(_TOLD_BY.get(number.told_by) or _KINDS.get(number.look, _KINDS["other"]))
        for column, number in found.items()
        if number
    }


def come_back(measured: Measured) -> Sequence[Replay]:
    """The columns whose values come back without a holdout, which alone could say how many do by chance.

    They are those of addresses and numbers of people, which need review, and others that nothing else looked at.
    """
    if measured.has_holdout:
        return []
    found = []
    for column in measured.variants("replay"):
        back = measured.number("replay", "replayed", column)
        if column is None or back is None or not back.value or measured.value("replay", "running", column):
            continue
        if back.look in OF_PEOPLE or measured.value("left_out", "column", column):
            level = "watch" if back.look in OF_PEOPLE and back.value >= MANY else "none"
            found.append(Replay(column, back.look, back, 0.0, 0.0, level))
    return sorted(found, key=lambda replay: (-LEVELS.index(replay.level), -(replay.replayed.value or 0.0)))


def names_in(measured: Measured, found: Evidence) -> Sequence[str]:
    """The columns whose values come back of train more often than chance explains, or may, the most first."""
    said = [replay for replay in found.replays if replay.level != "good"] or [
        replay for replay in come_back(measured) if replay.level == "watch"
    ]
    return [replay.column for replay in sorted(said, key=lambda replay: -replay.top)]


def _exposure(measured: Measured, found: Evidence) -> Finding:
    question = _("People identified as members of train")
    named, share = measured.value("exposure", "exposed"), measured.number("exposure", "share")
    if named is None or (not found.usable and not found.naming_beats):
        return Finding("exposure", question, "—", why_none(measured), "none")
    attacks = [v for v in measured.variants("exposure") if v and measured.value("exposure", "exposed", v) is not None]
    if not named:
        note = _("At the given false discovery rate, {attacks} identify nobody.", attacks=listed(attacks))
        copied = measured.value("copies", "records")
        if copied and copies_level(found) != "good":
            note += " " + plural(
                "That is besides whoever is copied: {n} record equals one of train.",
                "That is besides those who are copied: {n} records equal one of train.",
                copied,
            )
        return Finding("exposure", question, "0", note, "good" if found.clears else "none")
    chance = count(measured.value("exposure", "by_chance"))
    note = (
        _("At most {chance} of them by chance.", chance=chance)
        if share is None
        else _(
            "{share} of train, by {attacks}; at most {chance} of them by chance.",
            share=percent(share.value),
            attacks=listed(attacks),
            chance=chance,
        )
    )
    return Finding("exposure", question, count(named), note, "bad" if found.naming_beats else "none")


def _top(measured: Measured, found: Evidence) -> Finding:
    question = _("People given away at the top of a list")
    if not found.usable and not found.top:
        return Finding("top", question, "—", why_none(measured), "none")
    best = found.top
    level = max((attack.top_level for attack in found.attacks), key=LEVELS.index, default="good")
    if best is None:
        missed = measured.missed
        note = (
            _("No attack puts people of train first beyond chance.")
            if missed is None
            else _(
                "No attack puts people of train first beyond chance; fewer than {missed} at the top of a list would "
                "have been missed.",
                missed=count(missed),
            )
        )
        if level != "good":  # the first of a list are of train more often, at no length with certainty
            note = _("People of train come first more often than chance explains, but nobody with certainty.")
        return Finding("top", question, "0", note, level if level != "good" or found.clears else "none")
    note = _(
        "Of the {listed} people of train that {attack} puts first, chance explains {chance} (95\u202f%).",
        listed=count(best.listed),
        attack=best.name,
        chance=count(best.by_chance),
    )
    figure = _("at least {n}", n=count(best.top))
    return Finding("top", question, figure, note, level)


def _membership(measured: Measured, found: Evidence) -> Finding:
    question = _("Inferring who was in train")
    best = max(found.attacks, key=lambda attack: attack.number.value or 0.0, default=None)
    if best is None or not (found.usable or any(attack.level == "bad" for attack in found.attacks)):
        return Finding("membership", question, "—", why_none(measured), "none")
    number = best.number
    control = measured.number("split", "auc")
    shown = {"attack": number.variant, "interval": interval(number)}
    note = (
        _(
            "How often the attack {attack} picks the right one of two people, one of train and one not (95\u202f% "
            "interval {interval}); 50\u202f% is guessing.",
            **shown,
        )
        if control is None or control.value is None
        else _(
            "How often the attack {attack} picks the right one of two people, one of train and one not (95\u202f% "
            "interval {interval}); 50\u202f% is guessing; {control} without synthetic.",
            control=percent(control.value),
            **shown,
        )
    )
    if any(attack.level == "bad" for attack in found.attacks):
        level = "bad"
    elif found.clears:
        level = max((attack.level for attack in found.attacks), key=LEVELS.index)
    else:
        level = "none"
    if level == "watch" and any(attack.faint for attack in found.attacks):
        note += " " + _("A trace, too faint to give anybody away.")
    return Finding("membership", question, percent(number.value), note, level)


def _replayed(measured: Measured, found: Evidence) -> list[Finding]:
    """The column with the worst replay, if values come back at all."""
    question = _("Values of single people that come back")
    for first in come_back(measured)[:1]:
        note = _(
            "In {column}: {values} that one person of train alone has. How many come back by chance, only a holdout "
            "can show.",
            column=first.column,
            values=kind(first),
        )
        return [Finding("replay", question, count(first.replayed.value), note, first.level)]
    worst = next((replay for replay in found.replays if replay.replayed.value), None)
    if worst is None:
        return []
    note = _(
        "In {column}: {values} that one person of train alone has; of the holdout, {held} come back.",
        column=worst.column,
        values=kind(worst),
        held=count(worst.held),
    )
    level = "none" if worst.level == "good" and not found.trusts_holdout else worst.level
    return [Finding("replay", question, count(worst.replayed.value), note, level)]


def _together(found: Evidence) -> list[Finding]:
    """The set of columns with the worst replay, if combinations come back more often than chance explains."""
    for worst in found.sets[:1]:
        note = _(
            "In {columns} together: people of train with a combination that nobody else has; of the holdout, {held} "
            "have one that comes back.",
            columns=worst.column,
            held=count(worst.held),
        )
        question = _("People whose combination of values comes back")
        return [Finding("sets", question, count(worst.replayed.value), note, worst.level)]
    return []


def _within(within: Within) -> Finding:
    question = _("Rare combinations that come back")
    note = _(
        "Combinations of values that one of {people} people alone has: {replicated} recur in synthetic, {control} "
        "among as many other real people.",
        people=count(within.people),
        replicated=count(within.replicated),
        control=count(within.control),
    )
    figure = _("{ratio} times", ratio=times(within.ratio.value))
    return Finding("within", question, figure, note, within.level if within.level != "good" else "none")
