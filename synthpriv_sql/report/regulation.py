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
ONTARIO = "https://www.dww.com/articles/ontario-releases-updated-deidentification-guidelines"
EMA = "https://www.ema.europa.eu/en/documents/other/anonymisation-report-form-instructions_en.pdf"
HEALTH_CANADA = (
    "https://www.canada.ca/en/health-canada/services/drug-health-product-review-approval/"
    "profile-public-release-clinical-information-guidance/document.html"
)
ISO = "https://store.standards.org.au/product/as-nzs-iso-iec-27559-2024"
TEHDAS = "https://zenodo.org/records/20269109"
PDPC = (
    "https://insightplus.bakermckenzie.com/bm/data-technology/"
    "singapore-personal-data-protection-commission-releases-proposed-guide-on-synthetic-data-generation_1"
)
NIST = "https://csrc.nist.gov/pubs/sp/800/226/ipd"
SOURCES: Mapping[str, str] = {
    OPINION: N_("Article 29 Working Party, Opinion 05/2014 on anonymisation techniques"),
    CONSENSUS: N_("Pilgram and others, A consensus privacy metrics framework for synthetic data, arXiv 2503.04980"),
    ICO: N_("Information Commissioner's Office (UK), How do we ensure anonymisation is effective?"),
    ONTARIO: N_("IPC Ontario, De-Identification Guidelines for Structured Data, 2025 (summary by Deeth Williams Wall)"),
    EMA: N_("European Medicines Agency, Anonymisation Report Form Instructions (policy 0070)"),
    HEALTH_CANADA: N_("Health Canada, Public Release of Clinical Information: guidance document"),
    ISO: N_("ISO/IEC 27559:2022, Privacy enhancing data de-identification framework (headings)"),
    TEHDAS: N_("TEHDAS2, Guideline on data minimisation, pseudonymisation, anonymisation and synthetic data"),
    PDPC: N_("PDPC Singapore, Proposed Guide on Synthetic Data Generation, 2024 (summary by Baker McKenzie)"),
    NIST: N_("NIST SP 800-226, Guidelines for Evaluating Differential Privacy Guarantees (draft of 2023)"),
}
"""The document at each address: for a source that is not public, or was not at hand, a summary that is named."""


