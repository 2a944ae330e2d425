"""Checks of CSV contents that DuckDB misread: numbers and dates as text, values as column names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from synthpriv_sql.engines.duckdb.files import dates
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.planner.headers.files import SEPARATORS

_PLAIN = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?")
_COMMA = re.compile(r"[-+]?(\d{1,3}(\.\d{3})+|\d+),\d+|[-+]?\d{1,3}(\.\d{3}){2,}")
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(,\d{3})+(\.\d+)?")
_SPACED = re.compile("[-+]?[1-9]\\d{0,2}(['’ \u00a0\u2009\u202f])\\d{3}(?:\\1\\d{3})*(?:([.,])\\d+)?")
_SYMBOL = r"(?:[$€£¥%]|EUR|USD|GBP|CHF)"
_AMOUNT = re.compile(
    rf"(?=.*{_SYMBOL}|.*[-)]$)[-+(]?\s?{_SYMBOL}?\s?[-+]?(?:\d{{1,3}}(?:[.,'’\s]\d{{3}})+|\d+)(?:[.,]\d+)?\s?{_SYMBOL}?[-)]?"
)
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
    spaced: int = 0
    spaces: set[str] = field(default_factory=set)
    decimals: set[str] = field(default_factory=set)
    """The decimal separator of spaced numbers."""
    amounts: int = 0
    dates: int = 0
    most: list[int] = field(default_factory=lambda: [0, 0])
    separator: str = ""
    long_years: bool = True
    missing: Counter[str] = field(default_factory=Counter)

    @property
    def numbers(self) -> int:
        return self.plain + self.commas + self.grouped + self.either + self.spaced + self.amounts

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
        elif spaced := _SPACED.fullmatch(text):
            self.spaced += 1
            self.spaces.add(spaced[1])
            self.decimals |= {spaced[2]} - {None}
        elif date := _DATE.fullmatch(text):
            self.dates += 1
            self.most = [max(self.most[0], int(date[1])), max(self.most[1], int(date[3]))]
            self.separator, self.long_years = date[2], len(date[4]) == 4
        elif _AMOUNT.fullmatch(text):
            self.amounts += 1
        else:
            return False
        return True

    @property
    def by_comma(self) -> bool:
        return self.commas > 0 or "," in self.decimals

    @property
    def by_point(self) -> bool:
        return self.points > 0 or self.grouped > 0 or "." in self.decimals

    @property
    def groups(self) -> set[str]:
        """The separators of thousands among spaces and apostrophes, as an option names them."""
        return {SEPARATORS.get(space, space) for space in self.spaces}

    @property
    def oddly(self) -> str:
        """Why no options read the numbers; empty if some do, or there are none."""
        if self.amounts:
            return "with currency or percent signs, brackets, or a minus at the end"
        if self.by_comma and self.by_point:
            return "of which some have a decimal comma, others a decimal point"
        if len(self.groups) > 1:
            return "of which some have spaces between thousands, others apostrophes"
        return ""

    def numbers_as(self) -> Mapping[str, Any] | None:
        """The options that read them as numbers; None if there are none, or they are numbers already."""
        if self.dates or self.oddly:
            return None
        if self.spaced:
            (space,) = self.groups
            if self.spaces == {" "} and not self.by_comma and not self.by_point:
                return None  # as telephone numbers
            return ({"decimal": ","} if self.by_comma else {}) | {"thousands": space}
        if self.commas:
            return {"decimal": ","} | ({"thousands": "."} if self.groups_by_point else {})
        return {"thousands": ","} if self.grouped else {"decimal": ","} if self.either else None

    def dates_as(self) -> str | None:
        """The format that reads them as dates; None if they are not dates."""
        if not self.dates or self.numbers:
            return None
        first, second = ("%m", "%d") if self.most[1] > 12 >= self.most[0] else ("%d", "%m")
        return self.separator.join((first, second, "%Y" if self.long_years else "%y"))


NEARLY = 0.9
"""Of the values of a column, the share that is numbers if the others are odd."""


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
        column = f'column "{name}" of {label}'
        numbers = None if found is None else found.numbers_as()
        form = dates.english(present(values)) if found is None else found.dates_as()
        if numbers and not reading.keys() & {"decimal", "thousands"}:
            thousands = f" (or {wording.given('csv', {'thousands': ','})}, if 1,234 is more than a thousand)"
            other = thousands if found and found.either and not found.by_comma and not found.by_point else ""
            yield (
                f"{column} holds numbers with {written(numbers)}, but was read as text; "
                f"{wording.given('csv', numbers)} reads "
                f"them as numbers{other}, {wording.given('csv', {'decimal': '.'})} keeps them as text"
            )
        elif form and "dates" not in reading:
            yield (
                f"{column} holds values that look like dates, but was read as text; "
                f"{wording.given('csv', {'dates': form})} reads them as dates (in all columns of the file), "
                f"{wording.given('csv', {'dates': '%Y-%m-%d'})} keeps them as text"
            )


def unclear(label: str, forms: Mapping[str, dates.Form]) -> Iterator[str]:
    """Describe columns of dates that several formats read, as different dates, and the options that decide.

    Parameters
    ----------
    label
        The name of the file in messages.
    forms
        The formats of each column.
    """
    for name, form in forms.items():
        first, *others = (wording.given("csv", {"dates": format_}) for format_ in form.formats)
        yield (
            f'the dates in column "{name}" of {label} may be read in {len(form.formats)} ways, and no other column or '
            f"table of the call decides between them: say which, {first} or {' or '.join(others)}"
        )


def doubtful(label: str, texts: Mapping[str, Sequence[str | None]], reading: Mapping[str, Any]) -> Iterator[str]:
    """Describe columns of numbers that are compared as text, for a reason that is no error.

    Texts in them mark missing values, they are written otherwise than the user says, or as no options describe.

    Parameters
    ----------
    label, texts, reading
        As in `wrong`.
    """
    if "dates" not in reading:
        for name, values in texts.items():
            if dates.look_like_dates(present(values)):
                yield (
                    f'column "{name}" of {label} is compared as text, although its values look like dates with names '
                    f"of months; write them as 2024-12-31 before, or {wording.given('exclude', [name])}"
                )
    given = {name: reading[name] for name in ("decimal", "thousands") if name in reading}
    if given == {"decimal": "."}:  # keeps them as text
        return
    for name, values in texts.items():
        found = _Texts.of(values)
        if found is None or found.dates or not found.numbers:
            continue
        column = f'column "{name}" of {label} is compared as text'
        needed = found.numbers_as() or {}
        if found.oddly:
            yield f"{column}, although its values are numbers {found.oddly}; replace and CAST in a query convert them"
        elif given and (needed or found.points) and {"decimal": ".", **needed} != {"decimal": ".", **given}:
            own = {"train": {"decimal": ".", **needed}}
            yield (
                f"{column}: it holds numbers with {written(needed)}, unlike {wording.given('csv', given)}; "
                f"a table can have options of its own: {wording.given('csv', own)}, for one"
            )
        elif found.missing and "missing" not in reading:
            marks = ", ".join(f'"{mark}"' for mark in found.missing)
            missing = list(found.missing)
            shown = {"missing": missing[0] if len(missing) == 1 else missing}
            yield (
                f"{column}: of its first {len(values):,} values "
                f"{sum(found.missing.values()):,} are {marks}, the others are numbers; {wording.given('csv', shown)} "
                "reads these as missing"
            )


def mostly(values: Iterable[str | None], number: str, marks: str) -> bool:
    """Whether texts are numbers, nearly all of them, and some with a mark; not if a text stands for a missing value.

    Parameters
    ----------
    values
        The first values of a column.
    number
        The regular expression of a number.
    marks
        The characters of which some number has one.
    """
    texts = [text.strip() for text in values if text is not None]
    if len(present(texts)) < len(texts):
        return False
    counted = [text for text in texts if re.fullmatch(number, text)]
    return len(counted) > NEARLY * len(texts) and any(mark in text for text in counted for mark in marks)


def present(values: Iterable[str | None]) -> list[str]:
    """Return the texts that do not stand for a missing value."""
    return [value for value in values if value is not None and value.strip().lower() not in _MISSING]


def stored_as_text(values: Iterable[str | None]) -> str:
    """The format of the texts of a column that do not look like texts; empty for plain digits, as of a ZIP code."""
    values = list(values)
    found = _Texts.of(values)
    if found is None:
        texts = present(values)
        return "dates" if dates.look_like_dates(texts) or dates.english(texts) else ""
    numbers = found.numbers_as()
    if numbers or (found.oddly and not found.dates):
        return f"numbers with {written(numbers)}" if numbers else f"numbers {found.oddly}"
    return "dates" if found.dates_as() else ""


def written(reading: Mapping[str, Any]) -> str:
    """How numbers are written that these options read."""
    if reading.get("decimal") == ",":
        between = {".": " and points between thousands", " ": " and spaces between thousands"}
        return "a decimal comma" + between.get(reading.get("thousands", ""), "")
    between = {",": "commas", "'": "apostrophes", " ": "spaces"}
    return f"{between[reading['thousands']]} between thousands" if "thousands" in reading else "a decimal point"


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
