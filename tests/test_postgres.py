"""PostgreSQL over ADBC: types, names, snapshots, what leaves, writing, and what happens when something goes wrong."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from urllib.parse import quote

import pytest
import servers
from conftest import ROOT, assert_same_rows, cli, rows_of
from suites import only_where_tested

import synthpriv_sql
from synthpriv_sql import demo, errors
from synthpriv_sql.engines.base import Moved
from synthpriv_sql.engines.postgres import address, writing

only_where_tested("postgres")
dbapi = pytest.importorskip("adbc_driver_postgresql.dbapi", reason="the extra `postgres` is not installed")

SETUP = """
CREATE SCHEMA shop;
CREATE SCHEMA "Odd ""Schema"" 1";
CREATE SCHEMA results;
CREATE TYPE shop.mood AS ENUM ('sad', 'ok', 'Happy');
CREATE DOMAIN shop.positive AS integer CHECK (VALUE > 0);
CREATE DOMAIN shop.feeling AS shop.mood;
CREATE TABLE shop.all_types (
  id bigint PRIMARY KEY, small smallint, whole integer, price numeric(10, 2), exact numeric, long_ numeric(45, 5),
  single real, double double precision, flag boolean, day date, moment time, seen timestamp, "Seen At" timestamptz(3),
  note text, code varchar(10), padded char(6), mood shop.mood, key uuid, age shop.positive, feeling shop.feeling,
  document jsonb, marks integer[], bytes bytea, gap interval, twice integer GENERATED ALWAYS AS (whole * 2) STORED
);
INSERT INTO shop.all_types VALUES
  (1, 1, 10, 1.50, 0.10, 1234567890123456789012345678901234567890.12345, 0.1, 0.1, true, '2024-02-29',
   '12:34:56.789', '2024-01-01 00:00:00', '2024-01-01 00:00:00.123+02', 'é', 'x', 'ab', 'ok',
   '00000000-0000-0000-0000-00000000000a', 7, 'sad', '{"a": 1}', '{1,2}', '\\x00ff', '1 day 02:00'),
  (2, 2, 20, 99999999.99, 123456789.000000001, 1, 1.5, 1e300, false, '1066-10-14',
   '00:00:00', '9999-12-31', '1969-12-31 23:59:59.5+00', '', '', '', 'sad',
   'ffffffff-ffff-ffff-ffff-ffffffffffff', 1, 'Happy', '[]', '{}', '', '0'),
  (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
   NULL, NULL, NULL, NULL);
CREATE TABLE shop.oddities (id int, nan_price numeric(10, 2), any_number numeric, day date, seen timestamptz);
INSERT INTO shop.oddities VALUES
  (1, 1.10, 1.5, 'infinity', '-infinity'), (2, 'NaN', 'Infinity', '-infinity', 'infinity'),
  (3, NULL, 'NaN', '0044-03-15 BC', NULL), (4, 2, 2, '10000-01-01', '4714-11-24 00:00:00+00 BC');
CREATE TABLE shop.train AS
  SELECT i AS id, i % 17 AS a, (i * 7) % 23 * 0.5::float8 AS b, 'c' || i % 5 AS c, i % 2 = 0 AS flag
  FROM generate_series(1, 300) AS i;
CREATE TABLE shop.synthetic AS
  SELECT i AS id, i % 19 AS a, (i * 5) % 23 * 0.5::float8 AS b, 'c' || i % 6 AS c, i % 3 = 0 AS flag
  FROM generate_series(1, 200) AS i;
CREATE TABLE "Odd ""Schema"" 1"."Mixed Case" AS SELECT a AS "A Column", c AS "semi;colon", b AS "Größe" FROM shop.train;
CREATE VIEW shop.some AS SELECT a, c FROM shop.train;
CREATE MATERIALIZED VIEW shop.kept AS SELECT a, c FROM shop.train;
CREATE TABLE shop.parted (a int, c text) PARTITION BY LIST (c);
CREATE TABLE shop.part_0 PARTITION OF shop.parted FOR VALUES IN ('c0', 'c1');
CREATE TABLE shop.part_1 PARTITION OF shop.parted DEFAULT;
INSERT INTO shop.parted SELECT a, c FROM shop.train;
CREATE SEQUENCE shop.counter;
"""
PEOPLE = {"columns": ["a", "b", "c", "flag"]}


def run(url, *statements):
    """Statements of the tests' own, each committed; the rows of the last."""
    with dbapi.connect(url, autocommit=True) as connection, connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
        return cursor.fetchall() if cursor.description else []


