"""Numbers as a reader likes them."""

from __future__ import annotations

import math

from synthpriv_sql.report.measured import Number

_NARROW = "\u202f"
"""A narrow space that does not break: between a number and its unit."""


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: float | None) -> str:
    """Return a number with four digits that count, or a dash where there is none."""
    if value is None:
        return "—"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}".replace("-", "−")
    if 1e-3 <= abs(value) < 1e6:
        return f"{value:,.{max(0, 3 - math.floor(math.log10(abs(value))))}f}".replace("-", "−")
    digits, exponent = f"{value:.2e}".split("e")
    return f"{digits}{_NARROW}×{_NARROW}10{str(int(exponent)).translate(_RAISED)}".replace("-", "−")


def count(value: float | None) -> str:
    """Return a whole number."""
    return number(None if value is None else round(value))


def counted(value: float | None, one: str, several: str = "") -> str:
    """Return a whole number with its noun, which is singular where the number is 1."""
    return f"{count(value)} {one if value is not None and round(value) == 1 else several or one + 's'}"


def percent(share: float | None) -> str:
    """Return a share in percent: one decimal, or two digits that count where it is small."""
    if share is None:
        return "—"
    hundred = 100 * share
    digits = 1 if abs(hundred) >= 1 or hundred == 0 else min(6, 1 - math.floor(math.log10(abs(hundred))))
    text = f"{hundred:,.{digits}f}".replace("-", "−")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return f"{text}{_NARROW}%"


def share_interval(found: Number) -> str:
    """Return a share with its 95 % interval."""
    if found.lower is None or found.upper is None:
        return percent(found.value)
    return f"{percent(found.value)} (95{_NARROW}% interval {interval(found)})"


def interval(found: Number) -> str:
    """Return the interval of a share."""
    return f"{percent(found.lower).removesuffix(_NARROW + '%')} to {percent(found.upper)}"
