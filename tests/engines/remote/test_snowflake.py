"""Snowflake, which is fakesnow behind Snowflake's protocol: types, names, errors, results that are written."""

from decimal import Decimal
from urllib.parse import quote

import emulators
import pytest
from calls import rows_of
from surfaces import IN_WAREHOUSES

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.conformance import checking

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]

STATEMENTS = """
CREATE SCHEMA IF NOT EXISTS shop;
CREATE TABLE shop.types (id INTEGER, small NUMBER(5, 0), mid NUMBER(15, 0), price NUMBER(10, 2), wide NUMBER(38, 6),
  f FLOAT, "Mixed ""Case" VARCHAR, flag BOOLEAN, day DATE, clock TIME, seen TIMESTAMP_NTZ, moment TIMESTAMP_TZ,
  bytes BINARY);
INSERT INTO shop.types SELECT 1234567890123456789, 7, 123456789012345, 1.5, 1.125, 'NaN'::FLOAT,
  'ä''b\\\\c', TRUE, '2024-02-29', '10:00:00.5', '2024-01-01 10:00:00', '2024-01-01 10:00:00.25+09:00', NULL;
INSERT INTO shop.types (id) VALUES (NULL);
CREATE TABLE shop.train (a FLOAT, b VARCHAR, c INTEGER);
CREATE TABLE shop.synthetic (a FLOAT, b VARCHAR, c INTEGER)
"""


@pytest.fixture(scope="module")
def url():
    pytest.importorskip("adbc_driver_snowflake", reason="adbc-driver-snowflake is not installed")

    def made(port):
        password = quote(emulators.PASSWORD, safe="")
        return f"snowflake://me:{password}@fake/BANK/SHOP?host=127.0.0.1&port={port}&protocol=http"

    with emulators.filled("fakesnow", made, STATEMENTS, "train") as found:
        yield found


@pytest.fixture(scope="module")
def session(url):
    with synthpriv_sql.connect(url, threads=1) as opened:
        yield opened


def test_types_and_values_come_back_as_they_were(session):
    with session.engine.call():
        relation = session.engine.relation("data", "types")
    assert {column.name: column.type for column in relation.columns} == {
        "ID": "HUGEINT",
        "SMALL": "INTEGER",
        "MID": "BIGINT",
        "PRICE": "DECIMAL(10, 2)",
        "WIDE": "DECIMAL(38, 6)",
        "F": "DOUBLE",
        'Mixed "Case': "VARCHAR",
        "FLAG": "BOOLEAN",
        "DAY": "DATE",
        "CLOCK": "TIME",
        "SEEN": "TIMESTAMP",
        "MOMENT": "TIMESTAMP WITH TIME ZONE",
        "BYTES": "VARCHAR",
    }
    row, missing = rows_of(session.split("types", share=0.5))
    if row["ID"] is None:
        row, missing = missing, row
    assert (row["ID"], row["WIDE"], row["PRICE"]) == (1234567890123456789, Decimal("1.125"), Decimal("1.50"))
    assert row['Mixed "Case'] == "ä'b\\c"
    assert row["F"] != row["F"]
    assert row["MOMENT"].isoformat().startswith("2024-01-01T01:00:00.250000")
    assert {missing[column.name] for column in relation.columns} == {None}


def test_names_are_found_as_snowflake_reads_them(session):
    for name in ("train", "TRAIN", "shop.train", "BANK.SHOP.TRAIN", 'bank."SHOP".train', "(SELECT * FROM train)"):
        assert session.scaling(name).to_arrow()["column_name"].to_pylist() == ["A", "B", "C"]
    for name in ('"train"', "nothing.train", "a.b.c.d"):
        with pytest.raises(errors.UnknownTable):
            session.scaling(name)
    assert session.scaling("train", columns=["b"]).to_arrow()["column_name"].to_pylist() == ["B"]


def test_what_is_written_is_there_and_replaced_and_appended(session):
    result = session.safe("synthetic", "train", copies_only=True)
    result.to_table("kept")
    assert rows_of(session.split("kept"))[0].keys() >= {"A", "B", "C"}
    with pytest.raises(errors.WriteError, match="of that name already"):
        result.to_table("kept")
    session.split("train").to_table("bank.shop.kept", replace=True)
    assert len(session.split('SHOP."KEPT"')) == 40
    for again in (result, result, session.safe("synthetic", "train", copies_only=True)):
        again.to_table("runs", append=True)  # the second time it is there already
    assert session.anonymity("runs", quasi_identifiers=["run_function"])["rows"] == [2 * len(result)]
    with pytest.raises(errors.WriteError, match="same columns"):
        result.to_table("kept", append=True)
    assert "synthpriv" not in str(session.engine._connection.rows("SELECT table_name FROM information_schema.tables"))
    session.engine.drop("kept")
    with pytest.raises(errors.UnknownTable, match="is not a table or view that Snowflake shows"):
        session.split("kept")


def test_texts_are_written_as_they_are(session):
    texts = ["'", "\\", "\\'", "\\n", "a\nb", "%s ?", "$1", "", "ü", "'; DROP TABLE x; --"]
    query = " UNION ALL ".join(
        f"SELECT {n} AS n, CONCAT('', {''.join(f'CHR({ord(c)}) || ' for c in text)}'') AS t"
        for n, text in enumerate(texts)
    )
    session.split(f"({query})").to_table("texts")
    assert sorted(row["T"] for row in rows_of(session.split("texts"))) == sorted(texts)


def test_rows_are_counted_there_and_read_only_sessions_write_nothing(url, session):
    result = session.anonymity("(SELECT b, c FROM shop.train)", quasi_identifiers=["b", "c"])
    assert (rows_of(result)[0]["rows"], result.moved.rows) == (40, 0)
    assert session.dcr("synthetic", "train").moved.rows == 80
    with synthpriv_sql.connect(url, read_only=True, threads=1) as reading:
        with pytest.raises(errors.WriteError, match="read-only"):
            reading.split("train").to_table("other")
        with pytest.raises(errors.DataWouldLeave):
            synthpriv_sql.connect(url, pushdown="require", threads=1).dcr("synthetic", "train")


def test_errors_hold_no_password_and_no_value(url, session):
    wrong = url.replace(quote(emulators.PASSWORD, safe=""), "s3cret")
    with pytest.raises(errors.EngineError, match="cannot be reached") as refused:
        synthpriv_sql.connect(wrong)
    assert "s3cret" not in str(refused.value)
    assert not refused.value.transient
    with pytest.raises(errors.EngineError) as failed:
        session.split("(SELECT CAST('Bob ' || b AS INTEGER) AS x FROM shop.train)")
    assert "Bob" not in str(failed.value)


def test_every_function_gives_what_duckdb_gives(session):
    report = checking.check(session, IN_WAREHOUSES, timeout=3600)
    assert [case for case in report.cases if case.result not in {"same", "refused"}] == []
    assert (report.values, report.left, report.has_nan) == ("same", [], True)
    assert len(report.cases) == len(IN_WAREHOUSES)
