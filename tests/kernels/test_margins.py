"""The bounds and margins of the kernel's filters: tables on which a weaker one loses a neighbor.

Rounding decides on all: rows equally near but for the last bit, rows that differ by less than float32 can hold, costs
that are no whole number of units, counts at the end of what is counted. docs/kernel-log.md says what each fails for.
"""

import itertools
from unittest import mock

import numpy as np
import pytest
from test_agreement import check as check_agreement
from ways import way as way_of_numbers

from synthpriv_sql.kernels import Columns, Distance
from synthpriv_sql.kernels.agreement import scan as agreement
from synthpriv_sql.kernels.blocks import encode, limits, lookups
from synthpriv_sql.kernels.knn import build, index, pairs, products
from synthpriv_sql.kernels.layout import records
from synthpriv_sql.kernels.near.limits import edits
from synthpriv_sql.kernels.near.limits import texts as near_texts
from synthpriv_sql.kernels.near.search import Search
from synthpriv_sql.kernels.simd import lanes
from synthpriv_sql.kernels.threads import SearchOptions

__all__ = ["way_of_numbers"]


def check(queries, reference, distance, k=1, **options):
    """Compare with every pair in NumPy, to the bit, with costs in bytes as early as can be, and without."""
    expected = pairs.search(queries, reference, distance, k, **options)
    for patience in (0, 2**62):
        with mock.patch.object(lookups, "PATIENCE", patience):
            found = index.search(queries, reference, distance, k, options=SearchOptions(1), **options)
        np.testing.assert_equal(tuple(found), tuple(expected))


def numbers(values):
    values = np.asarray(values, np.float64)
    return Columns(tuple(np.ascontiguousarray(column) for column in values.T), (), len(values))


def texts(codes):
    codes = np.asarray(codes, np.int32)
    return Columns((), tuple(np.ascontiguousarray(column) for column in codes.T), len(codes))


def added(power, numeric=(), categorical=(), *, cap=False, scales=()):
    """A distance: squares have a root, what has a cap is divided by the weights."""
    divisor = float(sum(numeric) + sum(categorical)) if cap else 1.0
    return Distance(power, cap, 1.0, tuple(numeric), tuple(categorical), divisor, power == 2, tuple(scales))


def not_multiplied(values):
    """The same with a missing number in the last row, so that there are no products of tiles."""
    values = np.array(values)
    values[-1, 0] = np.nan
    return values


# Numbers


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("columns", [1, 2, 5])
@pytest.mark.parametrize("way", [np.asarray, not_multiplied])
@pytest.mark.usefixtures("way_of_numbers")
def test_numbers_that_float32_cannot_tell_apart(power, columns, way):
    """Two clusters about the center, in which rows differ by tenths of the last place that float32 has there."""
    rng = np.random.default_rng(power * 10 + columns)
    for offset in (1.01, 1.4, 1.99):
        queries, reference = (
            rng.choice([-offset, offset], rows)[:, None] + rng.integers(-200, 201, (rows, columns)) * 2.0**-27
            for rows in (200, 700)
        )
        check(numbers(queries), numbers(way(reference)), added(power, (1.0,) * columns), k=3)


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("way", [np.asarray, not_multiplied])
@pytest.mark.usefixtures("way_of_numbers")
def test_numbers_that_float32_tells_apart_by_some_places(power, way):
    """Each query is between two rows, equally near, at a distance of many last places: both ends are rounded."""
    rng = np.random.default_rng(power)
    for offset in (1.01, 1.4, 1.99):
        queries = rng.choice([-offset, offset], 400) + np.arange(400) * 2.0**-14
        apart = rng.integers(100, 900, 400) * 2.0**-27
        reference = rng.permutation(np.concatenate([queries - apart, queries + apart]))
        check(numbers(queries[:, None]), numbers(way(reference[:, None])), added(power, (1.0,)), k=1)


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("way", [np.asarray, not_multiplied])
@pytest.mark.usefixtures("way_of_numbers")
def test_sums_of_many_numbers(power, way):
    """Every addition rounds up, and all rows are equally near."""
    rng = np.random.default_rng(power)
    signs = rng.choice([-1.0, 1.0], (150, 200))
    for step in (1.1, 1.2, 1.3, 1.45, 1.7):
        reference = way(step * np.concatenate([signs, -signs]))  # the mean is 0
        check(numbers(np.zeros((1, 200))), numbers(reference), added(power, (1.0,) * 200), k=150)


