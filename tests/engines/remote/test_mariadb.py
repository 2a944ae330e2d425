"""MariaDB: types, names, snapshots, what leaves, results that are written, passwords, and what is stopped."""

import datetime
import threading
import time
import traceback
from decimal import Decimal

import ladders
import pytest
from calls import cli, rows_of

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.engines.mysql.driver import read
from synthpriv_sql.remedies.ladder import written

pytestmark = pytest.mark.slow

TABLES = """
CREATE TABLE types (id BIGINT PRIMARY KEY, f FLOAT, price DECIMAL(10, 2), wide DECIMAL(50, 3), mood ENUM('ok', 'Bad'),
  `Mixed %Case` VARCHAR(20) CHARACTER SET latin1 COLLATE latin1_swedish_ci, u UUID, flag BOOLEAN, digit TINYINT(1),
  day DATE, clock TIME(3), seen DATETIME(3), moment TIMESTAMP(6) NULL, bytes BLOB, big BIGINT UNSIGNED, year YEAR,
  bits BIT(5), small SMALLINT UNSIGNED);
INSERT INTO types VALUES (2, 0.001, 1.5, 1.125, 'ok', 'ä ', '00000000-0000-0000-0000-000000000001', 1, 7, '2024-02-29',
  '10:00:00.5', '2024-01-01 10:00:00.25', '2024-01-01 10:00:00.000001', x'00ff', 18446744073709551615, 2024,
  b'101', 65535);
INSERT INTO types (id, `Mixed %Case`) VALUES (1, 'Ä');
CREATE TABLE train (a DOUBLE, b VARCHAR(9), c INT);
CREATE TABLE synthetic (a DOUBLE, b VARCHAR(9), c INT);
INSERT INTO train SELECT seq * 7 % 11 / 2, MID('xyX', 1 + seq * 7 % 3, 1), seq % 4 FROM seq_0_to_39;
INSERT INTO synthetic SELECT seq * 5 % 11 / 2, MID('xyX', 1 + seq * 5 % 3, 1), seq % 4 FROM seq_0_to_39;
CREATE VIEW some AS SELECT b, c FROM train
"""


@pytest.fixture(scope="module")
def client(mariadb_server):
    """A second connection, to do things behind the session's back."""
    import pymysql

    with pymysql.connect(charset="utf8mb4", autocommit=True, **read(mariadb_server.url).options) as connection:
        cursor = connection.cursor()
        for statement in TABLES.split(";\n"):
            cursor.execute(statement)
        yield cursor


@pytest.fixture(scope="module")
def session(mariadb_server, client):
    with synthpriv_sql.connect(mariadb_server.url, threads=2) as opened:
        yield opened


def test_types_and_values_come_back_as_they_were(session, client):
    with session.engine.call():
        relation = session.engine.relation("data", "types")
    assert {column.name: column.type for column in relation.columns} == {
        "id": "BIGINT",
        "f": "DOUBLE",
        "price": "DECIMAL(10, 2)",
        "wide": "DOUBLE",
        "mood": "VARCHAR",
        "Mixed %Case": "VARCHAR",
        "u": "VARCHAR",
        "flag": "BOOLEAN",
        "digit": "BIGINT",
        "day": "DATE",
        "clock": "TIME",
        "seen": "TIMESTAMP",
        "moment": "TIMESTAMP WITH TIME ZONE",
        "bytes": "BLOB",
        "big": "HUGEINT",
        "year": "BIGINT",
        "bits": "BIGINT",
        "small": "BIGINT",
    }
    result = session.screen("types", "types", exclude=["bytes"], key="id")
    second, first = rows_of(result)
    assert (first["record"], first["key"], second["key"], first["copies"]) == (1, 2, 1, 1)
    assert (first["price"], first["mood"], first["flag"], first["digit"]) == (Decimal("1.50"), "ok", True, 7)
    assert (first["clock"], first["seen"]) == (
        datetime.time(10, 0, 0, 500_000),
        datetime.datetime(2024, 1, 1, 10, 0, 0, 250_000),
    )
    assert (first["big"], first["bytes"], first["Mixed %Case"]) == (2**64 - 1, "00FF", "ä ")
    result.to_table("screened")
    client.execute("SELECT column_name, column_type FROM information_schema.columns WHERE table_name = 'screened'")
    written = dict(client.fetchall())
    client.execute("SELECT column_name, column_type FROM information_schema.columns WHERE table_name = 'types'")
    own = {name: type_ for name, type_ in client.fetchall() if name != "bytes"}
    assert {name: written[name] for name in own} == own
    assert (written["dcr"], written["flagged"], written["reasons"]) == ("double", "tinyint(1)", "longtext")
    listed = ", ".join(f"`{name}`" for name in own)
    client.execute(f"SELECT {listed} FROM types EXCEPT SELECT {listed} FROM screened")
    assert client.fetchall() == ()


def test_texts_are_equal_where_their_bytes_are(session):
    assert len(session.equivalence_classes("types", quasi_identifiers=["Mixed %Case"])) == 2
    found = session.copies("(SELECT 'X' AS t UNION ALL SELECT 'x ')", "(SELECT b AS t FROM train)")
    assert [bool(row["copies"]) for row in rows_of(found)] == [True, False]


