"""The answer to each question of the verdict: the figure, its interval, and its level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from synthpriv_sql.language.messages import N_, _, plural
from synthpriv_sql.language.numbers import count, interval, percent, share_interval
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.report.measured import Measured, Number
from synthpriv_sql.report.verdict.evidence import Depth, Evidence
from synthpriv_sql.report.verdict.replays import MANY
from synthpriv_sql.report.verdict.testing import BAD, WATCH, holm
from synthpriv_sql.results import gate
from synthpriv_sql.results.checks import numbers

LEVELS = tuple(numbers.LEVELS)
SURE = 0.01
"""The significance level of an excess: each question has a false positive in one of a hundred tables."""
SMALL_EXCESS = 0.02
"""A significant excess below this value needs review; a larger one is a leak."""
BAND_OF = {number: name for name, number in gate.BANDS.items()}
_BAND_NAMES = {"high": N_("high"), "medium": N_("medium"), "low": N_("low")}


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer to one question; ``level`` is one of `LEVELS`, or empty for a figure that is no evidence."""

    section: str
    question: str
    figure: str
    note: str
    level: str


def of_distances(measured: Measured, found: Evidence, hidden: bool) -> Sequence[Finding]:
    """Copies (``hidden`` if identifiers are compared), near-copies, and the share closer to train."""
    return [_copies(measured, found, hidden), _near_copies(measured, found), _holdout_share(measured, found)]


def band(measured: Measured) -> str | None:
    """The band of one vendor's convention; None if the baseline's median is 0."""
    return BAND_OF.get(measured.value("dcr", "band", measured.baseline) or 0.0)


def band_name(of: str) -> str:
    """Return the name of a band in the current language."""
    return _(_BAND_NAMES[of])


def why_none(measured: Measured) -> str:
    """Why a question has no answer."""
    if measured.has_holdout:
        return _("The holdout is not valid: see above.")
    return _("This needs a holdout: real records that the synthesizer never saw.")


def _copies(measured: Measured, found: Evidence, hidden: bool) -> Finding:
    question = _("Exact copies")
    share = measured.number("copies", "share")
    if share is None or share.value is None:
        return Finding("copies", question, "—", _("No synthetic records."), "none")
    figure = count(measured.value("copies", "records"))
    if share.value == 0 and hidden:
        note = _("Identifiers are compared, so copies cannot be detected.")
        return Finding("copies", question, figure, note, "none")
    held = []
    if found.held_copies:
        held = [
            plural("{n} record equals one of the holdout.", "{n} records equal one of the holdout.", found.held_copies)
        ]
    if share.value == 0:
        upper = _(
            "Further records from this synthesizer would contain at most {share} (95\u202f%).",
            share=percent(share.upper),
        )
        return Finding("copies", question, figure, " ".join([upper, *held]), "none" if held else "good")
    expected = measured.number("copies", "expected")
    shown = {
        "share": percent(share.value),
        "interval": interval(share),
        "usual": "" if expected is None else percent(expected.value),
    }
    if expected is None:
        usual = _("{share} ({interval}).", **shown)
    elif measured.has_holdout:
        usual = _("{share} ({interval}); {usual} of holdout records do.", **shown)
    else:
        usual = _("{share} ({interval}); {usual} of train records among themselves do.", **shown)
    if measured.has_holdout and not found.same and not found.differs:
        if found.rare_copies:
            usual += " " + plural(
                "{n} of them equals a person whose values are rarer together than those of any two real people who "
                "coincide.",
                "{n} of them equal people whose values are rarer together than those of any two real people who "
                "coincide.",
                found.rare_copies,
            )
        level = copies_level(found)
        level = "none" if level == "good" and not found.trusts_holdout else level
        return Finding("copies", question, figure, " ".join([usual, *held]), level)
    # Real people may coincide too, so this is evidence only if train hardly repeats itself.
    more = expected is not None and None not in (share.lower, expected.upper) and share.lower > expected.upper  # type: ignore[operator]
    level = "watch" if more and not measured.has_holdout else "none"
    return Finding("copies", question, figure, f"{usual} {why_none(measured)}", level)


def copies_level(found: Evidence) -> str:
    """The level of copies, if there are any, where there is a valid holdout.

    That no record of the holdout is a copy does not make one of synthetic evidence: where one is expected, one table
    in four has some and the other has none. Only so many that chance explains them in one of a hundred are.
    """
    depth = found.depths.get("copies")
    level = depth.level if depth else "good"
    return "watch" if level == "good" and found.rare_copies else level


