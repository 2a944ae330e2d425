"""Spark over Connect, which pyspark decides for a whole process: in processes of their own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from servers import SPARK_IN_A_HURRY, SPARK_SETTINGS
from suites import only_where_tested

only_where_tested("spark")
pytest.importorskip("pyspark", reason="the extra `spark` is not installed")
pytest.importorskip("grpc", reason="pyspark[connect] is not installed")

TESTS = Path(__file__).parent
CASES = (
    "neighbors(synthetic,Train Rows;k=3)",
    "neighbors(Train Rows,Train Rows;k=2,exclude_self=True,metric=euclidean)",
    "discernibility(Train Rows;quasi_identifiers=['select', 'a\"b', 'tiny', 'mood'],k=3,suppressed=2)",
    "baseline(synthetic;p=0.5,seed=3,trees=5)",
    "baseline(empty)",
    "dcr(synthetic,Train Rows;columns=['unknown'])",
)
OTHERS = (
    "test_spark.py::test_files_are_written_by_their_path",
    "test_spark_failures.py::test_a_call_that_is_stopped",
)
CHILD = (
    f"""
SETTINGS = {SPARK_SETTINGS | SPARK_IN_A_HURRY}
"""
    + """
import gc, os, signal, time
from pathlib import Path
from pyspark.sql import SparkSession
from pyspark.sql.connect.client.retries import DefaultPolicy
import synthpriv_sql
from synthpriv_sql.errors import SynthprivError

def start():
    builder = SparkSession.builder.remote("local[2]")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    user = builder.getOrCreate()
    user.client.set_retry_policies([DefaultPolicy(max_retries=2)])
    return user

def said(call):
    try:
        print(call())
    except SynthprivError as error:
        print(type(error).__name__, str(error).partition(":")[0])

def began_it(stat):
    try:
        return stat.read_text().rpartition(")")[2].split()[1] == str(os.getpid())
    except OSError:  # it has ended
        return False

def views():
    return len(user.sql("SHOW VIEWS").collect())

user = start()
session = synthpriv_sql.spark(user)
table, none = "(SELECT id AS x FROM range(20))", "(SELECT id AS x FROM range(0))"
# More than the server remembers of what it has read.
kept = [session.dcr(table, table) for _ in range(4)]
handed = session.dcr(table, table).to_spark()
said(lambda: {len(result.fetchall()) for result in kept})
said(lambda: session.holdout_share(table, table, none))
kept = kept[:1]
gc.collect()
end = time.monotonic() + 60
while views() > 12 and time.monotonic() < end:
    time.sleep(0.1)
said(lambda: (views(), handed.count()))
user.stop()
said(lambda: session.dcr(table, table))
said(lambda: kept[0].to_table("a"))
user = start()
session = synthpriv_sql.spark(user)
said(lambda: len(session.dcr(table, table)))
(server,) = [int(file.parent.name) for file in Path("/proc").glob("[0-9]*/stat") if began_it(file)]
os.kill(server, signal.SIGKILL)
said(lambda: session.dcr(table, table))
"""
)


def run(tmp_path, *command, **environment):
    environment = os.environ | {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable} | environment
    command = [sys.executable, "-W", "ignore", *command]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_what_holds_without_connect_holds_with_it(tmp_path):
    chosen = [f"{TESTS}/test_conformance.py::test_every_engine_gives_the_same[spark-{case}]" for case in CASES]
    chosen += [f"{TESTS}/{test}" for test in OTHERS]
    found = run(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen, OVER_CONNECT="1")
    assert f"{len(CASES) + len(OTHERS) + 2} passed" in found
    assert "skipped" not in found


def test_results_and_sessions_that_are_gone(tmp_path):
    assert run(tmp_path, "-c", CHILD).splitlines() == [
        "{20}",
        "EmptyTable the query (SELECT id AS x FROM range(0)) has no rows; without a record there is no closest one",
        "(12, 20)",
        "ConnectionLost the Spark session is gone",
        'WriteError the result of dcr was not written to "a"',
        "20",
        "ConnectionLost the Spark session is gone",
    ]
