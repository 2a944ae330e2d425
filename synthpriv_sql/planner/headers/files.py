"""Files that are given as tables, and the options of a call for its CSV files."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Mapping
from pathlib import PurePath
from types import MappingProxyType
from typing import Any

from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.planner.headers.catalog import Function

OPTION = "csv"
"""The option with the format of a call's CSV files."""
_SUFFIXES = {".csv", ".tsv", ".txt"}
_COMPRESSED = {".gz", ".zst", ".bz2", ".xz"}
SEPARATORS = {"\u00a0": " ", "\u2009": " ", "\u202f": " ", "’": "'"}
"""Characters between thousands, and the ASCII character that stands for them as an option."""
_TRUE, _FALSE = {"yes", "true", "1"}, {"no", "false", "0"}


class CsvFile(str):
    """The path of a CSV file, or a pattern for several, with the options to read it."""

    __slots__ = ("formats", "reading")
    reading: Mapping[str, Any]
    formats: Mapping[str, str]
    """The formats of columns of dates that other tables of the call decide, by lower-case name."""

    def __new__(
        cls, path: str, reading: Mapping[str, Any], formats: Mapping[str, str] = MappingProxyType({})
    ) -> CsvFile:
        """Combine both."""
        made = super().__new__(cls, path)
        made.reading, made.formats = reading, formats
        return made


def is_csv(value: Any) -> bool:
    """Whether the argument for a table looks like the path of a CSV file."""
    if not isinstance(value, str) or value.lstrip().startswith("("):
        return False
    suffixes = [suffix.lower() for suffix in PurePath(value).suffixes]
    while suffixes and suffixes[-1] in _COMPRESSED:
        suffixes.pop()
    return bool(suffixes) and suffixes[-1] in _SUFFIXES


def reading_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the option that the CSV files of a call carry: shared, or by table where it differs; empty if none."""
    carried = {
        name: dict(value.reading) for name, value in given.items() if isinstance(value, CsvFile) and value.reading
    }
    if not carried:
        return {}
    files = [name for name, value in given.items() if is_csv(value)]
    first = next(iter(carried.values()))
    shared = all(carried.get(name) == first for name in files)
    return {OPTION: first if shared else carried}


def with_reading(function: Function, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call with the options of CSV files attached to each file instead of a call option.

    Parameters
    ----------
    function, given
        The call.

    Raises
    ------
    OptionError
        An option of CSV files is invalid or names a table that the call does not have, or there is no CSV file.
    """
    if OPTION not in function.parameters:
        return dict(given)
    if not given.get(OPTION):
        return {name: value for name, value in given.items() if name != OPTION}
    shared, by_table = checked(given[OPTION])
    known = _tables(function)
    unknown = next((name for name in by_table if name not in known), None)
    if unknown is not None:
        raise OptionError(
            f'{function.name}: {wording.option("csv")} has options for "{unknown}", which is not a table of it; '
            f"there are: {', '.join(known)}"
        )
    found: list[str] = []

    def read(value: Any, name: str) -> Any:
        if not is_csv(value):
            return value
        found.append(value)
        return CsvFile(value, _separated({**shared, **by_table.get(name, {})}))

    made = each_table(function, {name: value for name, value in given.items() if name != OPTION}, read)
    if not found:
        raise OptionError(
            f"{function.name}: {wording.option('csv')} is given, but no table is a CSV file by its name (.csv, "
            ".tsv or .txt, also compressed)"
        )
    return made


def each_table(function: Function, given: Mapping[str, Any], change: Callable[[Any, str], Any]) -> dict[str, Any]:
    """Return the arguments of a call with another value in the place of each table.

    Parameters
    ----------
    function, given
        The call.
    change
        Returns the new value of a table, given the old one and the name of the parameter.
    """
    known = _tables(function)

    def changed(value: Any, name: str) -> Any:
        if isinstance(value, Mapping):
            return {key: changed(one, name) for key, one in value.items()}
        if isinstance(value, (list, tuple)):
            return [changed(one, name) for one in value]
        return change(value, name)

    made = {name: changed(value, name) if name in known else value for name, value in given.items()}
    if "children" in function.parameters and isinstance(made.get("children"), Mapping):
        sides = ("synthetic", "train", "holdout")
        made["children"] = {
            name: [*map(changed, parts, sides), *parts[3:]] if isinstance(parts, (list, tuple)) else parts
            for name, parts in made["children"].items()
        }
    return made


def _tables(function: Function) -> list[str]:
    """The parameters of a function that are tables."""
    return [p.name for p in function.parameters.values() if p.type in {"relation", "relations", "tables"} or p.counts]


