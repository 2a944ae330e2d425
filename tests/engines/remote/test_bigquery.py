"""BigQuery, which is bqemulator behind BigQuery's REST interface: types, names, errors, results that are written."""

from decimal import Decimal

import emulators
import pytest
from calls import rows_of
from surfaces import IN_WAREHOUSES

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.conformance import checking

pytestmark = pytest.mark.slow

STATEMENTS = """
CREATE SCHEMA shop;
CREATE TABLE shop.types (id INT64, price NUMERIC, f FLOAT64, `Mixed Größe` STRING, flag BOOL,
  day DATE, clock TIME, seen DATETIME, moment TIMESTAMP, content BYTES, tags ARRAY<STRING>, place STRUCT<x INT64>);
INSERT INTO shop.types VALUES (1234567890123456789, CAST('1.5' AS NUMERIC),
  CAST('NaN' AS FLOAT64), 'ä\\'b\\\\c', TRUE, DATE '2024-02-29', TIME '10:00:00.5', DATETIME '2024-01-01 10:00:00',
  TIMESTAMP '2024-01-01 10:00:00.25+09:00', b'abc', ['x'], STRUCT(1));
INSERT INTO shop.types (id) VALUES (NULL);
CREATE TABLE shop.`Train 1` (a FLOAT64, b STRING, c INT64);
CREATE TABLE shop.synthetic (a FLOAT64, b STRING, c INT64)
"""


@pytest.fixture(scope="module")
def url():
    pytest.importorskip("google.cloud.bigquery", reason="google-cloud-bigquery is not installed")

    def made(port):
        return f"bigquery://bank/shop?endpoint=http://127.0.0.1:{port}"

    with emulators.filled("bqemulator", made, STATEMENTS, "`Train 1`") as found:
        yield found


@pytest.fixture(scope="module")
def session(url):
    with synthpriv_sql.connect(url, threads=1) as opened:
        yield opened


def test_types_and_values_come_back_as_they_were(session):
    with session.engine.call():
        relation = session.engine.relation("data", "types")
    # bqemulator forgets the digits that a column is declared with.
    assert {column.name: column.type for column in relation.columns} == {
        "id": "BIGINT",
        "price": "DECIMAL(38, 9)",
        "f": "DOUBLE",
        "Mixed Größe": "VARCHAR",
        "flag": "BOOLEAN",
        "day": "DATE",
        "clock": "TIME",
        "seen": "TIMESTAMP",
        "moment": "TIMESTAMP WITH TIME ZONE",
        "content": "VARCHAR",
        "tags": "VARCHAR",
        "place": "VARCHAR",
    }
    row, missing = rows_of(session.split("types", share=0.5))
    if row["id"] is None:
        row, missing = missing, row
    assert (row["id"], row["price"]) == (1234567890123456789, Decimal("1.50"))
    assert (row["Mixed Größe"], row["content"]) == ("ä'b\\c", "616263")
    assert (row["tags"], row["place"].replace(" ", "")) == ('["x"]', '{"x":1}')
    assert row["f"] != row["f"]
    assert row["clock"].microsecond == 500_000
    assert row["moment"].isoformat().startswith("2024-01-01T01:00:00.250000")
    assert {value for name, value in missing.items() if name != "side"} <= {None, "[]"}


def test_names_are_read_as_bigquery_reads_them(session):
    for name in (
        "Train 1",
        "`Train 1`",
        "shop.`Train 1`",
        "`shop.Train 1`",
        "bank.shop.`Train 1`",
        "`bank`.shop.`Train 1`",
    ):
        assert len(session.scaling(name)) == 3
    # Names of tables have a case there, names of columns have none.
    for name in (
        "train 1",
        "nowhere.synthetic",
        "synthetic; DROP TABLE shop.synthetic",
        "../synthetic",
        "synthetic?x=1",
    ):
        with pytest.raises(errors.UnknownTable, match="is not a table or view that BigQuery shows"):
            session.scaling(name)
    assert session.scaling("synthetic", columns=["B"]).to_arrow()["column_name"].to_pylist() == ["b"]


