"""The README is run: every command, query and program in it, with the output that it shows.

``make shown`` writes the output into the README anew.
"""

import contextlib
import io
import re
import shlex
import shutil
import sys
from pathlib import Path

import duckdb
import pytest
from calls import ROOT, cli
from rich.console import Console

from synthpriv_sql import connect, demo
from synthpriv_sql.engines.base import Answer
from synthpriv_sql.results.display import text
from synthpriv_sql.results.result import Result

pytestmark = pytest.mark.slow

README = ROOT / "README.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```\n", re.DOTALL | re.MULTILINE)


def run_console(code, _):
    printed, status = [], 0
    for line in re.split(r"(?<!\\)\n", code):  # a command goes on behind a backslash
        if line == "$ echo $?":
            printed.append(f"{line}\n{status}\n")
            status = 0  # it is said
        elif line.startswith("$ synthpriv "):
            assert status == 0, printed
            status, out, err = cli(*shlex.split(line.replace("\\\n", ""))[2:])
            printed.append(f"{line}\n{out}{err}")
    assert status == 0, printed
    return "".join(printed)


def run_sql(code, names):
    connection = names.get("connection") or names.setdefault("connection", duckdb.connect())
    if code.startswith("CREATE"):
        connection.execute(code).fetchall()
        return ""
    rows = connection.sql(code)
    types = [str(t) for t in rows.types]
    table = rows.to_arrow_table()
    return text(Result(None, "", Answer(table, types, code)), 20) + "\n"


def run_python(code, names):
    out = io.StringIO()
    if "connection" in names:
        names["connection"].close()  # a program of its own, which opens the file anew
    with contextlib.redirect_stdout(out):
        exec(compile(code, str(README), "exec"), names)
    return out.getvalue()


RUN = {"console": run_console, "sql": run_sql, "python": run_python}


def without_trailing_space(lines):
    return "".join(line.rstrip() + "\n" for line in lines.splitlines())


def rewritten(page=README):
    """A page with the output of its blocks as it is now, and as it is written."""
    names = {}
    written = page.read_text(encoding="utf-8")
    parts, at = [], 0
    blocks = list(BLOCK.finditer(written))
    for i, block in enumerate(blocks):
        language, code = block.groups()
        if language not in RUN:
            continue
        # The command line has the file for itself before Python and SQL open it.
        output = without_trailing_space(RUN[language](code, names))
        parts.append(written[at : block.start()])
        at = block.end()
        if language == "console":
            parts.append(f"```console\n{output}```\n")
            continue
        parts.append(block.group())
        following = blocks[i + 1] if i + 1 < len(blocks) else None
        if following and following.group(1) == "text" and not written[at : following.start()].strip():
            at = following.end()
        if output:
            parts.append(f"\n```text\n{output}```\n")
    parts.append(written[at:])
    return "".join(parts), written


def prepare(folder):
    with connect(str(Path(folder) / "demo.duckdb")) as session:
        demo.create(session.connection)
    shutil.copy(ROOT / "examples" / "synthesizers.py", folder)


def test_the_readme_shows_what_is_so(tmp_path, monkeypatch):
    prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    now, written = rewritten()
    assert now == written


def test_the_demo_tells_the_tables_apart_and_the_readme_shows_its_end():
    out = io.StringIO()
    demo.run(Console(file=out, width=100))
    printed = without_trailing_space(out.getvalue())
    assert BLOCK.findall(README.read_text(encoding="utf-8"))[1][1] in printed
    said = printed.replace("\n", " ")
    _, careful, leaky, spliced = re.split("|".join(f"{name}: " for name in demo.SYNTHETIC), said)
    assert "0 of 5,000 records are exact copies" in careful
    assert "0 of 5,000 people can be identified as members" in careful
    assert "804 of 5,000 records are exact copies" in leaky
    # No copies, no closer than chance has it, and still a third of the people can be named.
    assert "0 of 5,000 records are exact copies" in spliced
    assert "51% lie closer" in spliced
    assert "1,755 of 5,000 people can be identified as members" in spliced
    _, way_out = spliced.split("A way out for synthetic_spliced, as the command remedy finds it: ")
    assert way_out.startswith("Changed: balance (20 groups); income (20 groups). Loss: 0\u202f%. ")
    assert "Of 2,500 people who confirm this, nobody is named" in way_out
    assert way_out.endswith("the verdict is good. Of all 5,000 people together nobody is named or given away. ")


def test_the_readme_is_short():
    text = README.read_text(encoding="utf-8")
    assert len(BLOCK.sub("", text).split()) <= 1000
    assert text.count("\n") <= 170
    assert (ROOT / "docs" / "figures" / "report.png").stat().st_size < 500_000


def test_links_lead_somewhere():
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", README.read_text(encoding="utf-8")):
        assert (ROOT / target).exists(), target


if __name__ == "__main__":
    import os
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        os.chdir(folder)
        README.write_text(rewritten()[0], encoding="utf-8")
        sys.exit(pytest.main(["-q", __file__]))
