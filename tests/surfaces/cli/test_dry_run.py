"""What a call would do: statements, what leaves the database, rows of each step, and what is left out."""

import dataclasses
import json
import math
import os
import re
import statistics
from dataclasses import replace
from functools import cache

import pytest
from calls import cli
from loops import each

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.learned import conditionals, judging, nearness
from synthpriv_sql.planner.calls.rewriting import Call
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.results.calls import calibrating, estimating
from synthpriv_sql.results.calls.dry import foresee

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
    assert search["bytes"] == 30 * (29 + 10 + 64 + 64)  # of one number and one category: decision 0004
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


@pytest.mark.again
def test_the_last_step_says_how_long_it_takes(opened):
    plan = opened.plan("evaluate", **TRIO, key="id")
    last, parts = list(plan)[-1], [row["seconds"] for row in list(plan)[:-1] if row["seconds"] is not None]
    assert last["step"] == "time"
    assert last["seconds"] == pytest.approx(sum(parts))
    assert re.match(r"about \d+ s: statement \d+%", last["what"])
    forests = opened.plan("baseline", train="train", p=0.5)
    assert list(forests)[-1]["what"].endswith("and forests, which may take longer")
    # A sample goes through fewer rows.
    drawn = dict.fromkeys(TRIO, "(SELECT range AS a, range % 7 AS b FROM range(1_000))")
    counts = {row["rows"] for row in steps(opened.plan("evaluate", **drawn, sample=300), "read")}
    assert counts == {300}


REFERENCE = dataclasses.astuple(calibrating.REFERENCE)
OLDER = [(5_000, 14.83, 17.29), (20_000, 28.17, 55.28), (60_000, 109.42), (1_000_000, 368, 792)]
# Records of each of three tables, processor seconds of evaluate with 12 columns (dependent, then independent), and the
# speed of the machine before and after.
MEASURED = [
    (5_000, 28.42, (0.175, 0.0085, 0.0469), (0.138, 0.0113, 0.0394)),
    (20_000, 46.32, (0.115, 0.0078, 0.0400), (0.139, 0.0119, 0.0685)),
    (60_000, 144.58, (0.178, 0.0096, 0.0547), (0.140, 0.0085, 0.0446)),
    (5_000, 27.57, (0.1610, 0.0109, 0.0546), (0.1370, 0.0079, 0.0447)),
    (5_000, 38.22, (0.1196, 0.0087, 0.0432), (0.2290, 0.0135, 0.0749)),
    (20_000, 47.04, (0.1683, 0.0105, 0.0600), (0.1754, 0.0104, 0.0545)),
    (20_000, 70.14, (0.1645, 0.0152, 0.0411), (0.1607, 0.0096, 0.0612)),
    (60_000, 151.48, (0.1440, 0.0085, 0.0430), (0.1458, 0.0108, 0.0581)),
    (60_000, 278.88, (0.1695, 0.0111, 0.0586), (0.2007, 0.0110, 0.0615)),
    # Of an older version with another kernel, on the machine of reference.
    *((rows, of, REFERENCE) for rows, *both in OLDER for of in both),
]


@pytest.fixture(scope="module")
def twelve():
    """A session of one thread, in which each table has as many rows, of 12 columns, as it is asked for."""
    columns = ", ".join(f"range % {2 + i} AS c{i}" for i in range(12))
    with synthpriv_sql.connect() as session:
        session.connection.execute("SET threads = 1")
        session.connection.execute("SET VARIABLE rows = 1")
        for name in TRIO:
            session.connection.execute(
                f"CREATE VIEW {name} AS SELECT {columns} FROM range(getvariable('rows')::BIGINT)"
            )
        yield session


