"""The kernel against brute force, and against itself under every option that must not matter."""

import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import many
from synthpriv_sql.kernels import Columns, Distance, Index, SearchOptions, merge, search

METRICS = ("gower", "euclidean", "manhattan", "hamming")


def distance_of(metric, numeric, categorical, mismatch=1.0):
    """Build a distance from weights, as the layers above do."""
    if metric == "gower":
        total = sum(numeric) + sum(categorical)
        return Distance(1, True, 1.0, tuple(numeric), tuple(categorical), total or 1.0, False)
    if metric == "euclidean":
        return Distance(2, False, mismatch**2, tuple(numeric), tuple(categorical), 1.0, True)
    return Distance(1, False, mismatch, tuple(numeric), tuple(categorical), 1.0, False)


def brute(queries, reference, distance, k, exclude_self=False):
    """Every pair, in column order, numbers first; a stable sort, so that ties go to the smallest record."""
    total = np.zeros((queries.rows, reference.rows))
    for a, b, weight in zip(queries.numeric, reference.numeric, distance.numeric_weights, strict=True):
        gap = np.abs(a[:, None] - b[None, :])
        gap = gap * gap if distance.power == 2 else gap
        if distance.cap:
            gap = np.minimum(gap, 1.0)
        missing_a, missing_b = np.isnan(a)[:, None], np.isnan(b)[None, :]
        full = weight * distance.mismatch
        total += np.where(missing_a & missing_b, 0.0, np.where(missing_a | missing_b, full, weight * gap))
    for a, b, weight in zip(queries.categorical, reference.categorical, distance.categorical_weights, strict=True):
        total += np.where(a[:, None] != b[None, :], weight * distance.mismatch, 0.0)
    total /= distance.divisor
    if distance.root:
        total = np.sqrt(total)
    if exclude_self:
        np.fill_diagonal(total, np.inf)
    order = np.argsort(total, axis=1, kind="stable")[:, :k]
    return order, np.take_along_axis(total, order, 1)


def table(rng, rows, numeric, categories, missing=0.1, digits=None):
    """Draw a table: `numeric` columns, and one categorical column per number of categories."""
    numbers = []
    for j in range(numeric):
        column = np.round(rng.random(rows), digits if digits is not None else 1 + j % 6)
        numbers.append(np.where(rng.random(rows) < missing, np.nan, column))
    codes = []
    for count in categories:
        column = np.minimum(rng.integers(0, count, rows), rng.integers(0, count, rows))
        codes.append(np.where(rng.random(rows) < missing, -1, column).astype(np.int32))
    return Columns(tuple(numbers), tuple(codes), rows)


def check(queries, reference, distance, k, **options):
    neighbors, distances = search(queries, reference, distance, k, **options)
    expected, at = brute(queries, reference, distance, k, options.get("exclude_self", False))
    assert neighbors.dtype == np.int64
    assert distances.dtype == np.float64
    assert neighbors.shape == distances.shape == (queries.rows, k)
    np.testing.assert_array_equal(distances, at)
    np.testing.assert_array_equal(neighbors, expected)


SHAPES = [(3, (4, 300, 2)), (0, (5, 3, 2, 2)), (5, ()), (1, (2,) * 20), (2, (70_000, 3)), (1, ()), (0, (2,))]


@pytest.mark.one_in(3, 2)
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(("numeric", "categories"), SHAPES)
def test_equals_brute_force(metric, numeric, categories):
    rng = np.random.default_rng(len(categories) * 10 + numeric)
    numeric = 0 if metric == "hamming" and categories else numeric
    queries, reference = table(rng, 151, numeric, categories), table(rng, 2100, numeric, categories)
    distance = distance_of(metric, (1.0,) * numeric, (1.0,) * len(categories))
    for k in (1, 7):
        check(queries, reference, distance, k)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("metric", "missing", "digits"), [("gower", 0.1, 3), ("euclidean", 0.1, 5), ("euclidean", 0, 5)]
)
def test_more_groups_of_blocks_than_a_query_looks_at_first(metric, missing, digits):
    """280,000 distinct rows are 68 groups of 64 blocks of 64; numbers alone, none missing, are searched by products."""
    rng = np.random.default_rng(7)
    categories = (4, 300) if missing else ()
    queries, reference = (table(rng, rows, 2, categories, missing, digits) for rows in (60, 280_000))
    check(queries, reference, distance_of(metric, (1.0, 1.0), (1.0,) * len(categories)), 3)


