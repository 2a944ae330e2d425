"""The headline of a verdict, by its level."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from synthpriv_sql.language.messages import _, plural
from synthpriv_sql.language.numbers import count, percent, times
from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.verdict import findings, people, releases
from synthpriv_sql.report.verdict.evidence import Attack, Depth, Evidence, Within
from synthpriv_sql.report.verdict.replays import Replay


def leak(measured: Measured, found: Evidence, worst: set[str]) -> str:
    """The headline of a table with evidence of a leak in the sections ``worst``."""
    by_section: Mapping[str, Callable[[], str]] = {
        "exposure": lambda: _identified(measured),
        "releases": lambda: releases.sentence(measured, found),
        "top": lambda: given_away(measured, found),
        "replay": lambda: replayed(found.replays[0]),
        "sets": lambda: together(found.sets[0]),
        "copies": lambda: _real(near="who" in worst),
        "within": lambda: recurring(found.within["train"]),
        "membership": lambda: _("Membership in the training data can be inferred better than by guessing."),
        "who": lambda: _("This table contains near-copies of real records."),
        "closer": lambda: _("This table leaks."),
        **_learned(measured, found),
    }
    more = _("More can be learned about people who were in the data than about others.")
    return _first(by_section, found, worst) or more


def _first(by_section: Mapping[str, Callable[[], str]], found: Evidence, worst: set[str]) -> str:
    """The sentence of the first section that is among the worst; "" if none is.

    Of those that say at least how many people are given away, it is the one with the most.
    """
    said = [section for section in by_section if section in worst]
    if not said:
        return ""
    most = found.given_away
    first = max((s for s in said if s in most), key=lambda s: most[s]) if said[0] in most else said[0]
    return by_section[first]()


def _learned(measured: Measured, found: Evidence) -> Mapping[str, Callable[[], str]]:
    """What says which secret is given away, if one is."""
    worst = next(iter(findings.secrets(measured, found)), None)
    return {} if worst is None or worst.level == "good" else {"learned": lambda: findings.of_secret(worst)}


def _identified(measured: Measured) -> str:
    return _(
        "{named} of {people} people can be identified as members of the training data.",
        named=count(measured.value("exposure", "exposed")),
        people=count(measured.value("exposure", "people")),
    )


def _real(near: bool) -> str:
    if near:
        return _("This table contains real records, and near-copies of others.")
    return _("This table contains real records.")


def given_away(measured: Measured, found: Evidence) -> str:
    """At least how many people are given away, and by which list."""
    best = found.top
    if best is None:
        return _("People of train come first on a list more often than chance explains, too few to say how many.")
    return _(
        "At least {top} of {people} people are given away: of the {listed} that {attack} puts first, chance explains "
        "{chance}.",
        top=count(best.top),
        people=count(measured.value("exposure", "people")),
        listed=count(best.listed),
        attack=best.name,
        chance=count(best.by_chance),
    )


def replayed(worst: Replay) -> str:
    """Which values of a column come back, and how many strangers' values do."""
    if worst.how == "phrase_replay":
        return _(
            "{n} people of train have {words} words in a row in {column} that nobody else has, and that come back; of "
            "the holdout, {held} have.",
            n=count(worst.replayed.value),
            words=count(worst.words),
            column=worst.column,
            held=count(worst.held),
        )
    if worst.how == "near_replay":
        return _(
            "{n} {values} in {column}, each of one person of train alone, come back as they are or nearly; of the "
            "holdout, {held} do.",
            n=count(worst.replayed.value),
            values=people.kind(worst),
            column=worst.column,
            held=count(worst.held),
        )
    return plural(
        "{n} of the {values} in {column}, of one person of train alone, comes back; of the holdout, {held} do.",
        "{n} {values} in {column}, each of one person of train alone, come back; of the holdout, {held} do.",
        worst.replayed.value or 0.0,
        values=people.kind(worst),
        column=worst.column,
        held=count(worst.held),
    )


