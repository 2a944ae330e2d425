"""Opens database files to write, and waits for those that another process has locked."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import duckdb

from synthpriv_sql.choices import STORAGE
from synthpriv_sql.errors import is_lock

_PAUSE = 0.5

T = TypeVar("T")
_SETTING = "storage_compatibility_version"
_OLDER = "v1.2.0"
"""A storage version that DuckDB 1.2 and later can read."""


def open_file(path: Path, seconds: float, say: Callable[[str], None]) -> duckdb.DuckDBPyConnection:
    """Open a database file to write; of a new one, say if older versions of DuckDB cannot open it.

    Parameters
    ----------
    path
        The file.
    seconds, say
        As in `when_free`.

    Raises
    ------
    duckdb.Error
        The file is still locked at the end, or cannot be opened.
    """
    new, version = not path.exists(), STORAGE.get()
    config: dict[str, str | bool | int | float | list[str]] = {_SETTING: version} if new and version else {}
    connection = when_free(lambda: duckdb.connect(str(path), config=config), seconds, say)
    if new and not version and int(duckdb.__version__.partition(".")[0]) > 1:
        say(
            f'"{path}" is made by DuckDB 2, and DuckDB 1 cannot open it: with --storage-version {_OLDER}, given the '
            "first time, it can"
        )
    return connection


def when_free(act: Callable[[], T], seconds: float, say: Callable[[str], None]) -> T:
    """Retry an action on a database file while another process has it locked.

    Parameters
    ----------
    act
        Opens the file.
    seconds
        How long to retry.
    say
        Called once when waiting begins.

    Raises
    ------
    duckdb.Error
        The file is still locked at the end, or another error occurred.
    """
    begun = time.monotonic()
    told = False
    while True:
        try:
            return act()
        except duckdb.IOException as error:
            if not is_lock(error) or time.monotonic() - begun >= seconds:
                raise
            if not told:
                say(f"waiting for up to {seconds:g} s: another process has locked the database")
                told = True
            time.sleep(min(_PAUSE, seconds))
