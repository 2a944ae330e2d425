"""A plan cut in two gives what it gives whole, and moves what it has to."""

import pyarrow as pa
import pytest
import sqlglot
from calls import assert_same_rows, create, in_order
from sqlglot import exp
from surfaces import OF_EVERY_KIND

import synthpriv_sql
from synthpriv_sql.engines.cut import cut
from synthpriv_sql.planner import planning
from synthpriv_sql.planner.calls.several import resolved
from synthpriv_sql.planner.headers import catalog

pytestmark = pytest.mark.duckdb_1


def kernel(query):
    return "searches" if any(call.name == "seek" for call in query.find_all(exp.Anonymous)) else None


def pieces(sql):
    found = cut(sqlglot.parse_one(sql, dialect="duckdb"), kernel)
    read = {c.name: [cte.alias for cte in c.query.ctes] for c in found.crossings}
    return read, None if found.local is None else [cte.alias for cte in found.local.ctes]


def test_without_a_local_part_the_statement_crosses_as_a_whole():
    statement = sqlglot.parse_one("WITH a AS (SELECT x FROM t) SELECT count(*) FROM a", dialect="duckdb")
    found = cut(statement, kernel)
    assert (found.local, found.reasons, found.leaving()) == (None, {}, "")
    assert [c.query for c in found.crossings] == [statement]


def test_projections_cross_and_statistics_of_them_are_taken_over_there():
    read, local = pieces(
        "WITH a AS NOT MATERIALIZED (SELECT x FROM t), s AS (SELECT max(x) AS m FROM a), "
        "f AS (SELECT seek(x) AS y FROM a) SELECT y / m FROM f CROSS JOIN s"
    )
    assert read == {"a": [], "s": ["a"]}
    assert local == ["f"]


def test_what_is_moved_is_not_computed_twice():
    read, local = pieces(
        "WITH a AS (SELECT x, count(*) AS n FROM t GROUP BY x), s AS (SELECT sum(n) AS n FROM a), "
        "f AS (SELECT seek(x) AS y FROM a) SELECT y / n FROM f CROSS JOIN s"
    )
    assert read == {"a": []}
    assert local == ["s", "f"]


def test_what_must_give_one_answer_is_read_by_one_statement():
    # b and c are needed on both sides; read apart, they could see different rows of a.
    template = (
        "WITH a AS {} (SELECT x FROM (SELECT x FROM t LIMIT 5) AS u), "
        "b AS NOT MATERIALIZED (SELECT x + 1 AS x FROM a), c AS NOT MATERIALIZED (SELECT x + 2 AS x FROM a), "
        "f AS (SELECT seek(b.x, c.x) AS y FROM b CROSS JOIN c) SELECT y FROM f"
    )
    assert pieces(template.format("NOT MATERIALIZED")) == ({"b": ["a"], "c": ["a"]}, ["f"])
    assert pieces(template.format("MATERIALIZED")) == ({"a": []}, ["b", "c", "f"])


def test_one_statement_reads_it_where_it_is():
    read, local = pieces(
        "WITH a AS MATERIALIZED (SELECT x FROM (SELECT x FROM t LIMIT 5) AS u), "
        "b AS (SELECT one.x FROM a AS one JOIN a AS two ON one.x = two.x) SELECT seek(x) AS y FROM b"
    )
    assert (read, local) == ({"b": ["a"]}, [])


def test_what_reads_no_table_is_put_where_it_is_read():
    read, local = pieces(
        "WITH words AS (SELECT 'a' AS w), more AS (SELECT w FROM words CROSS JOIN generate_series(1, 3) AS g(i)), "
        "a AS (SELECT t.x FROM t JOIN words ON t.x = words.w) SELECT seek(a.x, more.w) AS y FROM a CROSS JOIN more"
    )
    assert (read, local) == ({"a": ["words"]}, ["words", "more"])


def test_it_says_what_would_leave_and_why():
    statement = 'WITH a AS NOT MATERIALIZED (SELECT x AS "[my x]", y FROM t), f AS (SELECT seek(y) AS z FROM a) FROM f'
    found = cut(sqlglot.parse_one(statement, dialect="duckdb"), kernel)
    assert found.leaving() == 'part "f" searches. These rows would leave: a (my x, y)'


