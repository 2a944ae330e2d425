"""Costs looked up in tables of bytes: a filter that rules most rows out, and none that counts."""

import itertools
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_kernel import cases, check, distance_of, table
from test_kernel_wide import ANY_NUMBERS, awkward, cauchy, wide_cases

from examples import many
from synthpriv_sql.kernels import Columns, Distance, jit
from synthpriv_sql.kernels.blocks import encode, lookups, quantized
from synthpriv_sql.kernels.simd import lookups as simd
from synthpriv_sql.kernels.simd.lanes import MANY_PLANES, MOST


@pytest.fixture
def at_once(monkeypatch):
    """Gives every query tables before its first block, also where the processor has no instruction."""
    monkeypatch.setattr(lookups, "PATIENCE", 0)
    monkeypatch.setattr(lookups, "available", lambda: True)
    monkeypatch.setattr(quantized, "worthwhile", lambda reference: False)


class Limits(NamedTuple):
    """What the filter reads of a search's state."""

    filter_limit: np.ndarray
    planes: np.ndarray


class Asked(NamedTuple):
    """What it reads of queries."""

    values: np.ndarray


class Counted(NamedTuple):
    """What it reads of blocks."""

    counted: np.ndarray
    price: float


class Costs(NamedTuple):
    """What it reads of a metric."""

    caps: np.ndarray
    power: int


@jit.kernel
def _rule_out(found, block, query, state, queries, blocks, metric, limit):
    every = np.uint64(2**64 - 1)
    return lookups.rule_out_by_lookups(found, every, state, 0, queries, query, blocks, block, metric, limit)


def costs_of(queries, reference, caps, power):
    """What the numbers of all pairs cost as the filters see them; nothing where one is missing."""
    gaps = np.abs(queries[:, None, :].astype(float) - reference[None].astype(float)) ** power
    return np.nansum(np.minimum(gaps, caps), axis=2)


def encoded(reference):
    """Return the filter of a reference whose blocks are full."""
    none = np.zeros(len(reference))
    starts = np.append(np.arange(0, len(reference), 64), len(reference))
    found = lookups.lookups(encode.Encoded(reference, np.zeros((len(reference), 0), np.uint8), none, none), starts)
    return lookups.per_thread(found, 1)


def kept(found, block, queries, query, most, power, caps=np.inf, counts=None, price=1.0):
    """Ask the filter for the rows of a block within a limit; `counts` are mismatches of its 64 rows."""
    found.factors[0] = 0
    limit = 0 if counts is None else int(counts.max())
    planes = np.zeros(MANY_PLANES * 8, np.uint64)
    for lane, count in enumerate([] if counts is None else counts.tolist()):
        for plane in range(7):
            bit = (MOST - limit + count) >> plane & 1
            planes[plane * 8 + (block & 7)] |= np.uint64(bit << lane)
    state, counted = Limits(np.array([float(most)]), planes), np.zeros(0 if counts is None else 8, np.int32)
    caps = np.full(queries.shape[1], min(caps, 1e38), np.float32)
    return _rule_out(found, block, query, state, Asked(queries), Counted(counted, price), Costs(caps, power), limit)


def check_lookups(queries, reference, power, cap=np.inf):
    """No row is ruled out by a limit of what it costs."""
    found, costs = encoded(reference), costs_of(queries, reference, np.float32(cap), power)
    for query, row in itertools.product(range(len(queries)), range(len(reference))):
        mask = kept(found, row >> 6, queries, query, costs[query, row], power, cap)
        assert mask >> (row & 63) & 1, (query, row)


def test_bytes_are_looked_up_with_and_without_the_instruction():
    rng = np.random.default_rng(5)
    costs, codes = rng.integers(0, 256, 64, dtype=np.uint8), rng.integers(0, 64, 64, dtype=np.uint8)
    for instruction in {False, simd.available()}:
        look_up = simd.looked_up(instruction)

        @jit.njit
        def run(costs, codes, out, look_up=look_up):
            look_up(costs, codes, out)

        out = np.zeros(64, np.uint8)
        run(costs, codes, out)
        np.testing.assert_array_equal(out, costs[codes])


@pytest.mark.one_in(5, 2)
@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("columns", [1, 7, 20])
@pytest.mark.parametrize("missing", ["nothing", "in the reference", "in queries", "in both"])
@pytest.mark.usefixtures("at_once")
def test_lookups_keep_whatever_is_near_enough(power, columns, missing):
    queries, reference = awkward(columns, missing)
    check_lookups(queries, reference, power)
    check_lookups(queries, reference, power, cap=0.7)


