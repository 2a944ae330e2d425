"""The attack `kernel` against a plain computation of its definition."""

import math
import re
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from calls import rows_of

from synthpriv_sql import errors
from synthpriv_sql.kernels import smoothing
from synthpriv_sql.kernels.threads import SearchOptions
from synthpriv_sql.planner.headers import arguments, catalog


def factors(values, width, share, weight):
    """The logarithm of the factor of one column for two values, from all real values."""
    known = [v for v in values if v is not None]
    counts = Counter(values)
    deviation = None if any(isinstance(v, str) for v in known) or len(set(known)) < 2 else np.std(known)

    def factor(x, s):
        if x is None and s is None:
            found = (1 - share) + share * counts[None] / len(values)
        elif x is None or s is None:
            found = share * min(counts.values()) / len(values)
        elif deviation is None:
            found = (1 - share) * (x == s) + share * counts[x] / len(values)
        else:
            return -0.5 * weight * ((x - s) / (width * deviation)) ** 2
        return weight * math.log(found)

    return factor


def scores(synthetic, real, width=0.5, share=0.3, weights=()):
    """The scores of all real records, and the synthetic record with the largest product of each."""
    weights = dict(weights)
    columns = {name: [None if v is None or v != v else v for v in real[name]] for name in real}
    made = {name: [None if v is None or v != v else v for v in synthetic[name]] for name in real}
    of = {name: factors(columns[name], width, share, weights.get(name, 1.0)) for name in columns}
    out, nearest = [], []
    for i in range(len(real)):

        def logs(table, rows, i=i):
            return np.array([
                sum(of[name](columns[name][i], table[name][s]) for name in columns)
                for s in rows
            ])  # fmt: skip

        mine, others = logs(made, range(len(synthetic))), logs(columns, [r for r in range(len(real)) if r != i])
        means = [a.max() + math.log(np.exp(a - a.max()).mean()) if len(a) else 0.0 for a in (mine, others)]
        out.append(means[0] - means[1])
        nearest.append(int(mine.argmax()))
    return out, nearest


def in_order(result):
    return sorted(rows_of(result), key=lambda row: (row["side"] == "holdout", row["record"]))


def table(rows, seed, names=("Income", "b", "Town 1", "same", "day"), many=8):
    random = np.random.default_rng(seed)
    values = [
        np.where(random.random(rows) < 0.1, np.nan, random.normal(size=rows)),
        random.integers(0, 4, rows),
        [None if v == 3 else f"v{v}" for v in random.integers(0, many, rows)],
        np.full(rows, 1.5),
        random.normal(size=rows) * 1e6,
    ]
    return pd.DataFrame(dict(zip(names, values, strict=True)))


@pytest.mark.parametrize("case", ["mixed", "many values", "one row", "ties", "weights", "numbers", "words", "missing"])
def test_scores_are_those_of_the_definition(shared, case):
    synthetic, train, holdout = table(23, 1), table(17, 2), table(11, 3)
    options = {"bandwidth": [0.4, 0.4]} if case == "many values" else {}
    if case == "many values":  # many codes, and rows of several blocks
        synthetic, train, holdout = table(700, 1, many=400), table(60, 2, many=900), table(50, 3, many=900)
    elif case == "one row":
        train, holdout = train[:1], holdout[:0]
    elif case == "ties":
        synthetic = pd.concat([synthetic[:3]] * 3, ignore_index=True)
        train = pd.concat([train[:4], synthetic[:2], train[:4]], ignore_index=True)
    elif case == "weights":
        options = {"weights": {"b": 2, "Town 1": 0.5, "day": 0}}
    elif case in {"numbers", "words"}:
        columns = ["Income", "b"] if case == "numbers" else ["Town 1"]
        synthetic, train, holdout = (t[columns] for t in (synthetic, train, holdout))
    elif case == "missing":
        train, holdout = (
            t.assign(Income=np.nan, **{"Town 1": None}).astype({"Town 1": object}) for t in (train, holdout)
        )
        holdout.loc[0, "Town 1"] = "v1"
    found = in_order(
        shared.membership_scores(synthetic, train, holdout if len(holdout) else None, attack="kernel", **options)
    )
    real = pd.concat([train, holdout], ignore_index=True)
    weights = options.get("weights", {})
    compared = [name for name in real if weights.get(name) != 0]
    width, share = options.get("bandwidth", (0.5, 0.3))
    expected, nearest = scores(synthetic[compared], real[compared], width, share, weights)
    np.testing.assert_allclose([row["score"] for row in found], expected, rtol=1e-9, atol=1e-9)
    assert [row["synthetic"] for row in found] == nearest


