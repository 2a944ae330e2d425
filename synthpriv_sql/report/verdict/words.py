"""The overall verdict, in words that claim no more than the numbers show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from synthpriv_sql.language.messages import _
from synthpriv_sql.language.numbers import count, percent
from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.verdict import evidence, findings, headlines, people, releases, samples
from synthpriv_sql.report.verdict.evidence import Evidence
from synthpriv_sql.report.verdict.findings import LEVELS, Finding
from synthpriv_sql.report.verdict.reasons import reasons
from synthpriv_sql.report.verdict.steps import next_steps
from synthpriv_sql.results.checks.cautions import Caution, cautions

NOTICED = 0.55
"""A leak of the crowd with this area under its curve must have been noticeable for a good verdict, or"""
FEW_OF_THEM = 0.05
"""a leak of this share of people that an attack puts first."""


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
    stands_behind_names: bool
    """Whether people who are identified count; otherwise their number is not shown."""
    given_away: float
    """The people who are identified, or at least given away: the largest number."""
    at_the_top: float
    """Those of them who are given away at the top of a list."""
    further: bool
    """Whether synthetic is further from train than chance explains, and nothing else stands in the way."""

    @property
    def sentence(self) -> str:
        """The reasons as one text."""
        return " ".join(self.reasons)


def verdict(measured: Measured) -> Verdict:
    """Return the overall verdict.

    It is ``bad`` if somebody is identified, if at least five people are given away at the top of a list, or if an
    adjusted p-value (all attacks, depths, columns and rare combinations) is below 0.001 and the finding matters
    (``tolerance`` of `evaluate`). It is ``watch`` if one is below 0.01, if one to four are given away, if there are
    copies beyond coincidence, or if an address or number of a person comes back and none of the holdout does. It is
    ``none`` if the holdout is not valid or missing, if synthetic is further from train than chance allows, or if there
    are too few people to detect a leak. What is said of a sample begins with that.
    """
    warned = cautions(measured.items("number"))
    kinds = {caution.kind: caution.text for caution in warned}
    found = evidence.of(measured)
    of_people = people.of_people(measured, found)
    distances = findings.of_distances(measured, found, "identifiers" in kinds)
    together = releases.of_releases(measured, found)
    judged = [*of_people, *together, *distances, *findings.of_what_is_learned(measured, found)]
    level = max((finding.level for finding in judged), key=LEVELS.index)
    worst = {finding.section for finding in judged if finding.level == level}
    obstacles = _obstacles(measured, found, kinds)
    if level == "bad":
        headline = headlines.leak(measured, found, worst)
    elif obstacles.fatal:
        level, headline = "none", obstacles.fatal
    elif level == "watch":
        headline = headlines.review(measured, found, worst)
    elif obstacles.others:
        level, headline = "none", obstacles.others[0]
    else:
        level, headline = "good", headlines.nobody(measured)
    fatal = _beside_a_leak(found) if level == "bad" else obstacles.fatal
    return Verdict(
        level=level,
        headline=samples.headline(measured, headline),
        reasons=reasons(measured, found, headline),
        obstacles=[*([fatal] if fatal else []), *obstacles.others],
        disagreement=_disagreement(measured, found, of_people, distances),
        cautions=warned,
        findings=[*judged, findings.of_the_band(measured)],
        next_steps=next_steps(measured, found, level, worst, kinds, obstacles.too_few)[:3],
        stands_behind_names=found.usable or found.naming_beats,
        given_away=max(
            measured.value("exposure", "exposed") or 0.0,
            *found.given_away.values(),
            releases.given_away(measured),
            max((one.people for one in findings.secrets(measured, found)), default=0.0) if found.usable else 0.0,
        ),
        at_the_top=found.given_away["top"],
        further=found.usable and level == "none" and (found.below or found.saw_holdout),
    )


@dataclass(frozen=True, slots=True)
class _Obstacles:
    """Obstacles to a verdict: ``fatal`` allows only the verdict of a leak, ``others`` rule out a good one.

    ``too_few``: one of the others is that there are too few records or people.
    """

    fatal: str
    others: Sequence[str]
    too_few: bool


def _obstacles(measured: Measured, found: Evidence, kinds: Mapping[str, str]) -> _Obstacles:
    others = []
    if not measured.has_holdout:
        others.append(
            _(
                "Nothing was compared with people whom the synthesizer never saw, so a leak cannot be ruled out; rare "
                "combinations of train recur no more often than among real people."
            )
            if "train" in found.within and found.within["train"].level == "good"
            else _("Nothing was compared with people whom the synthesizer never saw, so a leak cannot be ruled out.")
            if "train" in found.within
            else _(
                "Nothing was compared with people whom the synthesizer never saw, so a leak can be neither "
                "found nor ruled out."
            )
        )
    if "holdout" in kinds:
        others.append(_("The holdout contains rows of train, which may hide a leak."))
    others += _of_values(measured, found)
    if "identifiers" in kinds:
        others.append(_("Identifiers are compared, so copies cannot be detected."))
    too_few = "few" in kinds or found.people < evidence.FEW
    if too_few:
        others.append(_("Too few records for a statement."))
    unnoticed = _unnoticed(measured)
    if unnoticed:
        others.append(unnoticed)
    return _Obstacles(_fatal(found), others, too_few or bool(unnoticed))


def _fatal(found: Evidence) -> str:
    if found.same:
        return _("The holdout is the same table as train, so no statement is possible.")
    if found.differs:
        return _("No statement is possible: {why}.", why=found.why_differs)
    if found.saw_holdout:
        return _("The synthesizer saw the holdout, or train and the holdout are swapped: no statement is possible.")
    if found.below:
        return _(
            "This table is further from train than chance explains: the synthesizer did not see train, or rows near "
            "train were removed."
        )
    return ""


def _beside_a_leak(found: Evidence) -> str:
    """The same obstacle where something leaks all the same: that statement is possible."""
    if found.same:
        return _("The holdout is the same table as train: nothing was compared with strangers.")
    if found.differs:
        return _("The holdout is not valid: {why}.", why=found.why_differs)
    if found.saw_holdout:
        return _("The synthesizer saw the holdout as well: nothing was compared with people whom it never saw.")
    return _fatal(found)


def _of_values(measured: Measured, found: Evidence) -> list[str]:
    """Columns of synthetic whose values do not occur in real rows, as far as they may hide a leak.

    A column of numbers is judged apart: it is said, and the verdict stands on the others, unless these are few.
    """
    categories = [name for name in found.other_values if name not in found.other_numbers]
    columns = measured.value("scope", "columns")
    most = columns is not None and 2 * len(found.other_values) > columns
    names = found.other_values if most else categories
    if not names:
        return []
    return [_("The values of {column} in synthetic do not occur in real rows, which may hide a leak.", column=names[0])]


def _unnoticed(measured: Measured) -> str:
    """Whether neither a leak of the crowd nor one of a few people would have been noticed."""
    noticed, missed = measured.noticed, measured.missed
    everybody = measured.value("exposure", "people")
    crowd = noticed is None or noticed <= NOTICED
    few = missed is not None and everybody is not None and missed <= FEW_OF_THEM * everybody
    if crowd or few:
        return ""
    if measured.drawn:
        return _(
            "The sample is too small: neither an attacker who is right {share} of the time nor a leak of {few} of all "
            "people would have been detected.",
            share=percent(NOTICED),
            few=percent(FEW_OF_THEM),
        )
    return _(
        "Too few people: neither an attacker who is right {share} of the time nor a leak of {few} of {people} people "
        "would have been detected.",
        share=percent(NOTICED),
        few=percent(FEW_OF_THEM),
        people=count(everybody),
    )


def _disagreement(measured: Measured, found: Evidence, attacks: Sequence[Finding], distances: Sequence[Finding]) -> str:
    """Explain the case that attacks and distances disagree; one attack that is about distance agrees with them."""
    by_attacks, by_distances = ({finding.level for finding in of} for of in (attacks, distances))
    band = findings.band(measured)
    leaking = {finding.section for finding in attacks if finding.level == "bad"}
    by_distance = found.by_distance_alone and leaking <= {"top", "membership"}
    # What comes back in a column is no attack, and distances may not have looked at it.
    succeed = leaking & {"exposure", "top", "membership"} and not by_distance
    if measured.has_holdout and succeed and not by_distances & {"watch", "bad"}:
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
    return ""
