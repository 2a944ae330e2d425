"""Texts that are dates: of numbers alone (``03/04/2020``), or with the name of a month (``3. März 2024``)."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlglot import exp

_MOMENT = re.compile(r"(\d{1,2})([-./ ])(\d{1,2})\2(\d{4}|\d{2})(?:[ T](\d{1,2}:\d\d.*))?")
_ORDERS: Mapping[str, tuple[int, int, int]] = {"dmY": (0, 1, 2), "mdY": (1, 0, 2), "Ymd": (2, 1, 0)}
"""The place of day, month and year in each order."""
_TIMES = ("", " %H:%M", " %H:%M:%S", " %H:%M:%S.%f", " %I:%M %p", " %I:%M:%S %p")
"""The forms of a time of day after a date; DuckDB itself reads the third only."""
_CENTURY = 69
"""The first year of two digits that is in the last century, as in DuckDB and POSIX."""


@dataclass(frozen=True, slots=True)
class Form:
    """How the dates of a column are written: the formats of DuckDB that read all of them, each to other dates."""

    formats: tuple[str, ...]
    times: bool
    """Whether times of day follow."""

    @property
    def is_clear(self) -> bool:
        """Whether only one format reads them, or all that do agree."""
        return len(self.formats) == 1


def form(values: Iterable[str]) -> Form | None:
    """Return how texts are written as dates; None if one is no date, or begins with a year of four digits."""
    found = [_MOMENT.fullmatch(value.strip()) for value in set(values)]
    parts = [(match[1], match[3], match[4]) for match in found if match is not None]
    separators = {match[2] for match in found if match is not None}
    lengths = {len(part[2]) for part in parts}
    if not parts or len(parts) < len(found) or len(separators) > 1 or len(lengths) > 1:
        return None
    (separator,), (length,) = separators, lengths
    read: dict[tuple[datetime.date, ...], str] = {}
    for order in _ORDERS if length == 2 else ("dmY", "mdY"):
        dates = _dates(order, parts)
        if dates is not None:
            letters = order if length == 4 else order.replace("Y", "y")
            read.setdefault(dates, separator.join(f"%{letter}" for letter in letters))
    return Form(tuple(read.values()), any(match is not None and match[5] for match in found)) if read else None


def _dates(order: str, parts: Iterable[tuple[str, str, str]]) -> tuple[datetime.date, ...] | None:
    """Texts as dates in one order; None if one has no such date."""
    day, month, year = _ORDERS[order]
    try:
        return tuple(datetime.date(_year(part[year]), int(part[month]), int(part[day])) for part in parts)
    except ValueError:
        return None


def _year(text: str) -> int:
    return int(text) if len(text) == 4 else int(text) + (1900 if int(text) >= _CENTURY else 2000)


def read(name: str, form_: str, times: bool, message: str) -> exp.Expr:
    """Return the expression that reads a text column by a format, or stops with a message.

    Parameters
    ----------
    name
        The column.
    form_
        The format of its dates.
    times
        Whether times of day may follow.
    message
        The error about a text that has another form.
    """
    column = exp.column(name, quoted=True)
    listed = exp.Array(expressions=[exp.Literal.string(form_ + time) for time in (_TIMES if times else ("",))])
    moment = exp.Anonymous(this="try_strptime", expressions=[exp.func("trim", column), listed])
    type_ = exp.DataType.build("TIMESTAMP" if times else "DATE")
    stop = exp.cast(exp.func("error", exp.Literal.string(message)), type_)
    cases = exp.Case().when(exp.Is(this=column.copy(), expression=exp.null()), exp.cast(exp.null(), type_))
    cases = cases.when(exp.Is(this=moment, expression=exp.null()), stop)
    return exp.alias_(cases.else_(exp.cast(moment.copy(), type_)), name, quoted=True)


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
