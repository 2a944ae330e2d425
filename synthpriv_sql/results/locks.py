"""Databases that another process holds, and waiting for them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import duckdb

from synthpriv_sql.errors import is_lock

_PAUSE = 0.5

T = TypeVar("T")


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
