"""What belongs to the whole process: several threads and databases use it, and it is left as it was."""

import gc
import sys
import threading
import warnings

import duckdb
import pyarrow as pa
import pytest

import synthpriv_sql
from synthpriv_sql.engines import unwarned
from synthpriv_sql.engines.duckdb import registration
from synthpriv_sql.planner.statement.parts import gc_paused

pytestmark = pytest.mark.duckdb_1

ROWS = pa.table({"a": [1, 2, 3], "b": ["x", "y", "x"]})


def test_the_collector_stays_off_until_the_last_thread_leaves():
    inside, leave = threading.Event(), threading.Event()

    def other():
        with gc_paused:
            inside.set()
            leave.wait(60)

    assert gc.isenabled()
    thread = threading.Thread(target=other)
    with gc_paused:
        thread.start()
        assert inside.wait(60)
    off = not gc.isenabled()
    leave.set()
    thread.join()
    assert off
    assert gc.isenabled()


def test_the_collector_is_on_after_many_threads():
    def work():
        for _ in range(2_000):
            with gc_paused:
                assert not gc.isenabled()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert gc.isenabled()


def test_a_call_undoes_no_filter_of_another_thread(session, monkeypatch):
    # catch_warnings puts back the filters that it found, whoever has changed them meanwhile.
    users = []

    class Seen(warnings.catch_warnings):
        def __init__(self, **given):
            users.append(sys._getframe(1).f_globals["__name__"])
            super().__init__(**given)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        monkeypatch.setattr(warnings, "catch_warnings", Seen)
        assert len(session.dcr(ROWS, ROWS)) == 3
        warnings.filterwarnings("error", message="another")  # and now stands before ours
        assert len(session.dcr(ROWS, ROWS)) == 3
        filters = list(warnings.filters)
        assert len(session.dcr(ROWS, ROWS)) == 3
        assert warnings.filters == filters
    assert [name for name in users if name.startswith("synthpriv_sql")] == []


def test_only_the_warning_that_is_meant_is_ignored():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        unwarned.ignore("this one", r"one\.")
        warnings.warn_explicit("This one here", UserWarning, "f", 1, "one.two")
        for text, module in (("another", "one.two"), ("this one", "two")):
            with pytest.raises(UserWarning):
                warnings.warn_explicit(text, UserWarning, "f", 1, module)


@pytest.fixture
def collect():
    """Collect what was left, and go on from there without going through all the rest again."""
    gc.collect()
    gc.freeze()
    yield gc.collect
    gc.unfreeze()


@pytest.mark.slow
def test_databases_that_are_closed_are_forgotten(collect):
    before = set(registration._REGISTRATIONS)
    for _ in range(3):
        with synthpriv_sql.connect() as session:
            session.dcr(ROWS, ROWS)
        forgotten = duckdb.connect()
        synthpriv_sql.register(forgotten)
        del forgotten, session
    collect()
    assert set(registration._REGISTRATIONS) <= before


def test_a_database_is_known_as_long_as_it_is_open(collect):
    connection = duckdb.connect()
    synthpriv_sql.register(connection)
    collect()
    cursor = connection.cursor()
    synthpriv_sql.register(cursor)
    collect()
    cursor.execute("CREATE TABLE t AS SELECT range AS a FROM range(5)")
    assert cursor.execute("SELECT count(*) FROM synthpriv.dcr('t', 't')").fetchone() == (5,)
    connection.close()
