"""What regulators and researchers ask of synthetic data: which numbers speak to it, and what none of them tests.

The sources are named in docs/regulation.md, which says the same at greater length.
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
class Speaking:
    """A number that speaks to a question: the worst of its variants, or one of them."""

    metric: str
    statistic: str
    shown: Callable[[float | None], str] = percent
    variant: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, by whom, the numbers that speak to it, and what is not tested; texts are messages."""

    title: str
    asks: str
    source: str
    numbers: Sequence[Speaking]
    untested: str


QUESTIONS = (
    Question(
        N_("Singling out"),
        N_("Can some or all of the records that identify a person be isolated?"),
        OPINION,
        (
            Speaking("exposure", "exposed", count),
            Speaking("copies", "records", count),
            Speaking("singling_out", "risk"),
            Speaking("identifiability", "excess"),
            Speaking("disclosure", "replicated_uniques_excess"),
        ),
        N_(
            "singling_out tries what is true of one record by one column; combinations of columns are looked at by "
            "the attack uniques, up to its width. Whether a person is found outside of these tables is not tested by "
            "this tool."
        ),
    ),
    Question(
        N_("Linkability"),
        N_("Can at least two records of one person, or of one group of persons, be linked, in one database or in two?"),
        OPINION,
        (Speaking("linkability", "risk"), Speaking("linkability", "rate")),
        N_(
            "Links with other databases, and between several releases about the same persons, are not tested by this "
            "tool: both sources are columns of the table given."
        ),
    ),
    Question(
        N_("Inference"),
        N_("Can the value of an attribute be deduced, with significant probability, from the values of others?"),
        OPINION,
        (
            Speaking("attribute_inference", "rate"),
            Speaking("attribute_inference", "risk"),
            Speaking("disclosure", "correct_disclosures"),
            Speaking("disclosure", "DCAP"),
        ),
        N_(
            "The Opinion asks how surely a value is deduced, of whomever: that is the rate. The risk and the excess "
            "say what being in the data adds to it. An attacker with a model of his own is not tested by this tool."
        ),
    ),
    Question(
        N_("Membership disclosure"),
        N_("Can it be told of a person that they were in the training data?"),
        CONSENSUS,
        (
            Speaking("membership", "auc", number),
            Speaking("membership", "found_at_1_per_100"),
            Speaking("exposure", "exposed", count),
        ),
        N_(
            "The attackers have the synthetic table and the person's data. One who knows the synthesizer, has its "
            "model or trains it anew is not tested by this tool."
        ),
    ),
    Question(
        N_("Attribute disclosure"),
        N_("Is something learned of a person because they were in the training data?"),
        CONSENSUS,
        (
            Speaking("attribute_inference", "risk"),
            Speaking("disclosure", "correct_disclosures_excess"),
            Speaking("disclosure", "DCAP_excess"),
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
            Speaking("dcr", "median", number, "synthetic_train"),
            Speaking("holdout_share", "share"),
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
        (Speaking("membership", "epsilon_lower", number),),
        N_(
            "epsilon_lower says which budgets an attack refutes. A budget is proven by the synthesizer's mechanism; "
            "that is not tested by this tool."
        ),
    ),
    Question(
        N_("Motivated intruder"),
        N_(
            "Can somebody identify a person who begins without prior knowledge, is reasonably competent, and uses what "
            "is to be had, such as the internet and public documents?"
        ),
        ICO,
        (Speaking("exposure", "exposed", count), Speaking("copies", "records", count)),
        N_(
            "The test itself is not done by this tool: nobody searches other sources. The attackers here know more of "
            "a person's data than such an intruder begins with, and look into no other source."
        ),
    ),
    Question(
        N_("Thresholds of k-anonymity"),
        N_(
            "For clinical reports that are published the agency recommends a risk of re-identification of at most 0.09."
        ),
        "",
        (
            Speaking("discernibility", "smallest_class", count, "train"),
            Speaking("reidentification", "prosecutor_mean", number, "train"),
            Speaking("discernibility", "smallest_class", count, "synthetic"),
        ),
        N_(
            "A synthetic record is nobody's, so the size of its class is no risk of re-identification. The classes of "
            "train say how easily the quasi-identifiers single real people out. By the Opinion, k-anonymity protects "
            "from singling out, and not from inference."
        ),
    ),
)


def answered(measured: Measured) -> list[dict[str, object]]:
    """Return the questions with the numbers that were measured, in the language that is spoken."""
    return [
        {
            "title": _(question.title),
            "asks": _(question.asks),
            "href": question.source,
            "source": _(_SOURCES[question.source]),
            "numbers": [found for speaking in question.numbers if (found := _worst(measured, speaking))],
            "untested": _(question.untested),
        }
        for question in QUESTIONS
    ]


def _worst(measured: Measured, speaking: Speaking) -> tuple[str, str] | None:
    """The name of a number and its value: of several variants that which speaks most for a leak."""
    asked = (speaking.metric, speaking.statistic)
    found = [n for n in measured.numbers if (n.metric, n.statistic) == asked and n.value is not None]
    if speaking.variant is not None:
        found = [n for n in found if n.variant == speaking.variant]
    if not found:
        return None
    whole = [n for n in found if n.variant is None]
    worst = whole[0] if whole else max(found, key=_badness)
    name = ".".join(part for part in (worst.metric, worst.variant, worst.statistic) if part)
    return name, speaking.shown(worst.value)


def _badness(found: Number) -> float:
    return -(found.value or 0.0) if found.better == "higher" else found.value or 0.0
