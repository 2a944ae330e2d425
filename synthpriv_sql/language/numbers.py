"""Numbers and dates as a reader likes them, in the language that is spoken."""

from __future__ import annotations

import math
from datetime import datetime
from typing import Protocol

from synthpriv_sql.language.spoken import ENGLISH, locale, spoken, translations

NARROW = "\u202f"
"""A narrow space that does not break: between a number and its unit."""
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


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
    if spoken() == ENGLISH:
        return f"{value:,.{digits}f}".replace("-", "−")
    from babel.numbers import format_decimal

    shape = "#,##0" + ("." + "0" * digits if digits else "")
    # What is rounded here is what English shows: a language changes signs, not digits.
    return format_decimal(f"{value:.{digits}f}", shape, locale(spoken())).replace("-", "−")


def number(value: float | None) -> str:
    """Return a number with four digits that count, or a dash where there is none."""
    if value is None:
        return "—"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == int(value) and abs(value) < 1e15:
        return decimals(int(value), 0)
    if 1e-3 <= abs(value) < 1e6:
        return decimals(value, max(0, 3 - math.floor(math.log10(abs(value)))))
    digits, exponent = f"{value:.2e}".split("e")
    return f"{decimals(float(digits), 2)}{NARROW}×{NARROW}10{str(int(exponent)).translate(_RAISED)}"


def short(value: float, digits: int = 6) -> str:
    """Return a number with at most so many digits that count, and none that are 0 at its end."""
    text = f"{value:.{digits}g}"
    if "e" in text:
        return number(value)
    return decimals(value, len(text.partition(".")[2]))


def count(value: float | None) -> str:
    """Return a whole number."""
    return number(None if value is None else round(value))


def percent(share: float | None) -> str:
    """Return a share in percent: one decimal, or two digits that count where it is small."""
    return "—" if share is None else f"{_hundredths(share)}{_unit()}"


def interval(found: Interval) -> str:
    """Return the interval of a share, without its name."""
    if found.lower is None or found.upper is None:
        return "—"
    text = translations().gettext("{lower} to {upper}")
    return text.format(lower=_hundredths(found.lower), upper=percent(found.upper))


def share_interval(found: Interval) -> str:
    """Return a share with its 95 % interval."""
    if found.lower is None or found.upper is None:
        return percent(found.value)
    text = translations().gettext("{share} (95\u202f% interval {interval})")
    return text.format(share=percent(found.value), interval=interval(found))


def moment(value: datetime) -> str:
    """Return a date with its time, to the minute."""
    if spoken() == ENGLISH:
        return f"{value:%Y-%m-%d %H:%M} {value:%Z}".rstrip()
    from babel.dates import format_skeleton

    text = format_skeleton("yMMddHm", value, locale=locale(spoken()))
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
    return decimals(hundred, digits)


def _unit() -> str:
    """The sign of percent, with the space before it that the language wants."""
    if spoken() == ENGLISH:
        return f"{NARROW}%"
    suffix: str = locale(spoken()).percent_formats[None].suffix[0]
    return suffix.replace("\xa0", NARROW)
