"""Searches of hundreds of columns, and of columns of many kinds at once."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_kernel import METRICS, cases, check, distance_of, table

from examples import many
from synthpriv_sql.kernels import Columns, Distance, jit, layout
from synthpriv_sql.kernels.blocks import bounds, encode, quantized
from synthpriv_sql.kernels.simd import bytes as bytes_


@st.composite
def wide_cases(draw):
    """Hundreds of columns: counts that need more bits than those of narrow tables, and sums of many numbers."""
    metric = draw(st.sampled_from(METRICS))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    numeric = 0 if metric == "hamming" else draw(st.sampled_from((0, 3, 100, 150)))
    sizes = draw(st.sampled_from(((2,), (1, 3, 17), (2, 300))))
    categories = [sizes[j % len(sizes)] for j in range(draw(st.sampled_from((120, 128, 136, 250))))]
    even = draw(st.booleans())  # where weights differ, a category is counted several times
    weights = np.ones(len(categories)) if even else rng.choice([0.0, 0.25, 1.0, 3.7], len(categories))
    distance = distance_of(metric, (1.0,) * numeric, weights.tolist(), draw(st.sampled_from((1.0, 2**0.5, 0.3))))
    missing, alike = draw(st.sampled_from((0.0, 0.1))), draw(st.booleans())
    reference, queries = (table(rng, rows, numeric, categories, missing) for rows in (150, 20))
    if alike:  # as copies with some columns changed: limits are low, and counts end early
        rows = rng.integers(0, 150, 20)
        changed = iter(rng.random(numeric + len(categories)) < draw(st.sampled_from((0.0, 0.05, 0.9))))
        queries = Columns(
            tuple(
                own if next(changed) else of[rows] for own, of in zip(queries.numeric, reference.numeric, strict=True)
            ),
            tuple(
                own if next(changed) else of[rows]
                for own, of in zip(queries.categorical, reference.categorical, strict=True)
            ),
            20,
        )
    return queries, reference, distance


@many
@given(case=wide_cases(), k=st.sampled_from((1, 5)))
def test_hundreds_of_mixed_columns(case, k):
    queries, reference, distance = case
    check(queries, reference, distance, k)


def test_a_thousand_columns():
    rng = np.random.default_rng(11)
    queries, reference = (table(rng, rows, 400, (3,) * 600) for rows in (20, 300))
    for metric in ("gower", "euclidean"):
        check(queries, reference, distance_of(metric, (1.0,) * 400, (1.0,) * 600), 2)


# Numbers as steps of 8 bits


@pytest.fixture
def steps(monkeypatch):
    """Rounds the numbers of every table to steps, also of small ones, and where the processor has no instruction."""
    monkeypatch.setattr(quantized, "worthwhile", lambda reference: reference.shape[1] > 0)
    monkeypatch.setattr(quantized, "_TELLING", 0.0)


@jit.kernel
def _rule_out(filter_, block, query, most, power, sums):
    root = quantized.root_for(filter_, query, most)
    return quantized.rule_out_by_steps(filter_, np.uint64(2**64 - 1), block, query, most, power, root, sums)


def costs_of(queries, reference, caps, power):
    """What the numbers of all pairs cost as the filters see them; nothing where one is missing."""
    gaps = np.abs(queries[:, None, :].astype(float) - reference[None].astype(float))
    return np.nansum(gaps**power if power == 2 else np.minimum(gaps, caps), axis=2)


def rounded(queries, reference, caps, power):
    """Return the filter of these queries; None where there is none."""
    starts = np.append(np.arange(0, len(reference), 64), len(reference))
    quantizer = quantized.quantizer(reference, np.broadcast_to(caps, reference.shape[1]).astype(float), power, starts)
    return None if quantizer is None else quantizer.filter(queries)


def check_steps(queries, reference, power, caps=np.inf):
    """No row is ruled out by a limit of what its numbers cost, on top of what its categories do."""
    filter_ = rounded(queries, reference, caps, power)
    if filter_ is None:
        return
    costs = costs_of(queries, reference, caps, power)
    for query, row in itertools.product(range(len(queries)), range(len(reference))):
        for before in (0.0, 3.0):
            sums = np.full(64, before, np.float32)
            kept = _rule_out(filter_, row >> 6, query, float(costs[query, row]) + before, power, sums)
            assert kept >> (row & 63) & 1, (query, row)


def awkward(columns, missing):
    """Queries and a reference: copies, a constant, an outlier, a flag, a small scale; missing numbers on a side."""
    rng = np.random.default_rng(columns)
    queries, reference = (rng.normal(size=(rows, columns)).astype(np.float32) for rows in (12, 150))
    reference[:12] = queries  # copies, at no distance
    if columns > 6:
        reference[:, 3] = 1.5  # a constant
        reference[20, 5] = 1e14
        reference[:, 6] = rng.integers(0, 2, 150)
        reference[:, 4] *= 1e-6
    if missing in ("in the reference", "in both"):
        some = reference[:, : columns // 2 + 1]
        some[rng.random(some.shape) < 0.2] = np.nan
        reference[:, 0] = np.nan
    if missing in ("in queries", "in both"):
        queries[rng.random(queries.shape) < 0.2] = np.nan
    return queries, reference


ANY_NUMBERS = {
    "seed": st.integers(0, 2**32 - 1),
    "columns": st.integers(1, 20),
    "scale": st.sampled_from((1e-25, 1e-3, 1.0, 1e12)),
    "digits": st.sampled_from((0, 1, 9)),
    "missing": st.sampled_from((0.0, 0.02, 0.5)),
    "power": st.sampled_from((1, 2)),
    "cap": st.sampled_from((0.4, 3.0, np.inf)),
}


def cauchy(seed, columns, scale, digits, missing):
    """Queries and a reference of heavy tails."""
    rng = np.random.default_rng(seed)
    tables = [np.round(rng.standard_cauchy((rows, columns)), digits) * scale for rows in (6, 80)]
    return [np.where(rng.random(t.shape) < missing, np.nan, t).astype(np.float32) for t in tables]


@pytest.mark.one_in(5, 2)
@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("columns", [1, 7, 8, 9, 70, 170])  # 170: three looks
@pytest.mark.parametrize("missing", ["nothing", "in the reference", "in queries", "in both"])
@pytest.mark.usefixtures("steps")
def test_steps_keep_whatever_is_near_enough(power, columns, missing):
    queries, reference = awkward(columns, missing)
    check_steps(queries, reference, power)
    if power == 1:
        check_steps(queries, reference, power, caps=np.linspace(0.3, 2.0, columns))


@many
@given(**ANY_NUMBERS)
@pytest.mark.usefixtures("steps")
def test_steps_of_any_numbers(seed, columns, scale, digits, missing, power, cap):
    queries, reference = cauchy(seed, columns, scale, digits, missing)
    check_steps(queries, reference, power, cap * scale if power == 1 else np.inf)


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.usefixtures("steps")
def test_steps_of_rows_on_both_sides_of_a_half(power):
    """Rounding parts what is all but equal, by a step in every column: the errors of both sides are needed in full."""
    columns, step = 40, 1 / 64
    ends = np.repeat([[0.0], [255 * step]], columns, axis=1)
    below, above = (np.full((1, columns), (100.5 + part) * step) for part in (-(2.0**-8), 2.0**-8))
    reference = np.concatenate([np.repeat(ends, 40, axis=0), below]).astype(np.float32)
    check_steps(above.astype(np.float32), reference, power)
    filter_ = rounded(above.astype(np.float32), reference, np.inf, power)
    assert filter_.step == step
    errors = filter_.error + filter_.asked.error[0]
    assert errors == pytest.approx(step * (columns if power == 1 else columns**0.5), rel=0.02)


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.usefixtures("steps")
def test_steps_whose_sums_float32_rounds_up(power):
    """All numbers are at either end, so that rounding to steps loses nothing."""
    for width in np.linspace(1.0, 2.0, 40):
        ends = np.repeat([[0.0], [width]], 40, axis=1).astype(np.float32)
        check_steps(ends[:1], np.repeat(ends, 3, axis=0), power)


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_steps_rule_out_most_of_what_is_farther(power, missing):
    rng = np.random.default_rng(1)
    queries, reference = (rng.normal(size=(rows, 150)).astype(np.float32) for rows in (10, 640))
    queries[rng.random(queries.shape) < missing] = np.nan
    reference[rng.random(reference.shape) < missing] = np.nan
    filter_, costs = rounded(queries, reference, np.inf, power), costs_of(queries, reference, np.inf, power)
    for query in range(10):
        limit = np.quantile(costs[query], 0.1)
        kept = [_rule_out(filter_, block, query, limit, power, np.zeros(64, np.float32)) for block in range(10)]
        assert sum(mask.bit_count() for mask in kept) < 3 * 64


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("costs", [(0.1,), (0.1, 0.3, 0.7)])
@pytest.mark.usefixtures("steps")
def test_rows_that_are_as_near_in_another_order_of_addition(power, costs):
    """Two rows are equally near to each query, and whatever their columns sum up to in another order rounds otherwise.

    The smaller record counts, whichever of the two is looked at first.
    """
    rng = np.random.default_rng(power)
    pairs, numbers, categories = 150, 70, 60
    centers, gaps = rng.integers(-(2**24), 2**24, (pairs, numbers)), rng.integers(1, 2**22, (pairs, numbers))
    rows = np.concatenate([centers + gaps, centers - gaps]) * 2.0**-20
    places = rng.permutation(2 * pairs)
    texts = (np.ones(2 * pairs, np.int32),) * categories
    reference = Columns(tuple(np.ascontiguousarray(column) for column in rows[places].T), texts, 2 * pairs)
    others = (np.zeros(pairs, np.int32),) * categories
    queries = Columns(tuple(np.ascontiguousarray(column) for column in (centers * 2.0**-20).T), others, pairs)
    weights = (costs * categories)[:categories]
    check(queries, reference, Distance(power, False, 1.0, (1.0,) * numbers, weights, 1.0, False), 1)


@jit.kernel
def _choose(values, codes, cut, rows):
    for query in range(len(values)):
        bounds.choose_rows(values, codes, query, cut.base, cut.edges, cut.edge_start, rows[query])


@pytest.mark.parametrize("widest", [2, 17, 32, 64, 700])
def test_intervals_of_numbers(widest):
    """The table row of a number is the count of the edges that are not above it; that of a missing one is the last."""
    rng = np.random.default_rng(widest)
    values, codes = rng.normal(size=(900, 3)).astype(np.float32), np.zeros((900, 0), np.uint8)
    values[:, 1] = rng.integers(0, 4, 900)
    values[rng.random(900) < 0.1, 2] = np.nan
    cut = bounds.buckets(encode.Encoded(values, codes, np.zeros(900), np.zeros(900)), widest)
    edges = np.split(cut.edges[: cut.edge_start[-1]], cut.edge_start[1:-1])
    for j, own in enumerate(edges):
        assert (own[0], own[-1]) == (np.nanmin(values[:, j]), np.nanmax(values[:, j]))
        assert (np.diff(own) > 0).all()
        assert len(own) <= widest
    asked = np.concatenate([values, values + 3, values - 3, np.stack([own[:: len(own) - 1] for own in edges], axis=1)])
    rows = np.zeros(asked.shape, np.int32)
    _choose(asked, np.zeros((len(asked), 0), np.uint8), cut, rows)
    for j, own in enumerate(edges):
        expected = np.where(np.isnan(asked[:, j]), len(own) + 1, np.searchsorted(own, asked[:, j], "right"))
        np.testing.assert_array_equal(rows[:, j] - cut.base[j], expected)


def test_no_steps_where_they_tell_too_little():
    """All numbers are the same, are missing, or differ most beyond the tails."""
    same, missing = np.ones((200, 3), np.float32), np.full((200, 3), np.nan, np.float32)
    skewed = np.exp(3 * np.random.default_rng(0).normal(size=(200, 3))).astype(np.float32)
    for reference in (same, missing, skewed):
        assert rounded(reference[:1], reference, np.inf, 1) is None


def test_steps_are_for_many_numbers_and_rows():
    needed = quantized.many_numbers()
    assert needed >= layout.MANY_NUMBERS  # which memory is reckoned with
    few, many = (np.zeros((5000, numbers), np.float32) for numbers in (needed - 1, needed))
    assert quantized.worthwhile(many) == bytes_.available()
    assert not quantized.worthwhile(few)
    assert not quantized.worthwhile(many[:1000])


@many
@given(case=st.one_of(cases(), wide_cases()), k=st.sampled_from((1, 5)))
@pytest.mark.usefixtures("steps")
def test_searches_by_steps(case, k):
    queries, reference, distance = case
    check(queries, reference, distance, min(k, reference.rows))


@pytest.mark.parametrize("metric", ["gower", "euclidean", "manhattan"])
@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.usefixtures("steps")
def test_searches_by_steps_in_many_blocks(metric, missing):
    rng = np.random.default_rng(12)
    queries, reference = (table(rng, rows, 40, (3,) * 20, missing, digits=1) for rows in (60, 3000))
    check(queries, reference, distance_of(metric, (1.0,) * 40, (1.0,) * 20), 3)
    copies = reference.slice(100, 200)
    check(copies, reference, distance_of(metric, (0.5,) * 20 + (2.0,) * 20, (1.0,) * 20), 2)
