"""The search for agreement against the definition in plain NumPy, and against itself under what must not matter."""

import math
import time
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import many
from synthpriv_sql.kernels.agreement import build, index
from synthpriv_sql.kernels.threads import Cancelled, SearchOptions
from synthpriv_sql.udf.encoded import pages
from synthpriv_sql.udf.encoded.population import Population, values_of

ROLES = {"number": "numeric", "text": "categorical"}


def bits_of(members, values):
    """-log2 of the share of the population that is a member, per value."""
    return np.array([-math.log2(count / values) if count else 0.0 for count in members]) + 0.0


def column_bits(real, synthetic, near, weight):
    """The bits of one column between every real and every synthetic value, straight from the definition."""
    rows = len(real)
    if real.dtype == object:
        equal = real[:, None] == synthetic[None, :]
        return weight * np.where(equal, bits_of((real[:, None] == real[None, :]).sum(axis=1), rows)[:, None], 0.0)

    def same(one, other):
        return (one[:, None] == other[None, :]) | (np.isnan(one)[:, None] & np.isnan(other)[None, :])

    def rank2(values):
        return (real[None, :] < values[:, None]).sum(axis=1) + (real[None, :] <= values[:, None]).sum(axis=1)

    def close(one, other):
        apart = np.abs(rank2(one)[:, None] - rank2(other)[None, :]) <= 2 * near * rows
        return apart & ~np.isnan(one)[:, None] & ~np.isnan(other)[None, :]

    equal = bits_of(same(real, real).sum(axis=1), rows)
    nearby = np.minimum(equal, bits_of(close(real, real).sum(axis=1), rows))
    agreed = np.where(close(real, synthetic), nearby[:, None], 0.0)
    return weight * np.where(same(real, synthetic), equal[:, None], agreed)


def referee(real, synthetic, near, weights):
    """Bits, record to blame, the bits of the second, own bits, those of each column; columns are added in order."""
    rows, others = len(real[0]), len(synthetic[0])
    total, own = np.zeros((rows, others)), np.zeros(rows)
    each = []
    for one, other, weight in zip(real, synthetic, weights, strict=True):
        each.append(column_bits(one, other, near, weight))
        total += each[-1]
        own += np.diagonal(column_bits(one, one, near, weight))
    best = total.argmax(axis=1)  # the first of the largest
    at = np.arange(rows), best
    second = np.sort(total, axis=1)[:, -2] if others > 1 else np.zeros(rows)
    return total[at], best, second, own, np.stack([bits[at] for bits in each], axis=1)


def encoded(columns):
    """Put a table through pages, as SQL does."""
    arrays = [
        pa.array([None if value is None else str(value) for value in column]) if column.dtype == object else column
        for column in columns
    ]
    page = pages.write(pa.array(np.arange(len(columns[0]))), *(pa.array(array) for array in arrays))
    return pages.read(page.drop_null(), ["text" if column.dtype == object else "number" for column in columns])


def prepared(real, synthetic, near=0.0, weights=None):
    """What the search is given."""
    tables = encoded(real), encoded(synthetic)
    roles = ["categorical" if column.dtype == object else "numeric" for column in real]
    weights = [1.0] * len(real) if weights is None else weights
    population = Population(roles, weights, values_of(tables[:1]), tables[0].rows, near)
    return population.codes(tables[0]), population.codes(tables[1]), population.shares


def check(real, synthetic, near=0.0, weights=None, **options):
    weights = [1.0] * len(real) if weights is None else weights
    queries, codes, shares = prepared(real, synthetic, near, weights)
    bits, records, second, own, each = referee(real, synthetic, near, weights)
    for bytes_of_a_wide_row in (0, 10_000):  # in both ways, whatever the number of columns
        with patch.object(build, "WIDE", bytes_of_a_wide_row):
            found = index.search(queries, codes, shares, **options)
            two = index.search(queries, codes, shares, second=True, **options)
        np.testing.assert_array_equal(found.bits, bits)
        np.testing.assert_array_equal(found.records, records)
        for array, wanted in zip(two, (bits, records, second), strict=True):
            np.testing.assert_array_equal(array, wanted)
    np.testing.assert_array_equal(index.own(queries, shares), own)
    np.testing.assert_array_equal(index.agreeing(queries, codes, found.records, shares), each)
    return found


