"""Sheets of Excel files: their types, what is odd about them, and what is said where nothing reads them."""

import datetime
import sys
import warnings
import zipfile
from contextlib import suppress
from pathlib import Path

import openpyxl
import pytest
from calls import DUCKDB, cli

from synthpriv_sql import connect, errors
from synthpriv_sql.engines.duckdb.files import bounds

ROWS = [
    {
        "n": i % 7,
        "x": None if i == 3 else i / 4,
        "day": datetime.date(2024, 1, 1 + i % 28),
        "moment": datetime.datetime(2024, 1, 1, 10, i),
        "at": datetime.time(10, i),
        "yes": i % 3 == 0,
        "name": "" if i == 5 else f"Zoë {i % 4}",
        "nothing": None,
    }
    for i in range(40)
]


def book(path, *sheets):
    made = openpyxl.Workbook()
    made.remove(made.active)
    for name, rows in sheets:
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    made.save(path)
    return str(path)


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    rows = [list(ROWS[0]), *(list(row.values()) for row in ROWS)]
    return book(tmp_path_factory.mktemp("excel") / "plain.xlsx", ("Rows", rows), ("Other", [["a"], [1], [2.5]]))


def test_cells_have_their_types(shared, plain):
    columns = {c.name: c.type for c in shared.engine.relation("train", plain + "#Rows").columns}
    assert columns == {
        "n": "BIGINT", "x": "DOUBLE", "day": "DATE", "moment": "TIMESTAMP", "at": "TIME", "yes": "BOOLEAN",
        "name": "VARCHAR", "nothing": '"NULL"' if DUCKDB > 1 else "INTEGER",  # as either reads a column of nulls
    }  # fmt: skip
    node = shared.engine.relation("train", plain + "#Rows").node
    found = shared.connection.sql(f"SELECT * FROM {node.sql('duckdb')}").fetchall()
    assert found == [tuple(None if v == "" else v for v in row.values()) for row in ROWS]


def test_every_surface_reads_the_same(shared, plain):
    sheet = plain + "#Rows"
    found = shared.copies(sheet, sheet, exclude=["nothing"]).fetchall()
    assert len(found) == len(ROWS)
    assert (
        shared.connection.sql(f"FROM synthpriv.copies('{sheet}', '{sheet}', exclude := ['nothing'])").fetchall()
        == found
    )
    code, out, err = cli("copies", "--synthetic", sheet, "--train", sheet, "--exclude", "nothing", "--format", "csv")
    assert code == 0, err
    assert len(out.splitlines()) == 1 + len(ROWS)


def test_the_first_sheet_is_read_where_none_is_named(shared, plain):
    with pytest.warns(errors.SynthprivWarning, match='has 2 sheets, of which the first is read, "Rows"'):
        assert len(shared.engine.relation("train", plain).columns) == 8
    assert [c.type for c in shared.engine.relation("train", plain + "#Other").columns] == ["DOUBLE"]
    with pytest.raises(errors.UnknownTable, match='has no sheet "Third"; there are: "Rows", "Other"'):
        shared.scaling(plain + "#Third")


def test_what_is_odd_is_said(shared, tmp_path):
    rows = [[], ["a", "a", None, "v", None], [1, 2, "x", 1, None], [], [1, 2, "y", "NA", None], [3, 4, None, 2.5, None]]
    path = book(tmp_path / "odd.xlsx", ("S", rows))
    with pytest.warns(errors.SynthprivWarning) as warned:
        found = shared.scaling(path).fetchall()
    assert [(row[0], row[1], row[2]) for row in found] == [
        ("a", "numeric", 3), ("a_1", "numeric", 3), ("column3", "categorical", 2), ("v", "categorical", 3)
    ]  # fmt: skip
    said = "; ".join(str(w.message) for w in warned)
    for words in ('has the name "a", as one before it; it is called "a_1"', 'has no name; it is called "column3"',
                  'column "v" of "', "holds numbers (2) and texts (1)"):  # fmt: skip
        assert words in said


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "there is no file"), (b"no book", "cannot be read"), ("empty", "is empty")],
)
def test_what_cannot_be_read_is_refused(shared, tmp_path, content, words):
    path = tmp_path / "bad.xlsx"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content:
        book(path, ("S", []))
    with pytest.raises(errors.UnknownTable, match=words):
        shared.scaling(str(path))


def test_numbers_and_dates_in_cells_of_text_are_said(shared, tmp_path):
    rows = [["n", "day", "paid", "code"], *([f"{i},5", f"{1 + i:02}.02.2024", f"{i} €", f"0{i}"] for i in range(20))]
    with pytest.warns(errors.SynthprivWarning) as warned:
        shared.scaling(book(tmp_path / "texts.xlsx", ("A", rows)))
    sentences = [str(w.message) for w in warned]
    assert len(sentences) == 3  # a code of digits may be meant as one
    assert "numbers with a decimal comma; convert them in the workbook" in sentences[0]
    assert "dates; convert" in sentences[1]
    assert "numbers with currency or percent signs" in sentences[2]