# --- whole and in two pieces


def beside(query):
    return "kernel" if any(call.name.startswith("synthpriv_") for call in query.find_all(exp.Anonymous)) else None


TABLE = {
    "id": list(range(60)),
    "size": [1.5 * (i % 7) if i % 11 else None for i in range(60)],
    "place": ["abc"[i % 3] if i % 13 else None for i in range(60)],
    "flag": [i % 4 == 0 for i in range(60)],
}
LATER = pytest.mark.nightly
TRIO = (
    "SELECT * FROM people WHERE id % 3 <> 0",
    "SELECT * FROM people WHERE id % 2 = 0",
    "FROM people WHERE id % 5 = 1",
)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("name", "as_query"),
    [
        pytest.param(name, as_query, id=f"{name}-{'queries' if as_query else 'tables'}", marks=LATER if slow else [])
        for name in OF_EVERY_KIND  # PostgreSQL, which cuts each plan, is asked every function by test_conformance.py
        for as_query in (False, True)
        for slow in [as_query or name in {"candidates", "evaluate"}]
        if not as_query or name in {"anonymity", "neighbors", "membership", "evaluate"}
    ],
)
def test_in_two_pieces_as_whole(session, name, as_query):
    create(session, people=pa.table(TABLE))
    tables = dict(zip(("synthetic", "train", "holdout"), TRIO, strict=True))
    for table, sql in tables.items():
        session.connection.execute(f"CREATE TABLE {table} AS {sql}")
    tables |= {"a": tables["synthetic"], "b": tables["train"], "queries": tables["synthetic"], "data": tables["train"]}
    tables |= {"reference": tables["train"], "real": tables["train"], "population": "FROM people"}
    tables |= {"parents": "FROM people", "children": tables["train"]}
    tables |= {
        "classes": "SELECT place, count(*) AS size FROM people GROUP BY place",
        "curve": "SELECT i / 10.0 AS theta, i * i / 100.0 AS accumulation FROM range(11) AS r(i)",
    }
    for run, value in (("now", 0.5), ("before", 0.2)):
        words = (
            "'a' AS section, 'a' AS metric, CAST(NULL AS VARCHAR) AS variant, 'share' AS statistic, 'lower' AS better"
        )
        tables[run] = f"SELECT {words}, {value} AS value, {value} - 0.1 AS lower, {value} + 0.1 AS upper"
    function = catalog.function(name)
    options = {
        "key": "id",
        "quasi_identifiers": ["place", "flag"],
        "n": 12,
        "k": 2,
        "trees": 3,
        "threshold": 0.3 if name == "reidentification" else [0.2, 0.4],
        "known": ["place", "flag"],
        "secrets": ["size"],
        "sensitive": ["size"],
        "other": ["size"],
        "target": "place",
        "order": "size" if name in ("shared_runs", "sequence_fidelity") else None,
    }
    if name in ("concentration", "person_copies", "shared_runs", "sequence_fidelity"):
        options["unit"] = "flag"
    given = {option: value for option, value in options.items() if option in function.parameters}
    by_name = {"synthetic", "train", "holdout"}
    for p in function.relations:
        if p.name not in tables:
            continue  # a part's own name for each of several tables
        given[p.name] = p.name if p.name in by_name and not as_query else f"({tables[p.name]} ORDER BY ALL)"
    if name == "candidates":
        given["synthetic"] = {"one": given.pop("synthetic", "synthetic"), "two": "holdout"}
    expected = session.call(name, **given)
    planned = planning.plan(session.engine, *resolved(function, given))
    found = cut(planned.statement.tree(), beside)
    rows = {c.name: session.connection.sql(c.query.sql("duckdb")).to_arrow_table() for c in found.crossings}
    if found.local is None:
        (table,) = rows.values()
    else:
        # Another database, which has no tables but these.
        with synthpriv_sql.connect() as other:
            for crossing, moved in rows.items():
                other.connection.register(crossing, moved)
            table = other.connection.sql(found.local.sql("duckdb", normalize_functions=False)).to_arrow_table()
    # Classes of one size have no order.
    ordered = in_order if name != "equivalence_classes" else lambda rows: sorted(rows, key=str)
    assert_same_rows(ordered(table.to_pylist()), ordered(expected.to_arrow().to_pylist()))
