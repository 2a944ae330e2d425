"""What is installed: the wheel and the source distribution, and what an import costs."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
HEAVY = (
    "adbc_driver_manager",
    "deltalake",
    "numba",
    "pandas",
    "polars",
    "pyiceberg",
    "pyspark",
    "python_calamine",
    "scipy",
    "sklearn",
)


def run(*command, cwd):
    text = [str(part) for part in command]
    done = subprocess.run(text, cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(source, kind, folder):
    run(sys.executable, "-m", "hatchling", "build", "--target", kind, "--directory", folder, cwd=source)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


def carried(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if "/licenses/" in name or ".dist-info/" not in name}


def test_wheel_carries_all_that_is_read_at_run_time(wheel):
    files = carried(wheel)
    sql = {f"synthpriv_sql/{path.relative_to(ROOT).as_posix()}" for path in (ROOT / "sql").rglob("*") if path.is_file()}
    assert sql
    assert sql <= files
    macros = {f"synthpriv_sql/dbt/macros/{path.name}" for path in (ROOT / "synthpriv_sql/dbt/macros").glob("*.sql")}
    assert {"synthpriv_sql/dbt/dbt_project.yml", *macros} <= files
    assert {"synthpriv_sql/demo/population.sql", "synthpriv_sql/demo/tables.sql", "synthpriv_sql/py.typed"} <= files
    assert {"synthpriv_sql/api/methods.py", "synthpriv_sql/api/methods.pyi"} <= files
    assert any(name.endswith("/licenses/LICENSE") for name in files)
    assert all(name.startswith("synthpriv_sql") for name in files)


@pytest.mark.slow
def test_an_image_is_built_of_what_the_containerfile_copies(wheel, tmp_path):
    lines = (ROOT / "examples" / "Containerfile").read_text(encoding="utf-8").replace("\\\n", "").splitlines()
    for *sources, target in (line.split()[1:] for line in lines if line.startswith("COPY ")):
        for source in sources:
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, tmp_path / target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / source, tmp_path / target)
    pins = re.findall(r"-r (\S+)", " ".join(lines))
    assert len(pins) == 3
    assert [pin for pin in pins if not (tmp_path / pin).is_file()] == []
    assert carried(build(tmp_path, "wheel", tmp_path / "built")) == carried(wheel)
    assert "RUN /opt/synthpriv/bin/synthpriv warm" in lines
    assert lines.index("USER 65534:65534") > lines.index("RUN /opt/synthpriv/bin/synthpriv warm")


@pytest.mark.slow
def test_source_distribution_builds_the_same_wheel(wheel, tmp_path):
    with tarfile.open(build(ROOT, "sdist", tmp_path / "sdist")) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.glob("synthpriv_sql-*")
    assert carried(build(source, "wheel", tmp_path / "wheel")) == carried(wheel)
    for kept in (
        "tests/conftest.py",
        "docs/functions.py",
        "mkdocs.yml",
        "examples/dbt_project/dbt_project.yml",
    ):
        assert (source / kept).is_file()


@pytest.mark.slow
def test_wheel_runs_where_nothing_else_of_the_project_is(wheel, tmp_path):
    venv.create(tmp_path / "empty", with_pip=False)
    python = tmp_path / "empty" / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel, cwd=tmp_path)
    # The dependencies of this environment without installing them again; its editable project does not come along.
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=tmp_path).strip())
    (site / "dependencies.pth").write_text("\n".join(path for path in sys.path if Path(path).name == "site-packages"))

    where = run(python, "-c", "import synthpriv_sql; print(synthpriv_sql.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(site)
    # The whole demo compiles the search anew, which takes half a minute.
    create = "import duckdb; from synthpriv_sql import demo; demo.create(duckdb.connect('demo.duckdb'))"
    run(python, "-c", create, cwd=tmp_path)
    copies = ["copies", "--synthetic", "synthetic_leaky", "--train", "customers_train", "--exclude", "customer_id"]
    copies += ["--database", "demo.duckdb", "--format", "csv", "--limit", "5000"]
    found = run(tmp_path / "empty" / "bin" / "synthpriv", *copies, cwd=tmp_path)
    assert sum(line.endswith(",1") for line in found.splitlines()) == 804


def test_import_leaves_heavy_packages_alone():
    code = f"import sys; from synthpriv_sql import *; print([name for name in {HEAVY} if name in sys.modules])"
    assert run(sys.executable, "-c", code, cwd=ROOT).strip() == "[]"


def test_the_command_line_needs_no_extra():
    """Packages of extras are missing where only what every command needs is installed."""
    extras = ("jinja2", "markupsafe", "vl_convert", "docx", "openpyxl", "polars", "pyspark", "deltalake", "pyiceberg")
    program = (
        "import sys; sys.modules.update(dict.fromkeys(sys.argv[1:])); "
        "import synthpriv_sql.cli.actions, synthpriv_sql.cli.evaluating, synthpriv_sql.demo"
    )
    done = subprocess.run([sys.executable, "-c", program, *extras], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
