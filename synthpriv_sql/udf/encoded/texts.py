"""Texts in the form in which they are compared by nearness, and which columns have any."""

from __future__ import annotations

import unicodedata
from typing import Any

import pyarrow.compute as pc


def normalized(text: str) -> str:
    """Return a text in Unicode's form NFKC, without case, and with one blank for each run of them."""
    if text.isascii():
        return " ".join(text.lower().split())
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def are_texts(words: Any) -> bool:
    """Say whether most of some distinct values, of an Arrow array, have more letters than digits."""
    letters, digits = (pc.count_substring_regex(words, pattern) for pattern in (r"\p{L}", r"\p{Nd}"))
    return bool(2 * (pc.sum(pc.greater(letters, digits)).as_py() or 0) > len(words))