@pytest.fixture(scope="module")
def url(postgres_server):
    run(postgres_server.url, *(s for s in SETUP.split(";\n") if s.strip()))
    return postgres_server.url


@pytest.fixture(scope="module")
def pg(url):
    with synthpriv_sql.connect(url, threads=2) as opened:
        yield opened


@pytest.fixture
def interruptible():
    """Ctrl-C as in a terminal: a shell that starts Python in the background has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def other(url):
    """A second connection, to do things behind the session's back."""
    with dbapi.connect(url, autocommit=True) as connection, connection.cursor() as cursor:
        yield cursor


def types_of(url, table):
    rows = run(
        url,
        "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute "
        f"WHERE attrelid = '{table}'::regclass AND attnum > 0 ORDER BY attnum",
    )
    return dict(rows)


# --- types and values


OTHER_TYPES = ["document", "marks", "bytes", "gap"]


def test_every_type_comes_back_as_it_was(pg, url):
    result = pg.screen("shop.all_types", "shop.all_types", exclude=OTHER_TYPES, key="id")
    first, second, third = rows_of(result)
    assert first["price"] == Decimal("1.50")
    assert (first["exact"], second["exact"]) == (Decimal("0.10"), Decimal("123456789.000000001"))
    assert first["long_"] == "1234567890123456789012345678901234567890.12345"
    assert (first["mood"], second["feeling"], first["padded"]) == ("ok", "Happy", "ab")
    assert (first["document"], first["marks"], first["gap"]) == ('{"a": 1}', "{1,2}", "1 day 02:00:00")
    assert first["Seen At"].isoformat() == "2023-12-31T22:00:00.123000+00:00"
    own = types_of(url, "shop.all_types")
    assert {third[name] for name in own if name != "id"} == {None}
    result.to_table("results.all_types")
    written = types_of(url, "results.all_types")
    assert {name: written.pop(name) for name in own} == own
    assert written == {
        "record": "bigint",
        "key_1": "bigint",
        "dcr": "double precision",
        "nndr": "double precision",
        "copies": "bigint",
        "flagged": "boolean",
        "reasons": "text[]",
    }
    assert same_rows(url, "shop.all_types", "results.all_types", own)


def same_rows(url, one, two, columns):
    listed = ", ".join(f'"{name}"' for name in columns)
    differ = (
        f"(SELECT {listed} FROM {one} EXCEPT ALL SELECT {listed} FROM {two}) UNION ALL "
        f"(SELECT {listed} FROM {two} EXCEPT ALL SELECT {listed} FROM {one})"
    )
    return run(url, f"SELECT count(*) FROM ({differ}) AS d") == [(0,)]


def test_nan_and_infinity_come_back_as_they_were(pg, url):
    result = pg.safe("shop.oddities", "(SELECT id FROM shop.oddities WHERE id < 0 UNION ALL SELECT 7)", columns=["id"])
    assert result.types == ["INTEGER", "VARCHAR", "VARCHAR", "DATE", "TIMESTAMP WITH TIME ZONE"]
    result.to_table("results.oddities")
    own = types_of(url, "shop.oddities")
    assert types_of(url, "results.oddities") == own
    assert same_rows(url, "shop.oddities", "results.oddities", own)


def test_nan_is_missing_and_infinity_an_error(pg):
    (row,) = rows_of(pg.scaling("shop.oddities", columns=["nan_price"]))
    assert (row["count"], row["missing"], row["max"]) == (2, 2, 2.0)
    for column, infinite in (("any_number", 1), ("day", 2), ("seen", 2)):
        with pytest.raises(errors.InfiniteValue, match=f'"{column}" of "shop.oddities" holds {infinite} infinite'):
            pg.scaling("shop.oddities", columns=[column])
        with pytest.raises(errors.InfiniteValue, match=f'"{column}".*{infinite} infinite'):
            pg.dcr("shop.oddities", "shop.oddities", columns=[column])


