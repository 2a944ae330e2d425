"""The report page: complete, one file, harmless whatever the tables hold, silent about real values, and right."""

import importlib
import math
import re
import sys
from html.parser import HTMLParser

import numpy as np
import pyarrow as pa
import pytest
from calls import ROOT, cli, create, rows_of
from suites import only_where_tested

from synthpriv_sql import errors
from synthpriv_sql.language import numbers as words
from synthpriv_sql.planner.headers import catalog

pytest.importorskip("vl_convert", reason="the extra `report` is not installed")

from synthpriv_sql.planner.headers.files import CsvFile
from synthpriv_sql.report import regulation
from synthpriv_sql.report.build import _sheets, breakable
from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.verdict.words import verdict

only_where_tested("page")

HOSTILE = '</script><script>alert("1")</script>{{ 7 * 1337 }}<img src=x onerror=alert(1)>'
SECRET = "Zuleika of Zanzibar"


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


@pytest.fixture(scope="module")
def tables():
    train, holdout = people(60, 1, secret=True), people(50, 2)
    return {"synthetic": pa.concat_tables([people(40, 3), train.slice(0, 6)]), "train": train, "holdout": holdout}


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
def page(shared, tables, tmp_path_factory):
    options = {"quasi_identifiers": ["age", HOSTILE], "k": 3}
    return written(shared, tmp_path_factory.mktemp("page"), *tables.values(), **options)[0]


def test_it_is_one_file_without_network(page):
    assert not page.all("iframe") + page.all("img") + page.all("object")
    assert all("src" not in script for script in page.all("script"))
    assert [link["href"] for link in page.all("link")] == ["data:,"]
    sources = {"https://arxiv.org/abs/2505.01524", regulation.OPINION, regulation.CONSENSUS, regulation.ICO}
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
    assert names == ["bits", "roc", "zero", "closer", "dcr", "nndr_second", "classes", "mda", "marginals", "pairs"]
    assert all(attributes["role"] == "img" and attributes["aria-label"] for attributes in drawn)
    assert len(page.all("svg")) == 2 * len(names)


def test_values_of_records_are_shown_only_when_asked_for(shared, tables, page, tmp_path):
    assert SECRET not in page.text
    # A column that only the holdout has, and one that names records: both are left out everywhere.
    named = {
        side: t.append_column("pass no", pa.array([f"{side} {i}" for i in range(len(t))])) for side, t in tables.items()
    }
    named["holdout"] = named["holdout"].append_column("late", named["holdout"]["age"])
    shown, result = written(
        shared, tmp_path, *named.values(), show_values=True, exclude=["late"], identifiers="exclude"
    )
    assert SECRET in shown.text
    assert len(shown.all("script")) == 2
    assert 'data-chart="scatter"' in shown.text
    fidelity = shown.text[shown.text.index('id="fidelity"') : shown.text.index('id="limits"')]
    assert "member" in fidelity
    assert "pass no" not in fidelity
    same = [[row["value"] for row in rows if row["section"] == "dcr"] for rows in (result, shared.evaluate(**tables))]
    assert same[0] == same[1]


def test_it_gives_what_evaluate_gives(shared, tables, tmp_path):
    options = {
        "quasi_identifiers": ["age"],
        "k": 2,
        "threshold": [0.1, 0.5],
        "metric": "euclidean",
        "exclude": ["member"],
    }
    _, result = written(shared, tmp_path, *tables.values(), **options)
    direct = shared.evaluate(*tables.values(), **options)
    assert result.name == direct.name
    assert (result.columns, result.types) == (direct.columns, direct.types)
    for row, wanted in zip(result.fetchall(), direct.fetchall(), strict=True):
        assert row == pytest.approx(wanted, nan_ok=True)


def test_what_is_asked_for_stands_beside_the_holdout(shared, tables, page, tmp_path):
    for section in ("learned", "singled", "anonymity"):
        assert f'id="{section}"' in page.text
    assert page.text.count("Not measured") >= 3
    options = {"quasi_identifiers": ["age"], "targets": ["member"], "sensitive": ["member"], "risks": True}
    attack = {"known": ["age"], "secrets": ["income", "member"], "other": [HOSTILE], "weights": {"income": 2.0}}
    shown, result = written(shared, tmp_path, *tables.values(), **options, **attack)
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


