"""Numbers in CSV files that are written as the options of a call say."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sqlglot import exp

from synthpriv_sql.engines.duckdb.files import contents
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.planner.headers.files import SEPARATORS


def form(reading: Mapping[str, Any]) -> str:
    """Return the regular expression of a number, in Python and in DuckDB."""
    decimal, between = re.escape(reading.get("decimal", ".")), re.escape(_between(reading))
    grouped = rf"|\d{{1,3}}([{between}]\d{{3}})+" if between else ""
    return rf"[-+]?((\d+{grouped})({decimal}\d*)?|{decimal}\d+)([eE][-+]?\d+)?"


def marks(reading: Mapping[str, Any]) -> str:
    """Return the characters that the options name, of which a column of such numbers has some."""
    return str(reading.get("decimal", "")) + _between(reading)


def _between(reading: Mapping[str, Any]) -> str:
    """The characters between thousands; DuckDB itself takes only ASCII."""
    thousands = str(reading.get("thousands", ""))
    return "".join(mark for mark, meant in SEPARATORS.items() if meant == thousands) + thousands


def first_others(texts: exp.Query, names: Sequence[str], number: str) -> exp.Select:
    """Return the query that gives the first record, from 0, whose text is no number; NULL if all are.

    Parameters
    ----------
    texts
        The query that reads the columns as text.
    names
        The columns.
    number
        The `form` of a number.
    """
    place = exp.column("[place]", quoted=True)
    numbered = exp.select("*", exp.alias_(exp.Window(this=exp.RowNumber()) - 1, "[place]", quoted=True))
    found = [
        exp.func("min", exp.Case().when(exp.not_(_is(exp.column(name, quoted=True), number)), place.copy()))
        for name in names
    ]
    return exp.select(*found).from_(numbered.from_(texts.subquery("texts")).subquery("texts"))


def other(label: str, name: str, record: int, reading: Mapping[str, Any]) -> str:
    """Describe a text among numbers."""
    return (
        f'column "{name}" of {label} holds numbers with {contents.written(reading)}, but record {record:,} (counted '
        f"from 0) has a text that is no number. Fix it; or, if it stands for a missing value, name it "
        f"({wording.given('csv', {'missing': 'NA'})}, for one); {wording.given('csv', {'train': {'decimal': '.'}})} "
        "gives a table options of its own, and reads such numbers as text"
    )


def read(label: str, name: str, number: str, reading: Mapping[str, Any]) -> exp.Expr:
    """Return the expression that reads a text column as numbers, or stops with a message.

    Parameters
    ----------
    label
        The name of the file in messages.
    name
        The column.
    number
        The `form` of a number.
    reading
        The options.
    """
    column = exp.column(name, quoted=True)
    decimal = reading.get("decimal", ".")
    points = exp.func(
        "translate", _trimmed(column), exp.Literal.string(decimal + _between(reading)), exp.Literal.string(".")
    )
    message = (
        f'UnknownTable: column "{name}" of {label} has a text that is no number, although the first values are numbers '
        f"with {contents.written(reading)}; {wording.given('csv', {'decimal': '.'})} keeps them as text"
    )
    stop = exp.cast(exp.func("error", exp.Literal.string(message)), "DOUBLE")
    cases = exp.Case().when(exp.Is(this=column.copy(), expression=exp.null()), exp.cast(exp.null(), "DOUBLE"))
    cases = cases.when(_is(column, number), exp.cast(points, "DOUBLE"))
    return exp.alias_(cases.else_(stop), name, quoted=True)


def _is(column: exp.Expr, number: str) -> exp.Expr:
    """Whether a text is a number."""
    return exp.Anonymous(this="regexp_full_match", expressions=[_trimmed(column), exp.Literal.string(number)])


def _trimmed(column: exp.Expr) -> exp.Expr:
    return exp.func("trim", column.copy())
