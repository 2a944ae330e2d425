"""What would only make the search slower: counts of mismatches that are too low, and trees that differ by thread."""

import numpy as np
import pytest

from synthpriv_sql.kernels import jit
from synthpriv_sql.kernels.blocks import tree
from synthpriv_sql.kernels.simd import lanes


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


def _one_value(rng, rows):
    return np.zeros((rows, 1), np.float32), np.zeros((rows, 1), np.uint8)


def _one_row_a_split(rng, rows):
    numbers = np.zeros((rows, 1), np.float32)
    numbers[:30, 0] = 10.0 ** np.arange(30)
    return numbers, np.zeros((rows, 0), np.uint8)


def _mixed(rng, rows):
    numbers = rng.normal(size=(rows, 2)).astype(np.float32)
    numbers[rng.random(numbers.shape) < 0.3] = np.nan
    return numbers, np.column_stack([rng.integers(0, 9, rows), rng.random(rows) < 0.001]).astype(np.uint8)


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("draw", [_one_value, _one_row_a_split, _mixed])
def test_threads_grow_the_tree_that_one_grows(draw, full):
    rows = tree.APART + 40_000
    numbers, codes = draw(np.random.default_rng(3), rows)
    halt, leaves = np.zeros(1, np.uint8), []
    grown = [tree.grow(numbers, codes, np.ones(codes.shape[1]), 1, halt, full, threads=threads) for threads in (1, 3)]
    for order, starts, of_threads in grown:
        np.testing.assert_array_equal(order, grown[0][0])
        np.testing.assert_array_equal(starts, grown[0][1])
        leaves.append(np.empty(rows, np.int64))
        tree.route(numbers, codes, of_threads, 0, rows, leaves[-1])
    np.testing.assert_array_equal(*leaves)
    assert (np.diff(leaves[0][grown[0][0]]) >= 0).all()  # leaves are numbered in the order of their rows


def test_blocks_hold_near_numbers_beside_a_category_of_many_codes():
    rng = np.random.default_rng(3)
    rows = 20_000
    numbers = rng.random((rows, 4)).astype(np.float32)
    codes = np.column_stack([rng.integers(0, 250, rows), rng.integers(0, 2, rows)]).astype(np.uint8)
    order, starts, _ = tree.grow(numbers, codes, np.ones(2), 1, np.zeros(1, np.uint8))
    blocks = np.split(order, starts[1:-1])
    widths = [np.ptp(numbers[block], axis=0).mean() for block in blocks]
    # Two cuts of a number leave a quarter of its range, one a half; 250 codes differ nearly everywhere anyway.
    assert np.mean(widths) < 0.6
    assert np.mean([len(np.unique(codes[block, 1])) == 1 for block in blocks]) > 0.9


def test_a_tree_that_is_cancelled_ends():
    numbers, codes = _mixed(np.random.default_rng(3), tree.APART + 1)
    order, _, _ = tree.grow(numbers, codes, np.ones(2), 1, np.ones(1, np.uint8), threads=2)
    assert len(order) == len(numbers)
