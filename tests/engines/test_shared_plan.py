"""Groups share one plan: the same rows as with a plan for each, and nothing in the plan that has DuckDB plan again."""

import json

import pytest
from calls import DUCKDB

import synthpriv_sql
from synthpriv_sql.engines.duckdb import groups, shared_plan
from synthpriv_sql.errors import InfiniteValue
from synthpriv_sql.planner import planning
from synthpriv_sql.planner.headers import catalog

pytestmark = pytest.mark.duckdb_1

TABLE = """
CREATE TABLE {name} AS
SELECT CASE WHEN i % 5 < 4 THEN 'g''' || (i % 5) END AS "Group ""A"" of",
  CASE i % 11 WHEN 0 THEN NULL WHEN 1 THEN 'nan'::DOUBLE ELSE (i * {step} % 29) / 4 END AS "Age",
  (i * {step} % 13)::DECIMAL(9, 2) AS amount, DATE '2024-01-31' + (i * {step} % 40)::INT AS day,
  ('c' || (i * {step} % 7 % 3))::ENUM ('c0', 'c1', 'c2') AS city, (i % 2 = 0) AS flag, 1 AS constant{more}
FROM range(120) AS r(i)
"""
SIDES = {"synthetic": 5, "train": 7, "holdout": 11}
CALLS = {"dcr": 2, "nndr": 2, "holdout_share": 3, "membership": 3, "discernibility": 1}


def opened(more=""):
    session = synthpriv_sql.connect()
    for name, step in SIDES.items():
        session.connection.execute(TABLE.format(name=name, step=step, more=more.format(step=step))).fetchall()
    return session


@pytest.fixture
def prepared(monkeypatch):
    """The texts of the statements whose plan is shared."""
    texts = []
    of = shared_plan.SharedPlan._reading_rows
    monkeypatch.setattr(
        shared_plan.SharedPlan, "_reading_rows", lambda self, statement: texts.append(of(self, statement)) or texts[-1]
    )
    return texts


def called(session, name, **options):
    sides = {side: side for side in list(SIDES)[: CALLS[name]]}
    given = {"data": "synthetic", "quasi_identifiers": ["city", "flag"]} if name == "discernibility" else sides
    return session.call(name, **given, group_by=['Group "A" of'], **options)


def left_over(session):
    names = session.connection.execute(
        "SELECT name FROM duckdb_prepared_statements() UNION ALL FROM (SELECT view_name FROM duckdb_views()) "
        "UNION ALL FROM (SELECT function_name FROM duckdb_functions())"
    ).fetchall()
    return sorted(name for (name,) in names if name.startswith("synthpriv_"))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", CALLS)
def test_the_rows_are_those_of_a_plan_for_each_group(name, prepared, monkeypatch):
    with opened() as session:
        before = left_over(session)
        found = called(session, name)
        assert left_over(session) == before
        assert len(prepared) == (DUCKDB >= 2)
        monkeypatch.setattr(shared_plan, "possible", lambda statement: False)
        apart = called(session, name)
    assert found.fetchall() == apart.fetchall()
    assert (found.columns, found.sql) == (apart.columns, apart.sql)
    for text in prepared:
        assert not {"$1", "current_setting", '"train"', '"synthetic"'} & set(text.replace("(", " ").split())


@pytest.mark.parametrize("value", ["'101'::BIT", f"{2**128 - 1}::UHUGEINT"])
def test_what_arrow_lacks_is_planned_for_each_group(prepared, value):
    with opened(more=f", {value} AS odd") as session:
        assert len(called(session, "dcr", exclude=["odd"])) == 120
        assert prepared == []


ODD = """, [i % 3, NULL] AS list, {{'a': i % 5, 'B c': 'x' || i % 2}} AS struct, i::HUGEINT * 10::HUGEINT ** 20 AS huge,
  md5(i::VARCHAR)::UUID AS id, TIMESTAMPTZ '2024-01-31 12:00:00+00' + to_hours((i * {step} % 99)::INT) AS moment,
  TIME '10:00' AS "time", ('x' || i % 3)::BLOB AS blob, to_days((i % 3)::INT) AS span, (i % 7)::UTINYINT AS tiny,
  [i % 2, 1.5]::DOUBLE[2] AS pair, TIMESTAMP_NS '2024-01-31 12:00:00.123456789' AS ns
"""


def test_values_of_every_type_are_those_of_a_plan_for_each_group(prepared, monkeypatch):
    names = ["list", "struct", "huge", "id", "moment", "time", "blob", "span", "tiny", "pair", "ns", "amount", "city"]
    given = {"data": "synthetic", "quasi_identifiers": names, "group_by": ["flag"]}
    with opened(more=ODD) as session:
        found = session.equivalence_classes(**given).to_arrow()
        assert len(prepared) == (DUCKDB >= 2)
        monkeypatch.setattr(shared_plan, "possible", lambda statement: False)
        apart = session.equivalence_classes(**given).to_arrow()
    assert found.schema == apart.schema
    assert len(found) == 120
    assert sorted(map(repr, found.to_pylist())) == sorted(map(repr, apart.to_pylist()))


