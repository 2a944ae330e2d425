"""Membership scores and what they show, against the oracle and published numbers."""

import math

import numpy as np
import pyarrow as pa
import pytest
from attacks import (
    ATTACKS,
    BY_DISTANCE,
    auc,
    delong,
    drawn,
    epsilon_lower,
    exposure,
    holm,
    rank_sum_p_value,
    rates,
    scores,
    top,
    top_p_value,
    wilson,
)  # fmt: skip
from calls import DATA, METRICS, answer, assert_same_rows, call, create, needs_data, rows_of, sql_rows
from hypothesis import given
from hypothesis import strategies as st
from oracle_scores import agreement
from strategies import EXACT_KINDS, trios

from examples import few, some
from synthpriv_sql.errors import EmptyTable, OptionError

SIDES = ["synthetic", "train", "holdout"]
EXACT = [{"metric": "hamming"}, {"metric": "manhattan", "scaling": "none"}]


def size(table):
    return len(next(iter(table.values())))


def expected_scores(trio, found, blamed):
    n = size(trio.train)
    return [
        {
            "side": "train" if i < n else "holdout",
            "record": i if i < n else i - n,
            "score": float(score),
            "synthetic": int(record),
            "evidence": [],
        }
        for i, (score, record) in enumerate(zip(found, blamed, strict=True))
    ]


def by_record(rows):
    return sorted(rows, key=lambda row: (row["side"] != "train", row["record"]))


@pytest.mark.each_value
@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("options", EXACT)
@few
@given(trio=trios(EXACT_KINDS, min_rows=2), k=st.sampled_from([1, 2]))
def test_scores_are_those_of_the_oracle(shared, attack, options, trio, k):
    rows = answer(shared, "membership_scores", trio, SIDES, attack=attack, k=k, **options)
    found = scores(trio.synthetic, trio.train, trio.holdout, attack, k, roles=trio.roles, **options)
    assert_same_rows(by_record(rows), expected_scores(trio, *found))


