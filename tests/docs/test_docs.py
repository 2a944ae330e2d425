"""The documentation: pages with examples are run, links lead somewhere, and every function has a page.

``make shown`` writes the output into them anew. `make docs` builds the site.
"""

import os
import re
import runpy
import sys
import tempfile

import pyarrow.parquet as pq
import pytest
from calls import ROOT
from loops import each
from repetitions import EVERY_CASE
from test_readme import BLOCK, prepare, rewritten

from benchmarks import cite, readme, results_file
from benchmarks.remedies import Remedied
from synthpriv_sql.planner.headers import catalog

RUN = [
    ROOT / "docs" / name
    for name in (
        "tutorial.md",
        "other-tools.md",
        "dialects.md",
        "debugging.md",
        "surfaces.md",
        "engines/sqlite.md",
        "tasks/families.md",
        "tasks/files.md",
        "tasks/holdout.md",
        "tasks/own-attacks.md",
        "tasks/releases.md",
        "tasks/repeat.md",
        "tasks/text.md",
    )
]
# What trains many times, or evaluates four tables, is run by `make nightly` alone, and by `make shown`.
LONG = {"families.md", "holdout.md", "releases.md", "repeat.md", "surfaces.md", "tutorial.md"}
PAGES = sorted((ROOT / "docs").rglob("*.md"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [page for page in RUN if EVERY_CASE or page.name not in LONG], ids=lambda page: page.name
)
def test_a_page_shows_what_is_so(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)  # as python has the folder of a program
    monkeypatch.setenv("PATH", os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]]))
    prepare(tmp_path)
    now, written = rewritten(page)
    assert now == written


@each("page", PAGES)
def test_links_lead_somewhere(page):
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", text):
        assert (page.parent / target).exists(), f"{target}; functions: ../sql/FAMILY/NAME.sql"


def test_links_to_files_of_sql_lead_to_pages_on_the_site():
    lead = runpy.run_path(str(ROOT / "docs" / "functions.py"))["on_page_markdown"]
    assert lead("[dcr](../../sql/distances/dcr.sql#what) and [o](../sql/options.toml)") == (
        "[dcr](../functions/dcr.md#what) and [o](functions/options.md)"
    )
    assert lead("[python](../synthpriv_sql/api/methods.pyi)", page=None) == "[python](functions/api.md)"


ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_the_architecture_names_files_that_are_there():
    named = re.findall(r"`((?:synthpriv_sql|sql|tools|[a-z]+)/[\w./-]*)`", ARCHITECTURE)
    assert len(named) > 40
    places = (ROOT, ROOT / "synthpriv_sql")
    assert [name for name in named if not any((place / name).exists() for place in places)] == []
    # What stands before "in" is found in the file.
    inside = re.findall(r"`(\w+)` in `([\w./]+)`", ARCHITECTURE)
    assert len(inside) >= 6
    assert [(what, where) for what, where in inside if what not in (ROOT / where).read_text(encoding="utf-8")] == []


def test_the_architecture_draws_every_room():
    package = ROOT / "synthpriv_sql"
    rooms = {f"{path.name}/" for path in package.iterdir() if path.is_dir() and (list(path.glob("*.py")))}
    files = {path.name for path in package.glob("*.py")} - {"__init__.py", "__main__.py"}
    drawing = ARCHITECTURE.partition("```text")[2].partition("```")[0]
    assert [name for name in rooms | files if name not in drawing] == []


@pytest.mark.parametrize(
    "question",
    ["the tie rule", "the null rule of categories", "what PostgreSQL pushes down", "the words of the verdict",
     "a bound of the search"],
)  # fmt: skip
def test_a_reader_finds_where_to_change_it(question):
    (row,) = re.findall(rf"^\| {question} \| (.*) \|$", ARCHITECTURE, re.MULTILINE)
    assert re.search(r"`(sql|synthpriv_sql)/[\w/]+\.(py|sql)`", row)


def test_every_function_has_a_page():
    maker = runpy.run_path(str(ROOT / "docs" / "functions.py"))
    functions = catalog.functions()
    pages = maker["pages"]()
    assert set(pages) == {*functions, "options", "api"}
    for name, function in functions.items():
        said = [*function.columns, *(f"`{p}`" for p in function.parameters), function.text]
        assert [part for part in said if part not in pages[name]] == []


def test_the_page_of_the_python_interface_says_what_there_is():
    page = runpy.run_path(str(ROOT / "docs" / "functions.py"))["pages"]()["api"]
    for name in ("connect", "report", "cancel", "sql", "to_pandas", "to_table", "read", "verdict", "check"):
        assert f"### `{name}`" in page, name
    assert "- `replace`: Whether to replace an existing table of that name." in page
    assert "to_table(name: str, replace: bool = False, append: bool = False) -> None" in page
    assert "| `OptionError` |" in page
    assert "-----" not in page
    assert "connect(database: str | os.PathLike[str] = ':memory:'" in page


