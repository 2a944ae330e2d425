"""Minimum distance accumulation on a grid: its areas, what a jump counts, and what is refused."""

import math
from fractions import Fraction

import duckdb
import oracle
import pyarrow as pa
import pytest
from calls import assert_same_rows, call, create, rows_of, sql_rows
from hypothesis import given
from hypothesis import strategies as st
from test_mda import THRESHOLDS, pair_of_tables

from synthpriv_sql import errors


@pytest.fixture(scope="module")
def pair(shared):
    return pair_of_tables(shared)


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
