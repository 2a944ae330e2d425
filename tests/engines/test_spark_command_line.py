"""`--engine spark`, the command line on whatever session Spark's own settings make; and the example."""

import csv
import runpy
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
    assert "do not go with --engine spark" in said


def test_without_pyspark_there_is_a_word_of_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    code, _, said = cli("dcr", "--engine", "spark", "--synthetic", "s", "--train", "t")
    assert code == 2
    assert 'pip install "synthpriv-sql[spark]"' in said


@pytest.fixture
def staying(spark_cluster, monkeypatch):
    """The cluster, which is not stopped at the end: other tests go on with it."""
    from synthpriv_sql.engines.spark.engine import Spark

    monkeypatch.setattr(Spark, "close", lambda self: None)
    return spark_cluster


def test_tables_are_paths_and_queries_of_spark(staying, tmp_path):
    for name, table in (("s", SYNTHETIC), ("t", TRAIN)):
        pq.write_table(table, tmp_path / f"{name}.parquet")
    tables = ["--synthetic", f"{tmp_path}/s.parquet", "--train", f"(SELECT * FROM parquet.`{tmp_path}/t.parquet`)"]
    code, written, said = cli("copies", "--engine", "spark", *tables, "--key", "Id", "--format", "csv")
    assert code == 0, said
    with synthpriv_sql.connect() as session:
        expected = rows_of(session.copies(SYNTHETIC, TRAIN, key="Id"))
    assert list(csv.DictReader(written.splitlines())) == [{n: str(v) for n, v in row.items()} for row in expected]


def test_the_example(staying, tmp_path, monkeypatch, capsys):
    with synthpriv_sql.connect() as session:
        demo.create(session.connection)
        for table in ("customers_train", "customers_holdout", "synthetic_careful", "synthetic_leaky"):
            pq.write_table(session.connection.table(table).to_arrow_table(), tmp_path / f"{table}.parquet")
    monkeypatch.setattr(sys, "argv", ["spark.py", str(tmp_path)])
    runpy.run_path(str(ROOT / "examples" / "spark.py"), run_name="__main__")
    assert capsys.readouterr().out.splitlines() == [
        "synthetic_careful: 49% closer to train than to the holdout",
        "synthetic_leaky: 69% closer to train than to the holdout",
        "1524 of 5000 records to remove",
        "3476 may be given away",
    ]
    assert pq.read_table(tmp_path / "customers_to_share").num_rows == 3476