@pytest.mark.one_in(3, 2)
@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("way", [np.asarray, not_multiplied])
@pytest.mark.parametrize("size", [1.0, 1e-22, 1e-44, 1e-161, 1e25])
@pytest.mark.usefixtures("way_of_numbers")
def test_ties_of_numbers(power, way, size):
    """Whole numbers of any size: below and above are equally near, and one of them is in another block."""
    rng = np.random.default_rng(power)
    for columns, most in ((1, 1000), (2, 40), (3, 12)):
        grid = rng.permutation(list(itertools.product(range(most), repeat=columns)))[:1100]
        reference = numbers(way(grid * size))
        for weights in ((1.0,) * columns, (0.1, 0.3, 0.7)[:columns]):
            check(reference.slice(0, 250), reference, added(power, weights), k=4)


def test_bounds_of_groups():
    """So many rows that blocks are in groups, and these have bounds of their own."""
    rows = np.random.default_rng(3).permutation(20_000).astype(np.float64)[:, None]
    for power in (1, 2):
        check(numbers(rows[:150]), numbers(not_multiplied(rows)), added(power, (1.0,)), k=4)


@pytest.mark.parametrize("width", [1, 10])
def test_numbers_with_a_cap(width):
    """Where all that is farther costs the same: beyond the range of the reference, and within it."""
    rng = np.random.default_rng(4)
    reference = numbers(rng.random((900, 2)) * width)
    for shift, weights in itertools.product(((0, 0), (0.5, 0), (3, 0), (0, 3)), ((1.0, 0.3), (1.0, 0.01))):
        queries = numbers(rng.random((100, 2)) + np.array(shift))
        check(queries, reference, added(1, weights, cap=True), k=5)
        check(queries, reference, Distance(2, True, 1.0, weights, (), 1.3, True), k=5)


@pytest.mark.usefixtures("way_of_numbers")
def test_scales_too_small_for_a_factor():
    rows = np.random.default_rng(5).integers(0, 40, (300, 2)) * 5e-324
    for power in (1, 2):
        check(numbers(rows), numbers(rows), added(power, (1.0, 1.0), scales=(5e-324, 1e-322)), k=3)


@pytest.mark.one_in(3, 2)
@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("size", [5e-324, 1e-40, 1e40, 1e300])
@pytest.mark.usefixtures("way_of_numbers")
def test_weights_of_any_size(power, size):
    rng = np.random.default_rng(6)
    values, codes = rng.integers(0, 30, (600, 2)) / 7, rng.integers(0, 4, (600, 3)).astype(np.int32)
    mixed = Columns(numbers(values).numeric, texts(codes).categorical, 600)
    size = size**0.5 if power == 2 else size  # squares of more than a DOUBLE can hold are infinite in any case
    for numeric, categorical in (((size, size), (size,) * 3), ((size, 2 * size), (size, size, 3 * size))):
        check(mixed, mixed, added(power, numeric, categorical), k=3, exclude_self=True)
        check(texts(codes), texts(codes), added(power, (), categorical), k=3, exclude_self=True)
        check(numbers(values), numbers(values), added(power, numeric), k=3, exclude_self=True)


@pytest.mark.parametrize("power", [1, 2])
def test_numbers_that_one_side_misses(power):
    """What a missing number costs is counted once: as a category, or for all rows alike."""
    rng = np.random.default_rng(7)
    rows = rng.integers(0, 9, (700, 4)) / 8
    holes = np.where(rng.random(rows.shape) < 0.3, np.nan, rows)
    for (asked, others), cost in itertools.product(((holes, rows), (rows, holes), (holes, holes)), (1.0, 0.01)):
        distance = Distance(power, False, cost, (1.0, 0.3, 0.7, 2.0), (), 1.0, power == 2)
        check(numbers(asked[:200]), numbers(others), distance, k=3)


