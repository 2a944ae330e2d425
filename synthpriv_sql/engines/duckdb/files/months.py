"""Texts that look like dates with the name of a month, such as ``3 March 2024`` or ``3. März 2024``."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NAME = r"(?P<name>[^\W\d_]{3,12})"
_DAY = r"(?P<day>[012]?\d|3[01])"
_DAY_FIRST = re.compile(
    rf"{_DAY}(?P<before>(?:\.|er|º)?[ /-]+(?:de +)?|\.){_NAME}(?P<after>\.?[ /-]+(?:de +)?|\.)(?P<year>\d{{4}}|\d\d)"
)
_NAME_FIRST = re.compile(rf"{_NAME}(?P<before>\.? +){_DAY}(?P<after>,? +)(?P<year>\d{{4}})")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
)
_SHORT = frozenset(name[:3] for name in _MONTHS)
_MOST_NAMES = 24
"""Twelve months, each spelled in full and shortened; with more names, they are no months."""


def look_like_dates(values: Iterable[str]) -> bool:
    """Whether all texts have the form of a date with a four-digit year, and few names, in any language."""
    found = [_parsed(value) for value in values]
    names = {parts["name"].lower() for parts in found if parts is not None and len(parts["year"]) == 4}
    return bool(found) and all(p and len(p["year"]) == 4 for p in found) and len(names) <= _MOST_NAMES


def english(values: Iterable[str]) -> str | None:
    """Return the format of DuckDB that reads texts as dates with English names; None if there is none."""
    formats, names = set(), set()
    for value in values:
        parts = _parsed(value)
        if parts is None:
            return None
        names.add(parts["name"].lower())
        month, year = "{month}", "%Y" if len(parts["year"]) == 4 else "%y"
        first, second = ("%d", month) if parts["day_first"] else (month, "%d")
        formats.add(f"{first}{parts['before']}{second}{parts['after']}{year}")
    in_full, shortened = names <= {*_MONTHS}, names <= _SHORT
    if len(formats) != 1 or not (in_full or shortened):
        return None
    return formats.pop().format(month="%B" if in_full else "%b")


def _parsed(value: str) -> dict[str, str] | None:
    """The parts of such a text; ``day_first`` is empty if the name comes before the day."""
    first = _DAY_FIRST.fullmatch(value.strip())
    found = first or _NAME_FIRST.fullmatch(value.strip())
    return None if found is None else {**found.groupdict(), "day_first": "day" if first else ""}
