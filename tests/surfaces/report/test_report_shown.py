"""What the page and the gate show besides numbers: keys, and the columns that nothing looked at."""

import pyarrow as pa
import pytest
from calls import cli
from test_report import Page, tables_of_people, written


@pytest.fixture(scope="module")
def tables():
    return tables_of_people()


@pytest.mark.again
def test_keys_are_shown_unless_they_are_to_be_hidden(shared, tables, tmp_path):
    keyed = {
        side: t.append_column("pass no", pa.array([f"{side}-{i}-x" for i in range(len(t))]))
        for side, t in tables.items()
    }
    options = {"key": "pass no", "attack": "uniques", "named_by": "uniques", "columns": ["age", "income"]}
    shown, _ = written(shared, tmp_path, *keyed.values(), **options)
    assert "train-0-x" in shown.text
    assert "this page shows keys, and no other values" in shown.shown()
    hidden, _ = written(shared, tmp_path, *keyed.values(), hide_keys=True, **options)
    assert "train-0-x" not in hidden.text
    assert "no values of real records" in hidden.shown()


@pytest.mark.nightly
def test_what_no_attack_looked_at_is_said_on_the_page_and_by_the_gate(tables, tmp_path, shared):
    files = []
    for side, table in tables.items():
        path = tmp_path / f"{side}.parquet"
        shared.connection.from_arrow(table.rename_columns(["age", "name", "income", "member"])).write_parquet(str(path))
        files += [f"--{side}", str(path)]
    page, saved = tmp_path / "page.html", tmp_path / "saved.json"
    fast = ["--attack", "uniques", "--named-by", "uniques", "--exclude", "name"]
    asked = ["--html", str(page), "--output", str(saved), "--require", "copies.share<=1"]
    code, _, err = cli("evaluate", *files, *fast, *asked)
    assert (code, "no distance and no attack looked at name" in err) == (0, True), err
    assert "no distance and no attack looked at them: name" in Page(page.read_text(encoding="utf-8")).shown()
    code, _, err = cli("gate", str(saved), "--require", "copies.share<=1", "--tolerance", "0.1")
    assert (code, "no distance and no attack looked at name" in err) == (0, True), err
    code, out, _ = cli("gate", str(saved), "--require", "copies.share<=1", "--format", "junit")
    assert (code, "looked at name" in out) == (0, True)
