"""The extent of a sheet, found before a library allocates all its cells: a single far one would end the process."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO
from xml.etree import ElementTree

from synthpriv_sql.errors import UnknownTable

MOST_CELLS = 1 << 26
"""The most cells that are read: a million rows of 64 columns. They take some GB."""
_FEW_CELLS = 1 << 22
"""So many are read however few of them have a value."""
_SPARSE = 100
"""A sheet of more cells must have a value in one of so many."""
_CHUNK = 1 << 22
_ROW = re.compile(rb'<(?:\w+:)?row\s[^>]*?\br="(\d{1,7})"')
_COLUMN = re.compile(rb'<(?:\w+:)?c\s(?:[^>]*?\s)?r="([A-Z]{1,3})\d')
_USUAL_ROW, _USUAL_CELL = re.compile(rb'<row r="(\d{1,7})"'), re.compile(rb'<c r="([A-Z]{1,3})')
"""As all programs write them; other attributes may come before, and the names of elements may have a prefix."""
_CELL = re.compile(rb'<(?:\w+:)?c\s(?:[^>]*?\s)?r="([A-Z]{1,3})(\d{1,7})"[^>]*(?<!/)>(?!</)')
_LONGEST = 1 << 12
"""The longest tag of a cell or row."""
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, KeyError, ElementTree.ParseError, ValueError, RuntimeError)
"""The error of a damaged workbook; the library says what is wrong with it."""


@dataclass(slots=True)
class _Extent:
    rows: int = 0
    columns: int = 0
    values: int = 0
    last: str = ""

    @property
    def fits(self) -> bool:
        cells = self.rows * self.columns
        return cells <= _FEW_CELLS or cells <= min(MOST_CELLS, _SPARSE * self.values)


def check(path: str, sheet: str) -> None:
    """Raise an error if a sheet of a workbook is larger than can be read.

    Parameters
    ----------
    path
        The workbook: .xlsx, .xlsm or .ods; others are not checked, as their readers allocate what a file holds.
    sheet
        The name of the sheet.

    Raises
    ------
    UnknownTable
        It has too many cells, or few values in too many.
    """
    kind = path.lower().rpartition(".")[2]
    try:
        with zipfile.ZipFile(path) as book:
            found = _in_xlsx(book, sheet) if kind in {"xlsx", "xlsm"} else _in_ods(book) if kind == "ods" else _Extent()
    except _DAMAGED:
        return
    if not found.fits:
        at = f", the last at {found.last}" if found.last else ""
        raise UnknownTable(
            f'sheet "{sheet}" of "{path}" has {found.rows:,} rows and {found.columns:,} columns, but only '
            f"{found.values:,} values{at}: clear what stands far from the table, or save it as CSV"
            if found.rows * found.columns > _SPARSE * found.values
            else f'sheet "{sheet}" of "{path}" has {found.rows:,} rows and {found.columns:,} columns, more than the '
            f"{MOST_CELLS:,} cells that are read from a workbook: save it as CSV or Parquet"
        )


def _in_xlsx(book: zipfile.ZipFile, sheet: str) -> _Extent:
    name = _file(book, sheet)
    with book.open(name) as lines:
        found = _at_most(lines)
    if found.fits:
        return found
    with book.open(name) as lines:
        return _exactly(lines)


def _file(book: zipfile.ZipFile, sheet: str) -> str:
    """The file of a sheet inside a workbook."""
    target = ""
    for element in ElementTree.fromstring(book.read("xl/workbook.xml")).iter():  # noqa: S314
        if element.tag.endswith("}sheet") and element.get("name") == sheet:
            target = next(value for name, value in element.items() if name.endswith("}id"))
    for element in ElementTree.fromstring(book.read("xl/_rels/workbook.xml.rels")):  # noqa: S314
        if element.get("Id") == target:
            path = element.get("Target", "")
            return path.lstrip("/") if path.startswith("/") else f"xl/{path}"
    raise KeyError(sheet)


def _chunks(lines: IO[bytes]) -> Iterator[bytes]:
    """The text in chunks that end with a tag."""
    rest = b""
    while chunk := lines.read(_CHUNK):
        chunk = rest + chunk
        end = chunk.rfind(b"<", max(0, len(chunk) - _LONGEST))
        end = len(chunk) if end < 0 else end
        yield chunk[:end]
        rest = chunk[end:]
    yield rest


def _at_most(lines: IO[bytes]) -> _Extent:
    """The extent with all cells that a file lists, also those that only have a format."""
    found, columns = _Extent(), set[bytes]()
    for chunk in _chunks(lines):
        rows, names = _USUAL_ROW.findall(chunk), _USUAL_CELL.findall(chunk)
        if chunk.count(b"<row ") != len(rows) or chunk.count(b"<c ") != len(names) or b":c " in chunk:
            rows, names = _ROW.findall(chunk), _COLUMN.findall(chunk)
        found.rows = max((found.rows, *map(int, rows)))
        columns.update(names)
        found.values += len(names)
    found.columns = max(map(_place, columns), default=0)
    return found


def _exactly(lines: IO[bytes]) -> _Extent:
    """The extent of the cells with a value."""
    found = _Extent()
    for chunk in _chunks(lines):
        for column, row in _CELL.findall(chunk):
            found.values += 1
            if (at := int(row)) > found.rows:
                found.rows, found.last = at, (column + row).decode()
            found.columns = max(found.columns, _place(column))
    return found


def _place(letters: bytes) -> int:
    """The number of a column, from 1."""
    place = 0
    for letter in letters:
        place = place * 26 + letter - 64
    return place


def _in_ods(book: zipfile.ZipFile) -> _Extent:
    """The extent that repeated cells and rows with values have; all sheets are read together."""
    found, empty = _Extent(), 0
    with book.open("content.xml") as lines:
        for _, element in ElementTree.iterparse(lines):  # noqa: S314
            kind = element.tag.rpartition("}")[2]
            if kind == "table-row":
                times = _times(element, "rows")
                width, wide = 0, 0
                for cell in element:
                    wide += _times(cell, "columns")
                    if len(cell) or any(name.endswith("}value-type") for name, _ in cell.items()):
                        width = wide
                        found.values += 1
                found.columns = max(found.columns, width)
                empty += times
                if width:
                    found.rows, empty = found.rows + empty, 0
                element.clear()
            elif kind == "table":
                empty = 0
    return found


def _times(element: ElementTree.Element, kind: str) -> int:
    return next((int(value) for name, value in element.items() if name.endswith(f"}}number-{kind}-repeated")), 1)
