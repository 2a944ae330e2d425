"""Output of results: printed in a format, or written to a file."""

from __future__ import annotations

import codecs
import csv
import json
import math
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any, TextIO

import duckdb
from rich.console import Console

from synthpriv_sql import whole
from synthpriv_sql.engines.duckdb.files import contents, copies
from synthpriv_sql.engines.duckdb.writing import write_parquet, write_table
from synthpriv_sql.errors import EngineError, OptionError, WriteError, not_written
from synthpriv_sql.planner.headers.files import is_csv
from synthpriv_sql.results import display
from synthpriv_sql.results.locks import open_file
from synthpriv_sql.results.result import Result
from synthpriv_sql.results.saved import ENDINGS, RUN
from synthpriv_sql.visible import in_json, in_markdown, visible

SHOWN = 200
"""Default limit of rows of a printed table, because a result may have one row per record."""


def show(result: Result, form: str, console: Console, limit: int | None = None) -> int:
    """Print the rows on standard output, and return how many there were.

    Parameters
    ----------
    result
        What to print.
    form
        One of `FORMATS`.
    console
        Where to print a table; the width of a terminal decides its layout.
    limit
        The maximum number of rows to print, all if below 0; by default all, or `SHOWN` for a table.
    """
    result = result.as_written()
    if limit is None and form == "table":
        limit = SHOWN
    if limit is not None and 0 <= limit < len(result):
        result = result.head(limit)
    if form == "table":
        display.show(result.in_words(), console)
    elif console.is_terminal:
        text = StringIO()
        FORMATS[form](result.in_words(), text)
        sys.stdout.write(visible(text.getvalue()))
    else:
        FORMATS[form](result.in_words(), sys.stdout)
    return len(result)


def _as_json(result: Result, stream: TextIO) -> None:
    rows = [dict(zip(result.columns, map(_plain, row), strict=True)) for row in result.fetchall()]
    stream.write(_json(rows + _durations(result)) + "\n")


def _durations(result: Result) -> list[dict[str, Any]]:
    """The durations of an evaluation's parts as rows of numbers; reading the file skips them."""
    if result.name != "evaluate":
        return []
    nothing = dict.fromkeys(result.columns)
    return [
        nothing
        | {"section": RUN, "metric": "run_seconds", "variant": part, "statistic": "seconds", "value": round(took, 3)}
        | {"meaning": "seconds that this part of the run took"}
        for part, took in result.run_seconds.items()
    ]


def _json(value: Any, indent: str | None = "\n") -> str:
    """Serialize a plain value, on one line if `indent` is None; unlike a float, a decimal keeps all its digits."""
    if isinstance(value, Decimal):
        return f"{value:f}"
    if not value or not isinstance(value, (list, dict)):
        return in_json(json.dumps(value, ensure_ascii=False))
    deeper = None if indent is None else indent + " "
    first, between, last = ("", ", ", "") if indent is None else (deeper, f",{deeper}", indent)
    if isinstance(value, list):
        return f"[{first}{between.join(_json(v, deeper) for v in value)}{last}]"
    named = (f"{in_json(json.dumps(name, ensure_ascii=False))}: {_json(v, deeper)}" for name, v in value.items())
    return f"{{{first}{between.join(named)}{last}}}"


