"""Ctrl-C while a search runs in a thread of the database, where Python raises no KeyboardInterrupt."""

from __future__ import annotations

import signal
import threading
from contextlib import suppress
from types import FrameType

_seen = 0


def count() -> int:
    """Return how many interrupts came since the first `watch`; a search that sees more than at its start ends."""
    return _seen


def watch() -> None:
    """Count interrupts from now on, where Python's own handler is in place; it still does what it did."""
    if threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        with suppress(ValueError):  # an interpreter inside the interpreter
            signal.signal(signal.SIGINT, _note)


def _note(number: int, frame: FrameType | None) -> None:
    global _seen  # noqa: PLW0603
    _seen += 1
    signal.default_int_handler(number, frame)
