"""Mismatches counted bit by bit against a sum: a count that is too low would only make the search slower."""

import numpy as np
import pytest
from suites import only_where_tested

from synthpriv_sql.kernels import jit
from synthpriv_sql.kernels.simd import lanes

only_where_tested("kernel")


@jit.kernel
def _few(bits, rows, limit, within, planes, price, sums):
    found = lanes.count_mismatches(bits, 0, rows, len(rows), limit, within, planes)
    lanes.price_counts(planes, 3, lanes.MOST - limit, price, sums)
    return found


@jit.kernel
def _many(bits, rows, limit, within, planes, price, sums):
    found = lanes.count_many_mismatches(bits, 0, rows, len(rows), limit, within, planes)
    lanes.price_many_counts(planes, 3, lanes.MANY_PLANES, price, sums)
    return found


@pytest.mark.parametrize(
    ("count", "bitmaps", "limits"), [(_few, 120, (0, 55, 127)), (_many, 128, (0, 128)), (_many, 2400, (1190, 2400))]
)
def test_counts_of_bitmaps(count, bitmaps, limits):
    rng = np.random.default_rng(bitmaps)
    table = rng.random((bitmaps, 512)) < rng.random(512)
    table[:, 0], table[:, 1] = True, False
    bits = np.packbits(table, axis=1, bitorder="little").view(np.uint64).reshape(-1)
    expected = table.sum(axis=0)
    rows, planes, sums = np.arange(bitmaps, dtype=np.int32), np.zeros(8 * lanes.MANY_PLANES, np.uint64), np.zeros(64)
    sums, within = sums.astype(np.float32), np.zeros(8, np.uint64)
    for limit in limits:
        some = count(bits, rows, limit, within, planes, np.float32(0.5), sums)
        near = np.unpackbits(within.view(np.uint8), bitorder="little").astype(bool)
        np.testing.assert_array_equal(near, expected <= limit)
        assert some == sum(1 << word for word in range(8) if near[word * 64 : word * 64 + 64].any())
        exact = near[192:256] | (count is _many)  # where counts overflow they are over the limit, no more
        np.testing.assert_array_equal(sums[exact], (expected[192:256] * 0.5)[exact])