def test_the_sql_that_it_shows_runs(shared, tables, tmp_path):
    create(shared, made=tables["synthetic"], seen=tables["train"], unseen=tables["holdout"])
    page, _ = written(shared, tmp_path, "made", "seen", "unseen", quasi_identifiers=["age"], k=2)
    calls, texts = page.sql[::2], page.sql[1::2]
    assert len(calls) == len(texts) == 14
    for call, text in zip(calls, texts, strict=True):
        if "baseline" not in call:
            rows = [shared.connection.sql(query).fetchall() for query in (call, text)]
            assert rows[0]
            assert len(rows[0]) == len(rows[1])


def test_no_secret_of_a_query_stands_in_the_page(shared, tables, tmp_path):
    """The page is made to be passed on, and a table may be given as a query that holds a password."""
    create(shared, made=tables["synthetic"], seen=tables["train"])
    train = "(SELECT * FROM seen WHERE 'host=h password=hunter2 user=u' <> 'https://h/x?sig=hunter2&se=1')"
    written(shared, tmp_path, "made", train)
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


def test_without_holdout_and_quasi_identifiers_it_says_so(shared, tables, tmp_path):
    page, _ = written(shared, tmp_path, tables["synthetic"], tables["train"])
    text = " ".join(page.words)
    assert "no holdout was given" in text
    assert "no quasi-identifiers were named" in text
    assert "closer" not in [attributes.get("data-chart") for _, attributes in page.tags]


@pytest.mark.parametrize(("synthetic", "train"), [(1, 1), (1, 2), (3, 1)])
def test_tables_of_a_row_or_two(shared, tmp_path, synthetic, train):
    tables = [pa.table({"x": [1.0] * rows}) for rows in (synthetic, train)]
    page, _ = written(shared, tmp_path, *tables, quasi_identifiers=["x"])
    assert len(page.all("h1")) == 1


def test_the_baseline_beside_it(shared, tables, tmp_path):
    page, _ = written(shared, tmp_path, tables["synthetic"], tables["train"], baseline=True, threshold=0.33)
    drawn = [attributes["data-chart"] for _, attributes in page.tags if "data-chart" in attributes]
    at = drawn.index("baseline")
    assert drawn[at : at + 3] == ["baseline", "areas", "thresholds"]


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


def test_the_command_line_writes_it(tmp_path):
    files = []
    for name, seed in (("synthetic", 1), ("train", 2)):
        path = tmp_path / f"{name}.csv"
        path.write_text("x\n" + "\n".join(map(str, np.random.default_rng(seed).normal(size=30))))
        files += [f"--{name}", str(path)]
    for command in ("report", "evaluate"):
        path = tmp_path / f"{command}.html"
        assert cli(command, *files, "--html", str(path))[0] == 0
        assert Page(path.read_text()).all("svg")


# The data of the charts


def page_rows(session, **given):
    return session.call(catalog.part("page"), **given).to_arrow().to_pylist()


def test_bins_hold_every_record_once(shared, tables):
    rows = page_rows(shared, **tables)
    for comparison, queries in (("synthetic_train", "synthetic"), ("holdout_train", "holdout")):
        found = [row for row in rows if (row["item"], row["metric"], row["variant"]) == ("bin", "dcr", comparison)]
        distances = [row["dcr"] for row in rows_of(shared.dcr(tables[queries], tables["train"]))]
        assert sum(row["value"] for row in found) == pytest.approx(1)
        for row in found:
            upper = math.inf if row["upper"] is None else row["upper"]
            inside = sum(row["lower"] < d < upper for d in distances)
            edges = sum(d in {row["lower"], upper} for d in distances)
            assert inside <= round(row["value"] * len(distances)) <= inside + edges


