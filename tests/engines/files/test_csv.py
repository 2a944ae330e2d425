"""CSV files as people have them: read as they are meant, or refused in plain words that say how to have them read."""

import ast
import datetime
import gzip
import warnings

import pyarrow as pa
import pytest
from calls import cli

from synthpriv_sql import errors
from synthpriv_sql.engines.duckdb.files import copies
from synthpriv_sql.engines.duckdb.files import csv as read_csv
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.headers.files import with_reading

pytestmark = pytest.mark.duckdb_1

NAMES = {
    "cp1252": "Zoë €“",
    "latin-1": "Zoë",
    "utf-16": "Zoë 漢",
    "utf-8": "Zoë 漢",
    "cp1251": "Зоя",
    "gbk": "漢字",
    "shift_jis": "漢字",
}
ROWS = 60
TRUTH = pa.table(
    {
        "n": pa.array([i % 13 for i in range(ROWS)]),
        "price": [1000.0 * i + i / 4 for i in range(ROWS)],
        "day": [datetime.date(2024, 12, 1 + i % 31) for i in range(ROWS)],
    }
)


def german(value):
    """1.234,5: as Excel in German writes a number."""
    return f"{value:,.2f}".replace(",", "_").replace(".", ",").replace("_", ".")


def text(name="Zoë", delimiter=";", number=german, day="%d.%m.%Y", header="n;näme;price;day"):
    rows = TRUTH.to_pylist()
    lines = [
        delimiter.join([str(r["n"]), f"{name}{i % 3}", number(r["price"]), r["day"].strftime(day)])
        for i, r in enumerate(rows)
    ]
    return "\r\n".join([header.replace(";", delimiter), *lines, ""])


def said(shared, path, **given):
    """What is said of a file that is read."""
    with pytest.warns(errors.SynthprivWarning) as warned:
        shared.scaling(path, **given)
    return "; ".join(str(w.message) for w in warned)


def refused(shared, path, **given):
    with pytest.raises(errors.UnknownTable) as caught:
        shared.scaling(path, **given).to_arrow()
    message = str(caught.value)
    # None of DuckDB's own lists of settings and advice.
    assert "Auto-Detected" not in message
    assert "\n" not in message
    return message


@pytest.mark.parametrize("encoding", NAMES)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_an_encoding_is_read(shared, write, encoding, pack):
    header = "n;näme;price;day" if encoding not in {"cp1251", "gbk", "shift_jis"} else "n;name;price;day"
    path = write(text(NAMES[encoding], header=header), encoding, ".csv.gz" if pack is not bytes else ".csv", pack)
    csv = {"encoding": encoding, "decimal": ",", "thousands": "."}
    found = {row[0]: row for row in shared.scaling(path, csv=csv).fetchall()}
    name = header.split(";")[1]
    assert found[name][-1].startswith(NAMES[encoding])
    del found[name]
    assert list(found.values()) == shared.scaling(TRUTH).fetchall()


def test_every_surface_reads_the_same(shared, write):
    windows, plain = write(text(), "cp1252"), write(text(delimiter=",", number=str, day="%Y-%m-%d"))
    csv = {"synthetic": {"encoding": "cp1252", "decimal": ",", "thousands": "."}}
    found = shared.copies(windows, plain, csv=csv).fetchall()
    assert [copies for _, copies in found] == [1] * ROWS
    sql = (
        f"FROM synthpriv.copies('{windows}', '{plain}', csv := {{'synthetic': {{'encoding': 'cp1252', 'decimal': ',', "
        "'thousands': '.'}})"
    )
    assert shared.connection.sql(sql).fetchall() == found
    code, out, _ = cli(
        "copies", "--synthetic", windows, "--train", plain, "--csv", "synthetic:encoding=cp1252,decimal=,,thousands=.",
        "--format", "csv",
    )  # fmt: skip
    assert code == 0
    assert out.splitlines()[1:] == [f"{record},{copies}" for record, copies in found]


