"""The steps of every kind of column in databases that need no server here: the values of DuckDB, each."""

import json
import sqlite3

import ladders
import numpy as np
import pyarrow as pa
import pytest

import synthpriv_sql
from synthpriv_sql.remedies.ladder import written


@pytest.mark.parametrize("name", ladders.VALUES)
def test_sqlite_gives_the_values_of_duckdb(name):
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE TABLE {ladders.TABLE} (place INTEGER, {_quoted(name)})")
    _, values = ladders.VALUES[name]
    texts = [value if value is None or isinstance(value, (int, float)) else str(value) for value in values]
    texts = [_number(text) if name == "money" else text for text in texts]
    connection.executemany(f"INSERT INTO {ladders.TABLE} VALUES (?, ?)", enumerate(texts))
    steps = list(ladders.steps(name))
    assert len(steps) >= 2
    for action, query, expected in steps:
        found = [ladders.plain(value) for (value,) in connection.execute(written(query, "sqlite"))]
        assert list(map(str, found)) == list(map(str, expected)), action
    connection.close()


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore")
def test_sqlite_computes_a_coarser_date_from_its_own_table(shared, tmp_path):
    rng = np.random.default_rng(3)

    def people():
        born = np.datetime64("1950-01-01") + rng.integers(0, 20_000, 120)
        return pa.table({"born": pa.array(born), "job": rng.choice(list("abc"), 120)})

    train, holdout, synthetic = people(), people(), people()
    tables = {"synthetic": synthetic.set_column(0, "born", train["born"]), "train": train, "holdout": holdout}
    with sqlite3.connect(tmp_path / "people.db") as connection:
        for side, table in tables.items():
            connection.execute(f"CREATE TABLE {side} (born DATE, job TEXT)")
            rows = [(str(born), job) for born, job in zip(*table.to_pydict().values(), strict=True)]
            connection.executemany(f"INSERT INTO {side} VALUES (?, ?)", rows)
    connection.close()
    options = {"target": "nobody", "remove": 0, "keep": ["job"]}
    expected = shared.remedy(**tables, **options)
    assert "year" in list(expected["action"])
    with synthpriv_sql.connect(f"sqlite:///{tmp_path / 'people.db'}") as session:
        found = session.remedy("synthetic", "train", "holdout", **options)
        there = found.remedied
        assert "start of year" in found.statement(dialect="sqlite")
        assert sorted(zip(*there.to_arrow().to_pydict().values(), strict=True)) == sorted(
            zip(*expected.remedied.to_arrow().to_pydict().values(), strict=True)
        )


def _quoted(name):
    return f'"{name}"'


def _number(text):
    return None if text is None else float(text)


@pytest.mark.slow
@pytest.mark.parametrize("name", ladders.VALUES)
def test_clickhouse_gives_the_values_of_duckdb(name):
    chdb = pytest.importorskip("chdb", reason="chdb is not installed")
    filled = ladders.filled(name, "clickhouse")
    steps = list(ladders.steps(name))
    assert len(steps) >= 2
    for action, query, expected in steps:
        text = written(query, "clickhouse").replace(ladders.TABLE, f"({filled})")
        rows = chdb.query(text, "JSONCompactEachRow").bytes().decode().splitlines()
        found = [ladders.plain(json.loads(row)[0]) for row in rows]
        assert list(map(str, found)) == list(map(str, expected)), action
