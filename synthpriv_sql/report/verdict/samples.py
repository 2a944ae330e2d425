"""What the verdict says of samples: how much was drawn, and what a sample cannot find."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import sqrt

from synthpriv_sql.language.messages import _
from synthpriv_sql.language.numbers import count, percent
from synthpriv_sql.report.measured import Measured

_ERRORS = 3.09 + 1.28
"""Standard errors between one half and an AUC that is noticed in nine of ten cases at p < 0.001."""


def headline(measured: Measured, said: str) -> str:
    """Return a headline; that of a sample begins with how much was drawn."""
    drawn = measured.drawn
    if not drawn:
        return said
    return _("A sample, {parts}: {said}", parts=_parts(measured), said=said)


def lost(measured: Measured) -> list[str]:
    """Return which leaks a sample cannot find that the whole tables would show."""
    if not measured.drawn:
        return []
    noticed, whole = measured.noticed, _noticed_in_all(measured)
    if noticed is None or whole is None:
        return [_("Leaks that a sample is too small for were not looked for: the whole tables may show more.")]
    shown = {"whole": percent(whole), "half": percent(0.5)}
    if noticed >= 1:
        return [
            _(
                "In the whole tables an attacker who is right {whole} of the time, where guessing is right {half}, "
                "would have been detected in nine of ten cases; in this sample, if each person comes back in one "
                "synthetic record, none would have been detected reliably.",
                **shown,
            )
        ]
    return [
        _(
            "In the whole tables an attacker who is right {whole} of the time, where guessing is right {half}, would "
            "have been detected in nine of ten cases; in this sample only one who is right {share}, if each person "
            "comes back in one synthetic record.",
            share=percent(noticed),
            **shown,
        )
    ]


def _noticed_in_all(measured: Measured) -> float | None:
    """The AUC that would have been noticed in the whole tables."""
    drawn = measured.drawn
    (_drawn, members), (_held, others) = (drawn.get(side, (0.0, 0.0)) for side in ("train", "holdout"))
    if not members or not others:
        return None
    return 0.5 + _ERRORS * sqrt((members + others + 1) / (12 * members * others))


def _parts(measured: Measured) -> str:
    """How much was drawn of each table."""
    of_table: Mapping[str, Callable[[str, str], str]] = {
        "synthetic": lambda n, of: _("{n} of {of} in synthetic", n=n, of=of),
        "train": lambda n, of: _("{n} of {of} in train", n=n, of=of),
        "holdout": lambda n, of: _("{n} of {of} in the holdout", n=n, of=of),
    }
    return ", ".join(of_table[side](count(n), count(of)) for side, (n, of) in measured.drawn.items() if n < of)


def rows(measured: Measured, side: str) -> str:
    """Return the number of records of a table, as pages show it."""
    found = count(measured.value("tables", "rows", side))
    n, of = measured.drawn.get(side, (0.0, 0.0))
    if n == of:
        return found
    return _("{rows}, drawn: {n} of {of}", rows=found, n=count(n), of=count(of))