def test_centered_numbers_keep_their_digits():
    """Without centering results are right, but no filter rules anything out."""
    rows = records(numbers(1.7e9 + np.random.default_rng(8).random((500, 2))), added(1, (1.0, 1.0)))
    encoder = encode.Encoder(rows, added(1, (1.0, 1.0)))
    encoder.encode_reference(rows)
    assert encoder.encode(rows).margin.max() < 1e-6


# Categories


def variants(columns, values):
    """All rows of few categories, in an order of their own."""
    return np.random.default_rng(9).permutation(list(itertools.product(range(values), repeat=columns)))


@pytest.mark.parametrize(
    "costs",
    [
        (0.1, 0.2, 0.3, 0.7),
        (1.0, 2.0, 3.0),  # a price of 2 / 3: the second is three of them
        (3.0 - 2.0**-11, 3.0 + 2.0**-11, 1.7, 4.3),  # nearly three of the price of 1
        (3.0 - 2.0**-42, 3.0 + 2.0**-42, 1.7, 4.3),
        (3.0 - 2.0**-50, 3.0 + 2.0**-50, 1.7, 4.3),
        (0.1,) * 5,
    ],
    ids=str,
)
def test_ties_of_categories(costs):
    """A category that the reference lacks: all its own are equally far."""
    reference = variants(len(costs), 6 if len(costs) < 5 else 4)
    rng = np.random.default_rng(10)
    for factor in (1.0, *rng.random(6)):
        queries = reference[rng.integers(0, len(reference), 60)]
        queries[np.arange(60), np.arange(60) % len(costs)] = 99
        for power, cap in ((1, False), (1, True), (2, False)):
            check(texts(queries), texts(reference), added(power, (), np.array(costs) * factor, cap=cap), k=2)


@pytest.mark.parametrize("columns", [120, 126, 127, 128, 129, 200])
def test_counts_up_to_127_and_above(columns):
    """Queries that differ from all rows in all columns, or in nearly all."""
    rng = np.random.default_rng(columns)
    reference = rng.integers(0, 3, (300, columns))
    queries = np.full((8, columns), 9)
    for i, same in enumerate((0, 0, 1, 1, 2, 3, 30, columns - 1)):
        queries[i, :same] = reference[i, :same]
    numeric = Columns((rng.random(300),), texts(reference).categorical, 300)
    asked = Columns((rng.random(8),), texts(queries).categorical, 8)
    for cost in (1.0, 0.1):
        check(texts(queries), texts(reference), added(1, (), (cost,) * columns), k=3)
        check(asked, numeric, added(1, (0.01,), (cost,) * columns), k=3)


@pytest.mark.parametrize("values", [254, 255, 256, 257, 300, 70_000])
def test_categories_that_share_a_byte(values):
    """The commonest have bytes of their own; the nearest of the others is found among those that share one."""
    rng = np.random.default_rng(values)
    codes = rng.permutation(np.concatenate([np.arange(255), rng.integers(0, values, 1500)]))
    reference = np.column_stack([codes, rng.integers(0, 50, len(codes)), rng.integers(0, 50, len(codes))])
    queries = reference[rng.integers(0, len(reference), 250)]
    queries[np.arange(250), np.arange(250) % 3] = rng.integers(0, values + 5, 250)
    for costs in ((1.0, 1.0, 1.0), (3.0, 1.0, 0.5)):
        check(texts(queries), texts(reference), added(1, (), costs), k=2)


def test_a_price_that_rounding_hides_is_counted():
    """Weights of 1, 2 and 3: the second is three prices. Without an allowance results are right, but slower."""
    for factor in (1.0, *np.random.default_rng(14).random(50)):
        chosen, _ = build.counted_columns(np.array([1.0, 2.0, 3.0]) * factor)
        assert np.bincount(chosen[chosen >= 0]).tolist() == [1, 3, 4]


@pytest.mark.parametrize("columns", [1, 7, 150])
def test_sums_of_bounds_do_not_overflow(columns):
    """Where they did, results would be right, but bounds would rule nothing out."""
    rng = np.random.default_rng(15)
    rows = Columns(tuple(rng.random((columns, 500))), tuple(rng.integers(0, 300, (columns, 500), np.int32)), 500)
    for distance in (added(1, (1.0,) * columns, (1.0,) * columns), added(2, (9.0,) * columns, (0.1,) * columns)):
        blocks = index.Index(rows, distance)._grown.blocks
        table = blocks.fine.reshape(-1, blocks.table_rows, 64).max(axis=(0, 2)).astype(int)
        assert 0 < sum(table[start:stop].max() for start, stop in itertools.pairwise(blocks.base)) <= 65535


