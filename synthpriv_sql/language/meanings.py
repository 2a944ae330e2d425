"""Sentences that SQL gives with its numbers, in the language that is spoken.

They stand in sql/, in English, as files and other programs get them. `tools/messages.py` finds them there; what a
statement puts into a sentence (a share, a name) is a placeholder of its message.
"""

from __future__ import annotations

import re
from functools import cache

from synthpriv_sql.language.numbers import decimals
from synthpriv_sql.language.spoken import ENGLISH, from_sql, spoken, translations

_NUMBER = re.compile(r"(-?[\d,]+(?:\.(\d+))?)( ?%)?")


def meaning(text: str) -> str:
    """Return a sentence that a statement gave, in the language that is spoken; a text that is none, as it is."""
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
    """What stands for a placeholder: a number, another sentence, or a name."""
    number = _NUMBER.fullmatch(text)
    if number is None:
        return meaning(text)
    digits = number[1].replace(",", "")
    return decimals(float(digits), len(number[2] or "")) + (number[3] or "").replace(" ", "\u202f")


@cache
def _patterns(language: str) -> list[tuple[re.Pattern[str], str]]:
    """The messages with placeholders, those first that say most themselves."""
    patterns = []
    for message in sorted(from_sql(language), key=len, reverse=True):
        parts = re.split(r"\{(\w+)\}", message)
        if len(parts) > 1:
            text = "".join(f"(?P<{p}>.+?)" if i % 2 else re.escape(p) for i, p in enumerate(parts))
            patterns.append((re.compile(text, re.DOTALL), message))
    return patterns