def table(rng, rows, numbers, categories, missing=0.1, digits=1):
    """Numbers on a grid, so that ties and copies are the rule, and texts of which few are common."""
    columns = []
    for j in range(numbers):
        column = np.round(rng.normal(size=rows) * (1 + j), digits)
        columns.append(np.where(rng.random(rows) < missing, np.nan, column))
    for count in categories:
        column = np.minimum(rng.integers(0, count, rows), rng.integers(0, count, rows)).astype(object)
        column[rng.random(rows) < missing] = None
        columns.append(column)
    return columns


@st.composite
def cases(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    numbers = draw(st.integers(0, 4))
    categories = draw(st.lists(st.sampled_from((1, 2, 3, 17, 400)), max_size=5))
    if numbers + len(categories) == 0:
        numbers = 1
    shape = numbers, categories, draw(st.sampled_from((0.0, 0.1, 0.9))), draw(st.sampled_from((0, 1, 6)))
    size = st.sampled_from((1, 2, 63, 64, 65, 200, 700))
    real, synthetic = table(rng, draw(size), *shape), table(rng, draw(size), *shape)
    if draw(st.booleans()):  # some verbatim, some in part
        rows = rng.integers(0, len(real[0]), len(synthetic[0]))
        synthetic = [
            np.where(rng.random(len(rows)) < 0.6, one[rows], other)
            for one, other in zip(real, synthetic, strict=True)
        ]  # fmt: skip
    weight = st.sampled_from((1.0, 1.0, 0.0, 0.25, 3.7))
    weights = [draw(weight) for _ in real]
    return real, synthetic, draw(st.sampled_from((0.0, 0.005, 0.05, 0.3, 2.0))), weights


@many
@given(case=cases(), threads=st.integers(1, 2), batch=st.sampled_from((1, 7, 64)), shards=st.integers(1, 3))
def test_equals_the_definition(case, threads, batch, shards):
    check(*case, batch=batch, options=SearchOptions(threads, -(-len(case[1][0]) // shards)))


@pytest.mark.parametrize("rare", [0, 5, 10_000])
@pytest.mark.parametrize("near", [0.0, 0.02])
def test_lists_of_rare_values_change_nothing(monkeypatch, rare, near):
    monkeypatch.setattr(build, "RARE", rare)
    rng = np.random.default_rng(2)
    shape = 3, (400, 6, 3, 2), 0.1
    real = table(rng, 300, *shape)
    check(real, [np.concatenate(pair) for pair in zip(table(rng, 3000, *shape), real, strict=True)], near)


@pytest.mark.parametrize(
    ("numbers", "categories"),
    [
        (0, (2,) * 40),
        (40, ()),
        (3, (3,) * 130),
        (0, (5,) * 300),
        (1, (5_000, 2)),
        (0, (5_000,)),
        (1, ()),
        (0, (1,)),
    ],
    ids=lambda shape: str(shape if isinstance(shape, int) else len(shape)),
)
def test_many_columns_and_many_values(numbers, categories):
    rng = np.random.default_rng(len(categories) + numbers)
    real, synthetic = table(rng, 40, numbers, categories), table(rng, 2000, numbers, categories)
    for near in (0.0, 0.01) if numbers else (0.0,):
        check(real, synthetic, near)


def test_near_values_in_blocks_that_no_bound_excludes():
    """Rows of four blocks are priced by all numbers and some texts together, then one block at a time by the others."""
    rng = np.random.default_rng(5)
    real, synthetic = (table(rng, rows, 6, range(2, 18), missing=0.05, digits=6) for rows in (200, 1_500))
    check(real, synthetic, near=0.1)


def test_options_change_nothing():
    rng = np.random.default_rng(3)
    shape = 2, (300, 9, 4, 2), 0.1
    real, synthetic = table(rng, 300, *shape), table(rng, 2000, *shape)
    for near in (0.0, 0.01):
        first = check(real, synthetic, near)
        queries, codes, shares = prepared(real, synthetic, near)
        for threads, batch, shard_rows in ((1, 1, None), (2, 64, 333), (2, 500, None), (1, 64, 1999), (2, 7, 1000)):
            again = index.search(queries, codes, shares, batch=batch, options=SearchOptions(threads, shard_rows))
            assert again.bits.tobytes() == first.bits.tobytes()
            assert again.records.tobytes() == first.records.tobytes()


def test_shards_are_searched_in_any_order():
    rng = np.random.default_rng(4)
    real, synthetic = table(rng, 200, 1, (40, 3, 2)), table(rng, 3001, 1, (40, 3, 2))
    queries, codes, shares = prepared(real, synthetic, 0.01)
    whole = index.search(queries, codes, shares)
    found = None
    for start in (2000, 0, 1000):
        shard = index.Index(codes[start : start + 1001], shares, first_record=start)
        found = shard.search(queries, known=found)
    np.testing.assert_array_equal(found.bits, whole.bits)
    np.testing.assert_array_equal(found.records, whole.records)


def test_near_is_up_to_the_boundary():
    """Ten values, one person each: double ranks are 1, 3, …, 19, and a share of 0.1 allows a difference of 2."""
    real, synthetic = [np.arange(10.0)], [np.array([3.5, 5.0, 9.0])]
    queries, _, shares = prepared(real, synthetic, 0.1)
    found = check(real, synthetic, 0.1)
    # 3.5 has the double rank 8: 3 and 4 (7, 9) are near; 5 is near 4 and 6; 9 is near 8.
    assert found.records.tolist() == [0, 0, 0, 0, 0, 1, 1, 0, 2, 2]
    one_of_three, one_of_two = -math.log2(3 / 10), -math.log2(2 / 10)
    expected = [0, 0, 0, one_of_three, one_of_three, -math.log2(1 / 10), one_of_three, 0, one_of_three, -math.log2(0.1)]
    assert found.bits.tolist() == expected
    assert shares.nearby[shares.base[0] + queries[0, 0]] == one_of_two
    # A hair less, and a difference of 2 is not near; that of 1 between 3 or 4 and 3.5 still is.
    assert check(real, synthetic, 0.0999999).bits.tolist() == [
        0,
        0,
        0,
        *[-math.log2(1 / 10)] * 3,
        0,
        0,
        0,
        *expected[5:6],
    ]


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e-12, 1e300])
def test_weights_of_any_size(size):
    rng = np.random.default_rng(8)
    shape = 2, (40, 9, 4, 2)
    real, synthetic = table(rng, 200, *shape), table(rng, 9000, *shape)
    check(real, synthetic, 0.02, [size, 2 * size, size, 3 * size, 0.0, size])
    check(real, synthetic, 0.02, [size, 1.0, size, 1.0, 1.0, size])


def test_missing_is_equal_to_missing_and_near_nothing():
    nothing = np.full(6, np.nan)
    words = np.array([None, "a", None, "b", None, None], object)
    check([nothing, words], [nothing, words[::-1].copy()], 0.5)
    check([np.array([0.0, np.nan, 1.0])], [np.array([np.nan, 0.5])], 2.0)


def test_negative_zero_is_zero():
    found = check([np.array([-0.0, 0.0, 1.0, 2.0])], [np.array([2.0, 0.0]) * -1], 0.01)
    assert found.records.tolist()[:2] == [1, 1]
    assert found.bits[0] == 1.0


def test_an_exact_copy_has_its_own_bits():
    rng = np.random.default_rng(5)
    real = table(rng, 2000, 3, (50, 400, 2))
    queries, codes, shares = prepared(real, [column[::-1].copy() for column in real], 0.005)
    found = index.search(queries, codes, shares)
    np.testing.assert_array_equal(found.bits, index.own(queries, shares))


def test_a_column_in_which_all_agree_says_nothing():
    constant = np.full(50, "same", object)
    found = check([constant], [constant[:20]])
    assert (found.bits == 0).all()
    assert (found.records == 0).all()


@pytest.mark.parametrize("columns", [1, 4])
def test_many_duplicates_and_ties_stay_fast(columns):
    rng = np.random.default_rng(6)
    rows = 60_000
    real = [np.arange(rows, dtype=np.float64) % 7 for _ in range(columns)]
    real.append(rng.permutation(rows).astype(np.float64))  # nobody's number in the synthetic table is anybody's
    synthetic = [column.copy() for column in real[:-1]] + [rows + real[-1]]
    queries, codes, shares = prepared(real, synthetic)
    index.search(queries[:10], codes[:10], shares)
    begin = time.perf_counter()
    found = index.search(queries, codes, shares)
    assert time.perf_counter() - begin < 5
    assert (found.records == np.arange(rows) % 7).all()


def test_progress_and_cancelling():
    rng = np.random.default_rng(7)
    real, synthetic = table(rng, 40_000, 8, (30,) * 8), table(rng, 60_000, 8, (30,) * 8)
    queries, codes, shares = prepared(real, synthetic, 0.2)
    seen = []
    index.search(queries[:300], codes, shares, options=SearchOptions(progress=lambda *done: seen.append(done)))
    assert seen[-1] == (300, 300)
    asked = []

    def cancelled():
        asked.append(time.perf_counter())
        return len(asked) > 4

    with pytest.raises(Cancelled):
        index.search(queries, codes, shares, options=SearchOptions(cancelled=cancelled))
    assert time.perf_counter() - asked[-1] < 1