def _plain(value: Any) -> Any:
    """Convert a value for JSON, which has no infinity: it becomes the string Infinity."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Decimal):
        return value if value.is_finite() else str(value)
    if isinstance(value, (date, datetime, time)):
        return value.isoformat()
    if isinstance(value, list):
        return [_plain(v) for v in value]
    if isinstance(value, dict):
        return {str(key): _plain(v) for key, v in value.items()}
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)


@dataclass(frozen=True, slots=True)
class Csv:
    """How CSV is written: as the file that was read, so that what reads that also reads this."""

    delimiter: str = ","
    quote: str = '"'
    decimal: str = "."
    dates: str = ""
    missing: str = ""
    encoding: str = "utf-8"
    line_end: str = "\n"
    spreadsheet_safe: bool = False
    """Whether texts that a spreadsheet would take for formulas begin with an apostrophe."""

    @classmethod
    def of(cls, path: Any, spreadsheet_safe: bool = False) -> Csv:
        """Return the form of a local CSV file with its reading options; that of other tables is the usual one."""
        if not (is_csv(path) and os.path.isfile(path)):
            return cls(spreadsheet_safe=spreadsheet_safe)
        reading = getattr(path, "reading", {})
        start, encoding = copies.start(path), reading.get("encoding", "utf-8")
        first, end, _ = start.decode(encoding, errors="replace").partition("\n")
        return cls(
            reading.get("delimiter") or contents.delimiter(re.sub('"[^"]*"', "", first)) or ",",
            reading.get("quote", '"'),
            reading.get("decimal", "."),
            reading.get("dates", ""),
            next(iter(reading.get("missing", [])), ""),
            "utf-8-sig" if encoding == "utf-8" and start.startswith(codecs.BOM_UTF8) else encoding,
            "\r\n" if end and first.endswith("\r") else "\n",
            spreadsheet_safe,
        )

    def field(self, value: Any) -> Any:
        """Convert a value to text that databases can read back."""
        match value:
            case None:
                return self.missing
            case bool():
                value = str(value).lower()
            case list() | dict():
                value = _json(_plain(value), None)
            case float() | Decimal():
                value = str(value).replace(".", self.decimal)
            case date() if self.dates and not isinstance(value, datetime):
                value = value.strftime(self.dates)
            case str() if self.spreadsheet_safe and value.startswith(_FORMULAS):
                value = f"'{value}"
        return value


_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
_USUAL = Csv()
_CSV: ContextVar[Csv] = ContextVar("csv", default=_USUAL)


@contextmanager
def writing_csv(form: Csv) -> Iterator[None]:
    """Write CSV in this form inside the context."""
    token = _CSV.set(form)
    try:
        yield
    finally:
        _CSV.reset(token)


def _as_csv(result: Result, stream: TextIO) -> None:
    form = _CSV.get()
    writer = csv.writer(stream, delimiter=form.delimiter, quotechar=form.quote, lineterminator=form.line_end)
    writer.writerow(map(form.field, result.columns))
    writer.writerows(map(form.field, row) for row in result.fetchall())


def _as_markdown(result: Result, stream: TextIO) -> None:
    def line(cells: list[str]) -> str:
        return f"| {' | '.join(map(in_markdown, cells))} |\n"

    stream.write(line(result.columns) + line(["---"] * len(result.columns)))
    for row in result.fetchall():
        stream.write(line([display.cell(v) for v in row]))


def _as_table(result: Result, stream: TextIO) -> None:
    display.show(result, Console(file=stream))


FORMATS: dict[str, Callable[[Result, TextIO], None]] = {
    "table": _as_table,
    "json": _as_json,
    "csv": _as_csv,
    "markdown": _as_markdown,
}


def write(
    result: Result,
    path: Path,
    append: bool = False,
    wait: float = 0,
    say: Callable[[str], None] = lambda said: None,
) -> None:
    """Write the rows to a file atomically.

    Parameters
    ----------
    result
        What to write.
    path
        Its extension decides the format: ``.parquet``, ``.csv``, ``.json``, or ``.duckdb`` (a table named as the
        function).
    append
        Whether to append them to the file together with the metadata of the run; for ``.duckdb``.
    wait, say
        The seconds to wait for a database that another process has locked, and a callback for the message.

    Raises
    ------
    OptionError
        The extension is not supported, or not for appending.
    WriteError
        The file cannot be written.
    """
    if path.suffix not in ENDINGS:
        raise OptionError(f'the format of "{path}" is unknown: its extension must be one of {", ".join(ENDINGS)}')
    if append and path.suffix != ".duckdb":
        raise OptionError(f'rows can only be appended to a .duckdb file, not to "{path}"')
    try:
        if path.suffix == ".duckdb":
            result = result.as_written()
            answer = result.with_run() if append else None
            table, types = (answer.fetch(), answer.types) if answer else (result.to_arrow(), result.types)
            with open_file(path, wait, say) as connection:
                run = result.run.id if append and result.run is not None else None
                write_table(connection, table, types, result.name, "append" if append else "replace", run)
            return
        with whole.beside(path) as place:
            _write_file(result, place, path.suffix)
    except (OSError, duckdb.Error, EngineError) as error:
        raise not_written(f'"{path}"', error) from None


@contextmanager
def printing() -> Iterator[None]:
    """Raise a WriteError if standard output cannot be written; a closed pipe passes."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        sys.stdout = StringIO()  # what is left in its buffer cannot be written at exit either
        raise not_written("standard output", error) from None


@contextmanager
def kept(result: Result, path: Path) -> Iterator[None]:
    """Save the rows elsewhere, and say where, if a file of theirs cannot be written within this block."""
    try:
        yield
    except WriteError as error:
        saved = _keep(result, path)
        if saved is None:
            raise
        failed = WriteError(f"{error}. The result was saved to {saved}")
        failed.transient = error.transient
        raise failed from None


def _keep(result: Result, path: Path) -> Path | None:
    """Write rows to a new Parquet file in the same folder, or in that of temporary files; None if neither works."""
    for folder in (path.parent, Path(tempfile.gettempdir())):
        try:
            handle, name = tempfile.mkstemp(dir=folder, prefix=f"{path.stem}-kept-", suffix=".parquet")
        except OSError:
            continue
        os.close(handle)
        try:
            _write_file(result, Path(name), ".parquet")
            return Path(name)
        except (OSError, duckdb.Error, EngineError):
            Path(name).unlink(missing_ok=True)
    return None


def _write_file(result: Result, path: Path, suffix: str) -> None:
    result = result.as_written()
    if suffix == ".parquet":
        write_parquet(result.to_arrow(), result.types, str(path))
        return
    encoding = _CSV.get().encoding if suffix == ".csv" else "utf-8"
    with path.open("w", encoding=encoding, newline="") as stream:
        FORMATS[suffix.removeprefix(".")](result.in_words(), stream)


def has_folder(path: Path) -> None:
    """Raise before anything is computed if the folder of a file does not exist."""
    if not path.parent.is_dir():
        raise WriteError(f'"{path}" cannot be written: there is no folder "{path.parent}"')


def write_page(path: Path, content: str | bytes, private: bool = False) -> None:
    """Write a page, whole or not at all; ``private`` if only its owner may read it."""
    try:
        whole.write(path, visible(content).encode() if isinstance(content, str) else content, private)
    except OSError as error:
        raise not_written(f'"{path}"', error) from None
