"""Options in messages, in the words of the surface that the caller uses.

Messages are written as SQL has options, ``exclude := ['city']``; Python has ``exclude=['city']`` and the command line
``--exclude city``.
"""

from __future__ import annotations

import csv
import re
from functools import cache
from io import StringIO

from synthpriv_sql.statements import catalog

_LIST = r"\[(?:\.\.\.|(?:'(?:[^']|'')*'|[^\]'])*)\]"
_TEXT = r"'(?:[^']|'')*'"
_TRUTH = r"(?:true|false)\b"


@cache
def _names() -> str:
    """A pattern for the names of all options and tables."""
    names = {name for function in catalog.functions().values() for name in function.parameters}
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True))


def in_python(message: str) -> str:
    """Return a message with the options that it tells to give as arguments of Python."""
    found = re.compile(rf"(?<![\w\"])({_names()}) := ({_LIST}|{_TEXT}|{_TRUTH})")
    return found.sub(lambda m: f"{m[1]}={m[2].title() if re.fullmatch(_TRUTH, m[2]) else m[2]}", message)


def on_command_line(message: str) -> str:
    """Return a message with options as the command line has them."""
    value = rf"{_LIST}|{_TEXT}|[-+.\w]*\w"
    switched = re.compile(rf"(?<![\w\"])({_names()})(?: := |=)(true|false)\b", re.IGNORECASE)
    message = switched.sub(lambda m: _flag(m[1] if m[2].lower() == "true" else f"no_{m[1]}"), message)
    given = re.compile(rf"(?:option )?(?<!\w)(?:\"({_names()})\" := |({_names()})(?: := |=(?=[\['])))({value})")
    message = given.sub(lambda m: f"{_flag(m[1] or m[2])} {_value(m[3])}", message)
    return re.sub(rf'option "({_names()})"', lambda m: _flag(m[1]), message)


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _value(written: str) -> str:
    """A value as it follows an option; one with a space in the quotes of a shell."""
    if written == "[...]":
        return "…"
    texts = [text[1:-1].replace("''", "'") for text in re.findall(_TEXT, written)]
    if not texts:
        return written
    line = StringIO()
    csv.writer(line, lineterminator="").writerow(texts)
    shown = line.getvalue() if written.startswith("[") else texts[0]
    return shown if re.fullmatch(r"[\w.,:/+-]+", shown) else "'" + shown.replace("'", "'\\''") + "'"
