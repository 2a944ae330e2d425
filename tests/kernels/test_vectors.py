"""Vectors among other columns, in the kernel and in NumPy, against brute force."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import many
from synthpriv_sql.kernels import Columns, Distance, Index, search
from synthpriv_sql.kernels.knn import dispatch, pairs, searching
from synthpriv_sql.kernels.layout import Vector
from synthpriv_sql.kernels.threads import SearchOptions
from synthpriv_sql.udf.encoded import embeddings


def distance_of(metric, numbers, texts, vectors, mismatch=1.0):
    weights = (*numbers, *texts, *(vector.weight for vector in vectors))
    if metric == "euclidean":
        vectors = tuple(replace(vector, root=False) for vector in vectors)
        return Distance(2, False, mismatch**2, numbers, texts, 1.0, True, (), vectors)
    if metric == "gower":
        return Distance(1, True, 1.0, numbers, texts, sum(weights), False, (), vectors)
    return Distance(1, False, mismatch, numbers, texts, 1.0, False, (), vectors)


def brute(queries, reference, distance, k):
    """Every pair: numbers, then categories, then vectors; those of squares beside the numbers."""
    total = np.zeros((queries.rows, reference.rows))

    def add(cost, a, b, full):
        cost = np.where(np.isnan(a) ^ np.isnan(b), full, np.where(np.isnan(a) & np.isnan(b), 0.0, cost))
        np.add(total, cost, out=total)

    def capped(cost):
        return np.minimum(cost, 1.0) if distance.cap else cost

    for a, b, weight in zip(queries.numeric, reference.numeric, distance.numeric_weights, strict=True):
        gap = np.abs(a[:, None] - b[None, :])
        gap = capped(gap * gap if distance.power == 2 else gap)
        add(weight * gap, a[:, None], b[None, :], weight * distance.mismatch)
    both = list(zip(queries.vectors, reference.vectors, distance.vectors, strict=True))
    if distance.power == 2:
        for us, vs, vector in both:
            for j in range(vector.length):
                a, b = us[:, None, j].astype(float), vs[None, :, j].astype(float)
                gap = np.abs(a - b) / vector.scale
                add(vector.weight * (gap * gap), a, b, vector.weight * distance.mismatch if j == 0 else 0.0)
    for a, b, weight in zip(queries.categorical, reference.categorical, distance.categorical_weights, strict=True):
        total += np.where(a[:, None] != b[None, :], weight * distance.mismatch, 0.0)
    if distance.power == 1:
        for us, vs, vector in both:
            squares = np.zeros(total.shape)
            for j in range(vector.length):
                gap = np.abs(us[:, None, j].astype(float) - vs[None, :, j].astype(float)) / vector.scale
                squares += gap * gap
            cost = capped(np.sqrt(squares) if vector.root else squares)
            add(vector.weight * cost, us[:, None, 0], vs[None, :, 0], vector.weight * distance.mismatch)
    total /= distance.divisor
    total = np.sqrt(total) if distance.root else total
    order = np.argsort(total, axis=1, kind="stable")[:, :k]
    return order, np.take_along_axis(total, order, 1)


def check(queries, reference, distance, k, **options):
    expected = brute(queries, reference, distance, k)
    for found in (
        search(queries, reference, distance, k, **options),
        pairs.search(queries, reference, distance, k),
    ):
        np.testing.assert_array_equal(found[1], expected[1])
        np.testing.assert_array_equal(found[0], expected[0])


KINDS = ("clusters", "ties", "far", "tiny", "constant")


def drawn(rng, rows, length, kind, missing):
    middle = np.random.default_rng(3).normal(size=(12, length))
    values = middle[rng.integers(0, 12, rows)] + rng.normal(size=(rows, length)) * 0.05
    if kind == "ties":
        values = np.round(values)
    if kind == "far":
        values[rng.random(rows) < 0.05] *= 1e25
    if kind == "tiny":
        values *= 1e-30
    if kind == "constant":
        values[:] = 1.5
    values[rng.random(rows) < missing] = np.nan
    return values.astype(np.float32 if length % 2 else np.float64)


def table(rng, rows, numbers, categories, lengths, kinds, missing):
    def gone():
        return rng.random(rows) < missing

    return Columns(
        tuple(np.where(gone(), np.nan, np.round(rng.random(rows), 2)) for _ in range(numbers)),
        tuple(np.where(gone(), -1, rng.integers(0, c, rows)).astype(np.int32) for c in categories),
        rows,
        tuple(drawn(rng, rows, n, kind, missing) for n, kind in zip(lengths, kinds, strict=True)),
    )


def with_copies(rng, queries, reference, share):
    """Queries some of which are rows of the reference."""
    chosen = np.flatnonzero(rng.random(queries.rows) < share)
    taken = rng.integers(0, reference.rows, len(chosen))
    for kind in ("numeric", "categorical", "vectors"):
        for mine, theirs in zip(getattr(queries, kind), getattr(reference, kind), strict=True):
            mine[chosen] = theirs[taken]


SHAPES = [(0, (), (7, 3)), (2, (4, 300), (8,)), (0, (3,), (20,)), (3, (), (5, 1)), (1, (70_000,), (2,)), (0, (), (6,))]


@pytest.mark.one_in(2, 2)
@pytest.mark.parametrize("metric", ["gower", "euclidean", "manhattan"])
@pytest.mark.parametrize(("numbers", "categories", "lengths"), SHAPES)
def test_equals_brute_force(metric, numbers, categories, lengths):
    for missing in (0.0, 0.1):
        rng = np.random.default_rng(numbers)
        shape = numbers, categories, lengths, ["clusters"] * len(lengths), missing
        queries, reference = table(rng, 90, *shape), table(rng, 1300, *shape)
        with_copies(rng, queries, reference, 0.2)
        vectors = tuple(Vector(n, 1.0, 6.0, root=i % 2 == 0) for i, n in enumerate(lengths))
        distance = distance_of(metric, (1.0,) * numbers, (1.0,) * len(categories), vectors)
        for k in (1, 5):
            check(queries, reference, distance, k)


@st.composite
def cases(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    numbers, categories = draw(st.integers(0, 2)), draw(st.lists(st.sampled_from((2, 17, 300)), max_size=2))
    lengths = draw(st.lists(st.sampled_from((1, 2, 9, 33)), min_size=1, max_size=2))
    kinds = [draw(st.sampled_from(KINDS)) for _ in lengths]
    shape = numbers, categories, lengths, kinds, draw(st.sampled_from((0.0, 0.1, 0.9)))
    size = st.sampled_from((1, 2, 64, 65, 300))
    reference = table(rng, draw(size), *shape)
    queries = table(rng, draw(size), *shape)
    with_copies(rng, queries, reference, draw(st.sampled_from((0.0, 0.3))))
    weight = st.sampled_from((1.0, 1.0, 0.25, 3.7))
    scale = st.sampled_from((1.0, 5.0, 1e-3))
    vectors = tuple(Vector(n, draw(weight), draw(scale), draw(st.booleans())) for n in lengths)
    distance = distance_of(
        draw(st.sampled_from(("gower", "euclidean", "manhattan"))),
        tuple(draw(weight) for _ in range(numbers)),
        tuple(draw(weight) for _ in categories),
        vectors,
        draw(st.sampled_from((1.0, 0.0, 2.0, 0.3))),
    )
    return queries, reference, distance


@many
@given(case=cases(), k=st.integers(1, 5), data=st.data())
def test_equals_brute_force_on_any_table(case, k, data):
    queries, reference, distance = case
    options = {
        "block_rows": data.draw(st.sampled_from((1, 7, 1024))),
        "options": SearchOptions(
            data.draw(st.integers(1, 2)), data.draw(st.sampled_from((None, max(1, reference.rows // 3))))
        ),
    }
    check(queries, reference, distance, min(k, reference.rows), **options)


def test_filters_rule_rows_out():
    """None of the above would notice if they did not: a filter that is lied to loses records."""
    rng = np.random.default_rng(1)
    rows = table(rng, 4000, 1, (), (16,), ["clusters"], 0.0)
    index = Index(rows, distance_of("gower", (1.0,), (), (Vector(16, 1.0, 6.0, root=True),)))
    assert (index.search(rows, 1)[1] == 0).all()
    coder = index._grown.coder
    vectors = coder.vectors
    coder.vectors = vectors._replace(values=vectors.values + np.float32(100))
    assert (index.search(rows, 1)[1] > 0).mean() > 0.1


# Margins: what rounding decides. A number beside the vector, the same for all, keeps it from being searched by squares.


def beside(values, number=0.0):
    rows = len(values)
    numbers = np.ascontiguousarray(np.broadcast_to(number, rows), np.float64)
    return Columns((numbers,), (), rows, (np.ascontiguousarray(values, np.float64),))


@pytest.mark.parametrize("root", [True, False])
@pytest.mark.parametrize("components", [1, 2, 5])
def test_vectors_that_float32_cannot_tell_apart(root, components):
    """Two clusters about the center, in which components differ by tenths of the last place of float32."""
    rng = np.random.default_rng(components)
    distance = distance_of("manhattan", (1.0,), (), (Vector(components, 1.0, 1.0, root),))
    for offset in (1.01, 1.4, 1.99):
        queries, reference = (
            rng.choice([-offset, offset], rows)[:, None] + rng.integers(-200, 201, (rows, components)) * 2.0**-27
            for rows in (150, 900)
        )
        check(beside(queries), beside(reference), distance, 3)


def most_rounded_up(components):
    """The number whose squares, as many as there are components, float32 adds up to most more than they are."""
    tried = np.linspace(1, 2, 4000).astype(np.float32)
    squares = tried * tried
    total = np.zeros(len(tried), np.float32)
    for _ in range(components):
        total += squares
    return float(tried[np.argmax(total / (tried.astype(float) ** 2))])


@pytest.mark.parametrize("root", [True, False])
def test_sums_of_many_components(root):
    """Every addition rounds up, and all rows are equally near: the filter takes for farther what is not.

    Roundings of the components count for their root only, those of the sum for each: of so many, that is more.
    """
    components = 4000
    step = most_rounded_up(components)
    signs = np.random.default_rng(1).choice([-1.0, 1.0], (150, components))
    distance = distance_of("manhattan", (1.0,), (), (Vector(components, 1.0, 1.0, root),))
    # Below and above are equally near, and in blocks of their own: the first are not those of the smallest records.
    number = np.random.default_rng(2).choice([-1.0, 1.0], 300)
    reference = beside(step * np.concatenate([signs, -signs]), number)
    check(beside(np.zeros((1, components))), reference, distance, 150)


@pytest.mark.parametrize("root", [True, False])
def test_sums_of_many_numbers_beside_a_vector(root):
    """The same of numbers, whose sum is rounded before the vector's cost is added."""
    rng = np.random.default_rng(2)
    signs = rng.choice([-1.0, 1.0], (150, 200))
    distance = distance_of("manhattan", (1.0,) * 200, (), (Vector(3, 1e-6, 1.0, root),))
    for step in (1.1, 1.2, 1.3, 1.45, 1.7):
        rows = step * np.concatenate([signs, -signs])
        queries, reference = (
            Columns(tuple(np.ascontiguousarray(values.T)), (), len(values), (np.zeros((len(values), 3)),))
            for values in (np.zeros((1, 200)), rows)
        )
        check(queries, reference, distance, 150)


