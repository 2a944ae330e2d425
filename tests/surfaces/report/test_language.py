"""Sentences in the language of the reader: complete catalogs, and nothing on the page that stands outside of them."""

import ast
import re
import runpy
import string
import subprocess
import sys
from html.parser import HTMLParser

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from babel.messages.pofile import read_po, write_po
from calls import ROOT, cli

from synthpriv_sql import errors
from synthpriv_sql.language import meanings, numbers, spoken
from synthpriv_sql.language.spoken import speaking
from synthpriv_sql.learned import inferring
from synthpriv_sql.planner.headers import catalog as functions

pytest.importorskip("vl_convert", reason="the extra `report` is not installed")

from synthpriv_sql.report import build

TOOL = runpy.run_path(str(ROOT / "tools" / "messages.py"))
CATALOGS = sorted(spoken.CATALOGS.glob("*.po"))
TEMPLATES = sorted((ROOT / "synthpriv_sql" / "report" / "templates").glob("*.j2"))


def catalog(path):
    with path.open("rb") as file:
        return read_po(file, locale=path.stem)


def texts(of):
    return [of] if isinstance(of, str) else list(of)


def placeholders(text):
    """The names that a message fills in: in braces, or as templates write them; and its tags."""
    named = re.findall(r"%\((\w+)\)s", text)
    braces = [] if "%(" in text or "%%" in text else [name for _, name, _, _ in string.Formatter().parse(text) if name]
    return sorted(set(named + braces)), sorted(re.findall(r"</?\w+[^>]*>", text))


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.stem)
def test_a_catalog_has_every_message_of_the_source(path):
    assert TOOL["updated"](path) == path.read_text(encoding="utf-8"), "run tools/messages.py"


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.stem)
def test_every_message_is_translated_with_its_placeholders(path):
    for message in catalog(path):
        if not message.id:
            continue
        assert not message.fuzzy
        english, translated = texts(message.id), texts(message.string)
        assert all(translated), f"not translated: {message.id}"
        several = placeholders(english[-1])
        for text in translated:
            assert placeholders(text) in (several, placeholders(english[0])), message.id
            if "%(" in english[0] or "%%" in english[0]:
                text % dict.fromkeys(several[0], "")


def test_numbers_are_written_as_the_language_does():
    with speaking("de"):
        assert numbers.number(1234567) == "1.234.567"
        assert numbers.number(0.12345) == "0,1235"
        assert numbers.number(-1.5e-7) == "−1,50\u202f×\u202f10⁻⁷"
        assert numbers.percent(0.1234) == "12,3\u202f%"
        assert numbers.short(0.25) == "0,25"
        assert meanings.meaning("train and holdout are 12.5 % apart").endswith("liegen 12,5\u202f% auseinander")
    assert numbers.number(1234567) == "1,234,567"
    with speaking("en"):
        assert numbers.percent(0.1234) == "12.3\u202f%"


def test_a_language_that_there_is_not(shared):
    with pytest.raises(errors.OptionError, match="'xx' is not one of en, de"):
        shared.evaluate("a", "b", language="xx")
    assert spoken.spoken() == "en"


@pytest.mark.again
def test_the_command_line_speaks_it(tmp_path, tables):
    for name, table in zip(("synthetic", "train", "holdout"), tables, strict=True):
        pq.write_table(table, tmp_path / f"{name}.parquet")
    asked = [
        part for name in ("synthetic", "train", "holdout") for part in (f"--{name}", str(tmp_path / f"{name}.parquet"))
    ]
    asked += ["--attack", "uniques", "--named-by", "uniques", "--columns", "age,region"]
    code, out, err = cli("evaluate", *asked, "--language", "de")
    assert code == 0, err
    assert "synthetischen Datensätzen gleichen einem echten" in " ".join(out.split())
    assert "Based on" not in out
    assert cli("evaluate", *asked, "--language", "xx")[0] == 2


