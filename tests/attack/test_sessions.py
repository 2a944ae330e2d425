"""Eight threads at once, and 500 sessions one after the other: right results, and nothing that grows."""

import gc
import threading
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import synthpriv_sql

ROWS, THREADS, CALLS, SESSIONS = 200, 8, 2, 500


def table(seed):
    rng = np.random.default_rng(seed)
    return pa.table({"a": rng.normal(size=ROWS), "b": rng.integers(0, 9, ROWS), "c": rng.choice(list("xyz"), ROWS)})


TABLES = [table(seed) for seed in range(3)]
ASKED = [
    ("dcr", 2, {}),
    ("copies", 2, {"columns": ["b", "c"]}),
    ("fidelity", 3, {}),
]


def answers(session):
    return [session.call(name, **tables(count), **options).to_arrow() for name, count, options in ASKED]


def tables(count):
    return dict(zip(("synthetic", "train", "holdout"), TABLES[:count], strict=False))


@pytest.mark.parametrize("shared", [False, True], ids=["a session each", "one session"])
def test_eight_threads_get_the_same_as_one(shared):
    with synthpriv_sql.connect() as first:
        expected, found, failed = answers(first), [], []

        def work():
            try:
                for _ in range(CALLS):
                    if shared:
                        found.append(answers(first))
                    else:
                        with synthpriv_sql.connect() as own:
                            found.append(answers(own))
            except BaseException as error:
                failed.append(error)

        workers = [threading.Thread(target=work) for _ in range(THREADS)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(120)
    assert not failed
    assert len(found) == THREADS * CALLS
    for tables_found in found:
        assert all(one.equals(other) for one, other in zip(tables_found, expected, strict=True))


def held():
    """Open files, threads, and bytes of memory of this process."""
    gc.collect()
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return len(list(Path("/proc/self/fd").iterdir())), int(status["Threads"]), int(status["VmRSS"].split()[0]) * 1024


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc on this system")
def test_five_hundred_sessions_leave_nothing_behind():
    def use(count):
        for _ in range(count):
            with synthpriv_sql.connect(threads=2) as session:
                assert len(session.copies(TABLES[0], TABLES[1])) == ROWS

    use(50)
    files, threads, memory = held()
    use(SESSIONS - 50)
    later = held()
    assert later[0] <= files + 2
    assert later[1] <= threads + 2
    assert later[2] < memory + 80e6


def test_twenty_open_sessions_answer():
    sessions = [synthpriv_sql.connect(threads=1) for _ in range(20)]
    try:
        assert {len(session.copies(TABLES[0], TABLES[1])) for session in sessions} == {ROWS}
    finally:
        for session in sessions:
            session.close()
