"""Forests that tell synthetic from real, and that predict: what they must find, and what they must not."""

import math

import numpy as np
import pyarrow as pa
import pytest
from calls import create, rows_of
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.metrics import roc_auc_score

from synthpriv_sql import errors
from synthpriv_sql.forests import detection


def drawn(seed, rows, shift=0.0, missing=0.1):
    """Records whose class depends on a number and a category, and whose second number nobody knows."""
    draw = np.random.default_rng(seed)
    x, city = draw.normal(size=rows), draw.choice(["A", "B", "C"], rows)
    y = x + 2 * (city == "A") + 0.3 * draw.normal(size=rows)
    hidden = draw.random(rows) < missing
    return pa.table(
        {
            "x": pa.array(x + shift, mask=hidden),
            "City": city.tolist(),
            "noise": draw.integers(0, 50, rows),
            "rich": pa.array(np.where(y > 1, "yes", "no"), mask=draw.random(rows) < missing),
            "y": y,
        }
    )


def one(result):
    (row,) = rows_of(result)
    return row


def test_what_is_drawn_alike_cannot_be_told(shared):
    row = one(shared.call("detection", synthetic=drawn(1, 900), train=drawn(2, 700), trees=60))
    assert row["lower"] < 0.5 < row["upper"]
    assert row["lower"] < row["auc"] < row["upper"]


def test_what_differs_is_told_and_so_is_why(shared):
    tables = {"synthetic": drawn(1, 600, shift=1.0), "train": drawn(2, 600)}
    row = one(shared.call("detection", **tables, trees=40))
    assert row["lower"] > 0.7
    columns = shared.call("detection_columns", **tables, trees=40).fetchall()
    assert columns[0][0] == "x"
    assert columns[0][1] > 0.1
    assert {name for name, _ in columns} == {"x", "City", "noise", "rich", "y"}
    assert abs(dict(columns)["noise"]) < 0.05


def test_a_link_that_is_lost_is_found_where_no_column_alone_shows_it(shared):
    real, other = drawn(3, 800), drawn(4, 800)
    torn = other.set_column(4, "y", pa.array(np.random.default_rng(5).permutation(other["y"].to_numpy())))
    assert one(shared.call("detection", synthetic=torn, train=real, trees=40))["lower"] > 0.7


def test_copies_look_like_the_other_side(shared):
    # The double of a record that is left out was seen under the other name.
    real = drawn(6, 500)
    assert one(shared.call("detection", synthetic=real, train=real, trees=40))["upper"] < 0.3


def test_the_area_is_that_of_scikit_learn(shared):
    tables = {"synthetic": drawn(1, 300, 0.5, 0), "train": drawn(2, 400, 0, 0)}
    names = ["x", "noise", "y"]
    row = one(shared.call("detection", **tables, columns=names, trees=200))
    numbers = np.concatenate([np.column_stack([t[n].to_numpy() for n in names]) for t in tables.values()])
    labels = np.repeat([1, 0], [300, 400])
    forest = RandomForestClassifier(200, min_samples_leaf=5, oob_score=True, random_state=1).fit(numbers, labels)
    # Other draws, of the same forest.
    assert abs(row["auc"] - roc_auc_score(labels, forest.oob_decision_function_[:, 1])) < 0.02


@pytest.mark.parametrize("scores", [[0.5] * 4, [0.1, 0.4, 0.4, 0.9]])
def test_areas_with_ties(scores):
    positive = np.array([True, False, True, False])
    assert detection.area(np.array(scores), positive) == roc_auc_score(positive, scores)


@pytest.mark.again
def test_same_seed_same_numbers_whatever_the_threads(shared, set_threads):
    tables = {"synthetic": drawn(1, 9000, 0.1), "train": drawn(2, 300)}
    found = []
    for threads in (1, 3):
        set_threads(threads)
        found.append([shared.call(name, **tables, trees=5, seed=7, **more).fetchall() for name, more in (
            ("detection", {}), ("utility", {"holdout": drawn(3, 200), "target": "y"}),
            ("utility", {"holdout": drawn(3, 200), "target": "rich"}),
        )])  # fmt: skip
    assert found[0] == found[1]
    other = shared.call("detection", **tables, trees=5, seed=8).fetchall()
    assert other != found[0][0]


def test_what_is_learned_of_synthetic_beside_what_is_learned_of_train(shared):
    real, fresh = drawn(1, 700), drawn(2, 700)
    torn = real.set_column(3, "rich", pa.array(np.random.default_rng(3).permutation(real["rich"].to_pylist())))
    rows = {r["trained_on"]: r for r in rows_of(
        shared.call("utility", synthetic=torn, train=real, holdout=fresh, target="RICH", trees=40)
    )}  # fmt: skip
    known = [value for value in fresh["rich"].to_pylist() if value is not None]
    usual = max(("yes", "no"), key=real["rich"].to_pylist().count)
    assert {r["measure"] for r in rows.values()} == {"accuracy"}
    assert {r["n"] for r in rows.values()} == {len(known)}
    assert math.isclose(rows["nothing"]["score"], known.count(usual) / len(known))
    assert rows["train"]["lower"] > 0.85
    assert rows["synthetic"]["upper"] < 0.75


