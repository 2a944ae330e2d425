"""Real servers for the tests, each of its own, on this machine alone, and gone at the end."""

import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

START_SECONDS = 120  # of a machine that is busy with other tests
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",  # loopback and password, as from another machine
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "32MB",
    "max_connections": "40",
}


@dataclass(frozen=True)
class PostgresServer:
    """A running PostgreSQL: how to reach its test database, as a role that owns it and is no superuser."""

    host: str
    port: int
    user: str
    password: str
    database: str
    folder: Path

    @property
    def url(self):
        return f"postgresql://{self.user}:{self.password}@{self.host}:{self.port}/{self.database}"

    @property
    def dsn(self):
        """The same in libpq's words, as DuckDB's ATTACH takes it."""
        words = {"host": self.host, "port": self.port, "user": self.user, "password": self.password}
        return " ".join(f"{name}={value}" for name, value in {**words, "dbname": self.database}.items())

    @property
    def log(self):
        """What the server has logged until now: every statement of the test role among it."""
        return (self.folder / "log").read_text()


@dataclass(frozen=True)
class MariaDBServer:
    """A running MariaDB: how to reach its test database, as a user that owns it and nothing else."""

    port: int
    user: str
    password: str
    database: str
    folder: Path

    @property
    def url(self):
        return f"mariadb://{self.user}:{self.password}@127.0.0.1:{self.port}/{self.database}"


def mariadb_programs():
    """The programs of a MariaDB server: the one that makes its folder, and the server; None without them."""
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
    found = [shutil.which(name, path=path) for name in ("mariadb-install-db", "mariadbd")]
    return found if all(found) else None


@contextlib.contextmanager
def mariadb(programs):
    """Start a MariaDB server in a temporary folder, and take both away at the end."""
    install, server = programs
    folder = Path(tempfile.mkdtemp(prefix="mariadb-"))
    user = ["--user=root"] if os.geteuid() == 0 else []
    try:
        data = f"--datadir={folder / 'data'}"
        quick = ["--innodb-flush-log-at-trx-commit=0", "--innodb-doublewrite=0", "--innodb-buffer-pool-size=64M"]
        _run([install, "--no-defaults", data, "--auth-root-authentication-method=normal", "--skip-test-db", *user])
        password, port, socket_ = secrets.token_hex(8), _free_port(), folder / "socket"
        statements = [
            *("CREATE DATABASE tests", "CREATE DATABASE conformance"),
            f"CREATE USER tester IDENTIFIED BY '{password}'",
            *("GRANT ALL ON tests.* TO tester", "GRANT ALL ON conformance.* TO tester"),
        ]
        (folder / "init.sql").write_text(";\n".join(statements) + ";\n")
        command = [server, "--no-defaults", data, f"--port={port}", f"--socket={socket_}", *quick, *user]
        command += ["--bind-address=127.0.0.1", "--skip-name-resolve", f"--init-file={folder / 'init.sql'}"]
        with (folder / "log").open("w") as log:
            process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, cwd=folder)
        try:
            end = time.monotonic() + START_SECONDS
            while "ready for connections" not in (folder / "log").read_text():
                if process.poll() is not None or time.monotonic() > end:
                    raise RuntimeError(f"MariaDB did not start:\n{(folder / 'log').read_text()}")
                time.sleep(0.05)
            yield MariaDBServer(port, "tester", password, "tests", folder)
        finally:
            process.kill()
            process.wait(timeout=START_SECONDS)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


SPARK_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.driver.maxResultSize": "1m",  # nothing but results comes to the driver
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.timeType.enabled": "true",
}
# Tests are over before code that is compiled, or a plan that is made anew, would pay.
SPARK_IN_A_HURRY = {
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.locality.wait": "0",
    # Nobody reads how each plan is described, and Spark's check of its own rules looks at it once more for each.
    "spark.sql.debug.maxToStringFields": "5",
    "spark.sql.lightweightPlanChangeValidation": "false",
    "spark.sql.maxPlanStringLength": "1000",
    "spark.sql.ui.explainMode": "simple",
}


