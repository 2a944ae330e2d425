"""What regulators ask: the numbers that are said to speak to it are there, and the worst of each is shown."""

import re

import pytest
from calls import ROOT

from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.regulation import QUESTIONS, SOURCES, answered
from synthpriv_sql.results.checks.numbers import declared, expanded

PAGE = (ROOT / "docs" / "regulation.md").read_text(encoding="utf-8")
# Until evaluate declares them; then these lines go.
COMING = {
    ("membership", "at_least"),
    ("exposure", "at_least"),
    ("within", "ratio"),
    ("within", "at_least"),
    ("replay", "replayed"),
}


def declared_names():
    """The metric and the statistic of every number that `evaluate` may give."""
    for names in declared().values():
        for name in expanded(names, {}):
            parts = name.split(".")
            yield parts[0], parts[-1]


def number(name, value, better="lower"):
    metric, *variant, statistic = name.split(".")
    row = {"item": "number", "section": metric, "metric": metric, "variant": variant[0] if variant else None}
    return row | {"statistic": statistic, "value": value, "lower": None, "upper": None, "better": better, "meaning": ""}


def test_every_number_that_speaks_is_one_of_evaluate():
    known = set(declared_names()) | COMING
    asked = {(speaking.metric, speaking.statistic) for question in QUESTIONS for speaking in question.numbers}
    assert asked <= known


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([a-z_]+\.[\w.]+)`", PAGE))))
def test_every_number_of_the_documentation_is_one_of_evaluate(name):
    parts = name.split(".")
    assert (parts[0], parts[-1]) in set(declared_names()) | COMING


def test_the_documentation_names_the_sources():
    assert {address for question in QUESTIONS for address in question.sources} == set(SOURCES)
    assert [address for address in SOURCES if f"]({address})" not in PAGE] == []


def numbers_of(rows):
    """The names and values of the numbers shown for each question."""
    return {
        question["title"]: {name: value for name, value, _ in question["numbers"]}
        for question in answered(Measured(rows))
    }


def test_the_worst_variant_is_shown():
    rows = [
        number("membership.distance.auc", 0.52),
        number("membership.uniques.auc", 0.71),
        number("attribute_inference.job.risk", 0.1),
        number("attribute_inference.age.risk", -0.2),
        number("discernibility.train.smallest_class", 4, "higher"),
        number("discernibility.synthetic.smallest_class", 1, "higher"),
        number("exposure.exposed", 12),
        number("exposure.uniques.exposed", 14),
        number("copies.records", None),
        number("membership.distance.at_least", 0),
        number("membership.uniques.at_least", 130),
        number("replay.email.replayed", 60),
        number("replay.phone.replayed", 3),
        number("within.train.ratio", 1.8),
    ]
    shown = numbers_of(rows)
    assert shown["Singling out"] == {"exposure.exposed": "12"}
    assert shown["Identity disclosure"] == {
        "replay.email.replayed": "60",
        "exposure.exposed": "12",
        "within.train.ratio": "1.800",
    }
    assert shown["Membership disclosure"] == {
        "membership.uniques.at_least": "130",
        "membership.uniques.auc": "0.7100",
        "exposure.exposed": "12",
        "within.train.ratio": "1.800",
    }
    assert shown["Attribute disclosure"] == {"attribute_inference.job.risk": "10\u202f%"}
    assert shown["Risk threshold of 0.09"] == {
        "discernibility.train.smallest_class": "4",
        "discernibility.synthetic.smallest_class": "1",
    }
    assert shown["Linkability"] == {}


def test_a_number_beside_the_threshold_says_of_what_it_is():
    rows = [
        number("reidentification.train.prosecutor_mean", 0.999),
        number("disclosure.replicated_uniques", 0.02),
        number("discernibility.train.smallest_class", 1, "higher"),
        number("discernibility.synthetic.smallest_class", 1, "higher"),
    ]
    (threshold,) = (q for q in answered(Measured(rows)) if "0.09" in q["title"])
    assert len(threshold["numbers"]) == 4
    assert all(note for *_, note in threshold["numbers"])
    assert threshold["numbers"][0] == (
        "reidentification.train.prosecutor_mean",
        "0.9990",
        "the original's risk, not the release's",
    )