def test_sides_and_orders_of_real_rows_change_nothing(shared):
    """To the bit: a score does not know who was in train."""
    synthetic, train, holdout = table(60, 4), table(40, 5), table(30, 6)
    one, other = (
        in_order(shared.membership_scores(synthetic, *sides, attack="kernel"))
        for sides in ((train, holdout), (holdout, train))
    )
    assert [r["score"] for r in one] == [r["score"] for r in other[30:] + other[:30]]


def test_a_person_has_the_mean_of_its_rows(shared):
    synthetic, train, holdout = table(30, 7), table(20, 8), table(20, 9)
    train["who"], holdout["who"] = np.arange(20) // 2, 100 + np.arange(20) // 4
    rows = in_order(shared.membership_scores(synthetic, train, holdout, attack="kernel", exclude=["who"]))
    persons = in_order(shared.membership_scores(synthetic, train, holdout, attack="kernel", unit="who"))
    of_rows = pd.DataFrame(rows).assign(who=[*train.who, *holdout.who]).groupby("who").score.mean()
    assert [row["score"] for row in persons] == pytest.approx(of_rows[[row["person"] for row in persons]].tolist())


def test_a_leak_in_many_columns_is_found_and_others_are_not(shared):
    random = np.random.default_rng(3)

    def people(rows):
        return pd.DataFrame(random.normal(size=(rows, 6)) + random.normal(size=(rows, 1)), columns=list("abcdef"))

    train, holdout, others = people(300), people(300), people(300)
    noisy = train + 0.5 * random.normal(size=train.shape)
    aucs = [
        row["auc"]
        for synthetic in (noisy, others)
        for row in rows_of(shared.membership(synthetic, train, holdout, attack="kernel", false_positive_rates=0.1))
    ]
    assert aucs[0] > 0.68
    assert aucs[1] < 0.56
    rows = rows_of(shared.exposure(train, train, holdout, attack="kernel"))
    assert all((row["attack"], row["synthetic"]) == ("kernel", row["record"]) for row in rows)
    assert sum(row["exposed"] for row in rows) > 20


def test_what_is_asked_for_by_name_and_what_cannot_be(shared):
    tables = table(20, 1), table(20, 2), table(20, 3)
    for name in ("membership", "exposure"):
        given = {"synthetic": "s", "train": "t", "holdout": "h"}
        asked = {
            word: arguments.check(catalog.function(name), given | {"attack": attack}).options["attack"]
            for word, attack in (("all", "all"), ("both", ["all", "kernel"]))
        }
        assert [*{*asked["both"]} - {*asked["all"]}] == ["kernel"]
    for given in ([0.5], [0.5, 1.5], [0.1, 0.2, 0.3]):
        with pytest.raises(errors.OptionError, match=re.escape('"bandwidth" must be two numbers')):
            shared.membership_scores(*tables, attack="kernel", bandwidth=given)
    with pytest.raises(errors.EmptyTable, match="has no rows"):
        shared.membership_scores(tables[0][:0], *tables[1:], attack="kernel")


def test_exponentials_are_those_of_the_library():
    x = np.linspace(-36, 0, 2000)
    rows = smoothing.Rows(np.zeros((1, 1)), np.ones((1, 1), np.int32), np.zeros(1, np.uint8))
    asked = smoothing.Rows(np.sqrt(-2 * x)[None], np.ones((1, len(x)), np.int32), np.zeros(1, np.uint8))
    both = smoothing.Rows(np.zeros((1, 2)), np.ones((1, 2), np.int32), np.zeros(1, np.uint8))
    factors = smoothing.Factors(np.array([0, 2]), np.zeros(2), np.zeros(2), np.zeros(1), np.ones(1))
    own = np.full(len(x), -1)
    for table in (rows, both):
        found = smoothing.log_means(asked, table, factors, own, options=SearchOptions(2)).logarithms
        np.testing.assert_allclose(found, x, rtol=1e-14, atol=1e-15)