@pytest.mark.parametrize("root", [True, False])
@pytest.mark.parametrize("weight", [1e-3, 1.0, 40.0])
def test_vectors_closer_than_one(root, weight):
    """Where a square is less than its root, and the other way round."""
    rng = np.random.default_rng(3)
    reference = rng.random((1500, 3)) * 0.9
    distance = distance_of("manhattan", (1.0,), (), (Vector(3, weight, 1.0, root),))
    for size in (0.01, 1.0, 100.0):
        check(beside(rng.random((80, 3)) * size), beside(reference * size), distance, 4)


@pytest.mark.parametrize("root", [True, False])
def test_vectors_of_very_different_length(root):
    """The margin is that of the longest, although a query is among the short ones."""
    rng = np.random.default_rng(4)
    reference = rng.integers(-200, 201, (1200, 4)) * 2.0**-20
    reference[::40] += 10.0 ** rng.integers(0, 7, (30, 1))
    distance = distance_of("manhattan", (1.0,), (), (Vector(4, 1.0, 1.0, root),))
    check(beside(reference[rng.integers(0, 1200, 100)]), beside(reference), distance, 5)


@pytest.mark.parametrize("root", [True, False])
def test_ties_at_the_cap(root):
    """All that is beyond it costs the same, so that the smallest records are the nearest."""
    rng = np.random.default_rng(5)
    for weights in ((1.0, 1.0), (0.01, 1.0), (1.0, 0.3)):
        distance = distance_of("gower", weights[:1], (), (Vector(3, weights[1], 0.01, root),))
        queries, reference = rng.normal(size=(40, 3)), rng.normal(size=(900, 3))
        check(beside(queries), beside(reference), distance, 5)
        check(beside(queries, 0.5), beside(reference), distance, 5)


