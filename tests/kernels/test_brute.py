"""Brute force by dot products of integers: what they may be off by, the ends of 32 bits, and when it is chosen."""

import itertools
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from numba import njit
from test_dense import check, columns, euclidean
from test_margins import uncompiled

from synthpriv_sql.kernels import Index
from synthpriv_sql.kernels.blocks import limits, state
from synthpriv_sql.kernels.knn import brute, build, costs
from synthpriv_sql.kernels.layout import Neighbors, records
from synthpriv_sql.kernels.simd import integer_dot
from synthpriv_sql.kernels.threads import SearchOptions, Workers


@pytest.fixture(autouse=True)
def on_any_processor(monkeypatch):
    monkeypatch.setattr(costs, "has_products", lambda: True)


def prepared(queries, reference):
    """What a search prepares: the reference, and the queries encoded like it."""
    distance = euclidean(np.ones(reference.shape[1]))
    fitted, table = Index(columns(reference), distance)._fitted, records(columns(queries), distance)
    return fitted, state.Queries(np.arange(len(queries)), *fitted.encoder.encode(table), table.numeric, table.codes)


def packed(bits, fitted, asked):
    values = fitted.encoded.values
    step = brute.step_of_8(brute.extent(values).most)
    if bits == 16:
        step = brute.step_of_16(brute.extent(values, asked.values).longest, values.shape[1])
    return brute.pack_rows(fitted, np.arange(len(values)), bits, step, 1), brute.pack_queries(
        asked, asked.order, bits, step, 1
    )


