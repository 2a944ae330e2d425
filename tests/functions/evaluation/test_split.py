"""Is the holdout one? Statistics of columns against SciPy, and splits that are none."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats


def people(rows, seed):
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": random.integers(18, 90, rows),
            "income": random.lognormal(10, 0.5, rows),
            "Job": [None if j == 7 else f"job {j}" for j in random.geometric(0.2, rows)],
            "name": [f"name {i}" for i in random.integers(0, 2**40, rows)],
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 300, rows), "D"),
            "same": 1,
        }
    )


TRAIN, HOLDOUT = people(150, 1), people(90, 2)


def checked(session, *tables, **options):
    rows = session.split_check(*tables, **options).to_arrow().to_pylist()
    assert rows[-1]["column_name"] is None
    return {row["column_name"]: row for row in rows}


def chi_squared(train, holdout):
    """Pearson's test, values of which fewer than five are expected in a table as one."""
    counts = pd.DataFrame({"r": train.value_counts(dropna=False), "h": holdout.value_counts(dropna=False)}).fillna(0)
    rare = counts.sum(axis=1) * min(len(train), len(holdout)) / (len(train) + len(holdout)) < 5
    cells = [*counts[~rare].to_numpy(), *([counts[rare].sum().to_numpy()] if rare.any() else [])]
    return stats.chi2_contingency(np.array(cells).T, correction=False).pvalue if len(cells) > 1 else 1.0


def test_columns_are_those_of_scipy(shared):
    found = checked(shared, TRAIN, HOLDOUT)
    p_values = {}
    for name in TRAIN:
        row, (r, h) = found[name], (TRAIN[name], HOLDOUT[name])
        if name in {"Job", "name"}:
            shares = pd.DataFrame({"r": r.value_counts(True, dropna=False), "h": h.value_counts(True, dropna=False)})
            assert row["statistic"] == pytest.approx(abs(shares.fillna(0).diff(axis=1)["h"]).sum() / 2, abs=1e-12)
            assert row["p_value"] == pytest.approx(chi_squared(r, h), abs=0.01)
        else:
            wanted = stats.ks_2samp(
                r.astype("int64" if name == "day" else float), h.astype("int64" if name == "day" else float)
            )
            assert row["statistic"] == pytest.approx(wanted.statistic, abs=1e-12)
            near = stats.kstwobign.sf(wanted.statistic * np.sqrt(150 * 90 / 240))
            assert row["p_value"] == pytest.approx(near, abs=1e-6)
        p_values[name] = row["p_value"]
        seen = set(r.where(r.notna(), "missing"))
        assert row["unseen"] == pytest.approx(
            np.mean([v not in seen for v in h.where(h.notna(), "missing")]), abs=1e-12
        )
        once = r.where(r.notna(), "missing").value_counts()
        assert row["expected_unseen"] == pytest.approx((once == 1).sum() / 150, abs=1e-12)
    order, largest = sorted(p_values, key=p_values.get), 0.0
    for place, name in enumerate(order):
        largest = max(largest, (len(order) - place) * p_values[name])
        assert found[name]["p_adjusted"] == pytest.approx(min(largest, 1.0), abs=1e-12)
    assert not any(row["differs"] for row in found.values())
    assert found[None]["auc"] is None  # too few to learn from


