"""The current language, and its catalog.

The source is in English. Any other language is one file, ``catalogs/LANGUAGE.po``; only these need Babel.
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
    """Return the available languages: English, and those with a catalog."""
    return (ENGLISH, *sorted(file.stem for file in CATALOGS.glob("*.po")))


def spoken() -> str:
    """Return the current language."""
    return _spoken.get()


@contextmanager
def speaking(language: str | None) -> Iterator[None]:
    """Set the current language for a block; None keeps it.

    Parameters
    ----------
    language
        One of `languages`.

    Raises
    ------
    OptionError
        There is no catalog for this language.
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
    """Return the catalog of the current language."""
    return _compiled(spoken())


def from_sql(language: str) -> list[str]:
    """Return the messages from sql/."""
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
    """Return the Babel locale of a language."""
    from babel import Locale

    return Locale.parse(language)
