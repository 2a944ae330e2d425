"""Minimum distance accumulation: areas against integration of the curve, the grid, and tables at the extremes."""

import itertools
from decimal import Decimal, localcontext
from fractions import Fraction

import duckdb
import numpy as np
import oracle
import pyarrow as pa
import pytest
from calls import answer, assert_close, assert_same_rows, call, create, rows_of, sql_rows
from hypothesis import given
from hypothesis import strategies as st
from oracle import Space
from strategies import EXACT_KINDS, trios

from synthpriv_sql import errors

DIRECTIONS = ("both", "a", "b")
SIDES = ["synthetic", "train"]
THRESHOLDS = [0.05, 0.2, 0.5, 0.95]


def by_side(rows):
    return [[row["distance"] for row in rows if row["side"] == side] for side in "ab"]


def tables(rows_a=60, rows_b=80, seed=1, shift=0.3):
    """A synthetic and a real table with numbers, categories and missing values."""
    random = np.random.default_rng(seed)

    def table(n, by):
        x = random.normal(by, 1, n)
        return {
            "x": [None if i % 17 == 3 else float(v) for i, v in enumerate(x)],
            "n": random.integers(0, 9, n).tolist(),
            "t": [None if i % 11 == 5 else str(v) for i, v in enumerate(random.choice(list("abcd"), n))],
        }

    return table(rows_a, shift), table(rows_b, 0.0)


def pair_of_tables(session):
    """Two tables of some size in the database, and what the oracle says of their distances."""
    a, b = tables()
    create(session, mda_a=pa.table(a), mda_b=pa.table(b))
    return Space(b), a, b


@pytest.fixture(scope="module")
def pair(shared):
    return pair_of_tables(shared)


# Distances and curve


@pytest.mark.parametrize("metric", ["gower", "manhattan", "hamming"])
@given(trio=trios(), direction=st.sampled_from(DIRECTIONS))
def test_distances_are_those_of_the_oracle(shared, metric, trio, direction):
    rows = answer(shared, "mda_distances", trio, SIDES, metric=metric, direction=direction)
    space = Space(trio.train, metric=metric, roles=trio.roles)
    expected = {side: oracle.mda_distances(space, trio.synthetic, trio.train, side) for side in "ab"}
    for side, found in zip("ab", by_side(rows), strict=True):
        assert_close(found, expected[side] if direction in ("both", side) else [])
    for side in "ab":
        records = [row["record"] for row in rows if row["side"] == side]
        assert records == list(range(len(records)))


def test_the_scale_is_that_of_b(session):
    wide, narrow = pa.table({"x": [0.0, 100.0, 4.0]}), pa.table({"x": [0.0, 10.0]})
    assert_close(by_side(rows_of(session.mda_distances(wide, narrow)))[0], [0.0, 1.0, 0.4])
    assert_close(by_side(rows_of(session.mda_distances(narrow, wide)))[0], [0.0, 0.06])


@given(trio=trios(EXACT_KINDS), direction=st.sampled_from(DIRECTIONS), normalizer=st.sampled_from([None, 0.75, 40.0]))
def test_the_curve_counts_distances(shared, trio, direction, normalizer):
    rows = answer(shared, "mda_curve", trio, SIDES, metric="hamming", direction=direction, normalizer=normalizer)
    space = Space(trio.train, metric="hamming", roles=trio.roles)
    x = oracle.normalized(oracle.mda_distances(space, trio.synthetic, trio.train, direction), normalizer)
    steps, counts = np.unique(x, return_counts=True)
    assert_close([row["theta"] for row in rows], steps)
    assert_close([row["accumulation"] for row in rows], np.cumsum(counts) / len(x))
    even = answer(
        shared, "mda_curve", trio, SIDES, metric="hamming", direction=direction, normalizer=normalizer, points=8
    )
    grid = np.arange(8) / 7
    assert_close([row["theta"] for row in even], grid)
    # At 3/7 and the like the last bit of a distance would decide; there are none such here but 0 and 1.
    clear = [i for i, theta in enumerate(grid) if theta in (0, 1) or min(abs(x - theta)) > 1e-9]
    expected = oracle.grid_curve(x, 8)
    assert_close([even[i]["accumulation"] for i in clear], [expected[i] for i in clear])


def test_points(shared, pair):
    for points in (2, 3, 50, 101):
        rows = rows_of(shared.mda_curve("mda_a", "mda_b", points=points))
        assert [row["theta"] for row in rows] == [i / (points - 1) for i in range(points)]
        assert 0.9 < rows[-1]["accumulation"] < 1  # the farthest record is not below 1


# Exact areas


def integral(steps, low, high):
    """∫ F over [low, high], piece by piece, in fractions: F is the last accumulation at or before θ."""
    theta = [Fraction(0), *(Fraction(row["theta"]) for row in steps), Fraction(1)]
    height = [Fraction(0), *(Fraction(row["accumulation"]) for row in steps)]
    pieces = zip(theta[:-1], theta[1:], height, strict=True)
    return sum((max(min(b, high) - max(a, low), 0) * y for a, b, y in pieces), Fraction(0))


