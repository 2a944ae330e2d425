"""Databases that another process holds: waiting for them, and telling what may go away from what will not."""

from __future__ import annotations

import errno
import time
from collections.abc import Callable
from typing import TypeVar

import duckdb

_PAUSE = 0.5
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})

_HELD = ("could not set lock on file", "being used by another process")
"""What DuckDB says of a file that is held, and what Windows says."""

T = TypeVar("T")


def is_lock(error: BaseException) -> bool:
    """Whether a database file is held by another process."""
    said = str(error).lower()
    return isinstance(error, duckdb.IOException) and any(words in said for words in _HELD)


def may_go_away(error: BaseException) -> bool:
    """Whether the same may succeed later: a file is locked, or a disk is full."""
    full = isinstance(error, OSError) and error.errno in _FULL
    return full or is_lock(error) or (isinstance(error, duckdb.Error) and "no space left" in str(error).lower())


def when_free(act: Callable[[], T], seconds: float, say: Callable[[str], None]) -> T:
    """Do something with a database file, again and again while another process holds it.

    Parameters
    ----------
    act
        Opens the file.
    seconds
        How long to go on.
    say
        Told once that there is something to wait for.

    Raises
    ------
    duckdb.Error
        It is held to the end, or something else is wrong with it.
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
                say(f"waiting for up to {seconds:g} s: another process holds the database")
                told = True
            time.sleep(min(_PAUSE, seconds))
