"""Spark over Connect, which pyspark decides for a whole process: all of it in one of its own, with one server."""

import gc
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.conformance import checking
from synthpriv_sql.conformance.cases import LEAN

TESTS = Path(__file__).parents[1]
CASES = (
    "neighbors(synthetic,Train Rows;k=3)",
    "baseline(synthetic;p=0.5,seed=3,trees=5)",
    "baseline(empty)",
    "dcr(synthetic,Train Rows;columns=['unknown'])",
)
OTHERS = (
    "spark/test_spark.py::test_files_are_written_by_their_path",
    "spark/test_spark_failures.py::test_a_call_that_is_stopped",
    "spark/test_spark_connect.py",
)
TABLE, NONE = "(SELECT id AS x FROM range(20))", "(SELECT id AS x FROM range(0))"

if "OVER_CONNECT" not in os.environ:

    @pytest.mark.nightly
    def test_what_holds_without_connect_holds_with_it(tmp_path):
        chosen = [f"{TESTS}/test_conformance.py::test_every_engine_gives_the_same[spark-{case}]" for case in CASES]
        chosen += [f"{TESTS}/{test}" for test in OTHERS]
        environment = {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable, "OVER_CONNECT": "1"}
        command = [sys.executable, "-W", "ignore", "-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen]
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env=os.environ | environment,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        # Three calls are stopped, and three of the tests are below.
        assert f"{len(CASES) + 1 + 3 + 3} passed" in done.stdout
        assert "skipped" not in done.stdout

else:

    def test_views_stay_as_long_as_results(spark_cluster):
        def views():
            return len(user.sql("SHOW VIEWS").collect())

        user = spark_cluster.newSession()  # without the views of other tests
        session = synthpriv_sql.spark(user)
        # More than the server remembers of what it has read.
        kept = [session.dcr(TABLE, TABLE) for _ in range(4)]
        handed = session.dcr(TABLE, TABLE).to_spark()
        each = views() // 5
        assert {len(result.fetchall()) for result in kept} == {20}
        with pytest.raises(errors.EmptyTable, match="has no rows; without a record there is no closest one"):
            session.holdout_share(TABLE, TABLE, NONE)
        kept = kept[:1]
        gc.collect()
        end = time.monotonic() + 60
        while views() > 2 * each and time.monotonic() < end:
            time.sleep(0.1)
        assert (views(), handed.count()) == (2 * each, 20)
        assert len(kept[0]) == 20

    def test_databricks_is_a_server_of_spark_connect(spark_cluster, monkeypatch):
        """No cluster of Databricks: Spark's own server, which has a token as well, by the URL that is made of it."""
        url = spark_cluster.client._builder.url
        token = spark_cluster.client.token
        address = f"databricks://localhost:{url.port or 15002}?cluster_id=0123-456789-abc"
        monkeypatch.setenv("DATABRICKS_TOKEN", "wrong")
        with pytest.raises(errors.EngineError, match="cannot be reached") as refused:
            synthpriv_sql.connect(address)
        assert token not in str(refused.value)
        monkeypatch.setenv("DATABRICKS_TOKEN", token)
        session = synthpriv_sql.connect(address, read_only=True)
        assert (session.engine.name, session.engine.version()) == ("Databricks", spark_cluster.version)
        found = session.dcr(TABLE, "(SELECT id + 0.25 AS x FROM range(20))")
        assert len(found.fetchall()) == 20
        with pytest.raises(errors.WriteError, match="read-only"):
            found.to_table("kept")
        # The check that `synthpriv conformance` makes: in tables of a catalog, which are files.
        cases = [case for case in LEAN if case.function in ("scaling", "dcr")]
        report = checking.check(synthpriv_sql.connect(address), cases)
        assert (report.values, report.left) == ("same", [])
        assert [case for case in report.cases if case.result != "same"] == []
        with monkeypatch.context() as patch:
            patch.delenv("SPARK_LOCAL_REMOTE")  # else the server ends with the session
            session.close()

    def test_sessions_that_are_gone(spark_cluster, monkeypatch):
        from pyspark.sql.connect.client.retries import DefaultPolicy

        def gone(call):
            with pytest.raises(errors.SynthprivError, match="the Spark session is gone") as raised:
                call()
            return type(raised.value)

        spark_cluster.client.set_retry_policies([DefaultPolicy(max_retries=2)])
        other = spark_cluster.newSession()
        other.client.set_retry_policies([DefaultPolicy(max_retries=2)])
        session = synthpriv_sql.spark(other)
        kept = session.dcr(TABLE, TABLE)
        with monkeypatch.context() as patch:
            patch.delenv("SPARK_LOCAL_REMOTE")  # else the server ends with the session
            other.stop()
        assert gone(lambda: session.dcr(TABLE, TABLE)) is errors.ConnectionLost
        with pytest.raises(errors.WriteError, match=r'the result of dcr was not written to "a".* session is gone'):
            kept.to_table("a")
        session = synthpriv_sql.spark(spark_cluster)
        assert len(session.equivalence_classes(TABLE, ["x"])) == 20
        (server,) = [int(file.parent.name) for file in Path("/proc").glob("[0-9]*/stat") if _began_it(file)]
        os.kill(server, signal.SIGKILL)
        assert gone(lambda: session.dcr(TABLE, TABLE)) is errors.ConnectionLost

    def _began_it(stat):
        try:
            return stat.read_text().rpartition(")")[2].split()[1] == str(os.getpid())
        except OSError:  # it has ended
            return False
