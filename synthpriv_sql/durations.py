"""Durations of the parts of a call."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Durations:
    """Measures the durations of the parts of a statement.

    Parts are timed in the database threads that run them. A waiting part overlaps with the one it waits for;
    overlapping time counts once, for the part that ends first.
    """

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._spans: list[tuple[float, float, str]] = []

    @contextmanager
    def span(self, part: str) -> Iterator[None]:
        """Time a part, or another section of it."""
        begun = time.monotonic()
        try:
            yield
        finally:
            self._spans.append((time.monotonic(), begun, part))  # thread-safe

    def seconds(self, before: str, rest: str) -> dict[str, float]:
        """Return the seconds of each part until now, in the order in which the parts ended.

        Parameters
        ----------
        before
            The name for the time until the first part begins.
        rest
            The name for all other time.
        """
        now = time.monotonic()
        found = {before: min((begun for _, begun, _ in self._spans), default=now) - self._begun}
        reached = self._begun
        for ended, begun, part in sorted(self._spans):
            found[part] = found.get(part, 0.0) + max(0.0, ended - max(begun, reached))
            reached = max(reached, ended)
        found[rest] = max(0.0, now - self._begun - sum(found.values()))
        return found