def checked(value: Any) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return the options of all CSV files of a call, and those of single tables.

    Parameters
    ----------
    value
        A mapping of options by name, and options of a table by its name; or several such mappings.

    Raises
    ------
    OptionError
        An option is unknown or has an invalid value.
    """
    shared: dict[str, Any] = {}
    by_table: dict[str, dict[str, Any]] = {}
    for mapping in [value] if isinstance(value, Mapping) or _is_pairs(value) else value:
        for name, one in dict(mapping).items():
            if isinstance(one, Mapping) or _is_pairs(one):
                by_table.setdefault(name, {}).update({n: _value(n, v) for n, v in dict(one).items()})
            else:
                shared[name] = _value(name, one)
    return shared, by_table


def from_text(text: str) -> dict[str, Any]:
    """Parse ``encoding=cp1252,decimal=,,delimiter=;``, which may begin with the name of a table: ``train:decimal=,``.

    A comma separates options if a name and ``=`` follow it.

    Raises
    ------
    ValueError
        The text has another form.
    """
    table, colon, rest = text.partition(":")
    if not (colon and re.fullmatch(r"\w+", table)):
        table, rest = "", text
    options: dict[str, Any] = {}
    for part in re.split(r",(?=\w+=)", rest):
        name, equals, value = part.partition("=")
        if not equals or not re.fullmatch(r"\w+", name):
            raise ValueError(text)
        if name == "missing":
            options.setdefault(name, []).append(value)
        else:
            options[name] = value
    return {table: options} if table else options


def _separated(reading: dict[str, Any]) -> dict[str, Any]:
    """Add the decimal separator that a separator of thousands implies, and check that the two differ."""
    thousands = reading.get("thousands")
    if thousands == "." and "decimal" not in reading:
        return {**reading, "decimal": ","}
    if thousands is not None and thousands == reading.get("decimal", "."):
        raise OptionError(f'{wording.option("csv")}: "decimal" and "thousands" are the same character, {thousands!r}')
    return reading


def _is_pairs(value: Any) -> bool:
    """Whether it is a MAP of DuckDB, which arrives as pairs."""
    return isinstance(value, list) and bool(value) and all(isinstance(v, tuple) and len(v) == 2 for v in value)


def _value(name: str, value: Any) -> Any:
    if name not in _CHECKS:
        raise OptionError(f'{wording.option("csv")}: there is no "{name}"; it takes {", ".join(_CHECKS)}')
    kind, check = _CHECKS[name]
    try:
        return check(value)
    except (ValueError, LookupError, TypeError):
        raise OptionError(f'{wording.option("csv")}: "{name}" is {value!r}, which is not {kind}') from None


def _encoding(value: Any) -> str:
    info = codecs.lookup(value)
    if not info._is_text_encoding:  # rot13 and the like
        raise ValueError
    return "utf-8" if info.name == "utf-8-sig" else info.name


def _character(value: Any) -> str:
    value = {"tab": "\t", "\\t": "\t"}.get(value, value)
    if not isinstance(value, str) or len(value) != 1:
        raise ValueError
    return value


def _thousands(value: Any) -> str:
    character = _character({**SEPARATORS, "space": " "}.get(value, value))
    if not character.isascii():
        raise ValueError
    return character


def _decimal(value: Any) -> str:
    if value not in {".", ","}:
        raise ValueError
    return str(value)


def _truth(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if str(value).lower() not in _TRUE | _FALSE:
        raise ValueError
    return str(value).lower() in _TRUE


def _lines(value: Any) -> int:
    if isinstance(value, bool) or int(value) < 0:
        raise ValueError
    return int(value)


def _dates(value: Any) -> str:
    parts = set(re.findall("%.", value))
    if "%d" not in parts or not parts & {"%m", "%b", "%B"}:
        raise ValueError
    return str(value)


def _texts(value: Any) -> list[str]:
    texts = [value] if isinstance(value, str) else list(value)
    if not all(isinstance(text, str) for text in texts):
        raise ValueError
    return texts


def _sample(value: Any) -> int:
    if value == "all":
        return -1
    if isinstance(value, bool) or int(value) < 1:
        raise ValueError
    return int(value)


_CHECKS = {
    "encoding": ("an encoding that Python knows, such as cp1252, latin-1 or utf-16", _encoding),
    "delimiter": ("one character, or tab", _character),
    "quote": ("one character", _character),
    "decimal": ("a point or a comma", _decimal),
    "thousands": ("one ASCII character, or space", _thousands),
    "dates": ("a format with a day and a month, such as %d.%m.%Y", _dates),
    "missing": ("a text, or a list of texts, that stands for a missing value", _texts),
    "header": ("yes or no (whether the first line has the names of the columns)", _truth),
    "skip": ("a number of lines to skip at the start", _lines),
    "sample": ("a number of lines to detect types from, or all", _sample),
}
"""The description of an option's valid values, and the function that checks them."""
