"""Principal components against NumPy's singular value decomposition of the points that they are made of."""

import math

import numpy as np
import pyarrow as pa
import pytest
from calls import create, rows_of
from hypothesis import given
from oracle import as_number, as_text, is_missing
from strategies import trios

from synthpriv_sql import errors


def points(table, train, roles, weights):
    """Records as points, a dimension after the other, and the columns that these are of."""
    found, owners = [], []
    for name, values in train.items():
        root = math.sqrt(weights.get(name, 1))
        numbers = [as_number(v) for v in values if not is_missing(v)] if roles[name] != "categorical" else []
        if len(set(numbers)) > 1:
            mean, spread = np.mean(numbers), np.std(numbers)
            own = [0.0 if is_missing(v) else (as_number(v) - mean) / spread for v in table[name]]
            dimensions = [own, [float(is_missing(v)) for v in table[name]]]
        else:
            # Another value than those of train is one of the others, of which train has none here. The most frequent
            # one comes first, and what is missing before it.
            texts = ["" if is_missing(v) else "is " + as_text(v) for v in values]
            kept = sorted(set(texts), key=lambda text: (text != "", -texts.count(text), text.encode()))
            dimensions = [[("" if is_missing(v) else "is " + as_text(v)) == k for v in table[name]] for k in kept]
            dimensions = np.array(dimensions, float) / math.sqrt(2)
        found += [root * np.array(d) for d in dimensions]
        owners += [name] * len(dimensions)
    return np.array(found).T, owners


@given(trio=trios(max_rows=14))
def test_components_are_those_of_the_singular_values(shared, trio):
    weights, most = trio.weights or {}, 5
    given_ = {"train": trio.arrow("train"), "components": most, "weights": trio.weights}
    fitted, owners = points(trio.train, trio.train, trio.roles, weights)
    asked, _ = points(trio.synthetic, trio.train, trio.roles, weights)
    center = fitted.mean(axis=0)
    _, singular, axes = np.linalg.svd(fitted - center, full_matrices=True)
    variances = np.zeros(max(most, len(owners)) + 1)
    variances[: len(singular)] = singular**2 / len(fitted)
    total = variances.sum()
    rows = rows_of(shared.call("reduce", data=trio.arrow("synthetic"), **given_))
    assert [row["record"] for row in rows] == list(range(len(asked)))
    told = rows_of(shared.call("principal_axes", **given_))
    assert len(told) == most * len(trio.train)
    for c in range(most):
        of_axis = {row["column_name"]: row for row in told if row["component"] == c + 1}
        places = np.array([row[f"component_{c + 1}"] for row in rows])
        if total < 1e-20:
            assert {row["explained"] for row in of_axis.values()} == {None}
            assert not places.any()
            continue
        share = variances[c] / total
        assert math.isclose(of_axis[owners[0]]["explained"], share, abs_tol=1e-9)
        if share < 1e-9:
            assert not places.any()
            continue
        if min(abs(variances[c] - variances[other]) for other in (c - 1, c + 1) if other >= 0) < 1e-4 * total:
            continue  # any two directions of the plane of both would do
        axis = axes[c]
        axis = axis * np.sign(axis[np.flatnonzero(abs(axis) > abs(axis).max() * (1 - 1e-7))[0]])
        assert np.allclose(places, (asked - center) @ axis, atol=1e-6)
        for name, row in of_axis.items():
            own = [i for i, owner in enumerate(owners) if owner == name]
            assert math.isclose(row["share"], sum(axis[i] ** 2 for i in own), abs_tol=1e-6)
            if row["loading"] is not None:
                assert math.isclose(row["loading"], axis[own[0]], abs_tol=1e-6)


def drawn(seed, rows):
    draw = np.random.default_rng(seed)
    return pa.table({
        "Id": [f"{seed}/{i}" for i in range(rows)],
        "x": draw.normal(size=rows),
        "a b": draw.integers(0, 9, rows),
        "City": draw.choice(["A", "B", "C"], rows).tolist(),
    })  # fmt: skip


def test_all_components_keep_every_distance(shared):
    tables = {"train": drawn(1, 40), "synthetic": drawn(2, 25)}
    asked = {"exclude": ["Id"], "weights": {"x": 2.5, "City": 0.4}, "category_mismatch": 1.7}
    reduced = {
        side: shared.reduce(tables["train"], table, components=8, **asked).to_arrow() for side, table in tables.items()
    }
    found = shared.neighbors(
        reduced["synthetic"], reduced["train"], k=40, key="record", metric="euclidean", scaling="none"
    )
    plain = shared.neighbors(tables["synthetic"], tables["train"], k=40, metric="euclidean", **asked)
    distances = [
        {(row["record"], row["neighbor"]): row["distance"] for row in rows_of(result)} for result in (found, plain)
    ]
    assert distances[0] == pytest.approx(distances[1], abs=1e-9)


