"""Minimum distance accumulation: areas against integration of the curve, the grid, and tables at the extremes."""

import itertools
import math
from decimal import Decimal, localcontext
from fractions import Fraction

import duckdb
import numpy as np
import oracle
import pyarrow as pa
import pytest
from calls import answer, assert_close, assert_same_rows, call, create, rows_of, sql_rows
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import Space
from strategies import EXACT_KINDS, trios
from suites import only_where_tested

from synthpriv_sql import errors

only_where_tested("oracles")

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


@pytest.fixture(scope="module")
def pair(shared):
    """Two tables of some size in the database, and what the oracle says of their distances."""
    a, b = tables()
    create(shared, mda_a=pa.table(a), mda_b=pa.table(b))
    return Space(b), a, b


# Distances and curve


@pytest.mark.parametrize("metric", ["gower", "manhattan", "hamming"])
@settings(max_examples=8)
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


@settings(max_examples=12)
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


@settings(max_examples=20)
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


# The grid


def simpson(y):
    """The areas once more, on a grid of step 1, by parabolas through three points at a time."""
    if len(y) < 2:
        return 0.0
    if len(y) % 2:
        return sum((y[i] + 4 * y[i + 1] + y[i + 2]) / 3 for i in range(0, len(y) - 2, 2))
    last = simpson(y[:-1]) + (y[-2] + y[-1]) / 2
    return (last + simpson(y[1:]) + (y[0] + y[1]) / 2) / 2


def grid_areas(y, threshold):
    h = Fraction(1, len(y) - 1)
    i = math.ceil(Fraction(threshold).limit_denominator(10**6) / h)
    return simpson(y[:i]) * float(h) / threshold, simpson(y[i:]) * float(h) / (1 - threshold)


def test_published_grid(session):
    counts = [0, 8, 12, 20, 23, 25, 28, 31, 32, 32]
    create(session, curve=pa.table({"theta": [j / 9 for j in range(10)], "accumulation": [c / 32 for c in counts]}))
    for rows in (
        rows_of(session.mda_grid("curve", 4 / 9)),
        session.connection.execute(call("mda_grid", "curve", threshold=4 / 9)).to_arrow_table().to_pylist(),
        session.connection.execute("FROM synthpriv.mda_grid('curve', threshold := 4 / 9)").to_arrow_table().to_pylist(),
    ):
        (row,) = rows
        assert row["privacy_area"] == pytest.approx(0.234375, abs=1e-12)
        assert row["privacy"] == pytest.approx(1 - 0.234375, abs=1e-12)
        assert row["resemblance"] == pytest.approx(0.8979166666666667, abs=1e-12)


@settings(max_examples=25)
@given(
    counts=st.lists(st.integers(0, 40), min_size=2, max_size=14).map(sorted),
    threshold=st.sampled_from([0.05, 0.1, 0.2, 1 / 3, 4 / 9, 0.5, 2 / 3, 0.75, 0.99]),
)
def test_grid_areas_by_parabolas(shared, counts, threshold):
    y = [count / 40 for count in counts]
    curve = pa.table({"accumulation": y, "theta": [j / (len(y) - 1) for j in range(len(y))]})
    (row,) = rows_of(shared.mda_grid(curve.take(list(reversed(range(len(y))))), threshold))
    expected = grid_areas(y, threshold)
    assert expected == pytest.approx(oracle.mda_grid(y, threshold), abs=1e-12)
    assert (row["privacy_area"], row["resemblance"]) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("points", [2, 3, 10, 11, 100, 101])
def test_the_grid_method_is_that_of_the_oracle(shared, pair, points):
    space, a, b = pair
    x = oracle.normalized(oracle.mda_distances(space, a, b))
    y = oracle.grid_curve(x, points)
    rows = rows_of(shared.mda("mda_a", "mda_b", threshold=THRESHOLDS, method="grid", points=points))
    for row in rows:
        assert (row["privacy_area"], row["resemblance"]) == pytest.approx(grid_areas(y, row["threshold"]), abs=1e-9)


@pytest.mark.parametrize("points", [2, 3, 10, 101])
def test_the_grid_of_a_curve_is_the_grid_method(shared, points):
    # Relative distances 0, 1/4, 1/2 and 1: steps stand on points of the grid.
    a, b = pa.table({"x": [0.0, 1.0, 2.0, 4.0]}), pa.table({"x": [0.0, -8.0]})
    options = {"direction": "a", "threshold": THRESHOLDS}
    curve = shared.mda_curve(a, b, points=points, direction="a").to_arrow()
    rows = rows_of(shared.mda(a, b, method="grid", points=points, **options))
    again = rows_of(shared.mda_grid(curve, threshold=THRESHOLDS))
    assert again == [{name: row[name] for name in again[0]} for row in rows]


@pytest.fixture
def steps(shared):
    """Relative distances 0, 1/4, 1/4, 1/2 and 1, a longest of 8: jumps stand on points of the grid of 5."""
    create(shared, mda_steps=pa.table({"x": [0.0, 2.0, 2.0, 4.0, 8.0]}), mda_far=pa.table({"x": [0.0, -1e6]}))
    return {"metric": "manhattan", "scaling": "none", "direction": "a"}


