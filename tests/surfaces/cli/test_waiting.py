"""Files that others hold, results that cannot be written, time that runs out, and lines for a log."""

import errno
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import duckdb
import pytest
from calls import cli

from synthpriv_sql import errors

HOLDS = """
    import sys, time, duckdb
    connection = duckdb.connect(sys.argv[1])
    print("held", flush=True)
    time.sleep(float(sys.argv[2]))
"""


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "people.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE people AS SELECT range AS number FROM range(300)")
    return path


@pytest.fixture
def held(database):
    """Let another process hold the database for so many seconds."""
    processes = []

    def hold(seconds):
        command = [sys.executable, "-c", textwrap.dedent(HOLDS), str(database), str(seconds)]
        processes.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        assert processes[-1].stdout.readline() == "held\n"

    yield hold
    for process in processes:
        process.kill()
        process.communicate()


COPIES = ["copies", "--synthetic", "people", "--train", "people", "--database"]


def test_a_database_that_is_held_is_waited_for(database, held):
    cli(*COPIES, str(database))  # what is imported first may take longer than the file is held
    held(2)
    code, out, err = cli(*COPIES, str(database), "--format", "csv", "--limit", "2")
    assert (code, out) == (0, "record,copies\n0,1\n1,1\n")
    assert err.splitlines() == [
        "synthpriv: waiting for up to 60 s: another process has locked the database",
        "synthpriv: 2 of 300 rows are shown: --limit 300 shows all, --output FILE writes them",
    ]


def test_one_that_stays_held_may_go_away(database, held, tmp_path):
    held(60)
    code, _, err = cli(*COPIES, str(database), "--wait", "0")
    assert code == 4
    assert "cannot be opened" in err
    people = tmp_path / "people.parquet"
    duckdb.execute(f"COPY (SELECT range AS number FROM range(30)) TO '{people}'")
    code, _, err = cli(
        "copies", "--synthetic", str(people), "--train", str(people), "--output", str(database), "--wait", "0"
    )
    assert code == 4
    (kept,) = tmp_path.glob("people-kept-*.parquet")
    assert str(kept) in err
    assert duckdb.execute("SELECT sum(copies) FROM read_parquet(?)", [str(kept)]).fetchall() == [(30,)]


def test_a_lock_that_a_statement_meets_may_go_away(database, held, tmp_path):
    held(60)
    init = tmp_path / "init.sql"
    init.write_text(f"ATTACH '{database}' AS elsewhere")
    code, _, err = cli(*COPIES[:-1], "--init", str(init))
    assert code == 4
    assert "--init" in err


def test_a_full_disk_may_go_away():
    said = 'Could not write file "/tmp/x": No space left on device'
    for error, transient in (
        (duckdb.IOException(said), True),
        (duckdb.OutOfMemoryException("out of memory"), False),
        (duckdb.OutOfMemoryException("failed to offload data block of size 192.0 KiB (768.0 KiB used)."), True),
        (duckdb.IOException("IO Error: Could not set lock on file"), True),
        (duckdb.BinderException("Could not set lock on file"), False),
    ):
        assert errors.from_database(error).transient is transient


def test_an_error_of_duckdb_is_told_without_its_dump():
    dump = (
        "INTERNAL Error: unexpected type\nThis error signals an assertion failure within DuckDB.\n\n"
        "Stack Trace:\n\n0 duckdb::f()"
    )
    assert str(errors.from_database(duckdb.InternalException(dump))) == "INTERNAL Error: unexpected type"
    assert str(errors.from_database(duckdb.InternalException("a type\n\nStack Trace:\n0 f"))) == "a type"
    full = "failed to offload data block (1 KiB used).\nThis limit was set by the 'max_temp_directory_size' setting."
    said = str(errors.from_database(duckdb.OutOfMemoryException(full)))
    assert "max_temp" not in said
    assert said.endswith("(1 KiB used): the directory of temporary files (temp_directory) has no space left")


def test_what_never_goes_away_is_kept_as_well(database, tmp_path):
    (tmp_path / "copies.duckdb").write_text("no database" * 1000)
    code, _, err = cli(*COPIES, str(database), "--output", str(tmp_path / "copies.duckdb"))
    assert code == 2
    kept = Path(err.strip().rpartition("saved to ")[2])
    assert kept.name.startswith("copies-kept-")
    assert len(duckdb.execute("FROM read_parquet(?)", [str(kept)]).fetchall()) == 300
    kept.unlink()


