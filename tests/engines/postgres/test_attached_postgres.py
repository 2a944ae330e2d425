"""Tables of a PostgreSQL server that the user has attached to DuckDB: every function, on every surface."""

import json
import os
import re
import subprocess
import sys
import threading
import warnings
from importlib import resources

import duckdb
import pytest
import servers
from calls import (
    ROOT,
    assert_same_rows,
    call,
    cli,
    cli_arguments,
    create,
    in_order,
    literal,
    quoted,
    rows_of,
    sql_rows,
)
from surfaces import EXAMPLES, OF_EVERY_KIND, TABLES, by_position, python_rows, sides_read

import synthpriv_sql
from synthpriv_sql import EngineError, SynthprivWarning, UnknownTable, demo
from synthpriv_sql.planner.headers import catalog

pytestmark = pytest.mark.duckdb_1
dbapi = pytest.importorskip("adbc_driver_postgresql.dbapi", reason="the extra `postgres` is not installed")

PACKAGE = resources.files("duckdb_extension_postgres_scanner")
EXTENSION = PACKAGE / f"extensions/v{duckdb.__version__}/postgres_scanner.duckdb_extension"
SETUP = """
LOAD {extension};
SET GLOBAL pg_use_ctid_scan = false;
CREATE SECRET (TYPE postgres, HOST '{s.host}', PORT {s.port}, USER '{s.user}', PASSWORD '{s.password}');
ATTACH 'dbname={s.database}' AS pg (TYPE postgres{mode});
"""
# One text for both databases: a column of each type that a distance is defined for, with nulls, ties and a copy.
PEOPLE = """
CREATE TABLE {name} (
  "Id" uuid, "Mixed ""Case" numeric(10,2), amount numeric, seen timestamptz, local timestamp, born date, clock time,
  member boolean, mood {mood}, "näme" text, small smallint, big bigint, real real, double double precision, nothing text
);
INSERT INTO {name} VALUES
  ('00000000-0000-0000-0000-00000000000{n}', 12.50, 1.5, '2024-03-01 12:00:00+02', '2024-03-01 12:00:00',
   '1980-02-29', '10:30:00', true, 'happy', 'Köln', 1, 9000000000, 0.5, 0.1, NULL),
  ('00000000-0000-0000-0000-0000000001{n}0', -0.25, 1000000, '1969-12-31 23:59:59+00', '1969-12-31 23:59:59',
   '1900-01-01', '00:00:00', false, 'sad', 'it''s', -1, {n}, -1.5, 1e100, NULL),
  ('00000000-0000-0000-0000-0000000002{n}0', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
   NULL, NULL),
  ('00000000-0000-0000-0000-0000000003{n}0', {n}, {n}.25, '2024-03-0{n} 12:00:00+02', '2024-03-0{n} 12:00:00',
   '1980-02-2{n}', '1{n}:30:00', true, 'happy', 'n{n}', {n}, {n}, {n}.5, 'NaN', NULL);
"""


@pytest.fixture(scope="module")
def writer(postgres_server):
    """Another client of the server: what it writes, it commits."""
    with dbapi.connect(postgres_server.url, autocommit=True) as connection, connection.cursor() as cursor:
        yield cursor


def setup_of(server, mode=", READ_ONLY"):
    return SETUP.format(extension=literal(str(EXTENSION)), s=server, mode=mode)


@pytest.fixture
def attached(postgres_server):
    """A session that has the server attached as the page of the docs says, and may only read it."""
    with synthpriv_sql.connect() as session:
        session.connection.execute(setup_of(postgres_server))
        yield session


@pytest.fixture(scope="module", autouse=True)
def tables(postgres_server, writer):
    """The tables of every function's example on the server, and one with a column of every type."""
    writer.execute("CREATE TYPE mood AS ENUM ('sad', 'happy')")
    for number, name in enumerate(("people", "people_too"), 1):
        for statement in filter(str.strip, PEOPLE.format(name=name, mood="mood", n=number).split(";")):
            writer.execute(statement)
    with synthpriv_sql.connect() as session:
        session.connection.execute(setup_of(postgres_server, mode=""))
        for name, table in TABLES.items():
            session.connection.register("incoming", table)
            session.connection.execute(f"CREATE TABLE pg.public.{quoted('Of ' + name)} AS FROM incoming")


def there(side):
    return f'pg.public."Of {side}"'


@pytest.mark.parametrize("name", OF_EVERY_KIND)
def test_functions_give_the_numbers_of_local_tables(attached, postgres_server, name):
    create(attached, **TABLES)
    sides, options = EXAMPLES[name]
    expected = by_position(python_rows(attached, name))
    before = len(postgres_server.log)
    found = getattr(attached, name)(*map(there, sides), **options)
    # Each table is read once, all of them in one transaction; the first rows of one show that no column numbers rows.
    looked = "row_numbers" in catalog.functions()[name].asks_before
    log = postgres_server.log[before:]
    assert all(f'FROM "public"."Of {side}"' in log for side in sides)
    assert log.count("COPY (SELECT") == len(sides) + looked
    for side in {*sides} - {*sides_read(name)}:
        assert f'COPY (SELECT "city", "id" FROM "public"."Of {side}"' in log
    assert_same_rows(by_position(rows_of(found)), expected)
    in_sql = sql_rows(attached.connection, call(name, *map(there, sides), **options))
    assert_same_rows(by_position(in_sql), expected)