def test_a_plan_that_duckdb_makes_again_has_the_same_rows(prepared, monkeypatch):
    """It does if the statement reads a setting, and may do so for other reasons in another version."""
    with opened() as session:
        wanted = called(session, "holdout_share").fetchall()
        monkeypatch.setattr(shared_plan.SharedPlan, "_setting", lambda self, setting: setting)
        assert called(session, "holdout_share").fetchall() == wanted
    assert ["current_setting" in text for text in prepared] == [False, True][: len(prepared)]


def test_large_groups_are_planned_one_by_one(prepared, monkeypatch):
    monkeypatch.setattr(shared_plan, "ROWS", 2 * 120 / 5 - 1)
    with opened() as session:
        assert len(called(session, "dcr")) == 120
    assert prepared == []


@pytest.mark.one_in(2)
@pytest.mark.parametrize("end", ["COMMIT", "ROLLBACK"])
def test_groups_within_a_transaction_of_the_caller(end):
    with opened() as session:
        before = left_over(session)
        wanted = called(session, "dcr").fetchall()
        session.connection.execute("BEGIN")
        session.connection.execute("CREATE TABLE another AS SELECT 1 AS a")
        session.connection.execute("UPDATE train SET amount = amount + 1")
        within = called(session, "dcr").fetchall()
        assert within != wanted
        session.connection.execute("INSERT INTO another VALUES (2)")
        session.connection.execute(end)
        assert left_over(session) == before
        assert called(session, "dcr").fetchall() == (within if end == "COMMIT" else wanted)


def test_a_number_that_arrow_lacks_is_given_as_text():
    """As a decimal of Arrow the largest was -1."""
    with synthpriv_sql.connect() as session:
        session.connection.execute(f"CREATE TABLE given AS SELECT {2**128 - 1}::UHUGEINT AS large, 5 AS n")
        session.connection.execute("CREATE TABLE train AS SELECT range::UHUGEINT AS large, range % 3 n FROM range(9)")
        assert session.call("safe", synthetic="given", train="train").fetchall() == [(str(2**128 - 1), 5)]


def test_a_collation_counts_in_each_group():
    """Arrow has no collations, by which values of different letters are one."""
    with synthpriv_sql.connect() as session:
        session.connection.execute("CREATE TABLE data (part VARCHAR, city VARCHAR COLLATE nocase)")
        session.connection.execute("INSERT INTO data SELECT i % 2, ['a', 'A', 'b'][1 + i % 3] FROM range(60) AS r(i)")
        call = {"data": "data", "quasi_identifiers": ["city"]}
        assert session.call("discernibility", **call).fetchall()[0][0] == 40**2 + 20**2
        of_groups = session.call("discernibility", **call, group_by=["part"]).fetchall()
    assert [row[:2] for row in of_groups] == [(part, 20**2 + 10**2) for part in "01"]


def test_all_groups_are_of_one_state_of_the_database(monkeypatch):
    """Rows that somebody deletes while groups are run are still those of the call."""
    with opened() as session:
        wanted = called(session, "dcr").fetchall()
        hand_over = shared_plan.SharedPlan.hand_over

        def meanwhile(self, rows):
            with session.connection.cursor() as other:
                other.execute("DELETE FROM train WHERE random() < 0.5")
            return hand_over(self, rows)

        monkeypatch.setattr(shared_plan.SharedPlan, "hand_over", meanwhile)
        assert called(session, "dcr").fetchall() == wanted
        if DUCKDB >= 2:
            assert session.connection.execute("SELECT count(*) < 120 FROM train").fetchall() == [(True,)]


def test_an_error_in_a_group_leaves_nothing_behind():
    with opened() as session:
        session.connection.execute("""UPDATE train SET "Age" = 'inf' WHERE "Group ""A"" of" IS NULL""")
        before = left_over(session)
        with pytest.raises(InfiniteValue, match='column "Age" of "train"'):
            called(session, "dcr")
        assert left_over(session) == before
        assert len(called(session, "discernibility")) > 0


def test_duckdb_does_not_plan_the_statement_again(tmp_path):
    """DuckDB says how long it bound a statement: a run after the first takes the plan that is there."""
    with opened() as session:
        connection = session.connection
        given = {"synthetic": "synthetic", "train": "train", "group_by": ['Group "A" of']}
        plan = planning.plan(session.engine, catalog.function("dcr"), given)
        assert shared_plan.possible(plan.statement) == (DUCKDB >= 2)
        if DUCKDB < 2:
            return
        first, second = plan.groups.each[:2]
        with groups._shared(connection, plan.statement, first) as hand_over:
            connection.execute(hand_over(first)).fetchall()
            run = hand_over(second)
            connection.execute("SET enable_profiling = 'json'")
            connection.execute(f"SET profiling_output = '{tmp_path / 'run.json'}'")
            connection.execute(run).fetchall()
            connection.execute("SET enable_profiling = 'no_output'")
        profile = json.loads((tmp_path / "run.json").read_text())
        assert profile["planner"]["binding_time"] < 1e-3
