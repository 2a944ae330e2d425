"""One progress bar for a whole call, in a terminal or a notebook, with the remaining time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from html import escape

from rich import progress
from rich.console import Console

Move = Callable[[float, str], None]
"""Shows the fraction done, from 0 to 1, and the current part."""
_PAUSE = 0.2
"""Minimum seconds between updates in a notebook, each of which is a message to the browser."""


class Bar:
    """Computes the state of a bar for one call, or for several that are one to the user.

    Parameters
    ----------
    move
        Draws the bar.
    calls
        The number of consecutive calls; each gets an equal part of the bar.
    """

    def __init__(self, move: Move, calls: int = 1) -> None:
        self._move = move
        self._calls = calls
        self._begun = self._searches = self._finished = 0

    def expect(self, searches: int) -> None:
        """Begin the next call, with its number of consecutive searches (and forests)."""
        self._begun += 1
        self._searches, self._finished = searches, 0

    def __call__(self, done: int, total: int, label: str) -> None:
        """Report the progress of the current search."""
        part = 0.0
        if total > 1:  # otherwise it is compiling, or a call without a search
            self._finished += done >= total
            part = done / total if done < total else 0.0
        of_call = (self._finished + part) / self._searches if self._searches else float(done >= total)
        self._move((max(self._begun - 1, 0) + min(of_call, 1.0)) / self._calls, label)


@contextmanager
def bar(calls: int = 1) -> Iterator[Bar]:
    """Show one bar for the duration of one or several calls.

    Yields
    ------
    Bar
        To be passed as ``progress``.
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
        # Indeterminate until the first part is done.
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