# Agreement


def words(*columns):
    return [np.array(column, object) for column in columns]


def test_agreement_of_the_same_bits_on_a_list_and_in_a_block():
    """A rare value and a frequent one are worth the same: what is left to gain is 0, or a last digit below that."""
    rng = np.random.default_rng(11)
    people = np.repeat(np.arange(40), rng.integers(1, 30, 40))
    several = np.array(list(itertools.product(range(4), repeat=3)), object)  # rows that are equal would be one
    rest = several[rng.integers(0, len(several), len(people))]
    real = words([f"a{i}" for i in people], [f"b{i}" for i in people], *rest.T)
    for first, second in ((0, 1), (1, 0)):
        synthetic = []
        for person in range(40):
            match = [column[np.flatnonzero(people == person)[0]] for column in real]
            rare, frequent = [*match], [*match]
            frequent[first], rare[second] = None, None  # each lacks what the other has
            synthetic += [frequent, rare] if person % 2 else [rare, frequent]
            others = [[None, None, *some] for some in several if list(some) != match[2:]]
            synthetic += [
                [*other[:second], match[second], *other[second + 1 :]] for other in others[person % 20 :][:40]
            ]
        check_agreement(real, words(*zip(*synthetic, strict=True)), options=SearchOptions(1))


@pytest.mark.parametrize("near", [0.0, 0.01])
def test_agreement_of_ties(near):
    """Columns of equal bits: many rows are within the limit exactly, and the smallest record is in any block."""
    rng = np.random.default_rng(12)
    for values in (2, 5):
        real = [*words(*(rng.permutation(np.arange(210) % values) for _ in range(5))), rng.permutation(210) / 8]
        synthetic = [rng.permutation(np.tile(column, 6)) for column in real]
        check_agreement(real, synthetic, near, options=SearchOptions(1))
        check_agreement(real[:5], synthetic[:5], options=SearchOptions(1))


def test_agreement_of_many_columns_of_the_same_bits():
    """The best lacks six and more of twelve: their prices, if rounded up, would be more than the limit."""
    rng = np.random.default_rng(14)
    real, synthetic = (words(*(rng.permutation(np.arange(rows) % 7) for _ in range(12))) for rows in (140, 2100))
    check_agreement(real, synthetic, options=SearchOptions(1))


def test_agreement_in_groups_of_blocks():
    """Rows with the first value in one group of 64 blocks, those with the second, worth as much, in another."""
    rng = np.random.default_rng(15)
    person, rest = (column.ravel() for column in np.mgrid[0:100, 0:41])
    nobody = np.full(len(person), "nobody's", object)
    first = words([f"v{i}" for i in person], nobody, rest)
    second = words(nobody, [f"w{i}" for i in person], rest)
    order = rng.permutation(2 * len(person))
    synthetic = [np.concatenate(pair)[order] for pair in zip(first, second, strict=True)]
    drawn = rng.permutation(100)
    real = words([f"v{i}" for i in drawn], [f"w{i}" for i in drawn], rng.integers(0, 41, 100))
    check_agreement(real, synthetic, options=SearchOptions(1))


@pytest.mark.parametrize("values", [253, 254, 255, 256, 300])
def test_agreement_on_more_values_than_a_byte_has(values):
    """All of them are too frequent for a list."""
    rng = np.random.default_rng(values)
    value, other = (column.ravel() for column in np.mgrid[0:values, 0:33])
    order = rng.permutation(len(value))
    real = words(rng.permutation(values), rng.integers(0, 33, values))
    check_agreement(real, words(value[order], other[order]), options=SearchOptions(1))


def test_agreement_on_intervals():
    """Near numbers at the ends of their intervals, of more numbers than there are bytes."""
    rng = np.random.default_rng(13)
    real = [rng.permutation(600).astype(float), rng.permutation(600).astype(float)]
    synthetic = [rng.permutation(600 * 4) / 4 for _ in real]
    for near in (1 / 600, 3 / 600, 0.05):
        check_agreement(real, synthetic, near, options=SearchOptions(1))