@pytest.mark.parametrize(
    ("strict", "points", "expected"),
    [
        (None, None, {0: 1, 0.25: 3, 0.5: 4, 1: 5}),
        (False, None, {0: 1, 0.25: 3, 0.5: 4, 1: 5}),
        (True, None, {0: 1, 0.25: 1, 0.5: 3, 1: 4}),
        (None, 5, {0: 1, 0.25: 1, 0.5: 3, 0.75: 4, 1: 4}),
        (True, 5, {0: 1, 0.25: 1, 0.5: 3, 0.75: 4, 1: 4}),
        (False, 5, {0: 1, 0.25: 3, 0.5: 4, 0.75: 4, 1: 5}),
    ],
)
@pytest.mark.parametrize("counts", [True, False])
@pytest.mark.parametrize("normalizer", [None, "none"])
def test_what_a_jump_counts(shared, steps, strict, points, expected, counts, normalizer):
    options = steps | {"strict": strict, "points": points, "counts": counts, "normalizer": normalizer}
    options = {name: value for name, value in options.items() if value is not None}
    rows = rows_of(shared.mda_curve("mda_steps", "mda_far", **options))
    share, longest = (1 if counts else 5), (8 if normalizer else 1)
    assert [(row["theta"], row["accumulation"]) for row in rows] == [
        (theta * longest, records / share) for theta, records in expected.items()
    ]
    assert_same_rows(sql_rows(shared.connection, call("mda_curve", "mda_steps", "mda_far", **options)), rows)


@pytest.mark.parametrize("strict", [True, False])
def test_the_grid_method_counts_as_the_curve_does(shared, steps, strict):
    options = steps | {"points": 5, "strict": strict}
    curve = shared.mda_curve("mda_steps", "mda_far", **options).to_arrow()
    with pytest.warns(errors.SynthprivWarning, match=r"a grid of 5 points has 0\.2 steps on one side"):
        rows = rows_of(shared.mda("mda_steps", "mda_far", method="grid", threshold=THRESHOLDS, **options))
    again = rows_of(shared.mda_grid(curve, threshold=THRESHOLDS))
    assert again == [{name: row[name] for name in again[0]} for row in rows]


def test_distances_that_are_all_0_are_left_as_they_are(shared):
    table = pa.table({"x": [1.0, 2.0]})
    rows = rows_of(shared.mda_curve(table, table, normalizer="none", counts=True, points=3))
    assert [(row["theta"], row["accumulation"]) for row in rows] == [(0, 4), (0, 4), (0, 4)]


def test_a_fine_grid_is_not_warned_of(shared, pair, recwarn):
    shared.mda("mda_a", "mda_b", method="grid", threshold=[0.1, 0.9])
    assert not recwarn


def test_no_other_word_is_a_normalizer(shared, pair):
    with pytest.raises(errors.OptionError, match=r'"normalizer" := .nobody. is neither a number nor none'):
        shared.mda_curve("mda_a", "mda_b", normalizer="nobody")


def test_the_grid_comes_close_to_the_integral(shared, pair):
    exact, grid = (
        rows_of(shared.mda("mda_a", "mda_b", threshold=[0.2, 0.5], method=method, points=10_001))
        for method in ("exact", "grid")
    )
    for one, other in zip(exact, grid, strict=True):
        for name in ("privacy_area", "resemblance", "tradeoff_area", "normalizer"):
            assert one[name] == pytest.approx(other[name], abs=1e-3)


@pytest.mark.parametrize(
    "theta",
    [
        [0, 0.3, 0.5, 1.0],
        [0.1, 0.55, 1.0],
        [0, 0.5, 0.9],
        [0, 0.5, 0.5, 1],
        [0, 0.5, None, 1],
        [0, 0.5, 1, 1.5],
        [-0.5, 0, 0.5, 1],
        [0.0],
        [1.0],
        [0, 0, 0],
    ],
)
def test_an_uneven_grid_is_told(shared, theta):
    curve = pa.table({"theta": pa.array(theta, pa.float64()), "accumulation": [0.5] * len(theta)})
    create(shared, uneven=curve)
    with pytest.raises(errors.OptionError, match=r'theta of "uneven".*even grid.*points'):
        shared.mda_grid("uneven")
    with pytest.raises(duckdb.Error, match='OptionError: theta of "uneven"'):
        shared.connection.execute(call("mda_grid", "uneven")).fetchall()


def test_a_curve_needs_its_two_columns(shared):
    with pytest.raises(errors.UnknownColumn, match=r'"accumulation"'):
        shared.mda_grid(pa.table({"theta": [0.0, 1.0], "y": [0.0, 1.0]}))


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"threshold": 0}, "threshold"),
        ({"threshold": 1.0}, "threshold"),
        ({"threshold": [0.2, 1.2]}, "threshold"),
        ({"threshold": []}, "threshold"),
        ({"method": "fine"}, "method"),
        ({"direction": "c"}, "direction"),
        ({"normalizer": 0}, "normalizer"),
        ({"normalizer": -1.5}, "normalizer"),
        ({"points": 1}, "points"),
    ],
)
def test_options_out_of_range(shared, pair, options, word):
    with pytest.raises(errors.OptionError, match=f'"{word}"'):
        shared.mda("mda_a", "mda_b", **options)
    with pytest.raises(duckdb.Error, match=f'OptionError.*"{word}"'):
        shared.connection.execute(call("mda", "mda_a", "mda_b", **options)).fetchall()
