"""Formats numbers and dates in the current language."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import Protocol, Self

from synthpriv_sql.language.spoken import ENGLISH, locale, spoken, translations

NARROW = "\u202f"
"""A narrow no-break space: between a number and its unit."""
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Named(float):
    """A number with the name under which `evaluate` reports it; the decision page refers to it."""

    __slots__ = ("name",)
    name: str

    def __new__(cls, value: float, name: str) -> Self:
        """Name a number."""
        made = super().__new__(cls, value)
        made.name = name
        return made

    def __reduce__(self) -> tuple[type[Self], tuple[float, str]]:
        """What a copy is made of: a verdict is pickled, for another process, with its numbers."""
        return type(self), (float(self), self.name)


MARK = ("\ue000", "\ue001")
"""Delimiters of the index of a name in a marked text: characters that no text contains."""
_told: ContextVar[list[str] | None] = ContextVar("told", default=None)


@contextmanager
def collecting_names() -> Iterator[list[str]]:
    """Mark named numbers wherever they are formatted, and collect their names.

    Each number is then followed by the index of its name in the list, from 1, between the characters of `MARK`.
    """
    names: list[str] = []
    token = _told.set(names)
    try:
        yield names
    finally:
        _told.reset(token)


def marked(text: str, value: float | None) -> str:
    """Return the text of a number, with the mark of its name if names are collected."""
    names = _told.get()
    if names is None or not isinstance(value, Named):
        return text
    if value.name not in names:
        names.append(value.name)
    return f"{text}{MARK[0]}{names.index(value.name) + 1}{MARK[1]}"


class Interval(Protocol):
    """A number with the ends of its 95 % interval, if there is one."""

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
    """Format a number with the given number of decimals."""
    return marked(_decimals(value, digits), value)


def _decimals(value: float, digits: int) -> str:
    if spoken() == ENGLISH:
        return f"{value:,.{digits}f}".replace("-", "−")
    from babel.numbers import format_decimal

    shape = "#,##0" + ("." + "0" * digits if digits else "")
    # Rounded as in English: a language changes separators, not digits.
    return format_decimal(f"{value:.{digits}f}", shape, locale(spoken())).replace("-", "−")


def number(value: float | None) -> str:
    """Format a number with four significant digits, or a dash for None."""
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


def times(ratio: float | None) -> str:
    """Format how many times as large something is, with two decimals."""
    if ratio is None:
        return "—"
    return marked("∞" if math.isinf(ratio) else _decimals(ratio, 2), ratio)


def short(value: float, digits: int = 6) -> str:
    """Format a number with at most the given significant digits, without trailing zeros."""
    text = f"{value:.{digits}g}"
    if "e" in text:
        return number(value)
    return decimals(value, len(text.partition(".")[2]))


def count(value: float | None) -> str:
    """Format an integer."""
    return marked(_number(None if value is None else round(value)), value)


def percent(share: float | None) -> str:
    """Format a share in percent: with one decimal, or two significant digits if it is small."""
    return marked(_percent(share), share)


def _percent(share: float | None) -> str:
    return "—" if share is None else f"{_hundredths(share)}{_unit()}"


def interval(found: Interval) -> str:
    """Format the interval of a share, without its name."""
    return marked(_interval(found), found.value)


def _interval(found: Interval) -> str:
    if found.lower is None or found.upper is None:
        return "—"
    text = translations().gettext("{lower} to {upper}")
    return text.format(lower=_hundredths(found.lower), upper=_percent(found.upper))


def share_interval(found: Interval) -> str:
    """Format a share with its 95 % interval."""
    if found.lower is None or found.upper is None:
        return percent(found.value)
    text = translations().gettext("{share} (95\u202f% interval {interval})")
    return text.format(share=percent(found.value), interval=_interval(found))


def moment(value: datetime) -> str:
    """Format a date and time, to the minute."""
    if spoken() == ENGLISH:
        return f"{value:%Y-%m-%d %H:%M} {value:%Z}".rstrip()
    from babel.dates import format_date, format_time

    parts = {"{1}": format_date(value, "medium", locale(spoken())), "{0}": format_time(value, "short", locale=spoken())}
    text = str(locale(spoken()).datetime_formats["medium"]).replace("'", "")
    for place, part in parts.items():
        text = text.replace(place, part)
    return f"{text} {value:%Z}".rstrip()


def axes() -> dict[str, object] | None:
    """Return the d3 locale for the axes of charts; None for English, its default."""
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
    """The percent sign, with the space that the language puts before it."""
    if spoken() == ENGLISH:
        return f"{NARROW}%"
    suffix: str = locale(spoken()).percent_formats[None].suffix[0]
    return suffix.replace("\xa0", NARROW)