@pytest.mark.each_value
@pytest.mark.parametrize("normalizer", [None, 0.05, 2.0])
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_areas_are_integrals_of_the_curve(shared, pair, direction, normalizer):
    given_ = {"direction": direction, "normalizer": normalizer}
    steps = rows_of(shared.mda_curve("mda_a", "mda_b", **given_))
    rows = rows_of(shared.mda("mda_a", "mda_b", threshold=THRESHOLDS, **given_))
    assert [row["threshold"] for row in rows] == THRESHOLDS
    space, a, b = pair
    distances = oracle.mda_distances(space, a, b, direction)
    x = oracle.normalized(distances, normalizer)
    for row in rows:
        t = Fraction(row["threshold"])
        expected = {
            "privacy_area": float(integral(steps, Fraction(0), t) / t),
            "resemblance": float(integral(steps, t, Fraction(1)) / (1 - t)),
        }
        assert {name: row[name] for name in expected} == pytest.approx(expected, rel=1e-12, abs=1e-12)
        assert (row["privacy_area"], row["resemblance"]) == pytest.approx(oracle.mda(x, row["threshold"]), abs=1e-9)
        assert row["privacy"] == 1 - row["privacy_area"]
        assert row["normalizer"] == pytest.approx(normalizer or distances.max(), rel=1e-12)
    assert len({row["tradeoff_area"] for row in rows}) == 1
    assert rows[0]["tradeoff_area"] == pytest.approx(tradeoff(x), abs=1e-6)


def tradeoff(x, steps=1_000_001):
    """oracle.mda_tradeoff for all thresholds at once: means come from running sums of the sorted distances."""
    x = np.sort(x)
    t = (np.arange(steps) + 0.5) / steps
    below = np.searchsorted(x, t, side="right")
    sums = np.concatenate([[0.0], np.cumsum(x)])
    privacy_area = (t * below - sums[below]) / len(x) / t
    resemblance = (1 - (sums[-1] - sums[below] + t * below) / len(x)) / (1 - t)
    return float(np.sum(np.diff(privacy_area) * (resemblance[1:] + resemblance[:-1]) / 2))


def test_the_fast_integral_is_that_of_the_oracle():
    x = np.array([0.0, 0.0, 0.1, 0.25, 0.25, 0.9, 1.0])
    assert tradeoff(x, 2_001) == pytest.approx(oracle.mda_tradeoff(x, 2_001), abs=1e-12)


@given(values=st.lists(st.integers(0, 16), min_size=1, max_size=20))
def test_tradeoff_is_the_area_over_all_thresholds(shared, values):
    # b is far away but for its first record at 0, so that a's values are its distances.
    a = pa.table({"x": [float(value) for value in values]})
    b = pa.table({"x": [0.0, -1e6]})
    (row,) = rows_of(shared.mda(a, b, metric="manhattan", scaling="none", direction="a"))
    x = oracle.normalized(np.array(values, float))
    assert row["tradeoff_area"] == pytest.approx(tradeoff(x), abs=1e-6)
    assert (row["privacy_area"], row["resemblance"]) == pytest.approx(oracle.mda(x, 0.2), abs=1e-12)


@pytest.mark.parametrize("values", [[1e-17, 3e-17, 1.0], [0.0, 2e-19, 1e-12, 0.3, 1.0], [1e-290, 1e-280, 1.0]])
def test_tradeoff_keeps_its_digits_next_to_a_copy(shared, values):
    a, b = pa.table({"x": values}), pa.table({"x": [0.0, -1e6]})
    (row,) = rows_of(shared.mda(a, b, metric="manhattan", scaling="none", direction="a"))
    assert row["tradeoff_area"] == pytest.approx(tradeoff_by_digits(values), rel=1e-12)


def tradeoff_by_digits(values):
    """The integral of resemblance over privacy_area, between every two steps by its antiderivative, in 400 digits.

    There privacy_area is f + c / t and resemblance is (rest - f * t) / (1 - t).
    """
    with localcontext() as context:
        context.prec = 400
        x = [Decimal(value) for value in values]
        total = Decimal(0)
        for low, high in itertools.pairwise(sorted({*x, Decimal(1)})):
            if low == 0:
                continue
            f = sum(value <= low for value in x)  # all three times the number of values
            c = -sum(value for value in x if value <= low)
            rest = len(x) - sum(value for value in x if value > low)

            def antiderivative(t, f=f, c=c, rest=rest):
                # -c (rest - f t) / (t² (1 - t)), in partial fractions
                end = (rest - f) * (1 - t).ln() if rest != f else 0
                return -c * ((rest - f) * t.ln() - end - rest / t)

            total += antiderivative(high) - antiderivative(low)
        return float(total / len(x) ** 2)


# Extremes


