"""Exact copies on the raw values, against a row by row count."""

import datetime as dt

import pyarrow as pa
import pytest
from calls import answer, call, create, rows_of, sql_rows
from hypothesis import given
from oracle import copies
from strategies import trios


@given(trio=trios())
def test_copies_are_those_of_the_oracle(shared, trio):
    rows = answer(shared, "copies", trio, ["synthetic", "train"])
    counts = copies(trio.synthetic, trio.train)
    assert rows == [{"record": record, "copies": count} for record, count in enumerate(counts)]


def copies_of(session, synthetic, train, **options):
    return [row["copies"] for row in rows_of(session.copies(synthetic, train, **options))]


def test_values_that_no_double_tells_apart_are_no_copies(session):
    big = 2**53
    train, synthetic = pa.table({"n": [big, big + 2, 0]}), pa.table({"n": [big, big + 1]})
    assert copies_of(session, synthetic, train) == [1, 0]
    assert [row["dcr"] for row in rows_of(session.dcr(synthetic, train))] == [0.0, 0.0]


def test_missing_values_are_equal_to_each_other_however_they_are_written(session):
    train = pa.table({"x": pa.array([None, float("nan"), 1.0]), "t": [None, None, "a"]})
    synthetic = pa.table({"x": pa.array([float("nan"), None, 0.0]), "t": pa.array([None] * 3, pa.string())})
    assert copies_of(session, synthetic, train) == [2, 2, 0]


def test_only_compared_columns_count(session):
    train = pa.table({"id": [1, 2, 3], "x": [1, 1, 2], "y": ["a", "a", "b"]})
    synthetic = pa.table({"id": [9, 8], "x": [1, 2], "y": ["a", "z"]})
    assert copies_of(session, synthetic, train) == [0, 0]
    assert copies_of(session, synthetic, train, key="id") == [2, 0]
    assert copies_of(session, synthetic, train, columns=["x"]) == [2, 1]


@pytest.mark.parametrize(
    ("synthetic", "train"),
    [
        ("1::INTEGER", "1.0::DOUBLE"),
        ("1.50::DECIMAL(5, 2)", "1.5::DECIMAL(9, 4)"),
        ("100::DECIMAL(38, 0)", "100::DECIMAL(38, 35)"),
        ("9007199254740993::BIGINT", "9007199254740993::DECIMAL(20, 2)"),
        ("0::TINYINT", "-0.000::DECIMAL(4, 3)"),
        ("'a'::VARCHAR", "'a'::ENUM ('a', 'b')"),
        ("DATE '2024-02-29'", "TIMESTAMP '2024-02-29 00:00:00'"),
        ("0.0::DOUBLE", "-0.0::DOUBLE"),
    ],
)
def test_equal_values_of_two_types_are_copies(session, synthetic, train):
    session.connection.execute(f"CREATE TABLE synthetic AS SELECT {synthetic} AS x")
    session.connection.execute(f"CREATE TABLE train AS SELECT {train} AS x")
    for options in ({}, {"categorical": ["x"]}):
        assert sql_rows(session.connection, call("copies", "synthetic", "train", **options)) == [
            {"record": 0, "copies": 1}
        ]
        assert [row["dcr"] for row in sql_rows(session.connection, call("dcr", "synthetic", "train", **options))] == [0]


def test_categories_that_no_double_tells_apart_are_told_apart(session):
    session.connection.execute("CREATE TABLE synthetic AS SELECT 9007199254740992::BIGINT AS x")
    session.connection.execute("CREATE TABLE train AS SELECT 9007199254740993::DECIMAL(20, 2) AS x")
    assert copies_of(session, "synthetic", "train", categorical=["x"]) == [0]
    assert [row["dcr"] for row in rows_of(session.dcr("synthetic", "train", categorical=["x"]))] == [1]


def test_a_microsecond_is_a_difference(session):
    moment = dt.datetime(2024, 5, 1, 12, 0, 0, 1)
    train = pa.table({"at": [moment.replace(microsecond=2), moment]})
    create(session, synthetic=pa.table({"at": [moment]}), train=train)
    assert sql_rows(session.connection, call("copies", "synthetic", "train")) == [{"record": 0, "copies": 1}]