def test_the_rarest_categories_are_one(shared):
    train = pa.table({"c": list("aaaabbbccdd"), "x": list(range(11))})
    kept = shared.reduce(train, train, components=4, categories=2, columns=["c"]).to_arrow().to_pylist()
    by_category = {}
    for category, row in zip(train["c"].to_pylist(), kept, strict=True):
        by_category.setdefault(category, set()).add(tuple(row[f"component_{i}"] for i in range(1, 5)))
    assert {len(places) for places in by_category.values()} == {1}
    assert by_category["c"] == by_category["d"]
    assert len(set(map(frozenset, by_category.values()))) == 3
    (new,) = rows_of(shared.reduce(train, pa.table({"c": ["new"]}), components=4, categories=2, columns=["c"]))
    assert tuple(new[f"component_{i}"] for i in range(1, 5)) in by_category["c"]


def test_signs_and_threads_and_order_change_nothing(shared, set_threads):
    train = drawn(3, 5000)
    turned = train.take(np.random.default_rng(0).permutation(5000))
    found = []
    for threads, table in ((1, train), (3, train), (2, turned)):
        set_threads(threads)
        rows = shared.reduce(table, train, components=3, key="id", exclude=["Id"]).to_arrow()
        found.append(np.array([rows[f"component_{i}"] for i in (1, 2, 3)]))
    assert (found[0] == found[1]).all()
    assert np.allclose(found[0], found[2], atol=1e-9)
    # Coefficients of one size: the first is positive.
    x = np.arange(10.0)
    told = rows_of(shared.principal_axes(pa.table({"down": -x, "up": x}), components=1))
    assert [row["loading"] for row in told] == pytest.approx([math.sqrt(0.5), -math.sqrt(0.5)])


def test_reduced_tables_are_compared_in_sql_by_their_keys(session):
    create(session, people=drawn(1, 30), others=drawn(2, 20))
    reduced = "(FROM synthpriv.reduce(''people'', ''{}'', key := ''Id''))"
    rows = session.connection.execute(
        f"FROM synthpriv.dcr('{reduced.format('others')}', '{reduced.format('people')}', key := 'key', "
        "exclude := ['record'], metric := 'euclidean', scaling := 'none')"
    ).fetchall()
    assert [row[1] for row in rows] == [f"2/{i}" for i in range(20)]


def test_constants_missing_values_and_few_rows(shared):
    nothing = pa.table({"k": [1.0] * 3, "n": pa.array([None] * 3, pa.float64()), "c": ["a"] * 3})
    other = pa.table({"k": [7.0], "n": pa.array([3.0]), "c": ["b"]})
    assert rows_of(shared.reduce(nothing, other))[0] == {"component_1": 0, "component_2": 0, "record": 0}
    assert {row["explained"] for row in shared.principal_axes(nothing)} == {None}
    one = nothing.slice(0, 1)
    assert {row["component_1"] for row in shared.reduce(one, nothing)} == {0}
    assert rows_of(shared.reduce(nothing, nothing.slice(0, 0))) == []
    # One category beside a column of numbers: the numbers alone.
    told = list(shared.principal_axes(pa.table({"c": ["a"] * 4, "x": [1.0, 2.0, 4.0, 9.0]}), components=2))
    assert [(row["component"], row["column_name"], row["share"]) for row in told] == [
        (1, "c", 0), (1, "x", 1), (2, "c", 0), (2, "x", 0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("given_", "kind", "words"),
    [
        ({"train": "none"}, errors.EmptyTable, '"none" has no rows; without records there are no axes'),
        ({"data": "odd"}, errors.InfiniteValue, '"a b" of "odd" holds 1 infinite'),
        ({"train": "odd"}, errors.InfiniteValue, '"a b" of "odd" holds 1 infinite'),
        ({"data": "far"}, errors.InfiniteValue, 'records of "far" are farther from "some" than a DOUBLE'),
        ({"train": "far"}, errors.InfiniteValue, '"a b" of "far" spans more than a DOUBLE'),
        ({"data": "lacking"}, errors.ColumnMismatch, '"c".*lacking|lacking.*"c"'),
        ({"components": 0}, errors.OptionError, '"components".*at least 1'),
    ],
)
def test_wrong_input_is_told(shared, given_, kind, words):
    values = {"some": [1e-3, 2e-3], "none": [], "odd": [1.0, math.inf], "far": [-1.7e308, 1.7e308]}
    create(shared, **{name: pa.table({"a b": pa.array(of, pa.float64()), "c": pa.array(["x"] * len(of), pa.string())})
                      for name, of in values.items()}, lacking=pa.table({"a b": [1.0]}))  # fmt: skip
    with pytest.raises(kind, match=words):
        shared.call("reduce", **{"train": "some", "data": "some"} | given_)
