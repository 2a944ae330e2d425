"""Options in messages, in the words of the surface that the caller uses.

Messages are written as SQL has options, ``exclude := ['city']``; Python has ``exclude=['city']`` and the command line
``--exclude city``.
"""

from __future__ import annotations

import ast
import csv
import re
from collections.abc import Mapping
from functools import cache
from io import StringIO
from typing import Any

from synthpriv_sql.statements import catalog

_LIST = r"\[(?:\.\.\.|(?:'(?:[^']|'')*'|[^\]'])*)\]"
_TEXT = r"'(?:[^']|'')*'"
_FLAT = r"\{(?:'(?:[^']|'')*'|[^'{}])*\}"
_STRUCT = rf"\{{(?:'(?:[^']|'')*'|{_FLAT}|[^'{{}}])*\}}"
_TRUTH = r"(?:true|false)\b"


@cache
def _names() -> str:
    """A pattern for the names of all options and tables."""
    names = {name for function in catalog.functions().values() for name in function.parameters}
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True))


def in_python(message: str) -> str:
    """Return a message with the options that it tells to give as arguments of Python."""
    found = re.compile(rf"(?<![\w\"])({_names()}) := ({_LIST}|{_STRUCT}|{_TEXT}|{_TRUTH})")
    return found.sub(lambda m: f"{m[1]}={m[2].title() if re.fullmatch(_TRUTH, m[2]) else m[2]}", message)


def on_command_line(message: str) -> str:
    """Return a message with options as the command line has them."""
    value = rf"{_LIST}|{_TEXT}|[-+.\w]*\w"
    message = re.sub(rf"csv(?: := |=)({_STRUCT})", lambda m: _csv(m[1]), message)
    switched = re.compile(rf"(?<![\w\"])({_names()})(?: := |=)(true|false)\b", re.IGNORECASE)
    message = switched.sub(lambda m: _flag(m[1] if m[2].lower() == "true" else f"no_{m[1]}"), message)
    given = re.compile(rf"(?:option )?(?<!\w)(?:\"({_names()})\" := |({_names()})(?: := |=(?=[\['])))({value})")
    message = given.sub(lambda m: f"{_flag(m[1] or m[2])} {_value(m[3])}", message)
    return re.sub(rf'option "({_names()})"', lambda m: _flag(m[1]), message)


def _csv(written: str) -> str:
    """The options of CSV files as the command line has them."""
    try:
        options = ast.literal_eval(re.sub(rf"{_TEXT}|{_TRUTH}", lambda m: _as_python(m[0]), written))
    except (SyntaxError, ValueError):
        return f"csv := {written}"  # words of a query
    tables = {name: value for name, value in options.items() if isinstance(value, dict)}
    of_all = {name: value for name, value in options.items() if name not in tables}
    told = [f"{name}:{_csv_text(value)}" for name, value in tables.items()] + [_csv_text(of_all)] * bool(of_all)
    return " ".join(f"--csv {_shell(text)}" for text in told)


def _as_python(word: str) -> str:
    """A text, or true or false, of SQL as Python has it."""
    return repr(word[1:-1].replace("''", "'")) if word.startswith("'") else word.title()


def _csv_text(options: Mapping[str, Any]) -> str:
    texts = {True: "yes", False: "no", "\t": "tab"}
    pairs = [(n, one) for n, value in options.items() for one in (value if isinstance(value, list) else [value])]
    return ",".join(f"{name}={texts.get(value, value)}" for name, value in pairs)


def _shell(text: str) -> str:
    """A text in the quotes of a shell, where it needs them."""
    return text if re.fullmatch(r"[\w.,:/+=%-]+", text) else "'" + text.replace("'", "'\\''") + "'"


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
    return shown if re.fullmatch(r"[\w.,:/+-]+", shown) else _shell(shown)