def test_a_category_that_the_reference_lacks_has_a_byte_of_its_own():
    """A byte that it shared would give the same results, and rule less out."""
    for values in (3, 300):
        distance = added(1, (), (1.0,))
        encoder = encode.Encoder(records(texts(np.arange(values)[:, None]), distance), distance)
        assert encoder.encode(records(texts([[values + 7], [0]]), distance)).codes[:, 0].tolist()[0] == encode.UNSEEN


@pytest.mark.parametrize("length", [20, 29, 30, 39, 40, 130, 220])
def test_near_texts_whose_characters_differ_by_as_many_as_edits_allow(length):
    """Each edit is one character more and another one less, all in one part of the text: before a piece, or behind."""
    text, most = "".join(chr(64 + p % 20) for p in range(length)), uncompiled(edits)(length)
    new = "".join(chr(84 + k % 12) for k in range(most))
    values = near_texts([text, new + text[most:], text[:-most] + new])
    found = Search(values).pairs(np.zeros(1, np.int32), np.arange(3, dtype=np.int32))
    assert [one.tolist() for one in found] == [[0, 0], [1, 2]]


# The constants themselves: as much as rounding needs, and not much more


def uncompiled(function):
    return getattr(function, "py_func", function)


def test_a_number_is_off_by_no_more_than_its_margin():
    values = np.concatenate([np.random.default_rng(0).normal(size=10_000), 1 + 2.0**-24 * np.arange(-50, 50)])
    rounded = values.astype(np.float32).astype(np.float64)
    off = np.abs(values - rounded) / np.abs(rounded)
    assert off.max() <= encode.ROUNDED < off.max() * (1 + 1e-5)


@pytest.mark.parametrize("columns", [1, 2, 10, 300])
def test_limits_are_as_wide_as_the_roundings_in_them(columns):
    needed = 2 * columns + 28  # of 2 ** -53: see slack
    assert needed <= limits.slack(columns) * 2.0**53 <= 1.15 * needed
    needed = columns + 4  # of 2 ** -24: see sum_slack
    assert needed < uncompiled(limits.sum_slack)(columns) * 2.0**24 <= 1.25 * needed
    needed = columns / (1 - columns * 2.0**-24)  # of 2 ** -24: see products.rounding
    assert needed < products.rounding(columns) * 2.0**24 <= needed + 4


@pytest.mark.parametrize("columns", [1, 10, 300])
def test_limits_of_products_are_as_wide_as_the_roundings_in_them(monkeypatch, columns):
    """What is rounded is hidden by other margins on all tables that we know of: so by the formulas of products.py."""
    monkeypatch.setattr(products, "_rounding", products.rounding)
    rng = np.random.default_rng(columns)
    values = rng.normal(size=(64, columns)).astype(np.float32)
    norms, share = (values.astype(np.float64) ** 2).sum(axis=1), products.rounding(columns)
    half = products.half_norms(values, np.array([0, 64])).astype(np.float64)
    assert (half <= norms * (1 - 2 * share) / 2).all()
    assert (half >= norms * (1 - 2 * share - 2.0**-21) / 2).all()
    tiles = products.make_tiles(np.zeros(0, np.float32), 64, columns)
    for size in (0.0, 1e-40, 0.1, 2.0):  # the most that the sum of squares may be, in norms of the query
        for slot in range(64):
            tiles.norms[slot] = norms[slot]
            uncompiled(products.limit_products)(tiles, slot, columns, size * norms[slot])
        needed = norms * (size - 1 + share) / 2
        assert (tiles.limits >= needed).all()
        assert (tiles.limits <= needed + np.abs(needed) * 2.0**-21 + 2e-36).all()
    tiles.norms[0] = 0.0
    uncompiled(products.limit_products)(tiles, 0, columns, 0.0)
    assert tiles.limits[0] >= 2.0**-126  # the squares of less have fewer digits


def test_counts_and_bytes():
    assert lanes.MOST == 127 == 2**lanes.PLANES - 1
    assert np.iinfo(np.uint8).max == encode.UNSEEN
    assert np.iinfo(np.uint8).max > agreement.UNITS  # where a sum ends, it is above any limit
