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


@contextmanager
def bar(searches: int) -> Iterator[Callable[[int, int, str], None]]:
    """Show a bar while a call lasts.

    Parameters
    ----------
    searches
        How many searches (and forests) the call makes, one after another; with none the bar only shows that it runs.

    Yields
    ------
    callable
        Takes (done, total, label) of the search that runs.
    """
    finished = 0
    with _drawn(searches > 0) as move:

        def report(done: int, total: int, label: str) -> None:
            nonlocal finished
            if total <= 1:  # compiling, which is no search
                return move(min(finished / max(searches, 1), 1.0), label)
            finished += done >= total
            part = finished + (done / total if done < total else 0.0)
            return move(min(part / max(searches, 1), 1.0), label)

        yield report


def _drawn(known: bool) -> AbstractContextManager[Move]:
    return _in_notebook() if Console().is_jupyter else _in_terminal(known)


@contextmanager
def _in_terminal(known: bool) -> Iterator[Move]:
    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.TaskProgressColumn("{task.percentage:>3.0f} %"),
        progress.TimeRemainingColumn(elapsed_when_finished=True),
    )
    with progress.Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("running", total=1.0 if known else None)
        yield lambda part, label: shown.update(task, completed=part, description=label)


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