@dataclass(frozen=True, slots=True)
class Relevant:
    """A number relevant to a question: its worst variant, or a given one; ``note`` says of what it is, if asked."""

    metric: str
    statistic: str
    shown: Callable[[float | None], str] = percent
    variant: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, its sources, the relevant numbers, and what is not tested; texts are messages."""

    title: str
    asks: str
    sources: Sequence[str]
    numbers: Sequence[Relevant]
    untested: str


_NAMED = (Relevant("exposure", "exposed", count), Relevant("exposure", "at_least", count))
_REPEATED = (Relevant("copies", "records", count), Relevant("replay", "replayed", count))
_WITHOUT_HOLDOUT = (Relevant("within", "ratio", number, "train"), Relevant("within", "at_least", count, "train"))

QUESTIONS = (
    Question(
        N_("Singling out"),
        N_("Can some or all of the records that identify a person be isolated?"),
        (OPINION,),
        (
            *_NAMED,
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
        (OPINION,),
        (Relevant("linkability", "risk"), Relevant("linkability", "rate")),
        N_(
            "This tool does not test links with other databases: both sources are columns of the given table. What "
            "several releases about the same persons tell together is judged where they are given (releases)."
        ),
    ),
    Question(
        N_("Inference"),
        N_("Can the value of an attribute be deduced, with significant probability, from the values of others?"),
        (OPINION, TEHDAS),
        (
            Relevant("attribute_inference", "rate"),
            Relevant("attribute_inference", "risk"),
            Relevant("attribute_inference", "trained_excess"),
            Relevant("attribute_inference", "read", count),
            Relevant("disclosure", "correct_disclosures"),
            Relevant("disclosure", "DCAP"),
        ),
        N_(
            "The Opinion asks how reliably a value is deduced, for anybody: that is the rate. The risk and the excess "
            "say what being in the data adds to it. Of attackers who train a model, this tool tests one "
            "(trained_excess), for columns that are named as secrets."
        ),
    ),
    Question(
        N_("Identity disclosure"),
        N_("Can data of the release be linked to a person, that is, can somebody be re-identified?"),
        (ONTARIO, TEHDAS, PDPC),
        (*_REPEATED, Relevant("disclosure", "replicated_uniques"), *_NAMED, *_WITHOUT_HOLDOUT),
        N_(
            "Values and records also come back by chance; how often, only people show who were never in the data. The "
            "attackers use no other source. Access, contracts and other safeguards are not in the tables."
        ),
    ),
    Question(
        N_("Membership disclosure"),
        N_("Can it be inferred that a person was in the training data?"),
        (CONSENSUS, ONTARIO),
        (
            Relevant("membership", "at_least", count),
            *_NAMED,
            Relevant("membership", "auc", number),
            Relevant("membership", "found_at_1_per_100"),
            *_WITHOUT_HOLDOUT,
        ),
        N_(
            "The attackers have the synthetic table and the person's data. This tool does not test an attacker who "
            "knows the synthesizer, has its model or retrains it."
        ),
    ),
    Question(
        N_("Attribute disclosure"),
        N_("Is something learned about a person because they were in the training data?"),
        (CONSENSUS, ONTARIO),
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
        (CONSENSUS,),
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
        N_(
            "The consensus does not consider a privacy budget interpretable unless it is close to zero. NIST advises "
            "to make synthetic data by differentially private algorithms; a guarantee also depends on the unit that "
            "it protects."
        ),
        (CONSENSUS, NIST),
        (Relevant("membership", "epsilon_lower", number),),
        N_(
            "epsilon_lower says which budgets an attack refutes. Only the synthesizer's mechanism proves a budget, "
            "and whether it protects persons or single rows; this tool does not test that."
        ),
    ),
    Question(
        N_("Motivated intruder"),
        N_(
            "Can a person be identified by somebody who begins without prior knowledge, is reasonably competent, and "
            "uses available resources such as the internet and public documents?"
        ),
        (ICO,),
        (*_NAMED, *_REPEATED),
        N_(
            "This tool does not perform the test itself, because it searches no other sources. The attackers here "
            "start with more of a person's data than such an intruder, and use no other source."
        ),
    ),
    Question(
        N_("Identifiability assessment"),
        N_(
            "The standard has one clause each on the assessment of the context, of the data and of identifiability, "
            "and on governance. Identifiability is quantified, tested by adversaries, and assessed again after changes."
        ),
        (ISO,),
        (
            Relevant("discernibility", "smallest_class", count, "train", N_("of the original")),
            Relevant("membership", "at_least", count),
            *_NAMED,
        ),
        N_(
            "These numbers belong to the clauses on data and identifiability. Who receives the table, with which "
            "knowledge and motive, and who is responsible, are for you to state."
        ),
    ),
    Question(
        N_("Risk threshold of 0.09"),
        N_(
            "Both agencies encourage a threshold of 0.09 for clinical documents that are published: the largest risk "
            "of re-identification after anonymization. Health Canada translates it into cells of 11 patients."
        ),
        (EMA, HEALTH_CANADA),
        (
            Relevant(
                "reidentification", "prosecutor_mean", number, "train", N_("the original's risk, not the release's")
            ),
            Relevant(
                "discernibility",
                "smallest_class",
                count,
                "train",
                N_("of the original: 1 divided by it is the largest risk before anything is done"),
            ),
            Relevant(
                "disclosure",
                "replicated_uniques",
                number,
                note=N_("of the release: the nearest to such a risk, but a mean over all people, with chance in it"),
            ),
            Relevant(
                "discernibility",
                "smallest_class",
                count,
                "synthetic",
                N_("records that are nobody's: not comparable with 0.09"),
            ),
        ),
        N_(
            "A synthetic record belongs to no person, so the size of its class is no risk of re-identification. How "
            "many people are given away (exposure, membership) is another question, for which 0.09 was not made. "
            "According to the Opinion, k-anonymity protects from singling out, but not from inference."
        ),
    ),
)


def answered(measured: Measured) -> list[dict[str, object]]:
    """Return the questions with the measured numbers, in the current language."""
    return [
        {
            "title": _(question.title),
            "asks": _(question.asks),
            "sources": [(address, _(SOURCES[address])) for address in question.sources],
            "numbers": [found for relevant in question.numbers if (found := _worst(measured, relevant))],
            "untested": _(question.untested),
        }
        for question in QUESTIONS
    ]


def _worst(measured: Measured, relevant: Relevant) -> tuple[str, str, str] | None:
    """Return the name, value and note of a number; of several variants, the one that indicates a leak most."""
    asked = (relevant.metric, relevant.statistic)
    found = [n for n in measured.numbers if (n.metric, n.statistic) == asked and n.value is not None]
    if relevant.variant is not None:
        found = [n for n in found if n.variant == relevant.variant]
    if not found:
        return None
    whole = [n for n in found if n.variant is None]
    worst = whole[0] if whole else max(found, key=_badness)
    name = ".".join(part for part in (worst.metric, worst.variant, worst.statistic) if part)
    return name, relevant.shown(worst.value), _(relevant.note) if relevant.note else ""


def _badness(found: Number) -> float:
    return -(found.value or 0.0) if found.better == "higher" else found.value or 0.0