@st.composite
def cases(draw):
    metric = draw(st.sampled_from(METRICS))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    numeric = draw(st.integers(0, 4))
    categories = draw(st.lists(st.sampled_from((1, 2, 3, 17, 300, 70_000)), max_size=5))
    if numeric + len(categories) == 0:
        numeric = 1
    weight = st.sampled_from((1.0, 1.0, 0.0, 0.25, 3.7))
    distance = distance_of(
        metric,
        [draw(weight) for _ in range(numeric)],
        [draw(weight) for _ in categories],
        draw(st.sampled_from((1.0, 0.0, 2.0, 2**0.5, 0.3))),
    )
    missing = st.sampled_from((0.0, 0.1, 0.9))
    digits = draw(st.sampled_from((None, 0, 1)))
    size = st.sampled_from((1, 2, 63, 64, 65, 200, 700))
    reference = table(rng, draw(size), numeric, categories, draw(missing), digits)
    queries = table(rng, draw(size), numeric, categories, draw(missing), digits)
    return queries, reference, distance


@many
@given(case=cases(), k=st.integers(1, 7), threads=st.integers(1, 2), data=st.data())
def test_equals_brute_force_on_any_table(case, k, threads, data):
    queries, reference, distance = case
    shard_rows = data.draw(st.sampled_from((None, max(1, reference.rows // 3), 100_000)))
    options = {
        "block_rows": data.draw(st.sampled_from((1, 7, 64, 1024))),
        "options": SearchOptions(threads, shard_rows),
    }
    check(queries, reference, distance, min(k, reference.rows), **options)
    if reference.rows > 1:
        check(reference, reference, distance, min(k, reference.rows - 1), exclude_self=True, **options)


@pytest.mark.parametrize("metric", METRICS)
def test_options_change_nothing(metric):
    rng = np.random.default_rng(5)
    numeric = 0 if metric == "hamming" else 3
    queries, reference = table(rng, 700, numeric, (9, 2, 40)), table(rng, 5000, numeric, (9, 2, 40))
    distance = distance_of(metric, (1.0, 0.3, 2.0)[:numeric], (1.0, 0.7, 1.0))
    first = search(queries, reference, distance, 5)
    for threads in (1, 2):
        for block_rows in (1, 64, 500):
            for shard_rows in (None, 333, 4999):
                again = search(
                    queries, reference, distance, 5, block_rows=block_rows, options=SearchOptions(threads, shard_rows)
                )
                assert again[0].tobytes() == first[0].tobytes()
                assert again[1].tobytes() == first[1].tobytes()


def test_symmetric_to_the_bit():
    rng = np.random.default_rng(6)
    one, other = table(rng, 60, 5, (3, 3)), table(rng, 50, 5, (3, 3))
    distance = distance_of("euclidean", (1.0, 0.1, 0.7, 3.0, 1.3), (0.3, 0.9), 2**0.5)
    there, back = search(one, other, distance, 50), search(other, one, distance, 60)
    full, turned = np.empty((60, 50)), np.empty((50, 60))
    np.put_along_axis(full, there[0], there[1], 1)
    np.put_along_axis(turned, back[0], back[1], 1)
    np.testing.assert_array_equal(full, turned.T)


def test_equal_records_are_at_zero():
    rng = np.random.default_rng(7)
    rows = table(rng, 3000, 4, (5, 300), missing=0.2)
    for metric in METRICS:
        distance = distance_of(metric, (0.1, 0.2, 0.3, 0.7), (1.1, 0.9))
        neighbors, distances = search(rows, rows, distance, 1)
        assert (distances == 0).all()
        assert (neighbors[:, 0] <= np.arange(3000)).all()


@pytest.mark.parametrize("metric", METRICS)
def test_many_duplicates_stay_fast(metric):
    rows = 100_000
    numeric = () if metric == "hamming" else (np.full(rows, 0.25),)
    same = Columns(numeric, (np.zeros(rows, np.int32),), rows)
    distance = distance_of(metric, (1.0,) * len(numeric), (1.0,))
    search(same.slice(0, 10), same.slice(0, 10), distance, 1)
    begin = time.perf_counter()
    neighbors, distances = search(same, same, distance, 3, exclude_self=True)
    assert time.perf_counter() - begin < 5
    assert (distances == 0).all()
    assert neighbors[0].tolist() == [1, 2, 3]
    assert neighbors[2].tolist() == [0, 1, 3]
    assert neighbors[99_999].tolist() == [0, 1, 2]


def test_ties_of_distinct_rows():
    """Thousands of distinct rows at the same distance: the smallest records win."""
    codes = np.stack(np.unravel_index(np.random.default_rng(8).permutation(4096), (4,) * 6)).astype(np.int32)
    reference = Columns((), tuple(codes), 4096)
    queries = Columns((), tuple(np.full(3, 9, np.int32) for _ in range(6)), 3)
    neighbors, distances = search(queries, reference, distance_of("hamming", (), (1.0,) * 6), 4)
    assert neighbors.tolist() == [[0, 1, 2, 3]] * 3
    assert (distances == 6).all()


@pytest.mark.parametrize("metric", ["gower", "euclidean"])
def test_constant_and_missing_columns(metric):
    rng = np.random.default_rng(9)
    rows = 300
    columns = Columns(
        (np.full(rows, np.nan), np.full(rows, 0.5), rng.random(rows)),
        (np.full(rows, -1, np.int32), np.zeros(rows, np.int32)),
        rows,
    )
    other = Columns(
        (rng.random(rows), np.full(rows, np.nan), rng.random(rows)),
        (np.full(rows, 2**31 - 1, np.int32), np.full(rows, -1, np.int32)),
        rows,
    )
    distance = distance_of(metric, (1.0,) * 3, (1.0,) * 2)
    check(columns, columns, distance, 4, exclude_self=True)
    check(columns, other, distance, 4)
    check(other, columns, distance, 4)


def test_far_and_tiny_numbers():
    rng = np.random.default_rng(10)
    reference = Columns((rng.normal(size=500) * 1e-160, rng.normal(size=500) * 1e8), (), 500)
    queries = Columns((rng.normal(size=60) * 1e-160, rng.normal(size=60) * 1e30), (), 60)
    for metric in ("euclidean", "manhattan", "gower"):
        check(queries, reference, distance_of(metric, (1.0, 1.0), ()), 3)
        check(reference, reference, distance_of(metric, (1.0, 1.0), ()), 3, exclude_self=True)


def test_small_differences_of_large_numbers():
    """Seconds since 1970 that differ by microseconds: what float32 and centering lose must only widen the margins."""
    rng = np.random.default_rng(16)
    rows = Columns((1.7e9 + rng.integers(0, 2000, 900) * 1e-6, rng.random(900) * 1e-9), (), 900)
    for metric in ("euclidean", "manhattan", "gower"):
        for weights in ((1.0, 1.0), (1e-3, 1e6)):
            check(rows, rows, distance_of(metric, weights, ()), 3, exclude_self=True)


def test_queries_without_a_number_that_the_reference_always_has():
    rng = np.random.default_rng(17)
    queries, reference = table(rng, 80, 3, (4,), missing=0.6), table(rng, 900, 3, (4,), missing=0.0)
    for metric in ("euclidean", "manhattan", "gower"):
        check(queries, reference, distance_of(metric, (1.0, 2.0, 0.5), (1.0,)), 3)
        check(reference, queries, distance_of(metric, (1.0, 2.0, 0.5), (1.0,)), 3)


@pytest.mark.parametrize("power", [1, 2])
def test_cap_within_the_range(power):
    rng = np.random.default_rng(19)
    queries, reference = (
        Columns(tuple(rng.normal(size=(4, rows)) * 3), (rng.integers(0, 3, rows).astype(np.int32),), rows)
        for rows in (70, 1500)
    )
    distance = Distance(power, True, 1.0, (1.0, 2.0, 0.3, 1.0), (1.0,), 5.3, power == 2)
    check(queries, reference, distance, 5)


def test_merge_of_shards_is_the_whole():
    rng = np.random.default_rng(12)
    queries, reference = table(rng, 90, 2, (4, 5)), table(rng, 1000, 2, (4, 5))
    distance = distance_of("gower", (1.0, 1.0), (1.0, 1.0))
    parts = [
        Index(reference.slice(start, start + 300), distance, first_record=start).search(queries, 4)
        for start in range(0, 1000, 300)
    ]
    neighbors, distances = merge(parts)
    whole = search(queries, reference, distance, 4)
    np.testing.assert_array_equal(neighbors, whole[0])
    np.testing.assert_array_equal(distances, whole[1])


def test_one_index_from_several_threads():
    rng = np.random.default_rng(13)
    reference = table(rng, 3000, 2, (4, 5))
    distance = distance_of("gower", (1.0, 1.0), (1.0, 1.0))
    index = Index(reference, distance)
    batches = [table(rng, 200, 2, (4, 5)) for _ in range(4)]
    results = [None] * 4

    def work(i):
        results[i] = index.search(batches[i], 3, options=SearchOptions(1))

    workers = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for batch, result in zip(batches, results, strict=True):
        np.testing.assert_array_equal(result[0], brute(batch, reference, distance, 3)[0])


def test_no_queries():
    rng = np.random.default_rng(14)
    neighbors, distances = search(table(rng, 0, 1, (2,)), table(rng, 10, 1, (2,)), distance_of("gower", (1,), (1,)), 2)
    assert neighbors.shape == distances.shape == (0, 2)


def test_no_column_that_costs_anything():
    rows = Columns((), (), 5)
    neighbors, distances = search(rows, rows, distance_of("gower", (), ()), 2, exclude_self=True)
    assert neighbors.tolist() == [[1, 2], [0, 2], [0, 1], [0, 1], [0, 1]]
    assert (distances == 0).all()


@pytest.mark.parametrize(
    ("k", "exclude_self", "rows"), [(0, False, 5), (6, False, 5), (5, True, 5), (-1, False, 5), (1, False, 0)]
)
def test_k_that_cannot_be(k, exclude_self, rows):
    columns = Columns((np.zeros(rows),), (), rows)
    with pytest.raises(ValueError, match="k must be"):
        search(columns, columns, distance_of("gower", (1.0,), ()), k, exclude_self=exclude_self)


def test_columns_that_do_not_fit():
    good = Columns((np.zeros(5),), (), 5)
    with pytest.raises(ValueError, match="numeric"):
        search(good, good, distance_of("gower", (1.0, 1.0), ()), 1)
    with pytest.raises(ValueError, match="shape"):
        search(Columns((np.zeros(4),), (), 5), good, distance_of("gower", (1.0,), ()), 1)


def test_distance_that_cannot_be():
    with pytest.raises(ValueError, match="power"):
        Distance(3, False, 1.0, (1.0,), (), 1.0, False)
    with pytest.raises(ValueError, match="weights"):
        Distance(1, False, 1.0, (-1.0,), (), 1.0, False)
    with pytest.raises(ValueError, match="divisor"):
        Distance(1, False, 1.0, (1.0,), (), 0.0, False)


def test_progress_and_cancellation():
    rng = np.random.default_rng(15)
    columns = Columns(tuple(rng.normal(size=(20, 60_000))), (), 60_000)
    distance = distance_of("euclidean", (1.0,) * 20, ())
    search(columns.slice(0, 100), columns.slice(0, 100), distance, 1)
    seen, asked = [], []

    def follow(*at):
        seen.append(at)

    def cancelled():
        asked.append(time.perf_counter())
        return len(asked) >= 3

    with pytest.raises(Exception, match="cancelled"):
        search(columns, columns, distance, 50, options=SearchOptions(progress=follow, cancelled=cancelled))
    assert time.perf_counter() - asked[-1] < 0.3
    seen.clear()
    search(columns.slice(0, 500), columns, distance, 1, options=SearchOptions(shard_rows=30_000, progress=follow))
    assert seen[-1] == (1000, 1000)
    assert seen == sorted(seen)


def test_interrupt_ends_the_search():
    code = """
import _thread, threading, time, sys
import numpy as np
from synthpriv_sql.kernels import Columns, Distance, search
rng = np.random.default_rng(0)
rows = Columns(tuple(rng.normal(size=(20, 60_000))), (), 60_000)
distance = Distance(2, False, 1.0, (1.0,) * 20, (), 1.0, True)
search(rows.slice(0, 100), rows.slice(0, 100), distance, 1)
sent = []
threading.Timer(0.8, lambda: (sent.append(time.perf_counter()), _thread.interrupt_main())).start()
try:
    search(rows, rows, distance, 50)
except KeyboardInterrupt:
    sys.exit(0 if time.perf_counter() - sent[0] < 0.5 else 1)
sys.exit(2)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=120).returncode == 0


def test_one_specialization_each():
    """A second set of argument types would be compiled behind the user's back."""
    from synthpriv_sql.kernels.blocks import bounds, distinct, encode, exact, limits, quantized, tree, vectors, visits
    from synthpriv_sql.kernels.knn import brute, products, scan

    rng = np.random.default_rng(18)
    for metric, numeric, categories in (
        ("gower", 2, (3,)),
        ("euclidean", 0, (3, 70_000)),
        ("manhattan", 3, ()),
        ("euclidean", 3, ()),
    ):
        rows = table(rng, 300, numeric, categories)
        for column in (*rows.numeric, *rows.categorical):
            column.flags.writeable = False
        check(rows, rows, distance_of(metric, (1,) * numeric, (1,) * len(categories)), 2, exclude_self=True)
    filters = {scan: 4, exact: 2}  # none, products, steps, vectors
    for module in (bounds, brute, distinct, encode, exact, limits, products, quantized, scan, tree, vectors, visits):
        for name, function in vars(module).items():
            if hasattr(function, "signatures") and function.__module__ == module.__name__:
                assert len(function.signatures) <= filters.get(module, 1), name


def test_numba_is_not_loaded_before_the_first_search():
    code = "import sys, synthpriv_sql.kernels; sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
