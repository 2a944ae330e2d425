"""Numbers and dates as a reader likes them, in the language that is spoken."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import Protocol, Self

from synthpriv_sql.language.spoken import ENGLISH, locale, spoken, translations

NARROW = "\u202f"
"""A narrow space that does not break: between a number and its unit."""
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Named(float):
    """A number that has a name, which is to be told where somebody signs for it."""

    __slots__ = ("name",)
    name: str

    def __new__(cls, value: float, name: str) -> Self:
        """Name a number."""
        made = super().__new__(cls, value)
        made.name = name
        return made


MARK = ("\ue000", "\ue001")
"""What stands around the number of a name in a text, where names are told: characters that no text has."""
_told: ContextVar[list[str] | None] = ContextVar("told", default=None)


@contextmanager
def telling() -> Iterator[list[str]]:
    """Mark the numbers that have a name, wherever they are written, and list their names.

    Behind a number then stands the place of its name in the list, from 1, between the characters of `MARK`.
    """
    names: list[str] = []
    token = _told.set(names)
    try:
        yield names
    finally:
        _told.reset(token)


def marked(text: str, value: float | None) -> str:
    """Return a text of a number, with the mark of its name where names are told."""
    names = _told.get()
    if names is None or not isinstance(value, Named):
        return text
    if value.name not in names:
        names.append(value.name)
    return f"{text}{MARK[0]}{names.index(value.name) + 1}{MARK[1]}"


class Interval(Protocol):
    """A number with the ends of its 95 % interval, where there is one."""

    @property
    def value(self) -> float | None:
        """The number."""

    @property
    def lower(self) -> float | None:
        """The lower end."""

    @property
    def upper(self) -> float | None:
        """The upper end."""


def decimals(value: float, digits: int) -> str:
    """Return a number with so many decimals."""
    return marked(_decimals(value, digits), value)


def _decimals(value: float, digits: int) -> str:
    if spoken() == ENGLISH:
        return f"{value:,.{digits}f}".replace("-", "−")
    from babel.numbers import format_decimal

    shape = "#,##0" + ("." + "0" * digits if digits else "")
    # What is rounded here is what English shows: a language changes signs, not digits.
    return format_decimal(f"{value:.{digits}f}", shape, locale(spoken())).replace("-", "−")


def number(value: float | None) -> str:
    """Return a number with four digits that count, or a dash where there is none."""
    return marked(_number(value), value)


def _number(value: float | None) -> str:
    if value is None:
        return "—"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == int(value) and abs(value) < 1e15:
        return _decimals(int(value), 0)
    if 1e-3 <= abs(value) < 1e6:
        return _decimals(value, max(0, 3 - math.floor(math.log10(abs(value)))))
    digits, exponent = f"{value:.2e}".split("e")
    return f"{_decimals(float(digits), 2)}{NARROW}×{NARROW}10{str(int(exponent)).translate(_RAISED)}"


def short(value: float, digits: int = 6) -> str:
    """Return a number with at most so many digits that count, and none that are 0 at its end."""
    text = f"{value:.{digits}g}"
    if "e" in text:
        return number(value)
    return decimals(value, len(text.partition(".")[2]))


def count(value: float | None) -> str:
    """Return a whole number."""
    return marked(_number(None if value is None else round(value)), value)


def percent(share: float | None) -> str:
    """Return a share in percent: one decimal, or two digits that count where it is small."""
    return marked(_percent(share), share)


def _percent(share: float | None) -> str:
    return "—" if share is None else f"{_hundredths(share)}{_unit()}"


def interval(found: Interval) -> str:
    """Return the interval of a share, without its name."""
    return marked(_interval(found), found.value)


def _interval(found: Interval) -> str:
    if found.lower is None or found.upper is None:
        return "—"
    text = translations().gettext("{lower} to {upper}")
    return text.format(lower=_hundredths(found.lower), upper=_percent(found.upper))


def share_interval(found: Interval) -> str:
    """Return a share with its 95 % interval."""
    if found.lower is None or found.upper is None:
        return percent(found.value)
    text = translations().gettext("{share} (95\u202f% interval {interval})")
    return text.format(share=percent(found.value), interval=_interval(found))


def moment(value: datetime) -> str:
    """Return a date with its time, to the minute."""
    if spoken() == ENGLISH:
        return f"{value:%Y-%m-%d %H:%M} {value:%Z}".rstrip()
    from babel.dates import format_date, format_time

    parts = {"{1}": format_date(value, "medium", locale(spoken())), "{0}": format_time(value, "short", locale=spoken())}
    text = str(locale(spoken()).datetime_formats["medium"]).replace("'", "")
    for place, part in parts.items():
        text = text.replace(place, part)
    return f"{text} {value:%Z}".rstrip()


def axes() -> dict[str, object] | None:
    """Return how the numbers on the axes of charts are written, as d3 wants it; nothing for English, which it knows."""
    if spoken() == ENGLISH:
        return None
    symbols = locale(spoken()).number_symbols["latn"]
    return {
        "decimal": symbols["decimal"],
        "thousands": symbols["group"],
        "grouping": [3],
        "currency": ["", ""],
        "percent": _unit(),
    }


def _hundredths(share: float) -> str:
    hundred = 100 * share
    digits = 1 if abs(hundred) >= 1 or hundred == 0 else min(6, 1 - math.floor(math.log10(abs(hundred))))
    text = f"{hundred:.{digits}f}"
    while digits and text.endswith("0"):
        text, digits = text[:-1], digits - 1
    return _decimals(hundred, digits)


def _unit() -> str:
    """The sign of percent, with the space before it that the language wants."""
    if spoken() == ENGLISH:
        return f"{NARROW}%"
    suffix: str = locale(spoken()).percent_formats[None].suffix[0]
    return suffix.replace("\xa0", NARROW)
