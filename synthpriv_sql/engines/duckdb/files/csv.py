"""Reading CSV files with DuckDB, with the options of a call."""

from __future__ import annotations

import glob
import os
import re
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import duckdb
from sqlglot import exp

from synthpriv_sql.engines.duckdb.files import contents, copies, failures
from synthpriv_sql.errors import SynthprivWarning, UnknownTable
from synthpriv_sql.planner.headers import files, wording
from synthpriv_sql.planner.headers.files import CsvFile, is_csv

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_NAMES = {
    "delimiter": "delim",
    "quote": "quote",
    "decimal": "decimal_separator",
    "thousands": "thousands",
    "dates": "dateformat",
    "missing": "nullstr",
    "header": "header",
    "skip": "skip",
    "sample": "sample_size",
}
"""DuckDB's names for the options of a call."""
_NO_NAMES = re.compile(r"column\d+")
_Checked = tuple[exp.Query | None, tuple[str, ...]]
_CHECKED: dict[tuple[Any, ...], _Checked] = {}


def is_file(value: str) -> bool:
    """Whether a table argument is a local CSV file, or a glob pattern of CSV files."""
    return isinstance(value, CsvFile) or (is_csv(value) and bool(_paths(value)))


def query(value: str, connection: DuckDBPyConnection) -> exp.Query | None:
    """Return the query that reads a file, and warn about oddities; None if DuckDB reads it by its name alone.

    Parameters
    ----------
    value
        A text for which `is_file` holds.
    connection
        A connection that can read it.

    Raises
    ------
    UnknownTable
        The file does not exist, cannot be read, or holds numbers or dates that would be read as text.
    """
    reading = value.reading if isinstance(value, CsvFile) else {}
    paths = _paths(value)
    if not paths:
        raise UnknownTable(f'there is no file "{value}"')
    stats = [os.stat(path) for path in paths]
    key = (value, *((s.st_mtime_ns, s.st_size) for s in stats), repr(reading))
    if key not in _CHECKED:
        if len(_CHECKED) > 1_000:
            _CHECKED.clear()
        _CHECKED[key] = _looked_at(value, paths, reading, connection)
    found, notes = _CHECKED[key]
    for sentence in notes:
        warnings.warn(sentence, SynthprivWarning, stacklevel=2)
    return found


def _paths(value: str) -> list[str]:
    """The files of a path or pattern."""
    return [value] if os.path.isfile(value) else sorted(path for path in glob.glob(value, recursive=True))


def _looked_at(
    value: str, paths: Sequence[str], reading: Mapping[str, Any], connection: DuckDBPyConnection
) -> _Checked:
    label = f'"{value}"'
    if all(os.path.getsize(path) == 0 for path in paths):
        raise UnknownTable(f"{label} is empty: it has not even a line with the names of columns")
    notes = []
    encoding = reading.get("encoding", "utf-8")
    read = paths
    if encoding != "utf-8":
        notes += [_is_utf8(path, encoding) for path in paths if _looks_like_utf8(path)]
        read = [copies.utf8(path, encoding) for path in paths]
    options = {_NAMES[name]: option for name, option in reading.items() if name in _NAMES}
    made = _read(read, options) if options or encoding != "utf-8" else None
    original = _read(paths, {**options, "encoding": encoding}) if encoding != "utf-8" else None
    rows = made or exp.select("*").from_(exp.to_identifier(value, quoted=True))
    try:
        relation = connection.sql(rows.sql("duckdb"))
        names = relation.columns
        texts = [n for n, type_ in zip(names, relation.types, strict=True) if str(type_) == "VARCHAR"]
        sample = connection.sql(_few(rows, texts).sql("duckdb")).fetchall() if texts else []
        line = _read(read, {**options, "header": False, "all_varchar": True}).limit(1)
        ((*header,),) = connection.sql(line.sql("duckdb")).fetchall() or [()]
    except duckdb.Error as error:
        text = str(error).replace(read[0], paths[0])
        failed = failures.plain(text, paths[0] if len(paths) == 1 else "")
        if failed is None:
            raise
        if "sniffing" in text and "delimiter" in reading:
            _check_lines(paths, read, reading["delimiter"], reading.get("quote", '"'))
        raise failed from None
    if len(names) == 1 and "delimiter" not in reading:
        _check_parted(label, paths, read, names[0])
    by_name = dict(zip(texts, zip(*sample, strict=True), strict=True)) if sample else {}
    numbers = [name for name, values in by_name.items() if contents.spaced(values, reading)]
    for reads in (made, original):
        if reads is not None and numbers:
            star = exp.Star(replace=[_number(label, name, reading) for name in numbers])
            reads.select(star, append=False, copy=False)
    if made is not None and original is not None:
        copies.stands_for(made, original)
    by_name = {name: values for name, values in by_name.items() if name not in numbers}
    wrong = list(contents.wrong(label, by_name, reading))
    if wrong:
        raise UnknownTable("; ".join(wrong))
    notes += contents.doubtful(label, by_name, reading)
    notes += _odd_names(label, names, header, reading)
    return made, tuple(notes)