def test_the_command_line_attaches_by_a_file_of_sql(attached, postgres_server, tmp_path):
    (tmp_path / "attach.sql").write_text(setup_of(postgres_server), encoding="utf-8")
    create(attached, **TABLES)
    sides, options = EXAMPLES["dcr"]
    arguments = cli_arguments("dcr", *map(there, sides), **options)
    code, out, err = cli(*arguments, "--init", str(tmp_path / "attach.sql"), "--format", "json")
    assert (code, err) == (0, "")
    assert_same_rows(json.loads(out), python_rows(attached, "dcr"))
    (tmp_path / "wrong.sql").write_text("ATTACH 'password=s3cret nothing' AS pg (TYPE nothing)", encoding="utf-8")
    code, out, err = cli(*arguments, "--init", str(tmp_path / "wrong.sql"))
    assert (code, out, "wrong.sql" in err, "s3cret" in err) == (2, "", True, False)


@pytest.mark.parametrize("names", [("pg.public.people", "pg.people_too"), ("people", "public.people_too")])
def test_columns_of_every_type(attached, names):
    run = attached.connection.execute
    run("CREATE TYPE mood AS ENUM ('sad', 'happy')")
    for number, name in enumerate(("here", "here_too"), 1):
        # DuckDB has no decimal of any precision: numeric comes as DOUBLE.
        run(PEOPLE.format(name=name, mood="mood", n=number).replace("amount numeric", "amount double"))
    options = {"key": "Id", "exclude": ["nothing"]}
    asked = {"dcr": (2, options), "copies": (2, options), "screen": (2, options), "scaling": (1, {})}

    def everything(sides):
        for name, (tables, taken) in asked.items():
            for found in (
                getattr(attached, name)(*sides[:tables], **taken).to_arrow(),
                attached.connection.sql(call(name, *sides[:tables], **taken)).to_arrow_table(),
            ):
                # NaN equals nothing, not even itself.
                yield [{n: str(v) if v != v else v for n, v in row.items()} for row in in_order(found.to_pylist())]

    expected = list(everything(("here", "here_too")))
    if "pg" not in names[0]:
        run("USE pg")
    for found, rows in zip(everything(names), expected, strict=True):
        assert_same_rows(found, rows)
    assert {row["role"] for row in expected[-1]} == {"numeric", "temporal", "categorical"}
    assert [row["copies"] for row in expected[2]] == [1, 0, 1, 0]


def test_a_statement_sees_what_its_transaction_sees(attached, writer):
    writer.execute("CREATE TABLE one AS SELECT generate_series(1, 5) AS x")
    writer.execute("CREATE TABLE other AS SELECT x FROM one")
    attached.connection.execute("BEGIN")
    assert [row["copies"] for row in rows_of(attached.copies("pg.one", "pg.other"))] == [1] * 5
    writer.execute("INSERT INTO one VALUES (6)")
    writer.execute("INSERT INTO other VALUES (7), (1)")
    assert [row["copies"] for row in rows_of(attached.copies("pg.one", "pg.other"))] == [1] * 5
    in_sql = sql_rows(attached.connection, call("copies", "pg.one", "pg.other"))
    assert [row["copies"] for row in in_sql] == [1] * 5
    attached.connection.execute("COMMIT")
    assert [row["copies"] for row in rows_of(attached.copies("pg.one", "pg.other"))] == [2, 1, 1, 1, 1, 0]


def test_statements_are_consistent_while_somebody_writes(attached, postgres_server, writer):
    writer.execute("CREATE TABLE left_side AS SELECT generate_series(1, 3000) AS x")
    writer.execute("CREATE TABLE right_side AS SELECT x FROM left_side")
    writer.execute("ANALYZE left_side, right_side")
    attached.connection.execute("SET threads = 4; SET pg_pages_per_task = 1")
    written, enough = 0, threading.Event()

    def write():
        nonlocal written
        with dbapi.connect(postgres_server.url) as connection, connection.cursor() as cursor:
            while not enough.is_set():
                # Each row is in both tables or in none.
                for table in ("left_side", "right_side"):
                    cursor.execute(f"INSERT INTO {table} VALUES ({4000 + written})")
                connection.commit()
                written += 1

    thread = threading.Thread(target=write)
    thread.start()
    try:
        seen = []
        for _ in range(30):
            copies = attached.copies("pg.left_side", "pg.right_side").to_arrow()["copies"].to_pylist()
            assert set(copies) == {1}
            seen.append(len(copies))
    finally:
        enough.set()
        thread.join()
    assert seen == sorted(seen)
    assert 3000 < seen[-1] <= 3000 + written