def whole_numbers(words, count, bits, lanes, width):
    """The numbers in words, one row after the other."""
    kind = {8: np.int8, 16: np.int16}[bits]
    grouped = words.reshape(-1, len(words) // (lanes * -(-count // lanes)), lanes)
    rows = grouped.transpose(0, 2, 1).reshape(-1, grouped.shape[1])[:count]
    return np.ascontiguousarray(rows).view(kind)[:, :width].astype(np.int64)


@pytest.mark.parametrize("bits", [8, 16])
@pytest.mark.parametrize("width", [1, 2, 3, 5, 31])
def test_what_is_packed_is_off_by_no_more_than_it_says(bits, width):
    rng = np.random.default_rng(width)
    queries, reference = rng.normal(size=(77, width)), rng.normal(size=(301, width)) * rng.uniform(0, 3, width)
    queries[:9] *= 50 if bits == 8 else 1
    fitted, given = prepared(queries, reference)
    rows, asked = packed(bits, fitted, given)
    ours = whole_numbers(rows.words, len(reference), bits, 64, width)
    theirs = -whole_numbers(asked.words, len(queries), bits, 6, width)
    if bits == 8:
        ours = np.where(ours < 0, ours + 256, ours) - 128
        np.testing.assert_array_equal(asked.shifts, 128 * theirs.sum(axis=1))
    for values, numbers, said in (
        (fitted.encoded.values, ours, rows.error),
        (given.values, theirs, asked.errors),
    ):
        most = rows.step * (127 if bits == 8 else 32767)
        gaps, beyond = values - numbers * rows.step, np.abs(values) > most
        off = np.sqrt(np.where(beyond, 0, gaps**2).sum(axis=1))
        assert (off <= said).all()
        assert off.max() > np.max(said) * (1 - 1e-6)
        if values is given.values:
            true = np.where(beyond, gaps.astype(np.longdouble) ** 2, 0).sum(axis=1)
            np.testing.assert_allclose(asked.excess, true.astype(float))
            assert (asked.excess <= true).all()  # as much as it is farther at least
            assert beyond.any() == (bits == 8)
    np.testing.assert_array_equal(rows.halves[: len(reference)], (ours**2).sum(axis=1) // 2)
    np.testing.assert_array_equal(asked.norms, (theirs**2).sum(axis=1))


@pytest.mark.parametrize("bits", [8, 16])
def test_sums_at_the_end_of_what_they_can_be(bits):
    """As many columns as there may be, all numbers the largest: no sum overflows, none is taken for nobody's."""
    signs = np.random.default_rng(0).choice([-1.0, 1.0], (65, brute.COLUMNS))
    signs[1], signs[2], signs[3] = -signs[0], 1.0, -1.0
    fitted, given = prepared(signs, signs)
    rows, asked = packed(bits, fitted, given)
    scratch, found = brute.make_scratch(rows, 2), Neighbors(np.full((65, 2), state.NONE), np.full((65, 2), np.inf))
    brute.search_pairs(0, 65, asked, rows, fitted.metric, scratch, found, np.zeros(1, np.uint8))
    sums = scratch.least.reshape(brute.BATCH, -1, 16)[: 65 % brute.BATCH].astype(np.int64)
    real = sums[sums < brute.NOBODY]
    assert np.abs(real).max() < brute.NOBODY
    assert len(real) >= 65 % brute.BATCH * 16


@pytest.mark.parametrize("root", [True, False])
def test_limits_are_as_wide_as_the_roundings_in_them(root):
    """Hidden by errors of what is packed on all tables that we know of, so by the formula, in fractions."""
    fitted, given = prepared(np.eye(3), np.eye(3))
    rows, asked = packed(8, fitted, given)
    rng = np.random.default_rng(0)
    exact = asked._replace(errors=np.zeros(3), margins=np.zeros(3), excess=np.zeros(3))
    some = rows._replace(error=0.0, step=1.0)
    sizes = [0, *rng.integers(1, 2**28, 200).tolist()]
    for squares, unit, slack in itertools.product(sizes, (1.0, 2.0**-1000, 2.0**40), (0.0, 1e-6)):
        worst = math.sqrt(squares * unit) if root else squares * unit
        metric = fitted.metric._replace(root=root, unit=unit, slack=slack)
        found = uncompiled(brute._limit)(worst, 0, exact, some, metric)
        most = Fraction(worst) ** (2 if root else 1) * Fraction(metric.divisor) * (1 + Fraction(metric.slack))
        most = (most + Fraction(limits.SMALLEST)) / Fraction(unit)
        needed = (most - int(exact.norms[0])) / 2 - int(exact.shifts[0])
        assert math.floor(needed) <= found <= needed * (1 + Fraction(2) ** -30) + 1


def test_a_limit_at_the_edge_of_the_box_leaves_room_for_errors():
    """A query as far beyond the rows as its neighbor is: what is packed may be off on either side."""
    fitted, given = prepared(np.eye(3), np.eye(3))
    rows, asked = packed(8, fitted, given)
    edge = asked._replace(
        errors=np.full(3, 0.5), margins=np.zeros(3), excess=np.full(3, 9.0), norms=np.zeros(3, np.int64),
        shifts=np.zeros(3, np.int64),
    )  # fmt: skip
    metric = fitted.metric._replace(root=True, unit=1.0, slack=0.0, divisor=1.0)
    limit = uncompiled(brute._limit)
    some = rows._replace(error=1.5, step=0.125)
    assert limit(3.0, 0, edge, some, metric) == (2.0 / 0.125) ** 2 // 2
    assert limit(2.9, 0, edge, some, metric) == -brute.MOST
    assert limit(np.inf, 0, edge, some, metric) == brute.MOST


def test_the_largest_number_is_within_the_steps():
    """Else it is cut off, and its row off by more than is said."""
    for most in np.random.default_rng(0).lognormal(0, 20, 2000):
        assert Fraction(brute.step_of_8(most)) * 127 >= Fraction(most)
        assert brute.step_of_8(most) * 127 <= most * (1 + 1e-11)


@pytest.mark.parametrize("columns", [2, 37, 1000, 10_000])
def test_no_row_is_longer_than_sums_of_16_bits_can_be(columns):
    """All numbers but one are rounded up as far as can be, at the step that a longest row would have by itself."""
    half = math.floor(2**14 / math.sqrt(columns)) - 0.5
    values = np.full((1, columns), half)
    values[0, -1] = math.sqrt(max(2.0**28 - half * half * (columns - 1), 0.0))
    reference = np.concatenate([values, -values])  # the mean is 0
    fitted, given = prepared(reference, reference)
    longest = brute.extent(fitted.encoded.values).longest
    rows, _ = packed(16, fitted, given)
    lengths = np.sqrt(2.0 * rows.halves[:2])
    assert (lengths <= 2**14).all()
    assert (lengths > 2**14 - 2 * math.sqrt(columns) - 2).all()  # and as many bits are used as there are
    assert brute.step_of_16(longest, columns) > longest / 2**14


def test_as_many_columns_as_sums_hold():
    """A product of two numbers of 8 bits, one of them without a sign, for each column, and half of a square."""
    most = 127 * 255 + 127 * 127 / 2
    assert most * brute.COLUMNS < brute.NOBODY < most * brute.COLUMNS * 2
    assert brute.NOBODY > 2**28 * 1.5  # 16 bits: no product of two rows is larger than that of the longest


@pytest.mark.parametrize("way", costs.WAYS)
def test_squares_without_a_root(monkeypatch, way):
    """As the squares of a vector alone are searched."""
    monkeypatch.setattr(costs, "WAYS", (way,))
    monkeypatch.setattr(costs, "TIMES_GROWING", np.inf)
    rng = np.random.default_rng(3)
    values, asked = rng.normal(size=(900, 6)), rng.normal(size=(50, 6))
    distance = replace(euclidean(np.ones(6)), root=False)
    neighbors, distances = Index(columns(values), distance).search(columns(asked), 3)
    expected = ((asked[:, None] - values[None]) ** 2).sum(axis=2)
    order = np.argsort(expected, axis=1, kind="stable")[:, :3]
    np.testing.assert_array_equal(neighbors, order)
    np.testing.assert_allclose(distances, np.take_along_axis(expected, order, 1), rtol=1e-13)


def test_queries_beyond_the_nearest_rows_look_at_the_others_first():
    """So that their neighbors, which are there, bound what has to be looked at among the many."""
    rng = np.random.default_rng(4)
    reference = rng.normal(size=(3000, 4))
    reference[:20] *= 1e4
    fitted, asked = prepared(reference[[0, 1500, 3, 2000]], reference)
    sets = [
        brute.pack_rows(fitted, some, 8, brute.step_of_8(brute.extent(fitted.encoded.values[some]).most), 1)
        for some in brute.sets(fitted.encoded.values)
    ]
    near, beyond = costs._passes(asked, asked.order, sets, 1)
    assert [[rows is sets[i] for i in range(len(sets))].index(True) for _, rows in near] == list(range(len(sets)))
    assert [rows is other for (_, rows), other in zip(beyond, sets[::-1], strict=True)] == [True] * len(sets)
    assert near[0][0].order.tolist() == [1, 3]
    assert beyond[0][0].order.tolist() == [0, 2]


@pytest.mark.parametrize("k", [1, 7, 40, 300])
@pytest.mark.parametrize("rows", [3, 64, 300, 5000])
def test_any_number_of_neighbors(monkeypatch, k, rows):
    """Also more than there are lanes, so that sums bound nothing."""
    monkeypatch.setattr(costs, "ROWS_PER_NEIGHBOR", 0)
    monkeypatch.setattr(costs, "TIMES_GROWING", np.inf)
    rng = np.random.default_rng(k)
    reference = rng.integers(0, 50, (rows, 3)) / 7
    check(rng.normal(size=(31, 3)) * 3, reference, np.ones(3), min(k, rows))


def way_of(queries, reference, k=1):
    """The way that is chosen: bits of a number, how many sets of rows; or none for blocks."""
    fitted, asked = prepared(queries, reference)
    found = Neighbors(np.full((len(queries), k), state.NONE), np.full((len(queries), k), np.inf))
    workers = Workers(SearchOptions(1))
    pairs = costs.cheaper_than_blocks(
        fitted, asked, found, 1, lambda: build.grow(fitted, euclidean(np.ones(reference.shape[1])), workers)
    )
    return None if pairs is None else (pairs[0][0][1].bits, len(pairs[0]))


def test_what_is_chosen():
    rng = np.random.default_rng(0)
    normals = rng.normal(size=(3000, 20))
    assert way_of(normals[:1000], normals) == (8, 1)
    assert way_of(normals[:1000], normals, k=1000) is None  # the sums of lanes bound nothing
    one_far = normals.copy()
    one_far[0] *= 1e3
    assert way_of(one_far[:1000], one_far) == (16, 1)  # 127 steps are too few between all others
    skewed = np.exp(rng.normal(size=(60_000, 12)))
    assert way_of(skewed[:1000], skewed) == (8, 3)
    missing = normals.copy()
    missing[5, 3] = np.nan
    assert way_of(missing[:1000], normals) is None
    clipped = normals.copy()
    clipped[5] *= 1e16
    assert way_of(clipped[:1000], normals) is None


def test_bounds_are_asked_where_every_pair_would_take_long(monkeypatch):
    """By a sample: of two numbers they exclude nearly all, of twenty independent ones nothing."""
    rng = np.random.default_rng(1)
    monkeypatch.setattr(costs, "TIMES_GROWING", 0)
    plane = rng.random((300_000, 2))
    assert way_of(plane[:2_000], plane) is None
    normals = rng.normal(size=(20_000, 20))
    assert way_of(normals[:5_000], normals) == (8, 1)


def test_queries_that_are_far_from_all():
    """They are moved to the box of the rows, and what that leaves out of their distance loses nobody."""
    rng = np.random.default_rng(2)
    reference = rng.normal(size=(900, 6))
    queries = rng.normal(size=(60, 6)) * 10.0 ** rng.integers(-3, 9, (60, 1))
    check(queries, reference, np.ones(6), 3)


@pytest.mark.parametrize("way", costs.WAYS)
def test_a_few_rows_far_beyond_many_equal_ones(monkeypatch, way):
    """Wherever they stand, and however many: no set of rows is left without any."""
    monkeypatch.setattr(costs, "WAYS", (way,))
    rng = np.random.default_rng(7)
    for rows, width, far, k in itertools.product((70, 300), (1, 3), (0, 1, 3), (1, 5)):
        reference = rng.integers(1, 3, (rows, width)).astype(float)
        reference[rng.choice(rows, far, replace=False)] *= 10.0 ** rng.integers(1, 6)
        queries = np.concatenate([reference[rng.choice(rows, 3)], rng.normal(size=(2, width)) * 50])
        check(queries, reference, 10.0 ** rng.uniform(-3, 0.5, width), k)


def test_equal_ends_part_no_rows():
    values = np.ones((300, 1), np.float32)
    values[17] = 1e4
    assert [len(rows) for rows in brute.sets(values)] == [299, 1]
    assert [len(rows) for rows in brute.sets(np.zeros((5, 2), np.float32))] == [5]


@pytest.mark.parametrize("bits", [8, 16])
def test_both_forms_of_the_products_are_right(bits):
    """The instruction, where the processor has it, and plain multiplications, at the ends of what numbers may be."""
    rng = np.random.default_rng(bits)
    kind, signed = (np.uint8, np.int8) if bits == 8 else (np.int16, np.int16)
    count = 32 // bits
    ends = np.iinfo(kind), np.iinfo(signed)
    rows = rng.integers(ends[0].min, ends[0].max, (integer_dot.SUMS, count), kind, endpoint=True)
    query = rng.integers(ends[1].min, ends[1].max, (integer_dot.SUMS, count), signed, endpoint=True)
    rows[0], query[0], query[1] = ends[0].max, ends[1].max, ends[1].min
    start = rng.integers(-1000, 1000, integer_dot.SUMS).astype(np.int32)
    right = start.astype(np.int64) + (rows.astype(np.int64) * query).sum(axis=1)
    for instruction in {False, integer_dot.available()}:
        add = integer_dot.added(bits, instruction)

        @njit
        def run(total, have, want, add=add):
            add(total, have, want)

        total = start.copy()
        run(total, rows.view(np.int32).reshape(-1), query.view(np.int32).reshape(-1))
        assert (total.astype(np.int64) - right == 0).all() or (bits == 16 and ((total - right) % 2**32 == 0).all())