def _check_parted(label: str, paths: Sequence[str], read: Sequence[str], name: str) -> None:
    """Raise an error if a file was read as one column whose name is a line of several values."""
    delimiter = contents.delimiter(name)
    if delimiter:
        _check_lines(paths, read, delimiter, '"')
        raise UnknownTable(contents.one_column(label, delimiter))


def _check_lines(paths: Sequence[str], read: Sequence[str], delimiter: str, quote: str) -> None:
    """Raise an error about the first line that has too few or too many values."""
    for path, copy in zip(paths, read, strict=True):
        ragged = copies.first_ragged(copy, delimiter, quote)
        if ragged is not None:
            raise UnknownTable(failures.ragged(path, *ragged, delimiter))


def _odd_names(label: str, names: Sequence[str], header: Sequence[Any], reading: Mapping[str, Any]) -> list[str]:
    """Warnings about missing or duplicate column names."""
    notes = []
    if "header" not in reading and all(_NO_NAMES.fullmatch(name) for name in names):
        notes.append(
            f"the first line of {label} was not taken for names, so its columns are called {names[0]} and so on; "
            f"{wording.given('csv', {'header': True})} takes it for names"
        )
    given = [str(name).lower() for name in header if name is not None]
    twice = list(dict.fromkeys(name for name in given if given.count(name) > 1))
    if twice and reading.get("header") is not False and len(names) == len(header) and names[0].lower() == given[0]:
        listed = ", ".join(f'"{name}"' for name in twice)
        renamed = ", ".join(f'"{name}"' for name in names if name.lower() not in given)
        notes.append(f"{label} has several columns called {listed}; all but the first are called {renamed} here")
    return notes


def _read(paths: Sequence[str], options: Mapping[str, Any]) -> exp.Select:
    """``SELECT * FROM read_csv(paths, option = …)``."""
    listed = [exp.Literal.string(re.sub(r"[*?\[]", r"[\g<0>]", path)) for path in paths]
    files: exp.Expr = listed[0] if len(listed) == 1 else exp.Array(expressions=listed)
    given = [exp.EQ(this=exp.column(name), expression=exp.convert(value)) for name, value in options.items()]
    return exp.select("*").from_(exp.Table(this=exp.Anonymous(this="read_csv", expressions=[files, *given])))


def _number(label: str, name: str, reading: Mapping[str, Any]) -> exp.Expr:
    """A text column as numbers; DuckDB itself takes only ASCII characters between thousands."""
    text = exp.func("trim", exp.column(name, quoted=True))
    spaces = "".join(mark for mark, meant in files.SEPARATORS.items() if meant == reading["thousands"])
    spaces += reading["thousands"]
    decimal = reading.get("decimal", ".")
    form = rf"[-+]?(\d+|\d{{1,3}}([{spaces}]\d{{3}})+)?({re.escape(decimal)}\d*)?([eE][-+]?\d+)?"
    points = exp.func("translate", text, exp.Literal.string(decimal + spaces), exp.Literal.string("."))
    number = exp.TryCast(this=points, to=exp.DataType.build("DOUBLE"))
    message = (
        f'UnknownTable: column "{name}" of {label} has a text that is no number, although the first values are numbers '
        f"with {contents.written(reading)}; {wording.given('csv', {'decimal': '.'})} keeps them as text"
    )
    stop = exp.Cast(this=exp.func("error", exp.Literal.string(message)), to=exp.DataType.build("DOUBLE"))
    is_number = exp.and_(
        exp.Anonymous(this="regexp_full_match", expressions=[text.copy(), exp.Literal.string(form)]),
        exp.Not(this=exp.Is(this=number, expression=exp.null())),
    )
    cases = exp.Case().when(exp.Is(this=exp.column(name, quoted=True), expression=exp.null()), exp.null())
    return exp.alias_(cases.when(is_number, number.copy()).else_(stop), name, quoted=True)


def _few(rows: exp.Query, texts: Sequence[str]) -> exp.Query:
    few = exp.select(*(exp.column(name, quoted=True) for name in texts)).from_(rows.subquery("rows"))
    return few.limit(contents.SAMPLE)


def _looks_like_utf8(path: str) -> bool:
    """Whether a file has non-ASCII characters, and all are valid UTF-8."""
    start = copies.start(path)
    if start.isascii():
        return False
    try:
        start[: start.rfind(b"\n") + 1].decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _is_utf8(path: str, encoding: str) -> str:
    return (
        f'"{path}" is read as {encoding}, as requested, but looks like UTF-8, whose letters would be garbled; give '
        f"each table its own encoding: {wording.given('csv', {'train': {'encoding': 'utf-8'}})}, for one"
    )
