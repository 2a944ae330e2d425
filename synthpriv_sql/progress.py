"""The type of progress callbacks in all rooms above the kernels, whose own callbacks have no label."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int, str], None]
"""Called with (done, total, label): the units of work that are finished, all of them, and a description for users."""
