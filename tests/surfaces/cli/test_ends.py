"""How a process of the command line ends where it can write nowhere, is given too much, or is itself at fault."""

import io
import os
import sys
from contextlib import suppress

import pytest
from calls import cli

from synthpriv_sql.cli import commands, opening

ROWS = "a,b\n1,x\n2,y\n3,z\n"


@pytest.fixture
def table(tmp_path):
    (tmp_path / "t.csv").write_text(ROWS)
    return tmp_path / "t.csv"


def run(monkeypatch, stdout, *arguments):
    """The exit code and stderr of a process with this standard output; None: it was closed."""
    err = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stdout)
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.setattr(sys, "argv", ["synthpriv", *arguments])
    try:
        code = commands.main()
    except SystemExit as stop:
        code = stop.code
    return code or 0, err.getvalue()


def test_a_standard_output_that_takes_nothing(table, monkeypatch):
    """1 would mean a broken condition."""
    monkeypatch.chdir(table.parent)
    tables = ["--synthetic", "t.csv", "--train", "t.csv"]
    for arguments in (["copies", *tables], ["sql", "copies", *tables]):
        code, err = run(monkeypatch, None, *arguments)
        assert code == 2
        assert err.startswith("synthpriv: standard output is closed")
        assert len(err.splitlines()) == 1
        assert ("The result was saved to" in err) == (arguments[0] != "sql")
        reader, writer = os.pipe()
        os.close(reader)
        with suppress(BrokenPipeError), open(writer, "w") as stdout:
            assert run(monkeypatch, stdout, *arguments) == (141, "")
        with suppress(OSError), open("/dev/full", "w") as full:
            code, err = run(monkeypatch, full, *arguments)
            assert code == 4
            assert err.startswith("synthpriv: standard output was not written: no space left on device")
    assert run(monkeypatch, None, "copies", *tables, "--output", "out.csv") == (0, "")
    assert (table.parent / "out.csv").read_text().startswith("record,copies")


def test_too_many_threads(table):
    tables = ["--synthetic", str(table), "--train", str(table)]
    code, _, err = cli("copies", *tables, "--threads", "99999999")
    assert code == 2
    assert "--threads 99999999 is more than 4,096" in err


@pytest.mark.parametrize("page", [["--decision", "d.html"], ["--html", "d.html"]])
def test_a_page_of_several_tables_is_refused_at_once(table, page, monkeypatch):
    monkeypatch.chdir(table.parent)
    tables = ["--synthetic", "a=t.csv", "--synthetic", "b=t.csv", "--train", "t.csv"]
    code, _, err = cli("evaluate", *tables, *page)
    assert code == 2
    assert "a page is about one synthetic table, but several are given" in err
    assert os.listdir() == ["t.csv"]


@pytest.mark.parametrize(
    ("raised", "code", "said"),
    [
        (TypeError("the value of Anna"), 3, "this is a fault of synthpriv"),
        (RecursionError("too deep"), 3, "(RecursionError"),
        (MemoryError(), 3, "there is not enough memory"),
        (OSError(28, "No space left on device"), 4, "No space left on device"),
    ],
)
def test_a_fault_of_its_own_is_one_line_without_values(table, monkeypatch, raised, code, said):
    def fails(*given, **options):
        raise raised

    monkeypatch.setattr(opening, "connect", fails)
    found, _, err = cli("copies", "--synthetic", str(table), "--train", str(table))
    assert found == code
    assert said in err
    assert len(err.splitlines()) == 1
    assert "Anna" not in err
