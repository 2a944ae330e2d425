"""Options in messages, in the syntax of the surface that the caller uses.

SQL has ``exclude := ['city']``, Python ``exclude=['city']`` and the command line ``--exclude city``. Messages use the
syntax of Python unless `spoken` selects another for the duration of a call. Messages from inside a statement, by the
kernel or by SQL, do not know the surface and name options without syntax.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from io import StringIO
from numbers import Number
from types import EllipsisType, NoneType
from typing import Any, Literal

Surface = Literal["sql", "python", "shell"]
_LONGEST = 300
"""So many characters of a value are shown."""
_REPEATED = {"releases": "release"}
"""Options that take a list elsewhere, and are given once for each item on the command line."""
_surface: ContextVar[Surface] = ContextVar("surface", default="python")


@contextmanager
def spoken(surface: Surface) -> Iterator[None]:
    """Build messages in the syntax of a surface inside the context."""
    token = _surface.set(surface)
    try:
        yield
    finally:
        _surface.reset(token)


def current() -> Surface:
    """The surface whose syntax messages currently use."""
    return _surface.get()


def option(name: str) -> str:
    """An option by name."""
    return _flag(name) if _surface.get() == "shell" else f'option "{name}"'


def refused(name: str, value: Any) -> str:
    """An option with the invalid value that was given; of other objects, such as data frames, only the kind."""
    kind = next(_objects(value), None)
    if kind is not None:
        among = "" if kind is type(value) else f"{type(value).__name__} with a "
        return f'option "{name}", given as a {among}{kind.__module__.partition(".")[0]} {kind.__name__},'
    text = _argument(name, value) if _surface.get() == "shell" else f'option "{name}" := {value!r}'
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _objects(value: Any) -> Iterator[type]:
    """The types of what is no text, number, list or mapping, wherever it stands in a value."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        for one in value:
            yield from _objects(one)
    elif not isinstance(value, (str, Number, NoneType)):
        yield type(value)


def given(name: str, value: Any) -> str:
    """An option as the caller may write it: a bool, a number, a text, a list of texts, or a mapping.

    A list of `...` stands for names that the caller has to fill in.
    """
    match _surface.get():
        case "sql":
            return f"{name} := {_sql(value)}"
        case "python":
            return f"{name}=[...]" if value == [...] else f"{name}={value!r}"
        case "shell":
            return _argument(name, value)


def _sql(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return "'" + value.replace("'", "''") + "'"
        case EllipsisType():
            return "..."
        case Mapping():
            return "{" + ", ".join(f"{_sql(name)}: {_sql(one)}" for name, one in value.items()) + "}"
        case Sequence():
            return "[" + ", ".join(map(_sql, value)) + "]"
        case _:
            return str(value)


def _argument(name: str, value: Any) -> str:
    match value:
        case bool():
            return _flag(name if value else f"no_{name}")
        case Mapping() if name == "csv":
            tables = {table: one for table, one in value.items() if isinstance(one, Mapping)}
            of_all = {key: one for key, one in value.items() if key not in tables}
            texts = [f"{table}:{_csv(one)}" for table, one in tables.items()] + [_csv(of_all)] * bool(of_all)
            return " ".join(f"{_flag(name)} {_quoted(text)}" for text in texts)
        case str():
            return f"{_flag(name)} {_quoted(value)}"
        case Sequence():
            return f"{_flag(name)} {'…' if value == [...] else _quoted(_line(value))}"
        case _:
            return f"{_flag(name)} {value}"


def _flag(name: str) -> str:
    return "--" + _REPEATED.get(name, name).replace("_", "-")


def _csv(options: Mapping[str, Any]) -> str:
    """Options of CSV files as one argument of the command line."""
    texts = {True: "yes", False: "no", "\t": "tab"}
    pairs = [(n, one) for n, value in options.items() for one in (value if isinstance(value, list) else [value])]
    return ",".join(f"{name}={texts.get(value, value)}" for name, value in pairs)


def _line(values: Sequence[Any]) -> str:
    """Values separated by commas, quoted where they contain one."""
    line = StringIO()
    csv.writer(line, lineterminator="").writerow(values)
    return line.getvalue()


def _quoted(text: str) -> str:
    """A text, quoted for a shell if necessary."""
    return text if re.fullmatch(r"[\w.,:/+=%-]+", text) else "'" + text.replace("'", "'\\''") + "'"
