"""Where the time of a call goes, part by part."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Durations:
    """Seconds of the parts of a statement.

    Parts are timed where they run, in threads of the database's. One that waits for its turn overlaps with what it
    waits for; a moment is counted once, for the part that ends first.
    """

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._spans: list[tuple[float, float, str]] = []

    @contextmanager
    def span(self, part: str) -> Iterator[None]:
        """Time a part, or one more piece of it."""
        begun = time.monotonic()
        try:
            yield
        finally:
            self._spans.append((time.monotonic(), begun, part))  # which threads may do at once

    def seconds(self, before: str, rest: str) -> dict[str, float]:
        """Return the seconds of each part, in the order in which parts have ended, until now.

        Parameters
        ----------
        before
            What the time until the first part begins is called.
        rest
            What all other time is called.
        """
        now = time.monotonic()
        found = {before: min((begun for _, begun, _ in self._spans), default=now) - self._begun}
        reached = self._begun
        for ended, begun, part in sorted(self._spans):
            found[part] = found.get(part, 0.0) + max(0.0, ended - max(begun, reached))
            reached = max(reached, ended)
        found[rest] = max(0.0, now - self._begun - sum(found.values()))
        return found
