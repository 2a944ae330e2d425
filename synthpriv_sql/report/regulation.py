"""Questions of regulators and researchers about synthetic data: relevant numbers, and what remains untested.

docs/regulation.md has the sources and more detail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from synthpriv_sql.language.messages import N_, _
from synthpriv_sql.language.numbers import count, number, percent
from synthpriv_sql.report.measured import Measured, Number

OPINION = "https://ec.europa.eu/justice/article-29/documentation/opinion-recommendation/files/2014/wp216_en.pdf"
CONSENSUS = "https://arxiv.org/abs/2503.04980"
ICO = (
    "https://ico.org.uk/for-organisations/uk-gdpr-guidance-and-resources/data-sharing/anonymisation/"
    "how-do-we-ensure-anonymisation-is-effective"
)
_SOURCES: Mapping[str, str] = {
    OPINION: N_("Article 29 Working Party, Opinion 05/2014 on anonymisation techniques"),
    CONSENSUS: N_("Pilgram and others, A consensus privacy metrics framework for synthetic data, arXiv 2503.04980"),
    ICO: N_("Information Commissioner's Office (UK), How do we ensure anonymisation is effective?"),
    "": N_("European Medicines Agency, guidance on the implementation of policy 0070"),
}


@dataclass(frozen=True, slots=True)
class Relevant:
    """A number relevant to a question: its worst variant, or a given one."""

    metric: str
    statistic: str
    shown: Callable[[float | None], str] = percent
    variant: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question, its source, the relevant numbers, and what is not tested; texts are messages."""

    title: str
    asks: str
    source: str
    numbers: Sequence[Relevant]
    untested: str


QUESTIONS = (
    Question(
        N_("Singling out"),
        N_("Can some or all of the records that identify a person be isolated?"),
        OPINION,
        (
            Relevant("exposure", "exposed", count),
            Relevant("copies", "records", count),
            Relevant("singling_out", "risk"),
            Relevant("identifiability", "excess"),
            Relevant("disclosure", "replicated_uniques_excess"),
        ),
        N_(
            "singling_out tests predicates on one column that are true of one record; the attack uniques tests "
            "combinations of columns, up to its width. This tool does not test whether a person can be found outside "
            "of these tables."
        ),
    ),
    Question(
        N_("Linkability"),
        N_("Can at least two records of one person, or of one group of persons, be linked, in one database or in two?"),
        OPINION,
        (Relevant("linkability", "risk"), Relevant("linkability", "rate")),
        N_(
            "This tool does not test links with other databases, or between several releases about the same persons: "
            "both sources are columns of the given table."
        ),
    ),
    Question(
        N_("Inference"),
        N_("Can the value of an attribute be deduced, with significant probability, from the values of others?"),
        OPINION,
        (
            Relevant("attribute_inference", "rate"),
            Relevant("attribute_inference", "risk"),
            Relevant("disclosure", "correct_disclosures"),
            Relevant("disclosure", "DCAP"),
        ),
        N_(
            "The Opinion asks how reliably a value is deduced, for anybody: that is the rate. The risk and the excess "
            "say what being in the data adds to it. This tool does not test an attacker with a model of their own."
        ),
    ),
    Question(
        N_("Membership disclosure"),
        N_("Can it be inferred that a person was in the training data?"),
        CONSENSUS,
        (
            Relevant("membership", "auc", number),
            Relevant("membership", "found_at_1_per_100"),
            Relevant("exposure", "exposed", count),
        ),
        N_(
            "The attackers have the synthetic table and the person's data. This tool does not test an attacker who "
            "knows the synthesizer, has its model or retrains it."
        ),
    ),
    Question(
        N_("Attribute disclosure"),
        N_("Is something learned about a person because they were in the training data?"),
        CONSENSUS,
        (
            Relevant("attribute_inference", "risk"),
            Relevant("disclosure", "correct_disclosures_excess"),
            Relevant("disclosure", "DCAP_excess"),
        ),
        N_("Only the columns that were named as targets or secrets are tested."),
    ),
    Question(
        N_("Similarity"),
        N_(
            "The consensus discourages metrics of similarity as measures of identity disclosure: they fail to measure "
            "it."
        ),
        CONSENSUS,
        (
            Relevant("dcr", "median", number, "synthetic_train"),
            Relevant("holdout_share", "share"),
        ),
        N_(
            "Distances alone answer none of these questions. The bands take no part in the verdict; near-copies and "
            "the holdout share count only against real people whom the synthesizer never saw."
        ),
    ),
    Question(
        N_("Differential privacy"),
        N_("The consensus does not consider a privacy budget interpretable unless it is close to zero."),
        CONSENSUS,
        (Relevant("membership", "epsilon_lower", number),),
        N_(
            "epsilon_lower says which budgets an attack refutes. Only the synthesizer's mechanism proves a budget; "
            "this tool does not test that."
        ),
    ),
    Question(
        N_("Motivated intruder"),
        N_(
            "Can a person be identified by somebody who begins without prior knowledge, is reasonably competent, and "
            "uses available resources such as the internet and public documents?"
        ),
        ICO,
        (Relevant("exposure", "exposed", count), Relevant("copies", "records", count)),
        N_(
            "This tool does not perform the test itself, because it searches no other sources. The attackers here "
            "start with more of a person's data than such an intruder, and use no other source."
        ),
    ),
    Question(
        N_("Thresholds of k-anonymity"),
        N_(
            "For clinical reports that are published the agency recommends a risk of re-identification of at most 0.09."
        ),
        "",
        (
            Relevant("discernibility", "smallest_class", count, "train"),
            Relevant("reidentification", "prosecutor_mean", number, "train"),
            Relevant("discernibility", "smallest_class", count, "synthetic"),
        ),
        N_(
            "A synthetic record belongs to no person, so the size of its class is no risk of re-identification. The "
            "classes of train show how easily the quasi-identifiers single out real people. According to the Opinion, "
            "k-anonymity protects from singling out, but not from inference."
        ),
    ),
)


def answered(measured: Measured) -> list[dict[str, object]]:
    """Return the questions with the measured numbers, in the current language."""
    return [
        {
            "title": _(question.title),
            "asks": _(question.asks),
            "href": question.source,
            "source": _(_SOURCES[question.source]),
            "numbers": [found for relevant in question.numbers if (found := _worst(measured, relevant))],
            "untested": _(question.untested),
        }
        for question in QUESTIONS
    ]


def _worst(measured: Measured, relevant: Relevant) -> tuple[str, str] | None:
    """Return the name and value of a number; of several variants, the one that indicates a leak most."""
    asked = (relevant.metric, relevant.statistic)
    found = [n for n in measured.numbers if (n.metric, n.statistic) == asked and n.value is not None]
    if relevant.variant is not None:
        found = [n for n in found if n.variant == relevant.variant]
    if not found:
        return None
    whole = [n for n in found if n.variant is None]
    worst = whole[0] if whole else max(found, key=_badness)
    name = ".".join(part for part in (worst.metric, worst.variant, worst.statistic) if part)
    return name, relevant.shown(worst.value)


def _badness(found: Number) -> float:
    return -(found.value or 0.0) if found.better == "higher" else found.value or 0.0
