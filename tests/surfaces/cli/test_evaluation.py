"""`evaluate` as people meet it: the verdict first, in a few lines that fit the terminal; all numbers where asked."""

import pickle
import re

import pyarrow as pa
import pytest
from calls import cli, create

import synthpriv_sql
from synthpriv_sql.report.evaluation import Evaluation
from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.verdict.words import Verdict, verdict

ROWS = 190
"""With more, classifiers are trained."""


def people(first, copied=0):
    """Rows that are all their own, but for the first ones, which are those of train."""
    numbers = [i if i < copied else first + i for i in range(ROWS)]
    drawn = [n * 2654435761 % 10007 for n in numbers]
    return pa.table({"a": [d / 3 for d in drawn], "b": [f"town {d % 17}" for d in drawn]})


TABLES = {
    "train": people(0),
    "holdout": people(ROWS),
    "careful": people(2 * ROWS),
    "leaky": people(2 * ROWS, ROWS // 2),
}
SIDES = ("--train", "train", "--holdout", "holdout")


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("evaluation") / "people.duckdb")
    with synthpriv_sql.connect(path) as session:
        create(session, **TABLES)
    return path


@pytest.fixture(scope="module")
def leaky(database):
    with synthpriv_sql.connect(database, read_only=True) as session:
        return session.evaluate("leaky", "train", "holdout")


def test_the_verdict_is_a_value(leaky, database):
    assert isinstance(leaky, Evaluation)
    assert isinstance(leaky.verdict, Verdict)
    assert leaky.verdict.level == "bad"
    assert leaky.verdict == verdict(Measured([{"item": "number", **row} for row in leaky]))
    with synthpriv_sql.connect(database, read_only=True) as session:
        careful = session.evaluate("careful", "train", "holdout", attack="uniques", named_by="uniques")
    assert careful.verdict.level != "bad"
    assert pickle.loads(pickle.dumps(leaky)).verdict == leaky.verdict
    assert leaky.verdict.given_away > 0
    assert pickle.loads(pickle.dumps(leaky.verdict)) == leaky.verdict


def test_a_saved_evaluation_has_its_verdict(leaky, tmp_path):
    from synthpriv_sql.results import output

    output.write(leaky, tmp_path / "evaluation.parquet")
    assert Evaluation.read(tmp_path / "evaluation.parquet").verdict == leaky.verdict


def assert_says(text, leaky):
    flat = " ".join(text.replace("\u202f%", "%").split())
    for words in (leaky.verdict.headline, leaky.verdict.sentence):
        assert " ".join(words.replace("\u202f%", "%").split()) in flat
    # A long question wraps within its cell.
    assert [f.question for f in leaky.verdict.findings if any(word not in flat for word in f.question.split())] == []
    assert f"Based on {len(leaky):,} numbers" in flat


def test_a_terminal_shows_the_verdict_in_a_few_lines(leaky, database, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    code, out, _ = cli("evaluate", "--synthetic", "leaky", *SIDES, "--database", database)
    assert code == 0
    assert out.splitlines()[0] == leaky.verdict.headline
    assert_says(re.sub(r"[│┃━╇]|\n +", " ", out), leaky)
    assert len(out.splitlines()) < 55
    assert max(map(len, out.splitlines())) <= 100


def test_all_numbers_where_asked(leaky, database, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    code, out, _ = cli("evaluate", "--synthetic", "leaky", *SIDES, "--database", database, "--all")
    assert code == 0
    assert out.splitlines()[0] == leaky.verdict.headline
    assert max(map(len, out.splitlines())) <= 100
    assert len(out.splitlines()) < len(leaky) + 60
    found = set(re.findall(r"^(\S.*?) +│", out, re.MULTILINE))
    names = {".".join(filter(None, (row["metric"], row["variant"], row["statistic"]))) for row in leaky}
    assert {name for name in names if len(name) < 40} <= found


def test_python_and_notebooks_show_the_same(leaky):
    assert repr(leaky).splitlines()[0] == leaky.verdict.headline
    assert_says(re.sub(r"[│┃━╇]", " ", repr(leaky)), leaky)
    html = leaky._repr_html_()
    assert f"<strong>{leaky.verdict.headline}</strong>" in html
    assert_says(re.sub(r"<[^>]+>", " ", html), leaky)


@pytest.mark.nightly
def test_the_report_prints_it_as_well(leaky, database, tmp_path):
    page = tmp_path / "page.html"
    code, out, _ = cli("report", "--html", str(page), "--synthetic", "leaky", *SIDES, "--database", database)
    assert code == 0
    assert out.splitlines()[0] == leaky.verdict.headline
    assert out.splitlines()[-1] == f"{page} is written"


def test_the_gate_checks_a_saved_evaluation(leaky, tmp_path):
    from synthpriv_sql.results import output

    path, junit = tmp_path / "evaluation.parquet", tmp_path / "gate.xml"
    output.write(leaky, path)
    code, out, err = cli("gate", str(path), "--require", "holdout_share.share<=1", "--require", "copies.share=0")
    assert code == 1
    assert [line.split()[0] for line in out.splitlines()] == ["holds", "BROKEN"]
    assert err.startswith("synthpriv: required copies.share=0: copies.share is 0.5")
    assert cli("gate", str(path), "--require", "copies.share<=1", "--format", "junit", "--output", str(junit))[0] == 0
    assert 'failures="0"' in junit.read_text()
    code, out, err = cli("gate", str(path), "--require", "verdict.level<=watch")
    assert (code, leaky.verdict.level) == (1, "bad")
    assert "verdict.level is bad" in err
    assert cli("gate", str(path), "--require", "verdict.level<=bad")[0] == 0
    assert "one of good, none, watch, bad" in cli("gate", str(path), "--require", "verdict.level<=fine")[2]
    assert cli("gate", str(path))[0] == 2
    (tmp_path / "other.csv").write_text("metric\ncopies\n")
    code, _, err = cli("gate", str(tmp_path / "other.csv"), "--require", "copies.share=0")
    assert (code, "no result of evaluate" in err) == (2, True)
