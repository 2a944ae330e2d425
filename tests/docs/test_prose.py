"""The text of the documentation, as an editor shows it."""

import ast
import re
import textwrap
from pathlib import Path

from loops import each

from synthpriv_sql.planner.headers import catalog

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
DECISIONS = list((ROOT / "docs" / "decisions").glob("*.md"))
WIDTH = 120
# What Markdown keeps on one line: spans of code, links.
WHOLE = re.compile(r"`[^`]+`|\[[^\]]*\]\([^)]*\)")
PYTHON = re.compile(r"^ *```py(?:thon)?\n(.*?)^ *```", re.DOTALL | re.MULTILINE)


def long_lines(text):
    """Lines that are too long and could be broken; code, output, tables and headings cannot."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip().startswith("```"):
            fenced = not fenced
            continue
        # A word, a span or a link that begins the line may be longer than one.
        start = WHOLE.sub(lambda span: "_" * len(span[0]), line.strip())[2 : WIDTH + 1]
        if len(line) > WIDTH and " " in start and not fenced and not line.lstrip().startswith(("|", "#")):
            yield number


def test_what_is_too_long():
    word = "x" * WIDTH
    assert list(long_lines(f"a {word}\n\n```\na {word}\n```\n| a {word}\n- {word}\n`a {word}`\nb a {word}")) == [9]


@each("page", PAGES)
def test_lines_fit(page):
    assert list(long_lines(page.read_text(encoding="utf-8"))) == []


@each("page", PAGES)
def test_programs_are_python(page):
    """Whoever copies a program has its lines, also of those that no test runs."""
    for program in PYTHON.findall(page.read_text(encoding="utf-8")):
        ast.parse(textwrap.dedent(program))


@each("page", DECISIONS)
def test_a_decision_has_a_date_and_a_status(page):
    title, _, dated, _ = page.read_text(encoding="utf-8").split("\n", 3)
    assert title.startswith(f"# {int(page.stem[:4])}. ")
    assert re.fullmatch(
        r"Decided \d{4}-\d\d-\d\d(; last changed \d{4}-\d\d-\d\d)?\. Status: (in force|replaced by \[.+\]\(.+\))\.",
        dated,
    )


def test_attacks_and_their_options_are_all_named():
    page = (ROOT / "docs" / "attacks.md").read_text(encoding="utf-8")
    attacks = set(catalog.function("membership").parameters["attack"].choices) - {"all"}
    options = {
        option.name for name in ("attack", "unit", "sequence", "release") for option in catalog.groups()[name].options
    }
    own = {name for name, p in catalog.function("membership").parameters.items() if not p.group}
    own -= {"synthetic", "train", "holdout", "attack", "false_positive_rates"}
    assert {name for name in attacks | options | own if f"`{name}`" not in page} == set()