def test_english_needs_no_babel():
    code = (
        "import sys, synthpriv_sql; from synthpriv_sql.language import messages, numbers; "
        "print(messages._('{lower} to {upper}', lower=1, upper=numbers.percent(0.5)), 'babel' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["1", "to", "50", "%", "False"]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_words_of_a_template_stand_outside_of_messages(path):
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"{#.*?#}|{%-? *trans\b.*?endtrans *-?%}|{{.*?}}|{%.*?%}", "", text, flags=re.DOTALL)
    attributes = re.findall(r'(?:aria-label|data-label|title|alt|placeholder)="([^"]*)"', text)
    shown = re.sub(r"<(style|script|code)\b.*?</\1>|<[^>]*>|&#?\w+;", " ", text, flags=re.DOTALL)
    words = set(re.findall(r"[^\W\d_]{2,}", " ".join([shown, *attributes])))
    assert words <= {"DCR", "NNDR", "AUC", "SQL"}


def catalog_names():
    """The names of numbers, options and functions, which are the same in every language."""
    for function in functions.files():
        yield from (function.name, *function.parameters, *function.columns)
        for names in function.numbers.values():
            yield from names


# The page in a language that marks every message


class Shown(HTMLParser):
    """What a reader sees or hears: texts and labels, without code, styles, and what a chart says of its own parts."""

    HIDDEN = frozenset({"code", "pre", "script", "style", "time"})
    LABELS = frozenset({"aria-label", "data-label", "title", "data-auto", "data-light", "data-dark", "data-copied"})

    def __init__(self, text):
        super().__init__()
        self.parts, self.labels, self.open = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag not in {"meta", "link", "br", "wbr", "input"}:
            self.open.append(tag)
        of_axis = given.get("role") == "graphics-symbol" and "mark" not in (given.get("aria-roledescription") or "mark")
        if not of_axis and not self.HIDDEN & set(self.open):
            self.labels += [given[name] for name in self.LABELS & given.keys() if given[name]]
        self.parts.append("\n")

    def handle_endtag(self, tag):
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data):
        if not self.HIDDEN & set(self.open):
            self.parts.append(data)

    def unmarked(self):
        """What stands outside of all marks, in words."""
        left, depth = [], 0
        for part in re.split("([⟦⟧])", "".join(self.parts)):
            depth += (part == "⟦") - (part == "⟧")
            left.append(part if not depth and part not in "⟦⟧" else "\n")
        assert depth == 0
        labels = [label for label in self.labels if not re.fullmatch("⟦.*⟧", label, re.DOTALL)]
        return " ".join([*left, *labels])


def people(rows, seed):
    random = np.random.default_rng(seed)
    return pa.table(
        {
            "age": random.integers(18, 90, rows),
            "region": random.choice(["north", "south", "west"], rows),
            "income": random.lognormal(10, 1, rows).round(2),
        }
    )


@pytest.fixture(scope="module")
def tables():
    train, holdout = people(120, 1), people(110, 2)
    return pa.concat_tables([people(60, 3), train.slice(0, 20)]), train, holdout


ASKED = {
    "quasi_identifiers": ["age"],
    "k": 3,
    "targets": ["region"],
    "known": ["age"],
    "secrets": ["region"],
    "show_values": True,
}
QUICK = {"attack": "uniques", "named_by": "uniques"}
"""The attack that takes least: what is said of another is the same."""


@pytest.fixture
def without_sql(monkeypatch):
    """The page shows no SQL: to write that takes longest, and it is in no language."""
    monkeypatch.setattr(build, "statement", lambda *_: None)


@pytest.fixture
def one_round(monkeypatch):
    """Models of secrets that are trained for one round: what is said of them is the same."""
    for name in ("MOST_ROUNDS", "LEAST_ROUNDS"):
        monkeypatch.setattr(inferring, name, 1)


