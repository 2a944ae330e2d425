"""Standard deviations out of pages: to the bit those that SQL gives, which other engines use and `scaling` shows."""

import numpy as np
import pyarrow as pa
import pytest
from calls import create
from hypothesis import given
from hypothesis import strategies as st

from synthpriv_sql.udf.encoded import pages
from synthpriv_sql.udf.encoded.deviations import standard_deviations

pytestmark = pytest.mark.duckdb_1


def paged(columns, page):
    """Pages of so many rows at most, the last first."""
    rows = len(columns[0])
    starts = range(0, rows, page)
    made = [
        pages.pack(
            pa.array(np.arange(start, min(start + page, rows))), *(pa.array(c[start : start + page]) for c in columns)
        )
        for start in starts
    ]
    return [pa.scalar(each.to_pybytes(), pa.binary()) for each in reversed(made)]


def in_sql(session, columns):
    create(session, numbers=pa.table({f"n{i}": pa.array(c, pa.float64()) for i, c in enumerate(columns)}))
    return [row["stddev"] for row in session.scaling("numbers").to_arrow().to_pylist()]


def drawn(rng, rows):
    columns = [
        rng.normal(size=rows),
        np.round(rng.normal(size=rows), 1) * 10.0 ** rng.integers(-300, 300),
        rng.integers(0, 3, rows) + 1.7e9,
        rng.choice([0.1, np.nan], rows),
        np.full(rows, np.nan),
        rng.choice([-1e308, 1e308], rows),
        np.where(np.arange(rows) == 0, 5e-324, 0.0),
        np.full(rows, -0.0),
    ]
    return [np.asarray(column, np.float64) for column in columns]


@given(seed=st.integers(0, 2**32 - 1), rows=st.sampled_from([1, 2, 3, 40, 3000]), page=st.sampled_from([1, 7, 2048]))
def test_what_sql_gives_to_the_bit(shared, seed, rows, page):
    columns = drawn(np.random.default_rng(seed), rows)
    found = standard_deviations(paged(columns, page if rows < 100 else 2048), ["number"] * len(columns))
    np.testing.assert_array_equal(np.array(found, float), np.array(in_sql(shared, columns), float))


def test_sums_that_versions_of_duckdb_round_differently(shared):
    columns = drawn(np.random.default_rng(31), 3000)[:2]
    assert standard_deviations(paged(columns, 2048), ["number"] * 2) == in_sql(shared, columns)


def test_sums_of_more_than_64_bits(shared):
    columns = [np.concatenate([np.zeros(50_000), np.full(150_000, 1.0), [0.3]])]
    assert standard_deviations(paged(columns, 2048), ["number"]) == in_sql(shared, columns)


def test_numbers_between_texts():
    numbers = np.random.default_rng(3).normal(size=(2, 500))
    texts = [None if i % 5 == 0 else f"t{i % 300}" for i in range(500)]
    nothing = pa.nulls(500, pa.string())
    found = standard_deviations(
        paged([texts, numbers[0], nothing, numbers[1], texts], 64), ["text", "number", "text", "number", "text"]
    )
    assert found == standard_deviations(paged(list(numbers), 64), ["number"] * 2)


def test_what_is_infinite_is_left_to_the_search():
    column = np.array([1.0, np.inf, 3.0, -np.inf])
    assert standard_deviations(paged([column], 2), ["number"]) == [1.0]


@pytest.mark.parametrize("kinds", [[], ["text"], ["number", "text", "number"]])
def test_no_rows(kinds):
    assert standard_deviations([], kinds) == [None] * kinds.count("number")