def test_numbers_are_predicted_as_by_scikit_learn(shared):
    real, fresh = drawn(1, 600, 0, 0), drawn(2, 400, 0, 0)
    rows = {r["trained_on"]: r for r in rows_of(
        shared.call("utility", synthetic=real, train=real, holdout=fresh, target="y", columns=["x", "noise", "y"],
                    trees=100)
    )}  # fmt: skip
    train, test = (np.column_stack([t["x"].to_numpy(), t["noise"].to_numpy()]) for t in (real, fresh))
    forest = RandomForestRegressor(100, min_samples_leaf=5, max_features=1 / 3, random_state=0)
    wanted = forest.fit(train, real["y"].to_numpy()).score(test, fresh["y"].to_numpy())
    assert rows["train"]["measure"] == "r2"
    assert abs(rows["train"]["score"] - wanted) < 0.03
    assert rows["synthetic"]["score"] == rows["train"]["score"]
    assert rows["train"]["lower"] < wanted < rows["train"]["upper"]
    truth, mean = fresh["y"].to_numpy(), real["y"].to_numpy().mean()
    assert math.isclose(rows["nothing"]["score"], 1 - ((truth - mean) ** 2).mean() / truth.var(), abs_tol=1e-9)


def test_a_target_of_one_value(shared):
    table = pa.table({"x": [1.0, 2.0, 3.0, 4.0], "c": ["a"] * 4, "n": [5] * 4})
    given = {"synthetic": table, "train": table, "holdout": table, "trees": 3}
    assert {r["score"] for r in rows_of(shared.call("utility", **given, target="c"))} == {1}
    assert {r["score"] for r in rows_of(shared.call("utility", **given, target="n"))} == {None}


def test_constants_and_nulls_tell_nothing(shared):
    table = pa.table({"c": ["a"] * 8, "n": pa.array([None] * 8, pa.float64())})
    assert one(shared.call("detection", synthetic=table, train=table, trees=3))["auc"] == 0.5
    assert {r["importance"] for r in rows_of(shared.call("detection_columns", synthetic=table, train=table))} == {None}


def test_identifiers_are_left_out_with_a_warning(shared):
    tables = {side: pa.table({"id": [f"{side}{i}" for i in range(300)], "x": list(range(300))})
              for side in ("synthetic", "train")}  # fmt: skip
    with pytest.warns(errors.SynthprivWarning, match='"id"'):
        row = one(shared.call("detection", **tables, trees=5))
    assert row["auc"] < 0.6
    with pytest.raises(errors.OptionError, match='the target "id" has too many categories'):
        shared.call("utility", **tables, holdout=tables["train"], target="id")


@pytest.mark.parametrize(
    ("given", "kind", "words"),
    [
        ({"synthetic": "none"}, errors.EmptyTable, '"none" has no rows'),
        ({"train": "none"}, errors.EmptyTable, '"none" has no rows'),
        ({"holdout": "none"}, errors.EmptyTable, '"none" has no rows'),
        ({"holdout": "odd"}, errors.InfiniteValue, '"a b" of "odd" holds 1 infinite'),
        ({"target": "other"}, errors.UnknownColumn, 'option "target" names column "other".*"a b", "c"'),
        ({"target": "a b", "holdout": "hidden"}, errors.EmptyTable, 'column "a b" of "hidden" has no value'),
        ({"trees": 0}, errors.OptionError, '"trees".*at least 1'),
    ],
)
def test_wrong_input_is_told(shared, given, kind, words):
    values = {"some": [1.0, 2.0], "none": [], "odd": [1.0, math.inf], "hidden": [None, None]}
    create(shared, **{name: pa.table({"a b": pa.array(of, pa.float64()), "c": pa.array(["x"] * len(of), pa.string())})
                      for name, of in values.items()})  # fmt: skip
    tables = {"synthetic": "some", "train": "some", "holdout": "some", "target": "c"} | given
    with pytest.raises(kind, match=words):
        shared.call("utility", **tables)


def test_progress_and_its_end(shared):
    told = []
    tables = {"synthetic": drawn(1, 60), "train": drawn(2, 60)}
    shared.call("detection", **tables, trees=25, progress=lambda *of: told.append(of))
    assert [done for done, _, label in told if "forest that distinguishes" in label] == [20, 25]
