"""Adding a function as CONTRIBUTING.md says: its steps in a copy of the project, and its calls on every surface."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from calls import ROOT

pytestmark = pytest.mark.slow

STEPS = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Add a function")[2].partition("\n## ")[0]
PATH, FUNCTION = re.search(r"<!-- (sql/\S+\.sql) -->\n```sql\n(.+?)```", STEPS, re.DOTALL).groups()
IN_SQL, IN_PYTHON, IN_A_SHELL = (
    re.search(rf"```{language}\n({start}.+)\n```", STEPS)[1]
    for language, start in (("sql", "FROM "), ("python", "session"), ("sh", "synthpriv "))
)
SCRIPT = """
import inspect, json, pathlib, runpy, sys
import synthpriv_sql, surfaces
from synthpriv_sql.conformance import cases as conformance
from synthpriv_sql.planner.headers import catalog
assert pathlib.Path(synthpriv_sql.__file__).is_relative_to(pathlib.Path.cwd()), synthpriv_sql.__file__
session = synthpriv_sql.connect()
for name, table in surfaces.TABLES.items():
    session.connection.register("incoming", table)
    session.connection.execute(f"CREATE TABLE {name} AS FROM incoming")
site = runpy.run_path("docs/functions.py")
nav = site["on_config"]({"nav": [{"Numbers": "metrics.md"}, {"How it is built": [None]}], "docs_dir": "docs"})["nav"]
print(json.dumps({
    "sql": session.connection.execute(sys.argv[1]).fetchall(),
    "python": eval(sys.argv[2]).fetchall(),
    "example": surfaces.ask(session, "row_counts").fetchall(),
    "on engines": [[case.tables, case.options] for case in conformance.LEAN if case.function == "row_counts"],
    "there": sorted(conformance.ALL.keys() & {table for case in conformance.LEAN for table in case.tables}),
    "help": inspect.getdoc(session.row_counts),
    "page": site["page"](catalog.function("row_counts")),
    "listed": "functions/row_counts.md" in json.dumps(nav),
}))
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with the file of CONTRIBUTING.md, and what `make methods` runs."""
    folder = tmp_path_factory.mktemp("project")
    for name in ("synthpriv_sql", "sql", "tools", "docs", "tests/helpers"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / PATH).write_text(FUNCTION, encoding="utf-8")
    assert "`make methods`" in STEPS
    assert "\nmethods:" in (makefile := (ROOT / "Makefile").read_text(encoding="utf-8"))
    assert "tools/methods.py" in makefile.partition("\nmethods:")[2].partition("\n\n")[0]
    # What a merge has torn is no obstacle.
    (folder / "synthpriv_sql" / "api" / "methods.pyi").write_text("<<<<<<< HEAD\n", encoding="utf-8")
    run(folder, "tools/methods.py")
    return folder


def run(folder, *arguments):
    here = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(folder / "tests" / "helpers")])}
    ran = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=here, capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.stderr == ""
    assert ran.returncode == 0
    return ran.stdout


@pytest.fixture(scope="module")
def found(project):
    """What the copy of the project gives for the calls of CONTRIBUTING.md."""
    return json.loads(run(project, "-c", SCRIPT, IN_SQL, IN_PYTHON))


def test_sql_and_python_have_it(found):
    assert found["sql"] == found["python"] == found["example"] == [[18, 20, 0, "hamming"]]
    assert "times : int, default 1" in found["help"]
    assert "'manhattan', 'hamming'}, default 'hamming'" in found["help"]
    assert "- train_rows: BIGINT, rows of train" in found["help"]
    assert "holdout : table, optional\n    Real rows that it never saw." in found["help"]


def test_the_documentation_and_the_engines_have_it(project, found):
    assert "- [distance](options.md#distance): `metric` (here `hamming`)" in found["page"]
    assert found["listed"]
    assert found["on engines"] == [[["example synthetic", "example train"], {"times": 2}]]
    assert {"example synthetic", "example train"} <= {*found["there"]}
    methods = (project / "synthpriv_sql" / "api" / "methods.pyi").read_text(encoding="utf-8")
    assert "    def row_counts(\n        self,\n        synthetic: Table,\n        train: Table,\n" in methods
    readme = (project / PATH).parent / "README.md"
    assert "- `row_counts`: How many rows each table has, times a number.\n" in readme.read_text(encoding="utf-8")


def test_the_command_line_has_it(project):
    for name, rows in (("synthetic", 3), ("train", 2)):
        (project / f"{name}.csv").write_text("x\n" + "1\n" * rows)
    printed = run(project, "-m", *IN_A_SHELL.replace("synthpriv", "synthpriv_sql", 1).split(), "--format", "csv")
    assert printed.split() == ["synthetic_rows,train_rows,seed,metric", "6,4,0,hamming"]
    assert "  row_counts" in run(project, "-m", "synthpriv_sql", "--help")
