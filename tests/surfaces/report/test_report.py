"""The report page: complete, one file, harmless whatever the tables hold, silent about real values, and right."""

import importlib
import re
import sys
from html.parser import HTMLParser

import numpy as np
import pyarrow as pa
import pytest
from calls import create, rows_of

from synthpriv_sql import errors
from synthpriv_sql.language import numbers as words
from synthpriv_sql.planner.headers import catalog

pytest.importorskip("vl_convert", reason="the extra `report` is not installed")

from synthpriv_sql.report import build, regulation
from synthpriv_sql.report.measured import Bin, Measured, Rate

HOSTILE = '</script><script>alert("1")</script>{{ 7 * 1337 }}<img src=x onerror=alert(1)>'
SECRET = "Zuleika of Zanzibar"
QUICK = {"attack": "uniques", "named_by": "uniques"}
"""The attack that takes least, where none is asked about."""


def people(rows, seed, secret=False):
    random = np.random.default_rng(seed)
    names = [HOSTILE if i % 3 else f"{SECRET} {i}" if secret else "somebody" for i in range(rows)]
    return pa.table(
        {
            "age": random.integers(18, 90, rows),
            HOSTILE: names,
            "income": random.lognormal(10, 1, rows).round(2),
            "member": pa.array([None if i % 7 == 0 else bool(i % 2) for i in range(rows)]),
        }
    )


def tables_of_people():
    train, holdout = people(60, 1, secret=True), people(50, 2)
    return {"synthetic": pa.concat_tables([people(40, 3), train.slice(0, 6)]), "train": train, "holdout": holdout}


@pytest.fixture(scope="module")
def tables():
    return tables_of_people()


