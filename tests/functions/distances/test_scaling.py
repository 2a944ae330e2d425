"""Scaling statistics of a train table, against the oracle."""

import datetime as dt
from decimal import Decimal

import pyarrow as pa
import pytest
from calls import answer, assert_same_rows, call, create, rows_of, sql_rows
from hypothesis import given
from oracle import statistics
from strategies import trios

pytestmark = pytest.mark.duckdb_1


@given(trio=trios())
def test_statistics_are_those_of_the_oracle(shared, trio):
    rows = answer(shared, "scaling", trio, ["train"])
    expected = [{"column_name": name, **statistics(trio.train[name], role)} for name, role in trio.roles.items()]
    assert_same_rows(rows, sorted(expected, key=lambda row: row["column_name"]))


def test_columns_come_in_the_order_of_the_table(session):
    create(session, train=pa.table({"b": [1], "Z": ["x"], "a": [True], "c": [dt.date(2024, 1, 1)]}))
    found = session.connection.execute(call("scaling", "train")).fetchall()
    assert [row[:2] for row in found] == [
        ("b", "numeric"), ("Z", "categorical"), ("a", "categorical"), ("c", "temporal")
    ]  # fmt: skip


def test_numbers_worked_by_hand(session):
    train = pa.table({"x": [1.0, 2.0, 2.0, 7.0, None, float("nan")]})
    (row,) = rows_of(session.scaling(train))
    assert row == {
        "column_name": "x", "role": "numeric", "count": 4, "missing": 2, "distinct": 3, "min": 1.0, "max": 7.0,
        "mean": 3.0, "stddev": pytest.approx(5.5**0.5), "median": 2.0, "iqr": 1.5, "most_frequent": None,
    }  # fmt: skip


def test_times_are_seconds(session):
    train = pa.table({"d": [dt.date(1970, 1, 2)], "t": [dt.time(0, 1, 30)], "m": [Decimal("0.25")]})
    found = {row["column_name"]: row["max"] for row in rows_of(session.scaling(train))}
    assert found == {"d": 86_400.0, "t": 90.0, "m": 0.25}


def test_the_most_frequent_value_is_the_first_in_text_order_among_equals(session):
    create(session, train=pa.table({"t": ["b", "a", None, None, None], "f": [True, False, True, None, False]}))
    found = {row["column_name"]: row["most_frequent"] for row in sql_rows(session.connection, call("scaling", "train"))}
    assert found == {"t": "a", "f": "false"}


@pytest.mark.parametrize("value", [0.1, 1e15 + 0.3, 1_700_000_000.123])
def test_a_constant_column_has_no_spread_whatever_rounding_says(session, value):
    (row,) = rows_of(session.scaling(pa.table({"x": [value] * 7})))
    assert (row["stddev"], row["iqr"], row["min"], row["max"]) == (0.0, 0.0, value, value)
