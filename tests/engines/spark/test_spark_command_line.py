"""`--engine spark`, the command line on whatever session Spark's own settings make; and the example."""

import csv
import importlib.util
import os
import runpy
import shutil
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from calls import ROOT, cli, rows_of

import synthpriv_sql
from synthpriv_sql import demo

TRAIN = pa.table({"Id": [1, 2, 3, 4], "a b": [1.0, 2.5, 3.0, 9.0], "c": ["x", "y", None, "x"]})
SYNTHETIC = pa.table({"Id": [1, 2, 3], "a b": [1.0, 2.0, float("nan")], "c": ["x", "y", None]})


@pytest.mark.parametrize("option", ["--database", "--init"])
def test_options_of_other_engines_are_refused(option, tmp_path):
    code, _, said = cli("dcr", "--engine", "spark", option, str(tmp_path / "x"), "--synthetic", "s", "--train", "t")
    assert code == 2
    assert "do not apply to --engine spark" in said


def test_without_pyspark_there_is_a_word_of_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    code, _, said = cli("dcr", "--engine", "spark", "--synthetic", "s", "--train", "t")
    assert code == 2
    assert 'pip install "synthpriv-sql[spark]"' in said


def test_tables_are_paths_and_queries_of_spark(tmp_path):
    if importlib.util.find_spec("pyspark") is None or shutil.which("java") is None:
        pytest.skip("Spark needs the extra `spark` and Java")
    for name, table in (("s", SYNTHETIC), ("t", TRAIN)):
        pq.write_table(table, tmp_path / f"{name}.parquet")
    tables = ["--synthetic", f"{tmp_path}/s.parquet", "--train", f"(SELECT * FROM parquet.`{tmp_path}/t.parquet`)"]
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "synthpriv_sql",
            "copies",
            "--engine",
            "spark",
            *tables,
            "--key",
            "Id",
            "--format",
            "csv",
        ],
        env={**os.environ, "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": str(ROOT), "SPARK_LOCAL_IP": "127.0.0.1"},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    with synthpriv_sql.connect() as session:
        expected = rows_of(session.copies(SYNTHETIC, TRAIN, key="Id"))
    assert list(csv.DictReader(done.stdout.splitlines())) == [{n: str(v) for n, v in row.items()} for row in expected]


@pytest.mark.nightly
def test_the_example(spark_cluster, tmp_path, monkeypatch, capsys):
    from synthpriv_sql.engines.spark.engine import Spark

    with synthpriv_sql.connect() as session:
        demo.create(session.connection)
        for table in ("customers_train", "customers_holdout", "synthetic_careful", "synthetic_leaky"):
            pq.write_table(session.connection.table(table).to_arrow_table(), tmp_path / f"{table}.parquet")
    # Other tests go on with the cluster.
    monkeypatch.setattr(Spark, "close", lambda self: None)
    monkeypatch.setattr(sys, "argv", ["spark.py", str(tmp_path)])
    runpy.run_path(str(ROOT / "examples" / "spark.py"), run_name="__main__")
    assert capsys.readouterr().out.splitlines() == [
        "synthetic_careful: 49% closer to train than to the holdout",
        "synthetic_leaky: 69% closer to train than to the holdout",
        "1524 of 5000 records to remove",
        "3476 may be released",
    ]
    assert pq.read_table(tmp_path / "customers_to_share").num_rows == 3476
