"""Says that the kernel is being compiled while that lasts: once on an installation, some seconds."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from numba.core import event

LABEL = "compiling the search, once on this installation"

_LOG = logging.getLogger("synthpriv_sql")


class _Listener(event.Listener):  # type: ignore[misc]
    """Functions are compiled inside one another, and by several threads: what counts is whether any is."""

    def __init__(self, progress: Callable[[int, int, str], None] | None) -> None:
        self._progress = progress
        self._lock = Lock()
        self._open = 0
        self._told = False

    def on_start(self, event: Any) -> None:
        with self._lock:
            self._open += 1
            first, told, self._told = self._open == 1, self._told, True
        if first and self._progress is not None:
            self._progress(0, 1, LABEL)
        elif not told:
            _LOG.warning(LABEL)

    def on_end(self, event: Any) -> None:
        with self._lock:
            self._open -= 1
            last = self._open == 0
        if last and self._progress is not None:
            self._progress(1, 1, LABEL)


@contextmanager
def told(progress: Callable[[int, int, str], None] | None) -> Iterator[None]:
    """Report compiling as progress (0 of 1, then 1 of 1); where nobody follows it, as a warning of the log."""
    listener = _Listener(progress)
    with event.install_listener("numba:compile", listener):
        yield