def test_the_page_of_the_engines_says_what_they_declare():
    maker = runpy.run_path(str(ROOT / "docs" / "functions.py"))
    text = maker["ENGINES_PAGE"].read_text(encoding="utf-8")
    assert maker["engines"]() in text
    assert maker["engines_page"]() == text, "run: make methods"
    assert maker["index"]() == maker["INDEX"].read_text(encoding="utf-8"), "run: make methods"
    assert "| no: only DuckDB reads files" in text


def test_the_benchmark_of_attacks_shows_what_was_measured():
    report = results_file.read(readme.RESULTS)
    assert f"{cite.BEGIN}\n{cite.text(report)}\n{cite.END}" in cite.PAGE.read_text(encoding="utf-8")
    found = cite.tables(report)
    measured = [case for case in cite.CASES if case in {row["case"] for row in report["rows"]}]
    assert {case: table.num_rows > 0 for case, table in found.items()} == dict.fromkeys(measured, True)
    for case, table in found.items():
        assert pq.read_table(cite.RESULTS / f"{case}.parquet").equals(table)


def test_pages_show_the_results_of_the_benchmarks():
    report = results_file.read(readme.RESULTS)
    assert readme.shown(readme.README) == readme.numbers(report).strip(), "run: python -m benchmarks.readme"
    assert readme.shown(readme.PAGE) == readme.table(report).strip(), "run: python -m benchmarks.readme"


def test_the_benchmark_of_remedies_is_cited_by_table_and_way():
    found = Remedied("5-anonymity", 0.0, 1_200, 34, -0.0003, 49_694, "age left out, sex left out")
    row = {"case": "remedies", "who": f"adult: {found.who}", "median": None, "note": found.note}
    versions = dict.fromkeys(("python", "duckdb", "numpy", "scikit-learn"), "1")
    report = {"rows": [row | {"measured": {"date": "2026-11-27", "commit": "abc", "versions": versions}}]}
    (cited,) = cite.tables(report)["remedies"].to_pylist()
    assert (cited["tables"], cited["way"], cited["named"], cited["at_least"]) == ("adult", "5-anonymity", 1_200, 34)
    assert (cited["loss"], cited["records"], cited["changes"]) == (-0.0003, 49_694, "age left out, sex left out")
    line = "| adult | 5-anonymity | 1,200 | 34 | -0.03% | 49,694 | age left out, sex left out | – |"
    assert line in cite.text(report).splitlines()


def test_the_benchmark_of_texts_is_cited_by_way_and_attack():
    notes = {
        "LevAtt, notes: note, one edit, 20 of 2,000":
            "AUC 0.501; found at 1 %: 1.5 %; 21 named, 20 of them planted; at least 16 of 21",
        "replay, notes: note, one edit, 20 of 2,000":
            "note, phrases: 20 of train, 0 of the holdout; p 1e-06, adjusted 3e-06",
        "100,000 × 100,000 names": "7.1 s of the processors",
    }  # fmt: skip
    measured = {"date": "2026-11-27", "commit": "abc"}
    measured["versions"] = dict.fromkeys(("python", "duckdb", "numpy", "scikit-learn"), "1")
    rows = [{"case": "text", "who": who, "median": 8.0, "note": n, "measured": measured} for who, n in notes.items()]
    attacked, replayed, timed = cite.tables({"rows": rows})["text"].to_pylist()
    assert (attacked["table"], attacked["planted"], attacked["people"]) == ("notes", "note, one edit", 20)
    assert (attacked["named"], attacked["named_planted"], attacked["at_least"], attacked["listed"]) == (21, 20, 16, 21)
    assert (replayed["attack"], replayed["column"], replayed["come_back"]) == ("replay", "note, phrases", 20)
    assert (timed["planted"], timed["attack"], timed["cpu_seconds"]) == ("100,000 × 100,000 names", None, 7.1)
    lines = cite.text({"rows": rows}).splitlines()
    cells = "0.501 · 21 (20) · 16 of 21 | note, phrases 20 : 0, p 3e-06"
    assert f"| note, one edit | 20 of 2,000 | {cells} |" in lines
    assert "| 100,000 × 100,000 names | 8.0 | 7.1 |" in lines


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "examples"))
    os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    shown = [page for page in RUN if page.name in sys.argv[1:] or not sys.argv[1:]]
    for page in shown:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            prepare(folder)
            page.write_text(rewritten(page)[0], encoding="utf-8")
            os.chdir(ROOT)
    sys.exit(pytest.main(["-q", "-k", " or ".join(page.stem for page in shown), __file__]))