@pytest.mark.parametrize("metric", ["gower", "manhattan"])
@pytest.mark.parametrize("root", [True, False])
def test_one_vector_alone_is_searched_by_its_squares(metric, root):
    rng = np.random.default_rng(4)
    queries, reference = (table(rng, rows, 1, (), (5,), ["ties"], 0.1) for rows in (60, 400))
    with_copies(rng, queries, reference, 0.3)
    vector = Vector(5, 0.3, 2.0, root)
    distance = distance_of(metric, (0.0,), (), (vector,), 2.0)
    assert searching.as_squares(distance).power == 2
    for exclude_self in (False, True):
        asked = reference if exclude_self else queries
        found = searching.search(asked, reference, distance, 4, exclude_self=exclude_self)
        expected = search(asked, reference, distance, 4, exclude_self=exclude_self)
        np.testing.assert_allclose(found[1], expected[1], rtol=1e-14)
        # What is as far as can be is as far as anything else that is, to the bit.
        np.testing.assert_array_equal(found[0][expected[1] >= 1], expected[0][expected[1] >= 1])
        np.testing.assert_array_equal(found[1] == 0, expected[1] == 0)
    assert not dispatch.one_vector(distance_of(metric, (1.0,), (), (vector,)))
    assert not dispatch.one_vector(distance_of("euclidean", (), (), (vector,)))