def test_reading_over_several_connections_is_warned_of(attached):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        attached.copies("pg.people", "pg.people_too")
        attached.connection.execute("SET GLOBAL pg_use_ctid_scan = true")
        attached.scaling("pg.people")
        attached.copies("pg.people", "pg.people")
        assert [entry.category for entry in caught] == []
    with pytest.warns(SynthprivWarning, match="SET GLOBAL pg_use_ctid_scan = false"):
        attached.copies("pg.people", "pg.people_too")
    with pytest.warns(SynthprivWarning, match="SET GLOBAL pg_use_ctid_scan = false"):
        attached.connection.execute(call("copies", "pg.people", "pg.people_too"))


def test_a_result_is_written_back(postgres_server, writer):
    with synthpriv_sql.connect() as session:
        session.connection.execute(setup_of(postgres_server, mode=""))
        result = session.dcr("pg.people", "pg.people_too", key="Id")
        result.to_table("pg.public.dcr of people")
        with pytest.raises(synthpriv_sql.WriteError, match="already exists"):
            result.to_table("pg.public.dcr of people")
    writer.execute('SELECT record, "key", dcr FROM "dcr of people" ORDER BY record')
    expected = [(row["record"], str(row["key"]), row["dcr"]) for row in rows_of(result)]
    assert [(record, str(key), dcr) for record, key, dcr in writer.fetchall()] == expected


def test_a_server_that_goes_away(attached, postgres_server, writer):
    writer.execute("CREATE VIEW slow AS SELECT x, pg_sleep(0.01) IS NULL AS y FROM generate_series(1, 2000) AS x")
    expected = rows_of(attached.copies("pg.people", "pg.people_too"))
    those = "FROM pg_stat_activity WHERE query LIKE 'COPY%slow%' AND pid <> pg_backend_pid()"
    ended = threading.Event()

    def end():
        while not ended.is_set():
            writer.execute(f"SELECT pg_terminate_backend(pid) {those}")
            if writer.fetchall():
                ended.set()

    thread = threading.Thread(target=end)
    thread.start()
    try:
        with pytest.raises(EngineError) as caught:
            attached.scaling("pg.slow").to_arrow()
    finally:
        ended.set()
        thread.join()
    # The server says why, unless it has hardly begun.
    assert re.search("terminating connection due to|server closed the connection", str(caught.value))
    assert_same_rows(rows_of(attached.copies("pg.people", "pg.people_too")), expected)


def test_a_server_that_is_gone_is_an_error_without_its_password():
    programs = servers.postgres_programs()
    with synthpriv_sql.connect() as session:
        with servers.postgres(programs) as server:
            session.connection.execute(setup_of(server, mode=""))
            session.connection.execute("CREATE TABLE pg.public.one AS SELECT 1 AS x; CREATE VIEW far AS FROM pg.one")
            assert len(session.scaling("far")) == 1
        for surface in (lambda: session.scaling("pg.public.t"), lambda: session.scaling("far")):
            with pytest.raises((UnknownTable, EngineError)) as caught:
                surface()
            assert server.password not in str(caught.value)
        with pytest.raises(duckdb.Error) as in_sql:
            session.connection.execute(call("scaling", "far"))
        assert server.password not in str(in_sql.value)
        assert len(session.scaling("(SELECT 1 AS x)")) == 1


def test_an_error_of_the_server_says_no_value(attached, writer):
    writer.execute("CREATE VIEW broken AS SELECT CAST(mood AS text)::integer AS x FROM people WHERE mood = 'happy'")
    with pytest.raises(EngineError, match="invalid input syntax for type integer") as caught:
        attached.scaling("pg.broken").to_arrow()
    assert "happy" not in str(caught.value)


def test_a_function_that_runs_statements_on_a_server_is_not_called(attached):
    with pytest.raises(UnknownTable, match="postgres_query, which does not exist or is not known to only read"):
        attached.scaling("(FROM postgres_query('pg', 'SELECT 1 AS x'))")


def test_the_example(postgres_server):
    with synthpriv_sql.connect() as session:
        session.connection.execute(setup_of(postgres_server, mode=""))
        demo.create(session.connection)
        for table in ("customers_train", "customers_holdout", "synthetic_careful", "synthetic_leaky"):
            session.connection.execute(f"CREATE TABLE pg.public.{table} AS FROM {table}")
    server = {"HOST": "host", "PORT": "port", "USER": "user", "PASSWORD": "password", "DATABASE": "database"}
    variables = {f"PG{name}": str(getattr(postgres_server, word)) for name, word in server.items()}
    command = [sys.executable, "-W", "error", ROOT / "examples" / "attached_postgres.py"]
    done = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert set(done.stderr.splitlines()) <= {"compiling the search, once on this installation"}
    assert done.stdout.splitlines() == [
        "synthetic_careful: 49% of 5000 records are closer to train than to the holdout",
        "synthetic_leaky: 69% of 5000 records are closer to train than to the holdout",
        "[(804,)]",
    ]
