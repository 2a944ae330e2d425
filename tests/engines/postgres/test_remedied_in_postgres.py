"""The expressions of a remedy give the same values in PostgreSQL as in DuckDB."""

import datetime as dt

import duckdb
import pytest
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


@pytest.mark.parametrize("name", VALUES)
def test_a_ladder_gives_the_values_of_duckdb(pg_client, name):
    kind, values = VALUES[name]
    texts = ["NULL" if value is None else exp.convert(str(value)).sql("postgres") for value in values]
    rows = ", ".join(f"({place}, CAST({text} AS {kind}))" for place, text in enumerate(texts))
    filling = (
        "DROP TABLE IF EXISTS ladder_values",
        f'CREATE TABLE ladder_values (place INTEGER, "{name}" {kind})',
        f"INSERT INTO ladder_values VALUES {rows}",
    )
    with duckdb.connect() as connection:
        for statement in filling:
            connection.execute(statement)
            pg_client.execute(statement)
        relation = connection.table("ladder_values")
        described = Column(name, str(relation.types[1]), relation.types[1].id)
        steps = [s for s in ladder(described, relation.to_arrow_table()[name], "other") if s.expression is not None]
        assert steps
        for step in steps:
            query = exp.select(exp.alias_(step.expression, "found")).from_("ladder_values").order_by("place")
            pg_client.execute(query.sql("postgres"))
            found, expected = pg_client.fetchall(), connection.sql(query.sql("duckdb")).fetchall()
            assert [plain(v) for (v,) in found] == [plain(v) for (v,) in expected], step.action


def plain(value):
    """A value to be compared: numbers of other types are equal, and the driver gives those of NUMERIC as text."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return value
