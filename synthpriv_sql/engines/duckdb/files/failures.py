"""DuckDB's errors about files that it cannot read, as one plain sentence."""

from __future__ import annotations

import re
from pathlib import Path

from synthpriv_sql.engines.duckdb.files import copies
from synthpriv_sql.errors import UnknownTable
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.unsaid import without_values

_OF_CSV = re.compile(r"CSV Error|CSV File|sniffing|not [\w-]+ encoded", re.IGNORECASE)
_LINE = re.compile(r"CSV Error on Line: (\d+)")
_FILE = re.compile(r"^\s*file = (.+?)(?: \(|$)", re.MULTILINE)
_COLUMN = re.compile(r'Error when converting column "(.*?)"\. Could not convert string .*? to \'(.*?)\'', re.DOTALL)
_COUNTS = re.compile(r"Expected Number of Columns: (\d+) Found: (\d+)")
_EXTENSION = re.compile(r"required extension '(\w+)|requires the extension (\w+)")
_QUOTE = re.compile("unterminated quote", re.IGNORECASE)


def plain(text: str, path: str = "") -> UnknownTable | None:
    """Say what is wrong with a file and what to do; None for other errors.

    Parameters
    ----------
    text
        DuckDB's message.
    path
        The file, if known.
    """
    if "read_xlsx: " in text:
        words = text.partition("read_xlsx: ")[2].partition("\n")[0]
        return UnknownTable(
            f"an Excel file cannot be read by DuckDB's extension ({words}), "
            'which takes types from the first row: pip install "synthpriv-sql[excel]" reads all cells before'
        )
    if not _OF_CSV.search(text):
        return None
    found = _FILE.search(text)
    path = path or (found[1].strip() if found else "")
    named = f'"{path}"' if path else "a CSV file"
    is_encoding = "utf-8" in text.lower() and ("encoded" in text or "unicode" in text)
    if is_encoding or ("sniffing" in text and Path(path).is_file() and copies.first_line_not_utf8(path)):
        return UnknownTable(_not_utf8(path, named))
    at = _LINE.search(text)
    return UnknownTable(f"line {int(at[1]):,} of {named} {_of_a_line(text)}" if at else f"{named} {_of_a_file(text)}")


def extension(text: str) -> str | None:
    """Say which extension of DuckDB is missing, and what to do; None for other errors."""
    found = _EXTENSION.search(text)
    if found is None:
        return None
    name = found[1] or found[2]
    other = "give the workbook itself as the table" if name == "excel" else "give a local file"
    return (
        f'it needs DuckDB\'s extension "{name}", which is not installed and could not be downloaded; INSTALL {name} in '
        f"DuckDB where there is a network, or {other}"
    )


def _how() -> str:
    example = {"delimiter": ";", "quote": '"', "header": True}
    return f"say how the file is written, such as {wording.given('csv', example)}"


def ragged(path: str, line: int, found: int, due: int, delimiter: str) -> str:
    """Describe a line that has too few or too many values."""
    shown = "a tab" if delimiter == "\t" else f'"{delimiter}"'
    values = "value" if found == 1 else "values"
    return (
        f'line {line:,} of "{path}" has {found} {values} instead of {due} (separated by {shown}); fix it, or {_how()}'
    )


def _of_a_line(text: str) -> str:
    """The error in a line; without the line itself, which holds personal data."""
    if column := _COLUMN.search(text):
        return (
            f'has a text in column "{column[1]}" that is no {column[2]}, as which those before it were read; choose '
            f"types by all lines ({wording.given('csv', {'sample': 'all'})}), or, if the text stands for a "
            "missing value, "
            f"name it ({wording.given('csv', {'missing': 'NA'})}, for one)"
        )
    if counts := _COUNTS.search(text):
        return f"has {counts[2]} values where {counts[1]} are due; mend it, or {_how()}"
    if _QUOTE.search(text):
        return f"has a quote that is not closed; mend it, or {_how()}"
    lines = [line.strip() for line in text.split("\n")[1:]]
    own = (line for line in lines if line and not line.startswith(("Original Line", "Possible", "*", "file =")))
    why = without_values(next(own, "")) or "it is not as those before it"
    return f"cannot be read ({why}); {_how()}"


def _of_a_file(text: str) -> str:
    first = text.partition("\n")[0]
    return f"cannot be read as CSV ({first.partition('Error: ')[2] or first}); {_how()}"


def _not_utf8(path: str, named: str) -> str:
    """The message about a file that is not in UTF-8."""
    line, start = None, b""
    if path and Path(path).is_file():
        start = copies.start(path)
        line = copies.first_line_not_utf8(path)
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return f"{named} is in UTF-16: {wording.given('csv', {'encoding': 'utf-16'})} reads it"
    where = f" (line {line:,} is the first that is not)" if line else ""
    return (
        f"{named} is not in UTF-8{where}; say what it is in: {wording.given('csv', {'encoding': 'cp1252'})} is that of "
        "Windows in Western Europe and America; others are cp1250, cp1251, latin-1, utf-16"
    )
