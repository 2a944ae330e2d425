"""Checks of CSV contents that DuckDB misread: numbers and dates as text, values as column names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from synthpriv_sql.planner.headers import wording

_PLAIN = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?")
_COMMA = re.compile(r"[-+]?(\d{1,3}(\.\d{3})+|\d+),\d+|[-+]?\d{1,3}(\.\d{3}){2,}")
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(,\d{3})+(\.\d+)?")
_DATE = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})")
_MISSING = frozenset({"na", "n/a", "#n/a", "null", "none", ".", "-", "--", "?", "missing"})
_DELIMITERS = ";,\t|"
SAMPLE = 20_480
"""The number of rows that are checked; DuckDB infers types from as many."""


@dataclass(slots=True)
class _Texts:
    """The formats found among the texts of a column."""

    plain: int = 0
    points: int = 0
    commas: int = 0
    grouped: int = 0
    either: int = 0
    groups_by_point: bool = False
    dates: int = 0
    most: list[int] = field(default_factory=lambda: [0, 0])
    separator: str = ""
    long_years: bool = True
    missing: Counter[str] = field(default_factory=Counter)

    @property
    def numbers(self) -> int:
        return self.plain + self.commas + self.grouped + self.either

    @classmethod
    def of(cls, values: Iterable[str | None]) -> _Texts | None:
        """Classify texts; None if one is ordinary text."""
        found = cls()
        for value in values:
            if value is not None and not found._add(value.strip()):
                return None
        return found

    def _add(self, text: str) -> bool:
        comma, grouped = _COMMA.fullmatch(text), _THOUSANDS.fullmatch(text)
        if text.lower() in _MISSING:
            self.missing[text] += 1
        elif _PLAIN.fullmatch(text):
            self.plain += 1
            self.points += "." in text
        elif comma or grouped:
            self.either += bool(comma and grouped)
            self.commas += bool(comma and not grouped)
            self.grouped += bool(grouped and not comma)
            self.groups_by_point |= bool(comma) and "." in text
        elif date := _DATE.fullmatch(text):
            self.dates += 1
            self.most = [max(self.most[0], int(date[1])), max(self.most[1], int(date[3]))]
            self.separator, self.long_years = date[2], len(date[4]) == 4
        else:
            return False
        return True

    def numbers_as(self) -> Mapping[str, Any] | None:
        """The options that read them as numbers; None if there are none, or they are numbers already."""
        if self.dates or (self.commas and (self.grouped or self.points)):
            return None
        if self.commas:
            return {"decimal": ","} | ({"thousands": "."} if self.groups_by_point else {})
        return {"thousands": ","} if self.grouped else {"decimal": ","} if self.either else None

    def dates_as(self) -> str | None:
        """The format that reads them as dates; None if they are not dates."""
        if not self.dates or self.numbers:
            return None
        first, second = ("%m", "%d") if self.most[1] > 12 >= self.most[0] else ("%d", "%m")
        return self.separator.join((first, second, "%Y" if self.long_years else "%y"))


def wrong(label: str, texts: Mapping[str, Sequence[str | None]], reading: Mapping[str, Any]) -> Iterator[str]:
    """Describe text columns that look like numbers or dates, and the options that read them as such.

    Parameters
    ----------
    label
        The name of the file in messages.
    texts
        The first values of the columns that were read as text.
    reading
        The reading options that the user gave; they are not questioned.
    """
    for name, values in texts.items():
        found = _Texts.of(values)
        if found is None:
            continue
        column = f'column "{name}" of {label}'
        numbers, dates = found.numbers_as(), found.dates_as()
        if numbers and not reading.keys() & {"decimal", "thousands"}:
            thousands = f" (or {wording.given('csv', {'thousands': ','})}, if 1,234 is more than a thousand)"
            other = thousands if found.either and not found.grouped and not found.commas else ""
            what = "a decimal comma" if "decimal" in numbers else "commas between thousands"
            yield (
                f"{column} holds numbers with {what}, but was read as text; {wording.given('csv', numbers)} reads "
                f"them as numbers{other}, {wording.given('csv', {'decimal': '.'})} keeps them as text"
            )
        elif dates and "dates" not in reading:
            yield (
                f"{column} holds values that look like dates, but was read as text; "
                f"{wording.given('csv', {'dates': dates})} reads them as dates (in all columns of the file), "
                f"{wording.given('csv', {'dates': '%Y-%m-%d'})} keeps them as text"
            )


def doubtful(label: str, texts: Mapping[str, Sequence[str | None]], reading: Mapping[str, Any]) -> Iterator[str]:
    """Describe numeric columns that were read as text because some texts in them mark missing values.

    Parameters
    ----------
    label, texts, reading
        As in `wrong`.
    """
    for name, values in texts.items():
        found = _Texts.of(values) if "missing" not in reading else None
        if found is not None and found.missing and found.plain and found.plain == found.numbers and not found.dates:
            marks = ", ".join(f'"{mark}"' for mark in found.missing)
            missing = list(found.missing)
            shown = {"missing": missing[0] if len(missing) == 1 else missing}
            yield (
                f'column "{name}" of {label} is compared as text: of its first {len(values):,} values '
                f"{sum(found.missing.values()):,} are {marks}, the others are numbers; {wording.given('csv', shown)} "
                "reads these as missing"
            )


def delimiter(name: str) -> str:
    """The delimiter of a file that was read as one column of this name; empty if it really has one column."""
    inside = [character for character in _DELIMITERS if character in name]
    return max(inside, key=name.count, default="")


def one_column(label: str, character: str) -> str:
    """Describe that a file of several columns was read as one."""
    shown = "tab" if character == "\t" else character
    return (
        f"{label} was read as a file of one column, although its first line has several values between "
        f"{shown!r}; {wording.given('csv', {'delimiter': shown})} parts it there"
    )