@pytest.mark.each_value
@pytest.mark.parametrize("attack", BY_DISTANCE)
@pytest.mark.parametrize("metric", METRICS)
def test_scores_of_larger_tables(session, metric, attack):
    random = np.random.default_rng(8)

    def table(n, shift):
        return {"x": (random.normal(size=n) + shift).tolist(), "t": random.choice(list("abcdef"), n).tolist()}

    tables = {"synthetic": table(150, 0.2), "train": table(120, 0.0), "holdout": table(90, 0.0)}
    create(session, **{name: pa.table(columns) for name, columns in tables.items()})
    rows = sql_rows(session.connection, call("membership_scores", *SIDES, attack=attack, metric=metric, k=3))
    assert [row["record"] for row in by_record(rows)] == [*range(120), *range(90)]
    found, _ = scores(*tables.values(), attack, 3, metric=metric)
    np.testing.assert_allclose([row["score"] for row in by_record(rows)], found, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("attack", ATTACKS)
@few
@given(trio=trios(min_rows=2))
def test_who_was_in_train_shows_in_no_score(shared, attack, trio):
    # Not to the last bit: the scores are the same where train and the holdout change places.
    tables = {side: trio.arrow(side) for side in SIDES}
    create(shared, **tables)
    found = sql_rows(shared.connection, call("membership_scores", *SIDES, attack=attack))
    swapped = sql_rows(shared.connection, call("membership_scores", "synthetic", "holdout", "train", attack=attack))
    other = {"train": "holdout", "holdout": "train"}
    assert by_record([row | {"side": other[row["side"]]} for row in swapped]) == by_record(found)


def test_duplicates_of_a_synthetic_record_are_one(session):
    train, holdout = pa.table({"x": [0.0, 10.0]}), pa.table({"x": [4.0]})
    given = {"attack": "ratio", **EXACT[1]}
    rows = rows_of(session.membership_scores(pa.table({"x": [1.0, 1.0, 3.0]}), train, holdout, **given))
    assert {(r["side"], r["record"]): r["score"] for r in rows} == {
        ("train", 0): -1 / 3, ("train", 1): -7 / 9, ("holdout", 0): -1 / 3
    }  # fmt: skip
    alone = rows_of(session.membership_scores(pa.table({"x": [1.0, 1.0]}), train, holdout, **given))
    assert {row["score"] for row in alone} == {-1.0}


def test_an_infinite_density_is_one_beyond_all_others(session):
    def densities(synthetic, train, holdout):
        tables = [pa.table({"x": values}) for values in (synthetic, train, holdout)]
        return [row["score"] for row in by_record(rows_of(session.membership_scores(*tables, attack="density")))]

    # The copy of 0 alone; 5 twice, and once in synthetic; 9 is 4 from 5 on both sides; 2 twice, and not in synthetic.
    assert densities([0.0, 5.0], [0.0, 5.0, 5.0], [9.0, 2.0, 2.0]) == [1.0, 0.0, 0.0, 0.0, -1.0, -1.0]
    least, most = math.log(13 / 15), math.log(7 / 2)
    assert densities([0.0, 5.0], [0.0, 7.0], [20.0]) == pytest.approx([most + 1, most, least])
    assert densities([1.0], [1.0], [2.0, 2.0]) == [1.0, -1.0, -1.0]


def test_scores_need_no_holdout(session):
    synthetic, train = pa.table({"x": [0.0, 4.0]}), pa.table({"x": [1.0, 9.0, 3.5]})
    rows = rows_of(session.membership_scores(synthetic, train, attack="distance"))
    assert [(row["side"], row["record"], row["synthetic"]) for row in rows] == [
        ("train", 0, 0), ("train", 1, 1), ("train", 2, 1)
    ]  # fmt: skip


# What scores show


def expected_membership(found, n, attacks, false_positive_rates, seed=0):
    """The rows of `membership`, from the scores of each attack."""
    p_values = {attack: rank_sum_p_value(found[attack][:n], found[attack][n:]) for attack in attacks}
    adjusted = dict(zip(p_values, holm(list(p_values.values())), strict=True))
    rows = []
    for attack in attacks:
        members, others = found[attack][:n].tolist(), found[attack][n:].tolist()
        area, error = auc(members, others), delong(members, others)
        points = rates(members, others)
        advantage = max(tpr - fpr for fpr, tpr in points)
        shown = {
            "attack": attack,
            "members": n,
            "non_members": len(others),
            "auc": area,
            "auc_lower": None if error is None else max(area - 1.959963984540054 * error, 0.0),
            "auc_upper": None if error is None else min(area + 1.959963984540054 * error, 1.0),
            "p_value": p_values[attack],
            "p_adjusted": adjusted[attack],
            "advantage": advantage,
            "advantage_p_value": math.exp(-2 * advantage**2 * n * len(others) / (n + len(others))),
            **dict(zip(("at_least", "listed"), top(members, others, len(attacks)), strict=False)),
            "top_p_value": top_p_value(members, others),
            "epsilon_lower": epsilon_lower(members, others, seed),
            "traced_lower": max(advantage - sum(math.sqrt(math.log(40) / (2 * m)) for m in (n, len(others))), 0.0),
        }
        for rate in sorted(false_positive_rates):
            best = max(tpr for fpr, tpr in points if fpr <= rate)
            possible = 1 / len(others) <= rate
            lower, upper = wilson(best, n)
            rows.append(
                shown
                | {
                    "false_positive_rate": rate,
                    "true_positive_rate": best if possible else None,
                    "lower": lower if possible else None,
                    "upper": upper if possible else None,
                }
            )
    return rows


@some
@given(trio=trios(EXACT_KINDS, min_rows=2), seed=st.integers(0, 3))
def test_membership_is_that_of_the_oracle(shared, trio, seed):
    some = [0.5, 0.1, 0.25]
    options = {**EXACT[1], "attack": list(ATTACKS), "false_positive_rates": some, "seed": seed}
    rows = answer(shared, "membership", trio, SIDES, **options)
    found = {
        attack: scores(trio.synthetic, trio.train, trio.holdout, attack, roles=trio.roles, **EXACT[1])[0]
        for attack in ATTACKS
    }
    rows.sort(key=lambda row: (ATTACKS.index(row["attack"]), row["false_positive_rate"]))
    assert_same_rows(rows, expected_membership(found, size(trio.train), ATTACKS, some, seed))


def leaky(rows, copied, seed=3):
    """Synthetic, train and holdout tables of two numbers: so many of synthetic's are train's, slightly moved."""
    random = np.random.default_rng(seed)
    train, holdout, synthetic = (random.normal(size=(n, 2)) for n in rows)
    synthetic[:copied] = train[:copied] + random.normal(scale=1e-3, size=(copied, 2))
    return [{"x": t[:, 0].tolist(), "y": t[:, 1].tolist()} for t in (synthetic, train, holdout)]


def test_membership_of_larger_tables(session):
    synthetic, train, holdout = leaky((300, 420, 250), 60)
    tables = map(pa.table, (synthetic, train, holdout))
    rows = rows_of(session.membership(*tables, attack=list(BY_DISTANCE), metric="euclidean", seed=7))
    found = {a: scores(synthetic, train, holdout, a, metric="euclidean")[0] for a in BY_DISTANCE}
    expected = expected_membership(found, 300, BY_DISTANCE, [0.001, 0.01, 0.1], 7)
    rows.sort(key=lambda row: (BY_DISTANCE.index(row["attack"]), row["false_positive_rate"]))
    assert_same_rows(rows, expected)
    assert expected[0]["epsilon_lower"] > 1
    assert [row["true_positive_rate"] is None for row in rows[:3]] == [True, False, False]


def test_one_attack_or_several(session):
    tables = [pa.table(t) for t in leaky((60, 60, 60), 10)]
    one = rows_of(session.membership(*tables, attack="ratio", false_positive_rates=0.1))
    assert [(row["attack"], row["false_positive_rate"]) for row in one] == [("ratio", 0.1)]
    assert one[0]["p_adjusted"] == one[0]["p_value"]
    two = session.membership(*tables, attack=["ratio", "distance", "ratio"], false_positive_rates=[0.5, 0.1])
    assert [(r["attack"], r["false_positive_rate"]) for r in two.to_arrow().to_pylist()] == [
        ("distance", 0.1), ("distance", 0.5), ("ratio", 0.1), ("ratio", 0.5)
    ]  # fmt: skip


def test_the_published_vector_of_the_auc():
    members, others = [0.9, 0.8, 0.8, 0.3], [0.8, 0.5, 0.3, 0.1]
    assert auc(members, others) == 0.78125


def test_draws_are_permutations_without_an_order():
    lots = [drawn(i, 0) for i in range(5000)]
    assert len(set(lots)) == 5000
    assert abs(np.corrcoef(range(5000), lots)[0, 1]) < 0.05
    assert abs(np.corrcoef(lots[1:], lots[:-1])[0, 1]) < 0.05
    assert abs(np.corrcoef(lots, [drawn(i, 1) for i in range(5000)])[0, 1]) < 0.05


# Exposure


@pytest.mark.parametrize("attack", ["distance", "agreement", "agreement_near"])
@few
@given(trio=trios(EXACT_KINDS, min_rows=2))
def test_exposure_is_that_of_the_oracle(shared, attack, trio):
    options = EXACT[0]
    near = 0.1
    rows = answer(shared, "exposure", trio, SIDES, attack=attack, near=near, false_discovery=0.5, **options)
    found, blamed = scores(trio.synthetic, trio.train, trio.holdout, attack, near=near, roles=trio.roles, **options)
    own, agreeing = [None] * len(found), [None] * len(found)
    if attack != "distance":
        near = 0.0 if attack == "agreement" else near
        *_, own, bits = agreement(trio.synthetic, trio.train, trio.holdout, near, roles=trio.roles)
        columns = [[{"column": c, "bits": b} for c, b in zip(trio.train, row, strict=True) if b > 0] for row in bits]
        own, agreeing = own.tolist(), columns
    n = size(trio.train)
    p_values, q_values = exposure(found[:n], found[n:])
    *_, threshold = top(found[:n], found[n:])
    assert_same_rows(
        rows,
        [
            {
                "record": i,
                "attack": attack,
                "score": float(found[i]),
                "p_value": p_values[i],
                "q_value": q_values[i],
                "exposed": q_values[i] <= 0.5,
                "sure": found[i] >= threshold,
                "synthetic": int(blamed[i]),
                "own_bits": own[i],
                "agreeing": agreeing[i],
            }
            for i in range(n)
        ],
    )


def test_those_who_were_copied_are_named_and_hardly_anybody_else(session):
    synthetic, train, holdout = leaky((600, 900, 500), 90, seed=4)
    rows = rows_of(session.exposure(*map(pa.table, (synthetic, train, holdout)), attack="distance", metric="euclidean"))
    exposed = {row["record"] for row in rows if row["exposed"]}
    assert len(exposed & set(range(90))) >= 80
    assert len(exposed - set(range(90))) <= 12
    assert all(row["synthetic"] == row["record"] for row in rows if row["record"] in exposed & set(range(90)))


@pytest.mark.parametrize("function", ["membership", "exposure"])
def test_without_real_rows_that_were_not_seen_nothing_can_be_said(session, function):
    table = pa.table({"x": [1.0, 2.0]})
    with pytest.raises(OptionError, match=r'"holdout" is missing: real rows that it never saw, drawn like train'):
        getattr(session, function)(table, table, None)
    with pytest.raises(EmptyTable):
        getattr(session, function)(table, table, pa.table({"x": pa.array([], pa.float64())}))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"attack": "guess"}, "is not one of"),
        ({"attack": []}, "is not one of"),
        ({"attack": "calibrated"}, 'needs the table "reference", which is missing'),
        ({"false_positive_rates": [0.1, 1.0]}, "out of range"),
        ({"false_positive_rates": 0}, "out of range"),
        ({"k": 3, "attack": "density"}, "asks for 3 neighbors, but .* has only 2 rows"),
        ({"k": 0}, "out of range"),
        ({"seed": -1}, "out of range"),
    ],
)
def test_options_that_make_no_sense(session, options, message):
    train = pa.table({"x": [1.0, 2.0, 3.0, 5.0]})
    with pytest.raises(OptionError, match=message):
        session.membership(pa.table({"x": [1.0, 2.0]}), train, train, **options)


