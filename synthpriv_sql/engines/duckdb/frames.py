"""Python objects as tables: data frames, Arrow tables and streams, relations."""

from __future__ import annotations

from typing import Any

import duckdb

from synthpriv_sql.engines.arrays import as_table
from synthpriv_sql.engines.duckdb.lake.streams import Stream
from synthpriv_sql.errors import EngineError, UnknownTable
from synthpriv_sql.unsaid import without_values

_RESULT_OPEN = "ResourceInUseException"
"""The error of DuckDB 2 while an earlier result has not been fetched; DuckDB 1 does not have it."""


def register(connection: duckdb.DuckDBPyConnection, name: str, parameter: str, value: Any) -> None:
    """Register a Python object under a name that SQL can read.

    Parameters
    ----------
    connection
        The connection to register it on.
    name
        The name.
    parameter
        The parameter that the object was passed for.
    value
        A DuckDB relation, a pandas or polars frame, any object with ``__arrow_c_stream__``, or a value that `as_table`
        reads.

    Raises
    ------
    UnknownTable
        It cannot be read as a table.
    EngineError
        The connection has a result that has not been fetched yet.
    """
    value = as_table(parameter, value)
    try:
        connection.register(name, _readable_again(value))
    except Exception as error:
        if type(error).__name__ == _RESULT_OPEN:
            raise EngineError(
                "this connection has a result of an earlier execute() that was not fetched, and DuckDB takes no "
                f"{type(value).__name__} before that: fetch it (fetchall()), or register a connection of its own, "
                "synthpriv_sql.register(connection.cursor())"
            ) from None
        problem = without_values(str(error).partition("\n")[0])
        raise UnknownTable(
            f"what is given as {parameter} is a {type(value).__name__}, which DuckDB cannot read as a table "
            f"({problem}); give a name, a file, a query in parentheses, a DuckDB relation, a data frame, or an "
            "object with __arrow_c_stream__"
        ) from None


def _readable_again(value: Any) -> Any:
    """Turn an Arrow stream into a table: the database may read it more than once, or only in part."""
    if isinstance(value, Stream):
        return value
    if hasattr(value, "__arrow_c_stream__") and not hasattr(value, "column_names") and not hasattr(value, "columns"):
        import pyarrow

        return pyarrow.table(value)
    return value