def test_types_without_a_distance_are_named(pg):
    for column, type_ in (("document", "jsonb"), ("marks", r"integer\[\]"), ("gap", "interval")):
        with pytest.raises(errors.RoleError, match=rf'column "{column}" of "shop.all_types" has type {type_}, '):
            pg.scaling("shop.all_types", columns=[column])


def test_the_baseline_keeps_types_and_digits(pg, url):
    query = '(SELECT price, exact, day, "Seen At", code, mood, flag, small FROM shop.all_types)'
    result = pg.baseline(query, p=0, trees=2)
    result.to_table("results.baseline")
    own = types_of(url, "results.baseline")
    assert own["mood"] == "shop.mood"
    assert own["price"] == "numeric(10,2)"
    assert own["Seen At"] == "timestamp(3) with time zone"
    assert same_rows(url, "shop.all_types", "results.baseline", own)
    assert pg.baseline(query, p=1, trees=2).types == result.types


def test_the_baseline_of_more_digits_than_a_decimal_has_is_an_error(pg):
    with pytest.raises(errors.RoleError, match=r'"long_" of .* more digits than a DECIMAL has'):
        pg.baseline("(SELECT long_, small FROM shop.all_types)")


def test_numbers_and_categories_of_unlike_types_are_compared(pg):
    padded = pg.copies("(SELECT padded AS x FROM shop.all_types)", "(SELECT 'ab' AS x)")
    assert sorted(row["copies"] for row in rows_of(padded)) == [0, 0, 1]
    mood = pg.copies("(SELECT mood AS x FROM shop.all_types)", "(SELECT 'ok'::text AS x)")
    assert sorted(row["copies"] for row in rows_of(mood)) == [0, 0, 1]
    feeling = pg.copies("(SELECT mood AS x FROM shop.all_types)", "(SELECT feeling AS x FROM shop.all_types)")
    assert sorted(row["copies"] for row in rows_of(feeling)) == [0, 1, 1]
    with pytest.raises(errors.RoleError, match="mood"):
        pg.dcr("shop.all_types", "(SELECT 1 AS mood)", columns=["mood"])


# --- names, and how rows are numbered


@pytest.mark.parametrize(
    "name", ['"Odd ""Schema"" 1"."Mixed Case"', '(TABLE "Odd ""Schema"" 1"."Mixed Case" -- as it is\n)']
)
def test_names_that_need_quotes(pg, name):
    rows = rows_of(pg.scaling(name))
    assert [row["column_name"] for row in rows] == ["A Column", "Größe", "semi;colon"]


@pytest.mark.parametrize("name", ["shop.train", "SHOP.Train", '"shop"."train"', "tests.shop.train"])
def test_names_are_read_as_postgresql_reads_them(pg, name):
    assert len(pg.scaling(name, exclude=["id"])) == 4


def test_the_search_path_is_the_users(url):
    with synthpriv_sql.connect(url + "?options=-csearch_path%3Dshop") as session:
        assert len(session.scaling("train", exclude=["id"])) == 4
        # A part of a statement never stands in the way of a table in a query of the user's.
        assert len(session.dcr("(SELECT a FROM train)", "(SELECT a FROM synthetic)")) == 300


@pytest.mark.parametrize(
    "name",
    [
        "nothing",
        "shop.nothing",
        "nowhere.train",
        "other.shop.train",
        "a b",
        '"',
        "(SELECT 1",
        "(SELECT 1) x (SELECT 2)",
    ],
)
def test_what_is_not_there(pg, name):
    with pytest.raises(errors.UnknownTable, match="given as train"):
        pg.scaling(name)


@pytest.mark.parametrize("query", ["(SELEC 1)", "(SELECT a FROM nothing)", "(SELECT 1; SELECT 2)", "()"])
def test_a_query_that_does_not_run(pg, query):
    with pytest.raises(errors.SynthprivError):
        pg.scaling(query)


def test_names_that_differ_in_case_only(pg):
    with pytest.raises(errors.UnknownTable, match='"a" and "A"'):
        pg.scaling('(SELECT 1 AS a, 2 AS "A")')


