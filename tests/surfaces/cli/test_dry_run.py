"""What a call would do: statements, what leaves the database, rows of each step, and what is left out."""

import json
from dataclasses import replace

import pytest
from calls import cli

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.planner.headers import catalog

TRIO = {"synthetic": "synthetic", "train": "train", "holdout": "holdout"}
SIZES = {"synthetic": 20, "train": 30, "holdout": 10}


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    path = tmp_path_factory.mktemp("dry") / "people.duckdb"
    with synthpriv_sql.connect(str(path)) as session:
        for name, rows in SIZES.items():
            session.connection.execute(
                f"CREATE TABLE {name} AS SELECT range AS id, range / 3 AS n, 'a' || range % 3 AS c, 'x' AS unread "
                f"FROM range({rows})"
            )
    return path


@pytest.fixture(scope="module")
def opened(database):
    with synthpriv_sql.connect(str(database), read_only=True) as session:
        yield session


def steps(plan, kind):
    return [row for row in plan if row["step"] == kind]


def test_searches_have_the_rows_that_they_search(opened):
    plan = opened.plan("neighbors", queries="synthetic", reference="train", k=3, columns=["n", "c"], key="id")
    assert [(row["what"], row["rows"], row["columns"]) for row in steps(plan, "read")] == [
        ('queries: "synthetic"', 20, ["id", "n", "c"]),
        ('reference: "train"', 30, ["id", "n", "c"]),
    ]
    (search,) = steps(plan, "search")
    assert (search["what"], search["rows"], search["against"]) == ('"synthetic" → "train"', 20, 30)
    assert search["bytes"] == 30 * (28 + 10 + 64 + 64)  # of one number and one category: decision 0004
    (statement,) = steps(plan, "statement")
    assert (statement["place"], statement["note"]) == ("DuckDB", "nothing but the result leaves the database")
    ran = opened.neighbors("synthetic", "train", k=3, columns=["n", "c"], key="id")
    assert plan.sql.endswith(ran.sql)
    assert [part for part in ran.run_seconds if part.startswith("search")] == [f"search, {search['what']}"]


def test_an_evaluation_is_planned_and_not_run(opened, monkeypatch):
    ran = []
    run = opened.engine.run
    monkeypatch.setattr(opened.engine, "run", lambda *given: ran.append(given) or run(*given))
    evaluate = catalog.function("evaluate")
    fewer = replace(evaluate, sets={**evaluate.sets, "most": 25})
    monkeypatch.setattr(catalog, "function", lambda name: fewer if name == "evaluate" else catalog.functions()[name])
    plan = opened.plan("evaluate", **TRIO, key="id")
    assert ran == []
    monkeypatch.undo()
    kernel = [row for row in plan if row["place"] == opened.engine.kernel]
    assert len(kernel) == int(steps(plan, "statement")[0]["what"].split(", ")[1].split()[0])
    both = [row for row in steps(plan, "search") if row["what"] == '"synthetic" → "train" and "holdout"']
    assert {(row["rows"], row["against"]) for row in both} == {(20, 40)}
    assert {row["step"] for row in kernel} >= {"search", "learning", "combinations", "search for agreement"}
    assert [row["what"] for row in steps(plan, "left out")] == [
        "learned uses 25 of the 30 rows of train, sampled with seed"
    ]


def test_what_is_not_given_is_left_out(opened):
    plan = opened.plan("evaluate", synthetic="synthetic", train="train", key="id")
    assert steps(plan, "left out")[0]["what"].startswith("comparisons with a holdout")
    with pytest.raises(errors.UnknownColumn):
        opened.plan("dcr", synthetic="synthetic", train="train", columns=["nobody"])
    with pytest.raises(errors.OptionError, match="a call with children makes several calls"):
        opened.plan("evaluate", **TRIO, children={"c": ("synthetic", "train", "holdout", "id")})


def test_the_command_prints_it(database):
    sides = [text for name in TRIO for text in (f"--{name}", name)]
    code, out, err = cli("plan", "holdout-share", *sides, "--database", str(database), "--format", "json")
    assert (code, err) == (0, "")
    rows = json.loads(out)
    assert [row["step"] for row in rows[:4]] == ["read", "read", "read", "statement"]
    assert cli("plan", "copies", *sides[:4], "--database", str(database))[1].splitlines()[0].startswith("step")


def test_postgresql_says_what_leaves_it(postgres_server):
    with synthpriv_sql.connect(postgres_server.url) as session:
        people = "(SELECT n, n % 3 AS c FROM generate_series(1, 50) AS t(n))"
        plan = session.plan("dcr", synthetic=people, train=people)
        leaving = steps(plan, "leaves")
        assert {"n", "c"} <= {name for row in leaving for name in row["columns"]}
        assert all(row["bytes"] >= row["rows"] for row in leaving)
        assert {row["place"] for row in steps(plan, "search")} == {session.engine.kernel}
        assert steps(session.plan("copies", synthetic=people, train=people), "leaves") == []
