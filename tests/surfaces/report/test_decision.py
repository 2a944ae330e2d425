"""One page to sign: every number on it is one of evaluate and says so, and it prints as one page."""

import hmac
import re
import shutil
import subprocess
from datetime import UTC, datetime
from io import BytesIO

import numpy as np
import pyarrow as pa
import pytest
from calls import ROOT, cli, recomputed

from synthpriv_sql.language import numbers
from synthpriv_sql.language.spoken import languages, speaking
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.report.decision.contents import About, decide, pieces
from synthpriv_sql.report.files import writer
from synthpriv_sql.report.verdict.replays import RATIO
from synthpriv_sql.results.result import Result

pytest.importorskip("vl_convert", reason="the extra `report` is not installed")
docx = pytest.importorskip("docx", reason="the extra `docx` is not installed")

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
SECRET = "Zuleika of Zanzibar"
FAST = {"attack": ["distance", "uniques"], "named_by": ["uniques"], "columns": ["age", "name", "income"]}


def people(rows, seed, secret=False):
    draw = np.random.default_rng(seed)
    names = [f"{SECRET} {i}" if secret and i % 5 == 0 else f"n{draw.integers(30)}" for i in range(rows)]
    return pa.table({"age": draw.integers(18, 90, rows), "name": names, "income": draw.lognormal(10, 1, rows).round(2)})


@pytest.fixture(scope="module")
def tables():
    train = people(160, 1, secret=True)
    return {
        "synthetic": pa.concat_tables([people(100, 3), train.slice(0, 40)]),
        "train": train,
        "holdout": people(150, 2),
    }


@pytest.fixture(scope="module")
def evaluations(shared, tables):
    """The rows of several evaluations: one that leaks, a careful one, and one without a holdout."""
    asked = {
        "leaks": tables,
        "careful": tables | {"synthetic": people(140, 5)},
        "alone": {k: v for k, v in tables.items() if k != "holdout"},
    }
    return {name: shared.evaluate(**given, **FAST).to_arrow().to_pylist() for name, given in asked.items()}


def about(*roles, name="{}", **options):
    return About(
        tables={role: name.format(role) for role in roles},
        hashes=dict.fromkeys(roles, "0123456789abcdef" * 4),
        made=datetime(2026, 11, 24, 9, 5, tzinfo=UTC),
        versions={"synthpriv_sql": "0.0", "DuckDB": "0.0"},
        options=options,
    )


def decided(rows, **given):
    roles = [row["variant"] for row in rows if (row["metric"], row["statistic"]) == ("tables", "rows")]
    return decide(rows, about(*roles, **given))


def called(row):
    return ".".join(part for part in (row["metric"], row["variant"], row["statistic"]) if part)


def shown(value):
    """The ways in which a page may write a number."""
    return {
        numbers.count(value),
        numbers.percent(value),
        numbers.number(value),
        *(numbers.decimals(value, digits) for digits in (2, 3)),
    }


@pytest.mark.parametrize("name", ["leaks", "careful", "alone"])
@pytest.mark.parametrize("language", languages())
def test_every_number_is_one_of_evaluate_and_carries_its_name(evaluations, name, language):
    rows = evaluations[name]
    with speaking(language):
        page = decided(rows)
        found = {called(row): row["value"] for row in rows}
        intervals = {called(row): row for row in rows}
        said = [page.headline, *page.reasons, *page.untested, page.missed, *page.steps]
        said += [text for row in page.rows for text in (row.found, row.otherwise)] + [row[2] for row in page.tables]
        marked = 0
        for text in said:
            for piece, mark in pieces(text):
                last = re.search(r"[\d.,−]*\d[\d.,]*(\u202f%)?(?= ?\(95|$)", piece) if mark else None
                if mark:
                    of = page.names[ord(mark) - ord("a")]
                    first, *less = of.split(" - ")
                    total = sum(found[part] for part in first.split(" + ")) - sum(found[part] for part in less)
                    assert last, (text, mark)
                    assert last[0] in shown(total), (text, of)
                    marked += 1
                unnamed = piece[: last.start()] if mark else piece
                # What has no name is no number of this evaluation: a level of confidence, one half, the false
                # discovery rate, a share of people, the ratio that rare combinations may reach.
                interval = r"\(95[^()]*\)"
                left = re.sub(interval, "", unnamed)
                assert set(re.findall(r"\d(?:[\d.,]*\d)?", left)) <= {
                    "95",
                    "50",
                    "5",
                    "100",
                    "55",
                    numbers.decimals(RATIO, 1),
                }
        assert marked >= 6
        assert len(page.rows) >= 3
        for row in page.rows:
            if row.interval != "—":
                assert row.interval == numbers.interval(type("Ends", (), intervals[row.name]))
            assert row.name in page.names
        assert len(page.reasons) <= 5
        assert sorted(set(page.names)) == sorted(page.names)


