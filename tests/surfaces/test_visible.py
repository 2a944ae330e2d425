"""Control characters and marks of direction in names and values of others: shown as escapes everywhere."""

import json
import logging
import warnings
from datetime import UTC, datetime
from io import BytesIO, StringIO
from xml.etree import ElementTree

import pyarrow as pa
import pytest
from calls import cli, create
from rich.console import Console

from synthpriv_sql import errors
from synthpriv_sql.engines.base import Answer
from synthpriv_sql.report.decision.contents import About, decide, markdown
from synthpriv_sql.results import gate, output
from synthpriv_sql.results.output import write_page
from synthpriv_sql.results.result import Result
from synthpriv_sql.results.watching.log import logger
from synthpriv_sql.visible import hidden, in_json, in_markdown, visible

NASTY = "a\x0bb\x1b[31m\x00\u202ec\r\x9b\ud800\uffff"
SHOWN = r"a\x0bb\x1b[31m\x00\u202ec\r\x9b\ud800\uffff"
TELLING = "a\x0bb\x1b[31m\u202ec"  # the part that Arrow can hold


def test_what_a_terminal_obeys_is_escaped():
    assert visible(NASTY) == SHOWN
    assert visible(SHOWN) == SHOWN
    assert not hidden("Zoë 北京 עברית \u200d👩\u200d🔬 1\u202f% a\tb\nc")
    assert json.loads(in_json(json.dumps(NASTY, ensure_ascii=False))) == NASTY


def test_errors_warnings_and_logs_show_names_escaped():
    assert str(errors.UnknownColumn(f'no "{NASTY}"')) == f'no "{SHOWN}"'
    with pytest.warns(errors.SynthprivWarning) as warned:
        warnings.warn(f'column "{NASTY}"', errors.SynthprivWarning, stacklevel=1)
    assert str(warned[0].message) == f'column "{SHOWN}"'
    heard = []
    handler = logging.Handler()
    handler.emit = lambda record: heard.append(record.getMessage())
    logger.addHandler(handler)
    try:
        logger.error("%s: %d rows", NASTY, 3)
    finally:
        logger.removeHandler(handler)
    assert heard == [f"{SHOWN}: 3 rows"]


def _result(*values, name=TELLING):
    return Result(None, "screen", Answer(pa.table({name: list(values)}), ["VARCHAR"], ""))


def test_results_are_shown_escaped_in_terminals_and_notebooks_and_whole_in_files(tmp_path, capsys):
    result = _result(TELLING, "<img src=x onerror=alert(1)>")
    terminal = Console(file=StringIO(), force_terminal=True, width=200)
    for form in ("table", "csv", "json", "markdown"):
        output.show(result, form, terminal)
    for text in (repr(result), result._repr_html_(), result.to_latex(), capsys.readouterr().out):
        assert not hidden(text)
        assert r"\u202e" in text or "textbackslash{}u202e" in text
    # rich's own colors are all that it obeys
    assert "\u202e" not in terminal.file.getvalue()
    assert "\x1b[31m" not in terminal.file.getvalue()
    assert "<img" not in result._repr_html_()
    for ending in (".csv", ".json"):
        output.write(result, tmp_path / f"rows{ending}")
        text = (tmp_path / f"rows{ending}").read_text(encoding="utf-8")
        assert text.startswith(TELLING) if ending == ".csv" else TELLING in json.loads(text)[0]


def test_cells_of_markdown_are_text():
    written = StringIO()
    output.FORMATS["markdown"](_result("<script>alert(1)</script>", "a|b\nc\\|d", "&lt; & [x](http://y) `c`"), written)
    heads, _, *rows = written.getvalue().splitlines()
    assert not hidden(heads)
    assert rows == [
        "| &lt;script&gt;alert(1)&lt;/script&gt; |",
        r"| a\|b c\\\|d |",
        r"| \&lt; & \[x](http://y) \`c\` |",
    ]
    assert in_markdown("R&D 50 % a_b") == "R&D 50 % a_b"


def test_junit_is_valid_xml_whatever_a_group_is_called():
    condition = gate.parse("copies.share=0")
    written = gate.junit([gate.Outcome(condition, "copies.share", 1.0, NASTY)], [NASTY])
    suite = ElementTree.fromstring(written)[0]
    assert SHOWN in suite[0].attrib["name"]
    assert suite[1].text == SHOWN


def test_a_decision_page_can_be_written_whatever_a_table_is_called(session):
    docx = pytest.importorskip("synthpriv_sql.report.decision.docx")
    from docx import Document

    from synthpriv_sql.report.decision.html import html

    rows = session.evaluate(
        pa.table({"a": [1, 2, 3, 4], "b": [1, 2, 3, 5]}), pa.table({"a": [1, 2, 3, 7], "b": [1, 2, 3, 5]})
    ).to_arrow()
    name = f"{NASTY}`|<b>"
    page = decide(
        rows.to_pylist(),
        About({"synthetic": name}, {"synthetic": "0"}, datetime(2030, 1, 1, tzinfo=UTC), {}, {"key": name}),
    )
    text = "".join(cell.text for cell in Document(BytesIO(docx.docx(page))).tables[1]._cells)
    for shown in (text, html(page).decode(), markdown(page).decode()):
        assert r"\u202e" in shown
        assert not hidden(shown)
    assert r"uffff`\|<b> ``" in markdown(page).decode()


def test_a_picture_of_a_column_with_a_control_character(session):
    vl_convert = pytest.importorskip("vl_convert")
    assert vl_convert
    rows = pa.table({TELLING: ["x", TELLING, "z"] * 4, "b": list(range(12))})
    create(session, s=rows, t=rows)
    svg = session.fidelity("s", "t").plot().svg
    assert r"a\x0bb" in svg
    assert not hidden(svg)


def test_a_page_has_no_control_characters(tmp_path):
    write_page(tmp_path / "page.html", f"<p>{NASTY}</p>")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == f"<p>{SHOWN}</p>"


def test_names_are_escaped_on_the_command_line(tmp_path):
    pa.parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "t.parquet"
    pa.parquet.write_table(pa.table({TELLING: [[{"a": 1}]], "b": [1]}), path)
    code, out, err = cli("dcr", "--synthetic", str(path), "--train", str(path), "--log", "debug")
    assert code == 2
    assert r"\u202e" in err
    assert not hidden(out + err)
