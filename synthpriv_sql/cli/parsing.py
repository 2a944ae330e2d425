"""Parsers of the values of options."""

from __future__ import annotations

import csv

ALL_ROWS = -1
"""As a limit: no limit."""


def limit(text: str) -> int:
    """A number of rows, or ``none``."""
    if text == "none":
        return ALL_ROWS
    rows = int(text)
    if rows < 0:
        raise ValueError(text)
    return rows


def names(text: str) -> list[str]:
    """Split ``a,b`` as a line of CSV, so that ``"a,b"`` in quotes is one name."""
    return next(csv.reader([text], skipinitialspace=True), []) if '"' in text else text.split(",")


def weights(text: str) -> dict[str, float]:
    """Split ``column=weight,…``."""
    found = {}
    for item in names(text):
        name, equals, weight = item.rpartition("=")
        if not equals:
            raise ValueError(item)
        found[name] = float(weight)
    return found


def named_table(text: str) -> tuple[str, str]:
    """Split NAME=TABLE; a table without a name is named after itself."""
    name, equals, table = text.partition("=")
    return (name, table) if equals else (text, text)


def _apart(text: str) -> list[str]:
    """Split at the commas that are not within parentheses or quotes; quotes around a whole part are taken off."""
    parts, depth, quote = [""], 0, ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in "()":
            depth += 1 if letter == "(" else -1
        if letter == "," and not quote and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    parts = [part.strip() for part in parts]
    return [p[1:-1].replace('""', '"') if len(p) > 1 and p[0] == p[-1] == '"' else p for p in parts]


def release(text: str) -> tuple[str, str | dict[str, str]]:
    """Split NAME=TABLE; of a family, NAME=TABLE,PART=TABLE and so on, with its tables of children."""
    main, *rest = _apart(text)
    parts = [part.partition("=") for part in rest]
    if not parts or not all(name and equals and table for name, equals, table in parts):
        return named_table(text)
    name, table = named_table(main)
    return name, {"synthetic": table, **{part: of_part for part, _, of_part in parts}}


def family(text: str) -> tuple[str, list[str | None]]:
    """A table of children: ``name=synthetic,train,holdout,key``; the holdout may be empty."""
    name, equals, rest = text.partition("=")
    parts = _apart(rest)
    if not equals or len(parts) != 4:
        raise ValueError(text)
    return name, [part or None for part in parts]


def ladder(text: str) -> tuple[str, str]:
    """A step of a column: ``column=expression``, or ``column=table:TABLE`` with a table of generalizations."""
    name, equals, step = text.partition("=")
    if not (name and equals and step):
        raise ValueError(text)
    return name, step