def postgres_programs():
    """The folder with PostgreSQL's server programs, the newest of those that there are; None without any."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("initdb")
    if found:
        return found[-1].parent
    return Path(on_path).parent if on_path else None


@contextlib.contextmanager
def postgres(programs):
    """Start a PostgreSQL server on a cluster of its own in a temporary folder, and take both away at the end.

    The server's programs refuse to run as root, who runs them as `postgres`, the user that Debian's package makes.
    """
    as_owner = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
    folder = Path(tempfile.mkdtemp(prefix="postgres-"))
    try:
        if as_owner:
            shutil.chown(folder, as_owner["user"], as_owner["group"])
        admin, password = secrets.token_hex(8), secrets.token_hex(8)
        (folder / "admin").write_text(admin)
        initdb = [programs / "initdb", "--pgdata", folder / "data", "--username", "admin", "--pwfile", folder / "admin"]
        _run([*initdb, "--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C", "--no-sync"], **as_owner)
        with _started(programs, folder, as_owner) as (process, port):
            _wait(programs, process, port, folder)
            server = PostgresServer("127.0.0.1", port, "tester", password, "tests", folder)
            for statement in (
                f"CREATE ROLE {server.user} LOGIN PASSWORD '{password}'",
                f"ALTER ROLE {server.user} SET log_statement = 'all'",
                f"CREATE DATABASE {server.database} OWNER {server.user}",
            ):
                _psql(programs, server, admin, statement)
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _started(programs, folder, as_owner):
    port = _free_port()
    options = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [programs / "postgres", "-D", folder / "data", "-p", str(port), *options],
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=folder,
            **as_owner,
        )
    try:
        yield process, port
    finally:
        # SIGQUIT: at once, whoever is still connected; the cluster is thrown away anyway.
        process.send_signal(signal.SIGQUIT)
        process.wait(timeout=START_SECONDS)


def _wait(programs, process, port, folder):
    end = time.monotonic() + START_SECONDS
    ready = [programs / "pg_isready", "--quiet", "--host", "127.0.0.1", "--port", str(port)]
    while subprocess.run(ready, check=False).returncode != 0:
        if process.poll() is not None or time.monotonic() > end:
            raise RuntimeError(f"PostgreSQL did not start:\n{(folder / 'log').read_text()}")
        time.sleep(0.05)


def _psql(programs, server, password, statement):
    command = [programs / "psql", "--no-psqlrc", "--quiet", "--host", server.host, "--port", str(server.port)]
    _run(
        [*command, "--username", "admin", "--dbname", "postgres", "--command", statement],
        env=os.environ | {"PGPASSWORD": password},
    )


def _run(command, **options):
    done = subprocess.run(
        list(map(str, command)),
        cwd="/",
        capture_output=True,
        text=True,
        timeout=START_SECONDS * 2,
        check=False,
        **options,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def spark(folder, master="local-cluster[2,1,2048]", settings=None):
    """Start a Spark cluster of this machine: a driver, and two executors with a core each, set as tests want it.

    Spark's own files are linked into the folder, because a cluster writes beside them. With OVER_CONNECT, which pyspark
    decides for a whole process, it is a server of Spark Connect with two threads.
    """
    import pyspark
    from pyspark.sql import SparkSession

    home = folder / "home"
    home.mkdir()
    for part in Path(pyspark.__file__).parent.iterdir():
        if part.name != "work":
            (home / part.name).symlink_to(part)
    environment = {"SPARK_HOME": str(home), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    over_connect = "OVER_CONNECT" in os.environ
    builder = SparkSession.builder.remote("local[2]") if over_connect else SparkSession.builder.master(master)
    if settings is None:
        settings = SPARK_SETTINGS if os.environ.get("EVERY_CASE") else SPARK_SETTINGS | SPARK_IN_A_HURRY
    for name, value in settings.items():
        builder = builder.config(name, value)
    for name in ("spark.sql.warehouse.dir", "spark.local.dir"):
        builder = builder.config(name, str(folder / name))
    with mock.patch.dict(os.environ, environment):
        with (folder / "log").open("w") as log, _stderr_to(log):
            session = builder.getOrCreate()
        if not over_connect:
            session.sparkContext.setLogLevel("OFF")
        try:
            yield session
        finally:
            session.stop()


@contextlib.contextmanager
def _stderr_to(file):
    """What programs that are started meanwhile write on standard error, until their end."""
    kept = os.dup(2)
    try:
        os.dup2(file.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def executors(session):
    """The process ids of a cluster's executors."""
    application = session.sparkContext.applicationId
    found = []
    for process in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            words = (process / "cmdline").read_bytes().split(b"\0") if process.name.isdigit() else []
            if b"--app-id" in words and application.encode() in words:
                found.append(int(process.name))
    return found