@pytest.fixture
def marked(tmp_path, monkeypatch):
    """A language, Esperanto by name, that has each message of the source between marks."""
    pofile = tmp_path / "eo.po"
    pofile.write_text("", encoding="utf-8")
    pofile.write_text(TOOL["updated"](pofile), encoding="utf-8")
    found = catalog(pofile)
    for message in found:
        if message.id:
            marks = [f"⟦{text}⟧" for text in texts(message.id)]
            message.string = marks[0] if isinstance(message.id, str) else tuple(marks)
    with pofile.open("wb") as file:
        write_po(file, found, width=0)
    monkeypatch.setattr(spoken, "CATALOGS", tmp_path)
    spoken.languages.cache_clear()
    yield "eo"
    spoken.languages.cache_clear()


NAMES = {
    *("age", "region", "income", "synthetic", "train", "holdout", "north", "south", "west", "numeric", "categorical"),
    *(
        "distance",
        "density",
        "agreement",
        "near",
        "uniques",
        "learned",
        "dcr",
        "DCR",
        "NNDR",
        "AUC",
        "synthpriv",
        "sql",
    ),
    *("DuckDB", "Python", "vl", "convert", "pp", "th"),
}
"""What no language says otherwise: names of tables, columns, values, attacks, options and programs."""


def of_people(session, path, language, *tables, **options):
    columns = ["age", "region", "income"]
    session.report(path, *tables, language=language, columns=columns, **QUICK, **options)
    return Shown(path.read_text(encoding="utf-8"))


def unmarked_words(shown):
    names = NAMES | {word for name in catalog_names() for word in re.findall(r"[^\W\d_]+", name)}
    without_versions = re.sub(r"\d+(\.\w+)+|\d+-\w+-\d+|UTC", "", shown.unmarked())
    return set(re.findall(r"[^\W\d_⁰¹²³⁴-⁹]{2,}", without_versions)) - names


@pytest.mark.usefixtures("without_sql", "one_round")
@pytest.mark.parametrize("holdout", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_no_sentence_of_a_page_stands_outside_of_the_catalog(shared, tables, marked, tmp_path, holdout):
    given, options = (tables, ASKED) if holdout else (tables[:2], {})
    decision = tmp_path / "decision.html"
    page = of_people(shared, tmp_path / "page.html", marked, *given, decision=decision, **options)
    assert unmarked_words(page) == set()
    assert unmarked_words(Shown(decision.read_text(encoding="utf-8"))) == set()


@pytest.mark.nightly
@pytest.mark.usefixtures("without_sql")
def test_the_german_page_has_no_english_sentence(shared, tables, tmp_path):
    shown = of_people(shared, tmp_path / "page.html", "de", *tables)
    text = " ".join(["".join(shown.parts), *shown.labels])
    assert "95-%-Intervall" in text
    for message in catalog(next(path for path in CATALOGS if path.stem == "de")):
        for english in texts(message.id):
            parts = re.split(r"{\w+}|%\(\w+\)s|<[^>]*>", english)
            longest = max(parts, key=len).replace("%%", "%").replace("&#8239;", "\u202f").strip()
            assert len(longest.split()) < 3 or longest not in text, english


SPEAKING = [
    *sorted((ROOT / "synthpriv_sql" / "report").rglob("*.py")),
    ROOT / "synthpriv_sql" / "results" / "checks" / "cautions.py",
]
MESSAGES = {"_", "N_", "plural"}


def loose(node):
    """Texts of a module that are no message, without its documentation and errors, which are English."""
    if isinstance(node, ast.Raise) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        return
    if isinstance(node, ast.Call):
        called = getattr(node.func, "id", "")
        if called in MESSAGES:
            for keyword in node.keywords:
                yield from loose(keyword.value)
            return
        if called.endswith("Error") or getattr(node.func, "attr", "") in {"debug", "info"}:
            return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    for child in ast.iter_child_nodes(node):
        yield from loose(child)


@pytest.mark.parametrize("path", SPEAKING, ids=lambda path: path.stem)
def test_no_sentence_of_the_source_stands_outside_of_messages(path):
    texts_of_it = loose(ast.parse(path.read_text(encoding="utf-8")))
    words = {text: [word for word in text.split() if re.fullmatch(r"\W*[a-zA-Z]{2,}\W*", word)] for text in texts_of_it}
    assert {text for text, found in words.items() if len(found) > 1} <= {"Table Grid"}  # a style of Word
