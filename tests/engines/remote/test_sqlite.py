"""SQLite files: types by values, names, snapshots, what leaves, results that are written, and what can go wrong."""

import datetime
import sqlite3
import threading
import time

import numpy as np
import pandas as pd
import pytest
from calls import assert_same_rows, cli, rows_of

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.engines.sqlite import driver

TYPES = """
    CREATE TABLE types (
        id INTEGER PRIMARY KEY, n INT, x REAL, price DECIMAL(9, 2), flag BOOLEAN, "Mixed Case" TEXT COLLATE NOCASE,
        day DATE, seen DATETIME, zoned TIMESTAMP, clock TIME, bytes BLOB, both, broken DATE, loose INTEGER, none REAL,
        text_day TEXT
    );
    INSERT INTO types VALUES
        (7, 1, 1, 2, 1, 'a', '2024-02-29', '2024-01-01T10:00:00', '2024-01-01 10:00:00+00:00', '10:00:00', x'00ff',
         1, '2024-02-30', 5, NULL, '2024-01-01'),
        (9, NULL, 2.5, 2.25, 0, 'A', '1969-12-31', '1969-12-31 23:59:59.25', '1969-12-31T00:00:00.5Z',
         '23:59:59.999999', NULL, 'x', 'x', 'five', NULL, '2024-01-02');
    CREATE TABLE "no ""rowid"" one" (rowid TEXT PRIMARY KEY, oid, _rowid_) WITHOUT ROWID;
    INSERT INTO "no ""rowid"" one" VALUES ('b', 1, 2), ('a', 2, 2);
    CREATE VIEW seen AS SELECT day, flag, n + 1 AS more FROM types;
    CREATE TABLE train (id INTEGER PRIMARY KEY, a REAL, b TEXT, c INTEGER);
    CREATE TABLE synthetic (id INTEGER PRIMARY KEY, a REAL, b TEXT, c INTEGER);
    CREATE TABLE infinite (a REAL);
    INSERT INTO infinite VALUES (9e999), (1);
"""


@pytest.fixture
def path(tmp_path):
    with sqlite3.connect(tmp_path / "some file.db") as connection:
        connection.executescript(TYPES)
        for table, step in (("train", 7), ("synthetic", 5)):
            rows = [(i, i * step % 11 / 2, "xyX"[i * step % 3], i % 4) for i in range(40)]
            connection.executemany(f"INSERT INTO {table} VALUES (?, ?, ?, ?)", rows)
    connection.close()
    return tmp_path / "some file.db"


@pytest.fixture
def session(path):
    with synthpriv_sql.connect(f"sqlite:///{path}") as opened:
        yield opened


def types(session, table):
    return {column.name: column.type for column in session.engine.relation("data", table).columns}


def test_types_are_those_of_the_values(session):
    with session.engine.call():
        assert types(session, "types") == {
            "id": "BIGINT",
            "n": "BIGINT",
            "x": "DOUBLE",
            "price": "DOUBLE",
            "flag": "BOOLEAN",
            "Mixed Case": "VARCHAR",
            "day": "DATE",
            "seen": "TIMESTAMP",
            "zoned": "TIMESTAMP WITH TIME ZONE",
            "clock": "TIME",
            "bytes": "BLOB",
            "both": "VARCHAR",
            "broken": "VARCHAR",
            "loose": "VARCHAR",
            "none": "DOUBLE",
            "text_day": "VARCHAR",
        }
        assert types(session, "SEEN") == {"day": "DATE", "flag": "BOOLEAN", "more": "BIGINT"}
        assert types(session, "(SELECT day, seen, flag, 1.5 AS one FROM types -- as it is\n)") == {
            "day": "DATE",
            "seen": "TIMESTAMP",
            "flag": "BOOLEAN",
            "one": "DOUBLE",
        }
        assert types(session, '"no ""rowid"" one"') == {"rowid": "VARCHAR", "oid": "BIGINT", "_rowid_": "BIGINT"}