@pytest.mark.parametrize("name", ["shop.some", "shop.kept", "shop.parted", "shop.train", "(TABLE shop.some)"])
def test_views_and_partitions_like_tables(pg, name):
    expected = rows_of(pg.dcr("shop.synthetic", "shop.train", columns=["a", "c"]))
    found = rows_of(pg.dcr("shop.synthetic", name, columns=["a", "c"]))
    assert [row["dcr"] for row in found] == [row["dcr"] for row in expected]
    # Numbered from 0, each once, in one order in all statements of a call.
    numbers = [row["record"] for row in rows_of(pg.copies(name, "shop.train", columns=["a", "c"]))]
    assert numbers == list(range(300))
    assert {row["distance"] for row in rows_of(pg.neighbors(name, name, columns=["a", "c"]))} == {0.0}


def test_a_query_that_never_gives_the_same_is_read_once(pg):
    sample = "(SELECT * FROM shop.train ORDER BY random() LIMIT 40)"
    rows = rows_of(pg.screen(sample, "shop.train", key="id"))
    originals = {row["id"]: row for row in rows_of(pg.screen("shop.train", "shop.train", key="id"))}
    assert len(rows) == 40
    for row in rows:
        assert (row["dcr"], row["key"]) == (0.0, row["id"])
        original = originals[row["id"]]
        assert [row[name] for name in PEOPLE["columns"]] == [original[name] for name in PEOPLE["columns"]]


def test_a_call_reads_one_state_of_the_database(pg, other, monkeypatch):
    for name in ("synthetic", "train"):
        other.execute(f"CREATE TABLE shop.moving_{name} AS TABLE shop.{name}")
    tables = ("shop.moving_synthetic", "shop.moving_train")
    expected = rows_of(pg.evaluate(*tables, **PEOPLE))
    load = pg.engine._workbench.load

    def load_while_others_write(*arguments):
        other.execute("INSERT INTO shop.moving_synthetic SELECT * FROM shop.train WHERE id < 5")
        other.execute("DELETE FROM shop.moving_train WHERE id % 7 = 0")
        return load(*arguments)

    monkeypatch.setattr(pg.engine._workbench, "load", load_while_others_write)
    assert_same_rows(rows_of(pg.evaluate(*tables, **PEOPLE)), expected)
    monkeypatch.undo()
    with pytest.raises(AssertionError):
        assert_same_rows(rows_of(pg.evaluate(*tables, **PEOPLE)), expected)


# --- what leaves


def test_aggregates_and_joins_leave_nothing_behind_them_but_their_result(pg):
    for result in (
        pg.scaling("shop.train", pushdown="require"),
        pg.copies("shop.synthetic", "shop.train", pushdown="require", **PEOPLE),
        pg.call("discernibility", data="shop.train", quasi_identifiers=["a", "flag"], pushdown="require"),
        pg.call("equivalence_classes", data="shop.train", quasi_identifiers=["a"], pushdown="require"),
    ):
        assert result.moved == Moved(0, 0)
        assert "DuckDB" not in result.sql


def test_moved_counts_rows_and_bytes(pg):
    result = pg.dcr("shop.synthetic", "shop.train", columns=["a", "b"])
    # Both tables encoded, and one row of scales.
    assert result.moved.rows == 200 + 300 + 1
    doubles_and_numbers = 500 * (8 + 8 + 8)
    assert doubles_and_numbers < result.moved.bytes < doubles_and_numbers * 1.2
    assert "501 rows" in repr(result)
    assert "501 rows" in result._repr_html_()
    assert "rows left" not in repr(pg.scaling("shop.train"))
    assert "-- encoded_synthetic, in PostgreSQL" in result.sql


