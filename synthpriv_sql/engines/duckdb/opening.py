"""Opening a DuckDB database: quietly, and with temporary files that nobody else reads and that do not stay."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any
from weakref import finalize

import duckdb

from synthpriv_sql.planner.headers import catalog

_MEMORY = ":memory:"
_TEMPORARY = "temp_directory"


def open_database(
    database: str = _MEMORY, read_only: bool = False, config: Mapping[str, Any] = MappingProxyType({})
) -> duckdb.DuckDBPyConnection:
    """Open a database without DuckDB's progress bar, which would write to standard output, among the rows.

    What does not fit into memory is written to a folder of its owner alone, which is removed with the connection or at
    the end of the process; without one, DuckDB makes ``.tmp`` in the current folder for a database in memory.
    """
    settings = dict(config)
    folder = None
    if database in {"", _MEMORY} and _TEMPORARY not in settings:
        folder = settings[_TEMPORARY] = tempfile.mkdtemp(prefix="synthpriv-")
    try:
        connection = duckdb.connect(database, read_only=read_only, config=settings)
    except BaseException:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    if folder is not None:
        finalize(connection, shutil.rmtree, folder, ignore_errors=True)
    ((shown,),) = connection.execute(catalog.statement("progress_bar")).fetchall()
    # In a notebook without ipywidgets it is off, and DuckDB rejects any setting of it.
    if shown:
        connection.execute(catalog.statement("no_progress_bar"))
    return connection
