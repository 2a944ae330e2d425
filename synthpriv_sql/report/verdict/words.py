"""What the numbers say together, in words that claim no more than they show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from synthpriv_sql.language.messages import _, plural
from synthpriv_sql.language.numbers import count, decimals, number, percent, share_interval
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.verdict import evidence, findings
from synthpriv_sql.report.verdict.evidence import Evidence
from synthpriv_sql.report.verdict.findings import LEVELS, Finding
from synthpriv_sql.results.checks.cautions import Caution, cautions

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
    reasons: Sequence[str]
    obstacles: Sequence[str]
    disagreement: str
    cautions: Sequence[Caution]
    findings: Sequence[Finding]
    next_steps: Sequence[str]

    @property
    def sentence(self) -> str:
        """The reasons after one another."""
        return " ".join(self.reasons)


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
        _reasons(measured, found),
        [*([obstacles.fatal] if obstacles.fatal else []), *obstacles.others],
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
        fatal = _("The holdout is the table given as train, so nothing can be said.")
    elif found.differs:
        fatal = _("Nothing can be said: {why}.", why=found.why_differs)
    elif found.below:
        fatal = _(
            "This table is closer to the holdout than to train: the two are swapped, the synthesizer saw the holdout, "
            "or rows near train were taken out."
        )
    if not measured.has_holdout:
        others.append(
            _("Nothing was compared with people whom the synthesizer never saw, so whether it leaks cannot be told.")
        )
    if "holdout" in kinds:
        others.append(_("The holdout holds rows of train, so a leak may hide behind them."))
    if found.other_values:
        others.append(
            _(
                "The values of {column} in synthetic are not those of real rows, so a leak may hide behind them.",
                column=found.other_values[0],
            )
        )
    if "identifiers" in kinds:
        others.append(_("Identifiers are compared, so copies cannot be seen."))
    if "few" in kinds or found.people < evidence.FEW:
        others.append(_("Too few records for a statement."))
    noticed = measured.value("membership", "noticed")
    if noticed is not None and noticed > NOTICED:
        others.append(
            _("Too few people to see a leak of less than an AUC of {auc}.", auc=decimals(min(noticed, 1.0), 2))
        )
    return _Obstacles(fatal, others)


def _leak(measured: Measured, worst: set[str]) -> str:
    """The headline of a table that surely leaks."""
    if "exposure" in worst:
        named, people = measured.value("exposure", "exposed"), measured.value("exposure", "people")
        return _(
            "{named} of {people} people can be told to have been in the training data.",
            named=count(named),
            people=count(people),
        )
    if {"copies", "who"} <= worst:
        return _("This table contains real records, and near-copies of others.")
    if "copies" in worst:
        return _("This table contains real records.")
    if "membership" in worst:
        return _("Who was in the training data can be told better than by guessing.")
    if worst <= {"learned", "singled"}:
        return _("More can be learned of people who were in the data than of others.")
    return _("This table contains near-copies of real records.") if "who" in worst else _("This table leaks.")


def _look(measured: Measured, found: Evidence, worst: set[str]) -> str:
    """The headline of a table that asks for a look."""
    if "copies" in worst:
        records, chance = measured.value("copies", "records"), found.copies_by_chance
        if chance is None or records is None:
            return _("This table holds records that equal real ones.")
        if chance < 1:
            return plural(
                "{n} synthetic record equals a real one, where fewer than one would by chance.",
                "{n} synthetic records equal a real one, where fewer than one would by chance.",
                records,
            )
        return plural(
            "{n} synthetic record equals a real one, {share} of all; of holdout records, {usual} do.",
            "{n} synthetic records equal a real one, {share} of all; of holdout records, {usual} do.",
            records,
            share=percent(measured.value("copies", "share")),
            usual=percent(measured.value("copies", "expected")),
        )
    if worst <= {"learned", "singled"}:
        return _("A little more can be learned of people who were in the data than of others.")
    return _("This table comes closer to real records than it should.")


def _nobody(measured: Measured) -> str:
    """The headline where nothing was found: what was tried, and what would have been missed."""
    people, least = measured.value("exposure", "people"), measured.value("exposure", "least")
    return _(
        "The attacks tried name nobody of {people}; a leak that concerns fewer than {least} of them would have been "
        "missed.",
        people=count(people),
        least=count(least),
    )


def _reasons(measured: Measured, found: Evidence) -> Sequence[str]:
    said = []
    named, share = measured.value("exposure", "exposed"), measured.value("exposure", "by_chance")
    if found.usable and named:
        said.append(
            _(
                "Who has the synthetic table and knows somebody's data can tell of {named} people that they were in "
                "the training data; of these {chance} at most ({share}) are expected to be named by chance.",
                named=count(named),
                chance=count(share),
                share=percent((share or 0) / named),
            )
        )
    said += _copies(measured, found)
    if not measured.has_holdout:
        near = measured.value("near_copies", "records")
        if near is not None:
            said.append(
                _(
                    "{n} more come closer to a record of train than 95 of 100 records of train come to any other.",
                    n=count(near),
                ),
            )
        said.append(_("Nothing says how many would by chance: no holdout was given."))
        return said
    closer = measured.number("holdout_share", "share")
    if closer is not None and closer.value is not None:
        said.append(
            _(
                "{share} lie closer to train than to the holdout, where {expected} would if nothing leaked.",
                share=share_interval(closer),
                expected=percent(measured.value("holdout_share", "expected")),
            )
        )
    noticed = measured.value("membership", "noticed")
    if found.usable and not named and noticed is not None:
        said.append(
            _(
                "An attack whose area under the ROC curve is {auc} would have been noticed in nine cases of ten.",
                auc=decimals(noticed, 3),
            )
            if noticed < 1
            else _("No attack would have been noticed for sure among so few.")
        )
    contrast = _flat(measured)
    if contrast is not None:
        said.append(
            _(
                "Distances say little in so many columns: the nearest other record of train is {contrast} as far as "
                "any other.",
                contrast=percent(contrast),
            )
        )
    away = _far(measured)
    if away is not None:
        said.append(
            _(
                "The median synthetic record is more than three times as far from train as holdout records are "
                "({far} and {usual}).",
                far=number(away[0]),
                usual=number(away[1]),
            )
        )
    return said


def _copies(measured: Measured, found: Evidence) -> list[str]:
    """How many records equal a real one, and how many real ones do."""
    copies, usual = measured.value("copies", "records"), measured.value("copies", "expected")
    if copies is None:
        return []
    shown = {
        "copies": count(copies),
        "records": count(measured.value("tables", "rows", "synthetic")),
        "usual": percent(usual),
    }
    if found.held_copies:
        return [
            _(
                "{copies} of {records} synthetic records equal a real one of train; of holdout records, {usual} do.",
                **shown,
            ),
            _("{n} equal one of the holdout.", n=count(found.held_copies)),
        ]
    if usual is None:
        return [_("{copies} of {records} synthetic records equal a real one.", **shown)]
    if measured.has_holdout:
        return [_("{copies} of {records} synthetic records equal a real one; of holdout records, {usual} do.", **shown)]
    return [
        _(
            "{copies} of {records} synthetic records equal a real one; of train records among themselves, {usual} do.",
            **shown,
        )
    ]


def _flat(measured: Measured) -> float | None:
    """The contrast where distances say little, else nothing."""
    contrast = measured.value("dimensions", "contrast")
    return contrast if contrast is not None and contrast > FLAT else None


def _far(measured: Measured) -> tuple[float, float] | None:
    """The median distances from train of synthetic and of real records, where synthetic is far; else nothing."""
    usual = measured.value("dcr", "median", f"{measured.baseline}_train")
    found = measured.value("dcr", "median", "synthetic_train")
    return (found, usual) if found is not None and usual and found / usual > FAR else None


def _next_steps(
    measured: Measured, found: Evidence, level: str, worst: set[str], kinds: Mapping[str, str]
) -> list[str]:
    steps: list[str] = []
    if level == "bad":
        if "exposure" in worst:
            steps.append(
                _("exposure names the people and, for each, the columns that give them away; uniques lists these.")
            )
        steps.append(
            _(
                "safe with {until_safe} gives the table without the records to blame.",
                until_safe=wording.given("until_safe", True),
            )
        )
        steps.append(
            _("Or train the synthesizer anew: with fewer rounds, larger leaves, or noise on the columns named.")
        )
        return steps
    if not measured.has_holdout:
        steps.append(_("Hold real rows back before synthesizing, by lot, and give them as holdout."))
    if found.same or found.differs:
        steps.append(
            _("Draw train and holdout by lot from the same rows, written alike; split_check shows each column.")
        )
    elif found.below:
        steps.append(_("Check that train is what the synthesizer saw, and the holdout what it did not."))
    if "holdout" in kinds and not found.same:
        steps.append(_("Take the rows of train out of the holdout."))
    if found.other_values:
        steps.append(
            _("Write synthetic as train is written: units, upper case, blanks. split_check shows how many differ.")
        )
    if "identifiers" in kinds:
        steps.append(_("Give identifiers as key, or exclude them."))
    if "key" in kinds:
        steps.append(_("If the rows of one key are a person's, give it as unit too: then people are counted."))
    if level == "watch" and "copies" in worst:
        steps.append(_("screen shows the copies; safe gives the table without them."))
    elif level == "watch":
        steps.append(_("Ask again with more rows of synthetic and of the holdout, which tells chance from a leak."))
    return steps + _of_the_tables(measured)


def _of_the_tables(measured: Measured) -> list[str]:
    """What to do where the tables themselves keep from seeing much."""
    steps = []
    if _flat(measured) is not None:
        steps.append(_("Ask again with the columns that count (columns); dimension_columns tells what each adds."))
    if _far(measured) is not None:
        steps.append(_("fidelity says what a table so far from the real one is worth."))
    noticed = measured.value("membership", "noticed")
    if noticed is not None and noticed > NOTICED:
        steps.append(_("Give more people: 1,300 of train and as many held back would show a leak of an AUC of 0.55."))
    return steps


def _disagreement(measured: Measured, attacks: Sequence[Finding], distances: Sequence[Finding]) -> str:
    """What to make of it where attacks find what distances do not, or the other way round."""
    told, near = ({finding.level for finding in found} for found in (attacks, distances))
    band = findings.band(measured)
    if told & {"watch", "bad"} and not near & {"watch", "bad"}:
        if band:
            return _(
                "The attacks succeed although copies and distances show nothing, and the band of DCR is {band}, "
                "because a distance averages over the columns while an attacker adds up what rare values say. The "
                "attacks count. Columns that say little may hide a copied part of the records: dimension_columns "
                "tells which columns carry the distance, and columns or weights compare those that count.",
                band=findings.band_name(band),
            )
        return _(
            "The attacks succeed although copies and distances show nothing because a distance averages over the "
            "columns while an attacker adds up what rare values say. The attacks count. Columns that say little may "
            "hide a copied part of the records: dimension_columns tells which columns carry the distance, and columns "
            "or weights compare those that count."
        )
    if near & {"watch", "bad"} and "good" in told and not told & {"watch", "bad"}:
        return _(
            "Distances show more than the attacks can use: records come nearer to train than they should, and these "
            "attacks name nobody by them. That is no all-clear: another attack, or more records, may do better."
        )
    if measured.has_holdout and band in {"medium", "low"} and not (told | near) & {"watch", "bad"}:
        return _(
            "The band of DCR is {band}, which nothing else confirms: the table resembles real people closely, those "
            "of the holdout as much as those of train.",
            band=findings.band_name(band),
        )
    return ""
