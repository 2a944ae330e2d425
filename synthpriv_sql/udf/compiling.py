"""Reports that the kernel is being compiled, which takes some seconds, once per installation."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from numba.core import event

from synthpriv_sql.progress import Progress

LABEL = "compiling the search, once on this installation"

_LOG = logging.getLogger("synthpriv_sql")


class _Listener(event.Listener):  # type: ignore[misc]
    """Compilations nest and run in several threads: reports whether any is running."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._lock = Lock()
        self._open = 0
        self._reported = False

    def on_start(self, event: Any) -> None:
        with self._lock:
            self._open += 1
            first, before, self._reported = self._open == 1, self._reported, True
        if first and self._progress is not None:
            self._progress(0, 1, LABEL)
        elif not before:
            _LOG.warning(LABEL)

    def on_end(self, event: Any) -> None:
        with self._lock:
            self._open -= 1
            last = self._open == 0
        if last and self._progress is not None:
            self._progress(1, 1, LABEL)


@contextmanager
def reported(progress: Progress | None) -> Iterator[None]:
    """Report compiling as progress (0 of 1, then 1 of 1); without a callback, as a warning in the log."""
    listener = _Listener(progress)
    with event.install_listener("numba:compile", listener):
        yield
