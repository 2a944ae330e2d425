"""Fidelity of tables that have little in them, of infinite values and of many categories."""

import math

import numpy as np
import pyarrow as pa
import pytest
from calls import create, rows_of
from test_fidelity import variation

from synthpriv_sql import errors


@pytest.mark.parametrize("rows", [(0, 3), (3, 0), (0, 0)])
def test_no_rows(shared, rows):
    table = pa.table({"x": pa.array([1.0, 2.0, 2.0]), "c": ["a", "b", "b"], "y": pa.array([3, 4, 5])})
    tables = {"synthetic": table.slice(0, rows[0]), "train": table.slice(0, rows[1])}
    assert {row["value"] for row in rows_of(shared.call("fidelity", **tables))} <= {None}
    assert {row["distance"] for row in rows_of(shared.call("marginals", **tables, k=2))} <= {None}
    (row,) = rows_of(shared.call("propensity", **tables))
    assert (row["pmse"], row["ratio"]) == (None, None)


def test_columns_of_nothing_but_nulls_and_constants(shared):
    types = {"n": pa.float64(), "one": pa.int64(), "c": pa.string(), "t": pa.string()}
    values = {"n": [None] * 4, "one": [7] * 4, "c": ["x"] * 4, "t": [None] * 4}
    others = {"n": [None] * 3 + [1.0], "one": [7, 7, 7, 8], "c": ["x"] * 3 + [None], "t": ["a"] * 4}
    table, other = (pa.table({n: pa.array(of[n], type_) for n, type_ in types.items()}) for of in (values, others))
    rows = rows_of(shared.call("fidelity", synthetic=table, train=table, holdout=other))
    assert {r["value"] for r in rows if r["measure"] in ("ks_complement", "tv_complement")} == {1.0}
    found = {(r["measure"], *r["columns"]): r["holdout"] for r in rows}
    assert found["ks_complement", "one"] == found["tv_complement", "c"] == found["ks_complement", "n"] == 0.75
    assert found["tv_complement", "t"] == 0
    # A quarter differs from the only value, or is there where nothing is: a full mismatch each.
    assert found["wasserstein", "one"] == found["wasserstein", "n"] == 0.25
    assert found["correlation_similarity", "n", "one"] is None


def test_more_columns_than_there_are(shared):
    table = pa.table({"x": [1, 2], "c": ["a", "b"]})
    assert shared.call("marginals", synthetic=table, train=table, k=3).fetchall() == []
    assert [r["level"] for r in rows_of(shared.call("fidelity", synthetic=table, train=table, columns=["c"]))] == [
        "column"
    ]


@pytest.mark.parametrize("function", ["fidelity", "marginals", "propensity"])
def test_infinite_values_are_told(shared, function):
    create(shared, odd=pa.table({"a b": [1.0, math.inf, -math.inf], "c": ["x", "y", "z"]}),
           fine=pa.table({"a b": [1.0, 2.0], "c": ["x", "y"]}))  # fmt: skip
    with pytest.raises(errors.InfiniteValue, match=r'column "a b" of "odd" holds 2 infinite'):
        shared.call(function, synthetic="odd", train="fine")
    with pytest.raises(errors.InfiniteValue, match=r'"odd" holds 2 infinite'):
        shared.call(function, synthetic="fine", train="odd")


def test_a_range_that_no_double_holds_has_no_distance(shared):
    wide = pa.table({"x": [1.7e308, -1.7e308, 0.0, None], "y": [1.0, 2.0, 3.0, 4.0]})
    narrow = pa.table({"x": [1.0, 2.0, 5.0, None], "y": [1.0, 2.0, 3.0, 4.0]})
    for synthetic, train in ((wide, narrow), (narrow, wide), (wide, wide)):
        rows = rows_of(shared.call("fidelity", synthetic=synthetic, train=train))
        found = {(r["measure"], *r["columns"]): r["value"] for r in rows}
        assert found["wasserstein", "x"] is None
        assert found["correlation_similarity", "x", "y"] is None
        assert found["wasserstein", "y"] == 0
        assert found["ks_complement", "x"] == (1 if synthetic is train else 0.5)


def test_three_hundred_categories(shared):
    many = pa.table({"c": [f"c{i}" for i in range(300)] * 2, "d": [f"d{i % 299}" for i in range(600)]})
    rows = rows_of(shared.call("fidelity", synthetic=many.slice(0, 300), train=many))
    found = {(r["measure"], *r["columns"]): r["value"] for r in rows}
    columns = {name: many[name].to_pylist() for name in ("c", "d")}
    pairs = list(zip(columns["c"], columns["d"], strict=True))
    assert math.isclose(found["contingency_similarity", "c", "d"], 1 - variation(pairs[:300], pairs))
    assert found["tv_complement", "c"] == 1


@pytest.mark.again
def test_results_do_not_depend_on_threads(shared, set_threads):
    draw = np.random.default_rng(9)
    tables = {side: pa.table({f"x{i}": draw.normal(size=5000) for i in range(4)}) for side in ("synthetic", "train")}
    found = []
    for threads in (1, 4):
        set_threads(threads)
        found.append(shared.call("fidelity", **tables).fetchall())
    assert found[0] == found[1]
