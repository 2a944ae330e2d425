"""A DuckDB server over Quack: the numbers of DuckDB, types, snapshots, what leaves, writing, tokens, what is stopped.

DuckDB's extension is on the index for DuckDB 1.5.
"""

import datetime
import functools
import re
import threading
import time
import traceback
from decimal import Decimal
from uuid import UUID

import duckdb
import plain_tables
import pytest
from calls import cli, quoted, rows_of
from quack_server import TOKEN, serving
from repetitions import EVERY_CASE
from surfaces import OF_EVERY_KIND

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.conformance import comparing
from synthpriv_sql.conformance.cases import CASES, FIRST, LEAN
from synthpriv_sql.conformance.comparing import run

pytestmark = pytest.mark.duckdb_1

TABLES = """
CREATE TYPE mood AS ENUM ('ok', 'Bad');
CREATE SCHEMA other;
CREATE TABLE types (id BIGINT, f FLOAT, price DECIMAL(10, 2), huge HUGEINT, mood mood, "Mixed ""Case" VARCHAR,
  u UUID, flag BOOLEAN, day DATE, clock TIME, zoned TIMETZ, seen TIMESTAMP, moment TIMESTAMPTZ, bytes BLOB,
  lasted INTERVAL, vector DOUBLE[]);
INSERT INTO types VALUES (2, 'NaN', 1.5, 170141183460469231731687303715884105727 // 10, 'ok', 'ä ',
  '00000000-0000-0000-0000-000000000001', TRUE, '2024-02-29', '10:00:00.5', '10:00:00+02', '2024-01-01 10:00:00.25',
  '2024-01-01 10:00:00.000001+00', 'a', INTERVAL 3 DAY, [1, 2]);
INSERT INTO types (id) VALUES (1);
CREATE TABLE people AS SELECT range * 7 % 11 / 2 AS a, 'xyX'[1 + range * 7 % 3] AS b, range % 4 AS c FROM range(40);
CREATE TABLE drawn AS SELECT range * 5 % 11 / 2 AS a, 'xyX'[1 + range * 5 % 3] AS b, range % 4 AS c FROM range(40);
CREATE TABLE other."People" AS FROM people;
CREATE VIEW seen_through AS SELECT b, c FROM people;
CREATE VIEW writes AS FROM force_checkpoint();
CREATE TABLE numbered AS SELECT 40 - range AS "RowID", range % 4 AS c FROM range(40)
"""
KIND = {FIRST[name] for name in OF_EVERY_KIND} - {FIRST[name] for name in ("candidates", "remedied", "remedy")}
KIND |= {number for number, case in enumerate(LEAN) if {"one", "empty", "classes"}.intersection(case.tables)}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server with the tables of conformance and those of this file."""
    path = tmp_path_factory.mktemp("quack") / "all.duckdb"
    with synthpriv_sql.connect(str(path)) as filled:
        plain_tables.fill_duckdb(filled)
        for statement in TABLES.split(";\n"):
            filled.connection.execute(statement)
    with serving(path) as (url, process):
        yield url, process


@pytest.fixture
def url(server, monkeypatch):
    monkeypatch.setenv("QUACK_TOKEN", TOKEN)
    return server[0]


@pytest.fixture(scope="module")
def session(server):
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("QUACK_TOKEN", TOKEN)
        with synthpriv_sql.connect(server[0], threads=2) as opened:
            yield opened


@pytest.fixture(scope="module")
def expected():
    """What DuckDB gives on the same tables."""
    with synthpriv_sql.connect() as reference:
        plain_tables.fill_duckdb(reference)
        yield functools.cache(lambda number: run(reference, quoted, CASES[number]))


def ask(session, sql):
    """The rows of a statement on the server, behind the back of the engine."""
    opened = session.connection.connection
    return opened.execute("FROM quack_query_by_name('synthpriv_server', ?)", [sql]).fetchall()


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("number", range(len(CASES)) if EVERY_CASE else sorted(KIND), ids=lambda n: CASES[n].name)
def test_numbers_and_errors_are_those_of_duckdb(session, expected, number):
    found, wanted = run(session, quoted, CASES[number]), expected(number)
    assert list(comparing.differences(found, wanted)) == []


def test_types_and_values_come_back_as_they_were(session):
    with session.engine.call():
        relation = session.engine.relation("data", "types")
    types = dict(ask(session, "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = 'types'"))
    assert {column.name: column.type for column in relation.columns} == types
    result = session.screen("types", "types", exclude=["bytes", "lasted"], key="id")
    first, second = sorted(rows_of(result), key=lambda row: row["record"])
    assert (first["record"], first["key"], second["key"], first["copies"]) == (0, 2, 1, 1)
    assert (first["price"], first["mood"], first["flag"]) == (Decimal("1.50"), "ok", True)
    assert (first["huge"], str(first["u"]), first['Mixed "Case']) == ((2**127 - 1) // 10, str(UUID(int=1)), "ä ")
    assert (first["clock"], first["seen"]) == (
        datetime.time(10, 0, 0, 500_000),
        datetime.datetime(2024, 1, 1, 10, 0, 0, 250_000),
    )
    assert (first["f"], first["vector"]) == (pytest.approx(float("nan"), nan_ok=True), [1.0, 2.0])
    result.to_table("screened")
    written = dict(ask(session, "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = 'screened'"))
    own = {name: type_ for name, type_ in types.items() if name not in {"bytes", "lasted"}}
    assert {name: written[name] for name in own} == own
    listed = ", ".join(map(quoted, own))
    assert ask(session, f"SELECT {listed} FROM types EXCEPT SELECT {listed} FROM screened") == []


def test_names_are_read_as_duckdb_reads_them(session):
    for name in ("people", "PEOPLE", "main.people", "all.main.people", 'other."People"', "(FROM people -- as it is\n)"):
        assert len(session.scaling(name)) == 3
    assert len(session.scaling("seen_through")) == 2
    for name in ("nothing", "other.nothing", "a.b.c", "(SELECT 1", "(SELECT nothing FROM people)"):
        with pytest.raises(errors.UnknownTable, match="given as train"):
            session.scaling(name)
    with pytest.raises(errors.UnknownTable, match="given as train"):
        session.scaling("(DELETE FROM people)")
    for query in (
        "(FROM enable_logging())",
        "(SELECT * FROM quack_query('quack:localhost', 'SELECT 1'))",
        "(SELECT * FROM force_checkpoint())",
        "(FROM writes)",
        "writes",
    ):
        with pytest.raises(errors.UnknownTable, match=r"given as train, cannot be read: it calls .* only read"):
            session.scaling(query)
    with pytest.raises(errors.EngineError, match='column "b" cannot be converted') as refused:
        session.dcr("(SELECT b::INT AS x FROM people)", "(SELECT b::INT AS x FROM people)")
    assert not re.search(r"'.'", str(refused.value))
    secret = "(SELECT (b || 'secret')::INT AS x FROM people)"
    with pytest.raises(errors.EngineError, match=r"a value .*cannot be converted") as refused:
        session.dcr(secret, secret)
    assert "secret" not in str(refused.value)
    with session.engine.call():
        assert not session.engine.relation("data", "numbered").base
        assert session.engine.relation("data", "people").base


def test_what_leaves_is_counted_and_can_be_forbidden(session):
    assert session.equivalence_classes("people", quasi_identifiers=["b", "c"]).moved.rows == 0
    assert session.dcr("drawn", "people").moved.rows >= 80
    with pytest.raises(errors.DataWouldLeave, match="searches with the kernel"):
        session.dcr("drawn", "people", pushdown="require")
    with pytest.raises(errors.EmptyTable, match="has no rows"):
        session.dcr("drawn", "(SELECT * FROM people WHERE a < 0)")


def test_a_call_sees_one_state_and_cannot_write(session, url, monkeypatch):
    load = session.engine._workbench.load
    expected = session.dcr("drawn", "people").fetchall()
    with synthpriv_sql.connect(url) as other:

        def load_while_others_write(*arguments):
            ask(other, "INSERT INTO people VALUES (99, 'z', 9)")
            return load(*arguments)

        monkeypatch.setattr(session.engine._workbench, "load", load_while_others_write)
        try:
            assert session.dcr("drawn", "people").fetchall() == expected
        finally:
            ask(other, "DELETE FROM people WHERE a = 99")
    with session.engine.call(), pytest.raises(errors.EngineError, match="read-only"):
        session.engine._connection.execute("DROP TABLE people")


def test_results_replace_and_append_whole_or_not_at_all(session, url):
    result = session.copies("drawn", "people")
    result.to_table("kept")
    with pytest.raises(errors.WriteError, match="of that name already"):
        result.to_table("KEPT")
    result.to_table("main.kept", replace=True)
    for other in (result, session.copies("people", "drawn"), result):  # a run is appended once
        other.to_table("other.runs", append=True)
    assert ask(session, "SELECT count(*), count(DISTINCT run_id) FROM other.runs") == [(80, 2)]
    with pytest.raises(errors.WriteError, match="it lacks"):
        session.scaling("people").to_table("other.runs", append=True)
    for name in ("nowhere.kept", "a.b.kept"):
        with pytest.raises(errors.WriteError):
            result.to_table(name)
    with synthpriv_sql.connect(url, read_only=True) as closed, pytest.raises(errors.WriteError):
        closed.scaling("people").to_table("more")


def test_a_transaction_that_fails_leaves_no_table(session):
    def write():
        with session.engine._stoppable(), session.engine._connection.transaction(write=True):
            session.connection.connection.execute("CREATE TABLE synthpriv_server.main.half AS SELECT 1 AS x")
            assert ask(session, "SELECT count(*) FROM half") == [(1,)]
            session.engine._connection.execute("SELECT nothing")

    with pytest.raises(errors.EngineError, match="nothing"):
        write()
    assert ask(session, "SELECT count(*) FROM duckdb_tables() WHERE table_name = 'half'") == [(0,)]


def test_a_statement_is_left_at_once_and_the_next_call_connects_anew(session):
    slow = "(SELECT count(*) AS n FROM range(100000) a, range(40000) b WHERE a.range * b.range % 7 = 3)"
    threading.Timer(0.5, session.cancel).start()
    begun = time.monotonic()
    with pytest.raises(errors.Stopped):
        session.equivalence_classes(slow, quasi_identifiers=["n"])
    assert time.monotonic() - begun < 2
    assert len(session.scaling("people")) == 3


def test_a_token_is_never_shown(url, session):
    messages = [
        repr(session.engine),
        str(vars(session.engine)),
        session.sql("copies", synthetic="people", train="people"),
    ]
    host = url.partition("://")[2]
    for bad in (
        f"duckdb+quack://:s3cr%2Fet@{host}",
        f"duckdb+quack://s3cret@{host}",
        f"duckdb+quack://:s3cret@{host}/more",
        f"duckdb+quack://:s3cret@{host}?tls=1",
        f"duckdb+quack://:s3cret@{host}?disable_ssl=s3cret",
        "duckdb+quack://:s3cret@localhost:1",
        "duckdb+quack://",
    ):
        with pytest.raises(errors.SynthprivError) as refused:
            synthpriv_sql.connect(bad)
        messages += traceback.format_exception(refused.value)
        messages += cli("scaling", "--train", "people", "--database", bad)[1:]
    assert [message for message in messages if TOKEN in message or "s3cr" in message] == []
    assert any("Authentication failed" in message for message in messages)
    code, out, err = cli("scaling", "--train", "people", "--database", url, "--format", "csv")
    assert (code, err, out.splitlines()[0][:17]) == (0, "", "column_name,role,")


def test_a_server_that_is_not_there_or_goes_away(tmp_path, monkeypatch):
    monkeypatch.setenv("QUACK_TOKEN", TOKEN)
    with pytest.raises(errors.EngineError, match=r"duckdb\+quack://localhost:1 cannot be reached") as refused:
        synthpriv_sql.connect("duckdb+quack://localhost:1")
    assert refused.value.transient
    path = tmp_path / "gone.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS x")
    with serving(path) as (url, process), synthpriv_sql.connect(url) as session:
        assert len(session.scaling("t")) == 1
        process.kill()
        process.wait()
        with pytest.raises(errors.EngineError, match=r"connection to duckdb\+quack://.* was lost|cannot be reached"):
            session.scaling("t")
        with serving(path, url.rpartition(":")[2]):  # another server in its place
            assert len(session.scaling("t")) == 1
    with serving(path) as (url, process), synthpriv_sql.connect(url) as session:
        assert len(session.scaling("t")) == 1
        process.kill()
        process.wait()
        with serving(path, url.rpartition(":")[2]):  # which does not know the connection
            assert len(session.scaling("t")) == 1
