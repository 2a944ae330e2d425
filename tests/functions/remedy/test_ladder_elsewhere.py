"""The steps of every kind of column in databases that need no server here: the values of DuckDB, each."""

import json
import sqlite3

import ladders
import pytest

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
