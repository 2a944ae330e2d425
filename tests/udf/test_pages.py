"""Pages that statements keep: compressed where that is worth it, and the same when they are read."""

import numpy as np
import pyarrow as pa
import pytest

from synthpriv_sql.udf.encoded import compressed, pages

KINDS = ["number", "text", "integer"]


LATER = 1 << 17  # a record that only large tables have


def page_of(rows, first=0):
    random = np.random.default_rng(rows)
    numbers = np.where(random.random(rows) < 0.1, np.nan, random.integers(0, 50, rows))
    words = pa.array([None if i % 7 == 0 else f"wörd {i % 90}" for i in range(rows)])
    return (
        pa.array(np.arange(first, first + rows)),
        pa.array(numbers),
        words,
        pa.array(random.integers(-(2**62), 2**62, rows)),
    )


@pytest.mark.parametrize(("rows", "first"), [(1, 0), (2048, 0), (1, LATER), (2048, LATER)])
def test_pages_are_read_as_they_were_written(rows, first):
    record, *columns = page_of(rows, first)
    (page,) = pages.write(record, *columns).drop_null()
    assert pages.kinds(page, 3) == KINDS
    found = pages.read([page], KINDS, first)
    np.testing.assert_array_equal(found.columns[0], columns[0].to_numpy())
    codes, words = pages.codes(found.columns[1])
    assert [None if code < 0 else words[int(code)].as_py() for code in codes] == columns[1].to_pylist()
    np.testing.assert_array_equal(found.columns[2].values, columns[2].to_numpy())


def test_pages_of_large_tables_are_kept_compressed_and_others_as_they_are():
    large, small = (pages.pack(*page_of(2048, first)) for first in (LATER, 0))
    kept = compressed.of(large, 3)
    assert kept.size < large.size / 1.5
    assert compressed.opened(pages.binary(kept)[0]).to_pybytes() == large.to_pybytes()
    assert compressed.of(small, 3) is small
    assert compressed.opened(pages.binary(small)[0]).to_pybytes() == small.to_pybytes()


def test_records_that_do_not_follow_each_other_are_pages_of_their_own():
    record, *columns = page_of(6, LATER)
    order = pa.array([3, 4, 5, 0, 1, 2])
    written = pages.write(record.take(order), *(column.take(order) for column in columns)).drop_null()
    assert len(written) == 2
    np.testing.assert_array_equal(pages.read(written, KINDS, LATER).columns[2].values, columns[2].to_numpy())


@pytest.mark.parametrize("decimals", [0, 1, 3, 4, 6, None])
@pytest.mark.parametrize(
    "odd", [(), (np.nan,), (-0.0,), (np.inf, -np.inf), (2.0**31, -(2.0**31)), (2.0**53 + 2,), (1e300,)]
)
@pytest.mark.parametrize("largest", [3.0, 4e4, 3e9])
def test_numbers_come_back_to_the_bit(decimals, odd, largest):
    drawn = np.random.default_rng(decimals).normal(size=500) * largest
    numbers = drawn if decimals is None else np.round(drawn, decimals)
    numbers[[7 + i for i in range(len(odd))]] = odd
    record, *columns = page_of(500, LATER)
    given = [pa.array(numbers), *columns, pa.array(numbers[::-1].copy()), pa.array([[1.5]] * 500), pa.array(numbers)]
    page = pages.pack(record, *given)
    assert compressed.opened(pages.binary(compressed.of(page, 6))[0]).to_pybytes() == page.to_pybytes()


def test_decimals_take_a_third():
    random = np.random.default_rng(0)
    numbers = [pa.array(np.round(random.normal(size=2048) * 3, 3)) for _ in range(7)]
    page = pages.pack(pa.array(np.arange(LATER, LATER + 2048)), *numbers)
    assert compressed.of(page, 7).size < page.size / 3
