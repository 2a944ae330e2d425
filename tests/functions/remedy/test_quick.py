"""Cheap evidence on a state: one statement says what several functions do, and no more is asked than is needed."""

import leaks
import numpy as np
import pyarrow as pa
import pytest

from synthpriv_sql.learned.nearness import FEW_ROWS
from synthpriv_sql.planner.headers import catalog, known_files
from synthpriv_sql.remedies.measuring import Measuring

ROWS = 150
_LEARNED = ("membership", "learned", "auc")


@pytest.fixture(scope="module")
def tables():
    return leaks.two_columns_copied(2, ROWS, 90)


def test_cheap_evidence_is_that_of_the_functions(shared, tables):
    measures = Measuring(shared.call, {}).quickly(tables)
    attacks = ["uniques", "agreement", "density"]
    told = shared.membership(**tables, attack=attacks, false_positive_rates=[0.1]).to_arrow().to_pydict()
    named = shared.call(catalog.file(known_files.STILL_NAMED), **tables, attack=["uniques"])["exposed"][0]
    assert measures.named == named > 40
    assert measures.at_least == max(told["at_least"])
    assert measures.auc == max(told["auc"])
    assert measures.attack == told["attack"][int(np.argmax(told["auc"]))]
    found = shared.uniques(**tables).to_arrow().to_pylist()
    signed = [(name, 1 if row["side"] == "train" else -1) for row in found for name in row["columns"]]
    excess = {asked: sum(sign for name, sign in signed if name == asked) for asked in ("income", "zip")}
    assert measures.blamed == excess


@pytest.mark.nightly
def test_a_half_is_judged_by_the_features_that_all_people_would_be(shared):
    """With each column left out only if those are few; no other number depends on how many there are."""
    tables = leaks.two_columns_copied(2, 2 * ROWS, 180)
    part = catalog.file(known_files.GIVEN_AWAY)

    def told(of):
        rows = shared.call(part, **tables, attack=["uniques", "learned"], real_from=of).to_arrow().to_pylist()
        return {(row["section"], row["variant"], row["statistic"]): row["value"] for row in rows}

    of_all, fewer, many = map(told, (None, FEW_ROWS, FEW_ROWS + 1))
    assert of_all == fewer
    assert fewer[_LEARNED] != many[_LEARNED]
    uniques = {key for key in of_all if key[:2] == ("membership", "uniques")}
    assert {key: of_all[key] for key in uniques} == {key: many[key] for key in uniques}
    measures = Measuring(shared.call, {"attack": ["uniques", "learned"], "real_from": FEW_ROWS + 1})
    assert measures.judged(tables, whole=True).auc == max(many[_LEARNED], many["membership", "uniques", "auc"])


def test_other_attacks_are_not_asked_where_uniques_name_many(shared, tables):
    asked = []

    def call(function, **given):
        asked.append(function if isinstance(function, str) else function.name)
        return shared.call(function, **given)

    alone = Measuring(call, {}).quickly(tables, most=10)
    assert asked == ["unique_evidence"]
    assert alone.named > 40
    assert alone.attack == "uniques"
    assert alone.clear
    assert not alone.gives_nobody_away
    few = Measuring(call, {}).quickly(tables, most=ROWS)
    assert asked == ["unique_evidence", "unique_evidence", "membership"]
    assert few == Measuring(call, {}).quickly(tables)


@pytest.mark.slow
def test_the_first_verdict_is_that_of_evaluate(shared, tables):
    options = {"attack": ["uniques", "agreement"], "named_by": ["uniques"]}
    first = Measuring(shared.call, options).judged(tables, whole=True)
    whole = shared.evaluate(**tables, **options)
    assert (first.level, first.headline) == (whole.verdict.level, whole.verdict.headline)
    evaluated = {(row["section"], row["variant"], row["statistic"]): row["value"] for row in whole}
    told = shared.call(catalog.file(known_files.JUDGED_AT_FIRST), **tables, **options)
    sections = {row["section"] for row in told}
    assert {"split", "identifiers", "exposure", "membership"} <= sections
    alike = {(row["section"], row["variant"], row["statistic"]): row["value"] for row in told}
    assert alike == {key: value for key, value in evaluated.items() if key[0] in sections}


@pytest.mark.nightly
def test_whom_attacks_give_away_is_asked_without_the_rest_of_the_verdict(shared, tables):
    asked = []

    def call(function, **given):
        asked.append(function if isinstance(function, str) else function.name)
        return shared.call(function, **given)

    measuring = Measuring(call, {"attack": ["uniques", "agreement", "density"], "named_by": ["uniques"]})
    whole = measuring.given_away(tables)  # nothing is known of the holdout yet: the verdict says who counts
    assert asked == ["judged"]
    measuring.judged(tables, whole=True)
    told = measuring.given_away(tables)
    assert asked[1:] == ["judged_at_first", "given_away"]
    assert told.named > 40
    assert told.level is None
    numbers = ("named", "at_least", "auc", "attack", "clear", "widely", "by_all", "least")
    judged = measuring.judged(tables)
    assert [getattr(told, name) for name in numbers] == [getattr(judged, name) for name in numbers]
    assert whole.level == judged.level == "bad"


def test_copies_are_records_of_people(shared, tables):
    measuring = Measuring(shared.call, {})
    others = tables["synthetic"][90:]
    assert not measuring.has_copies({**tables, "synthetic": others})
    assert measuring.has_copies({**tables, "synthetic": pa.concat_tables([others, tables["train"][:1]])})


def test_persons_are_taken_out_with_all_rows(shared):
    rng = np.random.default_rng(3)

    def visits(first):
        rows = 70 * 3
        who = np.repeat(np.arange(first, first + 70), 3)
        amounts = rng.lognormal(8, 1, rows).round(2)
        return {"who": who, "amount": amounts, "day": rng.integers(0, 999, rows), "kind": rng.choice(list("abc"), rows)}

    train, holdout, synthetic = visits(0), visits(100), visits(200)
    for name in ("amount", "day", "kind"):
        synthetic[name][30:36] = train[name][60:66]  # two persons; one row of theirs is another
    synthetic["amount"][32], synthetic["day"][32] = 1.5, 0
    tables = {"synthetic": pa.table(synthetic), "train": pa.table(train), "holdout": pa.table(holdout)}
    carrying = Measuring(shared.call, {"unit": "who"}).carrying(tables)
    assert np.flatnonzero(carrying).tolist() == list(range(30, 36))
