"""The examples run, and print what they should."""

import re
import subprocess
import sys

import pytest
from calls import ROOT

import synthpriv_sql
from synthpriv_sql import demo

pytestmark = pytest.mark.slow

EXAMPLES = ROOT / "examples"


def test_quickstart_in_python(tmp_path):
    command = [sys.executable, EXAMPLES / "quickstart.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "1524 of 5000 records of synthetic_leaky are copies or too close" in done.stdout
    assert done.stdout.splitlines()[-1] == "[(4196,)]"


def test_quickstart_in_sql():
    with synthpriv_sql.connect() as session:
        demo.create(session.connection)
        rows = session.connection.sql((EXAMPLES / "quickstart.sql").read_text(encoding="utf-8")).fetchall()
    assert rows == [
        ("synthetic_careful", 2462, 2538, 0.4938, False, 4196),
        ("synthetic_leaky", 3446, 1554, 0.6878, True, 4196),
    ]


@pytest.mark.nightly
def test_figures_of_the_paper(tmp_path):
    # The script itself stops where privacy area or resemblance rises with p.
    command = [sys.executable, EXAMPLES / "paper_figures.py", tmp_path, "--rows", "300"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    for name in ("figure_1.svg", "figure_4.svg", "figure_5.svg"):
        assert "<svg" in (tmp_path / name).read_text(encoding="utf-8")


def test_what_runs_in_pipelines_is_pinned():
    """Actions by the SHA of a commit, the package by a commit of its repository, an image by its digest."""
    for workflow in (*(ROOT / ".github" / "workflows").glob("*.yml"), ROOT / "examples" / "github-actions.yml"):
        text = workflow.read_text(encoding="utf-8")
        used = re.findall(r"uses: (\S+)", text)
        assert used
        assert [action for action in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action)] == [], workflow.name
        assert not re.search(r"pip install \"?synthpriv-sql(\[\w+\])?\"?\s*$", text, re.MULTILINE), workflow.name
    lines = (ROOT / "examples" / "Containerfile").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith(("FROM", "ARG"))] == ["ARG BASE", "FROM ${BASE}"]