def test_riskiest_records_are_the_nearest_with_what_agrees(shared, tables):
    measured = Measured(page_rows(shared, **tables))
    found = rows_of(shared.dcr(tables["synthetic"], tables["train"]))
    copied = {row["record"] for row in rows_of(shared.copies(tables["synthetic"], tables["train"])) if row["copies"]}
    assert {risk.record for risk in measured.risks["copy"]} == copied
    others = sorted((row["dcr"], row["record"]) for row in found if row["record"] not in copied)
    assert [risk.dcr for risk in measured.risks["near"]] == [dcr for dcr, _ in others[:10]]
    synthetic, train = tables["synthetic"].to_pylist(), tables["train"].to_pylist()
    for risk in measured.risks["near"]:
        pair = synthetic[risk.record], train[risk.neighbor]
        assert list(risk.agreeing) == [name for name in pair[0] if pair[0][name] == pair[1][name]]
        assert not risk.values


def test_class_sizes_add_up_to_the_table(shared, tables):
    rows = [r for r in page_rows(shared, **tables, quasi_identifiers=["age"]) if r["item"] == "class"]
    sizes = {row["age"]: 0 for row in tables["train"].to_pylist()}
    for row in tables["train"].to_pylist():
        sizes[row["age"]] += 1
    of_train = [row for row in rows if row["variant"] == "train"]
    for row in of_train:
        assert row["value"] == sum(size for size in sizes.values() if row["lower"] <= size <= row["upper"])
    assert sum(row["value"] for row in of_train) == 60


# Words


def number(metric, statistic, value, variant=None, lower=None, upper=None):
    row = {"item": "number", "section": metric, "metric": metric, "variant": variant, "statistic": statistic}
    return row | {"value": value, "lower": lower, "upper": upper, "better": None, "meaning": ""}


def counted(metric, count, share, usual):
    """A share of 1,000 records that is `usual` in the holdout; an excess of half a point is sure."""
    excess = share - usual
    return [
        number(metric, count, 1000 * share),
        number(metric, "share", share, lower=max(0.0, share - 0.005), upper=share + 0.005),
        number(metric, "expected", usual, lower=max(0.0, usual - 0.005), upper=usual + 0.005),
        number(metric, "excess", excess, lower=excess - 0.005, upper=excess + 0.005),
        number(metric, "p_value", 1e-6 if excess > 0.005 else 0.5),
    ]


def judged(
    copies=0.0,
    usual=0.0,
    shares=(0.5, 0.5, None),
    p_values=(0.3, 0.3, 1.0),
    held=0.0,
    band=3.0,
    people=1000.0,
    holdout=True,
    overlap=0.0,
    same=0.0,
    names=(),
    exposed=0.0,
    auc=0.5,
    learned_auc=0.5,
    learned=None,
    singled=None,
    noticed=0.54,
    differs=None,
    control=0.5,
    others=(),
):
    """The verdict on 1,000 synthetic records; ``shares`` and ``p_values`` are of all, near ones and copies."""
    found = [
        number("tables", "rows", 1000.0, "synthetic"),
        number("tables", "rows", people, "train"),
        number("identifiers", "columns", len(names)),
        *(number("identifiers", "distinct", 1.0, name) for name in names),
        *counted("copies", "records", copies, usual),
        *counted("near_copies", "records", 0.05, 0.05),
        *counted("screen", "flagged", copies + 0.05, 0.05),
        number("dcr", "band", band, "holdout" if holdout else "train"),
        number("dcr", "difference_percent", 5.0, "holdout" if holdout else "train"),
    ]
    if not holdout:
        found = [n for n in found if n["statistic"] not in {"excess", "p_value"}]
        return verdict(Measured(found))
    found += [number("tables", "rows", people, "holdout"), *counted("holdout", "overlap", overlap, 0.0)]
    for depth, share, p_value in zip((None, "near", "copies"), shares, p_values, strict=True):
        lower, upper = (None, None) if share is None else (share - 0.01, share + 0.01)
        found += [
            number("holdout_share", "share", share, depth, lower=lower, upper=upper),
            number("holdout_share", "expected", 0.5, depth),
            number("holdout_share", "p_value", p_value, depth),
            number("holdout_share", "closer", 1000.0 * (share or 0.0), depth),
            number("holdout_share", "further", held if depth == "copies" else 0.0, depth),
        ]
    found += [
        number("holdout", "same", same),
        number("exposure", "exposed", exposed),
        number("exposure", "exposed", exposed, "uniques"),
        number("exposure", "exposed", 0.0, "learned"),
        number("exposure", "share", exposed / 1000),
        number("exposure", "by_chance", 0.05 * exposed),
        number("exposure", "people", people),
        number("exposure", "least", 40.0),
        number("membership", "noticed", noticed),
        number("split", "auc", control, lower=control - 0.01, upper=control + 0.01),
        {**number("split", "differs", float(differs is not None)), "meaning": differs or ""},
        *({**number("split", "differs", 1.0, name), "meaning": why} for name, why in others),
    ]
    for attack, area in (("agreement", auc), ("learned", learned_auc)):
        found += [
            number("membership", "auc", area, attack, lower=area - 0.01, upper=area + 0.01),
            number("membership", "p_value", 1e-6 if area > 0.51 else 0.5, attack),
        ]
    if learned is not None:
        found += [number("attribute_inference", "risk", r, f"column {i}", lower=r - 0.02, upper=r + 0.02)
                  for i, r in enumerate(learned)]  # fmt: skip
    if singled is not None:
        found.append(number("singling_out", "risk", singled, lower=singled - 0.02, upper=singled + 0.02))
    return verdict(Measured([n | {"statistic": {"excess": "overlap_excess"}.get(n["statistic"], n["statistic"])}
                             if n["metric"] == "holdout" else n for n in found]))  # fmt: skip