def test_a_folder_that_is_missing_is_told_before_anything_is_computed(database, tmp_path, monkeypatch):
    monkeypatch.setattr("synthpriv_sql.api.session.Session.call", None)
    code, _, err = cli(*COPIES, str(database), "--output", str(tmp_path / "nowhere" / "copies.csv"))
    assert code == 2
    assert (
        err
        == f'synthpriv: "{tmp_path}/nowhere/copies.csv" cannot be written: there is no folder "{tmp_path}/nowhere"\n'
    )


@pytest.mark.one_in(2)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux that is always full")
@pytest.mark.parametrize("form", ["table", "json"])
def test_a_full_disk_behind_standard_output_loses_nothing(database, tmp_path, form):
    """Exit code 1 would be a broken condition."""
    command = [sys.executable, "-m", "synthpriv_sql", *COPIES, str(database), "--format", form]
    with open("/dev/full", "w") as full:
        ran = subprocess.run(command, check=False, stdout=full, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    assert ran.returncode == 4
    (kept,) = tmp_path.glob("copies-kept-*.parquet")
    assert ran.stderr == (
        f"synthpriv: standard output was not written: no space left on device. The result was saved to {kept}\n"
    )
    assert duckdb.execute("SELECT sum(copies) FROM read_parquet(?)", [str(kept)]).fetchall() == [(300,)]


@pytest.mark.nightly
def test_a_page_that_cannot_be_written_loses_no_number(tmp_path, monkeypatch):
    """The words are those of DuckDB, whose threads write."""

    def full(*args, **kwargs):
        said = 'Async write failed for range [offset=1, size=2]: {"exception_message":"No space left on device"}'
        raise duckdb.IOException(said)

    def no_page(*args, **kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    people = tmp_path / "people.parquet"
    duckdb.execute(f"COPY (SELECT range AS number, range % 7 AS day FROM range(190)) TO '{people}'")
    tables = [part for name in ("synthetic", "train", "holdout") for part in (f"--{name}", str(people))]
    options = ["--attack", "distance", "--named-by", "distance"]
    monkeypatch.setattr("synthpriv_sql.whole._sync", no_page)
    code, _, err = cli("report", *tables, *options, "--html", str(tmp_path / "page.html"))
    assert code == 4
    assert f'"{tmp_path}/page.html" was not written: no space left on device' in err
    monkeypatch.setattr("synthpriv_sql.results.output.write_table", full)
    code, _, err = cli("copies", *tables[:4], "--output", str(tmp_path / "copies.duckdb"))
    assert code == 4
    assert 'copies.duckdb" was not written: no space left on device. The result was saved to' in err


def test_time_runs_out(tmp_path):
    people = tmp_path / "people.parquet"
    duckdb.execute(f"COPY (SELECT random() AS a, random() AS b FROM range(20000)) TO '{people}'")
    tables = [part for name in ("synthetic", "train", "holdout") for part in (f"--{name}", str(people))]
    begun = time.monotonic()
    code, out, err = cli("evaluate", *tables, "--timeout", "0.5")
    assert (code, out) == (3, "")
    assert "stopped after 0.5 s because of --timeout" in err
    assert time.monotonic() - begun < 30


def test_a_log_has_a_line_for_each_part(database):
    code, _, err = cli(*COPIES[:-1], "--train", "people", "--database", str(database), "--log", "debug", "--limit", "0")
    assert code == 0
    assert "synthpriv_sql DEBUG copies: WITH " in err
    assert "synthpriv_sql INFO copies: 300 rows in " in err
    code, _, err = cli(
        "dcr_summary", "--synthetic", "people", "--train", "people", "--database", str(database), "--log", "info"
    )
    assert 'INFO dcr_summary: "people" → "people", 300 × 300 rows' in err
    assert "DEBUG" not in err


def test_a_log_has_no_values(tmp_path):
    people = tmp_path / "people.parquet"
    duckdb.execute(f"COPY (SELECT range AS n, 'town ' || range % 2 AS town FROM range(60)) TO '{people}'")
    code, out, err = cli(
        "dcr_summary", "--synthetic", str(people), "--train", str(people), "--group-by", "town", "--log", "debug"
    )
    assert code == 0
    assert "town 1" in out
    assert "synthpriv_sql DEBUG dcr_summary: WITH" in err
    assert "town 0" not in err
    assert "town 1" not in err


def test_a_kept_run_is_fetched_without_a_package_to_guess(database, tmp_path):
    runs = tmp_path / "runs.duckdb"
    assert cli(*COPIES, str(database), "--output", str(runs), "--append")[0] == 0
    with duckdb.connect(str(runs)) as connection:
        assert connection.execute("SELECT run_at FROM copies").fetchone()[0].tzinfo is not None