@pytest.mark.parametrize("setting", ["autoload_known_extensions", "autoinstall_known_extensions"])
def test_an_extension_that_is_missing_is_named(setting):
    with connect() as session:
        session.connection.execute(f"SET {setting} = false")
        for table in ("https://example.invalid/x.parquet", "(FROM 'https://example.invalid/x.csv')"):
            with pytest.raises(errors.UnknownTable) as caught:
                session.scaling(table)
            assert 'it needs DuckDB\'s extension "httpfs"' in str(caught.value)
            assert "\n" not in str(caught.value)


def test_standard_input_is_no_table():
    code, _, err = cli("scaling", "--train", "-")
    assert code == 2
    assert "Standard input can be read only once" in err


def test_a_folder_is_named_by_a_pattern(tmp_path):
    (tmp_path / "day=1").mkdir()
    with connect() as session, pytest.raises(errors.UnknownTable, match=r"It is a folder; .*day=1/\*\*/\*\.parquet"):
        session.scaling(f"{tmp_path}/day=1/")


def test_without_the_library_it_is_named_and_nothing_is_downloaded(plain, monkeypatch):
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with connect() as session:
        asked = session.connection.execute("SELECT installed FROM duckdb_extensions() WHERE extension_name = 'excel'")
        if asked.fetchall() == [(True,)]:
            pytest.skip("the extension excel is installed here")
        with pytest.raises(errors.UnknownTable, match=r'needs python-calamine.*pip install "synthpriv-sql\[excel\]"'):
            session.scaling(plain)


def test_texts_that_look_like_dates_or_numbers_are_said(shared, tmp_path):
    cells = [["id", "born", "left", "amount"]]
    cells += [
        [i, f"{1 + i % 28}. {['Januar', 'März'][i % 2]} 1970", f"{1 + i % 28} Mar 99", "1\u202f234,5"] for i in range(9)
    ]
    path = book(tmp_path / "texts.xlsx", ("Rows", cells))
    with pytest.warns(errors.SynthprivWarning) as said:
        shared.scaling(path)
    texts = " ".join(str(warning.message) for warning in said)
    for name, what in (
        ("born", "dates"),
        ("left", "dates"),
        ("amount", "numbers with a decimal comma and spaces between"),
    ):
        assert f'column "{name}" of "{path}" is compared as text, although its cells look like {what}' in texts


def test_a_value_far_from_the_table_is_found_before_the_sheet_is_read(shared, tmp_path):
    """The reader allocates all cells up to the last: a value in the last possible one would end the process."""
    made = openpyxl.Workbook()
    sheet = made.active
    sheet.append(["a", "b"])
    sheet.append([1, "x"])
    sheet["XFD1048576"].font = openpyxl.styles.Font(bold=True)  # a format alone is no value
    made.save(tmp_path / "formatted.xlsx")
    assert shared.scaling(str(tmp_path / "formatted.xlsx"))["column_name"] == ["a", "b"]
    sheet["XFD1048576"] = 1
    made.save(tmp_path / "far.xlsx")
    with pytest.raises(errors.UnknownTable, match=r"1,048,576 rows and 16,384 columns, but only 5 values, the last at"):
        shared.scaling(str(tmp_path / "far.xlsx"))


CELL = '<table:table-cell office:value-type="float" office:value="1" {}/>'
ROWS_OF_ODS = "<table:table-row {}>{}</table:table-row>"


@pytest.mark.parametrize(
    ("rows", "fits"),
    [
        ([("", [""] * 3), ('table:number-rows-repeated="1048573"', [])], True),
        ([("", [""] * 8), ('table:number-rows-repeated="1048573"', []), ("", [""])], False),
        ([("", ["", 'table:number-columns-repeated="2147483647"']), ("", [""])], False),
    ],
)
def test_repeated_cells_of_opendocument_are_counted(tmp_path, rows, fits):
    lines = "".join(
        ROWS_OF_ODS.format(times, "".join(map(CELL.format, cells)) or "<table:table-cell/>") for times, cells in rows
    )
    names = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table"))
    with zipfile.ZipFile(tmp_path / "t.ods", "w") as book:
        book.writestr("content.xml", f'<office:d {names}><table:table table:name="S">{lines}</table:table></office:d>')
    if fits:
        bounds.check(str(tmp_path / "t.ods"), "S")
    else:
        with pytest.raises(errors.UnknownTable, match="clear what stands far from the table"):
            bounds.check(str(tmp_path / "t.ods"), "S")


def test_damaged_workbooks_are_refused(shared, plain, tmp_path):
    whole = Path(plain).read_bytes()
    for at in range(0, len(whole), len(whole) // 8):
        for damaged in (whole[:at], whole[:at] + b"\xff" * 16 + whole[at + 16 :]):
            (tmp_path / "damaged.xlsx").write_bytes(damaged)
            with suppress(errors.SynthprivError), warnings.catch_warnings(action="ignore"):
                shared.scaling(str(tmp_path / "damaged.xlsx"))
