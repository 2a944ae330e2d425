"""Texts in the form in which they are compared by nearness."""

from __future__ import annotations

import unicodedata


def normalized(text: str) -> str:
    """Return a text in Unicode's form NFKC, without case, and with one blank for each run of them."""
    if text.isascii():
        return " ".join(text.lower().split())
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())