def test_it_says_what_the_verdict_says(evaluations):
    levels = {name: decided(rows).level for name, rows in evaluations.items()}
    # Of 160 people, 8 (5 %) in a list would have been noticed; without a holdout, copies show by rare combinations.
    assert levels == {"leaks": "bad", "careful": "good", "alone": "bad"}
    assert "can be identified as members of the training data" in decided(evaluations["leaks"]).headline
    assert "Any leak" in decided(evaluations["alone"]).missed
    assert "Persons with several" in " ".join(decided(evaluations["leaks"]).untested)
    assert "Persons with several" not in " ".join(decided(evaluations["leaks"], unit="name").untested)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("ending", [".html", ".docx", ".md"])
def test_files_hold_all_of_it_and_no_value_of_a_row(shared, tables, tmp_path, ending):
    path, beside = tmp_path / f"decision{ending}", tmp_path / "numbers.csv"
    result = shared.report(None, *tables.values(), decision=path, numbers=beside, **FAST)
    if ending == ".docx":
        document = docx.Document(str(path))
        cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
        text = "\n".join([*(p.text for p in document.paragraphs), *cells])
        assert round(document.sections[0].page_width.mm) == 210
    else:
        text = path.read_text(encoding="utf-8")
    assert SECRET not in text
    for words in ("exposure.exposed", "copies.share", "holdout_share.share", "Signature", "Do not release"):
        assert words in text
    salt = path.with_name(f"{path.name}.salt")
    assert salt.stat().st_mode & 0o077 == 0
    key = bytes.fromhex(salt.read_text())
    for table in tables.values():
        content = content_hash(shared, table)
        assert content not in text  # of a small table, or one of which all but a row is known, it could be guessed
        assert hmac.new(key, content.encode(), "sha256").hexdigest() in text
    assert salt.read_text().strip() not in text
    assert Result.read(beside)["value"] == pytest.approx(result["value"], nan_ok=True)
    assert {file.name for file in tmp_path.iterdir()} == {path.name, salt.name, beside.name}


def content_hash(session, table):
    return session.call(catalog.file("content_hash"), data=table)["hash"][0]


ODD = """SELECT * FROM (VALUES
  (1, 'a,b', 0.1::DOUBLE, TIMESTAMPTZ '2024-07-01 12:00:00+02', 'NaN'::DOUBLE, [1, 2]),
  (1, 'a,b', 0.1::DOUBLE, TIMESTAMPTZ '2024-07-01 12:00:00+02', 'NaN'::DOUBLE, [1, 2]),
  (NULL, '', -0.0::DOUBLE, NULL, 1e300::DOUBLE, NULL),
  (2, NULL, 1.0::DOUBLE, TIMESTAMPTZ '1969-01-01 00:00:00+00', NULL, []),
  (3, 'ü-', NULL, NULL, NULL, [NULL])) AS t(n, "a ""b", x, "at", y, l)"""


def test_the_hash_is_of_the_rows_in_any_order(shared):
    texts = """SELECT n::VARCHAR, "a ""b", x::VARCHAR, ("at" AT TIME ZONE 'UTC')::VARCHAR, y::VARCHAR, l::VARCHAR"""
    rows = shared.connection.sql(f"{texts} FROM ({ODD})").fetchall()
    found = content_hash(shared, f"({ODD})")
    assert found == recomputed(rows)
    assert content_hash(shared, f"({ODD} ORDER BY x DESC)") == found
    assert content_hash(shared, f"(SELECT * FROM ({ODD}) LIMIT 0)") == recomputed([])
    # A row less, nothing in the place of an empty text, one value another.
    for other in (f"SELECT DISTINCT * FROM ({ODD})", ODD.replace("'',", "NULL,"), ODD.replace("1.0", "2.0")):
        assert content_hash(shared, f"({other})") != found
    zone = shared.connection.sql("SELECT current_setting('TimeZone')").fetchall()[0][0]
    try:
        shared.connection.execute("SET TimeZone = 'Asia/Tokyo'")
        assert content_hash(shared, f"({ODD})") == found
    finally:
        shared.connection.execute(f"SET TimeZone = '{zone}'")


def test_what_the_documentation_says_gives_the_same_hash(shared):
    text = (ROOT / "docs" / "tasks" / "decision.md").read_text(encoding="utf-8")
    query = text.partition("```sql\n")[2].partition("```")[0].replace("FROM customers_train", "FROM ({})")
    in_utc = f"""SELECT * REPLACE ("at" AT TIME ZONE 'UTC' AS "at") FROM ({ODD})"""
    ((found,),) = shared.connection.sql(query.format(in_utc)).fetchall()
    assert found == content_hash(shared, f"({ODD})")


