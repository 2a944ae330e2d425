"""Ctrl-C and `Session.cancel`: a running search stops within a second, and leaves nothing half done."""

import os
import signal
import subprocess
import sys
import threading
import time

import duckdb
import pytest

import synthpriv_sql
from synthpriv_sql import interrupts
from synthpriv_sql.engines.duckdb.lookup import Lookup
from synthpriv_sql.errors import Cancelled, SynthprivError
from synthpriv_sql.udf.neighbors import Monitor, watched

pytestmark = pytest.mark.duckdb_1

# A search of many seconds: numbers that tell nothing apart. The first, small one compiles.
TABLES = """
CREATE TABLE few AS SELECT random() AS a, random() AS b FROM range(200);
CREATE TABLE many AS SELECT {columns} FROM range(120_000);
""".format(columns=", ".join(f"random() AS c{i}" for i in range(24)))
CHILD = f"""
import sys, time, duckdb, synthpriv_sql
from synthpriv_sql.errors import Cancelled
session = synthpriv_sql.connect(threads=1)
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


@pytest.mark.one_in(2)
@pytest.mark.parametrize("surface", ["python", "sql"])
def test_ctrl_c_stops_a_search_and_leaves_the_connection_usable(start, surface):
    process = start("-c", CHILD, surface)
    assert process.stdout.readline() == "ready\n"
    sent = interrupt(process, after=1)
    stopped, kind, message = process.stdout.readline().split(" ", 2)
    assert float(stopped) - sent < 1
    if surface == "python":
        assert kind == "Interrupted"
        assert message == "stopped before the end; there is no result, and nothing was written\n"
    assert process.stdout.read() == "200 0\n"
    assert process.wait(60) == 0


LOOP = f"""
import time, synthpriv_sql
from synthpriv_sql.errors import Cancelled
session = synthpriv_sql.connect(threads=1)
session.connection.execute('''{TABLES}''')
session.dcr("few", "few")
print("ready", flush=True)
try:
    for _ in range(10):
        try:
            session.dcr("many", "many")
        except Exception as error:
            print("went on", flush=True)
except Cancelled as error:
    print(isinstance(error, KeyboardInterrupt), flush=True)
"""


@pytest.mark.slow
def test_ctrl_c_ends_a_loop_that_goes_on_after_errors(start):
    process = start("-c", LOOP)
    assert process.stdout.readline() == "ready\n"
    interrupt(process, after=1)
    assert process.communicate(timeout=60)[0] == "True\n"


def test_ctrl_c_on_the_command_line_is_one_line_and_leaves_no_file(start, tmp_path, session):
    session.connection.execute(TABLES)
    session.dcr("few", "few")  # compiled, and kept for the child
    session.connection.execute(f"COPY many TO '{tmp_path}/many.parquet'")
    arguments = ["--synthetic", "many.parquet", "--train", "many.parquet", "--output", "result.parquet"]
    arguments += ["--threads", "1"]
    process = start("-c", "from synthpriv_sql.cli.commands import main; main()", "dcr", *arguments)
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
    with pytest.raises(Cancelled) as caught:
        session.dcr("many", "many")
    assert isinstance(caught.value, SynthprivError)
    assert not isinstance(caught.value, KeyboardInterrupt)
    assert time.monotonic() - stopped[0] < 1
    thread.join()
    assert len(session.dcr("few", "few")) == 200


def test_a_search_that_was_left_reports_nothing():
    reports, left, ended = [], threading.Event(), threading.Event()

    def slow(monitor):
        left.wait(10)
        monitor.progress(1, 2, "late")
        ended.set()

    with pytest.raises(Cancelled):
        watched(slow, [], Monitor(lambda *report: reports.append(report), lambda: True))
    left.set()
    assert ended.wait(10)
    assert reports == []


def test_a_callback_that_cancels_at_every_report_stops_that_call_alone(session):
    session.connection.execute("CREATE TABLE a AS SELECT random() AS x, random() AS y FROM range(2_000)")
    real = {"train": "a", "holdout": "a"}
    for function, given in [("holdout_share", {"synthetic": "a", **real}), ("selftest", real)] * 3:
        with pytest.raises(Cancelled):
            session.call(function, **given, progress=lambda *_: session.cancel())
        assert len(session.copies("a", "a")) == 2_000


def test_cancelling_while_tables_are_looked_up_is_an_error_of_ours(session, monkeypatch):
    def cancelled(*_):
        raise duckdb.InterruptException("Interrupted!")

    session.connection.execute("CREATE TABLE a AS SELECT 1 AS x")
    with monkeypatch.context() as patched:
        patched.setattr(Lookup, "_describe", cancelled)
        with pytest.raises(Cancelled):
            session.dcr("a", "a")
    assert len(session.dcr("a", "a")) == 1


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


@pytest.fixture
def listening():
    """Let a handler listen to Ctrl-C while a test lasts."""
    before = signal.getsignal(signal.SIGINT)

    def listen(handler):
        signal.signal(signal.SIGINT, handler)
        return handler

    yield listen
    signal.signal(signal.SIGINT, before)


def interrupted(times, stop, then=None):
    """What a block does in which Ctrl-C comes that many times, and then an error."""
    with interrupts.instead(stop):
        for _ in range(times):
            signal.raise_signal(signal.SIGINT)
        if then is not None:
            raise then


def test_ctrl_c_calls_something_instead_of_raising(listening):
    handler = listening(signal.default_int_handler)
    stopped = []
    with pytest.raises(ValueError, match="what stopping gave"):
        interrupted(1, lambda: stopped.append(1), ValueError("what stopping gave"))
    assert stopped == [1]
    assert signal.getsignal(signal.SIGINT) is handler


def test_ctrl_c_is_raised_at_the_end_and_the_second_time(listening):
    handler = listening(signal.default_int_handler)
    stopped = []
    for times in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            interrupted(times, lambda: stopped.append(1), ValueError("not reached") if times == 2 else None)
    assert stopped == [1, 1]
    assert signal.getsignal(signal.SIGINT) is handler


def test_a_handler_that_does_not_interrupt_is_left_to_it(listening):
    heard, stopped = [], []
    listening(lambda number, frame: heard.append(number))
    with interrupts.instead(lambda: stopped.append(1)):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
    assert (heard, stopped) == ([signal.SIGINT] * 2, [])


def test_other_threads_and_ignored_signals_stay_as_they_are(listening):
    def inside():
        with interrupts.instead(stopped.append):
            seen.append(signal.getsignal(signal.SIGINT))

    seen, stopped = [], []
    handler = listening(signal.default_int_handler)
    thread = threading.Thread(target=inside)
    thread.start()
    thread.join()
    listening(signal.SIG_IGN)
    inside()
    assert seen == [handler, signal.SIG_IGN]
