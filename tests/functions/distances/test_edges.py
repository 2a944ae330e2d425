"""Numbers exactly on an edge, or a hair beyond it by rounding: bands, points of a grid, ends of intervals."""

import math

import pyarrow as pa
import pytest
from calls import rows_of
from referee import Z2

pytestmark = pytest.mark.duckdb_1


@pytest.mark.parametrize(
    ("synthetic", "band"), [(9.0, "medium"), (9.0 + 1e-12, "high"), (5.0, "medium"), (5.0 - 1e-12, "low")]
)
def test_bands_at_ten_and_fifty_percent(session, synthetic, band):
    """Distances to the one train value 0, and 10 of the holdout; 1,000 is far away and gives the column a spread."""
    tables = [pa.table({"x": values}) for values in ([synthetic] * 2, [0.0, 1000.0, *[2000.0] * 5], [10.0] * 2)]
    row = rows_of(session.comparison(*tables, metric="manhattan", scaling="none"))[0]
    assert (row["metric"], row["band"]) == ("dcr", band)


@pytest.mark.parametrize(("threshold", "points", "first"), [(0.07, 101, 7), (0.55, 101, 55), (0.5000001, 11, 6)])
def test_a_threshold_on_a_point_of_the_grid(session, threshold, points, first):
    """0.07 is the seventh of a hundred steps, although 0.07 * 100 is above 7; 0.5000001 is beyond the fifth of ten."""
    assert threshold * (points - 1) > math.floor(threshold * (points - 1))
    step = 1 / (points - 1)
    ones = {"theta": [j * step for j in range(points)], "accumulation": [1.0] * points}
    (row,) = rows_of(session.mda_grid(pa.table(ones), threshold))
    assert row["privacy_area"] == pytest.approx((first - 1) * step / threshold, rel=1e-9)
    assert row["resemblance"] == pytest.approx((points - 1 - first) * step / (1 - threshold), rel=1e-9)


def end(share, n, sign):
    """One end of the Wilson interval, as it is rounded on the way."""
    wide = math.sqrt(Z2 * (share * (1 - share) / n + Z2 / (4.0 * n * n)))
    return (share + Z2 / (2 * n) + sign * wide) / (1 + Z2 / n)


def test_intervals_end_at_0_and_1(session):
    """Of so many records rounding puts an end beyond, and on others a hair short of it."""
    off = [n for n in range(1, 200) if end(0.0, n, -1) != 0 or end(1.0, n, 1) != 1][:3]
    assert off
    for n in off:
        near, far = (pa.table({"x": [x] * n}) for x in (1.0, 2.0))
        train, holdout = (pa.table({"x": [x] * 3}) for x in (1.0, 2.0))
        closer = rows_of(session.holdout_share(near, train, holdout, scaling="none", metric="manhattan"))[0]
        further = rows_of(session.holdout_share(far, train, holdout, scaling="none", metric="manhattan"))[0]
        assert (closer["share"], closer["upper"]) == (1, 1)
        assert (further["share"], further["lower"]) == (0, 0)
