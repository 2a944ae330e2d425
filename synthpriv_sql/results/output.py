"""Results on their way out: printed in a format, or written into a file."""

from __future__ import annotations

import csv
import json
import math
import os
import sys
import tempfile
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any, TextIO

import duckdb
from rich.console import Console

from synthpriv_sql.engines.duckdb.engine import write_parquet, write_table
from synthpriv_sql.errors import EngineError, OptionError, WriteError, may_go_away, transient
from synthpriv_sql.results import display
from synthpriv_sql.results.locks import when_free
from synthpriv_sql.results.result import Result
from synthpriv_sql.results.saved import ENDINGS, RUN

SHOWN = 200
"""Rows that a terminal shows where nothing is said; a result may have one for each record."""


def show(result: Result, form: str, console: Console, limit: int | None = None) -> int:
    """Print the rows on standard output, and return how many there were.

    Parameters
    ----------
    result
        What to print.
    form
        One of `FORMATS`.
    console
        Where a table goes; if that is a terminal, its width decides how the table is laid out.
    limit
        The most rows to print; all where not given, of a table on a terminal `SHOWN`.
    """
    if limit is None and form == "table" and console.is_terminal:
        limit = SHOWN
    if limit is not None and limit < len(result):
        result = result.head(limit)
    if form == "table":
        display.show(result.in_words(), console)
    else:
        FORMATS[form](result.in_words(), sys.stdout)
    return len(result)


def _as_json(result: Result, stream: TextIO) -> None:
    rows = [dict(zip(result.columns, map(_plain, row), strict=True)) for row in result.fetchall()]
    stream.write(_json(rows + _durations(result)) + "\n")


def _durations(result: Result) -> list[dict[str, Any]]:
    """How long the parts of an evaluation took, as rows like its own; they are left out where it is read again."""
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
    """A plain value as text, on one line where `indent` is None; a decimal with all its digits, unlike a float."""
    if isinstance(value, Decimal):
        return f"{value:f}"
    if not value or not isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    deeper = None if indent is None else indent + " "
    first, between, last = ("", ", ", "") if indent is None else (deeper, f",{deeper}", indent)
    if isinstance(value, list):
        return f"[{first}{between.join(_json(v, deeper) for v in value)}{last}]"
    named = (f"{json.dumps(name, ensure_ascii=False)}: {_json(v, deeper)}" for name, v in value.items())
    return f"{{{first}{between.join(named)}{last}}}"


def _plain(value: Any) -> Any:
    """A value as JSON has it; it has no infinity, so that becomes the text Infinity."""
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


def _as_csv(result: Result, stream: TextIO) -> None:
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(result.columns)
    writer.writerows([_field(v) for v in row] for row in result.fetchall())


def _field(value: Any) -> Any:
    """A value as databases read it back from CSV."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, dict)):
        return _json(_plain(value), None)
    return "" if value is None else value


def _as_markdown(result: Result, stream: TextIO) -> None:
    def line(cells: list[str]) -> str:
        return "| " + " | ".join(c.replace("|", "\\|").replace("\n", " ") for c in cells) + " |\n"

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
    """Write the rows into a file, whole or not at all.

    Parameters
    ----------
    result
        What to write.
    path
        Its ending says how: ``.parquet``, ``.csv``, ``.json``, or ``.duckdb`` (a table named as the function).
    append
        Whether they are added to those in the file, with what is known of the run; for ``.duckdb``.
    wait, say
        The seconds to wait for a database that another process holds, and who is told of it.

    Raises
    ------
    OptionError
        The ending is another one, or another one than rows are appended to.
    WriteError
        The file cannot be written.
    """
    if path.suffix not in ENDINGS:
        raise OptionError(f'"{path}" ends in none of {", ".join(ENDINGS)}; the ending says how the rows are written')
    if append and path.suffix != ".duckdb":
        raise OptionError(f'rows are appended to a table in a .duckdb file, not to "{path}"')
    try:
        if path.suffix == ".duckdb":
            answer = result.with_run() if append else None
            table, types = (answer.fetch(), answer.types) if answer else (result.to_arrow(), result.types)
            with when_free(lambda: duckdb.connect(str(path)), wait, say) as connection:
                run = result.run.id if append and result.run is not None else None
                write_table(connection, table, types, result.name, "append" if append else "replace", run)
            return
        # Written beside its place and then moved there: a reader never sees half of it.
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        os.close(handle)
        try:
            _write_file(result, Path(beside), path.suffix)
            Path(beside).replace(path)
        finally:
            Path(beside).unlink(missing_ok=True)
    except (OSError, duckdb.Error, EngineError) as error:
        failed = WriteError(f'"{path}" was not written: {error}')
        raise (transient(failed) if may_go_away(error) else failed) from None


def keep(result: Result, path: Path) -> Path | None:
    """Write rows that could not be written where they were to be beside it, or else where temporary files are.

    Returns
    -------
    Path or None
        A Parquet file that was not there before; None where nothing can be written at all.
    """
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
    if suffix == ".parquet":
        write_parquet(result.to_arrow(), result.types, str(path))
        return
    with path.open("w", encoding="utf-8", newline="") as stream:
        FORMATS[suffix.removeprefix(".")](result.in_words(), stream)
