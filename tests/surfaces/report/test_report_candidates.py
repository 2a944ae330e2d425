"""The page of candidates: one picture, each point with its page, and nothing of a table that is not text."""

import re
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from calls import cli, create

from synthpriv_sql import errors

pytest.importorskip("vl_convert", reason="the extra `report` is not installed")

from synthpriv_sql.report import candidates

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


@pytest.mark.nightly
def test_each_point_leads_to_a_page(shared, tables, tmp_path):
    """Nothing stands in for anything: each candidate is evaluated, and its page is drawn."""
    path = tmp_path / "choice.html"
    asked = {"a copy": "copy", HOSTILE: "noise", "short": "short"}
    with pytest.warns(errors.SynthprivWarning, match="short"):
        result = shared.report_candidates(path, asked, "train", "holdout", **OPTIONS)
    text = path.read_text(encoding="utf-8")
    assert {row["candidate"]: row["auc"] is None for row in result} == {"a copy": False, HOSTILE: False, "short": True}
    names = {"choice-1-a-copy.html", "choice-2-script-b-x.html"}
    assert {file.name for file in tmp_path.iterdir()} == {"choice.html", *names}
    assert set(re.findall(r'<a xlink:href="([^"]*)"', text)) == names
    assert set(re.findall(r'<a href="([^"]*)"', text)) == names
    assert "page.invalid" not in text
    assert HOSTILE not in text
    assert "Not compared: " in text
    # Two pictures at two widths, the first on the whole scale; each point stands in all of them.
    assert [text.count(f'data-chart="{name}"') for name in ("candidates_whole", "candidates")] == [1, 1]
    assert text.count('aria-roledescription="point"') == 2 * 4
    # A copy leaks, and of so few nothing can be told of the other: none is released, and it says why.
    assert "<h1>By these numbers, none of the candidates should be released.</h1>" in text
    assert "With a leak: a copy." in text
    own = (tmp_path / "choice-1-a-copy.html").read_text(encoding="utf-8")
    (headline,) = re.findall(r'<h1 id="headline">(.*?)</h1>', own)
    assert headline in text


@pytest.mark.slow
def test_without_pages_nothing_leads_anywhere(shared, tables, tmp_path):
    path = tmp_path / "choice.html"
    shared.report_candidates(path, ["copy"], "train", "holdout", pages=False, **OPTIONS)
    text = path.read_text(encoding="utf-8")
    assert list(tmp_path.iterdir()) == [path]
    assert "<a " not in text
    assert text.count('aria-roledescription="point"') == 4
    assert ">copy</text>" in text
    assert not re.search(r"https?://(?!www\.w3\.org)", text)


def row(name, level, fidelity, auc, width=0.01):
    verdict = SimpleNamespace(level=level)
    ends = {"lower": auc - width, "upper": auc + width}
    return {"candidate": name, "fidelity": fidelity, "auc": auc, "verdict": verdict, **ends}


LEAKS, SAFE, SAFER, OPEN = (
    row("l", "bad", 0.99, 0.7),
    row("s", "good", 0.95, 0.51),
    row("t", "good", 0.9, 0.5),
    row("o", "none", 0.97, 0.5, 0.2),
)


@pytest.mark.parametrize(
    ("rows", "chosen", "said"),
    [
        ([LEAKS, SAFE, SAFER], "s", ["Of the 2 candidates", "differ significantly from that of t", "With a leak: l."]),
        ([LEAKS, SAFER, OPEN], "t", ["It is the only candidate", "With a leak: l.", "Without a verdict: o."]),
        ([LEAKS, OPEN], None, ["With a leak: l.", "Without a verdict: o.", "is not safe merely"]),
        ([], None, []),
    ],
)  # fmt: skip
def test_it_releases_one_for_its_own_verdict(rows, chosen, said):
    found = candidates.choose(rows)
    assert (found and found["candidate"]) == chosen
    why = candidates._why(rows, found)
    assert len(why) == len(said)
    assert all(words in sentence for words, sentence in zip(said, why, strict=True))


def test_intervals_overlap_where_they_share_a_value():
    rows = [row("a", "good", 1, 0.5), row("b", "good", 1, 0.515), row("c", "good", 1, 0.54)]
    assert [candidates.overlapping(one, rows) for one in rows] == [["b"], ["a"], []]


@pytest.fixture
def given(shared, tables, tmp_path):
    """The arguments of the command line for tables in files."""
    files = {name: tmp_path / f"{name}.parquet" for name in ("copy", "train", "holdout")}
    for name, file in files.items():
        shared.connection.table(name).write_parquet(str(file))
    return ["--synthetic", f"one={files['copy']}", "--train", str(files["train"]), "--holdout", str(files["holdout"])]


@pytest.mark.nightly
def test_the_command_line_writes_each_page_too(given, tmp_path):
    """Nothing stands in for anything: the page of the candidate is evaluated and drawn."""
    page = tmp_path / "c.html"
    code, _, err = cli("candidates", *given, "--trees", "4", "--attack", "distance", "--html", str(page))
    assert code == 0, err
    assert "Can anybody be named?" in (tmp_path / "c-1-one.html").read_text(encoding="utf-8")
    assert 'href="c-1-one.html"' in page.read_text(encoding="utf-8")
    code, _, err = cli("candidates", *given, "--group-by", "x", "--trees", "4", "--html", str(page))
    assert code == 2
    assert "omit group_by" in err
