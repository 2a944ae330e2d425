"""What the numbers say together, in words that claim no more than they show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from synthpriv_sql.report import evidence
from synthpriv_sql.report.evidence import Evidence
from synthpriv_sql.report.measured import Measured, Number
from synthpriv_sql.report.words import count, counted, interval, percent, share_interval
from synthpriv_sql.results.cautions import Caution, cautions

LEVELS = ("good", "none", "watch", "bad")
SURE = 0.01
"""The p-value below which an excess is none of chance. Each question that is asked errs in one table of a hundred."""
SMALL_EXCESS = 0.02
"""An excess that is sure, but smaller than this, asks for a look; a larger one is a leak."""
NOTICED = 0.55
"""Nothing found is good only where an attack with this area under its curve would have been noticed."""
FLAT = 0.6
"""The contrast above which any two records are about as far apart, so that distances say little."""
FAR = 3.0
"""So many times farther from train than real records are: what lies there is of no use."""
BANDS = {3.0: "high", 2.0: "medium", 1.0: "low"}
_NEEDS_HOLDOUT = "It takes a holdout to tell: real records that the synthesizer never saw."
_NO_HOLDOUT = "The holdout cannot serve: see above."


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer to one question; ``level`` is one of `LEVELS`, or empty for a figure that is no evidence."""

    section: str
    question: str
    figure: str
    note: str
    level: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to all of them, and what to do next: three lines at most."""

    level: str
    headline: str
    sentence: str
    disagreement: str
    cautions: Sequence[Caution]
    findings: Sequence[Finding]
    next_steps: Sequence[str]


def verdict(measured: Measured) -> Verdict:
    """Return what the numbers say together.

    Somebody who is named, or a p-value below 0.001 (all attacks and depths taken together), is ``bad``; one below
    0.01, or a copy where chance expects fewer than one, is to ``watch``. Where the holdout is none, where synthetic is
    further from train than chance allows, or where too few people are there to have seen a leak, nothing can be told:
    ``none``.
    """
    said = cautions(measured.items("number"))
    kinds = {caution.kind: caution.text for caution in said}
    found = evidence.of(measured)
    usable = found.usable
    attacks = [_exposure(measured, found), _membership(measured, found)]
    distances = [
        _copies(measured, found, "identifiers" in kinds),
        _near_copies(measured, found),
        _holdout_share(measured, found),
    ]
    judged = attacks + distances + _beyond(measured, usable)
    level = max((finding.level for finding in judged), key=LEVELS.index)
    worst = {finding.section for finding in judged if finding.level == level}
    obstacles = _obstacles(measured, found, kinds)
    if level == "bad":
        headline = _leak(measured, worst)
    elif obstacles.fatal:
        level, headline = "none", obstacles.fatal
    elif level == "watch":
        headline = _look(measured, found, worst)
    elif obstacles.others:
        level, headline = "none", obstacles.others[0]
    else:
        level, headline = "good", _nobody(measured)
    return Verdict(
        level,
        headline,
        _sentence(measured, found),
        _disagreement(measured, attacks, distances),
        said,
        [*judged, _band(measured)],
        _next_steps(measured, found, level, worst, kinds)[:3],
    )


@dataclass(frozen=True, slots=True)
class _Obstacles:
    """What is in the way of an answer: what no finding but a leak outweighs, and what keeps nothing found from good."""

    fatal: str
    others: Sequence[str]


def _obstacles(measured: Measured, found: Evidence, kinds: Mapping[str, str]) -> _Obstacles:
    others = []
    fatal = ""
    if found.same:
        fatal = "The holdout is the table given as train, so nothing can be said."
    elif found.differs:
        fatal = f"Nothing can be said: {found.why_differs}."
    elif found.below:
        fatal = (
            "This table is closer to the holdout than to train: the two are swapped, the synthesizer saw the holdout, "
            "or rows near train were taken out."
        )
    if not measured.has_holdout:
        others.append(
            "Nothing was compared with people whom the synthesizer never saw, so whether it leaks cannot be told."
        )
    if "holdout" in kinds:
        others.append("The holdout holds rows of train, so a leak may hide behind them.")
    if found.other_values:
        others.append(
            f"The values of {found.other_values[0]} in synthetic are not those of real rows, so a leak may hide behind "
            "them."
        )
    if "identifiers" in kinds:
        others.append("Identifiers are compared, so copies cannot be seen.")
    if "few" in kinds or found.people < evidence.FEW:
        others.append("Too few records for a statement.")
    noticed = measured.value("membership", "noticed")
    if noticed is not None and noticed > NOTICED:
        others.append(f"Too few people to see a leak of less than an AUC of {min(noticed, 1.0):.2f}.")
    return _Obstacles(fatal, others)


def _leak(measured: Measured, worst: set[str]) -> str:
    """The headline of a table that surely leaks."""
    if "exposure" in worst:
        named, people = measured.value("exposure", "exposed"), measured.value("exposure", "people")
        return f"{count(named)} of {count(people)} people can be told to have been in the training data."
    if {"copies", "who"} <= worst:
        return "This table contains real records, and near-copies of others."
    if "copies" in worst:
        return "This table contains real records."
    if "membership" in worst:
        return "Who was in the training data can be told better than by guessing."
    if worst <= {"learned", "singled"}:
        return "More can be learned of people who were in the data than of others."
    return "This table contains near-copies of real records." if "who" in worst else "This table leaks."


def _look(measured: Measured, found: Evidence, worst: set[str]) -> str:
    """The headline of a table that asks for a look."""
    if "copies" in worst:
        records, chance = measured.value("copies", "records"), found.copies_by_chance
        if chance is None or records is None:
            return "This table holds records that equal real ones."
        would = "fewer than one would" if chance < 1 else f"{count(chance)} would"
        equal = "equals" if records == 1 else "equal"
        return f"{counted(records, 'synthetic record')} {equal} a real one, where {would} by chance."
    if worst <= {"learned", "singled"}:
        return "A little more can be learned of people who were in the data than of others."
    return "This table comes closer to real records than it should."


def _nobody(measured: Measured) -> str:
    """The headline where nothing was found: what was tried, and what would have been missed."""
    people, least = measured.value("exposure", "people"), measured.value("exposure", "least")
    return (
        f"The attacks tried name nobody of {count(people)}; a leak that concerns fewer than {count(least)} of them "
        "would have been missed."
    )


def _sentence(measured: Measured, found: Evidence) -> str:
    records = count(measured.value("tables", "rows", "synthetic"))
    copies, near = measured.value("copies", "records"), measured.value("near_copies", "records")
    parts = []
    named, share = measured.value("exposure", "exposed"), measured.value("exposure", "by_chance")
    if found.usable and named:
        parts.append(
            f"Who has the synthetic table and knows somebody's data can tell of {count(named)} people that they were "
            f"in the training data; of these {count(share)} at most ({percent((share or 0) / named)}) are expected to "
            "be named by chance"
        )
    if copies is not None:
        usual = measured.value("copies", "expected")
        beside = "" if usual is None else f"; of {_real(measured)}, {percent(usual)} do"
        of = " of train" if found.held_copies else ""
        parts.append(f"{count(copies)} of {records} synthetic records equal a real one{of}{beside}")
    if found.held_copies:
        parts.append(f"{count(found.held_copies)} equal one of the holdout")
    if not measured.has_holdout:
        if near is not None:
            parts.append(f"{count(near)} more lie nearer to one of train than most of train lie to each other")
        parts.append("nothing says how many would by chance: no holdout was given")
        return _said(parts)
    closer = measured.number("holdout_share", "share")
    if closer is not None and closer.value is not None:
        parts.append(
            f"{share_interval(closer)} lie closer to train than to the holdout, where "
            f"{percent(measured.value('holdout_share', 'expected'))} would if nothing leaked"
        )
    noticed = measured.value("membership", "noticed")
    if found.usable and not named and noticed is not None:
        parts.append(
            f"an attack whose area under the ROC curve is {noticed:.3f} would have been noticed in nine cases of ten"
            if noticed < 1
            else "no attack would have been noticed for sure among so few"
        )
    contrast = measured.value("dimensions", "contrast")
    if contrast is not None and contrast > FLAT:
        parts.append(
            f"distances say little in so many columns: the nearest other record of train is {percent(contrast)} as far "
            "as any other"
        )
    away = _away(measured)
    if away > FAR:
        parts.append(f"the median synthetic record is {away:.3g} times as far from train as {_real(measured)} are")
    return _said(parts)


def _said(parts: Sequence[str]) -> str:
    return " ".join(f"{part[0].upper()}{part[1:]}." for part in parts)


def _away(measured: Measured) -> float:
    """How many times farther the median synthetic record is from train than real records are."""
    usual = measured.value("dcr", "median", f"{measured.baseline}_train")
    found = measured.value("dcr", "median", "synthetic_train")
    return found / usual if found is not None and usual else 0.0


def _next_steps(
    measured: Measured, found: Evidence, level: str, worst: set[str], kinds: Mapping[str, str]
) -> list[str]:
    steps: list[str] = []
    if level == "bad":
        if "exposure" in worst:
            steps.append(
                "exposure names the people and, for each, the columns that give them away; uniques lists these."
            )
        steps.append("safe with until_safe := true gives the table without the records to blame.")
        steps.append("Or train the synthesizer anew: with fewer rounds, larger leaves, or noise on the columns named.")
        return steps
    if not measured.has_holdout:
        steps.append("Hold real rows back before synthesizing, by lot, and give them as holdout.")
    if found.same or found.differs:
        steps.append("Draw train and holdout by lot from the same rows, written alike; split_check shows each column.")
    elif found.below:
        steps.append("Check that train is what the synthesizer saw, and the holdout what it did not.")
    if "holdout" in kinds and not found.same:
        steps.append("Take the rows of train out of the holdout.")
    if found.other_values:
        steps.append(
            "Write synthetic as train is written: units, upper case, blanks. split_check shows how many differ."
        )
    if "identifiers" in kinds:
        steps.append("Give identifiers as key, or exclude them.")
    if level == "watch" and "copies" in worst:
        steps.append("screen shows the copies; safe gives the table without them.")
    elif level == "watch":
        steps.append("Ask again with more rows of synthetic and of the holdout, which tells chance from a leak.")
    return steps + _of_the_tables(measured)


def _of_the_tables(measured: Measured) -> list[str]:
    """What to do where the tables themselves keep from seeing much."""
    steps = []
    contrast = measured.value("dimensions", "contrast")
    if contrast is not None and contrast > FLAT:
        steps.append("Ask again with the columns that count (columns); dimension_columns tells what each adds.")
    if _away(measured) > FAR:
        steps.append("fidelity says what a table so far from the real one is worth.")
    noticed = measured.value("membership", "noticed")
    if noticed is not None and noticed > NOTICED:
        steps.append("Give more people: 1,300 of train and as many held back would show a leak of an AUC of 0.55.")
    return steps


def _disagreement(measured: Measured, attacks: Sequence[Finding], distances: Sequence[Finding]) -> str:
    """What to make of it where attacks find what distances do not, or the other way round."""
    told, near = ({finding.level for finding in found} for found in (attacks, distances))
    band = BANDS.get(measured.value("dcr", "band", measured.baseline) or 0.0)
    if told & {"watch", "bad"} and not near & {"watch", "bad"}:
        also = f", and the band of DCR is {band}," if band else ""
        return (
            f"The attacks succeed although copies and distances show nothing{also} because a distance averages over "
            "the columns while an attacker adds up what rare values say. The attacks count. Columns that say little "
            "may hide a copied part of the records: dimension_columns tells which columns carry the distance, and "
            "columns or weights compare those that count."
        )
    if near & {"watch", "bad"} and "good" in told and not told & {"watch", "bad"}:
        return (
            "Distances show more than the attacks can use: records come nearer to train than they should, and these "
            "attacks name nobody by them. That is no all-clear: another attack, or more records, may do better."
        )
    if measured.has_holdout and band in {"medium", "low"} and not (told | near) & {"watch", "bad"}:
        return (
            f"The band of DCR is {band}, which nothing else confirms: the table resembles real people closely, those "
            "of the holdout as much as those of train."
        )
    return ""


def _real(measured: Measured) -> str:
    return "holdout records" if measured.has_holdout else "train records among themselves"


def _why(measured: Measured) -> str:
    return _NO_HOLDOUT if measured.has_holdout else _NEEDS_HOLDOUT


def _exposure(measured: Measured, found: Evidence) -> Finding:
    question = "People who can be told to have been in train"
    named, share = measured.value("exposure", "exposed"), measured.number("exposure", "share")
    if named is None or (not found.usable and not found.naming_beats):
        return Finding("exposure", question, "—", _why(measured), "none")
    by = " and ".join(
        v for v in measured.variants("exposure") if v and measured.value("exposure", "exposed", v) is not None
    )
    if not named:
        note = f"{by} name{'' if ' and ' in by else 's'} nobody at a false discovery rate that was fixed before."
        return Finding("exposure", question, "0", note[0].upper() + note[1:], "good")
    of = "" if share is None else f"{percent(share.value)} of train, by {by}; "
    note = f"{of}by chance {count(measured.value('exposure', 'by_chance'))} of them at most."
    return Finding("exposure", question, count(named), note, "bad" if found.naming_beats else "none")


def _membership(measured: Measured, found: Evidence) -> Finding:
    question = "Telling who was in train"
    best = max(found.attacks, key=lambda attack: attack.number.value or 0.0, default=None)
    if best is None:
        return Finding("membership", question, "—", _why(measured), "none")
    number = best.number
    control = measured.number("split", "auc")
    beside = "" if control is None or control.value is None else f"; without synthetic, {percent(control.value)}"
    note = (
        f"Of two people, one of train and one not, the attack {number.variant} picks the right one so often "
        f"(95\u202f% interval {interval(number)}); 50\u202f% is guessing{beside}."
    )
    if any(attack.level == "bad" for attack in found.attacks):
        level = "bad"
    elif found.usable and not any(attack.below for attack in found.attacks):
        level = max((attack.level for attack in found.attacks), key=LEVELS.index)
    else:
        level = "none"
    return Finding("membership", question, percent(number.value), note, level)


def _copies(measured: Measured, found: Evidence, hidden: bool) -> Finding:
    question = "Exact copies"
    share = measured.number("copies", "share")
    if share is None or share.value is None:
        return Finding("copies", question, "—", "No synthetic records.", "none")
    figure = count(measured.value("copies", "records"))
    if share.value == 0 and hidden:
        return Finding("copies", question, figure, "Identifiers are compared, so that no copy can be seen.", "none")
    held = f" {counted(found.held_copies, 'record')} equal one of the holdout." if found.held_copies else ""
    if share.value == 0:
        upper = f"More records of its kind would hold {percent(share.upper)} at most (95\u202f%).{held}"
        return Finding("copies", question, figure, upper, "none" if held else "good")
    expected = measured.number("copies", "expected")
    usual = f"{percent(share.value)} ({interval(share)})"
    if expected is not None:
        usual += f"; {percent(expected.value)} of {_real(measured)} do"
    if measured.has_holdout and not found.same and not found.differs:
        depth = found.depths.get("copies")
        level = depth.level if depth else "good"
        if level == "good" and found.copies_by_chance is not None and found.copies_by_chance < 1:
            level = "watch"
        return Finding("copies", question, figure, f"{usual}.{held}", level)
    # Real people may coincide as well: beyond doubt only where train hardly repeats itself.
    more = expected is not None and None not in (share.lower, expected.upper) and share.lower > expected.upper  # type: ignore[operator]
    level = "watch" if more and not measured.has_holdout else "none"
    return Finding("copies", question, figure, f"{usual}. {_why(measured)}", level)


def _near_copies(measured: Measured, found: Evidence) -> Finding:
    question = "Near-copies"
    share = measured.number("near_copies", "share")
    if share is None or share.value is None:
        return Finding("who", question, "—", "No synthetic records.", "none")
    depth = found.depths.get("near")
    if not found.usable:
        note = f"Nearer to train than 95\u202f% of {_real(measured)}. {_why(measured)}"
        return Finding("who", question, count(measured.value("near_copies", "records")), note, "none")
    if depth is None:
        return Finding("who", question, "0", "No synthetic record is so near to a real one.", "good")
    note = (
        f"So many are as near to a real record as the nearest 5\u202f% of these are to each other; of them "
        f"{share_interval(depth.number)} are near to train, where {percent(depth.expected)} would if nothing leaked."
    )
    return Finding("who", question, count(depth.records), note, depth.level)


def _holdout_share(measured: Measured, found: Evidence) -> Finding:
    question = "Closer to train than to the holdout"
    depth = found.depths.get("all")
    if not measured.has_holdout or found.same or found.differs:
        return Finding("closer", question, "—", _why(measured), "none")
    if depth is None:
        return Finding("closer", question, "—", "No synthetic records.", "none")
    note = f"95\u202f% interval {interval(depth.number)}; {percent(depth.expected)} if nothing leaks."
    return Finding("closer", question, percent(depth.number.value), note, depth.level)


_ADDED = {
    "learned": (
        "What can be learned of people",
        {
            ("disclosure", "correct_disclosures_excess"),
            ("disclosure", "DCAP_excess"),
            ("attribute_inference", "risk"),
            ("linkability", "risk"),
        },
    ),
    "singled": ("Singling people out", {("singling_out", "risk")}),
}
"""What being in the data adds, by the section of the page that shows it; only numbers that have an interval."""


def _beyond(measured: Measured, usable: bool) -> list[Finding]:
    """What people of train give away beyond the holdout, where it was asked for."""
    found = []
    for section, (question, names) in _ADDED.items():
        asked = [n for n in measured.numbers if (n.metric, n.statistic) in names and n.value is not None]
        if not asked:
            continue
        if not usable:
            found.append(Finding(section, question, "—", _why(measured), "none"))
            continue
        worst = max(asked, key=lambda n: n.value or 0.0)
        # The smallest p-value of several is expected to be small: each counts as often as there are (Bonferroni).
        sure = any(len(asked) * _chance(number) < SURE for number in asked)
        largest = max((n.value or 0.0 for n in asked if len(asked) * _chance(n) < SURE), default=0.0)
        of = worst.metric.replace("_", " ") + (f" of {worst.variant}" if worst.variant else "")
        limits = "" if worst.lower is None or worst.upper is None else f" (95\u202f% interval {interval(worst)})"
        note = (
            f"The largest part that was learned from being in the data: {of}{limits}. 0 means no more than of others."
        )
        level = "good" if not sure else "watch" if largest < SMALL_EXCESS else "bad"
        found.append(Finding(section, question, percent(worst.value), note, level))
    return found


def _chance(number: Number) -> float:
    """The one-sided p-value of a number being above 0, as its 95 % interval implies it (normal)."""
    if number.value is None or number.lower is None or number.value <= 0:
        return 1.0
    if number.lower >= number.value:
        return 0.0
    return 1 - NormalDist().cdf(number.value / (number.value - number.lower) * NormalDist().inv_cdf(0.975))


def _band(measured: Measured) -> Finding:
    """What distance alone would say: shown beside the evidence, and none itself."""
    question = "Distance to the closest record (DCR)"
    band = BANDS.get(measured.value("dcr", "band", measured.baseline) or 0.0)
    difference = measured.value("dcr", "difference_percent", measured.baseline)
    if band is None or difference is None:
        return Finding("distance", question, "—", "The baseline's median distance is 0: there is no scale.", "")
    than = "the holdout is" if measured.has_holdout else "train records are to each other"
    way = "closer to train" if difference > 0 else "further from train"
    note = (
        f"The median record is {percent(abs(difference) / 100)} {way} than {than}. "
        f"One vendor's convention calls that {band} privacy; it is no part of the verdict."
    )
    return Finding("distance", question, percent(abs(difference) / 100), note, "")
