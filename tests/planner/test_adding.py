"""Adding a function is adding a file: done in a copy of the project, and found on every surface there."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from calls import ROOT
from suites import only_where_tested

only_where_tested("long")

FUNCTION = """/*
summary = "How many rows each table has, times a number."
source = "Counting."
options = ["seed", "distance.metric"]
defaults = { metric = "hamming" }

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
times = { type = "integer", default = 1, minimum = 1, doc = "what rows are multiplied by" }

[columns]
synthetic_rows = "BIGINT, rows of synthetic"
train_rows = "BIGINT, rows of train"
seed = "BIGINT, the seed"
metric = "VARCHAR, the metric"
*/
SELECT
  $times * (SELECT count(*) FROM synthetic) AS synthetic_rows,
  $times * (SELECT count(*) FROM train) AS train_rows,
  $seed AS seed,
  $metric AS metric
"""
SCRIPT = """
import inspect, json, pathlib, runpy, synthpriv_sql
assert pathlib.Path(synthpriv_sql.__file__).is_relative_to(pathlib.Path.cwd()), synthpriv_sql.__file__
session = synthpriv_sql.connect()
session.connection.execute("CREATE TABLE s AS FROM range(3)")
session.connection.execute("CREATE TABLE t AS FROM range(5)")
print(json.dumps({
    "python": session.row_counts("s", "t", 2, seed=4).fetchall(),
    "sql": session.connection.execute("FROM synthpriv.row_counts('s', 't', seed := 4)").fetchall(),
    "help": inspect.getdoc(session.row_counts),
    "page": runpy.run_path("docs/functions.py")["pages"]()["row_counts"],
}))
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with one file more, in a family of its own; the methods are written anew."""
    folder = tmp_path_factory.mktemp("project")
    for name in ("synthpriv_sql", "sql", "tools", "docs"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "sql" / "row_counting").mkdir()
    (folder / "sql" / "row_counting" / "row_counts.sql").write_text(FUNCTION, encoding="utf-8")
    # What a merge has torn is no obstacle.
    (folder / "synthpriv_sql" / "api" / "methods.pyi").write_text("<<<<<<< HEAD\n", encoding="utf-8")
    run(folder, "tools/methods.py")
    return folder


def run(folder, *arguments):
    here = {**os.environ, "PYTHONPATH": str(folder)}
    ran = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=here, capture_output=True, text=True, timeout=120, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def test_sql_and_python_have_it(project):
    found = json.loads(run(project, "-c", SCRIPT))
    assert found["python"] == [[6, 10, 4, "hamming"]]
    assert found["sql"] == [[3, 5, 4, "hamming"]]
    assert "times : int, default 1" in found["help"]
    assert "'manhattan', 'hamming'}, default 'hamming'" in found["help"]
    assert "- train_rows: BIGINT, rows of train" in found["help"]
    assert "- [distance](options.md#distance): `metric` (here `hamming`)" in found["page"]


def test_the_command_line_has_it(project):
    (project / "s.csv").write_text("x\n1\n2\n")
    given = ("--synthetic", "s.csv", "--train", "s.csv")
    printed = run(project, "-m", "synthpriv_sql", "row-counts", *given, "--times", "2", "--format", "csv")
    assert printed.split() == ["synthetic_rows,train_rows,seed,metric", "4,4,0,hamming"]
    assert "Row counting:\n  row_counts" in run(project, "-m", "synthpriv_sql", "--help")
