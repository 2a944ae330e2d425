"""The search for agreement against the definition in plain NumPy, and against itself under what must not matter."""

import math

import numpy as np
import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from suites import only_where_tested

from synthpriv_sql.neighbors import pages
from synthpriv_sql.neighbors.agreement import index
from synthpriv_sql.neighbors.agreement.population import Population, values_of

only_where_tested("kernel")

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
    """Bits, record to blame, own bits, and the bits of each column; columns are added in their order."""
    rows, others = len(real[0]), len(synthetic[0])
    total, own = np.zeros((rows, others)), np.zeros(rows)
    each = []
    for one, other, weight in zip(real, synthetic, weights, strict=True):
        each.append(column_bits(one, other, near, weight))
        total += each[-1]
        own += np.diagonal(column_bits(one, one, near, weight))
    best = total.argmax(axis=1)  # the first of the largest
    at = np.arange(rows), best
    return total[at], best, own, np.stack([bits[at] for bits in each], axis=1)


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
    found = index.search(queries, codes, shares, **options)
    bits, records, own, each = referee(real, synthetic, near, weights)
    np.testing.assert_array_equal(found.bits, bits)
    np.testing.assert_array_equal(found.records, records)
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


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(case=cases(), threads=st.integers(1, 2), batch=st.sampled_from((1, 7, 64)), shards=st.integers(1, 3))
def test_equals_the_definition(case, threads, batch, shards):
    check(*case, threads=threads, batch=batch, shard_rows=-(-len(case[1][0]) // shards))
