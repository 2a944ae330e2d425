"""What the numbers say together, in words that claim no more than they show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.words import count, interval, percent, share_interval

LEVELS = ("none", "good", "watch", "bad")
SMALL_EXCESS = 0.02
"""A holdout share that is surely too high, but by less than this, asks for a look; by more it is a leak."""
BANDS = {3.0: "high", 2.0: "medium", 1.0: "low"}


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer to one question; ``level`` is one of `LEVELS`."""

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
    findings: Sequence[Finding]


def verdict(measured: Measured) -> Verdict:
    """Return what the numbers say together."""
    copied = _copies(measured)
    findings = [copied, _holdout_share(measured), _band(measured), _flagged(measured)]
    level = max((finding.level for finding in findings), key=LEVELS.index)
    if copied.level == "bad":
        headline = "This table contains real records."
    else:
        headline = {
            "bad": "This table comes too close to real records.",
            "watch": "This table comes closer to real records than it should.",
            "good": "No sign of copies or near-copies.",
            "none": "Nothing could be measured.",
        }[level]
    return Verdict(level, headline, _sentence(measured), findings)


def _sentence(measured: Measured) -> str:
    records = count(measured.value("tables", "rows", "synthetic"))
    copies = measured.number("copies", "records")
    share = measured.number("copies", "share")
    parts = []
    if copies is not None and share is not None:
        parts.append(f"{count(copies.value)} of {records} synthetic records equal a real one: {share_interval(share)}")
    closer = measured.number("holdout_share", "share")
    if closer is not None:
        parts.append(
            f"{share_interval(closer)} lie closer to train than to the holdout, where "
            f"{percent(measured.value('holdout_share', 'expected'))} would if nothing leaked"
        )
    return " ".join(f"{part}." for part in parts)


def _copies(measured: Measured) -> Finding:
    copies = measured.number("copies", "share")
    usual = measured.value("dcr", "share_zero", f"{measured.baseline}_train") or 0.0
    usual_word = "holdout records do" if measured.has_holdout else "train records do among themselves"
    if copies is None or copies.value is None:
        return Finding("copies", "Exact copies", "—", "No synthetic records.", "none")
    number = count(measured.value("copies", "records"))
    if copies.value == 0:
        upper = (
            f"More records of its kind would hold {percent(copies.upper)} at most (95\u202f%)." if copies.upper else ""
        )
        return Finding("copies", "Exact copies", number, upper, "good")
    level = "bad" if copies.lower is not None and copies.lower > usual else "watch"
    return Finding(
        "copies",
        "Exact copies",
        number,
        f"{percent(copies.value)} ({interval(copies)}); {percent(usual)} of {usual_word}.",
        level,
    )


def _holdout_share(measured: Measured) -> Finding:
    question = "Closer to train than to the holdout"
    share, expected = measured.number("holdout_share", "share"), measured.value("holdout_share", "expected")
    if share is None or share.value is None or expected is None or share.lower is None:
        return Finding("closer", question, "—", "Needs a holdout: real records that the synthesizer never saw.", "none")
    note = f"95\u202f% interval {interval(share)}; {percent(expected)} if nothing leaks."
    surely_more, excess = share.lower > expected, share.value - expected
    level = "good" if not surely_more else "watch" if excess < SMALL_EXCESS else "bad"
    return Finding("closer", question, percent(share.value), note, level)


def _band(measured: Measured) -> Finding:
    question = "Expected privacy by distance (DCR)"
    band = BANDS.get(measured.value("dcr", "band", measured.baseline) or 0.0)
    difference = measured.value("dcr", "difference_percent", measured.baseline)
    if band is None or difference is None:
        return Finding("distance", question, "—", "The baseline's median distance is 0: there is no scale.", "none")
    than = "the holdout is" if measured.has_holdout else "train records are to each other"
    way = "closer to train" if difference > 0 else "further from train"
    note = f"The median record is {percent(abs(difference) / 100)} {way} than {than}."
    return Finding("distance", question, band, note, {"high": "good", "medium": "watch", "low": "bad"}[band])


def _flagged(measured: Measured) -> Finding:
    question = "Flagged for removal"
    share = measured.number("screen", "share")
    if share is None or share.value is None or share.lower is None:
        return Finding("who", question, "—", "", "none")
    note = f"{percent(share.value)} ({interval(share)}); about 5\u202f% where nothing leaks."
    level = "watch" if share.lower > 0.05 else "good"
    return Finding("who", question, count(measured.value("screen", "flagged")), note, level)
