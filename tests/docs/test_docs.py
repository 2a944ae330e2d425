"""The documentation: pages with examples are run, links lead somewhere, and every function has a page.

``make shown`` writes the output into them anew. `make docs` builds the site.
"""

import json
import os
import re
import runpy
import sys
import tempfile

import pytest
from calls import ROOT
from test_readme import BLOCK, prepare, rewritten

from benchmarks import readme
from synthpriv_sql.statements import catalog

RUN = [ROOT / "docs" / name for name in ("tutorial.md", "other-tools.md", "dialects.md")]
PAGES = sorted((ROOT / "docs").rglob("*.md"))


@pytest.mark.parametrize("page", RUN, ids=lambda page: page.name)
def test_a_page_shows_what_is_so(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    prepare(tmp_path)
    now, written = rewritten(page)
    assert now == written


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", text):
        function = re.fullmatch(r"functions/(\w+)\.md", target)
        assert function[1] in {*catalog.functions(), "options"} if function else (page.parent / target).exists(), target


def test_every_function_has_a_page():
    maker = runpy.run_path(str(ROOT / "docs" / "functions.py"))
    functions = catalog.functions()
    pages = maker["pages"]()
    assert set(pages) == {*functions, "options"}
    for name, function in functions.items():
        said = [*function.columns, *(f"`{p}`" for p in function.parameters), function.text]
        assert [part for part in said if part not in pages[name]] == []


ENGINES = ROOT / "docs" / "engines" / "index.md"
DECLARED = re.compile(r"(<!-- what the engines declare[^\n]*-->\n).*(<!-- end -->)", re.DOTALL)


def with_what_engines_declare():
    """The page of the engines, with the table as it is now."""
    table = runpy.run_path(str(ROOT / "docs" / "functions.py"))["engines"]()
    return DECLARED.sub(lambda found: f"{found[1]}{table}{found[2]}", ENGINES.read_text(encoding="utf-8"))


def test_the_page_of_the_engines_says_what_they_declare():
    text = ENGINES.read_text(encoding="utf-8")
    assert DECLARED.search(text)
    assert with_what_engines_declare() == text
    assert "| no: files are read by DuckDB alone" in text


if __name__ == "__main__":
    ENGINES.write_text(with_what_engines_declare(), encoding="utf-8")
    for page in RUN:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            prepare(folder)
            page.write_text(rewritten(page)[0], encoding="utf-8")
            os.chdir(ROOT)
    sys.exit(pytest.main(["-q", __file__]))


def test_the_readme_shows_the_results_of_the_benchmarks():
    _, _, rest = readme.README.read_text(encoding="utf-8").partition(readme.BEGIN)
    shown, _, _ = rest.partition(readme.END)
    assert shown.strip() == readme.table(json.loads(readme.RESULTS.read_text(encoding="utf-8"))).strip()