def _near_copies(measured: Measured, found: Evidence) -> Finding:
    question = _("Near-copies")
    share = measured.number("near_copies", "share")
    if share is None or share.value is None:
        return Finding("who", question, "—", _("No synthetic records."), "none")
    depth = found.depths.get("near")
    if not found.usable:
        note = (
            _("Nearer to train than 95\u202f% of holdout records.")
            if measured.has_holdout
            else _("Nearer to train than 95\u202f% of train records are to each other.")
        )
        figure = count(measured.value("near_copies", "records"))
        return Finding("who", question, figure, f"{note} {why_none(measured)}", "none")
    if depth is None:
        return Finding("who", question, "0", _("No synthetic record is that close to a real one."), "good")
    note = _(
        "Synthetic records, including exact copies, that are as close to a real record as only 5 in 100 real records "
        "are to another one. For {share} of them that record is in train; {expected} is expected if nothing leaks.",
        share=share_interval(depth.number),
        expected=percent(depth.expected),
    )
    return Finding("who", question, count(depth.records), note, _of_depth(depth, found))


def _holdout_share(measured: Measured, found: Evidence) -> Finding:
    question = _("Closer to train than to the holdout")
    depth = found.depths.get("all")
    if not measured.has_holdout or found.same or found.differs:
        return Finding("closer", question, "—", why_none(measured), "none")
    if depth is None:
        return Finding("closer", question, "—", _("No synthetic records."), "none")
    note = _(
        "95\u202f% interval {interval}; {expected} if nothing leaks.",
        interval=interval(depth.number),
        expected=percent(depth.expected),
    )
    return Finding("closer", question, percent(depth.number.value), note, _of_depth(depth, found))


def _of_depth(depth: Depth, found: Evidence) -> str:
    """The level of a depth; one below chance clears nothing, nor does one beside a holdout that was seen."""
    return "none" if depth.below or (depth.level == "good" and not found.trusts_holdout) else depth.level


_INFERENCE = "attribute_inference"
_ADDED = {
    "learned": (
        N_("What can be learned about people"),
        {
            ("disclosure", "correct_disclosures_excess"),
            ("disclosure", "DCAP_excess"),
            (_INFERENCE, "risk"),
            ("linkability", "risk"),
        },
    ),
    "singled": (N_("Singling people out"), {("singling_out", "risk")}),
}
"""The numbers of the added risk of being in the data, by section of the page; only numbers with an interval."""


NAMED_RISKS = frozenset().union(*(names for _asking, names in _ADDED.values()))
"""The metrics and statistics of these numbers."""


