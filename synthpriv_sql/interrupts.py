"""Handling of Ctrl-C in database threads, where Python raises nothing, and where an exception must not be raised."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

_seen = 0


def count() -> int:
    """Return the number of interrupts since the first `watch`; a search stops when it has increased."""
    return _seen


def watch() -> None:
    """Count interrupts from now on if Python's default handler is installed, which is still called."""
    if threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        with suppress(ValueError):  # not in a subinterpreter
            signal.signal(signal.SIGINT, _note)


def _note(number: int, frame: FrameType | None) -> None:
    global _seen  # noqa: PLW0603
    _seen += 1
    signal.default_int_handler(number, frame)


@contextmanager
def instead(stop: Callable[[], None]) -> Iterator[None]:
    """Let Ctrl-C call a function during a block, instead of raising in the middle of it.

    The first Ctrl-C does so, a second one raises. Nothing changes in threads other than the main one, which receive no
    signals, and if Ctrl-C is ignored.

    Parameters
    ----------
    stop
        Makes the block end. It is called by a signal handler, so it may only set a flag.

    Raises
    ------
    KeyboardInterrupt
        The block completed despite the interrupt.
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
        # pyspark's own handler communicates with Spark, possibly in the middle of another message.
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

    with suppress(ValueError):  # not in a subinterpreter
        signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is note:
            signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt
