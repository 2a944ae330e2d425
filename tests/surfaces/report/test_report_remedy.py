"""What the page and the decision page say of a remedy: after which changes a table that is bad may be released."""

import re

import leaks
import pytest
from calls import cli

from synthpriv_sql.errors import OptionError

ROWS = 190


@pytest.fixture(scope="module")
def tables():
    return leaks.two_columns_copied(3, ROWS, 95)


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore:train has 190 people")
def test_pages_say_what_would_do(shared, tables, tmp_path):
    page, decision = tmp_path / "page.html", tmp_path / "decision.md"
    found = shared.report(page, **tables, decision=decision, remedy=True, language="de")
    assert found.verdict.level == "bad"
    steps = shared.remedy(**tables, language="de")
    assert {"income", "zip"} & set(steps.to_arrow()["column_name"].to_pylist())
    written, signed = page.read_text(), decision.read_text()
    for sentence in steps.sentences:
        assert sentence in signed
        assert sentence in re.sub(r"&#39;", "'", written)
    assert "**Freigabe nach diesen Änderungen.**" in signed
    section = written[written.index('id="remedy"') :].partition("</section>")[0]
    assert section.count("<tr>") == 1 + len(steps)
    assert "<svg" in section
    assert "Ziffer" in section or "Gruppen" in section
    assert "SELECT" in section


@pytest.mark.nightly
def test_a_table_that_may_be_released_has_no_such_section(shared, tables, tmp_path):
    page, decision = tmp_path / "page.html", tmp_path / "decision.md"
    safe = {**tables, "synthetic": tables["holdout"], "holdout": tables["synthetic"].slice(95)}
    shared.report(page, **safe, decision=decision, remedy=True)
    assert 'id="remedy"' not in page.read_text()
    assert "after these changes" not in decision.read_text()


def test_what_it_needs_is_said(shared, tables, tmp_path):
    with pytest.raises(OptionError, match="holdout"):
        shared.report(tmp_path / "page.html", tables["synthetic"], tables["train"], remedy=True)
    code, _, err = cli("evaluate", "--synthetic", "s", "--train", "t", "--holdout", "h", "--remedy")
    assert code == 2
    assert "--html or --decision" in err
