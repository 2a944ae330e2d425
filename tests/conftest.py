"""What the tests share that has to be opened and closed: sessions, and the servers of other engines."""

import gc
import os
import shutil
import signal
from importlib.util import find_spec

import pytest
import servers
import shop
from kept import Kept
from repetitions import leave_repetitions

import examples
import synthpriv_sql

examples.load_profile()

# The kernel answers, however small the tables of a test: tests/kernels/test_dispatch.py has what comes before it.
os.environ.setdefault("SYNTHPRIV_SEARCH", "kernel")

# A shell that starts a suite beside another one has Ctrl-C ignored, by all that the tests start as well.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# Statements are many small objects: collecting garbage as often as Python does by default takes a tenth of a suite.
gc.set_threshold(20_000, 10, 10)


def pytest_collection_finish(session):
    """What is loaded by now stays: it need not be searched for garbage again and again."""
    if session.config.getoption("loadgroup", default=False) and not all("@" in item.nodeid for item in session.items):
        raise pytest.UsageError("pytest-xdist cannot group tests with this pytest; pyproject.toml says why")
    gc.collect()
    gc.freeze()


# Test modules by what they import beside what `make test` needs; dbt has an environment of its own.
NEEDED = {
    "engines/files/test_releases_in_a_lake.py": "duckdb_extension_ducklake",  # for DuckDB 1 only, as the next
    "engines/postgres/test_attached_postgres.py": "duckdb_extension_postgres_scanner",
    "engines/remote/test_attached_mysql.py": "duckdb_extension_mysql_scanner",
    "engines/remote/test_quack.py": "duckdb_extension_quack",
    "engines/spark/test_spark_connect.py": "grpc",
    "surfaces/python/test_notebook.py": "nbclient",
    "surfaces/report/test_report_browser.py": "playwright",
    "surfaces/test_dbt.py": "dbt",
    "surfaces/test_sqlmesh.py": "sqlmesh",
}
collect_ignore = [module for module, package in NEEDED.items() if find_spec(package) is None]
# What is large to install, by the fixtures and the parameters `engine` and `place` that need it.
LARGE = {"spark_cluster": "spark", "spark": "spark", "clickhouse": "clickhouse"}
# What starts a server, which one process is to have (`pytest --numprocesses=2 --dist=loadgroup`).
SERVERS = LARGE | {
    "postgres_server": "postgres",
    "postgres": "postgres",
    "mariadb_server": "mariadb",
    "mariadb": "mariadb",
}


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the marks
def pytest_collection_modifyitems(items):
    """Mark what needs Spark or ClickHouse, and say what shares a process: tests of a server, otherwise of a file."""
    for item in items:
        params = item.callspec.params if hasattr(item, "callspec") else {}
        needs = {params.get("engine"), params.get("place"), *item.fixturenames}
        if item.path.name.startswith("test_spark"):
            needs.add("spark")
        for name in needs & LARGE.keys():
            item.add_marker("slow")
            item.add_marker(LARGE[name])
        group = next((SERVERS[name] for name in SERVERS if name in needs), item.path.stem)
        item.add_marker(pytest.mark.xdist_group(group))
    leave_repetitions(items)
    # Spark takes longest, so that one process begins with it.
    items.sort(key=lambda item: item.get_closest_marker("spark") is None)


@pytest.fixture(scope="session")
def kept():
    lender = Kept()
    yield lender
    lender.close()


@pytest.fixture
def session(kept):
    """A session on a database without tables."""
    with kept.lend() as lent:
        yield lent


@pytest.fixture(scope="session")
def shared():
    """One session for hypothesis, which calls a test many times; tables are replaced at each call."""
    with synthpriv_sql.connect() as opened:
        yield opened


@pytest.fixture
def set_threads(shared):
    """Set the shared session's number of threads until the end of the test."""
    yield lambda threads: shared.connection.execute(f"SET threads = {threads}")
    shared.connection.execute("RESET threads")


# Servers of other engines


@pytest.fixture(scope="session")
def postgres_server():
    """A real PostgreSQL server for all tests; tables in it are the tests' own to name apart."""
    programs = servers.postgres_programs()
    if programs is None:
        pytest.skip("no PostgreSQL server programs on this machine")
    with servers.postgres(programs) as server:
        yield server


@pytest.fixture(scope="session")
def pg_url(postgres_server):
    """Where the tables of `shop` are."""
    pytest.importorskip("adbc_driver_postgresql.dbapi", reason="the extra `postgres` is not installed")
    shop.build(postgres_server.url)
    return postgres_server.url


@pytest.fixture(scope="session")
def pg(pg_url):
    """A session on PostgreSQL."""
    with synthpriv_sql.connect(pg_url, threads=2) as opened:
        yield opened


@pytest.fixture
def pg_client(pg_url):
    """A second connection, to do things behind the session's back."""
    from adbc_driver_postgresql import dbapi

    with dbapi.connect(pg_url, autocommit=True) as connection, connection.cursor() as cursor:
        yield cursor


@pytest.fixture(scope="session")
def mariadb_server():
    """A real MariaDB server for all tests; tables in it are the tests' own to name apart."""
    pytest.importorskip("pymysql", reason="the extra `mysql` is not installed")
    programs = servers.mariadb_programs()
    if programs is None:
        pytest.skip("no MariaDB server programs (mariadb-install-db, mariadbd) on this machine")
    with servers.mariadb(programs) as server:
        yield server


@pytest.fixture(scope="session")
def spark_cluster(tmp_path_factory):
    """A Spark cluster of two executors, processes of their own with a core each; it takes long to start."""
    pytest.importorskip("pyspark", reason="the extra `spark` is not installed")
    if shutil.which("java") is None:
        pytest.skip("no Java on this machine, which Spark needs")
    with servers.spark(tmp_path_factory.mktemp("spark")) as session:
        yield session


@pytest.fixture(scope="session")
def iceberg_catalog(tmp_path_factory):
    """An Iceberg catalog, known to pyiceberg as `lake`."""
    pytest.importorskip("pyiceberg", reason="the extra `iceberg` is not installed")
    import lakes
    from pyiceberg import catalog
    from pyiceberg.utils.config import Config

    opened = lakes.catalog(tmp_path_factory.mktemp("iceberg"))
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"TYPE": "sql", "URI": opened.properties["uri"]}.items():
            patch.setenv(f"PYICEBERG_CATALOG__LAKE__{name}", value)
        patch.setattr(catalog, "_ENV_CONFIG", Config())
        yield opened
