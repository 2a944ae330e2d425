"""`synthpriv conformance`: what it compares, what it tells, and that nothing is left behind."""

import dataclasses
import json
import sqlite3
from contextlib import closing
from unittest import mock

import duckdb
import pyarrow.compute as pc
import pytest
from calls import cli

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.conformance import cases, checking
from synthpriv_sql.conformance.cases import ALL, CASES, FIRST, Case

# Counts, a search, groups, and an error.
FEW = [CASES[FIRST[name]] for name in ("scaling", "neighbors", "copies")]
FEW.append(Case("best_discernibility", (), {"n": 3, "k": 4}))
READ = {name: ALL[name] for name in ("synthetic", "Train Rows")}
"""The tables of these, which are few."""


@pytest.fixture(autouse=True)
def few_tables(request):
    """Have few tables created, where it is not servers that are tried."""
    with mock.patch.object(checking, "ALL", ALL if request.node.get_closest_marker("slow") else READ):
        yield


@pytest.fixture
def file(tmp_path):
    """A SQLite file with a table of the user's."""
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE mine (x)")
    return path


def tables(path):
    with closing(sqlite3.connect(path)) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM sqlite_master")]


def checked(path, **options):
    lines = []
    with synthpriv_sql.connect(f"sqlite:///{path}", threads=1) as session:
        return checking.check(session, FEW, told=lines.append, **options), lines


def test_a_database_that_gives_the_same(file):
    report, lines = checked(file)
    assert (report.result, report.values, report.left) == ("same", "same", [])
    assert [line.split()[:2] for line in lines] == [["same", name] for name in dict.fromkeys(c.function for c in FEW)]
    assert not report.has_nan
    assert (report.types["Größe"], report.types["uid"]) == ("DOUBLE", "VARCHAR")
    assert {case.case: case.moved_rows > 0 for case in report.cases}[FEW[1].name]
    assert tables(file) == ["mine"]


def test_a_value_that_a_database_changes_is_found(file):
    """One value of 330 rows is off by a millionth there."""
    from synthpriv_sql.engines.sqlite.engine import SQLite

    def write(engine, answer, name, how, run=None):
        if "Train_Rows" in name:
            place = answer.table.column_names.index("Größe")
            column = answer.table.column(place)
            one = pc.equal(answer.table.column("Id"), 7)
            changed = pc.if_else(one, 170.000001, column)
            answer = dataclasses.replace(answer, table=answer.table.set_column(place, "Größe", changed))
        return real(engine, answer, name, how, run)

    real = SQLite.write
    with mock.patch.object(SQLite, "write", write):
        report, lines = checked(file)
    assert (report.result, report.values) == ("differs", "differs")
    assert ["170.000001" in difference for difference in report.differences] == [True]
    differing = {case.function for case in report.cases if case.result == "differs"}
    assert "scaling" in differing
    assert "best_discernibility" not in differing
    assert [line.split()[0] for line in lines if "best_discernibility" in line] == ["same"]
    assert tables(file) == ["mine"]


def test_time_that_is_short_is_told(file):
    report, lines = checked(file, timeout=1e-3)
    assert (report.result, lines, tables(file)) == ("not run", [], ["mine"])
    assert {case.result for case in report.cases} == {"not run"}


def test_a_call_that_stops_in_between_leaves_nothing(file):
    with (
        mock.patch.object(checking.comparing, "measured", side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt),
    ):
        checked(file)
    assert tables(file) == ["mine"]


@pytest.fixture
def few():
    """The command's calls, few of them."""
    with mock.patch.object(cases, "LEAN", FEW), mock.patch.object(cases, "PEERS", []):
        yield


@pytest.mark.usefixtures("few")
def test_the_command_writes_a_report(tmp_path):
    path, report = tmp_path / "some.duckdb", tmp_path / "report.json"
    duckdb.connect(path).close()
    code, out, err = cli("conformance", str(path), "--output", str(report), "--threads", "1")
    assert (code, len(out.splitlines())) == (0, 4)
    assert f"{len(FEW)} calls, 0 of them differ" in err
    told = json.loads(report.read_text())
    assert (told["result"], told["engine"], told["has_nan"]) == ("same", "DuckDB", True)
    assert {case["case"] for case in told["cases"]} == {case.name for case in FEW}
    assert str(tmp_path) not in report.read_text()
    with duckdb.connect(path) as connection:
        assert connection.execute("FROM duckdb_tables()").fetchall() == []


@pytest.mark.usefixtures("few")
def test_exit_codes(file):
    url = f"sqlite:///{file}"
    code, _, err = cli("conformance", url, "--timeout", "0.001")
    assert (code, "4 calls not compared" in err) == (3, True)
    other = errors.EngineError, "another"
    with mock.patch.object(checking.comparing, "run", side_effect=checking.comparing.run) as run:
        run.side_effect = lambda session, name, case, real=checking.comparing.measured: (
            other if session.engine.name == "DuckDB" and case.function == "copies" else real(session, name, case)[0]
        )
        code, out, _ = cli("conformance", url)
    assert (code, "differs  copies" in out) == (1, True)
    code, _, err = cli("conformance", str(file.with_name("missing.duckdb")))
    assert (code, "there is no database file" in err) == (2, True)
    code, _, err = cli("conformance", "oracle://db.example/x")
    assert (code, "there is no session on oracle://" in err) == (2, True)
    assert tables(file) == ["mine"]


@pytest.mark.usefixtures("few")
def test_where_nothing_can_be_created_nothing_is_left(pg_url, pg_client):
    code, out, err = cli("conformance", pg_url, "--schema", "pg_catalog")
    assert (code, out) == (3, "")
    assert "a table cannot be created in PostgreSQL" in err
    assert "--schema names a schema" in err
    pg_client.execute("SELECT count(*) FROM pg_class WHERE relname LIKE 'synthpriv%'")
    assert pg_client.fetchone() == (0,)


@pytest.mark.slow
@pytest.mark.parametrize("database", ["postgres", "mariadb"])
def test_servers_give_the_same(database, request):
    """Of the tables that the command writes; tests/engines compare every function on servers."""
    url = request.getfixturevalue(f"{database}_server").url
    with synthpriv_sql.connect(url, threads=2) as session:
        report = checking.check(session, FEW, timeout=3600)
    assert [case for case in report.cases if case.result != "same"] == []
    assert (report.values, report.left) == ("same", [])
