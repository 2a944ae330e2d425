"""Numbers with their nouns."""

from __future__ import annotations

from synthpriv_sql.language.numbers import count, interval, number, percent, share_interval

__all__ = ["count", "counted", "interval", "number", "percent", "share_interval"]


def counted(value: float | None, one: str, several: str = "") -> str:
    """Return a whole number with its noun, which is singular where the number is 1."""
    return f"{count(value)} {one if value is not None and round(value) == 1 else several or one + 's'}"