def test_names_are_read_as_the_server_reads_them(session):
    for name in ("train", "`train`", "tests.train", "`tests`.`train`", "(SELECT * FROM train -- as it is\n)"):
        assert len(session.scaling(name)) == 3
    for name in ("nothing", "other.train", "a.b.c", "(SELECT 1", "(SELECT nothing FROM train)"):
        with pytest.raises(errors.UnknownTable, match="given as train"):
            session.scaling(name)
    with pytest.raises(errors.UnknownTable, match="given as train"):
        session.scaling("(DELETE FROM train)")


def test_what_leaves_is_counted_and_can_be_forbidden(session):
    assert session.equivalence_classes("train", quasi_identifiers=["b", "c"]).moved.rows == 0
    assert session.dcr("synthetic", "train").moved.rows >= 80
    with pytest.raises(errors.DataWouldLeave, match="searches with the kernel, which does not run in MariaDB"):
        session.dcr("synthetic", "train", pushdown="require")
    with pytest.raises(errors.EmptyTable, match="has no rows"):
        session.dcr("synthetic", "(SELECT * FROM train WHERE a < 0)")


def test_a_call_sees_one_state(session, client, monkeypatch):
    load = session.engine._workbench.load
    expected = session.dcr("synthetic", "train").fetchall()

    def load_while_others_write(*arguments):
        client.execute("INSERT INTO train VALUES (99, 'z', 9)")
        return load(*arguments)

    monkeypatch.setattr(session.engine._workbench, "load", load_while_others_write)
    try:
        assert session.dcr("synthetic", "train").fetchall() == expected
    finally:
        client.execute("DELETE FROM train WHERE a = 99")


def test_results_replace_and_append_whole_or_not_at_all(session, client, mariadb_server):
    result = session.copies("synthetic", "train")
    result.to_table("kept")
    with pytest.raises(errors.WriteError, match="of that name already"):
        result.to_table("kept")
    result.to_table("tests.kept", replace=True)
    for other in (result, session.copies("train", "synthetic"), result):  # a run is appended once
        other.to_table("runs", append=True)
    client.execute("SELECT count(*), count(DISTINCT run_id) FROM runs")
    assert client.fetchall() == ((80, 2),)
    with pytest.raises(errors.WriteError, match="it lacks"):
        session.scaling("train").to_table("runs", append=True)
    with pytest.raises(errors.WriteError, match="denied"):
        result.to_table("mysql.kept")
    client.execute("SHOW TABLES LIKE 'synthpriv%'")
    assert client.fetchall() == ()
    with synthpriv_sql.connect(mariadb_server.url, read_only=True) as closed, pytest.raises(errors.WriteError):
        closed.scaling("train").to_table("more")


def test_a_statement_is_stopped_and_a_connection_that_was_lost_is_opened_anew(session, client):
    slow = "(SELECT a, sleep(0.1) AS c FROM train)"
    threading.Timer(0.5, session.cancel).start()
    begun = time.monotonic()
    with pytest.raises(errors.Stopped):
        session.dcr(slow, slow)
    assert time.monotonic() - begun < 3
    assert len(session.scaling("train")) == 3
    client.execute(f"KILL {session.connection.thread_id()}")
    assert len(session.scaling("train")) == 3


def test_a_password_is_never_shown(mariadb_server, session, monkeypatch):
    url, password = mariadb_server.url, mariadb_server.password
    messages = [
        repr(session.engine),
        str(vars(session.engine)),
        session.sql("copies", synthetic="train", train="train"),
    ]
    for bad in (
        url.replace(password, "s3cr%2Fet"),
        url + "/more",
        url + "?password=s3cr",
        url.replace("@127", "@x@127"),
    ):
        with pytest.raises(errors.SynthprivError) as refused:
            synthpriv_sql.connect(bad)
        messages += traceback.format_exception(refused.value)
        messages += cli("scaling", "--train", "train", "--database", bad)[1:]
    assert [message for message in messages if password in message or "s3cr" in message] == []
    assert any("Access denied" in message for message in messages)
    monkeypatch.setenv("MYSQL_PWD", password)
    bare = url.replace(f":{password}@", "@").replace("mariadb://", "mysql://")
    code, out, err = cli("scaling", "--train", "train", "--database", bare, "--format", "csv")
    assert (code, err, out.splitlines()[0][:17]) == (0, "", "column_name,role,")


def test_a_server_that_is_not_there():
    with pytest.raises(errors.EngineError, match=r"mysql://127\.0\.0\.1:1/x cannot be reached") as refused:
        synthpriv_sql.connect("mysql://u@127.0.0.1:1/x")
    assert refused.value.transient


@pytest.mark.parametrize("name", ladders.VALUES)
def test_a_ladder_gives_the_values_of_duckdb(client, name):
    filled = ladders.filled(name, "mysql")
    client.execute(f"CREATE OR REPLACE TABLE {ladders.TABLE} AS {filled}")
    steps = list(ladders.steps(name))
    assert len(steps) >= 2
    for action, query, expected in steps:
        client.execute(written(query, "mysql"))
        assert [str(ladders.plain(value)) for (value,) in client.fetchall()] == list(map(str, expected)), action
    client.execute(f"DROP TABLE {ladders.TABLE}")