# Published numbers


@pytest.mark.slow
@needs_data
def test_housing(session):
    tables = [f"{DATA}/housing_{name}.csv" for name in ("synth", "mem", "non_mem")]
    found = session.membership(
        *tables,
        attack=[*BY_DISTANCE, "calibrated"],
        reference=f"{DATA}/housing_ref.csv",
        metric="euclidean",
        scaling="none",
        false_positive_rates=0.1,
    )
    rows = {row["attack"]: row for row in rows_of(found)}
    areas = {"distance": 0.527425, "ratio": 0.5316, "calibrated": 0.562275}
    assert {a: rows[a]["auc"] for a in areas} == pytest.approx(areas, abs=1e-12)
    errors = {a: (rows[a]["auc_upper"] - rows[a]["auc"]) / 1.959963984540054 for a in areas}
    assert errors["distance"] == pytest.approx(0.028904, abs=5e-7)
    assert errors["calibrated"] == pytest.approx(0.028675, abs=5e-7)
    assert rows["calibrated"]["true_positive_rate"] == 0.215


@pytest.mark.nightly
@needs_data
def test_adult(session):
    def distance(name):
        tables = [f"{DATA}/adult_{table}.csv.gz" for table in (name, "trn", "val")]
        return rows_of(session.membership(*tables, attack="distance", false_positive_rates=0.01))[0]

    found = {name: distance(name) for name in ("flip10", "flip30", "flip50", "flip70", "synthpop")}
    assert found["flip70"]["auc"] == pytest.approx(0.499, abs=0.001)
    assert found["synthpop"]["auc"] == pytest.approx(0.559, abs=0.001)
    assert found["synthpop"]["true_positive_rate"] == pytest.approx(0.049, abs=0.001)
    flipped = [found[f"flip{percent}"]["auc"] for percent in (10, 30, 50, 70)]
    assert flipped == sorted(flipped, reverse=True)
