"""What searches take, they give back; and several at once are right."""

import gc
import threading

import pytest
from conftest import call

import synthpriv_sql
from synthpriv_sql.neighbors import index

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


def test_two_hundred_searches_do_not_grow(tables):
    tables.connection.execute("CREATE TABLE few AS FROM s LIMIT 400")
    found = call("neighbors", "s", "t", k=20), call("neighbors", "few", "t", k=20)

    def search(number):
        tables.connection.execute(f"CREATE OR REPLACE TABLE result AS {found[number % 10 != 0]}")

    for number in range(40):
        search(number)
    gc.collect()
    before = resident()
    for number in range(200):
        search(number)
    gc.collect()
    # All lists and indexes of the 200 together are about 60 MB.
    assert resident() - before < 20e6
    assert threading.active_count() < 10


def test_searches_from_several_threads_are_right_and_take_turns(tables, monkeypatch):
    def sums(connection, k):
        return connection.execute(f"SELECT sum(distance), sum(neighbor) {call('neighbors', 's', 't', k=k)}").fetchall()

    alone = {k: sums(tables.connection, k) for k in (1, 2, 3)}
    running, most, threads = [], [], []
    search = index.search

    def counted(*given, **options):
        running.append(1)
        most.append(len(running))
        threads.append(options["threads"])
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


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_do_not_depend_on_the_threads(threads):
    with synthpriv_sql.connect(threads=threads) as several, synthpriv_sql.connect(threads=1) as one:
        for session in (several, one):
            session.connection.execute(TABLES)
        assert several.neighbors("s", "t", k=3).to_arrow().equals(one.neighbors("s", "t", k=3).to_arrow())