class Page(HTMLParser):
    """Tags with their attributes, and the text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.words, self.text, self.sql, self.in_sql = [], [], text, [], False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag == "pre":
            self.sql.append("")
            self.in_sql = True

    def handle_endtag(self, tag):
        self.in_sql = self.in_sql and tag != "pre"

    def handle_data(self, data):
        self.words.append(data)
        if self.in_sql:
            self.sql[-1] += data

    def all(self, name):
        return [attributes for tag, attributes in self.tags if tag == name]

    def shown(self):
        return " ".join("".join(self.words).split())

    def ids(self):
        return [attributes["id"] for _, attributes in self.tags if "id" in attributes]


def written(session, tmp_path, *tables, **options):
    path = tmp_path / "report.html"
    result = session.report(path, *tables, **options)
    return Page(path.read_text(encoding="utf-8")), result


@pytest.fixture(scope="module")
def reported(shared, tables, tmp_path_factory):
    """A page and the rows of its evaluation."""
    create(shared, made=tables["synthetic"], seen=tables["train"], unseen=tables["holdout"])
    options = {"quasi_identifiers": ["age", HOSTILE], "k": 3}
    page, result = written(shared, tmp_path_factory.mktemp("page"), "made", "seen", "unseen", **options)
    return page, result.to_arrow().to_pylist()


@pytest.fixture(scope="module")
def page(reported):
    return reported[0]


def test_it_is_one_file_without_network(page):
    assert not page.all("iframe") + page.all("img") + page.all("object")
    assert all("src" not in script for script in page.all("script"))
    assert [link["href"] for link in page.all("link")] == ["data:,"]
    sources = {"https://arxiv.org/abs/2505.01524", *regulation.SOURCES}
    assert {link["href"] for link in page.all("a") if not link["href"].startswith("#")} == sources
    assert not re.search(r"url\(|@import", page.text)


def test_one_is_singular(page):
    assert not re.search(r"(?<![\d,.])1 (synthetic |train |holdout )?(records|rows|people)", page.shown())


def test_what_the_tables_hold_is_text(page):
    assert len(page.all("script")) == 2
    assert not [attributes for _, attributes in page.tags if any(name.startswith("on") for name in attributes)]
    assert HOSTILE in "".join(page.words)
    assert "9359" not in page.text


def test_ids_are_unique_and_links_lead_somewhere(page):
    ids = page.ids()
    assert len(ids) == len(set(ids))
    assert {link["href"][1:] for link in page.all("a") if link["href"].startswith("#")} <= set(ids)


def test_all_charts_but_the_baseline_are_there(page):
    drawn = [attributes for _, attributes in page.tags if "data-chart" in attributes]
    names = [attributes["data-chart"] for attributes in drawn]
    of_distances = ["zero", "closer", "dcr", "nndr_second"]
    assert names == ["bits", "roc", "top", *of_distances, "classes", "mda", "marginals", "pairs"]
    assert all(attributes["role"] == "img" and attributes["aria-label"] for attributes in drawn)
    assert len(page.all("svg")) == 2 * len(names)


def test_it_says_what_values_that_come_back_look_like(page):
    assert '<code>income</code></th><td>numbers</td><td class="n">' in page.text


@pytest.fixture
def without_sql(monkeypatch):
    """The page shows no SQL, which takes as long as all else."""
    monkeypatch.setattr(build, "statement", lambda *_: None)


@pytest.mark.usefixtures("without_sql")
def test_values_of_records_are_shown_only_when_asked_for(shared, tables, reported, tmp_path):
    page, without = reported
    assert SECRET not in page.text
    # A column that only the holdout has, and one that names records: both are left out everywhere.
    named = {
        side: t.append_column("pass no", pa.array([f"{side} {i}" for i in range(len(t))])) for side, t in tables.items()
    }
    named["holdout"] = named["holdout"].append_column("late", named["holdout"]["age"])
    shown, result = written(
        shared, tmp_path, *named.values(), show_values=True, exclude=["late"], identifiers="exclude", **QUICK
    )
    assert SECRET in shown.text
    assert [path.stat().st_mode & 0o077 for path in tmp_path.glob("*.html")] == [0]
    assert len(shown.all("script")) == 2
    assert 'data-chart="scatter"' in shown.text
    fidelity = shown.text[shown.text.index('id="fidelity"') : shown.text.index('id="limits"')]
    assert "member" in fidelity
    assert "pass no" not in fidelity
    same = [[row["value"] for row in rows if row["section"] == "dcr"] for rows in (result, without)]
    assert same[0] == same[1] != []


@pytest.mark.nightly
def test_what_is_asked_for_stands_beside_the_holdout(shared, tables, page, tmp_path):
    for section in ("learned", "singled", "anonymity"):
        assert f'id="{section}"' in page.text
    assert page.text.count("Not measured") >= 3
    options = {"quasi_identifiers": ["age"], "targets": ["member"], "sensitive": ["member"], "risks": True, "k": 2}
    attack = {
        "known": ["age"],
        "secrets": ["income", "member"],
        "other": [HOSTILE],
        "weights": {"income": 2.0},
        **QUICK,
    }
    options |= {"threshold": [0.1, 0.5], "metric": "euclidean"}
    shown, result = written(shared, tmp_path, *tables.values(), **options, **attack)
    # It gives what `evaluate` gives.
    direct = shared.evaluate(*tables.values(), **options, **attack)
    assert (result.name, result.columns, result.types) == (direct.name, direct.columns, direct.types)
    for row, wanted in zip(result.fetchall(), direct.fetchall(), strict=True):
        assert row == pytest.approx(wanted, nan_ok=True)
    rows = {(row["metric"], row["variant"], row["statistic"]): row for row in result.to_arrow().to_pylist()}
    words_ = "".join(shown.words)
    for metric, variant, statistics in (
        ("disclosure", "member", ("correct_disclosures", "correct_disclosures_control", "correct_disclosures_excess")),
        ("attribute_inference", "income", ("rate", "control", "risk")),
        ("linkability", "k 5", ("rate", "control", "risk")),
        ("singling_out", None, ("rate", "control", "risk")),
        ("hit_rate", None, ("share", "control", "excess")),
    ):
        line = [words.percent(rows[metric, variant, statistic]["value"]) for statistic in statistics]
        assert "".join(line) in words_, metric
    assert words.interval(type("Ends", (), rows["singling_out", None, "risk"])) in words_
    assert {"sql-disclosure", "sql-attribute_inference", "sql-linkability", "sql-singling_out"} <= set(shown.ids())
    assert len(shown.all("script")) == 2


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.nightly)])
def test_the_sql_that_it_shows_runs(shared, page, every):
    calls, texts = page.sql[::2], page.sql[1::2]
    assert len(calls) == len(texts) == 15
    for call, text in zip(calls[::every], texts[::every], strict=True):
        if "baseline" not in call:
            rows = [shared.connection.sql(query).fetchall() for query in (call, text)]
            assert rows[0]
            assert len(rows[0]) == len(rows[1])


def test_no_secret_of_a_query_stands_in_the_page(shared, tables, tmp_path):
    """The page is made to be passed on, and a table may be given as a query that holds a password."""
    create(shared, made=tables["synthetic"], seen=tables["train"])
    train = "(SELECT * FROM seen WHERE 'host=h password=hunter2 user=u' <> 'https://h/x?sig=hunter2&se=1')"
    written(shared, tmp_path, "made", train, **QUICK)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "hunter2" not in page
    assert "password=***" in page
    with pytest.raises(errors.SynthprivError) as raised:
        shared.dcr("made", train.replace("seen", "nowhere"))
    assert "hunter2" not in str(raised.value)


def test_the_sql_that_it_shows_takes_the_options_that_it_means(page):
    of = {call.partition("synthpriv.")[2].partition("(")[0]: call for call in page.sql[::2]}
    # Other functions have a k as well, which counts neighbors.
    assert [name for name, call in of.items() if "k :=" in call] == ["discernibility", "evaluate"]


@pytest.mark.nightly
def test_without_holdout_and_quasi_identifiers_it_says_so(shared, tables, tmp_path):
    page, _ = written(shared, tmp_path, tables["synthetic"], tables["train"])
    text = " ".join(page.words)
    assert "no holdout was given" in text
    assert "no quasi-identifiers were given" in text
    assert "closer" not in [attributes.get("data-chart") for _, attributes in page.tags]


@pytest.mark.usefixtures("without_sql")
@pytest.mark.one_in(3)
@pytest.mark.parametrize(("synthetic", "train"), [(1, 1), (1, 2), (3, 1)])
def test_tables_of_a_row_or_two(shared, tmp_path, synthetic, train):
    tables = [pa.table({"x": [1.0] * rows}) for rows in (synthetic, train)]
    page, _ = written(shared, tmp_path, *tables, quasi_identifiers=["x"])
    assert len(page.all("h1")) == 1


def test_an_option_that_it_has_not_is_told_as_its_own(shared, tables, tmp_path):
    with pytest.raises(errors.OptionError, match=r'report: there is no option "atack".*"attack"'):
        shared.report(tmp_path / "report.html", **tables, atack="uniques")


@pytest.mark.nightly
def test_the_baseline_beside_it(shared, tables, tmp_path):
    page, _ = written(shared, tmp_path, tables["synthetic"], tables["train"], baseline=True, threshold=0.33)
    drawn = [attributes["data-chart"] for _, attributes in page.tags if "data-chart" in attributes]
    at = drawn.index("baseline")
    assert drawn[at : at + 3] == ["baseline", "areas", "thresholds"]


@pytest.mark.slow
def test_areas_of_the_baseline_are_those_of_distances(shared, tables):
    pair = {"synthetic": tables["synthetic"], "train": tables["train"]}
    stops = [0.1, 0.5]
    rows = shared.call(catalog.part("page_baseline"), **pair, p=[0.0], threshold=stops).to_arrow().to_pylist()
    # The baseline of p = 0 is train itself, so the largest distance of all is synthetic's.
    distances = np.array(shared.mda_distances(pair["synthetic"], pair["train"])["distance"])
    x = distances / distances.max()
    found = {(row["p"], row["threshold"]): (row["privacy"], row["resemblance"]) for row in rows}
    for t in stops:
        assert found[0.0, t] == (0.0, 1.0)
        expected = (1 - np.maximum(1 - x / t, 0).mean(), np.minimum((1 - x) / (1 - t), 1).mean())
        assert found[None, t] == pytest.approx(expected)


@pytest.mark.nightly
def test_its_size_does_not_follow_that_of_the_tables(shared, tmp_path):
    random = np.random.default_rng(4)
    sizes = []
    for rows in (200, 20_000):
        synthetic, train = (pa.table({"x": random.normal(size=rows), "y": random.normal(size=rows)}) for _ in range(2))
        sizes.append(len(written(shared, tmp_path, synthetic, train)[0].text))
    assert sizes[1] < 1.2 * sizes[0] < 1_000_000


def test_nothing_is_written_where_it_cannot_be(shared, tables, tmp_path):
    with pytest.raises(errors.WriteError, match="no folder"):
        shared.report(tmp_path / "absent" / "report.html", tables["synthetic"], tables["train"])
    with pytest.raises(errors.UnknownColumn):
        shared.report(tmp_path / "report.html", tables["synthetic"], tables["train"], quasi_identifiers=["nobody"])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("missing", ["jinja2", "vl_convert"])
def test_what_is_missing_is_named(shared, tables, tmp_path, monkeypatch, missing):
    for name in [name for name in sys.modules if name.startswith("synthpriv_sql.report")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(errors.OptionError, match=rf"{missing}.*synthpriv-sql\[report\]"):
        shared.report(tmp_path / "report.html", tables["synthetic"], tables["train"])
    # What an evaluation says is there without the page.
    monkeypatch.setitem(sys.modules, "markupsafe", None)
    assert importlib.import_module("synthpriv_sql.report.evaluation").Evaluation


# The data of the charts


def page_rows(session, **given):
    return session.call(catalog.part("page"), **given).to_arrow().to_pylist()


def test_people_named_come_first_and_with_how_many_by_chance(page, shared, tables):
    text = " ".join(" ".join(page.words).split())
    measured = Measured(page_rows(shared, **tables))
    named = rows_of(shared.exposure(*tables.values()))
    assert text.index("People identified as members of train") < text.index("Exact copies")
    easily = rows_of(shared.exposure(*tables.values(), attack=["uniques", "learned"]))
    q_values = {row["record"]: row["q_value"] for row in easily}
    top = sorted(named, key=lambda row: (q_values[row["record"]], -row["score"], row["record"]))[:10]
    assert [(p.record, p.synthetic, p.bits, p.q_value) for p in measured.people] == [
        (row["record"], row["synthetic"], row["score"], q_values[row["record"]]) for row in top
    ]
    agreeing = [[item["column"] for item in row["agreeing"]] for row in top]
    assert [list(person.agreeing) for person in measured.people] == agreeing
    listed = {}
    for row in rows_of(shared.uniques(*tables.values())):
        if row["side"] == "train":
            listed.setdefault(row["record"], []).append(row)
    assert any(person.unique for person in measured.people)
    for person in measured.people:
        first = listed.get(person.record, [None])[0]
        shown = person.unique and (person.unique.columns, person.unique.synthetic, person.unique.also)
        assert shown == (first and (", ".join(first["columns"]), first["synthetic"], first["also"]))
        if shown:
            assert f"; {shown[2]} synthetic record{'s have' if shown[2] > 1 else ' has'} it" in text
    apart = sum(p.unique.also == 1 and p.unique.synthetic != p.synthetic for p in measured.people if p.unique)
    assert text.count("That is another one than the one responsible.") == apart
    bits = [one for one in measured.of(Bin) if (one.metric, one.comparison) == ("bits", "train")]
    assert sum(one.share for one in bits) == pytest.approx(1)
    rates = [rate for rate in measured.of(Rate) if rate.true_positive_rate is not None]
    assert {rate.attack for rate in rates} == {"distance", "density", "agreement", "agreement_near", "uniques"}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"order": "x", "unit": "x"}, "takes no order"),
    ],
)
def test_what_the_page_is_not_about(shared, tables, tmp_path, options, words):
    with pytest.raises(errors.OptionError, match=words):
        shared.report(tmp_path / "report.html", tables["synthetic"], tables["train"], **options)
    assert list(tmp_path.iterdir()) == []


def test_what_was_not_measured_says_what_to_ask_for(page):
    boxes = re.findall(r'<p class="absent">(.*?)</p>', page.text)
    # What was measured and is not shown says why; nobody is to be asked for it.
    missing = [box for box in boxes if not box.startswith("Not shown, because the verdict does not stand behind it")]
    assert len(missing) >= 4
    for box in missing:
        assert not re.search(r"<code>|=|--|\[", box), box
        assert "engineer" in box