def together(worst: Replay) -> str:
    """Which columns together give people away, and how many strangers' combinations come back."""
    return _(
        "{n} people of train have a combination of {columns} that nobody else has, and that comes back; of the "
        "holdout, {held} have.",
        n=count(worst.replayed.value),
        columns=worst.column,
        held=count(worst.held),
    )


def _replayed(measured: Measured, found: Evidence) -> str:
    alone = people.come_back(measured)
    return back(alone[0]) if alone else replayed(found.replays[0])


def back(replay: Replay) -> str:
    """Which values of a column come back where no holdout shows how many of strangers do."""
    return plural(
        "{n} of the {values} in {column}, of one person of train alone, comes back; how many do so by chance, only a "
        "holdout can show.",
        "{n} {values} in {column}, each of one person of train alone, come back; how many do so by chance, only a "
        "holdout can show.",
        replay.replayed.value or 0.0,
        values=people.kind(replay),
        column=replay.column,
    )


def recurring(within: Within) -> str:
    """How much more often rare combinations recur than among real people, and whom that concerns."""
    ratio = times(within.ratio.value)
    if not within.top:
        return _("Rare combinations of values of train recur {ratio} times as often as among real people.", ratio=ratio)
    return _(
        "Rare combinations of values of train recur {ratio} times as often as among real people: at least {top} of "
        "{people} people are given away, if a careful table repeats rare values no more often than people do.",
        ratio=ratio,
        top=count(within.top),
        people=count(within.people),
    )


def review(measured: Measured, found: Evidence, worst: set[str]) -> str:
    """The headline of a table that needs review because of the sections ``worst``."""
    by_section: Mapping[str, Callable[[], str]] = {
        "releases": lambda: releases.sentence(measured, found),
        "top": lambda: given_away(measured, found),
        "copies": lambda: _copies(measured, found),
        "replay": lambda: _replayed(measured, found),
        "sets": lambda: together(found.sets[0]),
        "within": lambda: recurring(found.within["train"]),
        **dict.fromkeys(("membership", "who", "closer"), lambda: _trace(found)),
        **_learned(measured, found),
    }
    more = _("Slightly more can be learned about people who were in the data than about others.")
    return _first(by_section, found, worst) or more


def _trace(found: Evidence) -> str:
    traces: list[Attack | Depth] = [*found.attacks, *found.depths.values()]
    if all(trace.faint for trace in traces if trace.level == "watch"):
        return _("A trace of train can be measured, too faint to name anybody.")
    return _("This table is closer to real records than expected.")


def _copies(measured: Measured, found: Evidence) -> str:
    records, chance = measured.value("copies", "records"), found.copies_by_chance
    if chance is None or records is None:
        return _("This table contains records that equal real ones.")
    if chance < 1:
        return plural(
            "{n} synthetic record equals a real one; by chance, fewer than one is expected.",
            "{n} synthetic records equal a real one; by chance, fewer than one is expected.",
            records,
        )
    if found.rare_copies:
        return plural(
            "{n} synthetic record equals a real person who is too rare to be a coincidence.",
            "{n} synthetic records equal real people who are too rare to be coincidences.",
            found.rare_copies,
        )
    return plural(
        "{n} synthetic record equals a real one, {share} of all; of holdout records, {usual} do.",
        "{n} synthetic records equal a real one, {share} of all; of holdout records, {usual} do.",
        records,
        share=percent(measured.value("copies", "share")),
        usual=percent(measured.value("copies", "expected")),
    )


def nobody(measured: Measured) -> str:
    """The headline if nothing was found: what was tried, and what could have been missed."""
    return _(
        "The attacks identify none of {people} people; a leak of fewer than {missed} of them, or of people whom no "
        "attack puts first, would go undetected.",
        people=count(measured.value("exposure", "people")),
        missed=count(measured.missed),
    )
