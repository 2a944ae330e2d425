"""``synthpriv_phones``: which values of a column are telephone numbers, by the library phonenumbers if there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

from synthpriv_sql.kernels.threads import Cancelled
from synthpriv_sql.udf.neighbors import Monitor, combined, watched

_Item = TypeVar("_Item")
FOUND_SQL = "BOOLEAN[]"
LEAST = 50
"""As many values of a column must tell its region; of fewer, other numbers may all be valid somewhere."""
MOST = 200
"""So many are asked for it."""
VALID = 0.9
"""The share of them that must be valid in a region: of nine random digits, 0.82 are in France (measured)."""
GROUPED = 0.5
"""The share of them that must be written in the groups of digits of that region."""
_INTERNATIONAL = re.compile(r"\s*(?:\+|00)")
_WRITTEN = re.compile(r"\d[^\d.,]\D*\d|\d\D{2,}\d|\d\.\d+\.\d")
"""Digits with something between them that no number has: bare digits alone, such as seconds, tell no region."""
_TURN = 500
"""Values between two checks for cancellation."""


def phones(values: Any, *, monitor: Monitor) -> Any:
    """``synthpriv_phones(values)``.

    A number with an international prefix is one if its country has numbers of that length; another if it is valid in
    the region of its column. That is the country of most of the column's numbers with a prefix, if there are enough and
    nearly all agree; else the region in which most of its values are valid that are written with separators: of `MOST`
    of them, in even steps of their order, `VALID` must be, and `GROUPED` be in the region's own groups of digits.
    Otherwise account numbers would be telephone numbers of some country; those that all begin with the same digit fit
    many, so they tell none, unless that is the 0 before numbers at home. Of several regions, the first by its code.

    Parameters
    ----------
    values
        Arrow lists of text, one per column: distinct values, without NULL.
    monitor
        The check for cancellation.

    Returns
    -------
    pyarrow.Array
        Lists of as many booleans; all false where the library is not installed.
    """
    listed = combined(values)
    found = [watched(_one, [one.as_py() or []], monitor) for one in listed]
    return pa.array(found, pa.list_(pa.bool_()))


def _one(values: Sequence[str], *, monitor: Monitor) -> list[bool]:
    try:
        import phonenumbers as library
    except ImportError:
        return [False] * len(values)
    found, countries, national = [False] * len(values), Counter[str](), []
    for place, value in enumerate(_checking(values, monitor)):
        if not _INTERNATIONAL.match(value):
            national.append(place)
            continue
        number = _parsed(library, _INTERNATIONAL.sub("+", value, count=1), None)
        if (
            number is not None
            and library.is_possible_number_with_reason(number) == library.ValidationResult.IS_POSSIBLE
        ):
            found[place] = True
            countries[library.region_code_for_country_code(number.country_code)] += 1
    region = _country(countries) or _region(library, sorted(values[place] for place in national), monitor)
    if region is not None:
        for place in _checking(national, monitor):
            found[place] = _is_valid(library, values[place], region)
    return found


def _checking(items: Sequence[_Item], monitor: Monitor) -> Iterator[_Item]:
    """The items, looking now and then whether the search is cancelled."""
    for place, item in enumerate(items):
        if place % _TURN == 0 and monitor.cancelled():
            raise Cancelled
        yield item


def _country(countries: Counter[str]) -> str | None:
    """The country of numbers with a prefix, if it is nearly always the same."""
    ranked = sorted(countries.items(), key=lambda one: (-one[1], one[0]))
    return ranked[0][0] if ranked and ranked[0][1] >= max(LEAST, VALID * countries.total()) else None


def _region(library: Any, values: Sequence[str], monitor: Monitor) -> str | None:
    """The region of numbers without a prefix, in their order, if they tell one."""
    written = [value for value in values if _WRITTEN.search(value)]
    first = {re.sub(r"\D", "", value)[:1] for value in written}
    if len(written) < LEAST or (len(first) == 1 and first != {"0"}):
        return None
    asked = [written[place] for place in np.unique(np.linspace(0, len(written) - 1, MOST).astype(int))]
    valid = {}
    for region in sorted(library.SUPPORTED_REGIONS):
        if monitor.cancelled():
            raise Cancelled
        valid[region] = sum(_is_valid(library, value, region) for value in asked)
    for region in sorted(valid, key=lambda region: -valid[region]):  # which keeps the order of equal ones
        if valid[region] < VALID * len(asked):
            return None
        if sum(_is_grouped(library, value, region) for value in asked) >= GROUPED * len(asked):
            return str(region)
    return None


def _parsed(library: Any, value: str, region: str | None) -> Any:
    try:
        return library.parse(value, region)
    except library.NumberParseException:
        return None


def _is_valid(library: Any, value: str, region: str) -> bool:
    number = _parsed(library, value, region)
    return number is not None and bool(library.is_valid_number_for_region(number, region))


def _is_grouped(library: Any, value: str, region: str) -> bool:
    found = library.PhoneNumberMatcher(value, region, leniency=library.Leniency.STRICT_GROUPING)
    return any(match.start == 0 and match.end == len(value) for match in found)
