"""The decision page as HTML, which prints as one A4 page."""

from __future__ import annotations

from markupsafe import Markup

from synthpriv_sql.report.decision.contents import Decision, choices, headings, letters, pieces
from synthpriv_sql.report.writing import environment, inline
from synthpriv_sql.visible import visible


def html(page: Decision) -> bytes:
    """Return the page as HTML."""
    made = environment()
    made.filters |= {"noted": _noted, "letters": letters}
    template = made.get_template("decision.html.j2")
    return visible(template.render(page=page, words=headings(), choices=choices(), file=inline)).encode()


def _noted(text: str) -> Markup:
    """Return a text with the letters of its numbers as superscripts."""
    return Markup().join(
        Markup("{}{}").format(piece, Markup("<sup>{}</sup>").format(mark) if mark else "")
        for piece, mark in pieces(text)
    )
