"""What a model trained on synthetic tells of people: the verdict, the page and the decision page say it."""

import warnings

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("vl_convert", reason="the extra `report` is not installed")

from synthpriv_sql.errors import SynthprivWarning
from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.verdict.words import verdict

READS = "A model trained on synthetic reads the code of {} people of train, at the given false discovery rate."
GIVES = (
    "At least {} people of train have their code given away by a model trained on synthetic, of the {} of whom it "
    "tells most."
)
TELLS = "A model trained on synthetic tells more of the code of people of train than of strangers."


def number(metric, statistic, value, variant=None, lower=None, upper=None):
    row = {"item": "number", "section": metric, "metric": metric, "variant": variant, "statistic": statistic}
    return row | {"value": value, "lower": lower, "upper": upper, "better": None, "meaning": ""}


def judged(read=0, top=0, listed=0, auc=0.5, p=0.5, first=0.5, excess=0.0, differs=False):
    """The verdict on 1,000 people of whom nothing else leaks, and its answer about secrets."""
    found = [
        *(number("exposure", name, value) for name, value in (("exposed", 0), ("people", 1000), ("missed", 7))),
        number("membership", "noticed", 0.54),
        number("membership", "auc", 0.5, "agreement", lower=0.49, upper=0.51),
        number("split", "differs", float(differs)),
        number("dcr", "n", 1000, "holdout_train"),
        number("attribute_inference", "auc", auc, "code", lower=auc - 0.01, upper=auc + 0.01),
        number("attribute_inference", "trained_excess", excess, "code", lower=excess - 0.01, upper=excess + 0.01),
        number("attribute_inference", "auc", 0.5, "town", lower=0.49, upper=0.51),
    ]
    of_code = {"read": read, "at_least": top, "listed": listed, "p_value": p, "top_p_value": first}
    found += [number("attribute_inference", name, value, "code") for name, value in of_code.items()]
    said = verdict(Measured(found))
    (answer,) = (finding for finding in said.findings if finding.question == "Secrets given away")
    return said, answer


@pytest.mark.parametrize(
    ("given", "level", "figure", "note"),
    [
        ({}, "good", "0", "A model trained on synthetic tells no more of people of train than of strangers."),
        ({"read": 9, "top": 7, "listed": 20}, "bad", "9", READS.format(9)),
        ({"read": 1}, "bad", "1", READS.format(1)),
        ({"top": 5, "listed": 12}, "bad", "at least 5", GIVES.format(5, 12)),
        ({"top": 4, "listed": 12}, "watch", "at least 4", GIVES.format(4, 12)),
        ({"auc": 0.56, "p": 1e-6}, "bad", "0", TELLS),
        ({"auc": 0.515, "p": 1e-6, "excess": 0.04}, "bad", "0", TELLS),
        ({"auc": 0.515, "p": 1e-6}, "watch", "0", TELLS),  # too little to matter
        ({"auc": 0.505, "p": 1e-6}, "good", "0", None),  # within the control
        ({"first": 1e-4}, "watch", "0", TELLS),
        ({"first": 0.006}, "good", "0", None),  # of two secrets
    ],
)
def test_secrets_are_judged_as_attacks_are(given, level, figure, note):
    said, answer = judged(**given)
    assert (answer.level, answer.figure) == (level, figure)
    assert note is None or answer.note == note
    if level != "good":
        assert (said.level, said.headline) == (level, note)
        assert said.given_away == max(given.get("read", 0), given.get("top", 0))


def test_a_holdout_of_other_people_clears_and_accuses_nobody():
    said, answer = judged(read=9, differs=True)
    assert (said.level, answer.level, answer.figure) == ("none", "none", "—")


def people(rows, seed):
    random = np.random.default_rng(seed)
    codes = np.array(["c0", "c1", "c2"])
    table = pd.DataFrame({"age": random.integers(20, 70, rows), "place": random.normal(size=rows).round(6)})
    table["income"] = np.where(table["age"] + random.normal(0, 3, rows) > 45, "high", "low")
    return table.assign(code=codes[random.integers(0, 3, rows)])


@pytest.mark.slow
def test_a_secret_that_is_given_away_is_a_leak_in_all_places(session, tmp_path):
    """Only models look at places and codes; an income that everybody's age tells is no leak.

    Where the place finds a person's own record, incomes are read of some whose age, near 45, leaves them open.
    """
    train, holdout, fresh = (people(500, seed) for seed in (1, 2, 3))
    near = train["place"] + np.random.default_rng(4).normal(0, 0.001, 500)
    copied = train.assign(place=near)
    known = {"known": ["age", "place"], "secrets": ["income", "code"], "columns": ["age", "income"]}
    few = {"attack": "distance", "named_by": "distance"}
    page, decision = tmp_path / "page.html", tmp_path / "decision.html"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SynthprivWarning)
        leaky = session.report(page, copied, train, holdout, decision=decision, **known, **few)
        safe = session.evaluate(fresh, train, holdout, **known, **few)
    assert leaky.verdict.level == "bad"
    assert "code" in leaky.verdict.headline
    assert "model trained on synthetic" in leaky.verdict.headline
    assert safe.verdict.level != "bad"
    of_leaky, of_safe = (
        {(row["variant"], row["statistic"]): row["value"] for row in result.to_arrow().to_pylist()}
        for result in (leaky, safe)
    )
    assert of_leaky["income", "trained_control"] > 0.8
    assert of_safe["income", "trained_control"] > 0.8
    assert of_safe["income", "read"] == of_safe["code", "read"] == 0
    assert of_leaky["code", "read"] > 450
    open_ages = np.abs(train["age"] - 45.5) <= 9  # three standard deviations; 181 of 500 people
    assert 0 < of_leaky["income", "read"] < open_ages.sum() / 2
    scores = session.inference_scores(copied, train, holdout, known=known["known"], secrets=["income"]).to_pandas()
    read = scores[(scores["side"] == "train") & (scores["q_value"] <= 0.05)]
    assert open_ages[read["record"]].mean() > 0.9
    assert "Trained inference" in page.read_text("utf-8")
    assert "People whose secret it gives away, at least" in decision.read_text("utf-8")
