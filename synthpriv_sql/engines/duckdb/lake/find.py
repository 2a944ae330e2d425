"""What of a call's tables is a Delta or an Iceberg table: by its name, or as an object of its library."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from synthpriv_sql.engines.duckdb.lake.files import NotAsFiles
from synthpriv_sql.engines.duckdb.lake.streams import Stream, unreadable
from synthpriv_sql.errors import UnknownTable

if TYPE_CHECKING:
    import duckdb
    from sqlglot import exp

# delta:PATH and iceberg:NAME; @v and a number for a version of the one and a snapshot of the other.
_NAMED = re.compile(r"(delta|iceberg):(.+?)(?:@v(\d+))?", re.DOTALL)
_OBJECTS = {
    ("deltalake.table", "DeltaTable"): "delta",
    ("pyiceberg.table", "Table"): "iceberg",
    ("pyiceberg.table", "DataScan"): "iceberg",
}
T = TypeVar("T")


def is_named(value: Any) -> bool:
    """Whether a text names a Delta or an Iceberg table."""
    return isinstance(value, str) and _NAMED.fullmatch(value) is not None


def hint(value: str) -> str:
    """Say how to name the table whose folder a path is; nothing where it is none."""
    for kind, inside in (("delta", "_delta_log"), ("iceberg", "metadata")):
        if os.path.isdir(os.path.join(value, inside)):
            return f'It is the folder of a table of {kind.capitalize()}: give "{kind}:{value}".'
    return ""


def stream(parameter: str, value: Any) -> Stream | None:
    """Open a table as a stream of its rows; None where it is neither a Delta nor an Iceberg table.

    Raises
    ------
    UnknownTable
        There is no such table, it cannot be read, or its library is not installed.
    """
    if is_named(value):
        return _using(value, parameter, lambda module, table: Stream(value, f'"{value}"', *module.stream(table)))
    # No library is imported to tell what an object is.
    kinds = [_OBJECTS.get((base.__module__, base.__name__)) for base in type(value).__mro__]
    kind = next(filter(None, kinds), None)
    if kind is None:
        return None
    label = f"the {type(value).__name__} given as {parameter}"
    with_it = _module(kind, label)
    return _trying(label, lambda: Stream(value, label, *with_it.stream(value)))


def query(parameter: str, value: str, connection: duckdb.DuckDBPyConnection) -> exp.Query:
    """Give the query with which DuckDB itself reads the files of a table that is named.

    Parameters
    ----------
    parameter
        What the table is given for.
    value
        A name for which `is_named` holds.
    connection
        Where the files can be looked at.

    Raises
    ------
    UnknownTable
        As `stream`; or DuckDB would read the files in another way than the library does.
    """

    def reading(module: Any, table: Any) -> exp.Query:
        made: exp.Query = module.query(table, connection)
        return made

    return _using(value, parameter, reading)


def _using(value: str, parameter: str, use: Callable[[Any, Any], T]) -> T:
    named = _NAMED.fullmatch(value)
    assert named is not None
    kind, place, version = named.groups()
    label = f'"{value}", given as {parameter},'
    module = _module(kind, label)
    return _trying(label, lambda: use(module, module.open_table(place, int(version) if version else None)))


def _trying(label: str, use: Callable[[], T]) -> T:
    try:
        return use()
    except NotAsFiles as error:
        raise UnknownTable(
            f"{label} cannot be read inside SQL, where DuckDB reads files itself: {error}. The methods of a "
            "session and the command line can read it"
        ) from None
    except BaseException as error:
        # Each library has kinds of its own; a panic of deltalake's is no Exception.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise unreadable(label, error) from None


def _module(kind: str, label: str) -> Any:
    try:
        return import_module(f"synthpriv_sql.engines.duckdb.lake.{kind}")
    except ModuleNotFoundError as missing:
        raise UnknownTable(
            f'{label} needs {missing.name}, which is not installed: pip install "synthpriv-sql[{kind}]"'
        ) from None
