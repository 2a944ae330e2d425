"""Translates sentences that SQL returns with its numbers.

They are written in sql/ in English, as files and other programs receive them. `tools/messages.py` extracts them; values
that a statement inserts (a share, a name) are placeholders of the message.
"""

from __future__ import annotations

import re
from functools import cache

from synthpriv_sql.language.numbers import decimals
from synthpriv_sql.language.spoken import ENGLISH, from_sql, spoken, translations

_NUMBER = re.compile(r"(-?[\d,]+(?:\.(\d+))?)( ?%)?")


def meaning(text: str) -> str:
    """Translate a sentence of a statement to the current language; return other texts unchanged."""
    if spoken() == ENGLISH:
        return text
    known = translations().gettext(text)
    if known != text:
        return known
    for pattern, message in _patterns(spoken()):
        found = pattern.fullmatch(text)
        if found:
            values = {name: _value(value) for name, value in found.groupdict().items()}
            return translations().gettext(message).format(**values)
    return text


def _value(text: str) -> str:
    """Translate the value of a placeholder: a number, another sentence, or a name."""
    number = _NUMBER.fullmatch(text)
    if number is None:
        return meaning(text)
    digits = number[1].replace(",", "")
    return decimals(float(digits), len(number[2] or "")) + (number[3] or "").replace(" ", "\u202f")


@cache
def _patterns(language: str) -> list[tuple[re.Pattern[str], str]]:
    """The messages with placeholders, those with the most literal text first."""
    patterns = []
    for message in sorted(from_sql(language), key=len, reverse=True):
        parts = re.split(r"\{(\w+)\}", message)
        if len(parts) > 1:
            text = "".join(f"(?P<{p}>.+?)" if i % 2 else re.escape(p) for i, p in enumerate(parts))
            patterns.append((re.compile(text, re.DOTALL), message))
    return patterns
