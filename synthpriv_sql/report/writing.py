"""Helpers of all pages: templates, writing of files, and the label of a table."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Protocol

import jinja2
from markupsafe import Markup

from synthpriv_sql.errors import without_secrets
from synthpriv_sql.language import numbers
from synthpriv_sql.language.meanings import meaning
from synthpriv_sql.language.messages import _
from synthpriv_sql.language.spoken import spoken, translations


class Remedy(Protocol):
    """What a page shows of a search for a remedy."""

    @property
    def sentences(self) -> Sequence[str]:
        """What its steps come to."""

    @property
    def rows(self) -> Sequence[Mapping[str, Any]]:
        """The rows of `remedy`."""

    @property
    def is_confirmed_by_others(self) -> bool:
        """Whether people confirm it whom the search did not see."""

    @property
    def changes(self) -> bool:
        """Whether it changes anything."""

    def statement(self) -> str:
        """Return the SELECT that treats the table."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Contents of the page besides numbers.

    ``values`` are those of the riskiest records, including real ones; ``keys`` name the records that the page lists;
    ``baseline`` is the random forest baseline beside the table; ``remedy`` searches, once, for changes after which a
    table that is bad may be released; ``trend`` has earlier evaluations, as `synthpriv_sql.report.trend` lists them.
    """

    values: bool = False
    keys: bool = True
    baseline: bool = False
    remedy: Callable[[], Remedy] | None = None
    trend: Sequence[Mapping[str, Any]] = ()


def label(table: Any) -> str:
    """Return the label of a table: its name, file, query (without passwords), or the type of the object."""
    if isinstance(table, (str, os.PathLike)):
        return without_secrets(os.fspath(table))
    return _("a {kind}", kind=f"{type(table).__module__.partition('.')[0]} {type(table).__name__}")


def breakable(name: object) -> Markup:
    """Return a name as HTML that may break after underscores and dots only."""
    return Markup("<wbr>").join(Markup.escape(part) for part in re.split(r"(?<=[_.])(?!_)", str(name)))


def environment() -> jinja2.Environment:
    """Return the template environment with filters and translations; it keeps the templates that it compiled."""
    return _environment(spoken())


@cache
def _environment(language: str) -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("synthpriv_sql.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        extensions=["jinja2.ext.i18n"],
    )
    made.policies["ext.i18n.trimmed"] = True
    made.install_gettext_callables(  # type: ignore[attr-defined]
        lambda message: translations().gettext(message),
        lambda one, several, n: translations().ngettext(one, several, 2 if n is None else round(n)),
        newstyle=True,
    )
    made.globals["language"] = language
    made.filters |= {
        f.__name__: f
        for f in (
            *(breakable, numbers.number, numbers.short, numbers.count, numbers.percent),
            *(numbers.interval, numbers.moment, meaning),
        )
    }
    return made


def inline(name: str) -> Markup:
    """Return a file of static/, which needs no escaping."""
    return Markup(files(__package__).joinpath("static", name).read_text(encoding="utf-8"))  # noqa: S704