def test_values_come_back_as_they_were(session, path):
    result = session.screen("types", "types", exclude=["bytes", "broken", "both", "loose"], key="id")
    first, second = rows_of(result)
    assert (first["record"], first["key"], first["copies"], second["key"]) == (0, 7, 1, 9)
    utc = datetime.UTC
    assert second["seen"] == datetime.datetime(1969, 12, 31, 23, 59, 59, 250_000)
    assert second["zoned"].astimezone(utc) == datetime.datetime(1969, 12, 31, microsecond=500_000, tzinfo=utc)
    assert (second["clock"], first["bytes"], first["both"]) == (datetime.time(23, 59, 59, 999_999), "00FF", "1")
    result.to_table("screened")
    with sqlite3.connect(path) as connection:
        declared = {name: type_ for _, name, type_, *_ in connection.execute("PRAGMA table_info(screened)")}
        own = {name: type_ for _, name, type_, *_ in connection.execute("PRAGMA table_info(types)")}
        assert {name: type_ for name, type_ in declared.items() if own.get(name)} == {
            name: type_ for name, type_ in own.items() if type_
        }
        assert (declared["flagged"], declared["dcr"], declared["reasons"]) == ("BOOLEAN", "REAL", "TEXT")
        kept = connection.execute("SELECT n, x, price, flag, day, zoned FROM screened ORDER BY id").fetchall()
        assert kept == [
            (1, 1.0, 2, 1, "2024-02-29", "2024-01-01 10:00:00+00:00"),
            (None, 2.5, 2.25, 0, "1969-12-31", "1969-12-31 00:00:00.500000+00:00"),
        ]
    connection.close()
    with session.engine.call():
        found = types(session, "screened")
        assert {name: found[name] for name in ("seen", "zoned", "flag", "Mixed Case")} == {
            name: type_
            for name, type_ in types(session, "types").items()
            if name in ("seen", "zoned", "flag", "Mixed Case")
        }


def test_texts_are_equal_where_their_bytes_are(session):
    found = session.copies("(SELECT 'A' AS t)", '(SELECT "Mixed Case" AS t FROM types)')
    assert [row["copies"] for row in rows_of(found)] == [1]
    classes = session.equivalence_classes("types", quasi_identifiers=["Mixed Case"])
    assert len(classes) == 2


def test_what_leaves_is_counted_and_can_be_forbidden(session):
    assert session.equivalence_classes("train", quasi_identifiers=["b", "c"]).moved.rows == 0
    found = session.dcr("synthetic", "train", key="id", pushdown="auto")
    assert found.moved.rows >= 80
    with pytest.raises(errors.DataWouldLeave, match="searches with the kernel, which does not run in SQLite"):
        session.dcr("synthetic", "train", key="id", pushdown="require")
    with pytest.raises(errors.DataWouldLeave, match="needs what SQLite lacks"):
        session.scaling("train", pushdown="require")
    text = session.sql("dcr", synthetic="synthetic", train="train", key="id")
    assert "in SQLite\n" in text
    assert "-- on these rows, in DuckDB\n" in text
    leaving = [
        row for row in rows_of(session.plan("dcr", synthetic="synthetic", train="train")) if row["step"] == "leaves"
    ]
    assert {row["rows"] for row in leaving} == {1, 40}  # scales, and records


def test_infinite_values_are_an_error_with_its_words(session):
    with pytest.raises(errors.InfiniteValue, match='column "a" of "infinite" holds 1 infinite value'):
        session.scaling("infinite")


@pytest.mark.parametrize(
    "name", ["nothing", "main.nothing", "temp.train", "a.b.c", '"', "(SELECT 1", "(SELECT nothing FROM train)"]
)
def test_what_is_not_there(session, name):
    with pytest.raises(errors.UnknownTable, match="given as train"):
        session.scaling(name)


def test_names_are_read_as_sqlite_reads_them(session):
    for name in ("train", "TRAIN", "main.Train", '"train"', "`train`", "[train]"):
        assert len(session.scaling(name, exclude=["id"])) == 3


def test_a_table_is_measured_again_when_it_was_written(session, path):
    with session.engine.call():
        assert types(session, "train")["c"] == "BIGINT"
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE train SET c = 0.5 WHERE id = 3")
    connection.close()
    with session.engine.call():
        assert types(session, "train")["c"] == "DOUBLE"


def test_results_replace_and_append_whole_or_not_at_all(session, path):
    result = session.copies("synthetic", "train", exclude=["id"])
    result.to_table("Kept")
    with pytest.raises(errors.WriteError, match="of that name already"):
        result.to_table("kept")
    result.to_table("kept", replace=True)
    for other in (result, session.copies("train", "synthetic", exclude=["id"]), result):  # a run is appended once
        other.to_table("main.runs", append=True)
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*), count(DISTINCT run_id) FROM runs").fetchall() == [(80, 2)]
    connection.close()
    with pytest.raises(errors.WriteError, match="it lacks"):
        session.scaling("train").to_table("runs", append=True)
    with pytest.raises(errors.WriteError, match="no name of a table"):
        result.to_table("other.kept")
    with synthpriv_sql.connect(f"sqlite:///{path}", read_only=True) as closed, pytest.raises(errors.WriteError):
        closed.scaling("train").to_table("more")
    with sqlite3.connect(path) as other:
        other.execute("BEGIN IMMEDIATE")
        assert len(session.scaling("train")) == 4
    other.close()


