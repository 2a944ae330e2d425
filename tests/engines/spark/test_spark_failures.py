"""Spark when something goes wrong: executors that die, calls that are stopped, sessions that are gone."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import servers
from calls import assert_same_rows, rows_of

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.engines.spark import search


@pytest.fixture(scope="module")
def slow(tmp_path_factory):
    """A file on which a search takes seconds: numbers that tell nothing apart."""
    file = tmp_path_factory.mktemp("slow") / "slow.parquet"
    draw = np.random.default_rng(4)
    pq.write_table(pa.table({f"c{i}": draw.random(16_000) for i in range(20)}), file)
    return str(file)


@pytest.fixture
def during_the_search(monkeypatch):
    """Do something a while after the executors have begun to search."""

    def arrange(what, after):
        def count(frames):
            thread = threading.Thread(target=lambda: (time.sleep(after), what()))
            thread.start()
            try:
                return counted(frames)
            finally:
                finished.append(time.monotonic())
                thread.join()

        monkeypatch.setattr(search, "count", count)
        return finished

    counted, finished = search.count, []
    return arrange


def test_an_executor_that_dies_in_a_search_changes_nothing(spark_cluster, slow, during_the_search):
    def kill():
        killed.append((time.monotonic(), set(servers.executors(spark_cluster))))
        os.kill(min(killed[0][1]), signal.SIGKILL)

    killed = []
    finished = during_the_search(kill, after=0.8)
    session = synthpriv_sql.spark(spark_cluster, tasks=4, shard_rows=5_000)
    found = rows_of(session.dcr_summary(slow, slow))
    ((when, before),) = killed
    assert when < finished[0], "the search was over before the executor died"
    assert set(servers.executors(spark_cluster)) != before
    with synthpriv_sql.connect() as duck:
        assert_same_rows(found, rows_of(duck.dcr_summary(slow, slow)))


def pysparks(number, frame):
    """A handler like the one of pyspark, which talks to Spark while Spark is being talked to."""
    raise AssertionError


pysparks.__module__ = "pyspark.core.context"


@pytest.mark.parametrize("listening", [None, signal.default_int_handler, pysparks])
def test_a_call_that_is_stopped(spark_cluster, slow, during_the_search, listening, monkeypatch):
    session = synthpriv_sql.spark(spark_cluster)
    views = spark_cluster.sql("SHOW VIEWS").collect()
    before = signal.getsignal(signal.SIGINT)
    if listening is not None:
        signal.signal(signal.SIGINT, listening)
    during_the_search(session.cancel if listening is None else lambda: os.kill(os.getpid(), signal.SIGINT), after=0.5)
    try:
        with pytest.raises(errors.Cancelled):
            session.dcr(slow, slow)
        assert listening in {None, signal.getsignal(signal.SIGINT)}
    finally:
        signal.signal(signal.SIGINT, before)
    monkeypatch.undo()
    # Those of earlier results may go meanwhile.
    assert set(spark_cluster.sql("SHOW VIEWS").collect()) <= set(views)
    assert len(session.equivalence_classes(f"(SELECT c0 > 0.5 AS x FROM parquet.`{slow}`)", ["x"])) == 2


CHILD = """
import os, sys, tempfile
import synthpriv_sql
from synthpriv_sql.errors import SynthprivError
assert "pyspark" not in sys.modules
from pyspark.sql import SparkSession

def start():
    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    return builder.config("spark.sql.shuffle.partitions", "1").getOrCreate()

def said(call):
    try:
        print(call())
    except SynthprivError as error:
        print(type(error).__name__, error)

assert SparkSession.getActiveSession() is None
user = start()
user.sparkContext.setLogLevel("OFF")
session = synthpriv_sql.spark(user)
assert session.connection is user
table = "(SELECT id AS x FROM range(20))"
said(lambda: session.dcr(table, table))
kept = session.equivalence_classes(table, ["x"])
user.stop()
said(lambda: session.dcr(table, table))
said(lambda: session.scaling(table))
said(lambda: kept.to_table("kept"))
assert SparkSession.getActiveSession() is None
os.environ["PYSPARK_PYTHON"] = sys.executable
with synthpriv_sql.spark(start()) as session:
    said(lambda: len(session.dcr(table, table)))
assert SparkSession.getActiveSession() is None
"""


def test_sessions_that_are_gone_and_executors_without_the_package(spark_cluster, tmp_path):
    # A Python like this one, but for what it lacks.
    (tmp_path / "sitecustomize.py").write_text('import sys\nsys.modules["synthpriv_sql"] = None\n')
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH={tmp_path}:$PYTHONPATH exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    environment = {**os.environ, "PYSPARK_PYTHON": str(python), "SPARK_LOCAL_DIRS": str(tmp_path)}
    command = [sys.executable, "-W", "ignore", "-c", CHILD]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=200, check=False
    )
    assert done.returncode == 0, done.stderr
    lacking, *gone, count = done.stdout.splitlines()
    assert lacking.startswith("EngineError the Python of Spark's executors lacks a package (")
    assert "install synthpriv-sql there" in lacking
    assert [line.split()[0] for line in gone] == ["ConnectionLost", "ConnectionLost", "WriteError"], done.stdout
    assert all("the Spark session is gone" in line for line in gone)
    assert count == "20"
