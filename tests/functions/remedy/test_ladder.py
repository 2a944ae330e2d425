"""Ladders: what each step does to values, whatever the database, and that it depends on synthetic alone."""

import datetime as dt
import math
from decimal import Decimal

import duckdb
import numpy as np
import pyarrow as pa
import pytest
import sqlglot
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from examples import few
from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.remedies import own_ladder
from synthpriv_sql.remedies.ladder import LEFT_OUT, coarser, ladder

ENGINES = ("postgres", "spark", "snowflake", "bigquery", "clickhouse", "mysql")


def column(values, name="a column"):
    (kind,) = duckdb.from_arrow(pa.table({name: values})).types
    return Column(name, str(kind), kind.id)


def steps(values, other="other"):
    values = pa.chunked_array([values])
    return {step.action: step.expression for step in ladder(column(values), values, other)}


def after(expression, values, name="a column"):
    with duckdb.connect() as connection:
        connection.register("given", pa.table({name: values}))
        found = connection.sql(
            exp.select(exp.alias_(expression, "found")).from_("given").sql("duckdb")
        ).to_arrow_table()
    return found["found"].to_pylist()


def rounded(value, digits):
    """A number rounded half up to significant digits, by decimals."""
    if not value:
        return value
    exact = Decimal(repr(value))
    power = exact.adjusted() + 1 - digits
    steps_ = (exact / Decimal(10) ** power + Decimal("0.5")).to_integral_value("ROUND_FLOOR")
    return steps_ * Decimal(10) ** power


@few
@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=20), st.sampled_from([1, 2, 3]))
def test_whole_numbers_are_rounded_to_significant_digits(values, digits):
    name = "1 digit" if digits == 1 else f"{digits} digits"
    smallest = min(values)
    found = after(steps(pa.array(values))[name], pa.array([*values, None, 0, -smallest]))
    expected = [int(rounded(v, digits)) if v >= 10**digits else v for v in values]
    assert found[: len(values)] == expected
    assert found[len(values)] is None
    assert found[len(values) + 1] == 0


@few
@given(st.lists(st.integers(1, 99_999), min_size=1, max_size=10), st.sampled_from([1, 2, 3]))
def test_fractions_are_rounded_to_the_nearest_decimal(cents, digits):
    values = [cent / 100 for cent in cents]
    found = after(steps(pa.array(values))["1 digit" if digits == 1 else f"{digits} digits"], pa.array(values))
    assert found == [float(rounded(v, digits)) for v in values]


def test_types_stay_and_values_beyond_those_of_synthetic_are_rounded_too():
    small = steps(pa.array([12, 95], pa.int8()))["1 digit"]
    assert after(small, pa.array([12, 95, 127, -128, 3], pa.int8())) == [10, 100, 130, -130, 0]
    money = pa.array([Decimal("12.34"), Decimal("99.99")], pa.decimal128(4, 2))
    assert after(steps(money)["1 digit"], money) == [Decimal("10.00"), Decimal("100.00")]
    whole = pa.array([7, 8, 9])
    assert after(steps(whole)["3 digits"], whole) == [7, 8, 9]
    assert after(steps(pa.array([0, 0]))["1 digit"], whole) == [7, 8, 9]


