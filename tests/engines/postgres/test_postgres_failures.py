"""PostgreSQL when something goes wrong: servers that go away, calls that are stopped, passwords."""

import contextlib
import os
import signal
import threading
import time
import traceback
from urllib.parse import quote

import pytest
import servers
from calls import cli
from shop import PEOPLE, exists, run

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.engines.postgres import address, writing


@pytest.fixture
def interruptible():
    """Ctrl-C as Python itself listens to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def backend(session):
    return session.engine._connection.rows("SELECT pg_backend_pid() AS pid")[0]["pid"]


SLOW = "(SELECT a, pg_sleep(0.02)::text AS c FROM shop.train)"


def once_it_runs(cursor, what, then):
    """Wait in a thread until the server is at a statement, and do something about it."""

    def wait():
        for _ in range(200):
            cursor.execute(
                f"SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%{what}%' "
                "AND pid <> pg_backend_pid()"
            )
            found = cursor.fetchall()
            if found:
                time.sleep(0.2)
                then(found[0][0])
                return
            time.sleep(0.02)

    thread = threading.Thread(target=wait)
    thread.start()
    return thread


def test_a_connection_that_is_lost_is_one_clear_error_and_a_retry_works(pg, pg_client):
    killer = once_it_runs(pg_client, "pg_sleep", lambda pid: pg_client.execute(f"SELECT pg_terminate_backend({pid})"))
    with pytest.raises(errors.ConnectionLost, match=r"lost before the end .*Call again") as lost:
        pg.dcr(SLOW, SLOW)
    killer.join()
    assert lost.value.__cause__ is None
    assert len(pg.dcr("shop.synthetic", "shop.train", **PEOPLE)) == 200


def test_a_connection_that_was_lost_meanwhile_is_opened_anew(pg, pg_client):
    pg_client.execute(f"SELECT pg_terminate_backend({backend(pg)})")
    assert len(pg.scaling("shop.train")) == 5


def test_a_table_appears_whole_or_not_at_all(pg, pg_url, pg_client, monkeypatch):
    result = pg.copies("shop.synthetic", "shop.train", **PEOPLE)
    run(pg_url, "CREATE TABLE results.kept AS SELECT 1 AS one")
    insert, pid = writing.PostgresWriter._insert, backend(pg)

    def insert_after_a_blow(*arguments):
        pg_client.execute(f"SELECT pg_terminate_backend({pid})")
        return insert(*arguments)

    monkeypatch.setattr(writing.PostgresWriter, "_insert", insert_after_a_blow)
    for name in ("results.half", "results.kept"):
        with pytest.raises(errors.WriteError, match="was lost before the end"):
            result.to_table(name, replace=True)
        pid = backend(pg)
    monkeypatch.undo()
    assert not exists(pg_url, "results.half")
    assert run(pg_url, "TABLE results.kept") == [(1,)]
    assert run(pg_url, "SELECT count(*) FROM pg_class WHERE relname LIKE 'synthpriv%'") == [(0,)]
    result.to_table("results.half")
    assert run(pg_url, "SELECT count(*) FROM results.half") == [(200,)]


def test_a_server_that_stops_and_one_that_is_not_there():
    programs = servers.postgres_programs()
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(servers.postgres(programs))
        run(server.url, "CREATE TABLE t AS SELECT i AS a FROM generate_series(1, 100) AS i")
        session = stack.enter_context(synthpriv_sql.connect(server.url))
        process = int((server.folder / "data" / "postmaster.pid").read_text().split()[0])
        stop = threading.Timer(0.5, os.kill, (process, signal.SIGINT))
        stop.start()
        slow = "(SELECT a, pg_sleep(0.05)::text AS c FROM t)"
        with pytest.raises(errors.ConnectionLost):
            session.dcr(slow, slow)
        stop.join()
        with pytest.raises(errors.EngineError, match="cannot be reached"):
            session.scaling("t")
        with pytest.raises(errors.EngineError, match="cannot be reached"):
            synthpriv_sql.connect(server.url)


@pytest.mark.parametrize(
    ("url", "shown", "uri"),
    [
        ("postgres://u:p%40+x@h:1/d", "postgresql://h:1/d", "postgresql://u:p%40%2Bx@h:1/d"),
        ("postgresql://u@[::1]:1,h2:2/d?sslmode=require", "postgresql://[::1]:1,h2:2/d", "sslmode=require"),
        ("postgresql:///d?host=/var/run&password=a+b&user=u", "postgresql:///d", "postgresql://u:a%2Bb@/d?"),
        ("postgresql://", "postgresql://", "postgresql://?"),
        ("postgresql://u:p@x@h/d", "postgresql://h/d", "postgresql://u:p%40x@h/d?"),
    ],
)
def test_urls(url, shown, uri):
    found = address.read(url)
    assert found.shown == shown
    assert uri in found.uri
    assert "application_name=synthpriv_sql" in found.uri
    assert found.without_secrets(" ".join(["it is", *found.secrets])) == " ".join(
        ["it is", *["***"] * len(found.secrets)]
    )


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("how", ["cancel", "Ctrl-C"])
def test_a_statement_of_the_server_is_stopped_at_once(pg, pg_client, how):
    stopped = []

    def stop(pid):
        stopped.append(time.monotonic())
        pg.cancel() if how == "cancel" else os.kill(os.getpid(), signal.SIGINT)

    thread = once_it_runs(pg_client, "pg_sleep", stop)
    with pytest.raises(errors.Cancelled, match="stopped before the end"):
        pg.dcr(SLOW, SLOW)
    assert time.monotonic() - stopped[0] < 1
    thread.join()
    assert len(pg.scaling("shop.train")) == 5
    pg_client.execute(
        "SELECT count(*) FROM pg_stat_activity "
        "WHERE state <> 'idle' AND pid <> pg_backend_pid() AND usename = current_user"
    )
    assert pg_client.fetchall() == [(0,)]


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("how", ["cancel", "Ctrl-C"])
def test_a_search_beside_the_server_is_stopped_at_once(pg, how):
    rows = "(SELECT i % 9973 / 9973.0 AS a, i % 7919 / 7919.0 AS b, random() AS c FROM generate_series(1, 60000) AS i)"
    stopped = []

    def stop():
        stopped.append(time.monotonic())
        pg.cancel() if how == "cancel" else os.kill(os.getpid(), signal.SIGINT)

    def at_work(done, total, label):
        if not stopped and total:
            stop()

    with pytest.raises(errors.Cancelled):
        pg.dcr(rows, rows, metric="manhattan", progress=at_work)
    assert time.monotonic() - stopped[0] < 1
    assert len(pg.scaling("shop.train")) == 5


# --- passwords


def test_a_password_is_never_shown(postgres_server, pg_url):
    password = postgres_server.password
    where = f"{postgres_server.host}:{postgres_server.port}/{postgres_server.database}"
    wrong = "s3cr:t/?#@%"
    messages = []
    for bad in (
        f"postgresql://{postgres_server.user}:wrong-{wrong}@{where}",
        f"postgresql://{postgres_server.user}:wrong-{quote(wrong, safe='')}@{where}",
        f"postgresql://{postgres_server.user}:s3cr%2@{where}",
        f"postgresql://{postgres_server.user}@{where}?password=wrong-s3cr",
        f"postgresql://{postgres_server.user}@{where}x?password={password}",
    ):
        with pytest.raises(errors.SynthprivError) as refused:
            synthpriv_sql.connect(bad)
        messages += ["".join(traceback.format_exception(refused.value))]
        messages += [*cli("scaling", "--train", "shop.train", "--database", bad)[1:]]
    with synthpriv_sql.connect(pg_url) as session:
        result = session.dcr("shop.synthetic", "shop.train", **PEOPLE)
        messages += [repr(session), repr(session.engine), str(vars(session.engine)), repr(result), result._repr_html_()]
        messages += [result.sql, session.sql("dcr", synthetic="shop.synthetic", train="shop.train"), str(result.moved)]
        messages += [postgres_server.log]
    for words in (password, "s3cr"):
        assert [message for message in messages if words in message.replace("?password=***", "")] == []
    assert "password authentication failed" in messages[3]


def test_passwords_from_the_environment_and_from_a_file(postgres_server, pg_url, tmp_path, monkeypatch):
    bare = pg_url.replace(f":{postgres_server.password}@", "@")
    with pytest.raises(errors.EngineError, match="no password supplied"):
        synthpriv_sql.connect(bare)
    file = tmp_path / "passwords"
    file.write_text(f"*:*:*:{postgres_server.user}:{postgres_server.password}\n")
    file.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(file))
    with synthpriv_sql.connect(bare) as session:
        assert len(session.scaling("shop.train")) == 5
    monkeypatch.delenv("PGPASSFILE")
    monkeypatch.setenv("PGPASSWORD", postgres_server.password)
    code, out, err = cli("scaling", "--train", "shop.train", "--database", bare, "--format", "csv")
    assert (code, err, out.splitlines()[0][:17]) == (0, "", "column_name,role,")
    for name in ("host", "port", "user", "database"):
        monkeypatch.setenv(f"PG{name.upper()}", str(getattr(postgres_server, name)))
    assert cli("scaling", "--train", "shop.train", "--engine", "postgres", "--format", "csv") == (0, out, "")


def test_numbers_too_small_for_a_double_are_zero(pg, pg_url):
    """PostgreSQL's exp fails where DuckDB's is 0, as for columns of which the two tables share no value."""
    run(pg_url, "CREATE TABLE apart_train AS SELECT i AS n, i % 3 AS g FROM generate_series(1, 300) AS t(i)")
    run(pg_url, "CREATE TABLE apart_holdout AS SELECT i + 1000 AS n, i % 3 AS g FROM generate_series(1, 300) AS t(i)")
    found = pg.split_check("apart_train", "apart_holdout")
    assert dict(zip(found["column_name"], found["p_value"], strict=True))["n"] == pytest.approx(0, abs=1e-100)
    run(pg_url, "DROP TABLE apart_train, apart_holdout")
