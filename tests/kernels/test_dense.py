"""Tables of numbers alone, where products of whole tiles rule rows out, against brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ways import way

from examples import many
from synthpriv_sql.kernels import Columns, Distance, Index, search
from synthpriv_sql.kernels.knn import brute as kernel_brute
from synthpriv_sql.kernels.threads import SearchOptions

__all__ = ["way"]


def columns(values):
    return Columns(tuple(np.ascontiguousarray(column) for column in values.T), (), len(values))


def euclidean(weights):
    return Distance(2, False, 1.0, tuple(weights), (), 1.0, True)


def brute(queries, reference, weights, k, exclude_self=False):
    """Every pair, added up in column order; a stable sort, so that ties go to the smallest record."""
    total = np.zeros((len(queries), len(reference)))
    for a, b, weight in zip(queries.T, reference.T, weights, strict=True):
        gap = np.abs(a[:, None] - b[None, :])
        missing = np.isnan(a)[:, None] | np.isnan(b)[None, :]
        both = np.isnan(a)[:, None] & np.isnan(b)[None, :]
        total += np.where(both, 0.0, np.where(missing, weight, weight * (gap * gap)))
    total = np.sqrt(total)
    if exclude_self:
        np.fill_diagonal(total, np.inf)
    order = np.argsort(total, axis=1, kind="stable")[:, :k]
    return order, np.take_along_axis(total, order, 1)


def check(queries, reference, weights, k, **options):
    neighbors, distances = search(columns(queries), columns(reference), euclidean(weights), k, **options)
    expected, at = brute(queries, reference, weights, k, options.get("exclude_self", False))
    np.testing.assert_array_equal(distances, at)
    np.testing.assert_array_equal(neighbors, expected)


def spread_out(rng, rows, count):
    return rng.normal(size=(rows, count))


def of_low_rank(rng, rows, count):
    axes = np.random.default_rng(7).normal(size=(min(3, count), count))
    return rng.normal(size=(rows, len(axes))) @ axes


def with_ties(rng, rows, count):
    return rng.integers(0, 3, (rows, count)).astype(float)


def with_outliers(rng, rows, count):
    """Most rows are near each other; a few are so far away that float32 cannot hold their squares."""
    values = rng.normal(size=(rows, count))
    far = rng.random(rows) < 0.02
    values[far] *= 10.0 ** rng.integers(2, 30, (far.sum(), 1))
    return values


def far_from_zero(rng, rows, count):
    return rng.normal(size=(rows, count)) * 1e-3 + 1e6


def tiny(rng, rows, count):
    return rng.normal(size=(rows, count)) * 1e-25


def constant(rng, rows, count):
    return np.ones((rows, count))


KINDS = [spread_out, of_low_rank, with_ties, with_outliers, far_from_zero, tiny, constant]


@pytest.mark.one_in(3, 2)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "count", [pytest.param(1, marks=pytest.mark.slow), 3, pytest.param(16, marks=pytest.mark.slow), 70]
)
@pytest.mark.usefixtures("way")
def test_equals_brute_force(kind, count):
    rng = np.random.default_rng(count)
    queries, reference = kind(rng, 137, count), kind(rng, 1500, count)
    for k in (1, 9):
        check(queries, reference, np.ones(count), k)
    check(reference[:300], reference[:300], np.ones(count), 2, exclude_self=True)


def test_the_way_is_taken(way, monkeypatch):
    """None of the above would notice if it were not."""
    taken = []
    monkeypatch.setattr(kernel_brute, "search_pairs", lambda *given: taken.append(given[3].bits) or 0)
    reference = spread_out(np.random.default_rng(0), 300, 4)
    index = Index(columns(reference), euclidean(np.ones(4)))
    index.search(columns(reference), 1)
    if way == "blocks":
        assert not taken
        assert index._grown.half_norms is not None
    else:
        assert set(taken) == {16 if way == "16" else 8}
        assert index._grown is None
    reference[3, 1] = np.nan
    assert Index(columns(reference), euclidean(np.ones(4)))._grown.half_norms is None


@pytest.mark.usefixtures("way")
def test_queries_may_miss_numbers():
    rng = np.random.default_rng(5)
    queries, reference = spread_out(rng, 90, 5), spread_out(rng, 900, 5)
    queries[rng.random(queries.shape) < 0.1] = np.nan
    check(queries, reference, np.ones(5), 3)


@st.composite
def tables(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    count = draw(st.integers(1, 24))
    size = st.sampled_from((1, 2, 6, 64, 65, 400, 1100))
    kind = draw(st.sampled_from(KINDS))
    reference = kind(rng, draw(size), count)
    queries = draw(st.sampled_from((kind, spread_out)))(rng, draw(size), count)
    copies = rng.random(len(queries)) < draw(st.sampled_from((0.0, 0.3)))
    queries[copies] = reference[rng.integers(0, len(reference), copies.sum())]
    return queries, reference, np.array([draw(st.sampled_from((1.0, 1.0, 0.25, 3.7))) for _ in range(count)])


@pytest.mark.usefixtures("way")
@many
@given(case=tables(), k=st.integers(1, 12), data=st.data())
def test_equals_brute_force_on_any_table(case, k, data):
    queries, reference, weights = case
    options = {
        "block_rows": data.draw(st.sampled_from((1, 7, 64, 1024))),
        "options": SearchOptions(
            data.draw(st.integers(1, 2)), data.draw(st.sampled_from((None, max(1, len(reference) // 3))))
        ),
    }
    check(queries, reference, weights, min(k, len(reference)), **options)
