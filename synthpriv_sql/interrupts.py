"""Ctrl-C while a database works: in a thread of its own, where Python raises nothing; or where it must not raise."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
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


@contextmanager
def instead(stop: Callable[[], None]) -> Iterator[None]:
    """Let Ctrl-C call something while a block lasts, rather than raise in the middle of what the block does.

    The first Ctrl-C does so, a second one raises. In other threads than the main one, which signals do not reach, and
    where Ctrl-C is ignored, all stays as it is.

    Parameters
    ----------
    stop
        Makes the block end. Called by a signal handler, so it may only set a flag.

    Raises
    ------
    KeyboardInterrupt
        The block came to its end in spite of it.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    came = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal came
        global _seen  # noqa: PLW0603
        _seen += 1
        # pyspark's own handler talks to Spark, perhaps in the middle of a sentence.
        if came or not str(before.__module__).startswith("pyspark."):
            try:
                before(number, frame)
            except KeyboardInterrupt:
                if came:
                    raise
            else:
                return
        came = True
        stop()

    with suppress(ValueError):  # an interpreter inside the interpreter
        signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is note:
            signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt
