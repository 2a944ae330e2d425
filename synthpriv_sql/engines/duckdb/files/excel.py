"""Reading sheets of Excel and OpenDocument files."""

from __future__ import annotations

import datetime
import os
import re
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from synthpriv_sql.engines.duckdb.files import bounds, contents, copies, patterns
from synthpriv_sql.errors import SynthprivWarning, UnknownTable
from synthpriv_sql.planner.headers import catalog

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection

_NAMED = re.compile(r"([^(].*?\.(?:xlsx|xlsm|xlsb|xls|ods))(?:#(.+))?", re.IGNORECASE | re.DOTALL)
_MOST_WHOLE = 2**53
_EXTRA = 'pip install "synthpriv-sql[excel]"'
_COPIES: dict[tuple[Any, ...], tuple[exp.Select, tuple[str, ...]]] = {}
_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "truth values"),
    ((int, float), "numbers"),
    (datetime.timedelta, "durations"),
    (datetime.time, "times of day"),
    (datetime.date, "dates"),
    (str, "texts"),
)
"""The kinds of cell values; a datetime counts as a date."""


def is_file(value: str) -> bool:
    """Whether a table argument is such a file, or a sheet of one: ``book.xlsx#Sheet 2``."""
    return _NAMED.fullmatch(value) is not None


def query(value: str, connection: DuckDBPyConnection) -> exp.Query:
    """Return the query that reads a sheet; by default the first.

    Parameters
    ----------
    value
        A text for which `is_file` holds.
    connection
        A connection whose Excel extension is used if the library is not installed.

    Raises
    ------
    UnknownTable
        There is no such file or sheet, it cannot be read, or no reader is installed.
    """
    named = _NAMED.fullmatch(value)
    assert named is not None
    path, sheet = (value, None) if os.path.isfile(value) else named.groups()
    if not os.path.isfile(path):
        raise UnknownTable(f'there is no file "{path}"')
    try:
        import python_calamine
    except ModuleNotFoundError:
        return _by_extension(path, sheet, connection)
    about = os.stat(path)
    key = (os.path.abspath(path), about.st_mtime_ns, about.st_size, sheet)
    if key not in _COPIES:
        table, notes = _read(python_calamine, value, path, sheet)
        # In Parquet even a column without values needs a type.
        names = [
            exp.alias_(exp.null(), field.name, quoted=True)
            if str(field.type) == "null"
            else exp.column(field.name, quoted=True)
            for field in table.schema
        ]
        copy = _reading("read_parquet", copies.parquet(table, path)).select(*names, append=False)
        copies.stands_for(copy, _sheet(path, sheet))
        _COPIES[key] = copy, tuple(notes)
    rows, sentences = _COPIES[key]
    for sentence in sentences:
        warnings.warn(sentence, SynthprivWarning, stacklevel=2)
    return rows


def _by_extension(path: str, sheet: str | None, connection: DuckDBPyConnection) -> exp.Query:
    """Read it with DuckDB's extension if that is installed; nothing is downloaded."""
    ((installed,),) = connection.execute(catalog.statement("excel_extension")).fetchall()
    if not installed or not path.lower().endswith(".xlsx"):
        raise UnknownTable(f'"{path}" needs python-calamine, which is not installed: {_EXTRA}')
    connection.execute(catalog.statement("load_excel"))
    return _sheet(path, sheet)


def _sheet(path: str, sheet: str | None) -> exp.Select:
    """The query with which DuckDB's extension reads a sheet."""
    return _reading("read_xlsx", path, header=True, **({} if sheet is None else {"sheet": sheet}))


def _reading(function: str, path: str, **options: Any) -> exp.Select:
    return patterns.read(function, patterns.exactly(path), options)


