"""The margins of the kernel's filters: as much as rounding needs, and not much more, so that no change goes unseen."""

import numpy as np
import pytest
from suites import only_where_tested

from synthpriv_sql.neighbors import encode, lanes, scan

only_where_tested("kernel")


def test_a_number_is_off_by_no_more_than_its_margin():
    values = np.concatenate([np.random.default_rng(0).normal(size=10_000), 1 + 2.0**-24 * np.arange(-50, 50)])
    rounded = values.astype(np.float32).astype(np.float64)
    off = np.abs(values - rounded) / np.abs(rounded)
    assert off.max() <= encode.ROUNDED < off.max() * (1 + 1e-5)


@pytest.mark.parametrize("columns", [1, 2, 10, 300])
def test_limits_are_as_wide_as_the_roundings_in_them(columns):
    needed = 2 * columns + 28  # of 2 ** -53: see slack
    assert needed <= scan.slack(columns) * 2.0**53 <= 1.15 * needed
    needed = columns + 4  # of 2 ** -24: see sum_slack
    assert needed < getattr(scan.sum_slack, "py_func", scan.sum_slack)(columns) * 2.0**24 <= 1.25 * needed


def test_counts_and_bytes():
    assert lanes.MOST == 127 == 2**lanes.PLANES - 1
    assert np.iinfo(np.uint8).max == encode.UNSEEN
