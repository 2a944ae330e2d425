"""What regulators ask: the numbers that are said to speak to it are there, and the worst of each is shown."""

import re

import pytest
from calls import ROOT
from suites import only_where_tested

from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.regulation import QUESTIONS, answered
from synthpriv_sql.results.checks.numbers import declared, expanded

only_where_tested("verdicts")

PAGE = (ROOT / "docs" / "regulation.md").read_text(encoding="utf-8")


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
    known = set(declared_names())
    asked = {(speaking.metric, speaking.statistic) for question in QUESTIONS for speaking in question.numbers}
    assert asked <= known


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([a-z_]+\.[\w.]+)`", PAGE))))
def test_every_number_of_the_documentation_is_one_of_evaluate(name):
    parts = name.split(".")
    assert (parts[0], parts[-1]) in set(declared_names())


def test_the_documentation_names_the_sources():
    for question in QUESTIONS:
        assert question.source in PAGE
    assert len({question.source for question in QUESTIONS}) == 4


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
    ]
    shown = {question["title"]: dict(question["numbers"]) for question in answered(Measured(rows))}
    assert shown["Singling out"] == {"exposure.exposed": "12"}
    assert shown["Membership disclosure"] == {"membership.uniques.auc": "0.7100", "exposure.exposed": "12"}
    assert shown["Attribute disclosure"] == {"attribute_inference.job.risk": "10\u202f%"}
    assert shown["Thresholds of k-anonymity"] == {
        "discernibility.train.smallest_class": "4",
        "discernibility.synthetic.smallest_class": "1",
    }
    assert shown["Linkability"] == {}
