"""Recognizing Delta and Iceberg tables among a call's tables, by name or as objects of their libraries."""

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

# delta:PATH and iceberg:NAME, optionally with @v and a Delta version or an Iceberg snapshot.
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
    """Say how to name the table in a folder; empty if the folder holds none."""
    for kind, inside in (("delta", "_delta_log"), ("iceberg", "metadata")):
        if os.path.isdir(os.path.join(value, inside)):
            return f'It is the folder of a table of {kind.capitalize()}: give "{kind}:{value}".'
    return ""


def stream(parameter: str, value: Any) -> Stream | None:
    """Open a table as a stream of its rows; None if it is neither a Delta nor an Iceberg table.

    Raises
    ------
    UnknownTable
        There is no such table, it cannot be read, or its library is not installed.
    """
    if is_named(value):
        return _using(value, parameter, lambda module, table: Stream(value, f'"{value}"', *module.stream(table)))
    # Recognizing an object does not import its library.
    kinds = [_OBJECTS.get((base.__module__, base.__name__)) for base in type(value).__mro__]
    kind = next(filter(None, kinds), None)
    if kind is None:
        return None
    label = f"the {type(value).__name__} given as {parameter}"
    with_it = _module(kind, label)
    return _trying(label, lambda: Stream(value, label, *with_it.stream(value)))


def query(parameter: str, value: str, connection: duckdb.DuckDBPyConnection) -> exp.Query:
    """Return the query with which DuckDB reads the files of a named table.

    Parameters
    ----------
    parameter
        The parameter that the table is passed for.
    value
        A name for which `is_named` holds.
    connection
        A connection that can read the files.

    Raises
    ------
    UnknownTable
        As for `stream`, or DuckDB would misread the files.
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
        # Each library has its own error types; a panic in deltalake is not an Exception.
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