def test_a_statement_is_stopped_at_once(session):
    slow = "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000) SELECT i FROM n)"
    threading.Timer(0.3, session.cancel).start()
    begun = time.monotonic()
    with pytest.raises(errors.Stopped):
        session.scaling(slow)
    assert time.monotonic() - begun < 5
    assert len(session.scaling("train")) == 4


def test_files_that_are_none(tmp_path, path, monkeypatch):
    (tmp_path / "text.db").write_text("no database, but a text of some length\n" * 50)
    with pytest.raises(errors.EngineError, match="cannot be reached: file is not a database"):
        synthpriv_sql.connect(f"sqlite:///{tmp_path}/text.db")
    with pytest.raises(errors.UnknownTable, match="there is no database file"):
        synthpriv_sql.connect("sqlite:///not/there.db")
    for url in ("sqlite://", "sqlite:///", "sqlite://host/x.db", "sqlite:///:memory:"):
        with pytest.raises(errors.OptionError, match="names a file"):
            synthpriv_sql.connect(url)
    monkeypatch.chdir(tmp_path)
    with synthpriv_sql.connect("sqlite:///some%20file.db") as session:
        assert repr(session.engine) == "<SQLite at sqlite:///some file.db>"
    with sqlite3.connect(path) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(errors.EngineError, match="database is locked") as locked:
            synthpriv_sql.connect(f"sqlite:///{path}?timeout=0")
        assert locked.value.transient
    other.close()


def test_the_command_line(path):
    code, out, err = cli("scaling", "--train", "train", "--database", f"sqlite:///{path}", "--format", "csv")
    assert (code, out.splitlines()[0][:17]) == (0, "column_name,role,"), err
    code, _, err = cli("scaling", "--train", "train", "--database", f"sqlite:///{path}", "--engine", "postgres")
    assert code == 2
    assert "does not match this --database" in err


def test_mathematics_where_sqlite_was_built_without_it():
    with sqlite3.connect(":memory:") as built, sqlite3.connect(":memory:") as added:
        driver.add_mathematics(added)
        for call in ("ceil(1.5)", "floor(-1.5)", "exp(2)", "exp(1000)", "ln(3)", "ln(0)", "ln(NULL)", "power(2, 0.5)"):
            assert added.execute(f"SELECT {call}").fetchone() == built.execute(f"SELECT {call}").fetchone(), call
        assert added.execute("SELECT sign(-2), sign(0.0), sqrt(4), sqrt(-1)").fetchone() == (-1, 0, 2.0, None)
    built.close()
    added.close()


def test_addresses_without_a_session_say_what_there_is_instead():
    with pytest.raises(errors.OptionError, match="--dialect trino writes a statement to run there"):
        synthpriv_sql.connect("trino://user:secret@host/data")
    with pytest.raises(errors.OptionError, match=": export the tables") as refused:
        synthpriv_sql.connect("oracle://user:secret@host/db")
    assert "secret" not in str(refused.value)


def test_an_evaluation_has_the_control_of_attacks_and_a_check_by_itself_takes_no_rows_out(tmp_path):
    random = np.random.default_rng(3)
    tables = {}
    for side, mean in (("synthetic", 0), ("train", 0), ("holdout", 1)):
        tables[side] = pd.DataFrame(random.normal(mean, size=(220, 2)), columns=["a", "b"])
    with sqlite3.connect(tmp_path / "control.db") as connection:
        for side, table in tables.items():
            table.to_sql(side, connection, index=False)
    connection.close()
    options = {"attack": "distance", "named_by": "uniques"}
    with synthpriv_sql.connect(f"sqlite:///{tmp_path / 'control.db'}") as session, synthpriv_sql.connect() as here:
        found = session.evaluate(*tables, **options)
        expected = here.evaluate(*tables.values(), **options)
        alone = session.split_check("train", "holdout")
        steps = session.plan("split_check", train="train", holdout="holdout")
    assert_same_rows(rows_of(found), rows_of(expected))
    control = [row["value"] for row in rows_of(found) if (row["metric"], row["statistic"]) == ("split", "auc")]
    assert control > [0.7]
    assert alone["auc"] == [None] * 3
    assert not any("encoded" in what for what in steps["what"])
