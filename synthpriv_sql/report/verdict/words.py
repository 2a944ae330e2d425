"""The overall verdict, in words that claim no more than the numbers show."""

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
"""A verdict is good only if an attack with this area under its curve would have been detected."""
FLAT = 0.6
"""The contrast above which all records are about equally far apart, so that distances say little."""
FAR = 3.0
"""The ratio of median distances to train above which synthetic is too far from it to be useful."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The overall answer, and what to do next in at most three lines."""

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
        """The reasons as one text."""
        return " ".join(self.reasons)


def verdict(measured: Measured) -> Verdict:
    """Return the overall verdict.

    It is ``bad`` if somebody is identified or an adjusted p-value (all attacks and depths) is below 0.001; ``watch`` if
    one is below 0.01, or if there is a copy where fewer than one is expected by chance. It is ``none`` if the holdout
    is not valid, if synthetic is further from train than chance allows, or if there are too few people to detect a
    leak.
    """
    warned = cautions(measured.items("number"))
    kinds = {caution.kind: caution.text for caution in warned}
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
        warned,
        [*judged, findings.of_the_band(measured)],
        _next_steps(measured, found, level, worst, kinds)[:3],
    )


@dataclass(frozen=True, slots=True)
class _Obstacles:
    """Obstacles to a verdict: ``fatal`` allows only the verdict of a leak, ``others`` rule out a good one."""

    fatal: str
    others: Sequence[str]


def _obstacles(measured: Measured, found: Evidence, kinds: Mapping[str, str]) -> _Obstacles:
    others = []
    fatal = ""
    if found.same:
        fatal = _("The holdout is the same table as train, so no statement is possible.")
    elif found.differs:
        fatal = _("No statement is possible: {why}.", why=found.why_differs)
    elif found.below:
        fatal = _(
            "This table is closer to the holdout than to train: the two are swapped, the synthesizer saw the holdout, "
            "or rows near train were removed."
        )
    if not measured.has_holdout:
        others.append(
            _(
                "Nothing was compared with people whom the synthesizer never saw, so a leak can be neither "
                "found nor ruled out."
            )
        )
    if "holdout" in kinds:
        others.append(_("The holdout contains rows of train, which may hide a leak."))
    if found.other_values:
        others.append(
            _(
                "The values of {column} in synthetic do not occur in real rows, which may hide a leak.",
                column=found.other_values[0],
            )
        )
    if "identifiers" in kinds:
        others.append(_("Identifiers are compared, so copies cannot be detected."))
    if "few" in kinds or found.people < evidence.FEW:
        others.append(_("Too few records for a statement."))
    noticed = measured.value("membership", "noticed")
    if noticed is not None and noticed > NOTICED:
        others.append(
            _("Too few people to detect an attack with an AUC below {auc}.", auc=decimals(min(noticed, 1.0), 2))
        )
    return _Obstacles(fatal, others)


def _leak(measured: Measured, worst: set[str]) -> str:
    """The headline of a table with evidence of a leak."""
    if "exposure" in worst:
        named, people = measured.value("exposure", "exposed"), measured.value("exposure", "people")
        return _(
            "{named} of {people} people can be identified as members of the training data.",
            named=count(named),
            people=count(people),
        )
    if {"copies", "who"} <= worst:
        return _("This table contains real records, and near-copies of others.")
    if "copies" in worst:
        return _("This table contains real records.")
    if "membership" in worst:
        return _("Membership in the training data can be inferred better than by guessing.")
    if worst <= {"learned", "singled"}:
        return _("More can be learned about people who were in the data than about others.")
    return _("This table contains near-copies of real records.") if "who" in worst else _("This table leaks.")


