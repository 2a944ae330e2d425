"""CSV that is written: rows of a CSV file as that file is, and texts that a spreadsheet would run."""

import csv

import pytest
from calls import cli

GERMAN = ["name;betrag;tag", "Zoë;1.234,5;31.12.2023", "Jürgen;-0,25;01.02.2024", "=1+1;2,0;15.06.2022", ";;"]


@pytest.mark.parametrize(("encoding", "end"), [("cp1252", "\r\n"), ("utf-8-sig", "\n")])
def test_safe_writes_the_form_that_it_read(tmp_path, encoding, end):
    for name, lines in (
        ("s", GERMAN),
        ("t", [GERMAN[0], "Eva;9,75;01.01.2000", "Ada;7,5;02.01.2000", "Max;8,0;03.01.2000"]),
    ):
        (tmp_path / f"{name}.csv").write_bytes((end.join(lines) + end).encode(encoding))
    reading = f"encoding={encoding},decimal=,,thousands=.,dates=%d.%m.%Y"
    tables = ["--synthetic", str(tmp_path / "s.csv"), "--train", str(tmp_path / "t.csv"), "--csv", reading]
    code, _, err = cli("screen", *tables, "--output", str(tmp_path / "out.csv"), "--spreadsheet-safe")
    assert code == 0, err
    written = (tmp_path / "out.csv").read_bytes()
    assert written.startswith(b"\xef\xbb\xbf") == (encoding == "utf-8-sig")
    text = written.decode(encoding)
    assert text.count(end) == 5
    rows = list(csv.reader(text.splitlines(), delimiter=";"))
    assert [row[:3] for row in rows] == [
        ["name", "betrag", "tag"],
        ["Zoë", "1234,5", "31.12.2023"],
        ["Jürgen", "-0,25", "01.02.2024"],
        ["'=1+1", "2,0", "15.06.2022"],
        ["", "", ""],
    ]
    again = ["--synthetic", str(tmp_path / "out.csv"), *tables[2:]]
    code, _, err = cli("copies", *again, "--columns", "name,betrag,tag")
    assert code == 0, err


def test_formulas_are_written_as_they_are_unless_asked(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n@x,-1\n\"=cmd|'/c calc'!A1\",2\n+y,3\n")
    tables = ["--data", str(tmp_path / "t.csv"), "--quasi-identifiers", "a,b", "--format", "csv"]
    assert "@x,-1,1" in cli("equivalence_classes", *tables)[1].splitlines()
    lines = cli("equivalence_classes", *tables, "--spreadsheet-safe")[1].splitlines()
    assert {"'@x,-1,1", "'+y,3,1"} < set(lines)
    assert not [line for line in lines if line.startswith(("=", "+", "-", "@"))]