def test_directions_depend_on_nothing_but_the_vector():
    rng = np.random.default_rng(5)
    vectors = rng.normal(size=(embeddings.CHUNK + 1, 7)).astype(np.float32)
    vectors[3] = 0
    vectors[4] *= 1e30
    found = embeddings.directions(vectors)
    np.testing.assert_array_equal(found[-1:], embeddings.directions(vectors[-1:]))
    np.testing.assert_array_equal(found[7:9], embeddings.directions(vectors[7:9]))
    np.testing.assert_array_equal(found[4], embeddings.directions(vectors[4:5] * np.float32(2))[0])
    assert np.isnan(found[3]).all()
    np.testing.assert_allclose(np.linalg.norm(np.delete(found, 3, 0), axis=1), 1, rtol=1e-15)


def test_bad_vectors_are_told():
    with pytest.raises(ValueError, match="root"):
        Distance(2, False, 1.0, (), (), 1.0, True, (), (Vector(3, 1.0, 1.0, root=True),))
    with pytest.raises(ValueError, match="component"):
        Distance(1, False, 1.0, (), (), 1.0, True, (), (Vector(0, 1.0, 1.0),))
    rows = Columns((), (), 5, (np.zeros((5, 2)),))
    with pytest.raises(ValueError, match=r"shape \(5, 2\) instead of \(5, 3\)"):
        search(rows, rows, Distance(1, False, 1.0, (), (), 1.0, True, (), (Vector(3, 1.0, 1.0),)), 1)