CLOSER = "This table comes closer to real records than it should."
NOTHING = "The attacks tried name nobody of 1,000; a leak that concerns fewer than 40 of them would have been missed."
TOLD = "Who was in the training data can be told better than by guessing."
LEARNED = "More can be learned of people who were in the data than of others."
BELOW = (
    "This table is closer to the holdout than to train: the two are swapped, the synthesizer saw the holdout, or rows "
    "near train were taken out."
)
NEAR = "This table contains near-copies of real records."
REAL = "This table contains real records."
COPIES = "{} synthetic records equal a real one, where fewer than one would by chance."
ALONE = "Nothing was compared with people whom the synthesizer never saw, so whether it leaks cannot be told."
OTHERS = "The values of job in synthetic are not those of real rows, so a leak may hide behind them."
JOB = ("job", "6.1 % of the holdout's values never occur in train, 0.1 % expected")
BLANKS = f"Nothing can be said: train and holdout differ in job ({JOB[1]})."
NAMED = "15 of 1,000 people can be told to have been in the training data."


@pytest.mark.parametrize(
    ("numbers", "level", "headline"),
    [
        ({}, "good", NOTHING),
        # All attacks and depths are tested together (Holm).
        ({"shares": (0.55, 0.5, None), "p_values": (1e-6, 0.3, 1.0)}, "bad", "This table leaks."),
        ({"shares": (0.55, 0.5, None), "p_values": (5e-4, 0.3, 1.0)}, "watch", CLOSER),
        ({"shares": (0.55, 0.5, None), "p_values": (5e-3, 0.3, 1.0)}, "good", NOTHING),
        ({"shares": (0.5, 0.7, None), "p_values": (0.3, 1e-6, 1.0)}, "bad", NEAR),
        ({"copies": 0.05, "shares": (0.5, 0.5, 1.0), "p_values": (0.3, 0.3, 1e-9)}, "bad", REAL),
        (
            {"copies": 0.05, "shares": (0.5, 0.7, 1.0), "p_values": (0.3, 1e-6, 1e-9)},
            "bad",
            "This table contains real records, and near-copies of others.",
        ),
        ({"copies": 0.006}, "watch", COPIES.format(6)),
        # Attacks find what distances do not.
        ({"exposed": 15.0}, "bad", NAMED),
        ({"exposed": 15.0, "copies": 0.05}, "bad", NAMED),
        ({"auc": 0.72}, "bad", TOLD),
        ({"auc": 0.53}, "bad", TOLD),
        ({"auc": 0.53, "learned_auc": 0.53, "control": 0.53}, "good", NOTHING),
        # What is learned of people because they were in the data; of several numbers one is large by chance.
        ({"learned": [0.3, 0.0]}, "bad", LEARNED),
        ({"learned": [0.022, 0.0], "singled": 0.0}, "good", NOTHING),
        ({"learned": [0.024, *[0.0] * 9]}, "good", NOTHING),
        ({"singled": 0.93}, "bad", LEARNED),
        # What coincides in the holdout as well is not copied.
        ({"copies": 0.411, "usual": 0.424}, "good", NOTHING),
        # Bands are a convention, and no evidence: neither against a table nor for it.
        ({"band": 1.0}, "good", NOTHING),
        ({"band": None}, "good", NOTHING),
        # Below chance is never good, and what learns from labels finds that too.
        ({"shares": (0.4, 0.5, None), "p_values": (1e-6, 0.3, 1.0)}, "none", BELOW),
        ({"shares": (0.4, 0.5, 0.0), "p_values": (1e-6, 0.3, 1e-6), "held": 40.0, "learned_auc": 0.8}, "none", BELOW),
        ({"auc": 0.44, "learned_auc": 0.6}, "none", BELOW),
        ({"auc": 0.44, "exposed": 15.0}, "bad", NAMED),
        # What is in the way of an answer.
        ({"names": ["id"]}, "none", "Identifiers are compared, so copies cannot be seen."),
        ({"overlap": 0.5}, "none", "The holdout holds rows of train, so a leak may hide behind them."),
        ({"overlap": 0.5, "exposed": 15.0}, "bad", NAMED),
        ({"same": 1.0, "exposed": 15.0}, "none", "The holdout is the table given as train, so nothing can be said."),
        ({"differs": "1 column", "others": [JOB], "exposed": 15.0}, "none", BLANKS),
        ({"differs": "1 column", "others": [JOB], "auc": 0.7, "control": 0.9}, "none", BLANKS),
        ({"differs": "1 column", "others": [JOB], "auc": 0.7}, "bad", TOLD),
        ({"others": [JOB]}, "none", OTHERS),
        ({"people": 90.0}, "none", "Too few records for a statement."),
        ({"noticed": 0.63}, "none", "Too few people to see a leak of less than an AUC of 0.63."),
        ({"holdout": False}, "none", ALONE),
        ({"holdout": False, "copies": 0.16}, "watch", COPIES.format(160)),
    ],
)  # fmt: skip
def test_the_verdict_is_as_bad_as_the_worst_finding(numbers, level, headline):
    found = judged(**numbers)
    assert (found.level, found.headline) == (level, headline)
    assert "equal a real one" in found.sentence
    assert [finding.level for finding in found.findings if finding.section == "distance"] == [""]
    assert bool(found.cautions) == bool({"names", "overlap", "same", "people"} & numbers.keys())
    assert ("equal one of the holdout" in found.sentence) == ("held" in numbers)


