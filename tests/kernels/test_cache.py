"""Where the compiled kernel is kept: a folder that cannot be written or found is no error, one to read is used."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from calls import ROOT

MODULE = """
from synthpriv_sql.kernels.jit import kernel

@kernel
def doubled(x):
    return 2 * x
"""
SCRIPT = """
import os, sys
sys.path.insert(0, {folder!r})
from numba import njit
from numba.core import event
from synthpriv_sql.kernels import jit
from synthpriv_sql.kernels.private import folder_of
# Read while that is allowed: the package and Python may be in a folder that only root can enter.
jit._sources()
njit(lambda x: 2 * x)(21)  # numba reads more of itself when it compiles
if {alone} and os.geteuid() == 0:
    os.setgroups([]), os.setgid(65534), os.setuid(65534)
import module
with event.install_recorder("numba:compile") as compiled:
    print(module.doubled(21), folder_of(module.doubled), sum(e.is_start for _, e in compiled.buffer))
"""
WARM = """
import synthpriv_sql
from contextlib import suppress
from numba import njit
from numba.core import event
from synthpriv_sql.cli import actions, warming
from synthpriv_sql.errors import SynthprivError
from synthpriv_sql.kernels.knn import dispatch
from synthpriv_sql.metrics import METRICS
from synthpriv_sql.planner.headers import catalog

actions.warm()
print(dispatch.compiled())
recorder = event.RecordingListener()
event.register("numba:compile", recorder)
session = synthpriv_sql.connect()
session.connection.execute("CREATE TABLE t AS SELECT i % 7 AS a, i % 5 || 'x' AS b FROM range(100) AS r(i)")
session.dcr("(SELECT b, [a, 1.5] AS e FROM t)", "(SELECT b, [a, 2.5] AS e FROM t)")
print(session.evaluate("t", "t", holdout="t", quasi_identifiers=["b"])["metric"][0])
tables = {name: warming._table(seed) for seed, name in enumerate(("synthetic", "train", "holdout"))}
called = []
for function in catalog.functions().values():
    given = {p.name: tables.get(p.name, tables["train"]) for p in function.relations if p.required or p.name in tables}
    if all(p.required <= (p.name in given) for p in function.parameters.values()) and function.family != "baseline":
        with suppress(SynthprivError):  # functions that need another kind of table, such as a curve
            session.call(function, **given)
            called.append(function.name)
print(len(called))
one, other = tables["synthetic"], tables["train"]
for metric in METRICS:
    for columns in (None, ["number", "whole", "day"], ["whole", "day"], ["category", "word"]):
        session.call("neighbors", queries=one, reference=other, metric=metric, columns=columns)
def compiled():
    return sorted({e.data["dispatcher"].py_func.__name__ for _, e in recorder.buffer})

print(compiled())
def control(x):
    return x

njit(control)(1)
print(compiled()[-1])
"""


@pytest.fixture
def folder():
    """A folder that others can read, with a module of a compiled function; for its owner alone to write."""
    path = Path(tempfile.mkdtemp(dir="/tmp"))
    (path / "module.py").write_text(MODULE)
    path.chmod(0o755)
    yield path
    path.chmod(0o755)
    shutil.rmtree(path)


def run(code, *arguments, **environment):
    """Run Python with no home that can be written."""
    here = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "PYTHONPATH": str(ROOT)} | environment
    ran = subprocess.run(
        [sys.executable, "-c", code, *arguments], env=here, capture_output=True, text=True, timeout=300, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip(), ran.stderr


def call(folder, alone=False, **environment):
    """Call the compiled function; alone: as somebody who can write nothing."""
    return run(SCRIPT.format(folder=str(folder), alone=alone), **environment)[0]


def test_without_a_place_to_write_functions_are_compiled_in_memory(folder):
    folder.chmod(0o555)
    assert call(folder, alone=True) == "42 None 1"
    assert call(folder, alone=True, NUMBA_CACHE_DIR="/nonexistent/cache") == "42 None 1"


def test_what_somebody_else_compiled_is_used(folder):
    assert call(folder) == f"42 {folder}/__pycache__ 1"
    folder.chmod(0o555)
    (folder / "__pycache__").chmod(0o555)
    assert call(folder, alone=True) == f"42 {folder}/__pycache__ 0"
    (folder / "__pycache__").chmod(0o755)


@pytest.mark.again
def test_a_folder_of_ones_choice_is_used_by_those_who_can_read_it(folder):
    cache = folder / "cache"
    cache.mkdir(mode=0o755)
    written = call(folder, NUMBA_CACHE_DIR=str(cache))
    assert written.startswith(f"42 {cache}/")
    assert written.endswith(" 1")
    cache.chmod(0o555)
    assert call(folder, alone=True, NUMBA_CACHE_DIR=str(cache)).endswith(" 0")
    cache.chmod(0o755)


@pytest.mark.nightly
def test_warm_compiles_all_that_is_called(tmp_path):
    """In an empty folder: beside a suite that runs, other tests have compiled what this one would miss."""
    printed, _ = run(WARM, SYNTHPRIV_SEARCH="kernel", NUMBA_CACHE_DIR=str(tmp_path))
    warmed, kept, first_section, called, compiled, control = printed.splitlines()
    assert warmed.partition(", kept in ")[2] == str(tmp_path)
    assert kept == "True"  # else a small search has another process compile
    assert first_section == "exposure"  # the section that evaluate begins with
    assert int(called) > 50
    assert (compiled, control) == ("[]", "control")


def test_warm_says_where_nothing_can_be_kept(monkeypatch):
    from calls import cli

    from synthpriv_sql.cli import warming

    monkeypatch.setattr(warming, "warm", lambda: warming.Warmed(None, 3.0))
    code, out, err = cli("warm")
    assert (code, out) == (2, "")
    assert "NUMBA_CACHE_DIR" in err


def test_a_change_of_any_file_of_the_kernel_has_it_compiled_anew(monkeypatch, tmp_path):
    from synthpriv_sql.kernels import jit
    from synthpriv_sql.kernels.knn import scan

    before = jit._sources()
    assert scan.search_batches._cache._impl.locator.get_source_stamp()[1] == before
    kernels = tmp_path / "kernels"
    shutil.copytree(Path(jit.__file__).parent, kernels, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(jit, "__file__", str(kernels / "jit.py"))
    assert jit._sources.__wrapped__() == before
    files = sorted(kernels.rglob("*.py"))
    assert len({path.parent for path in files}) > 1
    for path in files:
        text = path.read_bytes()
        path.write_bytes(text + b"# changed\n")
        assert jit._sources.__wrapped__() != before, path
        path.write_bytes(text)
    assert jit._sources.__wrapped__() == before
