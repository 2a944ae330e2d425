"""The answer about several releases of the same people: whom this one gives away alone, and whom all together do."""

from __future__ import annotations

from collections.abc import Sequence

from synthpriv_sql.language.messages import _, plural
from synthpriv_sql.language.numbers import count
from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.verdict.evidence import Evidence
from synthpriv_sql.report.verdict.findings import LEVELS, Finding, why_none
from synthpriv_sql.report.verdict.replays import MANY, RELEASED_SETS, Replay, Replays
from synthpriv_sql.report.verdict.testing import BAD, WATCH, holm

SECTION = "releases"
_SETS = {"alone", "before", "union"}
_FAMILIES = 2
"""The tests of one table and those of all releases: each has its own Holm correction, and half of the level."""


def are_given(measured: Measured) -> bool:
    """Whether further releases were evaluated together with this table."""
    return measured.value(SECTION, "tables") is not None


def adds_nobody(measured: Measured) -> bool:
    """Whether the releases before it give away all that this table does, alone or together with them."""
    if _of(measured, "exposed", "alone") or _of(measured, "at_least", "alone") or measured.value(SECTION, "new"):
        return False
    before = _of(measured, "at_least", "before")
    return bool(before or _of(measured, "exposed", "before")) and _of(measured, "at_least", "union") <= before


def of_releases(measured: Measured, found: Evidence) -> Sequence[Finding]:
    """Whom all releases together identify or give away, if there are several."""
    if not are_given(measured):
        return []
    question = _("All releases together")
    if not found.usable and not found.naming_beats:
        return [Finding(SECTION, question, "—", why_none(measured), "none")]
    named, top = (together(measured, name) for name in ("exposed", "at_least"))
    level, sets = _judged(measured, found)
    figure = count(named) if named or not top else _("at least {n}", n=count(top))
    if sets and not named and not top:
        figure = count(sets[0].replayed.value)
    return [Finding(SECTION, question, figure, sentence(measured, found), level)]


def sets_of_all(measured: Measured, found: Evidence) -> Sequence[Replay]:
    """The sets of columns whose combinations come back in any release more often than chance explains, the worst first.

    Combinations of a few columns are too few beside those of all columns to move an attack.
    """
    return _judged(measured, found)[1] if are_given(measured) and found.usable else []


def sentence(measured: Measured, found: Evidence) -> str:
    """Whom this table gives away alone, and whom it does together with those before."""
    worst = next(iter(sets_of_all(measured, found)), None)
    people = _sentence(measured)
    if worst is None:
        return people
    combined = _(
        "In all releases together {n} people of train have a combination of {columns} that nobody else has, and that "
        "comes back; of the holdout, {held} have.",
        n=count(worst.replayed.value),
        columns=worst.column,
        held=count(worst.held),
    )
    gives_away = together(measured, "exposed") or together(measured, "at_least")
    return f"{people} {combined}" if gives_away else combined


def _sentence(measured: Measured) -> str:
    before = (measured.value(SECTION, "tables") or 1) - 1
    people = count(measured.value(SECTION, "people"))
    for statistic in ("exposed", "at_least"):
        alone, union = _of(measured, statistic, "alone"), together(measured, statistic)
        if not alone and not union:
            continue
        shown = {"alone": count(alone), "union": count(union), "people": people}
        new = count(measured.value(SECTION, "new"))
        if statistic == "exposed" and not alone:
            return plural(
                "Alone this table identifies nobody; with the {n} release before it {union} of "
                "{people} people, {new} of them new.",
                "Alone this table identifies nobody; with the {n} releases before it {union} of "
                "{people} people, {new} of them new.",
                before,
                new=new,
                **shown,
            )
        if statistic == "exposed":
            return plural(
                "Alone this table identifies {alone} of {people} people; with the {n} release before it {union}, "
                "{new} of them new.",
                "Alone this table identifies {alone} of {people} people; with the {n} releases before it {union}, "
                "{new} of them new.",
                before,
                new=new,
                **shown,
            )
        if not alone:
            return plural(
                "Alone this table gives nobody away; with the {n} release before it at least {union} of {people} "
                "people.",
                "Alone this table gives nobody away; with the {n} releases before it at least {union} of {people} "
                "people.",
                before,
                **shown,
            )
        return plural(
            "Alone this table gives away at least {alone} of {people} people; with the {n} release before it at "
            "least {union}.",
            "Alone this table gives away at least {alone} of {people} people; with the {n} releases before it at "
            "least {union}.",
            before,
            **shown,
        )
    return plural(
        "With the {n} release before it, this table identifies nobody and gives nobody away.",
        "With the {n} releases before it, this table identifies nobody and gives nobody away.",
        before,
    )


def given_away(measured: Measured) -> float:
    """How many people all releases together identify, or at least give away."""
    return max(together(measured, name) for name in ("exposed", "at_least"))


def together(measured: Measured, statistic: str) -> float:
    """The number for all releases: ``exposed`` or ``at_least``."""
    return _of(measured, statistic, "union")


def _judged(measured: Measured, found: Evidence) -> tuple[str, Sequence[Replay]]:
    """The level of all releases together, by the rules for one table, and the sets of columns that need review."""
    control = measured.number("split", "auc")
    at_most = 0.5 if control is None or control.upper is None else control.upper
    p_values: dict[tuple[str, str], float] = {}
    matters: dict[str, bool] = {}
    for name in measured.variants(SECTION):
        area = measured.number(SECTION, "auc", name) if name and name not in _SETS else None
        if name is None or area is None or area.value is None:
            continue
        lower = area.lower or 0.0
        matters[name] = lower > at_most + found.tolerance
        ranks, first = (measured.value(SECTION, p, name) for p in ("p_value", "top_p_value"))
        p_values["ranks", name] = 1.0 if ranks is None or lower <= at_most else ranks
        p_values["top", name] = 1.0 if first is None else first
    replays = Replays(measured, RELEASED_SETS)
    of_sets = {key: p for key, p in replays.p_values(found.same, found.differs).items() if key[0] == RELEASED_SETS}
    adjusted = {key: min(1.0, _FAMILIES * p) for key, p in holm({**p_values, **of_sets}).items()}
    sets = [one for one in replays.of_sets(adjusted) if one.level != "good"]
    worst = max((one.level for one in sets), key=LEVELS.index, default="good")
    of_attacks = {key: p for key, p in adjusted.items() if key not in of_sets}
    named, top = (together(measured, name) for name in ("exposed", "at_least"))
    if named or top >= MANY or any(p < BAD and matters[name] for (_kind, name), p in of_attacks.items()):
        worst = "bad"
    elif worst == "good" and (top or any(p < WATCH for p in of_attacks.values())):
        worst = "watch"
    return worst if worst != "good" or found.clears else "none", sets


def _of(measured: Measured, statistic: str, variant: str) -> float:
    return measured.value(SECTION, statistic, variant) or 0.0
