"""Reading CSV files with DuckDB, with the options of a call."""

from __future__ import annotations

import glob
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import duckdb
from sqlglot import exp

from synthpriv_sql.engines.duckdb.files import contents, copies, dates, failures, lossless, numbers, patterns
from synthpriv_sql.errors import SynthprivWarning, UnknownTable
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.planner.headers.files import CsvFile, is_csv

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from synthpriv_sql.planner.columns.types import Column

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
_ZONED = "TIMESTAMP WITH TIME ZONE"


@dataclass(frozen=True, slots=True)
class Looked:
    """Result of a look at a file: the query that reads it, None if its name does; and notes about oddities."""

    rows: exp.Query | None
    notes: tuple[str, ...]
    formats: Mapping[str, str]
    """The format of each column of dates that only one format reads, by lower-case name."""
    unclear: Mapping[str, dates.Form]
    """The columns that several formats read as different dates, by lower-case name."""


_LOOKED: dict[tuple[Any, ...], Looked] = {}


def is_file(value: str) -> bool:
    """Whether a table argument is a local CSV file, or a glob pattern of CSV files."""
    return isinstance(value, CsvFile) or (is_csv(value) and bool(_paths(value)))


def names_are_guessed(value: str, columns: Sequence[Column]) -> bool:
    """Whether the first line of a file may be a record: nobody says that it has names, and all columns are texts."""
    reading = value.reading if isinstance(value, CsvFile) else {}
    return reading.get("header") is None and all(column.type == "VARCHAR" for column in columns)


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
        The file does not exist, cannot be read, or holds numbers or dates that would be read as text, or as others.
    """
    found = looked(value, connection)
    if found.unclear:
        raise UnknownTable("; ".join(contents.unclear(f'"{value}"', found.unclear)))
    for sentence in found.notes:
        warnings.warn(sentence, SynthprivWarning, stacklevel=2)
    return found.rows


def looked(value: str, connection: DuckDBPyConnection) -> Looked:
    """Look at a file, once while it stays the same.

    Parameters
    ----------
    value, connection
        As in `query`.

    Raises
    ------
    UnknownTable
        As `query`, but for dates that several formats read.
    """
    reading, formats = (value.reading, value.formats) if isinstance(value, CsvFile) else ({}, {})
    paths = _paths(value)
    if not paths:
        raise UnknownTable(f'there is no file "{value}"')
    stats = [os.stat(path) for path in paths]
    key = (value, *((s.st_mtime_ns, s.st_size) for s in stats), repr(reading), repr(formats))
    if key not in _LOOKED:
        if len(_LOOKED) > 1_000:
            _LOOKED.clear()
        _LOOKED[key] = _File(value, paths, reading, formats, connection).looked()
    return _LOOKED[key]


def decided(value: str, table: Looked, tables: Iterable[Looked]) -> str:
    """Return a file with the formats of its unclear dates, where the same column of other tables has one.

    Parameters
    ----------
    value
        The file.
    table
        What a look at it found.
    tables
        What was found of all tables of the call.
    """
    formats = {}
    for name, form in table.unclear.items():
        others = {other.formats[name] for other in tables if name in other.formats}
        if len(others) == 1 and others <= {*form.formats}:
            formats[name] = others.pop()
    reading = value.reading if isinstance(value, CsvFile) else {}
    return CsvFile(value, reading, formats) if formats else value


def _paths(value: str) -> list[str]:
    """The files of a path or pattern."""
    return [value] if os.path.isfile(value) else sorted(path for path in glob.glob(value, recursive=True))


class _File:
    """A file, or the files of a pattern, that is looked at."""

    def __init__(
        self,
        value: str,
        paths: Sequence[str],
        reading: Mapping[str, Any],
        formats: Mapping[str, str],
        connection: DuckDBPyConnection,
    ) -> None:
        self.value, self.paths, self.reading, self.formats = value, paths, reading, formats
        self.connection = connection
        self.label = f'"{value}"'
        self.encoding = reading.get("encoding", "utf-8")
        self.options = {_NAMES[name]: option for name, option in reading.items() if name in _NAMES}
        self.read = paths
        """The files that DuckDB reads: copies in UTF-8 of those in another encoding."""
        self.several = len(paths) > 1
        self.replaced: dict[str, exp.Expr] = {}
        """The expressions of columns that DuckDB does not read as they are meant."""
        self.types: dict[str, str] = {}
        """The types of the columns that are not those that DuckDB would choose."""

    def looked(self) -> Looked:
        """Look at it."""
        if all(os.path.getsize(path) == 0 for path in self.paths):
            raise UnknownTable(f"{self.label} is empty: it has not even a line with the names of columns")
        notes = []
        if self.encoding != "utf-8":
            notes += [_is_utf8(path, self.encoding) for path in self.paths if _looks_like_utf8(path)]
            self.read = [copies.utf8(path, self.encoding) for path in self.paths]
        if self.several:
            self.options["union_by_name"] = True
        with self._failing():
            self._check_names()
            types = self._described()
            late = lossless.late(self.connection, self._texts, types, self._size(), self.reading)
            if late:
                self.options["sample_size"] = -1
                types = self._described()
            names = list(types)
            asked = [n for n, type_ in types.items() if type_ in {"VARCHAR", "DATE", "TIMESTAMP", _ZONED}]
            sample = self._texts(asked).limit(contents.SAMPLE).sql("duckdb") if asked else ""
            rows = self.connection.sql(sample).fetchall() if sample else []
            line = _read(self.read[:1], {**self._alone(), "header": False, "all_varchar": True}).limit(1)
            ((*header,),) = self.connection.sql(line.sql("duckdb")).fetchall() or [()]
            by_name = dict(zip(asked, zip(*rows, strict=True), strict=True)) if rows else {}
            self._zones({name: values for name, values in by_name.items() if types[name] == _ZONED})
            if len(names) == 1 and "delimiter" not in self.reading:
                _check_parted(self.label, self.paths, self.read, names[0])
            texts = {name: values for name, values in by_name.items() if types[name] == "VARCHAR"}
            self._numbers(texts, types)
        texts = {name: values for name, values in texts.items() if name not in {*self.replaced, *self.types}}
        clear, unclear = self._dates(by_name, types)
        texts = {name: values for name, values in texts.items() if name not in self.replaced}
        wrong = list(contents.wrong(self.label, texts, self.reading))
        if wrong:
            raise UnknownTable("; ".join(wrong))
        notes += contents.doubtful(self.label, texts, self.reading)
        notes += _odd_names(self.label, names, header, self.reading, set(types.values()) == {"VARCHAR"})
        return Looked(self._query(), tuple(notes), clear, unclear)

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Say in plain words why DuckDB cannot read it."""
        try:
            yield
        except duckdb.Error as error:
            text = str(error).replace(self.read[0], self.paths[0])
            failed = failures.plain(text, self.paths[0] if len(self.paths) == 1 else "")
            if failed is None:
                raise
            if "sniffing" in text and "delimiter" in self.reading:
                _check_lines(self.paths, self.read, self.reading["delimiter"], self.reading.get("quote", '"'))
            raise failed from None

    def _check_names(self) -> None:
        """Raise an error if the files of a pattern have different columns."""
        starts: dict[bytes, int] = {}
        for place, path in enumerate(self.read if len(self.read) > 1 else ()):
            starts.setdefault(copies.first_line(path), place)
        rows = {
            self.paths[place]: self.connection.sql(_read([self.read[place]], self._alone()).sql("duckdb"))
            for place in (starts.values() if len(starts) > 1 else ())
        }
        only_texts = any(set(map(str, relation.types)) == {"VARCHAR"} for relation in rows.values())
        names = {path: relation.columns for path, relation in rows.items()}
        patterns.check_names(self.value, names, guessed=only_texts and "header" not in self.reading)

    def _alone(self) -> dict[str, Any]:
        return {name: option for name, option in self.options.items() if name != "union_by_name"}

    def _described(self) -> dict[str, str]:
        """The type of each column, by name."""
        relation = self.connection.sql((self._query() or _read(self._source, self.options)).sql("duckdb"))
        return {name: str(type_) for name, type_ in zip(relation.columns, relation.types, strict=True)}

    @property
    def _source(self) -> str | Sequence[str]:
        """The argument of DuckDB's reader: a pattern as it is given."""
        return str(self.value) if self.several and self.encoding == "utf-8" else self.read

    def _size(self) -> int:
        return sum(os.path.getsize(path) for path in self.read)

    def _texts(self, names: Sequence[str]) -> exp.Select:
        """The texts of columns as they stand in the file."""
        options = {name: option for name, option in self.options.items() if name != "sample_size"}
        rows = _read(self._source, {**options, "types": dict.fromkeys(names, "VARCHAR")})
        return rows.select(*(exp.column(name, quoted=True) for name in names), append=False)

    def _zones(self, texts: Mapping[str, Sequence[str | None]]) -> None:
        """Read moments without an offset as of UTC, whatever the time zone of the session."""
        for name, values in texts.items():
            if any(lossless.has_no_zone(value) for value in values):
                self.replaced[name], self.types[name] = lossless.in_utc(name), "VARCHAR"

    def _numbers(self, texts: Mapping[str, Sequence[str | None]], types: Mapping[str, str]) -> None:
        """Read columns of numbers as the options say they are written, or raise an error about a text in them."""
        if not self.reading.keys() & {"decimal", "thousands"} or self.reading == {"decimal": "."}:
            return
        form = numbers.form(self.reading)
        marks = numbers.marks(self.reading)
        wanted = [name for name, values in texts.items() if contents.mostly(values, form, marks)]
        typed = [n for n, type_ in types.items() if type_ in lossless.WHOLE or type_ == "DOUBLE"]
        checked = [*wanted, *(typed if "thousands" in self.reading else ())]
        if not checked:
            return
        asked = numbers.first_others(self._texts(checked), checked, form)
        (found,) = self.connection.sql(asked.sql("duckdb")).fetchall()
        first = {name: record for name, record in zip(checked, found, strict=True) if record is not None}
        wrong = [numbers.other(self.label, name, record, self.reading) for name, record in first.items()]
        if wrong:
            raise UnknownTable("; ".join(wrong))
        for name in wanted:
            number = numbers.read(self.label, name, form, self.reading)
            self.replaced[name], self.types[name] = number, "VARCHAR"

    def _dates(
        self, texts: Mapping[str, Sequence[str | None]], types: Mapping[str, str]
    ) -> tuple[dict[str, str], dict[str, dates.Form]]:
        """The formats of dates that are clear, and the columns of which they are not."""
        given = self.reading.get("dates")
        forms = {
            name: form
            for name, values in texts.items()
            if types[name] != _ZONED
            and (form := dates.form(contents.present(values))) is not None
            # DuckDB reads few times of day after a date. Other texts are an error that asks for a format.
            and (types[name] != "VARCHAR" or form.times)
            and (types[name] != "DATE" or not given)
        }
        clear = {name.lower(): form.formats[0] for name, form in forms.items() if form.is_clear}
        unclear = {}
        for name, form in forms.items():
            of_file = {format_ for format_ in clear.values() if format_ in form.formats}
            wanted = given or self.formats.get(name.lower()) or (of_file.pop() if len(of_file) == 1 else None)
            if form.is_clear and types[name] != "VARCHAR":
                continue  # DuckDB has read them so
            if wanted in form.formats:
                message = (
                    f'UnknownTable: column "{name}" of {self.label} has a text that is no date as {wanted} reads '
                    f"it; {wording.given('csv', {'dates': '%Y-%m-%d'})} keeps such texts as they are"
                )
                self.replaced[name] = dates.read(name, str(wanted), types[name] != "DATE", message)
                self.types[name] = "VARCHAR"
            elif types[name] != "VARCHAR" or not given:
                unclear[name.lower()] = form
        return clear, unclear

    def _query(self) -> exp.Query | None:
        """The query that reads it; None if its name does."""
        if not (self.options or self.types or self.encoding != "utf-8" or patterns.exactly(self.value) != self.value):
            return None
        options = {**self.options, **({"types": self.types} if self.types else {})}
        star = exp.Star(replace=list(self.replaced.values())) if self.replaced else exp.Star()
        made = _read(self._source, options).select(star.copy(), append=False)
        if self.encoding != "utf-8":
            original = _read(self.paths, {**options, "encoding": self.encoding}).select(star.copy(), append=False)
            copies.stands_for(made, original)
        return made


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


def _odd_names(
    label: str, names: Sequence[str], header: Sequence[Any], reading: Mapping[str, Any], all_texts: bool
) -> list[str]:
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
        if "header" not in reading and all_texts:  # the first line may be a record
            return [f"{label} has several columns of one name; all but the first of them have other names here"]
        listed = ", ".join(f'"{name}"' for name in twice)
        renamed = ", ".join(f'"{name}"' for name in names if name.lower() not in given)
        notes.append(f"{label} has several columns called {listed}; all but the first are called {renamed} here")
    return notes


def _read(files: str | Sequence[str], options: Mapping[str, Any]) -> exp.Select:
    """The query of files, or of a pattern if it is a text."""
    return patterns.read("read_csv", files if isinstance(files, str) else [*map(patterns.exactly, files)], options)


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
