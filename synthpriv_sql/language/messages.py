"""Sentences for people. A message is a whole sentence, with named placeholders in braces."""

from __future__ import annotations

from collections.abc import Sequence

from synthpriv_sql.language.numbers import count
from synthpriv_sql.language.spoken import translations


def _(message: str, /, **values: object) -> str:
    """Return a message in the language that is spoken, with its placeholders filled in.

    Parameters
    ----------
    message
        The English text, as a literal, which is what `tools/messages.py` finds; or one that `N_` marked.
    **values
        What its placeholders stand for, as text, or as what is formatted to the same text in every language.
    """
    text = translations().gettext(message)
    return text.format(**values) if values else text


def plural(one: str, several: str, n: float | None, /, **values: object) -> str:
    """Return one of two messages, by a whole number; ``{n}`` is the number.

    Parameters
    ----------
    one, several
        The English texts, as literals.
    n
        The number; None is shown as a dash.
    **values
        What the other placeholders stand for.
    """
    text = translations().ngettext(one, several, 2 if n is None else round(n))
    return text.format(n=count(n), **values)


def N_(message: str, /) -> str:  # noqa: N802
    """Mark a message that `_` looks up later."""
    return message


def listed(words: Sequence[str]) -> str:
    """Return words as a list in a sentence: A, B and C."""
    if len(words) < 2:
        return "".join(words)
    return _("{all_but_last} and {last}", all_but_last=", ".join(words[:-1]), last=words[-1])