def test_a_result_knows_how_its_files_were_read(shared, write):
    path = write(text(), "cp1252")
    csv = {"encoding": "cp1252", "decimal": ",", "thousands": "."}
    result = shared.dcr(path, path, csv=csv)
    values = {value.name: value.value for value in result.run.values({}, {})}
    assert values["run_rows"] == f'{{"synthetic": {ROWS}, "train": {ROWS}}}'
    assert result.run.options["csv"] == {"synthetic": csv, "train": csv}
    named = with_reading(catalog.function("candidates"), {"synthetic": [path], "train": path, "csv": csv})
    assert [table.reading for table in (*named["synthetic"], named["train"])] == [csv, csv]


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore::synthpriv_sql.SynthprivWarning")
def test_whatever_calls_further_reads_the_same(shared, write, tmp_path):
    path, csv = write(text(), "cp1252"), {"encoding": "cp1252", "decimal": ",", "thousands": "."}
    page = tmp_path / "page.html"
    shared.report(page, path, path, path, csv=csv, attack=["agreement"], auto_cast=True, exclude_unsupported=True)
    shown = shared.sql("scaling", train=path, csv=csv)
    for written in (page.read_text(), shown):
        assert copies._folder().name not in written
    assert f"READ_CSV(''{path}'', decimal_separator = '','', thousands = ''.'', encoding = ''cp1252'')" in shown
    assert len(shared.safe(path, path, holdout=path, csv=csv, until_safe=True)) == 0
    assert shared.best_discernibility(path, csv=csv)["best"][0] == ROWS
    children = {"kids": [None, path, path, "n"]}
    assert "kids" in set(shared.split_check(path, path, key="n", children=children, csv=csv, shared_units=True)["part"])


def test_an_empty_line_of_options_says_nothing(shared, write):
    assert shared.scaling(write("n\n1\n2\n"), csv={}).fetchall() == shared.scaling(write("n\n1\n2\n")).fetchall()


@pytest.mark.parametrize(
    ("values", "way"),
    [
        (["3,7", "12,25"], "{'decimal': ','}"),
        (["1.234,5", "7,0"], "{'decimal': ',', 'thousands': '.'}"),
        (["1.234.567", "2,5"], "{'decimal': ',', 'thousands': '.'}"),
        (["-3,7", "5"], "{'decimal': ','}"),
        (["1,234.5", "1,000"], "{'thousands': ','}"),
        (["1,234", "5"], "{'thousands': ','}"),
        (["1'234.5", "-7"], "{'thousands': \"'\"}"),
        (["1 234,5", "7,25"], "{'decimal': ',', 'thousands': ' '}"),
        (["1\u202f234,5", "1\u00a0234", "1\u2009234 ", "1 234,5", "7,25"], "{'decimal': ',', 'thousands': ' '}"),
        (["1\u202f234.5", "7.25"], "{'thousands': ' '}"),
        (["1\u00a0234", "7"], "{'thousands': ' '}"),
        (["1’234.5", "1'234", "7"], "{'thousands': \"'\"}"),
        (["601 234 567", "48 601 234"], None),  # telephone numbers
        (["31/12/2024", "1/2/2024", "2024"], None),  # mixed: a text
        (["3,7", "x"], None),
        (["1.2.3", "3,7"], None),
    ],
)
def test_numbers_with_commas_are_no_categories(shared, write, values, way):
    path = write("id;v\n" + "".join(f"{i};{v}\n" for i, v in enumerate(values * 10)))
    if way is None:
        assert {row[0]: row[1] for row in shared.scaling(path).fetchall()}["v"] == "categorical"
        return
    assert way.replace(" := ", "=") in refused(shared, path)
    csv = ast.literal_eval(way)
    roles = {row[0]: row[1] for row in shared.scaling(path, csv=csv).fetchall()}
    assert roles["v"] == "numeric"
    # And whoever means texts says so.
    assert {row[0]: row[1] for row in shared.scaling(path, csv={"decimal": "."}).fetchall()}["v"] == "categorical"


