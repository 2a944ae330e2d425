"""Small tables before there is a compiled kernel: NumPy gives the same answer, to the bit, without numba."""

import os
import subprocess
import sys
import time
from threading import Thread

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_cache import folder, run
from test_kernel import brute, cases

from synthpriv_sql.kernels import Columns, Distance
from synthpriv_sql.kernels.knn import compiling, dispatch, index, pairs
from synthpriv_sql.kernels.threads import SearchOptions

__all__ = ["folder"]

CALL = """
import os, sys, time, synthpriv_sql
from contextlib import suppress
from synthpriv_sql.kernels.knn import dispatch
session = synthpriv_sql.connect()
session.connection.execute('''
    CREATE TABLE t AS
    SELECT CASE WHEN i % 11 > 0 THEN i * i % 1009 END AS a, i % 13 / 7 AS b, i % 5 || 'x' AS c, i % 17 > 5 AS d
    FROM range(3000) AS r(i)
''')
found = session.connection.execute('''
    SELECT md5(string_agg(neighbor || ' ' || distance, ',' ORDER BY record, rank))
    FROM synthpriv.neighbors('t', 't', k := 3)
''').fetchone()[0]
print(found, "numba" in sys.modules, dispatch.this_process.helper is not None)
if dispatch.this_process.helper is not None:
    while dispatch.this_process.helper.poll() is None:
        with suppress(OSError):  # root may: it lets others go first, and beside other tests that takes minutes
            os.setpriority(os.PRIO_PROCESS, dispatch.this_process.helper.pid, 0)
        time.sleep(0.2)
    again = session.connection.execute("SELECT count(*) FROM synthpriv.neighbors('t', 't')").fetchone()[0]
    print(dispatch.this_process.helper.returncode, again, dispatch._loaded())
"""


@given(case=cases(), k=st.integers(1, 12), threads=st.integers(1, 2))
def test_every_pair_equals_brute_force(case, k, threads):
    queries, reference, distance = case
    k = min(k, reference.rows)
    neighbors, distances = pairs.search(queries, reference, distance, k, options=SearchOptions(threads))
    expected, at = brute(queries, reference, distance, k)
    np.testing.assert_array_equal(distances, at)
    np.testing.assert_array_equal(neighbors, expected)


@pytest.mark.parametrize("k", [1, 3, 20])
def test_every_pair_equals_the_kernel(k):
    """With ties, infinite distances, and a record that is not its own neighbor."""
    rng = np.random.default_rng(k)
    numbers = np.where(rng.random(300) < 0.3, 1e200, 1.0) * rng.integers(-2, 3, 300)
    table = Columns((numbers, rng.integers(0, 3, 300) / 3), (rng.integers(-1, 4, 300).astype(np.int32),), 300)
    for distance in (
        Distance(2, False, 0.3, (1.0, 0.7), (1.0,), 1.0, True),
        Distance(1, True, 1.0, (0.1, 3.0), (0.7,), 3.8, False),
    ):
        options = {"exclude_self": True, "options": SearchOptions(1)}
        for found, expected in zip(
            pairs.search(table, table, distance, k, **options),
            index.search(table, table, distance, k, **options),
            strict=True,
        ):
            np.testing.assert_array_equal(found, expected)


class Helper:
    def __init__(self, ended):
        self.ended = ended

    def poll(self):
        return 0 if self.ended else None


@pytest.mark.parametrize(
    ("work", "loaded", "compiled", "ended", "without"),
    [
        (1_000, False, False, False, True),
        (1_000, True, True, False, False),  # it is there
        (100_000_000, False, False, False, True),
        (100_000_000, False, True, False, False),  # loading takes less than every pair
        (100_000_000, False, False, True, False),  # the helper left nothing behind
        (10_000_000_000, False, False, False, False),  # compiling takes less
    ],
)
def test_who_answers(monkeypatch, work, loaded, compiled, ended, without):
    monkeypatch.delenv("SYNTHPRIV_SEARCH")
    monkeypatch.setattr(dispatch.this_process, "helper", None)
    monkeypatch.setattr(dispatch, "_loaded", lambda: loaded)
    monkeypatch.setattr(dispatch, "compiled", lambda: compiled)
    monkeypatch.setattr(dispatch, "start", lambda _: Helper(ended))
    monkeypatch.setattr(dispatch.this_process, "compared", 0)
    assert dispatch.numpy_is_sooner(work) is without
    with dispatch.kernel_only():
        assert not dispatch.numpy_is_sooner(work)


