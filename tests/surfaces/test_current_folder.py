"""The current folder may be somebody else's: no process that is started imports from it."""

import os
import subprocess
import sys
from concurrent.futures import Future

import pyarrow as pa
import pytest

from synthpriv_sql.kernels.knn import dispatch
from synthpriv_sql.repeating import running
from synthpriv_sql.repeating.kept import Kept


@pytest.fixture
def hostile(tmp_path, monkeypatch):
    """A current folder whose packages write a file when they are imported; gives that file."""
    written = tmp_path / "written"
    for name in ("synthpriv_sql", "multiprocessing", "numba", "pyarrow"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"open({str(written)!r}, 'a').write({name!r})")
    monkeypatch.chdir(tmp_path)
    return written


class Pool:
    """Starts a process as multiprocessing does, when it is made and for each run, and runs nothing."""

    def __init__(self, *given):
        self.submit(None, None)

    def submit(self, run, seed):
        subprocess.run([sys.executable, "-c", "import multiprocessing.spawn"], check=True)
        done = Future()
        done.set_result(pa.table({"seed": [seed]}))
        return done

    def shutdown(self, **how):
        pass


def work(session, seed):
    return pa.table({"seed": [seed]})


def test_the_helper_that_compiles_imports_the_package(hostile):
    helper = dispatch.start("import synthpriv_sql; from synthpriv_sql.kernels.knn import compiling")
    assert helper.wait(60) == 0
    assert not hostile.exists()


def test_runs_in_other_processes_import_the_package(hostile, monkeypatch):
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    monkeypatch.setattr(running, "ProcessPoolExecutor", Pool)
    runs = running.Runs(work, Kept(None, "runs", "", 0), workers=2, threads=1)
    assert runs.rows([1, 2])[2].to_pylist() == [{"seed": 2}]
    assert not hostile.exists()
    assert "PYTHONSAFEPATH" not in os.environ
