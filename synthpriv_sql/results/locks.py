"""Waits for databases that another process has locked."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import duckdb

from synthpriv_sql.errors import is_lock

_PAUSE = 0.5

T = TypeVar("T")


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
