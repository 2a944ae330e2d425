"""The four variants of NNDR and their distributions, against the oracle."""

import math

import numpy as np
import pyarrow as pa
import pytest
from calls import METRICS, SCALINGS, answer, assert_close, assert_same_rows, call, create, rows_of, sql_rows
from hypothesis import given
from hypothesis import strategies as st
from oracle import VARIANTS, Space, nndr, ratio, summary, surroundings
from strategies import EXACT_KINDS, trios

from examples import few


def possible_denominators(space, trio, k):
    """The local denominators of every train record as near as the nearest: where rounding may pick either."""
    distances = space.distances(trio.synthetic, trio.train)
    around = surroundings(space, trio.train, k)
    return [around[row <= row.min() + 1e-9] for row in distances]


@pytest.mark.each_value
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("metric", METRICS)
@few
@given(trio=trios(min_rows=4), scaling=st.sampled_from(SCALINGS), k=st.integers(1, 3))
def test_nndr_is_that_of_the_oracle(shared, metric, variant, trio, scaling, k):
    options = {"metric": metric, "scaling": scaling, "weights": trio.weights}
    rows = answer(shared, "nndr", trio, ["synthetic", "train"], variant=variant, k=k, **options)
    space = Space(trio.train, roles=trio.roles, **options)
    _, numerator, denominator = nndr(space, trio.synthetic, trio.train, variant, k)
    if variant == "local":
        choices = possible_denominators(space, trio, k)
        denominator = [
            min(near, key=lambda d, found=row["denominator"]: abs(d - found))
            for near, row in zip(choices, rows, strict=True)
        ]
    assert_close([row["numerator"] for row in rows], numerator)
    assert_close([row["denominator"] for row in rows], denominator)
    assert [row["record"] for row in rows] == list(range(len(numerator)))
    assert_close([row["nndr"] for row in rows], [ratio(*pair) for pair in zip(numerator, denominator, strict=True)])


@pytest.mark.each_value
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("options", [{"metric": "hamming"}, {"metric": "manhattan", "scaling": "none"}])
@few
@given(trio=trios(EXACT_KINDS, min_rows=4))
def test_ties_pick_the_denominator_of_the_smallest_record(shared, options, variant, trio):
    rows = answer(shared, "nndr", trio, ["synthetic", "train"], variant=variant, k=2, **options)
    space = Space(trio.train, roles=trio.roles, **options)
    assert_close([row["nndr"] for row in rows], nndr(space, trio.synthetic, trio.train, variant, 2)[0])


@pytest.mark.parametrize("variant", VARIANTS)
def test_nothing_over_nothing_is_one_and_something_over_nothing_infinite(session, variant):
    # Train repeats one record, so that its own denominators are 0.
    create(session, synthetic=pa.table({"x": ["a", "a", "b", "b"]}), train=pa.table({"x": ["a"] * 7}))
    found = [row["nndr"] for row in sql_rows(session.connection, call("nndr", "synthetic", "train", variant=variant))]
    expected = [1.0, 1.0, 1.0, 1.0] if variant == "second" else [1.0, 1.0, math.inf, math.inf]
    assert found == expected


def test_no_small_constant_hides_a_small_ratio(session):
    train = pa.table({"x": [0.0, 1.0]})
    (row,) = rows_of(session.nndr(pa.table({"x": [1e-14]}), train))
    assert row["nndr"] == pytest.approx(1e-14, rel=1e-6)


@pytest.mark.parametrize("k", [1, 5, 20])
@pytest.mark.parametrize("variant", ["local", "global"])
def test_k_is_the_size_of_the_neighborhood(session, variant, k):
    random = np.random.default_rng(4)
    train, synthetic = ({c: random.normal(size=n).tolist() for c in "abc"} for n in (60, 40))
    rows = rows_of(session.nndr(pa.table(synthetic), pa.table(train), variant=variant, k=k, metric="euclidean"))
    expected = nndr(Space(train, metric="euclidean"), synthetic, train, variant, k)[0]
    assert_close([row["nndr"] for row in rows], expected)


@pytest.mark.each_value
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("options", [{"metric": "hamming"}, {"metric": "manhattan", "scaling": "none"}])
@few
@given(trio=trios(EXACT_KINDS, min_rows=4, max_rows=15), with_holdout=st.booleans())
def test_nndr_summary_is_that_of_the_oracle(shared, options, variant, trio, with_holdout):
    # Exact distances: the local variant then has one answer, and 0/0, x/0 come out the same.
    sides = ["synthetic", "train"] + ["holdout"] * with_holdout
    rows = answer(shared, "nndr_summary", trio, sides, variant=variant, k=2, **options)
    space = Space(trio.train, roles=trio.roles, **options)
    expected = [
        {"comparison": f"{side}_train", **summary(nndr(space, getattr(trio, side), trio.train, variant, 2, itself)[0])}
        for side, itself in (("holdout", False), ("synthetic", False), ("train", True))
        if side in sides
    ]
    assert_same_rows(rows, expected)


def test_train_within_itself_is_one_everywhere_in_the_synthetic_variant(session):
    table = pa.table({"x": [1.0, 2.0, 4.0, 4.0, 9.0]})
    *_, own = rows_of(session.nndr_summary(table, table, variant="within_synthetic"))
    assert own == {"comparison": "train_train", **summary([1.0] * 5)}
