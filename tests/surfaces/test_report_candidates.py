"""The page of candidates: one picture, each point with its page, and nothing of a table that is not text."""

import re

import numpy as np
import pyarrow as pa
import pytest
from calls import cli, create
from suites import only_where_tested

from synthpriv_sql import errors
from synthpriv_sql.statements import catalog

pytest.importorskip("vl_convert", reason="the extra `report` is not installed")

from synthpriv_sql.report import candidates

only_where_tested("page")

ROWS = 60
HOSTILE = "</script><b>x"
OPTIONS = {"trees": 4, "attack": "distance", "columns": ["x", "y"]}


def people(seed):
    draw = np.random.default_rng(seed)
    return pa.table({"x": draw.normal(size=ROWS).round(1), "y": draw.choice(["a", "b"], ROWS).tolist()})


@pytest.fixture(scope="module")
def tables(shared):
    train = people(1)
    noise = pa.table({"x": np.full(ROWS, 9.0), "y": ["z"] * ROWS})
    found = {"train": train, "holdout": people(2), "copy": train, "noise": noise, "short": train.drop_columns(["y"])}
    create(shared, **found)
    return found


@pytest.fixture
def written(monkeypatch):
    """What pages of candidates are made of; they themselves are what other tests are about."""
    made = {}

    def build(_session, path, given, **options):
        made[path.rpartition("/")[2]] = given
        assert options == {"show_values": False, "baseline": False, "progress": None}
        assert set(given) <= set(catalog.part("page").parameters)

    monkeypatch.setattr(candidates, "build", build)
    return made


def test_each_point_leads_to_a_page(shared, tables, tmp_path, written):
    path = tmp_path / "choice.html"
    asked = {"a copy": "copy", HOSTILE: "noise", "short": "short"}
    with pytest.warns(errors.SynthprivWarning, match="short"):
        result = shared.report_candidates(path, asked, "train", "holdout", **OPTIONS)
    text = path.read_text(encoding="utf-8")
    assert {row["candidate"]: row["auc"] is None for row in result} == {"a copy": False, HOSTILE: False, "short": True}
    names = ["choice-1-a-copy.html", "choice-2-script-b-x.html"]
    assert list(written) == names
    assert written[names[0]] == {"synthetic": "copy", "train": "train", "holdout": "holdout", "columns": ["x", "y"]}
    assert set(re.findall(r'<a xlink:href="([^"]*)"', text)) == set(names)
    assert set(re.findall(r'<a href="([^"]*)"', text)) == set(names)
    assert "page.invalid" not in text
    assert HOSTILE not in text
    assert "not compared: " in text
    assert re.search(r"<h1>2 of 3 candidates are beaten by no other", text)


def test_without_pages_nothing_leads_anywhere(shared, tables, tmp_path):
    path = tmp_path / "choice.html"
    shared.report_candidates(path, ["copy"], "train", "holdout", pages=False, **OPTIONS)
    text = path.read_text(encoding="utf-8")
    assert list(tmp_path.iterdir()) == [path]
    assert "<a " not in text
    assert "copy, the only candidate" in text
    assert not re.search(r"https?://(?!www\.w3\.org)", text)


@pytest.fixture
def given(shared, tables, tmp_path):
    """The arguments of the command line for tables in files."""
    files = {name: tmp_path / f"{name}.parquet" for name in ("copy", "train", "holdout")}
    for name, file in files.items():
        shared.connection.table(name).write_parquet(str(file))
    return ["--synthetic", f"one={files['copy']}", "--train", str(files["train"]), "--holdout", str(files["holdout"])]


def test_the_command_line_writes_each_page_too(given, tmp_path):
    """Nothing stands in for anything: the page of the candidate is evaluated and drawn."""
    page = tmp_path / "c.html"
    code, _, err = cli("candidates", *given, "--trees", "4", "--attack", "distance", "--html", str(page))
    assert code == 0, err
    assert "Can anybody be named?" in (tmp_path / "c-1-one.html").read_text(encoding="utf-8")
    assert 'href="c-1-one.html"' in page.read_text(encoding="utf-8")
    code, _, err = cli("candidates", *given, "--group-by", "x", "--trees", "4", "--html", str(page))
    assert code == 2
    assert "leave group_by out" in err


def test_the_command_line_writes_it(given, tmp_path, written):
    code, out, _ = cli("candidates", *given, "--trees", "4", "--attack", "distance", "--html", str(tmp_path / "c.html"))
    assert code == 0
    assert "one" in out
    assert list(written) == ["c-1-one.html"]
    assert (tmp_path / "c.html").is_file()