def test_many_rows_have_their_hash_as_few_have(shared):
    query = "SELECT i::VARCHAR AS a, CASE WHEN i % 3 > 0 THEN repeat('x', i % 5) END AS b FROM range(6000) AS t(i)"
    assert content_hash(shared, f"({query})") == recomputed(shared.connection.sql(query).fetchall())


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
@pytest.mark.skipif(shutil.which("pdfinfo") is None, reason="no pdfinfo on this machine")
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", ["leaks", "alone"])
def test_it_prints_as_one_page(evaluations, tmp_path, name, language):
    long = "(SELECT * FROM read_parquet('/warehouse/" + "a_folder_with_a_long_name/" * 9 + "{}.parquet') WHERE x)"
    options = {"exclude": [f"a column with a long name {i}" for i in range(40)], "metric": "euclidean"}
    with speaking(language):
        for case, given in (("plain", {}), ("long", {"name": long, **options})):
            page, printed = tmp_path / f"{case}.html", tmp_path / f"{case}.pdf"
            page.write_bytes(writer(page)(decided(evaluations[name], **given)))
            quiet = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
            command = [CHROMIUM, *quiet, f"--print-to-pdf={printed}", page.as_uri()]
            subprocess.run(command, check=True, capture_output=True, timeout=120)
            told = subprocess.run(["pdfinfo", str(printed)], check=True, capture_output=True, text=True).stdout
            assert re.search(r"Pages: +1\n", told), told
            assert re.search(r"Page size: +59[45]\S* x 84[12]", told)


@pytest.mark.again
def test_the_command_line_writes_it(tmp_path, tables, shared):
    files = []
    for name, table in tables.items():
        path = tmp_path / f"{name}.parquet"
        shared.connection.from_arrow(table).write_parquet(str(path))
        files += [f"--{name}", str(path)]
    fast = ["--attack", "distance,uniques", "--named-by", "uniques"]
    page, beside = tmp_path / "d.md", tmp_path / "n.csv"
    code, out, err = cli("report", *files, *fast, "--decision", str(page), "--numbers", str(beside))
    assert code == 0, err
    assert f"{page} is written" in out
    assert beside.exists()
    text = page.read_text(encoding="utf-8")
    assert f"`{tmp_path / 'train.parquet'}`" in text or "train.parquet" in text
    assert cli("evaluate", *files, *fast, "--decision", str(tmp_path / "e.md"), "--format", "csv")[0] == 0
    assert (tmp_path / "e.md").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "nothing to write"),
        (["--decision", "decision.pdf"], "must be .html, .docx or .md"),
        (["--decision", "nowhere/decision.md"], "no folder"),
        (["--numbers", "numbers.txt"], "its extension must be one of"),
        (["--decision", "d.md", "--baseline"], "apply to the page"),
    ],
)
def test_what_cannot_be_written_is_said_first(arguments, words):
    code, _, err = cli("report", "--synthetic", "s", "--train", "t", *arguments)
    assert code == 2
    assert words in err


@pytest.mark.nightly
def test_families_and_candidates_have_one_too(shared, tables, tmp_path):
    """The part that gives people away in one sentence; the candidate to release, or none."""
    ids = {side: np.arange(len(t)) + 1000 * place for place, (side, t) in enumerate(tables.items())}
    parents = {side: t.append_column("id", pa.array(ids[side])) for side, t in tables.items()}
    rows = {side: pa.table({"id": of.repeat(2), "n": np.arange(2 * len(of)) % 7}) for side, of in ids.items()}
    files = {"decision": tmp_path / "family.md", "numbers": tmp_path / "family.csv"}
    options = {"attack": "uniques", "named_by": "uniques", "exclude": ["id"]}
    result = shared.report(None, *parents.values(), children={"visits": (*rows.values(), "id")}, **files, **options)
    text = files["decision"].read_text(encoding="utf-8")
    assert result.family.level == "bad"
    assert re.search(r"## Problem: parents: .*can be identified as members", text)
    assert "People given away by parents" in text
    assert "Train: visits" in text
    assert len(Result.read(files["numbers"])) == len(result)
    page = tmp_path / "candidates.md"
    some = {"near": tables["synthetic"], "far": people(140, 5)}
    fast = {"attack": ["uniques"], "columns": ["age", "name", "income"]}
    shared.report_candidates(None, some, tables["train"], tables["holdout"], decision=page, **fast)
    text = page.read_text(encoding="utf-8")
    assert "none of the candidates should be released" in text
    assert "near: Problem" in text
    assert SECRET not in text


def test_a_document_is_whole_or_an_error(evaluations):
    made = writer(type("P", (), {"suffix": ".docx"})())(decided(evaluations["leaks"]))
    assert docx.Document(BytesIO(made)).core_properties.title
