"""CSV files that cannot be read as they are: what is said of them, and of options that mean nothing."""

import bz2

import pytest
from calls import cli
from test_csv import TRUTH, refused, said, text

from synthpriv_sql import errors
from synthpriv_sql.planner.headers.files import from_text

pytestmark = pytest.mark.duckdb_1


@pytest.mark.parametrize(
    ("content", "encoding", "words"),
    [
        (text(), "cp1252", ["is not in UTF-8 (line 1 is the first", "csv={'encoding': 'cp1252'}"]),
        (text(header="n;name;price;day"), "cp1252", ["(line 2 is the first that is not)"]),
        (text(), "utf-16", ["is in UTF-16: csv={'encoding': 'utf-16'}"]),
        ("", "utf-8", ["is empty"]),
        ("a,b\n" + "1,2\n" * 9 + "1,2,3\n" + "1,2\n" * 9, "utf-8", ["line 11 of", 'instead of 2 (separated by ",")']),
        ("a,b\n" + "1,2\n" * 9 + "1\n" + "1,2\n" * 9, "utf-8", ["line 11 of", "has 1 value instead of 2"]),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_in_plain_words(shared, write, content, encoding, words):
    message = refused(shared, write(content, encoding))
    for word in words:
        assert word in message


def test_a_late_text_among_numbers_is_told_by_its_line(shared, write):
    path = write("i,v\n" + "".join(f"{i},{i if i != 30_000 else 'secret'}\n" for i in range(30_100)))
    message = refused(shared, path)
    assert 'line 30,002 of "' in message
    assert "secret" not in message
    assert "csv={'sample': 'all'}" in message
    assert {r[0]: r[1] for r in shared.scaling(path, csv={"sample": "all"}).fetchall()}["v"] == "categorical"
    assert {r[0]: r[1] for r in shared.scaling(path, csv={"missing": "secret"}).fetchall()}["v"] == "numeric"
    code, _, err = cli("scaling", "--train", path)
    assert code == 2
    assert "--csv sample=all" in err
    assert len(err.splitlines()) == 1


def test_an_encoding_that_is_not_that_of_the_file(shared, write):
    assert "looks like UTF-8" in said(shared, write(text(number=str, delimiter=",")), csv={"encoding": "cp1252"})
    assert 'line 2 of "' in refused(shared, write("a\nÐ\x81\n", "latin-1"), csv={"encoding": "cp1252"})
    assert "Zstandard" in refused(shared, write(b"\xff\xfe", suffix=".csv.zst"), csv={"encoding": "cp1252"})
    path = write("a;b\n" + "é;2\n" * 30, "latin-1", ".csv.bz2", bz2.compress)
    assert shared.scaling(path, csv={"encoding": "latin-1"}).fetchall()[0][-1] == "é"


def test_names_that_are_missing_or_twice(shared, write):
    assert "the first line of" in said(shared, write("1,a\n2,b\n3,c\n"))
    assert 'has several columns called "a"; all but the first are called "A_1"' in said(shared, write("a,b,A\n1,2,3\n"))
    path = write("x,y\n" + "a,b\n" * 5)
    assert [r[0] for r in shared.scaling(path, csv={"header": False}).fetchall()] == ["column0", "column1"]
    assert [r[0] for r in shared.scaling(write("title\n\nx;y\n1;2\n"), csv={"skip": 2}).fetchall()] == ["x", "y"]


def test_all_files_that_are_wrong_are_named_at_once(shared, write):
    windows, commas = write(text(), "cp1252"), write("v;w\n" + "3,5;x\n" * 9)
    with pytest.raises(errors.UnknownTable) as caught:
        shared.dcr(windows, commas)
    assert windows in str(caught.value)
    assert commas in str(caught.value)
    assert "nowhere.csv" in refused(shared, "nowhere.csv", csv={"decimal": ","})


@pytest.mark.parametrize(
    ("csv", "words"),
    [
        ({"decimals": ","}, 'there is no "decimals"; it takes encoding, delimiter'),
        ({"decimal": ";"}, "\"decimal\" is ';', which is not a point or a comma"),
        ({"encoding": "klingon"}, "an encoding that Python knows"),
        ({"encoding": "rot13"}, "an encoding that Python knows"),
        ({"delimiter": ";;"}, "which is not one character"),
        ({"header": "perhaps"}, "yes or no"),
        ({"dates": "%Y"}, "a day and a month"),
        ({"skip": -1}, "a number of lines"),
        ({"sample": "few"}, "or all"),
        ({"missing": 5}, "a text, or a list of texts"),
        ({"trian": {"decimal": ","}}, 'has options for "trian", which is not a table of it; there are: train'),
    ],
)
def test_options_that_mean_nothing(shared, write, csv, words):
    with pytest.raises(errors.OptionError) as caught:
        shared.scaling(write("a\n1\n"), csv=csv)
    assert words in str(caught.value)


def test_options_without_a_file(shared):
    with pytest.raises(errors.OptionError, match="no table is a CSV file by its name"):
        shared.scaling(TRUTH, csv={"decimal": ","})


@pytest.mark.parametrize(
    ("written", "options"),
    [
        ("encoding=cp1252,decimal=,,delimiter=;", {"encoding": "cp1252", "decimal": ",", "delimiter": ";"}),
        ("decimal=,", {"decimal": ","}),
        ("delimiter=,,decimal=.", {"delimiter": ",", "decimal": "."}),
        ("missing=NA,missing=,missing=n/a", {"missing": ["NA", "", "n/a"]}),
        ("train:dates=%d.%m.%Y,header=no", {"train": {"dates": "%d.%m.%Y", "header": "no"}}),
        ("quote=:,delimiter=tab", {"quote": ":", "delimiter": "tab"}),
    ],
)
def test_options_on_the_command_line(written, options):
    assert from_text(written) == options


@pytest.mark.parametrize("written", ["decimal", "", ",", "=x"])
def test_what_is_no_option(written):
    with pytest.raises(ValueError, match=f"^{written}$"):
        from_text(written)
    code, _, err = cli("scaling", "--train", "x.csv", "--csv", written)
    assert code == 2
    assert "--csv" in err