def test_pushdown_require_stops_before_a_row_leaves(pg, url, monkeypatch):
    fetched = []
    batches = pg.engine._connection.batches
    monkeypatch.setattr(pg.engine._connection, "batches", lambda sql: fetched.append(sql) or batches(sql))
    with pytest.raises(errors.DataWouldLeave) as stopped:
        pg.dcr("shop.synthetic", "shop.train", pushdown="require", key="id")
    for words in ('"nearest_synthetic_train" searches', "encoded_train (record, a, b, c, flag)", "keys_train"):
        assert words in str(stopped.value)
    assert fetched == []
    with synthpriv_sql.connect(url, pushdown="require") as strict:
        with pytest.raises(errors.DataWouldLeave):
            strict.baseline("shop.train")
        assert len(strict.baseline("shop.train", trees=2, pushdown="auto")) == 300
    with pytest.raises(errors.OptionError, match="pushdown"):
        pg.scaling("shop.train", pushdown="never")


# --- reading and writing


def test_nothing_is_written_unless_the_user_writes(pg, url):
    with pytest.raises(errors.EngineError, match="cannot execute nextval"):
        pg.dcr("(SELECT nextval('shop.counter') AS a)", "(SELECT 1 AS a)")
    with synthpriv_sql.connect(url, read_only=True) as session:
        result = session.scaling("shop.train")
        with pytest.raises(errors.WriteError, match="the session is read-only"):
            result.to_table("results.refused")
    assert not exists(url, "results.refused")


def exists(url, table):
    return run(url, f"SELECT to_regclass('{table}') IS NOT NULL") == [(True,)]


def test_a_table_is_replaced_only_where_that_is_asked(pg, url):
    result = pg.copies("shop.synthetic", "shop.train", **PEOPLE)
    result.to_table("results.copies")
    with pytest.raises(errors.WriteError, match="replace=True"):
        pg.scaling("shop.train").to_table("results.copies")
    copies = sum(row["copies"] for row in rows_of(result))
    assert run(url, "SELECT count(*), sum(copies)::int FROM results.copies") == [(200, copies)]
    pg.scaling("shop.train").to_table("RESULTS.Copies", replace=True)
    assert run(url, "SELECT count(*) FROM results.copies") == [(5,)]
    pg.scaling("shop.train").to_table('results."Copies"')
    assert run(url, 'SELECT count(*) FROM results."Copies"') == [(5,)]


def test_the_table_that_is_replaced_may_be_the_one_that_was_read(pg, url):
    run(url, "CREATE TABLE results.mine AS TABLE shop.synthetic")
    own = types_of(url, "results.mine")
    safe = pg.safe("results.mine", "shop.train", exclude=["id"])
    safe.to_table("results.mine", replace=True)
    assert types_of(url, "results.mine") == own
    assert run(url, "SELECT count(*) FROM results.mine") == [(len(safe),)]


@pytest.mark.parametrize(
    ("name", "words"),
    [("plain", "schema.table"), ("nowhere.x", "nowhere"), ("a.b.c", "schema.table"), ("(SELECT 1)", "schema.table")],
)
def test_where_a_table_cannot_be_written(pg, name, words):
    with pytest.raises(errors.WriteError, match=words):
        pg.scaling("shop.train").to_table(name)


def test_numbers_of_our_own_have_types_that_hold_them(pg, url):
    pg.discernibility("shop.train", ["a"], k=2).to_table("results.discernibility")
    types = types_of(url, "results.discernibility")
    assert (types["discernibility"], types["rows"], types["c_avg"]) == ("numeric(38,0)", "bigint", "double precision")
    assert run(url, "SELECT rows, discernibility::int FROM results.discernibility")[0][0] == 300


def test_many_threads(pg, url):
    result = pg.copies("shop.synthetic", "shop.train", **PEOPLE)
    calls = [lambda: pg.dcr("shop.synthetic", "shop.train", **PEOPLE), lambda: pg.scaling("shop.train")]
    calls += [lambda i=i: result.to_table(f"results.thread_{i}") for i in range(3)]
    with ThreadPoolExecutor(5) as pool:
        found = [len(done) for done in pool.map(lambda call: call() or result, calls)]
    assert found == [200, 5, 200, 200, 200]
    assert run(url, "SELECT count(*) FROM results.thread_2") == [(200,)]


def test_a_session_that_is_closed(url):
    with synthpriv_sql.connect(url) as session:
        result = session.scaling("shop.train")
    session.close()
    for call in (lambda: session.scaling("shop.train"), lambda: result.to_table("results.late")):
        with pytest.raises(errors.SynthprivError, match="closed"):
            call()