def test_groups_are_of_equal_size_and_give_medians_of_synthetic():
    values = np.arange(1000)[::-1].copy()
    found = after(steps(pa.array(values))["10 groups"], pa.array([*values, -5, 2000, None]))
    assert found[:1000] == [v // 100 * 100 + 49 for v in values]
    assert found[1000:] == [49, 949, None]
    ties = after(steps(pa.array([1] * 90 + [2] * 10))["10 groups"], pa.array([1, 2]))
    assert ties == [1, 2]


def test_nan_is_missing_in_groups_and_digits():
    values = pa.array([1.5, 2.25, float("nan"), None])
    for action in ("1 digit", "10 groups"):
        found = after(steps(values)[action], values)
        assert math.isnan(found[2]), action
        assert found[3] is None, action


def test_times_are_truncated():
    day = pa.array([dt.date(2026, 11, 26), None])
    found = {action: after(e, day)[0] for action, e in steps(day).items() if e is not None}
    assert found == {
        "day": dt.date(2026, 11, 26),
        "month": dt.date(2026, 11, 1),
        "quarter": dt.date(2026, 10, 1),
        "year": dt.date(2026, 1, 1),
    }
    moment = pa.array([dt.datetime(2026, 11, 26, 10, 30)], pa.timestamp("us"))
    assert after(steps(moment)["day"], moment) == [dt.datetime(2026, 11, 26)]


def test_rare_categories_become_one():
    values = pa.array(["a"] * 30 + ["b"] * 6 + ["it's"] * 4 + [None])
    found = after(steps(values, "rest")["fewer than 5"], pa.array(["a", "b", "it's", "unseen", None]))
    assert found == ["a", "b", "rest", "rest", None]
    assert list(steps(pa.array(["x", "y"] * 2))) == [LEFT_OUT]
    names = pa.array([f"name {i}" for i in range(9)] + [None])
    assert list(steps(names)) == ["fewer than 5", LEFT_OUT]
    assert after(steps(names)["fewer than 5"], names) == ["other"] * 9 + [None]
    kept = coarser(ladder(column(names), pa.chunked_array([names]), "other"), lambda step: 1, 9, 10)
    assert [step.action for step in kept] == ["fewer than 5", LEFT_OUT]
    levels = pa.array(["low"] * 6 + ["high"] * 5 + ["odd"]).dictionary_encode()
    assert after(steps(levels)["fewer than 5"], levels) == ["low"] * 6 + ["high"] * 5 + ["other"]


def test_a_ladder_gets_coarser_and_ends_without_the_column():
    values = pa.array([11, 12, 13, 14, 21, 22, 35, 47, 58, 91] * 3)
    chunked = pa.chunked_array([values])

    def distinct(step):
        return len(set(after(step.expression, values)))

    found = coarser(ladder(column(values), chunked, "other"), distinct, 10, 30)
    counts = [distinct(step) for step in found[:-1]]
    assert counts == sorted(counts, reverse=True)
    assert all(1 < count < 10 for count in counts)
    assert len(set(counts)) == len(counts)
    assert found[-1].action == LEFT_OUT


@pytest.mark.parametrize("dialect", ENGINES)
def test_expressions_are_written_for_other_databases(dialect):
    numbers, texts = pa.array([1.5, 220.0, 3131.0] * 9), pa.array(["a", "b"] * 20)
    for values in (numbers, texts):
        for expression in steps(values).values():
            if expression is not None:
                sqlglot.parse_one(exp.select(expression).sql(dialect), dialect=dialect)


def test_steps_of_ones_own():
    age = column(pa.array([1]), "age")
    (level, last) = own_ladder.of(age, ["floor(AGE / 10) * 10"], "other")
    assert (level.action, last.action) == ("level 1", LEFT_OUT)
    assert after(level.expression, pa.array([37, 41]), "age") == [30, 40]
    for text in ("(SELECT 1)", "other_column + 1", "random()", "read_text('x')", "age; drop table t", "count(age)"):
        with pytest.raises(OptionError, match="a step of"):
            own_ladder.of(age, [text], "other")


def test_generalizations_in_a_table():
    city = column(pa.array(["x"]), "city")
    levels = pa.table({"city": ["Bern", "Basel", "Lyon"], "country": ["CH", "CH", "FR"], "all": ["*"] * 3})
    country, everything, _ = own_ladder.of(city, levels, "elsewhere")
    assert after(country.expression, pa.array(["Basel", "Lyon", "Rome", None]), "city") == [
        "CH",
        "FR",
        "elsewhere",
        None,
    ]
    assert after(everything.expression, pa.array(["Bern"]), "city") == ["*"]
    with pytest.raises(OptionError, match="twice"):
        own_ladder.of(city, pa.table({"a": ["x", "x"], "b": ["1", "2"]}), "other")
    with pytest.raises(OptionError, match="one column"):
        own_ladder.of(city, pa.table({"a": ["x"]}), "other")
