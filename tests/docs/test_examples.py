"""The examples run, and print what they should."""

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
    assert done.stdout.splitlines()[-1] == "[(3476,)]"


def test_quickstart_in_sql():
    with synthpriv_sql.connect() as session:
        demo.create(session.connection)
        rows = session.connection.sql((EXAMPLES / "quickstart.sql").read_text(encoding="utf-8")).fetchall()
    assert rows == [
        ("synthetic_careful", 2462, 2538, 0.4938, False, 3476),
        ("synthetic_leaky", 3446, 1554, 0.6878, True, 3476),
    ]


def test_figures_of_the_paper(tmp_path):
    # The script itself stops where privacy area or resemblance rises with p.
    command = [sys.executable, EXAMPLES / "paper_figures.py", tmp_path, "--rows", "300"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    for name in ("figure_1.svg", "figure_4.svg", "figure_5.svg"):
        assert "<svg" in (tmp_path / name).read_text(encoding="utf-8")
