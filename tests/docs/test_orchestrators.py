"""In Airflow and Dagster: the command that both run, with the exit codes and the numbers that they read."""

import json
import re

import pytest
from calls import ROOT, cli
from test_readme import prepare

from synthpriv_sql import connect

pytestmark = pytest.mark.slow

PAGE = (ROOT / "docs" / "tasks" / "airflow-dagster.md").read_text(encoding="utf-8")


def test_the_command_gives_what_the_snippets_read(tmp_path, monkeypatch):
    prepare(tmp_path)
    with connect(str(tmp_path / "demo.duckdb")) as session:  # few rows say as much of a command
        for table in ("synthetic_careful", "customers_train", "customers_holdout"):
            session.connection.execute(f"CREATE OR REPLACE TABLE {table} AS FROM {table} LIMIT 600")
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(re.search(r"^GATE = \[\n.*?^\]\n", PAGE, re.DOTALL | re.MULTILINE)[0], names)
    program, *arguments = names["GATE"]
    assert program == "synthpriv"
    in_airflow = re.search(r'^GATE = """(.*?)"""', PAGE, re.DOTALL | re.MULTILINE)[1]
    assert in_airflow.split() == names["GATE"]
    code, _, log = cli(*arguments)
    assert code == 0
    assert "INFO evaluate: " in log
    rows = json.loads((tmp_path / "privacy.json").read_text(encoding="utf-8"))
    numbers = {f"{r['metric']}.{r['variant']}.{r['statistic']}": r["value"] for r in rows}
    (read,) = re.findall(r'numbers\["([\w.]+)"\]', PAGE)
    assert numbers[read] == 0
