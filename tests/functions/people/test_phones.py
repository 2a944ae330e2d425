"""Telephone numbers: told by the library phonenumbers where it is installed, and by a plain rule everywhere."""

import random
import sys

import phonenumbers
import pyarrow as pa
import pytest
from phonenumbers import PhoneNumberFormat

from synthpriv_sql.report.measured import Number
from synthpriv_sql.report.verdict.people import looks

ROWS = 300


def drawn(look, seed=1, rows=ROWS):
    random.seed(seed)
    return sorted({look() for _ in range(rows)})


def digits(places):
    return "".join(random.choice("0123456789") for _ in range(places))


def at_home(region, country, first, places):
    """Numbers of a region as they are written there, without a prefix."""

    def look():
        while True:
            number = phonenumbers.PhoneNumber(country, int(random.choice(first) + digits(places - 1)))
            if phonenumbers.is_valid_number_for_region(number, region):
                return phonenumbers.format_number(number, PhoneNumberFormat.NATIONAL)

    return look


NO_RULE = {
    "extensions": lambda: f"+1-212-{random.randint(220, 999)}-{digits(4)}x{digits(3)}",
    "with 00": lambda: f"0049 30 {random.randint(200000, 999999)} ext. {digits(2)}",
    "Poland": at_home("PL", 48, "56789", 9),
    "Spain": at_home("ES", 34, "679", 9),
    "Denmark": at_home("DK", 45, "23456789", 8),
    "dots": lambda: f"{random.choice(['212', '415', '617'])}.{random.randint(220, 999)}.{digits(4)}x{digits(3)}",
}
"""Which the plain rule does not take."""
RULE = {
    "Germany": lambda: f"(030) {digits(6)}-1",
    "fictitious": lambda: f"555-{digits(3)}-{digits(4)}",
    "too short": lambda: f"+1 212 {digits(4)}",
}
"""Which the plain rule takes, and the library calls invalid, or too few of them valid."""
NEITHER = {
    "social security": lambda: f"{digits(3)}-{digits(2)}-{digits(4)}",
    "postal codes": lambda: f"{digits(5)}-{digits(4)}",
    "persons": lambda: f"{random.randint(40, 99)}{random.randint(1, 12):02}{random.randint(1, 28):02}-{digits(4)}",
    "accounts": lambda: f"{random.randint(1, 9)}{digits(3)}-{digits(4)}",
    "accounts of a branch": lambda: f"4{digits(3)}-{digits(4)}",
    "mobiles or accounts": lambda: f"6{digits(2)} {digits(3)} {digits(3)}",
    "pairs": lambda: f"{random.randint(10, 99)} {digits(2)} {digits(2)} {digits(2)}",
    "amounts": lambda: f"{random.randint(1, 99)}.{digits(3)}.{digits(3)}",
    "seconds": lambda: str(random.randint(1_700_000_000, 1_760_000_000)),
    "eight digits": lambda: str(random.randint(20_000_000, 99_999_999)),
}
"""Which some country's plan might take."""


@pytest.fixture
def without_library(monkeypatch):
    monkeypatch.setitem(sys.modules, "phonenumbers", None)


def told(session, values):
    table = pa.table({"x": values})
    (row,) = session.replay(table, table).to_arrow().to_pylist()
    return row["kind"], row["told_by"]


@pytest.mark.one_in(3, 2)
@pytest.mark.parametrize("name", NO_RULE)
def test_the_library_tells_what_the_rule_does_not(session, name, monkeypatch):
    values = drawn(NO_RULE[name])
    assert told(session, values) == ("phone", "phonenumbers")
    monkeypatch.setitem(sys.modules, "phonenumbers", None)
    kind, by = told(session, values)
    assert (kind in {"number", "text", "other"}, by) == (True, None)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", RULE)
def test_what_the_rule_takes_stays_a_telephone_number(session, name):
    """A number that somebody wrote down is not less of that person because a library calls it invalid."""
    assert told(session, drawn(RULE[name])) == ("phone", "rule")


@pytest.mark.parametrize("name", RULE)
def test_without_the_library_the_rule_stands(session, name, without_library):
    assert told(session, drawn(RULE[name])) == ("phone", "rule")


@pytest.mark.one_in(4, 3)
@pytest.mark.parametrize("name", NEITHER)
def test_other_numbers_are_none_of_some_country(session, name):
    kind, by = told(session, drawn(NEITHER[name]))
    assert (kind in {"number", "text", "other"}, by) == (True, None)


def test_numbers_with_a_prefix_tell_the_region_of_others(session):
    """Bare digits are valid in a region that the column tells, and nowhere by themselves."""
    bare = drawn(lambda: f"6{digits(8)}")
    assert told(session, bare) == ("number", None)
    prefixed = drawn(lambda: f"+34 6{digits(8)}", seed=2, rows=60)
    assert told(session, bare + prefixed) == ("phone", "phonenumbers")
    few = prefixed[:20]
    assert told(session, bare + few) == ("number", None)
    elsewhere = [f"+4{i % 8 + 1} 6{number[5:]}" for i, number in enumerate(prefixed)]
    assert told(session, bare + elsewhere) == ("number", None)


@pytest.mark.again
def test_counts_do_not_depend_on_what_told_the_kind(session, monkeypatch):
    train, other = (drawn(NO_RULE["Poland"], seed) for seed in (1, 2))
    tables = [pa.table({"x": values}) for values in (train[:9] + other[:90], train, other)]

    def rows():
        (row,) = session.replay(*tables).to_arrow().to_pylist()
        return {name: value for name, value in row.items() if name not in {"kind", "told_by"}}

    with_library = rows()
    assert with_library["replayed"] >= 9
    monkeypatch.setitem(sys.modules, "phonenumbers", None)
    assert rows() == with_library


def test_only_whole_texts_of_that_form_are_asked_for(session, monkeypatch):
    """What is told as something more exact, columns of numbers, and long texts never reach the library."""
    asked = []
    monkeypatch.setattr(phonenumbers, "parse", lambda value, region=None: asked.append(value))
    columns = {
        "date": [f"2024-01-{i % 28 + 1:02}" for i in range(90)],
        "mail": [f"a{i}@mail.example" for i in range(90)],
        "number": list(range(212_555_0000, 212_555_0090)),
        "note": [f"call {i} at 212-555-{i:04} or later" for i in range(90)],
    }
    table = pa.table(columns)
    session.replay(table, table)
    assert not asked


@pytest.mark.nightly
def test_the_page_says_what_told_them(session):
    train, holdout = (pa.table({"x": drawn(NO_RULE["Poland"], seed)}) for seed in (1, 2))

    class Measured:
        def __init__(self, rows):
            self._rows = {row["variant"]: Number.of(row) for row in rows if row["statistic"] == "replayed"}

        def number(self, metric, statistic, column):
            return self._rows.get(column)

        def variants(self, metric):
            return list(self._rows)

    rows = session.evaluate(train, train, holdout, attack="distance", identifiers="compare").to_arrow().to_pylist()
    measured = Measured([row for row in rows if row["metric"] == "replay"])
    assert measured.number("replay", "replayed", "x").look == "phone"
    assert looks(measured) == {"x": "telephone numbers, told by phonenumbers"}
