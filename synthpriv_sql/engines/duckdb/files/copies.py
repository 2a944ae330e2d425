"""Copies, in UTF-8 or as Parquet, of files that DuckDB cannot read."""

from __future__ import annotations

import atexit
import bz2
import codecs
import csv
import gzip
import lzma
import os
import tempfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from io import TextIOWrapper
from itertools import count
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from sqlglot import exp

from synthpriv_sql.errors import UnknownTable, WriteError
from synthpriv_sql.planner.headers import wording

if TYPE_CHECKING:
    import pyarrow as pa

_OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
_DAMAGED = (gzip.BadGzipFile, lzma.LZMAError, zlib.error, EOFError)
_CHUNK = 1 << 20
_NUMBERS = count()
_ORIGINALS: dict[str, str] = {}
_COPIES: dict[tuple[Any, ...], str] = {}


def utf8(path: str, encoding: str) -> str:
    """Return the path of a copy in UTF-8, in a folder that only this user can read and that is removed at exit.

    Parameters
    ----------
    path
        The file, which may be compressed.
    encoding
        Its encoding, by Python's name.

    Raises
    ------
    UnknownTable
        It cannot be read, or has another encoding.
    WriteError
        The copy cannot be written.
    """
    about = os.stat(path)
    key = (os.path.abspath(path), about.st_mtime_ns, about.st_size, encoding)
    if key not in _COPIES:
        target = os.path.join(_folder().name, f"{next(_NUMBERS)}_{Path(path).name.partition('.')[0]}.csv")
        try:
            _copy(path, encoding, target)
        except _DAMAGED as error:
            raise UnknownTable(f'"{path}" cannot be unpacked: {error}') from None
        except OSError as error:
            raise WriteError(f'"{path}" is {encoding}, and its copy in UTF-8 could not be written: {error}') from None
        _COPIES[key] = target
    return _COPIES[key]


def parquet(table: pa.Table, path: str) -> str:
    """Write the rows of a file into the folder of copies, and return the path.

    Raises
    ------
    WriteError
        They cannot be written.
    """
    import pyarrow.parquet as pq

    target = os.path.join(_folder().name, f"{next(_NUMBERS)}_{Path(path).name.partition('.')[0]}.parquet")
    try:
        pq.write_table(table, target)
    except OSError as error:
        raise WriteError(f'the rows of "{path}" could not be written where DuckDB reads them: {error}') from None
    return target


def stands_for(read: exp.Query, original: exp.Query) -> None:
    """Remember the query that a query on a copy replaces, for SQL that is shown."""
    _ORIGINALS[_as_text(read)] = _as_text(original)


def shown(statement: str) -> str:
    """Return a statement that reads the files instead of their temporary copies."""
    for read, original in _ORIGINALS.items():
        statement = statement.replace(read, original)
    return statement


def _as_text(query: exp.Query) -> str:
    """A query as SQL text."""
    return exp.Literal.string(query.sql("duckdb")).sql("duckdb")


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    made = tempfile.TemporaryDirectory(prefix="synthpriv_")
    atexit.register(made.cleanup)
    return made


def _copy(path: str, encoding: str, target: str) -> None:
    line = 1
    with opened(path) as source, open(target, "w", encoding="utf-8", newline="") as written:
        decoder = codecs.getincrementaldecoder(encoding)()
        first = True
        while True:
            chunk = source.read(_CHUNK)
            try:
                text = decoder.decode(chunk, final=not chunk)
            except UnicodeError as error:
                # UTF-16 without a byte order mark is a UnicodeError without a place.
                line += error.object[: error.start].count(b"\n") if isinstance(error, UnicodeDecodeError) else 0
                raise UnknownTable(
                    f'line {line:,} of "{path}" holds bytes that are not valid {encoding}, the given encoding; '
                    f"give its encoding: {wording.given('csv', {'encoding': 'utf-8'})}, or latin-1, which takes "
                    "any bytes"
                ) from None
            line += text.count("\n")
            written.write(text.removeprefix("\ufeff") if first else text)
            first = False
            if not chunk:
                return


def opened(path: str) -> IO[bytes]:
    """Open a file in binary mode, decompressed.

    Raises
    ------
    UnknownTable
        Python cannot read its compression.
    """
    suffix = Path(path).suffix.lower()
    if suffix == ".zst":
        raise UnknownTable(f'"{path}" is compressed by Zstandard and not in UTF-8; unpack it first')
    found: IO[bytes] = _OPENERS.get(suffix, open)(path, "rb")
    return found


def first_line_not_utf8(path: str) -> int | None:
    """The number of the first line that is not UTF-8, from 1; None if all are."""
    with opened(path) as lines, suppress(*_DAMAGED):
        for number, line in enumerate(lines, 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                return number
    return None


def first_ragged(path: str, delimiter: str, quote: str) -> tuple[int, int, int] | None:
    """Find the first line of a UTF-8 file whose number of values differs from that of the first line.

    Returns
    -------
    tuple or None
        Its number (from 1), its number of values, and the expected number.
    """
    with opened(path) as source, TextIOWrapper(source, encoding="utf-8-sig", newline="") as lines:
        rows = csv.reader(lines, delimiter=delimiter, quotechar=quote)
        try:
            due = len(next(rows, []))
            return next(((rows.line_num, len(row), due) for row in rows if row and len(row) != due), None)
        except csv.Error:
            return None


def first_line(path: str) -> bytes:
    """The first line of a file, without its end."""
    with opened(path) as source:
        return source.readline().rstrip()


def start(path: str) -> bytes:
    """The first megabyte of a file, decompressed; empty if that fails."""
    with opened(path) as source, suppress(*_DAMAGED):
        return source.read(_CHUNK)
    return b""