def test_it_says_when_attacks_and_distances_disagree():
    assert "The attacks succeed although copies and distances show nothing" in judged(exposed=15.0).disagreement
    assert "may hide a copied part of the records: dimension_columns" in judged(exposed=15.0).disagreement
    assert "band of DCR is high" in judged(auc=0.72).disagreement
    assert judged(exposed=15.0, copies=0.05).disagreement == ""
    near = judged(shares=(0.5, 0.7, None), p_values=(0.3, 1e-6, 1.0))
    assert "these attacks name nobody by them" in near.disagreement
    assert "which nothing else confirms" in judged(band=1.0).disagreement
    assert judged(band=1.0, holdout=False).disagreement == ""
    assert judged().disagreement == ""


def test_it_says_what_to_do_next():
    assert judged().next_steps == []
    assert "safe with until_safe" in " ".join(judged(exposed=15.0).next_steps)
    assert "give them as holdout" in " ".join(judged(holdout=False).next_steps)
    assert "by lot from the same rows" in " ".join(judged(differs="1 column", others=[JOB]).next_steps)
    assert "what the synthesizer saw" in " ".join(judged(auc=0.44).next_steps)
    assert "as key, or exclude them" in " ".join(judged(names=["id"]).next_steps)


def test_people_named_come_first_and_with_how_many_by_chance(page, shared, tables):
    text = " ".join(" ".join(page.words).split())
    measured = Measured(page_rows(shared, **tables))
    named = rows_of(shared.exposure(*tables.values()))
    assert text.index("People who can be told to have been in train") < text.index("Exact copies")
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
    bits = [row for row in measured.items("bits") if row["variant"] == "train"]
    assert sum(row["value"] for row in bits) == pytest.approx(1)
    rates = [row for row in measured.items("roc") if row["value"] is not None]
    assert {row["variant"] for row in rates} == {"distance", "density", "agreement", "agreement_near", "uniques"}


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "—"),
        (0.0, "0"),
        (5000, "5,000"),
        (0.5, "0.5000"),
        (0.053456, "0.05346"),
        (123456.78, "123,457"),
        (1.234e-7, "1.23 × 10⁻⁷"),
        (math.inf, "∞"),
        (-2, "−2"),
    ],
)
def test_numbers(value, shown):
    assert words.number(value).replace("\u202f", " ") == shown


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (None, "—"),
        (0, "0 %"),
        (1, "100 %"),
        (0.5, "50 %"),
        (0.6892, "68.9 %"),
        (0.00077, "0.077 %"),
        (1e-7, "0.00001 %"),
    ],
)
def test_shares(share, shown):
    assert words.percent(share).replace("\u202f", " ") == shown