@pytest.mark.parametrize("method", ["exact", "grid"])
@pytest.mark.parametrize("rows", [1, 2, 7, 100])
def test_a_copy_never_looks_private(shared, method, rows):
    table = pa.table({"x": [i * 1.1 for i in range(rows)], "t": [None if i % 3 else "a" for i in range(rows)]})
    found = rows_of(shared.mda(table, table, threshold=[0.1, 0.2, 0.7], method=method))
    assert len(found) == 3
    for row in found:
        assert (row["normalizer"], row["tradeoff_area"]) == (0, 0)
        if method == "exact":
            assert (row["privacy_area"], row["privacy"], row["resemblance"]) == (1, 0, 1)
        else:
            # Of [0, t) the grid has all but its last step.
            assert row["privacy"] <= 0.1 + 1e-12


def test_all_distances_equal(shared):
    a, b = pa.table({"x": [1.0, 1.0, 1.0]}), pa.table({"x": [0.0, 2.0]})
    (row,) = rows_of(shared.mda(a, b))
    # Every record stands at x = 1: nothing is near, and nothing is alike.
    assert (row["privacy_area"], row["privacy"], row["resemblance"], row["normalizer"]) == (0, 1, 0, 0.5)
    (row,) = rows_of(shared.mda(a, b, normalizer=2.0))
    assert row["resemblance"] == pytest.approx((1 - 0.25) / 0.8)


def test_tables_far_apart(shared):
    a, b = pa.table({"x": [1e9, 2e9]}), pa.table({"x": [0.0, 1.0, 2.0]})
    (row,) = rows_of(shared.mda(a, b))
    # gower: a difference beyond the range of b is a full mismatch.
    assert (row["privacy_area"], row["privacy"], row["resemblance"], row["normalizer"]) == (0, 1, 0, 1)


def test_one_row_each(shared):
    (row,) = rows_of(shared.mda(pa.table({"t": ["a"]}), pa.table({"t": ["b"]})))
    assert (row["privacy_area"], row["resemblance"], row["normalizer"]) == (0, 0, 1)


def test_only_missing_values(shared):
    nothing = pa.table({"x": pa.array([None, None], pa.float64())})
    (row,) = rows_of(shared.mda(nothing, nothing))
    assert (row["privacy_area"], row["resemblance"]) == (1, 1)
    (row,) = rows_of(shared.mda(nothing, pa.table({"x": [1.0, 2.0]})))
    assert (row["privacy_area"], row["resemblance"], row["normalizer"]) == (0, 0, 1)


def test_a_normalizer_compares_runs_and_clips(shared, pair):
    space, a, b = pair
    distances = oracle.mda_distances(space, a, b)
    middle = float(np.median(distances[distances > 0]))
    rows = rows_of(shared.mda_curve("mda_a", "mda_b", normalizer=middle))
    assert max(row["theta"] for row in rows) == 1
    assert rows[-1]["accumulation"] == 1
    (row,) = rows_of(shared.mda("mda_a", "mda_b", normalizer=middle))
    assert (row["privacy_area"], row["resemblance"]) == pytest.approx(
        oracle.mda(np.minimum(distances / middle, 1), 0.2), abs=1e-9
    )
    (twice,) = rows_of(shared.mda("mda_a", "mda_b", normalizer=2 * distances.max()))
    assert twice["privacy_area"] > rows_of(shared.mda("mda_a", "mda_b"))[0]["privacy_area"]


@pytest.mark.parametrize("name", ["mda", "mda_curve", "mda_distances"])
def test_an_empty_table_is_told(shared, name):
    create(shared, some=pa.table({"x": [1.0, 2.0]}), none=pa.table({"x": pa.array([], pa.float64())}))
    for pair_ in (("some", "none"), ("none", "some")):
        with pytest.raises(errors.EmptyTable, match=r'"none".*no rows'):
            getattr(shared, name)(*pair_)
        with pytest.raises(duckdb.Error, match='EmptyTable: "none"'):
            shared.connection.execute(call(name, *pair_)).fetchall()


# One search for everything


@pytest.mark.each_value
@pytest.mark.parametrize("method", ["exact", "grid"])
@pytest.mark.parametrize(("direction", "searches"), [("both", 2), ("a", 1), ("b", 1)])
def test_thresholds_share_the_search(shared, pair, method, direction, searches):
    result = shared.mda("mda_a", "mda_b", threshold=[0.1, 0.2, 0.3, 0.4], method=method, direction=direction)
    assert len(result) == 4
    assert result.sql.count("synthpriv_search(") == searches
    single = [rows_of(shared.mda("mda_a", "mda_b", threshold=t, method=method, direction=direction))[0] for t in
              (0.1, 0.2, 0.3, 0.4)]  # fmt: skip
    assert_same_rows(rows_of(result), single)


def test_sql_says_what_python_says(shared, pair):
    options = {"threshold": THRESHOLDS, "method": "grid", "direction": "a", "points": 12}
    rows = sql_rows(shared.connection, call("mda", "mda_a", "mda_b", **options))
    assert_same_rows(rows, rows_of(shared.mda("mda_a", "mda_b", **options)))
