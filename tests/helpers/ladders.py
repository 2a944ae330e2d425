"""Columns of each kind, and what the steps of their ladders make of them in DuckDB: other databases give the same."""

import datetime as dt

import duckdb
from sqlglot import exp

from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.remedies.ladder import ladder

ROWS = 60
VALUES = {
    "whole number": ("BIGINT", [None, 0, -7, -12_345, *(17 * i * i for i in range(ROWS - 4))]),
    "fraction": ("DOUBLE PRECISION", [None, 0.0, -2.5, 1e-7, *(0.37 * i * i for i in range(ROWS - 4))]),
    "money": ("NUMERIC(9, 2)", [None, *(f"{i * i}.{i:02}" for i in range(ROWS - 1))]),
    "text": ("TEXT", [None, "it's", *(["a", "b\\c", 'd"e'][i % 3] for i in range(ROWS - 2))]),
    "day": ("DATE", [None, *(dt.date(2025, 1, 30) + dt.timedelta(days=9 * i) for i in range(ROWS - 1))]),
    "moment": (
        "TIMESTAMP",
        [None, *(dt.datetime(2025, 1, 30, 22) + dt.timedelta(hours=77 * i) for i in range(ROWS - 1))],
    ),
}
TABLE = "ladder_values"


def filled(name, dialect):
    """A SELECT with the places and the values of a column, in the SQL of a database."""
    kind, values = VALUES[name]
    texts = [exp.null() if value is None else exp.convert(str(value)) for value in values]
    rows = [
        exp.select(
            exp.alias_(exp.convert(place), "place"),
            exp.alias_(exp.cast(text, exp.DataType.build(kind, dialect="postgres")), name, quoted=True),
        )
        for place, text in enumerate(texts)
    ]
    return exp.union(*rows, distinct=False).sql(dialect)


def steps(name):
    """The action of each step of a column's ladder, the statement that asks for its values, and those of DuckDB."""
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE {TABLE} AS {filled(name, 'duckdb')}")
        relation = connection.table(TABLE)
        described = Column(name, str(relation.types[1]), relation.types[1].id)
        for step in ladder(described, relation.to_arrow_table()[name], "other"):
            if step.expression is not None:
                query = exp.select(exp.alias_(step.expression, "found")).from_(TABLE).order_by("place")
                values = [plain(value) for (value,) in connection.sql(query.sql("duckdb")).fetchall()]
                yield step.action, query, values


def plain(value):
    """A value to be compared: numbers of other types are equal, and the driver gives those of NUMERIC as text."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return value