def luminance(color):
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_text_and_marks_stand_out_in_light_and_dark():
    css = (ROOT / "synthpriv_sql" / "report" / "static" / "page.css").read_text()
    blocks = re.findall(r":root[^{]*\{([^}]*--page[^}]*)\}", css)
    light, dark, chosen = (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block)) for block in blocks)
    assert dark == chosen
    for of in (light, dark):
        for ground in ("page", "surface", "sunken"):
            for text in ("ink-1", "ink-2", "accent"):
                assert contrast(of[text], of[ground]) >= 4.5, (text, ground)
            for mark in ("synthetic", "holdout", "train"):
                assert contrast(of[mark], of[ground]) >= 2.7, (mark, ground)
        for level in ("good", "watch", "bad", "none"):
            assert contrast(of[level], of[f"{level}-bg"]) >= 4.5, level


def test_records_are_called_by_their_key(shared, tmp_path):
    keyed = people(30, 1).append_column("member_id", pa.array([f"m{i}" for i in range(30)]))
    create(shared, keyed=keyed, strangers=people(30, 2))
    page, _ = written(shared, tmp_path, "keyed", "keyed", "strangers", key="member_id")
    assert "Records are named by their member_id" in page.shown()
    assert ">m3<" in page.text
    page, _ = written(shared, tmp_path, "strangers", "keyed", key="member_id")
    assert "named by their member_id in train, and by their position" in page.shown()


def test_a_name_breaks_after_underscores():
    assert str(breakable("a__long_<b>.c")) == "a__<wbr>long_<wbr>&lt;b&gt;.<wbr>c"


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
    assert len(boxes) >= 4
    for box in boxes:
        assert not re.search(r"<code>|=|--|\[", box), box
        assert "engineer" in box


def test_records_count_from_1_and_stand_beside_their_row_in_excel(tmp_path):
    assert Measured([]).called("train", 0) == "1"
    assert Measured([], {"train": 2}).called("train", 1_233) == "1,234 (Excel: 1,235)"
    key = {"item": "key", "variant": "train", "record": 0, "meaning": "m7"}
    assert Measured([key], {"train": 2}).called("train", 0) == "m7"
    headed, bare = tmp_path / "headed.csv", tmp_path / "more.csv"
    headed.write_text("x\n1\n")
    bare.write_text("1\n")
    assert _sheets({"synthetic": str(headed), "train": "train"}, ["x"]) == {"synthetic": 2}
    assert _sheets({"synthetic": str(tmp_path / "*.csv"), "train": str(bare)}, ["column0"]) == {"train": 1}
    said = CsvFile(str(bare), {"header": True, "skip": 3})
    assert _sheets({"train": said}, ["column0"]) == {"train": 5}
    assert _sheets({"synthetic": pa.table({}), "train": tmp_path / "a.parquet"}, ["x"]) == {}