@many
@given(**ANY_NUMBERS)
@pytest.mark.usefixtures("at_once")
def test_lookups_of_any_numbers(seed, columns, scale, digits, missing, power, cap):
    queries, reference = cauchy(seed, columns, scale, digits, missing)
    check_lookups(queries, reference, power, cap * scale**power)


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.usefixtures("at_once")
def test_lookups_whose_sums_end_at_the_limit(power):
    """Numbers are at either end of a column, each a code, so that codes lose nothing: the last byte decides."""
    for columns, width in itertools.product((1, 3, 19), np.linspace(1.0, 2.0, 20)):
        ends = np.repeat([[0.0], [width]], columns, axis=1).astype(np.float32)
        check_lookups(ends[:1], np.repeat(ends, 3, axis=0), power)


@pytest.mark.parametrize("highest", [0, 1, 2, 3, 7, 8, 63, 64, 100, 127])
@pytest.mark.usefixtures("at_once")
def test_counts_are_priced(highest):
    """Rows differ in mismatches alone; more than 63 of them cost as much as 63 at least."""
    counts = np.arange(64) * highest // 63
    values = np.zeros((64, 1), np.float32)
    found = encoded(values)
    for most in range(highest + 1):
        mask = kept(found, 0, values, 0, most * 0.3 * (1 + 1e-9), 1, counts=counts, price=0.3)
        expected = sum(1 << lane for lane in range(64) if counts[lane] <= most)
        assert mask & expected == expected
        if highest <= 63:
            assert mask == expected


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("draw", ["normal", "lognormal"])
@pytest.mark.usefixtures("at_once")
def test_lookups_rule_out_most_of_what_is_farther(power, missing, draw):
    rng = np.random.default_rng(1)
    queries, reference = (getattr(rng, draw)(size=(rows, 20)).astype(np.float32) for rows in (10, 6400))
    queries[rng.random(queries.shape) < missing] = np.nan
    reference[rng.random(reference.shape) < missing] = np.nan
    found, costs = encoded(reference), costs_of(queries, reference, np.inf, power)
    for query in range(10):
        limit = np.quantile(costs[query], 0.01)
        masks = [kept(found, block, queries, query, limit, power) for block in range(100)]
        assert 64 <= sum(int(mask).bit_count() for mask in masks) < 6 * 64


def test_codes_are_spread_over_the_numbers():
    rng = np.random.default_rng(2)
    assert len(lookups.cuts(np.zeros(0, np.float32))) == len(lookups.cuts(np.ones(5, np.float32))) == 0
    np.testing.assert_array_equal(lookups.cuts(np.repeat(np.arange(63, dtype=np.float32), 3)), np.arange(1, 63))
    for column in (rng.normal(size=4000), rng.standard_cauchy(4000), rng.zipf(1.3, 4000), np.arange(64), [0, 1e30]):
        cuts = lookups.cuts(np.sort(np.asarray(column, np.float32)))
        assert (np.diff(cuts) > 0).all()
        assert len(cuts) <= 62
        assert np.isin(cuts, np.asarray(column, np.float32)).all()


@many
@given(case=st.one_of(cases(), wide_cases()), k=st.sampled_from((1, 5)))
@pytest.mark.usefixtures("at_once")
def test_searches_by_lookups(case, k):
    queries, reference, distance = case
    check(queries, reference, distance, min(k, reference.rows))


@pytest.mark.parametrize("metric", ["gower", "euclidean", "manhattan"])
@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("patience", [0, lookups.PATIENCE])
def test_searches_by_lookups_in_many_blocks(metric, missing, patience, monkeypatch, at_once):
    monkeypatch.setattr(lookups, "PATIENCE", patience)
    rng = np.random.default_rng(12)
    queries, reference = (table(rng, rows, 12, (3,) * 8, missing, digits=1) for rows in (60, 3000))
    check(queries, reference, distance_of(metric, (1.0,) * 12, (1.0,) * 8), 3)
    copies = reference.slice(100, 200)
    check(copies, reference, distance_of(metric, (0.5,) * 6 + (2.0,) * 6, (1.0,) * 7 + (0.3,)), 2)


def test_small_references_have_no_codes(monkeypatch):
    monkeypatch.setattr(lookups, "available", lambda: True)
    small, large = (encoded(np.zeros((64 * blocks, 3), np.float32)) for blocks in (32, 33))
    assert (len(small.codes), len(large.codes)) == (0, 33 * 64 * 3)


@pytest.mark.usefixtures("at_once")
def test_squares_that_have_a_cap():
    rng = np.random.default_rng(3)
    queries, reference = (rng.normal(size=(rows, 5)) for rows in (50, 2000))
    both = [Columns(tuple(np.ascontiguousarray(c) for c in t.T), (), len(t)) for t in (queries, reference)]
    check(*both, Distance(2, True, 1.0, (1.0,) * 5, (), 5.0, True), 3)
