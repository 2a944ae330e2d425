"""Splits by a coin for each record, and the bound of epsilon on them: randomized response, whose epsilon is known."""

import math

import numpy as np
import pyarrow as pa
import pytest
from attacks import drawn
from calls import call, cli, create, rows_of, sql_rows
from scipy.stats import beta

import synthpriv_sql
from synthpriv_sql.errors import OptionError, TooFew
from synthpriv_sql.learned import judging

SHARES = (200, 20, 2)


@pytest.fixture(scope="module")
def asked():
    with synthpriv_sql.connect() as session:
        yield session


def bound(guesses, correct, folds=1):
    """What so many right guesses refute at 0.05 / 3, shared by the folds."""
    lower = beta.ppf(0.05 / 3 / folds, correct, guesses - correct + 1) if correct else 0.0
    return math.log(lower / (1 - lower)) if lower > 0.5 else 0.0


def guessed(scores, members, lots):
    """(guesses, right ones) for each number of guesses, from scores and who is a member."""
    order = np.lexsort((lots, -scores))
    found = []
    for one_in in SHARES:
        k = len(scores) // one_in
        if k:
            right = members[order[:k]].sum() + (~members[order[len(order) - k :]]).sum()
            found.append((2 * k, int(right)))
    return found


def response(random, people, epsilon):
    """Whether a coin put each into train, and what randomized response says of it."""
    members = random.random(people) < 0.5
    truthful = random.random(people) < math.exp(epsilon) / (1 + math.exp(epsilon))
    return members, np.where(truthful, members, ~members).astype(float)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_the_bound_is_below_epsilon_in_95_of_100_runs(epsilon):
    random = np.random.default_rng(9)
    bounds = []
    for _ in range(200):
        members, said = response(random, 1000, epsilon)
        bounds.append(max(bound(*pair) for pair in guessed(said, members, random.random(1000))))
    assert np.mean(np.array(bounds) <= epsilon) >= 0.95
    if epsilon == 2.0:
        assert min(bounds) >= 0.5 * epsilon


@pytest.mark.parametrize("epsilon", [0.0, 2.0])
def test_an_audit_gives_that_bound(asked, epsilon):
    random = np.random.default_rng(int(epsilon))
    for seed in range(3):
        members, said = response(random, 500, epsilon)
        n = int(members.sum())
        score = np.r_[said[members], said[~members]]
        real = pa.table({"x": random.normal(size=500)})
        own = pa.table({"record": range(500), "score": score})
        rows = rows_of(
            asked.audit(real.slice(0, 9), real.slice(0, n), real.slice(n), attack="own", scores=own, seed=seed)
        )
        lots = [drawn(2 * i, seed) for i in range(n)] + [drawn(2 * i + 1, seed) for i in range(500 - n)]
        expected = guessed(score, np.arange(500) < n, np.array(lots))
        assert [(row["guesses"], row["correct"]) for row in rows] == expected
        assert [row["epsilon_lower"] for row in rows] == pytest.approx([bound(*pair) for pair in expected], abs=1e-9)
        assert {(row["attack"], row["canaries"]) for row in rows} == {("own", 500)}
        best = max(row["epsilon_lower"] for row in rows)
        assert best <= epsilon + 1e-9 if epsilon else best < 1
        assert best >= 0.5 * epsilon


def test_no_coin_gives_such_halves(asked):
    table = pa.table({"x": [float(i) for i in range(200)]})
    with pytest.raises(OptionError, match=r"has 40 records and .* has 160, which no fair coin gives; split with"):
        asked.audit(table, table.slice(0, 40), table.slice(40), attack="distance")
    with pytest.raises(TooFew, match="the attack learned needs 100 records"):
        asked.audit(table, table, table.slice(20), attack="learned")


def test_what_is_learned_is_bounded_in_each_fold(asked):
    """The coins of a fold are guessed from those of the others: the folds share the level, their guesses are added."""
    random = np.random.default_rng(3)
    members = random.random(480) < 0.5
    value = random.normal(size=480)
    real = pa.table({"x": value, "y": random.integers(0, 3, 480)})
    train, holdout = real.filter(members), real.filter(~members)
    synthetic = pa.table({"x": value[members][:120], "y": random.integers(0, 3, 120)})
    rows = rows_of(asked.audit(synthetic, train, holdout, attack=["learned", "kernel"], folds=2, seed=1))
    n = train.num_rows
    for attack, folds in (("learned", 2), ("kernel", 1)):
        own = [row for row in rows if row["attack"] == attack]
        assert {row["canaries"] for row in own} == {480}
        found = asked.membership_scores(synthetic, train, holdout, attack=attack, folds=2, seed=1).to_arrow()
        score = np.array(found["score"].to_pylist())
        lots = np.array([drawn(2 * i, 1) for i in range(n)] + [drawn(2 * i + 1, 1) for i in range(480 - n)])
        fold = np.zeros(480, np.int64)
        if folds == 2:
            fold = judging.assign_folds(np.arange(480), np.arange(480) < n, 2, 1)
        each = [guessed(score[fold == f], (np.arange(480) < n)[fold == f], lots[fold == f]) for f in range(folds)]
        sums = [tuple(map(sum, zip(*pairs, strict=True))) for pairs in zip(*each, strict=True)]
        assert [(row["guesses"], row["correct"]) for row in own] == sums
        bounds = [max(bound(*pair, folds) for pair in pairs) for pairs in zip(*each, strict=True)]
        assert [row["epsilon_lower"] for row in own] == pytest.approx(bounds, abs=1e-9)
    assert max(row["epsilon_lower"] for row in rows) > 0


def test_a_split_is_a_coin_for_each_record(asked):
    data = pa.table({'a "b"': range(3000), "Side": ["x"] * 3000})
    create(asked, data=data)
    found = asked.split(data, share=0.3, seed=4).to_arrow()
    assert found.column_names == ['a "b"', "Side", "side_1"]
    assert found.drop_columns("side_1").equals(data)
    in_train = np.array([value == "train" for value in found["side_1"].to_pylist()])
    assert abs(in_train.mean() - 0.3) < 4 * math.sqrt(0.21 / 3000)
    # Neighbors decide nothing: as many runs as of independent coins.
    runs = np.count_nonzero(np.diff(in_train))
    assert abs(runs - 3000 * 2 * 0.21) < 4 * math.sqrt(3000 * 0.42 * 0.58)
    assert in_train.tolist() == [drawn(i, 4) < 0.3 * 2147483647 for i in range(3000)]
    again = sql_rows(asked.connection, call("split", "data", share=0.3, seed=5))
    assert [row["side_1"] == "train" for row in again] != in_train.tolist()
    with pytest.raises(OptionError, match="out of range"):
        asked.split(data, share=1.0)


def test_on_the_command_line(asked, tmp_path):
    asked.connection.from_arrow(pa.table({"x": range(40)})).write_csv(str(tmp_path / "data.csv"))
    code, out, err = cli("split", "--data", str(tmp_path / "data.csv"), "--seed", "3", "--format", "csv")
    assert (code, err) == (0, "")
    assert out.splitlines()[:1] == ["x,side"]
    assert {line.rpartition(",")[2] for line in out.splitlines()[1:]} == {"train", "holdout"}
