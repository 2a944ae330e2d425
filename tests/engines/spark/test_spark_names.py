"""Columns of Spark with names that its own functions read as something else: dots, backticks, words of ours."""

import os

import numpy as np
import pyarrow as pa
import pytest

import synthpriv_sql
from synthpriv_sql.planner.headers import catalog

ODD = ["address.city", "a`b", "this_record", "record", "first", "struct.`x`.y", "rows"]
PLAIN = [f"c{i}" for i in range(len(ODD))]
# Of each family one function, with its options; a column is given by its place, as `of` with names makes it.
CALLS = {
    "scaling": lambda of: {},
    "neighbors": lambda of: {"k": 2, "key": of(1)},
    "copies": lambda of: {"key": of(1), "exclude": [of(2)]},
    "holdout_share": lambda of: {"weights": {of(0): 2.0, of(1): 0.5}},
    "mda_distances": lambda of: {"categorical": [of(1)]},
    "membership_scores": lambda of: {"key": of(0), "attack": "agreement"},
    "uniques": lambda of: {"columns": [of(0), of(1), of(5)], "width": 2},
    "hit_rate": lambda of: {"numeric": [of(1), of(3)]},
    "discernibility": lambda of: {"quasi_identifiers": [of(0), of(1), of(5)], "k": 2},
    "anonymity": lambda of: {"quasi_identifiers": [of(0)], "sensitive": [of(1), of(5)], "l": 1},
    "disclosure": lambda of: {"quasi_identifiers": [of(0), of(1)], "targets": [of(5), of(3)]},
    "marginals": lambda of: {"columns": [of(0), of(1), of(5)]},
    "dimension_columns": lambda of: {},
    "identifiers": lambda of: {},
    "peers_sdmetrics_new_rows": lambda of: {},
    "baseline": lambda of: {"trees": 2, "seed": 1},
    "flatten": lambda of: {"key": of(0), "order": of(1)},
    "shared_runs": lambda of: {"unit": of(0), "order": of(1), "length": 1},
}


def table(names, seed, rows):
    draw = np.random.default_rng(seed)
    columns = [draw.integers(0, 3, rows) for _ in names]
    return pa.table(
        [pa.array(c if i % 2 else np.array(["a", "b", "c"])[c]) for i, c in enumerate(columns)], names=names
    )


@pytest.fixture(scope="module")
def spark(spark_cluster):
    return synthpriv_sql.spark(spark_cluster, tasks=1)


@pytest.fixture(scope="module")
def duckdb():
    with synthpriv_sql.connect() as session:
        yield session


def test_of_each_family_one_function_is_called():
    families = {function.family for function in catalog.functions().values()}
    # test_models_in_spark.py has candidates, which take minutes, and test_remedied_in_spark.py the remedies.
    assert {catalog.function(name).family for name in CALLS} == families - {"candidates", "remedy"}


# Those that Spark is asked in every run: a frame that the kernel or the forest reads, and each way to write a name.
LEAN = ("neighbors", "uniques", "anonymity", "baseline", "flatten")


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("function", CALLS if os.environ.get("EVERY_CASE") else LEAN)
def test_columns_with_dots_and_backticks(spark, duckdb, function):
    """As DuckDB gives for the same rows under plain names."""
    relations = [parameter for parameter in catalog.function(function).relations if parameter.required]
    found = []
    for session, names in ((spark, ODD), (duckdb, PLAIN)):
        sides = [table(names, seed, rows) for seed, rows in ((1, 12), (2, 20), (3, 9))][-len(relations) :]
        rows = getattr(session, function)(*sides, **CALLS[function](names.__getitem__)).fetchall()
        places = {name: i for i, name in enumerate(names)}
        found.append(sorted((tuple(_placed(value, places) for value in row) for row in rows), key=str))
    assert found[0] == found[1]


def _placed(value, places):
    """A value, and the place of a column in the place of its name."""
    if isinstance(value, list):
        return [_placed(one, places) for one in value]
    return places.get(value, value) if isinstance(value, str) else value
