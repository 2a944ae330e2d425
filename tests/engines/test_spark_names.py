"""Columns of Spark with names that its own functions read as something else: dots, backticks, words of ours."""

import numpy as np
import pyarrow as pa
import pytest
from suites import only_where_tested

import synthpriv_sql

only_where_tested("spark")

ODD = ["address.city", "a`b", "this_record", "record", "first", "struct.`x`.y", "rows"]
PLAIN = [f"c{i}" for i in range(len(ODD))]
CALLS = {
    "scaling": {},
    "neighbors": {"k": 2, "key": 1},
    "baseline": {"trees": 2, "seed": 1},
}


def table(names, seed, rows):
    draw = np.random.default_rng(seed)
    columns = [draw.integers(0, 3, rows) for _ in names]
    return pa.table(
        [pa.array(c if i % 2 else np.array(["a", "b", "c"])[c]) for i, c in enumerate(columns)], names=names
    )


@pytest.fixture(scope="module")
def spark(spark_cluster):
    return synthpriv_sql.spark(spark_cluster)


@pytest.fixture(scope="module")
def duckdb():
    with synthpriv_sql.connect() as session:
        yield session


@pytest.mark.parametrize("function", CALLS)
def test_columns_with_dots_and_backticks(spark, duckdb, function):
    """As DuckDB gives for the same rows under plain names."""
    many = 2 if function == "neighbors" else 1
    found = []
    for session, names in ((spark, ODD), (duckdb, PLAIN)):
        options = dict(CALLS[function])
        if "key" in options:
            options["key"] = names[options["key"]]
        sides = [table(names, seed, rows) for seed, rows in ((1, 12), (2, 20))][:many]
        rows = getattr(session, function)(*sides, **options).fetchall()
        places = {name: i for i, name in enumerate(names)}
        rows = [tuple(places.get(value, value) if isinstance(value, str) else value for value in row) for row in rows]
        found.append(sorted(rows, key=str))
    assert found[0] == found[1]
