"""Month after month: a history of runs, its gate, what became worse, and what other programs read of it."""

import hashlib
import json
import re
from dataclasses import replace
from importlib.util import find_spec
from unittest import mock
from xml.etree import ElementTree as ET

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from calls import DUCKDB, cli

import synthpriv_sql
from synthpriv_sql.errors import EngineError, WriteError
from synthpriv_sql.report.evaluation import Evaluation
from synthpriv_sql.results.checks import regression
from synthpriv_sql.results.checks.runs import runs_of

CHEAP = ["--attack=uniques", "--named-by=uniques"]
REGRESSION = "--require-no-regression"


def people(rng, rows=190):
    return {
        "income": rng.integers(0, 3000, rows),
        "visit": rng.integers(0, 900, rows),
        "city": rng.choice(list("abcdefgh"), rows),
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    rng, place = np.random.default_rng(7), tmp_path_factory.mktemp("months")
    tables = {name: people(rng) for name in ("train", "holdout", "may", "june", "july")}
    for name in tables["july"]:
        tables["july"][name][:40] = tables["train"][name][:40]
    for name, table in tables.items():
        pq.write_table(pa.table(table), place / f"{name}.parquet")
    return place


def evaluated(folder, month, *more):
    tables = [f"--{side}={folder / name}.parquet" for side, name in _sides(month)]
    return cli("evaluate", *tables, *CHEAP, *more)


def _sides(month):
    return ("synthetic", month), ("train", "train"), ("holdout", "holdout")


@pytest.fixture(scope="module")
def history(folder):
    """The history of two clean months and one with a leak, and what was said of each."""
    file = folder / "history.duckdb"
    said = [
        evaluated(folder, month, f"--output={file}", "--append", REGRESSION, f"--since={file}", "--apart")
        for month in ("may", "june", "july")
    ]
    return file, said


def test_a_clean_month_is_no_regression_and_a_leak_is(history):
    _, ((first, _, begun), (second, out, _), (third, leak, errors)) = history
    assert (first, second, third) == (0, 0, 1)
    assert "nothing to compare with" in begun
    assert "Since the run of" in out
    assert "the verdict is still" in out
    assert "none worse or better beyond chance" in " ".join(out.split())
    assert " worse" not in out.replace("none worse", "")
    assert "the verdict became worse" in leak
    assert leak.index("the verdict became worse") < leak.index("exposure.exposed") < leak.index("copies.share")
    assert [line.split(":")[1] for line in errors.splitlines() if "required" in line] == [
        " required the verdict is not worse",
        " required no number of the verdict is worse beyond chance",
        " required nobody is newly named",
    ]
    assert "not released: a condition is broken" in errors


def test_the_verdict_is_rows_that_sql_can_read(history):
    with duckdb.connect(str(history[0]), read_only=True) as connection:
        rows = connection.sql(
            "SELECT value, meaning FROM evaluate WHERE section = 'verdict' AND statistic = 'level' ORDER BY run_at"
        ).fetchall()
        headlines = connection.sql("SELECT count(*) FROM evaluate WHERE statistic = 'headline'").fetchall()
        types = connection.sql(
            "SELECT DISTINCT meaning FROM evaluate WHERE section = 'columns' AND variant = 'city'"
        ).fetchall()
    assert rows[-1] == (3.0, "bad")
    assert [level for _, level in rows[:2]] != ["bad", "bad"]
    assert (headlines, types) == ([(3,)], [("VARCHAR",)])
    runs = runs_of(history[0])
    assert [run.passed for run in runs] == [None, True, False]
    for run in runs:
        assert Evaluation.of(run.result).verdict.level == run.of_verdict("level")["meaning"]
        assert "verdict" not in run.result["section"]


def test_the_gate_checks_the_last_run_one_or_all(history):
    file = str(history[0])
    code, out, _ = cli("gate", file, "--require", "verdict.level<bad")
    assert (code, len(out.splitlines())) == (1, 1)
    assert "{" not in out
    runs = runs_of(history[0])
    for asked in ("2", "-2", runs[1].id[:8], runs[1].id):
        code, out, _ = cli("gate", file, "--require", "verdict.level<bad", REGRESSION, "--run", asked)
        assert (code, {line.split()[0] for line in out.splitlines()}) == (0, {"holds"}), asked
    code, out, _ = cli("gate", file, "--require", "verdict.level<bad", "--all-runs", REGRESSION)
    assert (code, out.count("verdict.level<bad"), out.count("nobody is newly named")) == (1, 3, 2)
    for more, said in (
        (["--run", "9"], "names no run"),
        (["--run", "20"], "no run"),
        (["--run", "1", "--all-runs"], "one of them"),
    ):
        code, _, errors = cli("gate", file, "--require", "verdict.level<bad", *more)
        assert (code, said in errors) == (2, True), more


@pytest.mark.nightly
def test_a_leak_after_a_leak_is_still_a_regression(history, folder):
    # The run that was stopped is not what the next one is compared with.
    code, _, errors = evaluated(folder, "july", f"--since={history[0]}", REGRESSION)
    assert (code, "the verdict is not worse" in errors) == (1, True)


@pytest.mark.nightly
def test_columns_and_types_must_stay(history, folder):
    table = pq.read_table(folder / "june.parquet")
    changed = table.set_column(0, "income", table["income"].cast(pa.float64())).append_column("new", table["city"])
    pq.write_table(changed, folder / "odd.parquet")
    code, _, errors = evaluated(folder, "odd", f"--since={history[0]}", REGRESSION, "--exclude=new")
    assert code == 1
    assert "synthetic.income BIGINT → DOUBLE, synthetic.new missing → VARCHAR" in errors


def test_a_smaller_sample_is_a_regression(history):
    run = runs_of(history[0])[0]

    def drawn(size):
        if size is None:
            return run
        drawn = {"metric": "tables", "variant": "synthetic", "statistic": "drawn", "value": float(size)}
        return replace(run, result=[*run.result, drawn])

    def broken(now, before):
        rows = regression._samples(drawn(now), drawn(before))
        return [row.found for row in rows if not row.holds]

    assert broken(None, None) == broken(None, 50) == broken(60, 50) == broken(50, 50) == broken(190, None) == []
    assert broken(50, 60) == ["a sample of 60 then, and a sample of 50 now"]
    assert broken(50, None) == ["190 records then, and a sample of 50 now"]


def test_a_line_for_each_run(history):
    code, out, _ = cli("history", str(history[0]), "--format", "json")
    lines = json.loads(out)
    assert code == 0
    assert [(line["run"], line["rows"], line["passed"]) for line in lines] == [
        (1, 190, None),
        (2, 190, True),
        (3, 190, False),
    ]
    assert [line["table"].rpartition("/")[2] for line in lines] == ["may.parquet", "june.parquet", "july.parquet"]
    assert (lines[2]["level"], lines[2]["attack"]) == ("bad", "uniques")
    assert lines[2]["named"] > 20 < lines[2]["at_least"]
    assert lines[2]["false_discovery"] == 0.05
    assert 0 < lines[0]["auc_lower"] < lines[0]["auc"] < lines[2]["auc"] < 1
    assert [line["sample"] for line in lines] == [None] * 3
    assert cli("history", str(history[0]))[1].count("parquet") == 3
    assert cli("history", str(history[0]), "--limit", "1")[1].count("parquet") == 1


SAMPLE = re.compile(
    r'([a-z_]+)(?:\{((?:[a-z_0-9]+="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (NaN|[+-]Inf|-?[0-9.]+(?:e[+-]?[0-9]+)?)'
)


def test_openmetrics_can_be_read(history, folder, tmp_path):
    file = tmp_path / "metrics.txt"
    assert evaluated(folder, "may", "--format=prometheus", f"--output={file}")[0] == 0
    for text in (cli("history", str(history[0]), "--format", "prometheus")[1], file.read_text()):
        *lines, end = text.splitlines()
        assert end == "# EOF"
        known, seen = "", set()
        for line in lines:
            if line.startswith("# TYPE "):
                _, _, known, kind = line.split()
                assert (kind, known in seen) == ("gauge", False)
                seen.add(known)
            elif not line.startswith(f"# HELP {known} "):
                name, _, value = SAMPLE.fullmatch(line).groups()
                assert name == known
                float(value)
        assert len({line.rpartition(" ")[0] for line in lines}) == len(lines)
        assert {"synthpriv_verdict_level", "synthpriv_number", "synthpriv_run_seconds"} <= seen
    assert re.search(r'synthpriv_verdict_level\{table="[^"]*may.parquet"\} [01]\.0', file.read_text())
    if find_spec("prometheus_client"):
        from prometheus_client.openmetrics.parser import text_string_to_metric_families

        assert list(text_string_to_metric_families(file.read_text()))


@pytest.mark.slow
def test_croissant_describes_the_synthetic_file(folder, tmp_path):
    file = tmp_path / "croissant.json"
    assert evaluated(folder, "may", "--format=croissant", f"--output={file}")[0] == 0
    found = json.loads(file.read_text())
    (table,) = found["distribution"]
    assert (table["contentUrl"], table["encodingFormat"]) == ("may.parquet", "application/vnd.apache.parquet")
    assert table["sha256"] == hashlib.sha256((folder / "may.parquet").read_bytes()).hexdigest()
    assert "train.parquet" not in file.read_text()
    (records,) = found["recordSet"]
    fields = {field["@id"] for field in records["field"]}
    assert {frozenset(row) for row in records["data"]} == {frozenset(fields)}
    assert records["data"][0]["evaluation/number"] == "verdict.level"
    assert records["data"][0]["evaluation/meaning"] in found["description"]
    if find_spec("mlcroissant"):
        from mlcroissant import Dataset

        assert len(list(Dataset(jsonld=str(file)).records("evaluation"))) == len(records["data"])


def test_junit_says_why_on_every_exit_code(history, folder, tmp_path, monkeypatch):
    file = tmp_path / "privacy.xml"
    junit = ["--format=junit", f"--output={file}"]
    code, _, errors = evaluated(
        folder, "july", *junit, "--require=verdict.level=good", f"--since={history[0]}", REGRESSION
    )
    suite = ET.parse(file).getroot()[0]
    failures = suite.findall("testcase/failure")
    assert (code, suite.get("failures"), len(failures)) == (1, "4", 4)
    assert float(suite.get("time")) > 0
    assert suite.find("properties/property").get("name").startswith("seconds: ")
    assert "can be identified" in failures[0].text
    assert "can be identified" in errors  # the verdict is shown beside the file
    failed = WriteError("the server went away")
    failed.transient = True
    for wrong, expected, said in (
        (["--no-such-option"], 2, "no-such-option"),
        (["--require=copies.share=0", "--exclude=none"], 2, '"none"'),
        (EngineError("out of memory"), 3, "out of memory"),
        (failed, 4, "the server went away"),
        (ZeroDivisionError("a value"), 3, "this is a fault of synthpriv"),
    ):
        file.unlink()
        more = ["--require=copies.share=0"] if isinstance(wrong, Exception) else wrong
        if isinstance(wrong, Exception):
            monkeypatch.setattr(synthpriv_sql.Session, "evaluate", mock.Mock(side_effect=wrong))
        code, _, errors = evaluated(folder, "may", *junit, *more)
        (error,) = ET.parse(file).getroot().iter("error")
        assert (code, error.get("type")) == (expected, f"exit code {expected}"), wrong
        assert said in error.get("message"), wrong
    code, _, _ = cli("gate", str(history[0]), "--require", "nothing", *junit)
    assert (code, ET.parse(file).getroot().get("errors")) == (2, "1")


@pytest.mark.slow
def test_junit_is_no_reason_to_lose_a_history(history, folder, tmp_path):
    file = tmp_path / "h.duckdb"
    code, out, _ = evaluated(
        folder, "may", f"--output={file}", "--append", "--format=junit", "--require=copies.records>=0"
    )
    assert (code, ET.fromstring(out).get("failures"), len(runs_of(file))) == (0, "0", 1)


def test_what_needs_an_earlier_evaluation_says_so(folder):
    for more, said in (
        ([REGRESSION], "--since"),
        (["--apart"], "--since FILE"),
        ([REGRESSION, "--since=x.parquet", "--group-by=city"], "whole tables"),
    ):
        code, _, errors = evaluated(folder, "may", *more)
        assert (code, said in errors) == (2, True), more


@pytest.mark.duckdb_1
def test_a_file_says_who_can_open_it(tmp_path):
    pq.write_table(pa.table({"a": [1, 2, 3]}), tmp_path / "t.parquet")
    copies = ["copies", f"--synthetic={tmp_path}/t.parquet", f"--train={tmp_path}/t.parquet"]
    for more, said in (([], DUCKDB > 1), (["--storage-version=v1.2.0"], False)):
        file = tmp_path / f"{len(more)}.duckdb"
        code, _, errors = cli(*copies, f"--output={file}", *more)
        assert (code, "DuckDB 1 cannot open it" in errors) == (0, said)
        with duckdb.connect(str(file)) as connection:
            ((tags,),) = connection.sql(
                "SELECT tags FROM duckdb_databases() WHERE NOT internal AND path IS NOT NULL"
            ).fetchall()
        assert not more or tags["storage_version"].startswith("v1.2.0")


def test_tables_are_bounded_wherever_they_go(tmp_path):
    pq.write_table(pa.table({"a": list(range(300))}), tmp_path / "t.parquet")
    copies = ["copies", f"--synthetic={tmp_path}/t.parquet", f"--train={tmp_path}/t.parquet"]
    _, out, errors = cli(*copies)
    assert (len(out.splitlines()), "200 of 300 rows are shown" in errors) == (202, True)
    for more, lines in ((["--limit=none"], 302), (["--format=csv"], 301), (["--limit=7"], 9)):
        assert len(cli(*copies, *more)[1].splitlines()) == lines, more
    assert cli(*copies, "--limit=-2")[0] == 2


def test_a_log_can_be_json(tmp_path):
    pq.write_table(pa.table({"a": [1, 2, 3]}), tmp_path / "t.parquet")
    tables = [f"--synthetic={tmp_path}/t.parquet", f"--train={tmp_path}/t.parquet"]
    _, _, errors = cli("dcr", *tables, "--log=info", "--log-format=json")
    lines = [json.loads(line) for line in errors.splitlines() if line.startswith("{")]
    assert lines[-1]["function"] == "dcr"
    assert lines[-1]["rows"] == 3
    assert sum(lines[-1]["parts"].values()) == pytest.approx(lines[-1]["seconds"], abs=0.01)
    assert {"time", "level", "logger", "message"} <= set(lines[0])
    assert lines[0]["part"]


@pytest.mark.slow
def test_changes_between_files_have_the_verdict_first(history, folder):
    files = [folder / f"{month}.{end}" for month, end in (("may", "numbers.parquet"), ("july", "numbers.csv"))]
    for file in files:
        assert evaluated(folder, file.name.partition(".")[0], f"--output={file}")[0] == 0
    with synthpriv_sql.connect() as session:
        rows = list(session.changes(str(files[1]), str(files[0]), apart=True))
    assert [row["section"] for row in rows[:2]] == ["verdict", "exposure"]
    assert (rows[0]["before"] < 3 == rows[0]["now"], rows[0]["became"]) == (True, "worse")
    assert {row["became"] for row in rows} == {"worse"}


@pytest.mark.nightly
def test_the_page_shows_the_trend(history, folder, tmp_path):
    page, german = tmp_path / "page.html", tmp_path / "german.html"
    kept = tmp_path / "h.duckdb"
    kept.write_bytes(history[0].read_bytes())
    asked = [f"--html={page}", f"--output={kept}", "--append"]
    assert evaluated(folder, "june", *asked)[0] == 0
    tables = [f"--{side}={folder / name}.parquet" for side, name in _sides("may")]
    found = cli("report", *tables, *CHEAP, f"--html={german}", f"--history={kept}", "--language=de")
    assert found[0] == 0, found
    for file, runs, title in ((page, 4, "Month after month"), (german, 5, "Monat für Monat")):
        text = file.read_text()
        section = text[text.index('<section id="trend"') :].partition("</section>")[0]
        assert title in section
        assert section.count(".<wbr>parquet") == runs
        assert 'data-chart="trend"' in section
        assert section.count('aria-label="') >= 2 * runs  # points at two widths
    assert evaluated(folder, "may", f"--html={page}")[0] == 0
    assert '<section id="trend"' not in page.read_text()


def test_fewer_names_at_a_lower_rate_are_no_improvement(shared):
    """The releases of a history share a false discovery rate: then more people have to be named together."""

    def evaluated_at(exposed, least):
        rows = {"section": "exposure", "metric": "exposure", "variant": None, "lower": None, "upper": None}
        told = {"exposed": (exposed, "lower"), "least": (least, None)}
        return pa.Table.from_pylist(
            [{**rows, "statistic": n, "value": float(v), "better": better} for n, (v, better) in told.items()],
            pa.schema([(n, pa.string()) for n in ("section", "metric", "variant", "statistic", "better")])
            .append(pa.field("value", pa.float64()))
            .append(pa.field("lower", pa.float64()))
            .append(pa.field("upper", pa.float64())),
        )

    for now, became in (((0, 131), "changed"), ((0, 33), "better"), ((0, 20), "better"), ((90, 131), "worse")):
        found = {row["statistic"]: row for row in shared.changes(evaluated_at(*now), evaluated_at(41, 33))}
        assert (found["exposed"]["became"], found["exposed"]["apart"]) == (
            became,
            None if became == "changed" else True,
        )
