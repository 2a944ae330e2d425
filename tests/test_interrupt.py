"""Ctrl-C and `Session.cancel`: a running search stops within a second, and leaves nothing half done."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import synthpriv_sql
from synthpriv_sql.errors import Cancelled

# A search of many seconds: numbers that tell nothing apart. The first, small one compiles.
TABLES = """
CREATE TABLE few AS SELECT random() AS a, random() AS b FROM range(200);
CREATE TABLE many AS SELECT {columns} FROM range(120_000);
""".format(columns=", ".join(f"random() AS c{i}" for i in range(24)))
CHILD = f"""
import sys, time, duckdb, synthpriv_sql
from synthpriv_sql.errors import Cancelled
session = synthpriv_sql.connect()
session.connection.execute('''{TABLES}''')
session.dcr("few", "few")
print("ready", flush=True)
try:
    if sys.argv[1] == "python":
        session.dcr("many", "many")
    else:
        session.connection.execute("CREATE TABLE result AS FROM synthpriv.dcr('many', 'many')")
    print("not interrupted")
except (Cancelled, duckdb.Error, RuntimeError, KeyboardInterrupt) as error:
    print(time.monotonic(), type(error).__name__, str(error).replace(chr(10), " "), flush=True)
written = session.connection.execute("FROM duckdb_tables() WHERE table_name = 'result'").fetchall()
print(len(session.dcr("few", "few")), len(written), flush=True)
"""


def interrupt(process, after):
    """Send Ctrl-C; return when it was sent."""
    time.sleep(after)
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    return sent


@pytest.fixture
def start(tmp_path):
    processes = []

    def run(*command):
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "cwd": tmp_path}
        processes.append(subprocess.Popen([sys.executable, *command], **pipes, env={**os.environ, "COLUMNS": "200"}))
        return processes[-1]

    yield run
    for process in processes:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("surface", ["python", "sql"])
def test_ctrl_c_stops_a_search_and_leaves_the_connection_usable(start, surface):
    process = start("-c", CHILD, surface)
    assert process.stdout.readline() == "ready\n"
    sent = interrupt(process, after=2)
    stopped, kind, message = process.stdout.readline().split(" ", 2)
    assert float(stopped) - sent < 1
    if surface == "python":
        assert kind == "Cancelled"
        assert message == "stopped before the end; there is no result, and nothing was written\n"
    assert process.stdout.read() == "200 0\n"
    assert process.wait(60) == 0


def test_ctrl_c_on_the_command_line_is_one_line_and_leaves_no_file(start, tmp_path, session):
    session.connection.execute(TABLES)
    session.dcr("few", "few")  # compiled, and kept for the child
    session.connection.execute(f"COPY many TO '{tmp_path}/many.parquet'")
    arguments = ["--synthetic", "many.parquet", "--train", "many.parquet", "--output", "result.parquet"]
    process = start("-c", "from synthpriv_sql.cli import main; main()", "dcr", *arguments)
    sent = interrupt(process, after=5)
    out, err = process.communicate(timeout=60)
    assert time.monotonic() - sent < 2  # the end of the process included
    assert process.returncode == 3
    assert out == ""
    assert err == "synthpriv: stopped before the end; there is no result, and nothing was written\n"
    assert [path.name for path in tmp_path.iterdir()] == ["many.parquet"]


def test_another_thread_stops_a_search(session):
    session.connection.execute(TABLES)
    session.dcr("few", "few")
    stopped = []

    def stop():
        time.sleep(1)
        stopped.append(time.monotonic())
        session.cancel()

    thread = threading.Thread(target=stop)
    thread.start()
    with pytest.raises(Cancelled):
        session.dcr("many", "many")
    assert time.monotonic() - stopped[0] < 1
    thread.join()
    assert len(session.dcr("few", "few")) == 200


def test_what_other_databases_search_is_not_stopped(session):
    session.connection.execute(TABLES)
    with synthpriv_sql.connect() as other:
        session.dcr("few", "few")
        other.cancel()
        assert len(session.dcr("few", "few")) == 200


def test_what_stops_a_call_before_its_search_begins_counts(session):
    registration = session.engine._registration
    with registration.call():
        registration.stops += 1  # while the call is planned, say
        assert registration.cancelled()()
    assert not registration.cancelled()()
