"""What searches take, they give back; and several at once are right."""

import gc
import os
import subprocess
import sys
import threading

import pytest
from calls import call

import synthpriv_sql
from synthpriv_sql.kernels.knn import index
from synthpriv_sql.udf.compiling import LABEL

TABLE = """
CREATE TABLE {name} AS
SELECT hash(i, {seed}) % 997 AS a, hash(i, {seed} + 1) % 89 AS b, 'c' || hash(i, {seed} + 2) % 40 AS c
FROM range(4_000) AS rows(i);
"""
TABLES = TABLE.format(name="s", seed=1) + TABLE.format(name="t", seed=5)


@pytest.fixture
def tables(session):
    session.connection.execute(TABLES)
    return session


def resident():
    """Bytes of memory that the process holds."""
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))
    except FileNotFoundError:
        pytest.skip("the memory of a process is read from /proc, which this system lacks")


@pytest.mark.nightly
def test_a_hundred_searches_do_not_grow(tables):
    tables.connection.execute("CREATE TABLE few AS FROM s LIMIT 400")
    found = call("neighbors", "s", "t", k=20), call("neighbors", "few", "t", k=20)

    def search(number):
        tables.connection.execute(f"CREATE OR REPLACE TABLE result AS {found[number % 10 != 0]}")

    for number in range(20):
        search(number)
    gc.collect()
    before, threads = resident(), threading.active_count()
    for number in range(100):
        search(number)
    gc.collect()
    # All lists and indexes of the 100 together are about 30 MB.
    assert resident() - before < 12e6
    assert threading.active_count() < threads + 5


def test_searches_from_several_threads_are_right_and_take_turns(tables, monkeypatch):
    def sums(connection, k):
        return connection.execute(f"SELECT sum(distance), sum(neighbor) {call('neighbors', 's', 't', k=k)}").fetchall()

    alone = {k: sums(tables.connection, k) for k in (1, 2, 3)}
    running, most, threads = [], [], []
    search = index.search

    def counted(*given, **options):
        running.append(1)
        most.append(len(running))
        threads.append(options["options"].threads)
        try:
            return search(*given, **options)
        finally:
            running.pop()

    monkeypatch.setattr(index, "search", counted)
    tables.connection.execute("SET threads = 2")
    wrong = []

    def work(cursor, k):
        for _ in range(3):
            found = sums(cursor, k)
            if found != alone[k]:
                wrong.append((k, found))

    workers = [threading.Thread(target=work, args=(tables.connection.cursor(), k)) for k in (1, 2, 3, 1)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert not wrong
    assert len(most) == 12
    assert set(most) == {1}
    assert set(threads) == {2}


def test_one_session_in_several_threads_is_right(tables):
    alone = tables.dcr("s", "t").to_arrow()
    found = []
    workers = [threading.Thread(target=lambda: found.append(tables.dcr("s", "t").to_arrow())) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [table.equals(alone) for table in found] == [True] * 4


@pytest.mark.slow
def test_results_do_not_depend_on_the_threads(tmp_path):
    """Nor do means, which DuckDB would add up in the order in which its threads come."""
    database = tmp_path / "several_row_groups.duckdb"
    with synthpriv_sql.connect(database) as session:
        session.connection.execute(
            "CREATE TABLE t AS SELECT sqrt(i) AS a, ln(1 + hash(i) % 10007) AS b FROM range(125_000) AS rows(i);"
            "CREATE TABLE s AS SELECT a + 0.1 AS a, b FROM t"
        )
    found = []
    for threads in (1, 4):
        with synthpriv_sql.connect(str(database), read_only=True, threads=threads) as session:
            found.append(
                (
                    session.scaling("t").fetchall(),
                    session.mda("s", "t", threshold=[0.1, 0.2]).fetchall(),
                    session.comparison("s", "t", k=2, statistic="mean").fetchall(),
                )
            )
    assert [one == found[0] for one in found] == [True] * 2


@pytest.mark.slow
def test_a_low_memory_limit_cuts_the_reference_into_shards(monkeypatch):
    shards = []
    build = index.Index.__init__

    def counted(self, reference, *given, **named):
        shards.append(reference.rows)
        build(self, reference, *given, **named)

    monkeypatch.setattr(index.Index, "__init__", counted)
    found = {}
    for limit in ("8GB", "50MB"):
        with synthpriv_sql.connect(memory_limit=limit) as session:
            session.connection.execute(
                "CREATE TABLE r AS SELECT hash(i) % 9973 AS a, 'c' || hash(i, 1) % 40 AS b, hash(i, 2) % 2 AS c "
                "FROM range(150_000) AS rows(i); CREATE TABLE q AS FROM r WHERE a % 50 = 0"
            )
            found[limit] = (
                session.neighbors("q", "r", k=7).fetchall(),
                session.neighbors("r", "r", exclude_self=True, metric="euclidean").fetchall(),
            )
    same = found["8GB"] == found["50MB"]
    assert same  # without pages of rows in the message
    assert shards == [150_000] * 2 + [65_536, 65_536, 18_928] * 2


@pytest.mark.nightly
def test_compiling_is_said_to_the_user(tmp_path):
    code = """
import pyarrow as pa, synthpriv_sql
with synthpriv_sql.connect(threads=1) as session:
    table = pa.table({"a": [1.0, 2.0, 5.0], "b": ["x", "y", "x"]})
    follow = lambda *step: print(*step, sep='|')
    session.dcr(table, table, progress=follow)
    print("again")
    session.dcr(table, table, progress=follow)
"""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    first, again = done.stdout.split("again")
    assert first.startswith(f"0|1|{LABEL}\n1|1|{LABEL}\n")
    assert done.stderr == ""
    assert LABEL not in again