@pytest.mark.parametrize(
    ("values", "what"),
    [
        (["3,7", "3.7"], "of which some have a decimal comma, others a decimal point"),
        (["1’234.5", "1 234.5"], "of which some have spaces between thousands, others apostrophes"),
        (["1.234,50 €", "7 €"], "with currency or percent signs"),
        (["-$1,234.50", "7"], "with currency or percent signs"),
        (["12.5%", "NA"], "with currency or percent signs"),
        (["1.234,50-", "7,00"], "a minus at the end"),
        (["(12.5)", "7"], "brackets"),
    ],
)
def test_numbers_that_no_option_reads_are_said(shared, write, values, what):
    path = write("id;v\n" + "".join(f"{i};{v}\n" for i, v in enumerate(values * 10)))
    sentence = said(shared, path)
    assert f'column "v" of "{path}" is compared as text' in sentence
    assert what in sentence
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shared.scaling(path, csv={"decimal": "."})


@pytest.mark.parametrize(
    "values", [["+49 30 1234", "030 1234"], ["10.0.0.1", "10.0.0.2"], ["A-1", "A-2"], ["5 kg", "7"]]
)
def test_texts_with_digits_are_no_numbers(shared, write, values):
    path = write("id;v\n" + "".join(f"{i};{v}\n" for i, v in enumerate(values * 10)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shared.scaling(path)


@pytest.mark.parametrize(
    ("values", "given", "what"),
    [
        (
            ["1.234,5", "7"],
            {"decimal": ","},
            "a decimal comma and points between thousands, unlike csv={'decimal': ','}",
        ),
        (["3.7", "12.25"], {"decimal": ","}, "numbers with a decimal point, unlike csv={'decimal': ','}"),
        (["1,234.5", "7"], {"decimal": ","}, "csv={'train': {'decimal': '.', 'thousands': ','}}"),
        (["3,7", "n/a"], {"decimal": ","}, "csv={'missing': 'n/a'} reads these as missing"),
    ],
)
def test_numbers_unlike_the_options_are_said(shared, write, values, given, what):
    path = write("id;v\n" + "".join(f"{i};{v}\n" for i, v in enumerate(values * 10)))
    assert what in said(shared, path, csv=given)


def test_separators_fit_each_other(shared, write):
    path = write("id;v\n1;1.234\n2;2,5\n")
    assert {row[0]: row[1] for row in shared.scaling(path, csv={"thousands": "."}).fetchall()}["v"] == "numeric"
    for reading in ({"thousands": ",", "decimal": ","}, {"thousands": ".", "decimal": "."}):
        with pytest.raises(errors.OptionError, match="the same character"):
            shared.scaling(path, csv=reading)
    with pytest.raises(errors.OptionError, match="one ASCII character, or space"):
        shared.scaling(path, csv={"thousands": "·"})


SPACED = ["1\u202f234,5", "1\u00a0234\u00a0567,25", "-1 234", "7,25", ""]


@pytest.mark.parametrize("space", [" ", "space", "\u202f", "\u00a0"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_spaces_between_thousands_are_those_of_any_keyboard(shared, write, space, encoding):
    rows = "".join(f"{i};{v};12\u202f345 Rue\n" for i, v in enumerate(SPACED * 10))
    path = write("id;v;street\n" + rows, encoding)
    csv = {"decimal": ",", "thousands": space, "encoding": encoding}
    ((least, most, missing),) = shared.connection.sql(
        f"SELECT min(v), max(v), count(*) - count(v) FROM query({quoted(shared, path, csv)})"
    ).fetchall()
    assert (least, most, missing) == (-1234, 1234567.25, 10)
    assert {row[0]: row[1] for row in shared.scaling(path, csv=csv).fetchall()} == {
        "id": "numeric",
        "v": "numeric",
        "street": "categorical",  # a text with digits stays as it is
    }


def quoted(shared, path, csv):
    """The query that reads a file, as a literal."""
    given = with_reading(catalog.function("scaling"), {"train": path, "csv": csv})
    found = read_csv.query(given["train"], shared.connection).sql("duckdb")
    return "'" + found.replace("'", "''") + "'"


def test_a_text_far_below_numbers_with_spaces_is_an_error_that_does_not_show_it(shared, write):
    path = write("id;v\n" + "1;1\u202f234,5\n" * 21_000 + "2;secret\n")
    with pytest.raises(errors.UnknownTable, match=r'column "v" of .* has a text that is no number') as raised:
        shared.scaling(path, csv={"decimal": ",", "thousands": " "})
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    "values",
    [
        ["3. März 2024", "14. Dezember 2023"],
        ["3 mars 2024", "1er août 2023"],
        ["3 de marzo de 2024", "9 de mayo de 2024"],
    ],
)
def test_dates_with_names_of_months_are_said(shared, write, values):
    path = write("id;born\n" + "".join(f"{i};{v}\n" for i, v in enumerate([*values, "NA"] * 10)))
    sentence = said(shared, path)
    assert f'column "born" of "{path}" is compared as text, although its values look like dates' in sentence
    assert "exclude=['born']" in sentence


@pytest.mark.parametrize(
    ("values", "form"),
    [
        (["3 March 2024", "1 May 2024"], "%d %B %Y"),
        (["March 3, 2024", "May 14, 2023"], "%B %d, %Y"),
        (["03-MAR-24", "14-MAY-23"], "%d-%b-%y"),
    ],
)
def test_dates_with_english_names_are_read(shared, write, values, form):
    path = write("id;born\n" + "".join(f"{i};{v}\n" for i, v in enumerate(values * 10)))
    assert f"csv={{'dates': '{form}'}}" in refused(shared, path)
    roles = {row[0]: row[1] for row in shared.scaling(path, csv={"dates": form}).fetchall()}
    assert roles["born"] == "temporal"


@pytest.mark.parametrize(
    "values", [["12 kg 2024", "3 Mar"], ["3 Mar 2024", "4 March"], ["12 abc 34", "13 abc 35"], ["44 Main 2024", "1"]]
)
def test_texts_with_words_and_numbers_are_no_dates(shared, write, values):
    path = write("id;v\n" + "".join(f"{i};{v}\n" for i, v in enumerate(values * 10)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shared.scaling(path)


def test_few_words_before_years_are_months_and_many_are_not(shared, write):
    path = write("v\n" + "".join(f"{1 + i % 28} {chr(97 + i % 26)}{chr(97 + i // 26)}x 2024\n" for i in range(60)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shared.scaling(path)


def test_dates_of_another_form_are_no_categories(shared, write):
    rows = [f"{1 + i % 28:02}.12.2024;{1 + i % 12:02}/{1 + i % 28:02}/2024" for i in range(40)]
    path = write("\n".join(["a;b", *rows]))
    message = refused(shared, path)
    assert 'column "b"' in message
    assert "csv={'dates': '%m/%d/%Y'}" in message
    read = write("\n".join(["b", *(row.partition(";")[2] for row in rows)]))
    assert shared.scaling(read, csv={"dates": "%m/%d/%Y"}).fetchall()[0][1] == "temporal"


@pytest.mark.parametrize(("mark", "shown"), [("NA", "'NA'"), (".", "'.'"), ("-", "'-'"), ("n/a", "'n/a'")])
def test_texts_that_stand_for_missing_values_are_said(shared, write, mark, shown):
    path = write("v\n" + "".join(f"{mark if i % 4 == 0 else i / 2}\n" for i in range(40)))
    message = said(shared, path)
    assert f'of its first 40 values 10 are "{mark}", the others are numbers' in message
    assert f"csv={{'missing': {shown}}}" in message
    (row,) = shared.scaling(path, csv={"missing": mark}).fetchall()
    assert (row[1], row[2], row[3]) == ("numeric", 30, 10)