@pytest.mark.parametrize(
    ("compiled", "ended", "without"),
    [
        (True, False, [True, True, False, False]),  # NumPy has compared for as long as the kernel takes to load
        (False, False, [True] * 41 + [False]),  # for as long as compiling takes
        (False, True, [True] * 41 + [False]),  # the helper left nothing behind
    ],
)
def test_many_small_searches_load_the_kernel(monkeypatch, compiled, ended, without):
    monkeypatch.delenv("SYNTHPRIV_SEARCH")
    monkeypatch.setattr(dispatch, "this_process", dispatch._Process())
    monkeypatch.setattr(dispatch, "_loaded", lambda: False)
    monkeypatch.setattr(dispatch, "compiled", lambda: compiled)
    monkeypatch.setattr(dispatch, "start", lambda _: Helper(ended))
    assert [dispatch.numpy_is_sooner(12_000_000) for _ in without] == without


@pytest.mark.parametrize("ready", ["compiled", "ended", "cancelled", "late"])
def test_a_large_search_waits_for_the_helper(monkeypatch, ready):
    """Until the kernel is there, the helper has given up, the call is cancelled, or it has waited for long."""
    asked = []

    def after(count, name):
        asked.append(name)
        return name == ready and len(asked) > count

    class Slow(Helper):
        def poll(self):
            return 1 if after(9, "ended") else None

    monkeypatch.setattr(dispatch, "this_process", dispatch._Process(Slow(False)))
    monkeypatch.setattr(dispatch, "_loaded", lambda: False)
    monkeypatch.setattr(dispatch, "compiled", lambda: after(9, "compiled"))
    monkeypatch.setattr(time, "sleep", lambda _: None)
    monkeypatch.setattr(time, "monotonic", lambda: 1e9 * after(9, "late"))
    dispatch.await_helper(lambda: after(9, "cancelled"))
    assert 9 < len(asked) < 20
    assert asked[-1] == ready


def test_no_helper_without_python(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/usr/bin/database")
    assert dispatch.start("pass") is None

    def fail(*_, **__):
        raise OSError

    monkeypatch.setattr(sys, "executable", "python")
    monkeypatch.setattr(subprocess, "Popen", fail)
    assert dispatch.start("pass") is None


@pytest.mark.nightly
def test_the_first_answer_needs_no_kernel_and_the_next_finds_it(folder):
    cache = {"NUMBA_CACHE_DIR": str(folder / "cache"), "SYNTHPRIV_SEARCH": "auto"}
    printed, _ = run(CALL, **cache)
    (found, numba, helper), (code, rows, loaded) = (line.split() for line in printed.splitlines())
    assert (numba, helper) == ("False", "True")
    assert (code, rows, loaded) == ("0", "3000", "True")
    kernel, numba, _ = run(CALL, **cache | {"SYNTHPRIV_SEARCH": "kernel"})[0].split()
    assert (kernel, numba) == (found, "True")


def test_one_process_compiles_at_a_time(tmp_path, monkeypatch):
    """Many calls may start one each before the first is ready: the others wait, and find that it is done."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(os, "nice", lambda _: None)
    begun, at_once = [], []

    def compile_kernel():
        begun.append(1)
        at_once.append(len(begun) - len(done))
        time.sleep(0.2)
        (tmp_path / "place").mkdir(exist_ok=True)
        (tmp_path / "place" / f"{dispatch.SEARCH}-1.{dispatch.SPECIALIZATIONS}.nbc").touch()
        done.append(1)

    done = []
    monkeypatch.setattr(compiling, "compile_kernel", compile_kernel)
    threads = [Thread(target=compiling.compile_alone) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert at_once == [1]
