"""ClickHouse, which is chDB behind an HTTP server of the tests: types, names, errors, results that are written."""

import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path

import pytest
import servers
from calls import rows_of
from surfaces import IN_WAREHOUSES

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.conformance import checking
from synthpriv_sql.engines.clickhouse.driver import read

pytestmark = pytest.mark.slow

TABLES = """
CREATE TABLE shop.types (id UInt64, f Nullable(Float32), price Decimal(10, 2), wide Decimal(50, 3), mood
  Enum8('ok' = 1), "Mixed ""Case" LowCardinality(Nullable(String)),
  fixed FixedString(3), u UUID, flag Bool, day Date, clock Time64(6),
  seen DateTime, moment DateTime64(3, 'Asia/Tokyo'), huge Int128, tags Array(String))
  ENGINE = MergeTree ORDER BY id;
INSERT INTO shop.types VALUES (18446744073709551615, nan, 1.5, 1.125, 'ok', 'ä''b', 'abc',
  '00000000-0000-0000-0000-000000000001', true, '2024-02-29', '10:00:00.5', '2024-01-01 10:00:00',
  '2024-01-01 10:00:00.25', -5, ['x']);
CREATE TABLE shop.train (a Float64, b String, c Nullable(Int32)) ENGINE = MergeTree ORDER BY tuple();
CREATE TABLE shop.synthetic (a Float64, b String, c Nullable(Int32)) ENGINE = MergeTree ORDER BY tuple();
INSERT INTO shop.train
  SELECT number * 7 % 11 / 2, substring('xyX', 1 + number * 7 % 3, 1), number % 4 FROM numbers(40);
INSERT INTO shop.synthetic
  SELECT number * 5 % 11 / 2, substring('xyX', 1 + number * 5 % 3, 1), number % 4 FROM numbers(40)
"""


@pytest.fixture(scope="module")
def url():
    pytest.importorskip("chdb", reason="chdb is not installed")
    port = servers._free_port()
    script = Path(servers.__file__).with_name("chdb_server.py")
    with subprocess.Popen([sys.executable, str(script), str(port), "p@ss"]) as process:
        try:
            found = f"clickhouse://default:p%40ss@127.0.0.1:{port}/shop"
            deadline = time.monotonic() + 60
            while True:
                try:
                    with synthpriv_sql.connect(found, threads=1) as session:
                        for statement in TABLES.split(";\n"):
                            session.connection.send(statement).read()
                    break
                except errors.EngineError:
                    assert time.monotonic() < deadline
                    time.sleep(0.2)
            yield found
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def session(url):
    with synthpriv_sql.connect(url, threads=1) as opened:
        yield opened


def test_types_and_values_come_back_as_they_were(session):
    with session.engine.call():
        relation = session.engine.relation("data", "types")
    assert {column.name: column.type for column in relation.columns} == {
        "id": "HUGEINT",
        "f": "FLOAT",
        "price": "DECIMAL(10, 2)",
        "wide": "DOUBLE",
        "mood": "VARCHAR",
        'Mixed "Case': "VARCHAR",
        "fixed": "VARCHAR",
        "u": "VARCHAR",
        "flag": "BOOLEAN",
        "day": "DATE",
        "clock": "TIME",
        "seen": "TIMESTAMP",
        "moment": "TIMESTAMP WITH TIME ZONE",
        "huge": "HUGEINT",
        "tags": "VARCHAR",
    }
    (row,) = rows_of(session.split("types", share=0.5))
    assert (row["id"], row["huge"], row["price"]) == (Decimal(18446744073709551615), Decimal(-5), Decimal("1.50"))
    assert (row['Mixed "Case'], row["mood"], row["fixed"], row["tags"]) == ("ä'b", "ok", "abc", "['x']")
    assert row["f"] != row["f"]
    assert row["moment"].isoformat().startswith("2024-01-01T01:00:00.250000")


def test_what_is_written_is_there_and_replaced_and_appended(session):
    result = session.safe("synthetic", "train", copies_only=True)
    result.to_table("kept")
    assert rows_of(session.split("kept"))[0].keys() >= {"a", "b", "c"}
    with pytest.raises(errors.WriteError, match="of that name already"):
        result.to_table("kept")
    session.split("train").to_table("shop.kept", replace=True)
    assert len(session.split('shop."kept"')) == 40
    for again in (result, result, session.safe("synthetic", "train", copies_only=True)):
        again.to_table("runs", append=True)  # the second time it is there already
    assert session.anonymity("runs", quasi_identifiers=["run_function"])["rows"] == [2 * len(result)]
    with pytest.raises(errors.WriteError, match="same columns"):
        result.to_table("kept", append=True)
    session.engine.drop("kept")
    with pytest.raises(errors.UnknownTable, match="is not a table or view that ClickHouse shows"):
        session.split("kept")


def test_rows_are_counted_there_and_queries_are_tables(session):
    result = session.anonymity("(SELECT b, c FROM shop.train)", quasi_identifiers=["b", "c"])
    assert (rows_of(result)[0]["rows"], result.moved.rows) == (40, 0)


def test_errors_hold_no_password_and_no_value(url, session):
    wrong = url.replace("p%40ss", "s3cret")
    with pytest.raises(errors.EngineError, match="cannot be reached") as refused:
        synthpriv_sql.connect(wrong)
    assert "s3cret" not in str(refused.value)
    assert not refused.value.transient
    with pytest.raises(errors.EngineError, match="cannot be reached") as unreachable:
        synthpriv_sql.connect("clickhouse://127.0.0.1:1/x")
    assert unreachable.value.transient
    with pytest.raises(errors.EngineError) as failed:
        session.split("(SELECT toInt64(concat('Bob ', b)) AS x FROM shop.train)")
    assert "Bob" not in str(failed.value)


@pytest.mark.parametrize("rest", ["u@h:port/x", "u:p@a@h/x#y", "h/a/b", "h/x?mode=1", "h/x?secure=2"])
def test_a_url_that_cannot_be_read(rest):
    with pytest.raises(errors.OptionError, match="cannot be read"):
        read(f"clickhouse://{rest}")


def test_every_function_gives_what_duckdb_gives(session):
    report = checking.check(session, IN_WAREHOUSES, timeout=3600)
    assert [case for case in report.cases if case.result not in {"same", "refused"}] == []
    assert (report.values, report.left, report.has_nan) == ("same", [], True)
    assert len(report.cases) == len(IN_WAREHOUSES)
