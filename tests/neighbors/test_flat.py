"""Every pair by products of whole numbers: what they may be off by, the ends of 32 bits, and when it is chosen."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from suites import only_where_tested
from test_dense import check, columns, euclidean
from test_margins import uncompiled

from synthpriv_sql.neighbors import Index, build, choice, flat, index, limits, state, whole
from synthpriv_sql.neighbors.layout import records

only_where_tested("kernel")
pytestmark = pytest.mark.skipif(not whole.available(), reason="the processor has no products of whole numbers")


def prepared(queries, reference):
    """What a search prepares: the reference, and the queries encoded like it."""
    distance = euclidean(np.ones(reference.shape[1]))
    learned, table = Index(columns(reference), distance)._learned, records(columns(queries), distance)
    return learned, state.Queries(np.arange(len(queries)), *learned.encoder.encode(table), table.numeric, table.codes)


def packed(bits, learned, asked):
    values = learned.encoded.values
    step = flat.step_of_8(flat.extent(values).most)
    if bits == 16:
        step = flat.step_of_16(flat.extent(values, asked.values).longest, values.shape[1])
    return flat.pack_rows(learned, np.arange(len(values)), bits, step, 1), flat.pack_queries(
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
    learned, given = prepared(queries, reference)
    rows, asked = packed(bits, learned, given)
    ours = whole_numbers(rows.words, len(reference), bits, 64, width)
    theirs = -whole_numbers(asked.words, len(queries), bits, 6, width)
    if bits == 8:
        ours = np.where(ours < 0, ours + 256, ours) - 128
        np.testing.assert_array_equal(asked.shifts, 128 * theirs.sum(axis=1))
    for values, numbers, said in (
        (learned.encoded.values, ours, rows.error),
        (given.values, theirs, asked.errors),
    ):
        most = rows.step * (127 if bits == 8 else 32767)
        gaps, beyond = values - numbers * rows.step, np.abs(values) > most
        off = np.sqrt(np.where(beyond, 0, gaps**2).sum(axis=1))
        assert (off <= said).all()
        assert off.max() > np.max(said) * (1 - 1e-6)
        if values is given.values:
            np.testing.assert_allclose(asked.excess, np.where(beyond, gaps**2, 0).sum(axis=1))
    np.testing.assert_array_equal(rows.halves[: len(reference)], (ours**2).sum(axis=1) // 2)
    np.testing.assert_array_equal(asked.norms, (theirs**2).sum(axis=1))


@pytest.mark.parametrize("bits", [8, 16])
def test_sums_at_the_end_of_what_they_can_be(bits):
    """As many columns as there may be, all numbers the largest: no sum overflows, none is taken for nobody's."""
    signs = np.random.default_rng(0).choice([-1.0, 1.0], (65, flat.COLUMNS))
    signs[1], signs[2], signs[3] = -signs[0], 1.0, -1.0
    learned, given = prepared(signs, signs)
    rows, asked = packed(bits, learned, given)
    room, found = flat.room(rows, 2), state.Found(np.full((65, 2), state.NONE), np.full((65, 2), np.inf))
    flat.search_pairs(0, 65, asked, rows, learned.metric, room, found, np.zeros(1, np.uint8))
    sums = room.least.reshape(flat.BATCH, -1, 16)[: 65 % flat.BATCH].astype(np.int64)
    real = sums[sums < flat.NOBODY]
    assert np.abs(real).max() < flat.NOBODY
    assert len(real) >= 65 % flat.BATCH * 16


@pytest.mark.parametrize("root", [True, False])
def test_limits_are_as_wide_as_the_roundings_in_them(root):
    """Hidden by errors of what is packed on all tables that we know of, so by the formula, in fractions."""
    learned, given = prepared(np.eye(3), np.eye(3))
    rows, asked = packed(8, learned, given)
    rng = np.random.default_rng(0)
    exact = asked._replace(errors=np.zeros(3), margins=np.zeros(3), excess=np.zeros(3))
    some = rows._replace(error=0.0, step=1.0)
    sizes = [0, *rng.integers(1, 2**28, 200).tolist()]
    for squares, unit, slack in itertools.product(sizes, (1.0, 2.0**-1000, 2.0**40), (0.0, 1e-6)):
        worst = math.sqrt(squares * unit) if root else squares * unit
        metric = learned.metric._replace(root=root, unit=unit, slack=slack)
        found = uncompiled(flat._limit)(worst, 0, exact, some, metric)
        most = Fraction(worst) ** (2 if root else 1) * Fraction(metric.divisor) * (1 + Fraction(metric.slack))
        most = (most + Fraction(limits.SMALLEST)) / Fraction(unit)
        needed = (most - int(exact.norms[0])) / 2 - int(exact.shifts[0])
        assert math.floor(needed) <= found <= needed * (1 + Fraction(2) ** -30) + 1


@pytest.mark.parametrize("k", [1, 7, 40, 300])
@pytest.mark.parametrize("rows", [3, 64, 300, 5000])
def test_any_number_of_neighbors(monkeypatch, k, rows):
    """Also more than there are lanes, so that sums bound nothing."""
    monkeypatch.setattr(choice, "_SHARE", 0)
    monkeypatch.setattr(choice, "_TIMES", np.inf)
    rng = np.random.default_rng(k)
    reference = rng.integers(0, 50, (rows, 3)) / 7
    check(rng.normal(size=(31, 3)) * 3, reference, np.ones(3), min(k, rows))


def way_of(queries, reference, k=1):
    """The way that is chosen: bits of a number, how many sets of rows; or none for blocks."""
    learned, asked = prepared(queries, reference)
    found = state.Found(np.full((len(queries), k), state.NONE), np.full((len(queries), k), np.inf))
    watch = index.Watch()
    pairs = choice.every_pair(
        learned, asked, found, 1, lambda: build.grow(learned, euclidean(np.ones(reference.shape[1])), 1, watch)
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
    monkeypatch.setattr(choice, "_TIMES", 0)
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
