"""Which language is spoken, and its catalog.

English stands in the source. Any other language is one file, ``catalogs/LANGUAGE.po``; only there is Babel needed.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from synthpriv_sql.errors import OptionError

if TYPE_CHECKING:
    from babel import Locale
    from babel.messages.catalog import Catalog

ENGLISH = "en"
CATALOGS = Path(__file__).parent / "catalogs"

_spoken: ContextVar[str] = ContextVar("language", default=ENGLISH)


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that there are: English, and those with a catalog."""
    return (ENGLISH, *sorted(file.stem for file in CATALOGS.glob("*.po")))


def spoken() -> str:
    """Return the language that is spoken now."""
    return _spoken.get()


@contextmanager
def speaking(language: str | None) -> Iterator[None]:
    """Speak a language meanwhile; where none is given, go on in the one that is spoken.

    Parameters
    ----------
    language
        One of `languages`.

    Raises
    ------
    OptionError
        There is no catalog of this language.
    """
    if language is None:
        yield
        return
    if language not in languages():
        raise OptionError(f'option "language" := {language!r} is not one of {", ".join(languages())}')
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


def translations() -> gettext.NullTranslations:
    """Return the catalog of the language that is spoken."""
    return _compiled(spoken())


def from_sql(language: str) -> list[str]:
    """Return the messages that stand in sql/."""
    return [str(m.id) for m in _catalog(language) if any(place.startswith("sql/") for place, _ in m.locations)]


@cache
def _compiled(language: str) -> gettext.NullTranslations:
    if language == ENGLISH:
        return gettext.NullTranslations()
    from babel.messages.mofile import write_mo

    compiled = BytesIO()
    write_mo(compiled, _catalog(language))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


@cache
def _catalog(language: str) -> Catalog:
    from babel.messages.pofile import read_po

    with (CATALOGS / f"{language}.po").open("rb") as source:
        return read_po(source, locale=language)


@cache
def locale(language: str) -> Locale:
    """Return how a language writes numbers and dates."""
    from babel import Locale

    return Locale.parse(language)