def blank(t):
    return t.assign(Job=t.Job + " ")


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("change", "column", "words"),
    [
        (blank, "Job", "of the holdout's values never occur in train"),
        (lambda t: t.assign(Job=t.Job.fillna("?").replace("job 1", "?")), "Job", "never occur"),
        (lambda t: t.assign(income=t.income * 1000), "income", "apart"),
        (lambda t: t.sort_values("age")[len(t) // 2 :], "age", "apart"),
        (lambda t: t.assign(day=t.day + pd.Timedelta(days=60)), "day", "never occur"),
    ],
)  # fmt: skip
def test_a_holdout_that_is_none_is_told_by_its_column(shared, change, column, words):
    found = checked(shared, people(1000, 1), change(people(1000, 2)), folds=2)
    assert [name for name, row in found.items() if row["differs"]] == [column, None]
    assert words in found[column]["reason"]
    assert column in found[None]["reason"]


def test_the_control_tells_what_no_column_does(shared):
    # Two numbers that go together in train and against each other in the holdout: every column alone is the same.
    random = np.random.default_rng(3)
    x, y = random.normal(size=(2, 800)), random.normal(size=(2, 800)) / 5
    train, holdout = (pd.DataFrame({"a": x[i], "b": s * x[i] + y[i]}) for i, s in ((0, 1), (1, -1)))
    found = checked(shared, train, holdout)
    assert not found["a"]["differs"]
    assert not found["b"]["differs"]
    assert found[None]["lower"] > 0.8  # the logistic regression sees nothing here
    assert (found[None]["differs"], "classifier" in found[None]["reason"]) == (True, True)
    same = checked(shared, train, pd.DataFrame({"a": x[1], "b": x[1] + y[1]}))
    assert same[None]["lower"] < 0.51
    assert not same[None]["differs"]


def test_an_interval_of_folds_that_depend_on_each_other_is_too_narrow(shared):
    random, rows = np.random.default_rng(1512), 600
    halves = [
        pd.DataFrame(
            {
                "a": random.normal(size=rows).round(1),
                "b": random.integers(0, 20000, rows),
                "c": random.choice(list("abcdefghijkl"), rows),
                "d": random.choice(["j", "n"], rows),
                "e": random.lognormal(3, 1, rows).round(2),
            }
        )
        for _ in range(2)
    ]
    found = checked(shared, *halves)[None]
    assert found["lower"] > 0.51  # as that of one in fifty pairs of one population is
    assert (found["differs"], found["reason"]) == (False, None)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("seed", range(4))
def test_halves_of_the_same_people_are_not_told_apart(shared, seed):
    # Names of many people and of few: what only one side has must not number it.
    towns = np.random.default_rng(1000 + seed).integers(0, 300, (2, 400)).astype(str)
    halves = [people(400, 2 * seed + side).assign(town=towns[side]) for side in (0, 1)]
    found = checked(shared, *halves, folds=2)[None]
    assert found["lower"] < 0.51, found


def test_values_of_synthetic_that_no_real_row_has(shared):
    other = people(200, 3)
    other = other.assign(Job=other.Job.str.upper(), age=other.age * 100, income=other.income * 1.0001)
    found = checked(shared, people(600, 1), people(600, 2), other)
    assert [name for name, row in found.items() if name and row["differs"]] == ["age", "Job"]
    assert not found[None]["differs"]
    assert "of the values in synthetic occur in no real row" in found["Job"]["reason"]


def test_rows_of_one_person_are_no_evidence_apart(shared):
    # 40 people of each side with 30 rows each: as rows they differ beyond doubt, as people they do not.
    def visits(seed):
        random = np.random.default_rng(seed)
        return pd.DataFrame(
            {
                "home": np.repeat(random.integers(0, 4, 40), 30).astype(str),
                "who": np.repeat(np.arange(40), 30) + 99 * seed,
            }
        )

    tables = visits(5), visits(9)
    assert checked(shared, *tables, exclude=["who"])["home"]["p_value"] < 0.001
    assert checked(shared, *tables, unit="who")["home"]["p_value"] > 0.05


@pytest.mark.again
def test_what_a_person_repeats_is_not_expected_again(shared):
    """The rows of a person have one day of birth: that the holdout's persons have others is how persons are split."""
    random = np.random.default_rng(0)

    def persons(first):
        born = np.repeat(random.integers(0, 20_000, 250), 4)
        columns = {"who": np.repeat(np.arange(first, first + 250), 4), "born": born, "city": [f"c{b}" for b in born]}
        return pd.DataFrame(columns | {"ward": random.integers(0, 9, 1000)})

    train, holdout = persons(0), persons(1000)
    rows = checked(shared, train, holdout, unit="who")
    held = train.groupby("born")["who"].transform("nunique")
    for name in ("born", "city"):
        assert rows[name]["expected_unseen"] == pytest.approx((held == 1).mean())
        assert rows[name]["unseen"] > 0.9
        assert not rows[name]["differs"]
    assert not rows[None]["differs"]
    # By rows they are no two halves of the same; and values that many persons share, others should have as well.
    assert checked(shared, train, holdout, key="who")["born"]["differs"]
    few = train.assign(city=[f"c{i % 40}" for i in range(1000)])
    assert checked(shared, few, holdout, unit="who")["city"]["differs"]
