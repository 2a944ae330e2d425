"""What the numbers say together, in words that claim no more than they show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from synthpriv_sql.report import evidence, findings
from synthpriv_sql.report.evidence import Evidence
from synthpriv_sql.report.findings import LEVELS, Finding
from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.words import count, counted, percent, share_interval
from synthpriv_sql.results.cautions import Caution, cautions

NOTICED = 0.55
"""Nothing found is good only where an attack with this area under its curve would have been noticed."""
FLAT = 0.6
"""The contrast above which any two records are about as far apart, so that distances say little."""
FAR = 3.0
"""So many times farther from train than real records are: what lies there is of no use."""


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
    attacks = findings.of_attacks(measured, found)
    distances = findings.of_distances(measured, found, "identifiers" in kinds)
    judged = [*attacks, *distances, *findings.of_what_is_learned(measured, found)]
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
        [*judged, findings.of_the_band(measured)],
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
        beside = "" if usual is None else f"; of {findings.real(measured)}, {percent(usual)} do"
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
    contrast = _flat(measured)
    if contrast is not None:
        parts.append(
            f"distances say little in so many columns: the nearest other record of train is {percent(contrast)} as far "
            "as any other"
        )
    away = _far(measured)
    if away is not None:
        parts.append(
            f"the median synthetic record is {away:.3g} times as far from train as {findings.real(measured)} are"
        )
    return _said(parts)


def _said(parts: Sequence[str]) -> str:
    return " ".join(f"{part[0].upper()}{part[1:]}." for part in parts)


def _flat(measured: Measured) -> float | None:
    """The contrast where distances say little, else nothing."""
    contrast = measured.value("dimensions", "contrast")
    return contrast if contrast is not None and contrast > FLAT else None


def _far(measured: Measured) -> float | None:
    """How many times farther the median synthetic record is from train than real records are; nothing where not far."""
    usual = measured.value("dcr", "median", f"{measured.baseline}_train")
    found = measured.value("dcr", "median", "synthetic_train")
    times = found / usual if found is not None and usual else 0.0
    return times if times > FAR else None


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
    if "key" in kinds:
        steps.append("If the rows of one key are a person's, give it as unit too: then people are counted.")
    if level == "watch" and "copies" in worst:
        steps.append("screen shows the copies; safe gives the table without them.")
    elif level == "watch":
        steps.append("Ask again with more rows of synthetic and of the holdout, which tells chance from a leak.")
    return steps + _of_the_tables(measured)


def _of_the_tables(measured: Measured) -> list[str]:
    """What to do where the tables themselves keep from seeing much."""
    steps = []
    if _flat(measured) is not None:
        steps.append("Ask again with the columns that count (columns); dimension_columns tells what each adds.")
    if _far(measured) is not None:
        steps.append("fidelity says what a table so far from the real one is worth.")
    noticed = measured.value("membership", "noticed")
    if noticed is not None and noticed > NOTICED:
        steps.append("Give more people: 1,300 of train and as many held back would show a leak of an AUC of 0.55.")
    return steps


def _disagreement(measured: Measured, attacks: Sequence[Finding], distances: Sequence[Finding]) -> str:
    """What to make of it where attacks find what distances do not, or the other way round."""
    told, near = ({finding.level for finding in found} for found in (attacks, distances))
    band = findings.band(measured)
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