def _look(measured: Measured, found: Evidence, worst: set[str]) -> str:
    """The headline of a table that needs review."""
    if "copies" in worst:
        records, chance = measured.value("copies", "records"), found.copies_by_chance
        if chance is None or records is None:
            return _("This table contains records that equal real ones.")
        if chance < 1:
            return plural(
                "{n} synthetic record equals a real one; by chance, fewer than one is expected.",
                "{n} synthetic records equal a real one; by chance, fewer than one is expected.",
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
        return _("Slightly more can be learned about people who were in the data than about others.")
    return _("This table is closer to real records than expected.")


def _nobody(measured: Measured) -> str:
    """The headline if nothing was found: what was tried, and what could have been missed."""
    people, least = measured.value("exposure", "people"), measured.value("exposure", "least")
    return _(
        "The attacks identify none of {people} people; a leak that affects fewer than {least} of them would go "
        "undetected.",
        people=count(people),
        least=count(least),
    )


def _reasons(measured: Measured, found: Evidence) -> Sequence[str]:
    reasons = []
    named, share = measured.value("exposure", "exposed"), measured.value("exposure", "by_chance")
    if found.usable and named:
        reasons.append(
            _(
                "An attacker with the synthetic table and a person's data can infer for {named} people that they were "
                "in the training data; at most {chance} of them ({share}) are expected by chance.",
                named=count(named),
                chance=count(share),
                share=percent((share or 0) / named),
            )
        )
    reasons += _copies(measured, found)
    if not measured.has_holdout:
        near = measured.value("near_copies", "records")
        if near is not None:
            reasons.append(
                _(
                    "{n} more are closer to a record of train than 95 of 100 records of train are to any other.",
                    n=count(near),
                ),
            )
        reasons.append(_("How many to expect by chance is unknown, because no holdout was given."))
        return reasons
    closer = measured.number("holdout_share", "share")
    if closer is not None and closer.value is not None:
        reasons.append(
            _(
                "{share} are closer to train than to the holdout; {expected} is expected if nothing leaks.",
                share=share_interval(closer),
                expected=percent(measured.value("holdout_share", "expected")),
            )
        )
    noticed = measured.value("membership", "noticed")
    if found.usable and not named and noticed is not None:
        reasons.append(
            _(
                "An attack with an area under the ROC curve of {auc} would have been detected in nine of ten cases.",
                auc=decimals(noticed, 3),
            )
            if noticed < 1
            else _("With so few people, no attack would have been detected reliably.")
        )
    contrast = _low_contrast(measured)
    if contrast is not None:
        reasons.append(
            _(
                "Distances say little with so many columns: the distance to the nearest other record of train is "
                "{contrast} of that to any other.",
                contrast=percent(contrast),
            )
        )
    away = _far(measured)
    if away is not None:
        reasons.append(
            _(
                "The median synthetic record is more than three times as far from train as holdout records are "
                "({far} and {usual}).",
                far=number(away[0]),
                usual=number(away[1]),
            )
        )
    return reasons


def _copies(measured: Measured, found: Evidence) -> list[str]:
    """How many synthetic records equal a real one, and how many real ones do."""
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


def _low_contrast(measured: Measured) -> float | None:
    """The contrast if distances say little, otherwise None."""
    contrast = measured.value("dimensions", "contrast")
    return contrast if contrast is not None and contrast > FLAT else None


def _far(measured: Measured) -> tuple[float, float] | None:
    """The median distances to train of synthetic and of real records if synthetic is far away, otherwise None."""
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
                _("exposure lists the people and, for each, the columns that identify them; uniques lists these.")
            )
        steps.append(
            _(
                "safe with {until_safe} returns the table without the records responsible.",
                until_safe=wording.given("until_safe", True),
            )
        )
        steps.append(_("Or retrain the synthesizer with fewer rounds, larger leaves, or noise on these columns."))
        return steps
    if not measured.has_holdout:
        steps.append(_("Hold back a random sample of real rows before synthesizing, and give it as holdout."))
    if found.same or found.differs:
        steps.append(
            _("Draw train and holdout at random from the same rows, in the same format; split_check shows each column.")
        )
    elif found.below:
        steps.append(_("Check that the synthesizer saw train, and did not see the holdout."))
    if "holdout" in kinds and not found.same:
        steps.append(_("Remove the rows of train from the holdout."))
    if found.other_values:
        steps.append(
            _(
                "Write synthetic in the format of train: units, upper case, blanks. split_check counts the "
                "values that differ."
            )
        )
    if "identifiers" in kinds:
        steps.append(_("Give identifiers as key, or exclude them."))
    if "key" in kinds:
        steps.append(
            _("If all rows with the same key belong to one person, give it as unit too: then people are counted.")
        )
    if level == "watch" and "copies" in worst:
        steps.append(_("screen shows the copies; safe gives the table without them."))
    elif level == "watch":
        steps.append(_("Repeat with more rows of synthetic and of the holdout, to distinguish chance from a leak."))
    return steps + _of_the_tables(measured)


def _of_the_tables(measured: Measured) -> list[str]:
    """Next steps if the tables themselves limit what can be detected."""
    steps = []
    if _low_contrast(measured) is not None:
        steps.append(_("Repeat with the columns that matter (columns); dimension_columns shows what each contributes."))
    if _far(measured) is not None:
        steps.append(_("fidelity shows how useful a table so far from the real one is."))
    noticed = measured.value("membership", "noticed")
    if noticed is not None and noticed > NOTICED:
        steps.append(
            _("Provide more people: 1,300 in train and as many in the holdout would reveal a leak with an AUC of 0.55.")
        )
    return steps


def _disagreement(measured: Measured, attacks: Sequence[Finding], distances: Sequence[Finding]) -> str:
    """Explain the case that attacks and distances disagree."""
    by_attacks, by_distances = ({finding.level for finding in found} for found in (attacks, distances))
    band = findings.band(measured)
    if by_attacks & {"watch", "bad"} and not by_distances & {"watch", "bad"}:
        if band:
            return _(
                "The attacks succeed although copies and distances show nothing and the band of DCR is {band}, "
                "because a distance averages over the columns, while an attacker adds up the information of rare "
                "values. The attacks count. Uninformative columns may hide a copied part of the records: "
                "dimension_columns shows which columns dominate the distance, and columns or weights restrict the "
                "comparison to those that matter.",
                band=findings.band_name(band),
            )
        return _(
            "The attacks succeed although copies and distances show nothing, because a distance averages over the "
            "columns, while an attacker adds up the information of rare values. The attacks count. Uninformative "
            "columns may hide a copied part of the records: dimension_columns shows which columns dominate the "
            "distance, and columns or weights restrict the comparison to those that matter."
        )
    if by_distances & {"watch", "bad"} and "good" in by_attacks and not by_attacks & {"watch", "bad"}:
        return _(
            "Distances show more than the attacks can use: records are closer to train than expected, but these "
            "attacks identify nobody with them. That is no all-clear: another attack, or more records, may succeed."
        )
    if measured.has_holdout and band in {"medium", "low"} and not (by_attacks | by_distances) & {"watch", "bad"}:
        return _(
            "The band of DCR is {band}, which nothing else confirms: the table resembles real people closely, but "
            "those of the holdout as much as those of train.",
            band=findings.band_name(band),
        )
    return ""