def _read(library: Any, value: str, path: str, sheet: str | None) -> tuple[pa.Table, list[str]]:
    """The rows of a sheet, and notes about them."""
    notes = []
    try:
        with library.CalamineWorkbook.from_path(path) as book:
            sheets = book.sheet_names
            if sheet is not None and sheet not in sheets:
                listed = ", ".join(f'"{name}"' for name in sheets)
                raise UnknownTable(f'"{path}" has no sheet "{sheet}"; there are: {listed}')
            if sheet is None and len(sheets) > 1:
                notes.append(
                    f'"{path}" has {len(sheets)} sheets, of which the first is read, "{sheets[0]}"; another is named '
                    f'after it: "{path}#{sheets[1]}"'
                )
            named = sheets[0] if sheet is None else sheet
            bounds.check(path, named)
            found = book.get_sheet_by_name(named)
            rows = found.to_python(skip_empty_area=True)
    except (library.CalamineError, OSError) as error:
        raise UnknownTable(f'"{path}" cannot be read: {error}') from None
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # the library's, which is no Exception
            raise
        raise UnknownTable(f'"{path}" cannot be read: it is damaged') from None
    header, *cells = rows or [[]]
    if not header:
        raise UnknownTable(f'"{value}" is empty: it has not even a row with the names of columns')
    cells = [row for row in cells if any(cell != "" for cell in row)]
    columns = [[row[i] for row in cells] for i in range(len(header))]
    kept = [i for i, name in enumerate(header) if name != "" or any(cell != "" for cell in columns[i])]
    names = _names(value, [header[i] for i in kept], notes)
    arrays = [_array(f'column "{name}" of "{value}"', columns[i], notes) for name, i in zip(names, kept, strict=True)]

    import pyarrow as pa

    return pa.Table.from_arrays(arrays, names), notes


def _names(value: str, header: Sequence[Any], notes: list[str]) -> list[str]:
    """The column names, made unique and filled in where missing."""
    names: list[str] = []
    taken: set[str] = set()
    for place, cell in enumerate(header, 1):
        own = f"column{place}" if cell == "" else _text(cell)
        name = next(n for n in (own, *(f"{own}_{i}" for i in range(1, len(header) + 1))) if n.lower() not in taken)
        if name != own or cell == "":
            what = "no name" if cell == "" else f'the name "{own}", as one before it'
            notes.append(f'a column of "{value}" has {what}; it is called "{name}" here')
        taken.add(name.lower())
        names.append(name)
    return names


def _array(label: str, cells: Sequence[Any], notes: list[str]) -> pa.Array:
    """A column in Arrow; values of mixed kinds become text."""
    import pyarrow as pa

    values = [None if cell == "" else cell for cell in cells]
    kinds: dict[str, int] = {}
    for value in values:
        if value is not None:
            kind = next((name for type_, name in _KINDS if isinstance(value, type_)), "others")
            kinds[kind] = kinds.get(kind, 0) + 1
    if not kinds:
        return pa.nulls(len(values))
    if len(kinds) > 1:
        counted = " and ".join(f"{kind} ({n:,})" for kind, n in kinds.items())
        notes.append(f"{label} holds {counted}, and is read as text; mend its cells, or exclude it")
        return pa.array([None if v is None else _text(v) for v in values], pa.string())
    (kind,) = kinds
    if kind == "texts" and (what := contents.stored_as_text(values)):
        notes.append(f"{label} is compared as text, although its cells look like {what}; convert them in the workbook")
    return pa.array(*_AS_ARROW[kind](values)) if kind in _AS_ARROW else pa.array(values)


def _numbers(values: Sequence[Any]) -> tuple[list[Any], str]:
    """Numbers, as integers if all are integral; Excel stores only floats."""
    if all(v is None or (float(v).is_integer() and abs(v) <= _MOST_WHOLE) for v in values):
        return [None if v is None else int(v) for v in values], "int64"
    return [None if v is None else float(v) for v in values], "float64"


def _dates(values: Sequence[Any]) -> tuple[list[Any], Any]:
    """Dates, or timestamps if any has a time of day."""
    import pyarrow as pa

    moments = [
        v if v is None or isinstance(v, datetime.datetime) else datetime.datetime.combine(v, datetime.time())
        for v in values
    ]
    if all(v is None or v.time() == datetime.time() for v in moments):
        return [None if v is None else v.date() for v in moments], pa.date32()
    return moments, pa.timestamp("us")


_AS_ARROW: dict[str, Callable[[Sequence[Any]], tuple[list[Any], Any]]] = {"numbers": _numbers, "dates": _dates}


def _text(value: Any) -> str:
    """A cell as text; an integral number without a fraction."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