def test_what_is_written_is_there_and_replaced_and_appended(session):
    result = session.safe("synthetic", "Train 1", copies_only=True)
    result.to_table("kept")
    assert rows_of(session.split("kept"))[0].keys() >= {"a", "b", "c"}
    with pytest.raises(errors.WriteError, match="of that name already"):
        result.to_table("kept")
    session.split("Train 1").to_table("bank.shop.kept", replace=True)
    assert len(session.split("shop.kept")) == 40
    for again in (result, result, session.safe("synthetic", "Train 1", copies_only=True)):
        again.to_table("runs", append=True)  # the second time it is there already
    assert session.anonymity("runs", quasi_identifiers=["run_function"])["rows"] == [2 * len(result)]
    with pytest.raises(errors.WriteError, match="same columns"):
        result.to_table("kept", append=True)
    assert "synthpriv" not in str([table.table_id for table in session.connection.client.list_tables("bank.shop")])
    session.engine.drop("kept")
    with pytest.raises(errors.UnknownTable, match="is not a table or view that BigQuery shows"):
        session.split("kept")


def test_texts_and_numbers_are_written_as_they_are(session):
    texts = ["'", "\\", "\\'", "\\n", "a\nb", "%s ?", "@x", "", "ü", "`", "-- x", "'; DROP TABLE x; --"]
    # Three digits after the point are all that bqemulator keeps.
    query = " UNION ALL ".join(
        f"SELECT {n} AS n, CONCAT('', {''.join(f'CHR({ord(c)}), ' for c in text)}'') AS t, "
        f"CAST('{n}.125' AS NUMERIC) AS x"
        for n, text in enumerate(texts)
    )
    session.split(f"({query})").to_table("texts")
    found = sorted(rows_of(session.split("texts")), key=lambda row: row["n"])
    assert [row["t"] for row in found] == texts
    assert [row["x"] for row in found] == [Decimal(f"{n}.125") for n in range(len(texts))]


def test_rows_are_counted_there_and_read_only_sessions_write_nothing(url, session):
    result = session.anonymity("(SELECT b, c FROM shop.`Train 1`)", quasi_identifiers=["b", "c"])
    assert (rows_of(result)[0]["rows"], result.moved.rows) == (40, 0)
    assert session.dcr("synthetic", "Train 1").moved.rows == 80
    with synthpriv_sql.connect(url, read_only=True, threads=1) as reading:
        found = reading.split("Train 1")
        with pytest.raises(errors.WriteError, match="read-only"):
            found.to_table("other")
    with synthpriv_sql.connect(url, pushdown="require", threads=1) as staying, pytest.raises(errors.DataWouldLeave):
        staying.dcr("synthetic", "Train 1")


def test_rows_arrive_in_pages(session):
    sql = "SELECT x, CAST(x AS STRING) AS t FROM UNNEST(GENERATE_ARRAY(1, 120000)) AS x"
    batches = [batch.num_rows for batch in session.engine._connection.batches(sql, ["BIGINT", "VARCHAR"])]
    assert (max(batches), sum(batches)) == (100_000, 120_000)


def test_errors_hold_no_value(session):
    with pytest.raises(errors.EngineError, match="cannot be reached") as unreachable:
        synthpriv_sql.connect("bigquery://bank/shop?endpoint=http://127.0.0.1:1", threads=1)
    assert unreachable.value.transient
    with pytest.raises(errors.SynthprivError, match="‹value›") as failed:  # bqemulator runs what is asked dry
        session.split("(SELECT CAST(CONCAT('Bo', 'b ', b) AS INT64) AS x FROM shop.`Train 1`)")
    assert "Bob" not in str(failed.value)


def test_every_function_gives_what_duckdb_gives(session):
    report = checking.check(session, IN_WAREHOUSES, timeout=3600)
    assert [case for case in report.cases if case.result not in {"same", "refused"}] == []
    assert (report.values, report.left, report.has_nan) == ("same", [], True)
    assert len(report.cases) == len(IN_WAREHOUSES)