@cache
def estimated(session, rows, speed):
    """The seconds of a whole plan, on one thread."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(calibrating, "speed", lambda: speed)
        session.connection.execute(f"SET VARIABLE rows = {rows}")
        return steps(session.plan("evaluate", **TRIO, effort="full"), "time")[0]["seconds"]


def within_a_factor_of_two(twelve, measured):
    rows, seconds, *speeds = measured
    total = estimated(twelve, rows, calibrating.Speed(*map(statistics.mean, zip(*speeds, strict=True))))
    assert seconds / 2 < total < 2 * seconds, total


# Those that took longest of each size come in `make test`.
test_estimates_are_within_a_factor_of_two = each("measured", [MEASURED[i] for i in (4, 6, 8, -1)])(
    within_a_factor_of_two
)
test_all_estimates_are_within_a_factor_of_two = pytest.mark.again(each("measured", MEASURED)(within_a_factor_of_two))


# Records of each of three tables, processor seconds of evaluate with 12 columns, those of a query in a pilot search.
PILOTED = [(300_000, 245.2, 10.9e-6), (1_000_000, 1326.7, 10.9e-6), (1_000_000, 397.4, 3.7e-6)]


@each("measured", PILOTED)
def test_a_pilot_search_tells_more_than_sizes(twelve, measured):
    rows, seconds, of_a_query = measured
    sizes = dict.fromkeys(TRIO, rows)
    call = Call.of("evaluate", {**TRIO, "effort": "full"})
    with pytest.MonkeyPatch.context() as patch, twelve._planned(call) as planned:
        patch.setattr(calibrating, "speed", lambda: calibrating.Speed(0.1372, 0.0070, 0.0296))
        found, by_sizes = (
            foresee(twelve.engine, planned, sizes, one).table.column("seconds")[-1].as_py()
            for one in (of_a_query, None)
        )
    assert seconds / 1.5 < found < 1.5 * seconds, found
    assert abs(math.log(found / seconds)) < abs(math.log(by_sizes / seconds))


def test_estimates_have_the_limits_of_learned():
    """They are written twice, so that a plan loads no kernel."""
    assert estimating._FORETOLD == (conditionals.LEAST_RECORDS, conditionals.MOST_RECORDS)
    assert estimating._FEW_ROWS == nearness.FEW_ROWS
    assert estimating._FEW_PERSONS == judging.FEW_PERSONS


# Queries, records searched among, processor seconds with 30 dependent columns, and those of the task of a search then.
WIDE = [(200_000, 200_000, 5.8, 0.127), (1_000_000, 1_000_000, 48.2, 0.155), (1_000_000, 2_000_000, 42.7, 0.113)]


@each("measured", WIDE)
def test_estimates_of_many_columns_are_within_a_factor_of_two(measured):
    rows, against, seconds, task = measured
    times = calibrating.Speed(task, 1.0, 1.0).times(calibrating.REFERENCE)
    found = estimating.of_step("search", estimating.Sizes(rows, against, 30), times)
    assert seconds / 2 < found < 2 * seconds, found


def test_the_speed_of_a_machine_is_measured_once(tmp_path, monkeypatch):
    file = tmp_path / calibrating.FILE
    measured = calibrating.kept(file)
    assert all(0.01 < took < 100 for took in dataclasses.astuple(measured.times(calibrating.REFERENCE)))
    monkeypatch.setattr(calibrating, "measure", lambda: calibrating.Speed(1.0, 2.0, 3.0))
    calibrating.kept.cache_clear()
    assert calibrating.kept(file) == measured
    # Another version of the package, or another file than ours, is measured anew.
    for text in (json.dumps(json.loads(file.read_text()) | {"version": "0"}), "[]", "{", "{}"):
        file.write_text(text)
        calibrating.kept.cache_clear()
        assert calibrating.kept(file).learning == 2.0
        assert json.loads(file.read_text())["processors"] == os.cpu_count()
    assert calibrating.kept(tmp_path / "nowhere" / calibrating.FILE).search == 1.0
    assert [path.name for path in tmp_path.iterdir()] == [calibrating.FILE]
    calibrating.kept.cache_clear()


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
