"""Translated messages. A message is a complete sentence, with named placeholders in braces."""

from __future__ import annotations

from collections.abc import Sequence

from synthpriv_sql.language.numbers import count
from synthpriv_sql.language.spoken import translations


def _(message: str, /, **values: object) -> str:
    """Return a message in the current language, with its placeholders filled in.

    Parameters
    ----------
    message
        The English text, as a literal, which `tools/messages.py` extracts; or one marked by `N_`.
    **values
        The values of its placeholders, formatted or independent of the language.
    """
    text = translations().gettext(message)
    return text.format(**values) if values else text


def plural(one: str, several: str, n: float | None, /, **values: object) -> str:
    """Return the singular or plural message for a number; ``{n}`` is the number.

    Parameters
    ----------
    one, several
        The English texts, as literals.
    n
        The number; None is shown as a dash.
    **values
        The values of the other placeholders.
    """
    text = translations().ngettext(one, several, 2 if n is None else round(n))
    return text.format(n=count(n), **values)


def N_(message: str, /) -> str:  # noqa: N802
    """Mark a message for extraction that `_` translates later."""
    return message


def listed(words: Sequence[str]) -> str:
    """Join words as in a sentence: A, B and C."""
    if len(words) < 2:
        return "".join(words)
    return _("{all_but_last} and {last}", all_but_last=", ".join(words[:-1]), last=words[-1])