def of_what_is_learned(measured: Measured, found: Evidence) -> list[Finding]:
    """What can be learned about people of train beyond those of the holdout, if it was measured."""
    findings = _of_secrets(measured, found)
    for section, (asking, names) in _ADDED.items():
        question = _(asking)
        measures = [n for n in measured.numbers if (n.metric, n.statistic) in names and n.value is not None]
        if not measures:
            continue
        if not found.usable:
            findings.append(Finding(section, question, "—", why_none(measured), "none"))
            continue
        worst = max(measures, key=lambda n: n.value or 0.0)
        # Bonferroni correction for the number of measures.
        sure = any(len(measures) * _chance(number) < SURE for number in measures)
        largest = max((n.value or 0.0 for n in measures if len(measures) * _chance(n) < SURE), default=0.0)
        of = worst.metric + (f" ({worst.variant})" if worst.variant else "")
        note = (
            _("The largest risk added by being in the data: {of}. 0 means no more than for others.", of=of)
            if worst.lower is None or worst.upper is None
            else _(
                "The largest risk added by being in the data: {of}, 95\u202f% interval {interval}. 0 means no more "
                "than for others.",
                of=of,
                interval=interval(worst),
            )
        )
        level = "good" if not sure else "watch" if largest < SMALL_EXCESS else "bad"
        findings.append(Finding(section, question, percent(worst.value), note, level))
    return findings


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret column that synthetic may give away: of how many people it counts as read, and of at least how many."""

    name: str
    read: float
    top: float
    listed: float
    level: str

    @property
    def people(self) -> float:
        """The people who are given away: the larger number."""
        return max(self.read, self.top)


def secrets(measured: Measured, found: Evidence) -> list[Secret]:
    """Return what a model trained on synthetic tells of secrets of people of train, the worst first.

    The level of each is that of an attack (see `synthpriv_sql.report.verdict.evidence`); their p-values are adjusted
    for the number of secrets.
    """
    control = measured.number("split", "auc")
    at_most = 0.5 if control is None or control.upper is None else control.upper
    areas = {n.variant or "": n for n in measured.numbers if (n.metric, n.statistic) == (_INFERENCE, "auc")}
    areas = {name: n for name, n in areas.items() if n.value is not None}
    p_values = {}
    for name, area in areas.items():
        beats = (area.lower or 0.0) > at_most
        for kind in ("p_value", "top_p_value"):
            p = measured.value(_INFERENCE, kind, name)
            p_values[kind, name] = 1.0 if p is None or (kind == "p_value" and not beats) else p
    adjusted = holm(p_values)
    made = []
    for name, area in areas.items():
        read, top, listed = (measured.value(_INFERENCE, s, name) or 0.0 for s in ("read", "at_least", "listed"))
        excess = measured.number(_INFERENCE, "trained_excess", name)
        matters = (area.lower or 0.0) > at_most + found.tolerance or (
            excess is not None and (excess.lower or 0.0) >= found.tolerance
        )
        least = min(adjusted[kind, name] for kind in ("p_value", "top_p_value"))
        level = "good"
        if read or top >= MANY or (least < BAD and matters):
            level = "bad"
        elif top or least < WATCH:
            level = "watch"
        made.append(Secret(name, read, top, listed, level))
    return sorted(made, key=lambda one: (-LEVELS.index(one.level), -one.people))


def _of_secrets(measured: Measured, found: Evidence) -> list[Finding]:
    """The secret that is given away most, if models were trained."""
    known = secrets(measured, found)
    if not known:
        return []
    question, worst = _("Secrets given away"), known[0]
    if not found.usable:
        return [Finding("learned", question, "—", why_none(measured), "none")]
    if worst.level == "good":
        note = _("A model trained on synthetic tells no more of people of train than of strangers.")
        return [Finding("learned", question, "0", note, "good" if found.clears else "none")]
    figure = count(worst.read) if worst.read >= worst.top else _("at least {n}", n=count(worst.top))
    return [Finding("learned", question, figure, of_secret(worst), worst.level)]


def of_secret(worst: Secret) -> str:
    """How many people have a secret given away by a model trained on synthetic."""
    if worst.read >= max(worst.top, 1):
        return _(
            "A model trained on synthetic reads the {secret} of {n} people of train, at the given false discovery "
            "rate.",
            secret=worst.name,
            n=count(worst.read),
        )
    if worst.top:
        return _(
            "At least {n} people of train have their {secret} given away by a model trained on synthetic, of the "
            "{listed} of whom it tells most.",
            n=count(worst.top),
            secret=worst.name,
            listed=count(worst.listed),
        )
    return _(
        "A model trained on synthetic tells more of the {secret} of people of train than of strangers.",
        secret=worst.name,
    )


def _chance(number: Number) -> float:
    """The one-sided p-value for a number above 0, derived from its 95 % interval (normal approximation)."""
    if number.value is None or number.lower is None or number.value <= 0:
        return 1.0
    if number.lower >= number.value:
        return 0.0
    return 1 - NormalDist().cdf(number.value / (number.value - number.lower) * NormalDist().inv_cdf(0.975))


def of_the_band(measured: Measured) -> Finding:
    """The result of distances alone: shown for reference, not evidence."""
    question = _("Distance to the closest record (DCR)")
    named = band(measured)
    difference = measured.value("dcr", "difference_percent", measured.baseline)
    if measured.value("scope", "quick"):
        note = _("Not measured: it is no part of the verdict, and {full} has it.", full=wording.given("effort", "full"))
        return Finding("distance", question, "—", note, "")
    if named is None or difference is None:
        return Finding("distance", question, "—", _("The baseline's median distance is 0: there is no scale."), "")
    figure = percent(abs(difference) / 100)
    if measured.has_holdout:
        note = (
            _("The median record is {share} closer to train than the holdout is.", share=figure)
            if difference > 0
            else _("The median record is {share} further from train than the holdout is.", share=figure)
        )
    else:
        note = (
            _("The median record is {share} closer to train than train records are to each other.", share=figure)
            if difference > 0
            else _(
                "The median record is {share} further from train than train records are to each other.", share=figure
            )
        )
    convention = _(
        "One vendor's convention calls this {band} privacy; it is not part of the verdict.", band=band_name(named)
    )
    return Finding("distance", question, figure, f"{note} {convention}", "")
