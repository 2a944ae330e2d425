"""Columns of JSON, structs, maps, arrays and variants in Spark, read as DuckDB reads them."""

import json

import pytest

import synthpriv_sql
from synthpriv_sql.errors import OptionError, RoleError, UnknownColumn

ODD = ["", 'q"x', "$.z", "Größe", "it's"]


def told(n):
    """What the JSON of a record holds: every kind of value, kinds that are mixed, odd names, and what is no object."""
    if n % 11 == 10:
        return ["just text", [2, 1, None, 2], 7][n % 3]
    there = {"city": ["Bern", "Rome", None][n % 3], "n": n + 2**53, "x": n / 4, "ok": n % 5 == 0, "e": {}}
    there |= {"tags": ["b", 'a"\n', "b", None][: n % 5], "deep": {"k": [n % 2]}} if n % 7 else {"tags": "[no list"}
    return there | {key: f"ü{n % 2}" for key in ODD if (n + len(key)) % 3}


def queries(first):
    """The same rows in Spark's SQL and in DuckDB's."""
    made = {}
    for dialect in ("spark", "duckdb"):
        listed = []
        for n in range(first, first + 12):
            text = "NULL" if n % 9 == 8 else "'" + json.dumps(told(n), ensure_ascii=False).replace("'", "''") + "'"
            if dialect == "spark":
                text = text.replace("\\", "\\\\").replace("''", "\\'")
                inside = f"named_struct('a', {n}, 'b', CAST(NULL AS STRING)), map('k', {n % 2})"
                likes = ["array('y', 'x', 'y')", "array()", "NULL"][n % 3]
                listed.append(f"({n}, {text}, {inside}, CAST({likes} AS ARRAY<STRING>), parse_json('[{n % 2}]'))")
            else:
                inside = f"{{'a': {n}, 'b': NULL::VARCHAR}}, MAP {{'k': {n % 2}}}"
                likes = ["['y', 'x', 'y']", "[]", "NULL"][n % 3]
                listed.append(f"({n}, {text}, {inside}, CAST({likes} AS VARCHAR[]), JSON '[{n % 2}]')")
        made[dialect] = f"(SELECT * FROM (VALUES {', '.join(listed)}) AS t (id, j, s, m, likes, v))"
    return made


def comparable(result):
    return sorted((tuple(row.values()) for row in result.to_arrow().to_pylist()), key=repr)


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore::synthpriv_sql.SynthprivWarning")
def test_nested_columns_are_read_as_in_duckdb(spark_cluster):
    there, here = synthpriv_sql.spark(spark_cluster, tasks=1), synthpriv_sql.connect()
    synthetic, train = queries(5), queries(0)
    options = {"json": ["j", "s", "m", "likes", "v"], "exclude": ["id"]}
    found, expected = (
        comparable(session.copies(synthetic[dialect], train[dialect], **options))
        for session, dialect in ((there, "spark"), (here, "duckdb"))
    )
    assert found == expected != []
    frames = [there.connection.sql(one["spark"]) for one in (synthetic, train)]
    given = {"json": "all", "exclude": ["id", "j"]}
    assert comparable(there.copies(*frames, **given)) == comparable(
        here.copies(synthetic["duckdb"], train["duckdb"], **given)
    )
    views = {view.tableName for view in spark_cluster.sql("SHOW TABLES").collect()}
    assert not [name for name in views if name.startswith("synthpriv_")]
    for names, kind, message in (
        (["nix"], UnknownColumn, 'nix"?, which no table'),
        (["id"], RoleError, "in DuckDB and Spark text with JSON"),
        (["j"], RoleError, "1 record is no JSON"),
    ):
        table = "(SELECT 1 AS id, '{\"a\": 1' AS j)"
        with pytest.raises(kind, match=message):
            there.scaling(table, json=names)
    with pytest.raises(OptionError, match="more than 1,000 different keys"):
        there.scaling("(SELECT 1 AS a, map_from_arrays(sequence(0, 1000), sequence(0, 1000)) AS j)", json="j")
