"""What the numbers say together, in words that claim no more than they show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from synthpriv_sql.report.measured import Measured, Number
from synthpriv_sql.report.words import count, interval, percent, share_interval
from synthpriv_sql.results.cautions import Caution, cautions

LEVELS = ("good", "none", "watch", "bad")
SURE = 0.01
"""The p-value below which an excess is none of chance. Each question that is asked errs in one table of a hundred."""
SMALL_EXCESS = 0.02
"""An excess that is sure, but smaller than this, asks for a look; a larger one is a leak."""
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
    """The answer to all of them: as bad as the worst."""

    level: str
    headline: str
    sentence: str
    disagreement: str
    cautions: Sequence[Caution]
    findings: Sequence[Finding]


def verdict(measured: Measured) -> Verdict:
    """Return what the numbers say together."""
    said = cautions(measured.items("number"))
    kinds = {caution.kind for caution in said}
    usable = measured.has_holdout and "holdout" not in kinds
    attacks = [_exposure(measured, usable), _membership(measured, usable)]
    distances = [
        _copies(measured, usable, "identifiers" in kinds),
        _near_copies(measured, usable),
        _holdout_share(measured, usable),
    ]
    judged = attacks + distances + _beyond(measured, usable)
    level = max((finding.level for finding in judged), key=LEVELS.index)
    worst = {finding.section for finding in judged if finding.level == level}
    headline = _leak(measured, worst) if level == "bad" else _doubt(measured, level, kinds, worst)
    if level in {"good", "none"} and kinds:
        level = "none" if kinds == {"few"} else "watch"
    disagreement = _disagreement(measured, attacks, distances)
    return Verdict(level, headline, _sentence(measured, usable), disagreement, said, [*judged, _band(measured)])


def _leak(measured: Measured, worst: set[str]) -> str:
    """The headline of a table that surely leaks."""
    named, people = measured.value("exposure", "exposed"), count(measured.value("tables", "rows", "train"))
    if named and "exposure" in worst:
        return f"{count(named)} of {people} people can be named."
    if "membership" in worst and not {"copies", "who"} & worst:
        return "Who was in the training data can be told."
    if {"copies", "who"} <= worst:
        return "This table contains real records, and near-copies of others."
    if "copies" in worst:
        return "This table contains real records."
    if worst <= {"learned", "singled"}:
        return "More can be learned of people who were in the data than of others."
    return "This table contains near-copies of real records." if "who" in worst else "This table leaks."


def _doubt(measured: Measured, level: str, kinds: set[str], worst: set[str]) -> str:
    """The headline of any other table: what is in the way of an answer comes first."""
    copied = bool(measured.value("copies", "records"))
    answers = {
        "The holdout holds rows of train, so it cannot serve as one.": "holdout" in kinds,
        "This table holds records that equal real ones.": level == "watch" and not measured.has_holdout,
        "A little more can be learned of people who were in the data than of others.": level == "watch"
        and worst <= {"learned", "singled"},
        "This table comes closer to real records than it should.": level == "watch",
        "Identifiers are compared, so copies cannot be seen.": "identifiers" in kinds,
        "Too few records for a statement.": "few" in kinds,
        "Nobody can be named, and there is no sign of copies.": level == "good",
        "Whether this table copies cannot be told without a holdout.": copied,
    }
    return next(
        (answer for answer, holds in answers.items() if holds),
        "No copies. Whether it leaks cannot be told without a holdout.",
    )


def _sentence(measured: Measured, usable: bool) -> str:
    records = count(measured.value("tables", "rows", "synthetic"))
    copies, near = measured.value("copies", "records"), measured.value("near_copies", "records")
    parts = []
    named, share = measured.value("exposure", "exposed"), measured.value("exposure", "by_chance")
    if usable and named:
        parts.append(
            f"Who has the synthetic table and knows somebody's data can say of {count(named)} people that they were in "
            f"the training data; of these {count(share)} at most ({percent((share or 0) / named)}) are expected to be "
            "named by chance"
        )
    if copies is not None:
        usual = measured.value("copies", "expected")
        beside = "" if usual is None else f"; of {_real(measured)}, {percent(usual)} do"
        parts.append(f"{count(copies)} of {records} synthetic records equal a real one{beside}")
    if not usable:
        return " ".join(f"{part}." for part in parts)
    usual = measured.value("near_copies", "expected")
    if near is not None and usual is not None:
        rows = measured.value("tables", "rows", "synthetic") or 0
        would = f"{count(usual * rows)} would by chance"
        parts.append(f"{count(near)} more lie nearer to a real one than 95\u202f% of the holdout does, where {would}")
    closer = measured.number("holdout_share", "share")
    if closer is not None:
        parts.append(
            f"{share_interval(closer)} lie closer to train than to the holdout, where "
            f"{percent(measured.value('holdout_share', 'expected'))} would if nothing leaked"
        )
    return " ".join(f"{part}." for part in parts)


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
            "Distances show more than the attacks can use: records come nearer to train than they should, and nobody "
            "can be named by them yet. That is no all-clear: another attack, or more records, may do better."
        )
    if band in {"medium", "low"} and not (told | near) & {"watch", "bad"}:
        return (
            f"The band of DCR is {band}, which nothing else confirms: the table resembles real people closely without "
            "giving anybody of train away more than anybody else."
        )
    return ""


def _real(measured: Measured) -> str:
    return "holdout records" if measured.has_holdout else "train records among themselves"


def _excess_level(measured: Measured, metric: str, small: float) -> str:
    """How bad it is that a count exceeds that of the holdout."""
    p_value, excess = measured.value(metric, "p_value"), measured.value(metric, "excess")
    if p_value is None or excess is None:
        return "none"
    return "good" if p_value >= SURE else "watch" if excess < small else "bad"


def _exposure(measured: Measured, usable: bool) -> Finding:
    question = "People who can be named"
    named, share = measured.value("exposure", "exposed"), measured.number("exposure", "share")
    if not usable or named is None:
        return Finding("exposure", question, "—", _why(measured), "none")
    if not named:
        note = "The attack by agreement, at a false discovery rate that was fixed before, names nobody."
        return Finding("exposure", question, "0", note, "good")
    of = "" if share is None else f"{percent(share.value)} of train; "
    note = f"{of}by chance {count(measured.value('exposure', 'by_chance'))} of them at most."
    return Finding("exposure", question, count(named), note, "bad")


def _membership(measured: Measured, usable: bool) -> Finding:
    question = "Telling who was in train"
    found = [n for n in measured.numbers if (n.metric, n.statistic) == ("membership", "auc") and n.value is not None]
    if not usable or not found:
        return Finding("membership", question, "—", _why(measured), "none")
    best = max(found, key=lambda number: number.value or 0.0)
    p_value = measured.value("membership", "p_adjusted", best.variant)
    note = (
        f"Of two people, one of train and one not, the attack {best.variant} picks the right one so often "
        f"(95\u202f% interval {interval(best)}); 50\u202f% is guessing."
    )
    sure = p_value is not None and p_value < SURE
    level = "good" if not sure else "watch" if (best.value or 0.0) - 0.5 < SMALL_EXCESS else "bad"
    return Finding("membership", question, percent(best.value), note, level)


def _copies(measured: Measured, usable: bool, hidden: bool) -> Finding:
    question = "Exact copies"
    share = measured.number("copies", "share")
    if share is None or share.value is None:
        return Finding("copies", question, "—", "No synthetic records.", "none")
    figure = count(measured.value("copies", "records"))
    if share.value == 0 and hidden:
        return Finding("copies", question, figure, "Identifiers are compared, so that no copy can be seen.", "none")
    if share.value == 0:
        upper = f"More records of its kind would hold {percent(share.upper)} at most (95\u202f%)."
        return Finding("copies", question, figure, upper, "good")
    expected = measured.number("copies", "expected")
    usual = f"{percent(share.value)} ({interval(share)})"
    if expected is not None:
        usual += f"; {percent(expected.value)} of {_real(measured)} do"
    if usable:
        return Finding("copies", question, figure, f"{usual}.", _excess_level(measured, "copies", 0.0))
    # Real people may coincide as well: beyond doubt only where train hardly repeats itself.
    more = expected is not None and None not in (share.lower, expected.upper) and share.lower > expected.upper  # type: ignore[operator]
    return Finding("copies", question, figure, f"{usual}. {_why(measured)}", "watch" if more else "none")


def _why(measured: Measured) -> str:
    return _NO_HOLDOUT if measured.has_holdout else _NEEDS_HOLDOUT


def _near_copies(measured: Measured, usable: bool) -> Finding:
    question = "Near-copies"
    share, expected = measured.number("near_copies", "share"), measured.value("near_copies", "expected")
    if share is None or share.value is None:
        return Finding("who", question, "—", "No synthetic records.", "none")
    figure = count(measured.value("near_copies", "records"))
    if not usable:
        note = f"Nearer to train than 95\u202f% of {_real(measured)}. {_why(measured)}"
        return Finding("who", question, figure, note, "none")
    note = (
        f"{percent(share.value)} ({interval(share)}) are nearer to train than 95\u202f% of the holdout; "
        f"{percent(expected)} of the holdout are."
    )
    return Finding("who", question, figure, note, _excess_level(measured, "near_copies", SMALL_EXCESS))


def _holdout_share(measured: Measured, usable: bool) -> Finding:
    question = "Closer to train than to the holdout"
    share, expected = measured.number("holdout_share", "share"), measured.value("holdout_share", "expected")
    p_value = measured.value("holdout_share", "p_value")
    if not usable:
        return Finding("closer", question, "—", _why(measured), "none")
    if share is None or share.value is None or expected is None or p_value is None:
        return Finding("closer", question, "—", "No synthetic records.", "none")
    note = f"95\u202f% interval {interval(share)}; {percent(expected)} if nothing leaks."
    level = "good" if p_value >= SURE else "watch" if share.value - expected < SMALL_EXCESS else "bad"
    return Finding("closer", question, percent(share.value), note, level)


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
