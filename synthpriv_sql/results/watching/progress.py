"""One bar for a whole call, in a terminal or a notebook, with the time left."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from html import escape

from rich import progress
from rich.console import Console

Move = Callable[[float, str], None]
"""Shows how much is done, from 0 to 1, and what is being done."""
_PAUSE = 0.2
"""Seconds between two drawings in a notebook, each of which is a message to the browser."""


class Bar:
    """What a bar shows of one call, or of several that are one to the user.

    Parameters
    ----------
    move
        Draws.
    calls
        How many calls there will be, one after another; each has as much of the bar.
    """

    def __init__(self, move: Move, calls: int = 1) -> None:
        self._move = move
        self._calls = calls
        self._begun = self._searches = self._finished = 0

    def expect(self, searches: int) -> None:
        """Begin the next call, which makes so many searches (and forests), one after another."""
        self._begun += 1
        self._searches, self._finished = searches, 0

    def __call__(self, done: int, total: int, label: str) -> None:
        """Take how much of the search that runs is done."""
        part = 0.0
        if total > 1:  # else it is compiling, or a call without a search, which begins and ends
            self._finished += done >= total
            part = done / total if done < total else 0.0
        of_call = (self._finished + part) / self._searches if self._searches else float(done >= total)
        self._move((max(self._begun - 1, 0) + min(of_call, 1.0)) / self._calls, label)


@contextmanager
def bar(calls: int = 1) -> Iterator[Bar]:
    """Show one bar while a call, or several, last.

    Yields
    ------
    Bar
        To be given as ``progress``.
    """
    with _drawn() as move:
        yield Bar(move, calls)


def _drawn() -> AbstractContextManager[Move]:
    return _in_notebook() if Console().is_jupyter else _in_terminal()


@contextmanager
def _in_terminal() -> Iterator[Move]:
    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.TaskProgressColumn("{task.percentage:>3.0f} %"),
        progress.TimeRemainingColumn(elapsed_when_finished=True),
    )
    with progress.Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        # It only shows that something runs until the first part of it is done.
        task = shown.add_task("running", total=None)
        yield lambda part, label: shown.update(task, total=1.0 if part else None, completed=part, description=label)


@contextmanager
def _in_notebook() -> Iterator[Move]:
    from IPython.display import HTML, display

    handle = display(HTML("<progress></progress> running"), display_id=True)
    begun = drawn = time.monotonic()

    def move(part: float, label: str) -> None:
        nonlocal drawn
        now = time.monotonic()
        if now - drawn >= _PAUSE or part >= 1:
            drawn = now
            left = f", {(now - begun) * (1 - part) / part:.0f} s left" if 0 < part < 1 else ""
            text = f'<progress value="{part:.3f}"></progress> {part:.0%}{left} {escape(label)}'
            handle.update(HTML(text))

    try:
        yield move
    finally:
        handle.update(HTML(""))