def test_a_view_is_not_replaced(pg, url):
    run(url, "CREATE VIEW results.view AS SELECT 1 AS one")
    with pytest.raises(errors.WriteError, match="is not a table"):
        pg.scaling("shop.train").to_table("results.view", replace=True)
    assert run(url, "TABLE results.view") == [(1,)]


# --- when something goes wrong


def backend(session):
    return session.engine._connection.rows("SELECT pg_backend_pid() AS pid")[0]["pid"]


SLOW = "(SELECT a, pg_sleep(0.02)::text AS c FROM shop.train)"


def once_it_runs(cursor, what, then):
    """Wait in a thread until the server is at a statement, and do something about it."""

    def wait():
        for _ in range(200):
            cursor.execute(
                f"SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%{what}%' "
                "AND pid <> pg_backend_pid()"
            )
            found = cursor.fetchall()
            if found:
                time.sleep(0.2)
                then(found[0][0])
                return
            time.sleep(0.02)

    thread = threading.Thread(target=wait)
    thread.start()
    return thread


def test_a_connection_that_is_lost_is_one_clear_error_and_a_retry_works(pg, other):
    killer = once_it_runs(other, "pg_sleep", lambda pid: other.execute(f"SELECT pg_terminate_backend({pid})"))
    with pytest.raises(errors.ConnectionLost, match=r"lost before the end .*Call again") as lost:
        pg.dcr(SLOW, SLOW)
    killer.join()
    assert lost.value.__cause__ is None
    assert len(pg.dcr("shop.synthetic", "shop.train", **PEOPLE)) == 200


def test_a_connection_that_was_lost_meanwhile_is_opened_anew(pg, other):
    other.execute(f"SELECT pg_terminate_backend({backend(pg)})")
    assert len(pg.scaling("shop.train")) == 5


def test_a_table_appears_whole_or_not_at_all(pg, url, other, monkeypatch):
    result = pg.copies("shop.synthetic", "shop.train", **PEOPLE)
    run(url, "CREATE TABLE results.kept AS SELECT 1 AS one")
    insert, pid = writing._insert, backend(pg)

    def insert_after_a_blow(*arguments):
        other.execute(f"SELECT pg_terminate_backend({pid})")
        return insert(*arguments)

    monkeypatch.setattr(writing, "_insert", insert_after_a_blow)
    for name in ("results.half", "results.kept"):
        with pytest.raises(errors.WriteError, match="was lost before the end"):
            result.to_table(name, replace=True)
        pid = backend(pg)
    monkeypatch.undo()
    assert not exists(url, "results.half")
    assert run(url, "TABLE results.kept") == [(1,)]
    assert run(url, "SELECT count(*) FROM pg_class WHERE relname LIKE 'synthpriv%'") == [(0,)]
    result.to_table("results.half")
    assert run(url, "SELECT count(*) FROM results.half") == [(200,)]


def test_a_server_that_stops_and_one_that_is_not_there():
    programs = servers.postgres_programs()
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(servers.postgres(programs))
        run(server.url, "CREATE TABLE t AS SELECT i AS a FROM generate_series(1, 100) AS i")
        session = stack.enter_context(synthpriv_sql.connect(server.url))
        process = int((server.folder / "data" / "postmaster.pid").read_text().split()[0])
        stop = threading.Timer(0.5, os.kill, (process, signal.SIGINT))
        stop.start()
        slow = "(SELECT a, pg_sleep(0.05)::text AS c FROM t)"
        with pytest.raises(errors.ConnectionLost):
            session.dcr(slow, slow)
        stop.join()
        with pytest.raises(errors.EngineError, match="cannot be reached"):
            session.scaling("t")
        with pytest.raises(errors.EngineError, match="cannot be reached"):
            synthpriv_sql.connect(server.url)


@pytest.mark.parametrize(
    ("url", "shown", "uri"),
    [
        ("postgres://u:p%40+x@h:1/d", "postgresql://h:1/d", "postgresql://u:p%40%2Bx@h:1/d"),
        ("postgresql://u@[::1]:1,h2:2/d?sslmode=require", "postgresql://[::1]:1,h2:2/d", "sslmode=require"),
        ("postgresql:///d?host=/var/run&password=a+b&user=u", "postgresql:///d", "postgresql://u:a%2Bb@/d?"),
        ("postgresql://", "postgresql://", "postgresql://?"),
        ("postgresql://u:p@x@h/d", "postgresql://h/d", "postgresql://u:p%40x@h/d?"),
    ],
)
def test_urls(url, shown, uri):
    found = address.read(url)
    assert found.shown == shown
    assert uri in found.uri
    assert "application_name=synthpriv_sql" in found.uri
    assert found.without_secrets(" ".join(["it is", *found.secrets])) == " ".join(
        ["it is", *["***"] * len(found.secrets)]
    )


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("how", ["cancel", "Ctrl-C"])
def test_a_statement_of_the_server_is_stopped_at_once(pg, other, how):
    stopped = []

    def stop(pid):
        stopped.append(time.monotonic())
        pg.cancel() if how == "cancel" else os.kill(os.getpid(), signal.SIGINT)

    thread = once_it_runs(other, "pg_sleep", stop)
    with pytest.raises(errors.Cancelled, match="stopped before the end"):
        pg.dcr(SLOW, SLOW)
    assert time.monotonic() - stopped[0] < 1
    thread.join()
    assert len(pg.scaling("shop.train")) == 5
    other.execute(
        "SELECT count(*) FROM pg_stat_activity "
        "WHERE state <> 'idle' AND pid <> pg_backend_pid() AND usename = current_user"
    )
    assert other.fetchall() == [(0,)]


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("how", ["cancel", "Ctrl-C"])
def test_a_search_beside_the_server_is_stopped_at_once(pg, how):
    rows = "(SELECT i % 9973 / 9973.0 AS a, i % 7919 / 7919.0 AS b, random() AS c FROM generate_series(1, 60000) AS i)"
    stopped = []

    def stop():
        stopped.append(time.monotonic())
        pg.cancel() if how == "cancel" else os.kill(os.getpid(), signal.SIGINT)

    def at_work(done, total, label):
        if not stopped and total:
            stop()

    with pytest.raises(errors.Cancelled):
        pg.dcr(rows, rows, metric="manhattan", progress=at_work)
    assert time.monotonic() - stopped[0] < 1
    assert len(pg.scaling("shop.train")) == 5


# --- passwords


def test_a_password_is_never_shown(postgres_server, url):
    password = postgres_server.password
    where = f"{postgres_server.host}:{postgres_server.port}/{postgres_server.database}"
    wrong = "s3cr:t/?#@%"
    messages = []
    for bad in (
        f"postgresql://{postgres_server.user}:wrong-{wrong}@{where}",
        f"postgresql://{postgres_server.user}:wrong-{quote(wrong, safe='')}@{where}",
        f"postgresql://{postgres_server.user}:s3cr%2@{where}",
        f"postgresql://{postgres_server.user}@{where}?password=wrong-s3cr",
        f"postgresql://{postgres_server.user}@{where}x?password={password}",
    ):
        with pytest.raises(errors.SynthprivError) as refused:
            synthpriv_sql.connect(bad)
        messages += ["".join(traceback.format_exception(refused.value))]
        messages += [*cli("scaling", "--train", "shop.train", "--database", bad)[1:]]
    with synthpriv_sql.connect(url) as session:
        result = session.dcr("shop.synthetic", "shop.train", **PEOPLE)
        messages += [repr(session), repr(session.engine), str(vars(session.engine)), repr(result), result._repr_html_()]
        messages += [result.sql, session.sql("dcr", synthetic="shop.synthetic", train="shop.train"), str(result.moved)]
        messages += [postgres_server.log]
    for words in (password, "s3cr"):
        assert [message for message in messages if words in message.replace("?password=***", "")] == []
    assert "password authentication failed" in messages[3]


def test_passwords_from_the_environment_and_from_a_file(postgres_server, url, tmp_path, monkeypatch):
    bare = url.replace(f":{postgres_server.password}@", "@")
    with pytest.raises(errors.EngineError, match="no password supplied"):
        synthpriv_sql.connect(bare)
    file = tmp_path / "passwords"
    file.write_text(f"*:*:*:{postgres_server.user}:{postgres_server.password}\n")
    file.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(file))
    with synthpriv_sql.connect(bare) as session:
        assert len(session.scaling("shop.train")) == 5
    monkeypatch.delenv("PGPASSFILE")
    monkeypatch.setenv("PGPASSWORD", postgres_server.password)
    code, out, err = cli("scaling", "--train", "shop.train", "--database", bare, "--format", "csv")
    assert (code, err, out.splitlines()[0][:17]) == (0, "", "column_name,role,")
    for name in ("host", "port", "user", "database"):
        monkeypatch.setenv(f"PG{name.upper()}", str(getattr(postgres_server, name)))
    assert cli("scaling", "--train", "shop.train", "--engine", "postgres", "--format", "csv") == (0, out, "")


# --- the command line, and the report


def test_the_report(pg, postgres_server, tmp_path):
    pytest.importorskip("vl_convert", reason="the extra `report` is not installed")
    page = tmp_path / "page.html"
    pg.report(page, "shop.synthetic", "shop.train", quasi_identifiers=["c"], show_values=True, baseline=True, **PEOPLE)
    text = page.read_text()
    assert "PostgreSQL" in text
    assert postgres_server.password not in text


def test_the_command_line(url, tmp_path):
    tables = ["--synthetic", "shop.synthetic", "--train", "shop.train", "--database", url]
    columns = ["--columns", "a,b,c,flag"]
    code, out, err = cli("evaluate", *tables, *columns, "--format", "csv", "--require", "copies.share<=1")
    assert (code, err) == (0, "")
    assert "copies" in out
    code, out, err = cli("dcr", *tables, *columns, "--pushdown", "require")
    assert (code, out) == (2, "")
    assert "would leave" in err
    code, out, err = cli("sql", "copies", *tables, *columns)
    assert (code, err) == (0, "")
    assert run(url, out)[0] == (0, 0)
    code, out, err = cli("dcr", *tables[:4], "--engine", "postgres", "--database", "some.duckdb")
    assert code == 2
    assert "does not go with" in err
    code, out, err = cli("dcr", *tables, "--init", str(tmp_path / "x.sql"))
    assert code == 2
    assert "--init is for DuckDB" in err


def test_the_example(postgres_server):
    tables = ("customers_train", "customers_holdout", "synthetic_careful", "synthetic_leaky")
    with synthpriv_sql.connect() as session, dbapi.connect(postgres_server.url) as connection:
        demo.create(session.connection)
        with connection.cursor() as cursor:
            cursor.execute("CREATE SCHEMA demo")
            cursor.execute("CREATE SCHEMA reviewed")
            for table in tables:
                cursor.adbc_ingest(table, session.connection.table(table).to_arrow_table(), db_schema_name="demo")
        connection.commit()
    server = {"HOST": "host", "PORT": "port", "USER": "user", "PASSWORD": "password", "DATABASE": "database"}
    variables = {f"PG{name}": str(getattr(postgres_server, word)) for name, word in server.items()}
    variables["PGOPTIONS"] = "-csearch_path=demo"
    command = [sys.executable, "-W", "error", ROOT / "examples" / "postgres.py"]
    done = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "804 copies, 0 rows left",
        "synthetic_careful: 49% closer to train than to the holdout, 15002 rows left",
        "synthetic_leaky: 69% closer to train than to the holdout, 15002 rows left",
    ]
    assert run(postgres_server.url, "SELECT count(*) FROM reviewed.customers") == [(3476,)]


def test_a_key_keeps_its_type(pg, url):
    pg.dcr("shop.all_types", "shop.all_types", columns=["whole"], key="key").to_table("results.keyed")
    types = types_of(url, "results.keyed")
    assert (types["key"], types["neighbor_key"], types["dcr"]) == ("uuid", "uuid", "double precision")
    joined = "SELECT count(*) FROM results.keyed AS r JOIN shop.all_types AS t ON r.key = t.key AND r.record = t.id - 1"
    assert run(url, joined) == [(2,)]
