"""Text for display: characters that a terminal obeys, that turn the order of a line, or that XML forbids, as escapes.

Names and values come from files of others. What shows them passes them through `visible`: terminals and logs, errors
and warnings, pages, charts, Word documents and XML. Files of data keep every character.
"""

from __future__ import annotations

import re
from typing import Any, Literal
from xml.etree import ElementTree

_HIDDEN = re.compile(
    # control characters but tab and newline; marks and overrides of direction; other line ends; byte order marks
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff"
    # halves of surrogate pairs, and what is no character
    "\ud800-\udfff\ufffe\uffff]"
)


def visible(text: str) -> str:
    r"""Return a text with such characters as escapes: ``\x1b`` for ESC, ``\u202e`` for an override of direction."""
    return _HIDDEN.sub(_escape, text)


def hidden(text: str) -> bool:
    """Whether a text has characters that `visible` escapes."""
    return _HIDDEN.search(text) is not None


def in_markdown(text: str) -> str:
    """Return a text as a cell of a table in Markdown that shows it as it is: no HTML, links or ends of cells."""
    escaped = re.sub(r"([\\`\[|]|&(?=#?\w+;))", r"\\\1", visible(text).replace("\n", " "))
    return escaped.replace("<", "&lt;").replace(">", "&gt;")


def in_json(text: str) -> str:
    """Return JSON with such characters as escapes of JSON, which mean the same."""
    return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def inside(value: Any) -> Any:
    """Return lists and dicts with every text in them, names as well, as `visible` shows it."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {inside(name): inside(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [inside(one) for one in value]
    return value


def markup(tree: ElementTree.Element, method: Literal["xml", "html"] = "xml") -> str:
    """Return a tree as XML or HTML, every text and attribute in it as `visible` shows it."""
    for element in tree.iter():
        for name, value in element.items():
            element.set(name, visible(value))
        element.text = element.text and visible(element.text)
        element.tail = element.tail and visible(element.tail)
    return ElementTree.tostring(tree, encoding="unicode", method=method, xml_declaration=method == "xml" or None)


def _escape(found: re.Match[str]) -> str:
    if found[0] == "\r":
        return "\\r"
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
