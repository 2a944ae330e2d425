"""Completion in the shell, and help that is laid out as it was written."""

import subprocess
import sys

import duckdb
import pytest
from calls import cli
from click.shell_completion import get_completion_class

from synthpriv_sql import choices, dialects
from synthpriv_sql.cli.commands import synthpriv
from synthpriv_sql.results import output


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_asks_the_program(shell):
    code, out, _ = cli("completion", shell)
    assert code == 0
    assert f"_SYNTHPRIV_COMPLETE={shell}_complete" in out


@pytest.mark.parametrize(
    ("before", "typed", "offered"),
    [
        ([], "dcr", {"dcr", "dcr_summary"}),
        (["sql"], "holdout", {"holdout_share"}),
        (["dcr"], "--met", {"--metric"}),
        (["dcr", "--format"], "c", {"csv"}),
        (["completion"], "", {"bash", "zsh", "fish"}),
        (["dcr", "--metric"], "", {"gower", "euclidean", "manhattan", "hamming"}),
        (["nndr", "--variant"], "l", {"local"}),
        (["evaluate", "--require"], "holdout", {"holdout", "holdout_share"}),
        (["evaluate", "--require"], "copies.e", {"copies.excess", "copies.expected"}),
        (
            ["evaluate", "--attack", "density", "--require"],
            "membership.den",
            {
                f"membership.density.{n}"
                for n in (
                    "auc",
                    "p_value",
                    "p_adjusted",
                    "advantage",
                    "epsilon_lower",
                    "traced_lower",
                    "found_at_1_per_1000",
                    "found_at_1_per_100",
                    "found_at_1_per_10",
                    *("at_least", "listed", "top_p_value"),
                )
            },
        ),
        (
            ["gate", "--require"],
            "exposure.",
            {
                f"exposure.{n}"
                for n in (
                    *("exposed", "share", "by_chance", "people", "least", "beyond"),
                    *("at_least", "listed", "missed"),
                    *("uniques.exposed", "learned.exposed"),
                )
            },
        ),
    ],
)
def test_commands_options_and_choices_are_completed(before, typed, offered):
    complete = get_completion_class("bash")(synthpriv, {}, "synthpriv", "_SYNTHPRIV_COMPLETE")
    assert {item.value for item in complete.get_completions(before, typed)} == offered


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("completion") / "people.duckdb")
    with duckdb.connect(path) as connection:
        connection.execute("CREATE TABLE train AS SELECT 1 AS age, 'x' AS city, 2 AS children")
        connection.execute("CREATE VIEW trusted AS FROM train")
        connection.execute("CREATE TABLE synthetic AS FROM train")
    return path


def completed(before, typed):
    complete = get_completion_class("bash")(synthpriv, {}, "synthpriv", "_SYNTHPRIV_COMPLETE")
    return [(item.type, item.value) for item in complete.get_completions(before, typed)]


def test_tables_of_the_database_are_offered_beside_files(database):
    given = ["dcr", "--database", database]
    assert completed([*given, "--train"], "tr") == [("file", "tr"), ("plain", "train"), ("plain", "trusted")]
    assert completed(["dcr", "--train"], "tr") == [("file", "tr")]
    assert completed(["dcr", "--database", "nowhere.duckdb", "--train"], "tr") == [("file", "tr")]


def test_columns_of_the_tables_given_are_offered(database, tmp_path):
    given = ["dcr", "--database", database, "--synthetic", "synthetic"]
    assert completed([*given, "--key"], "c") == [("plain", "city"), ("plain", "children")]
    assert completed([*given, "--columns"], "age,ci") == [("plain", "age,city")]
    (tmp_path / "t.csv").write_text("one,two\n1,2\n")
    assert completed(["discernibility", "--data", str(tmp_path / "t.csv"), "--quasi-identifiers"], "") == [
        ("plain", "one"), ("plain", "two")
    ]  # fmt: skip
    assert completed(["dcr", "--key"], "c") == []
    assert completed(["dcr", "--train", "nobody", "--key"], "c") == []


def test_a_line_is_completed_without_what_takes_long_to_import():
    code = (
        "import sys, synthpriv_sql.cli.commands as c; from click.shell_completion import get_completion_class as g\n"
        "complete = g('bash')(c.synthpriv, {}, 'synthpriv', '_SYNTHPRIV_COMPLETE').get_completions\n"
        "offered = complete(['evaluate', '--statistic'], 'me') + complete(['sql', 'dcr', '--dialect'], 't')\n"
        "offered += complete(['evaluate', '--require'], 'mem')[:1]\n"
        "print([item.value for item in offered])\n"
        "print(sorted({'duckdb', 'numba', 'numpy', 'pandas', 'pyarrow', 'sqlglot', 'rich'} & sys.modules.keys()))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert found.stdout.splitlines() == ["['median', 'mean', 'trino', 'membership.distance.auc']", "[]"]


def test_choices_are_those_of_what_does_the_work():
    assert tuple(dialects.DIALECTS) == choices.DIALECTS
    assert tuple(output.FORMATS) == choices.FORMATS


@pytest.mark.parametrize("table", ["synthetic", "main.synthetic", "people.parquet"])
def test_columns_of_a_table_however_it_is_named(database, tmp_path, monkeypatch, table):
    monkeypatch.chdir(tmp_path)
    duckdb.sql("SELECT 1 AS age, 2 AS city, 3 AS children").write_parquet("people.parquet")
    assert completed(["dcr", "--database", database, "--synthetic", table, "--key"], "ci") == [("plain", "city")]


@pytest.mark.parametrize("command", [[], ["completion"], ["sql"], ["dcr"]])
def test_help_has_its_lines(command):
    code, out, _ = cli(*command, "--help")
    assert code == 0
    assert "\\b" not in out
