"""A loop over small tables takes the plan that DuckDB has: the same rows as without, whatever happens between calls."""

import json
import re
import threading

import pytest
from suites import only_where_tested

import synthpriv_sql
from synthpriv_sql.engines.duckdb import kept_plans
from synthpriv_sql.engines.duckdb.shared_plan import SharedPlan
from synthpriv_sql.errors import Cancelled, InfiniteValue

only_where_tested("kept plans")

TABLE = """
CREATE OR REPLACE TABLE "{name}" AS
SELECT CASE i % 11 WHEN 0 THEN NULL WHEN 1 THEN 'nan'::DOUBLE ELSE (i * {step} % 29) / 4 END AS age,
  (i * {step} % 13)::DECIMAL(9, 2) AS amount, DATE '2024-01-31' + (i * {step} % 40)::INT AS day,
  ('c' || (i * {step} % 7 % 3))::ENUM ('c0', 'c1', 'c2') AS city, (i % 2 = 0) AS flag,
  (i * {step} % 17)::HUGEINT AS huge, TIMESTAMPTZ '2024-01-31 12:00:00+00' + to_hours((i * {step} % 99)::INT) AS moment,
  i * {step} % 31 AS "it's"
FROM range({rows}) AS r(i)
"""
SIDES = {"synthetic": 5, "train": 7, "holdout": 11}


def create(session, rows=90, prefix="", shift=0):
    for name, step in SIDES.items():
        session.connection.execute(TABLE.format(name=prefix + name, step=step + shift, rows=rows))
    return {name: prefix + name for name in SIDES}


def repeated(session, name="holdout_share", **given):
    """Call often enough for a plan to be kept."""
    for _ in range(kept_plans.RUNS + 1):
        found = session.call(name, **given)
    return found.fetchall()


def fresh(session, name="holdout_share", **given):
    """What a session without plans finds on the same connection."""
    return synthpriv_sql.register(session.connection).call(name, **given).fetchall()


@pytest.fixture
def session():
    with synthpriv_sql.connect() as session:
        yield session


@pytest.fixture
def prepared(monkeypatch):
    """The plans that are made."""
    made = []
    of = SharedPlan.__init__
    monkeypatch.setattr(SharedPlan, "__init__", lambda self, *given: made.append(self) or of(self, *given))
    return made


def names_of(connection):
    prepared = connection.execute("SELECT name FROM duckdb_prepared_statements()").fetchall()
    tables = (
        connection.execute("SHOW ALL TABLES").fetchall()
        + connection.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()
    )
    return prepared, tables


@pytest.mark.parametrize("name", ["holdout_share", "membership", "fidelity", "split_check", "evaluate"])
def test_other_tables_of_the_same_columns_have_the_rows_of_a_plan_of_their_own(name, session, prepared, monkeypatch):
    monkeypatch.setattr(kept_plans, "RUNS", 1)

    def day(number, rows):
        tables = create(session, rows, f"day {number}'s ", number)
        return {side: f'"{table}"' for side, table in tables.items()}

    repeated(session, name, **day(0, 90))
    (plan,) = prepared
    for number, rows in ((1, 90), (2, 130), (3, 41)):
        given = day(number, rows)
        found = session.call(name, **given)
        assert prepared == [plan]
        assert found.fetchall() == fresh(session, name, **given)
        assert given["train"] in found.sql


def test_duckdb_does_not_plan_again(session, tmp_path, monkeypatch):
    """DuckDB says how long it bound a statement: a run by a kept plan takes no time for it."""
    given = create(session)
    repeated(session, **given)
    execute = session.engine._execute
    ran = []

    def profiled(text):
        ran.append(text)
        session.connection.execute("SET enable_profiling = 'json'")
        session.connection.execute(f"SET profiling_output = '{tmp_path / 'run.json'}'")
        return execute(text)

    monkeypatch.setattr(session.engine, "_execute", profiled)
    session.holdout_share(**given)
    session.connection.execute("SET enable_profiling = 'no_output'")
    assert [text.split()[0] for text in ran] == ["EXECUTE"]
    profile = json.loads((tmp_path / "run.json").read_text())
    assert profile["planner"]["binding_time"] < 1e-3


def test_short_statements_and_large_tables_are_planned_as_before(session, prepared, monkeypatch):
    given = create(session)
    repeated(session, "dcr", synthetic="synthetic", train="train")
    monkeypatch.setattr(kept_plans, "ROWS", 3 * 90 - 1)
    repeated(session, **given)
    assert prepared == []
    monkeypatch.setattr(kept_plans, "ROWS", 3 * 90)
    session.holdout_share(**given)
    assert len(prepared) == 1


def test_nothing_of_it_is_seen_between_calls(session):
    given = create(session)
    connection = session.connection
    prepared, tables = names_of(connection)
    repeated(session, **given)
    (kept,) = session.engine._kept._kept.values()
    now, there = names_of(connection)
    assert there == tables
    assert len(now) == len(prepared) + 1
    assert all(handed.table.num_rows == 0 for handed in kept.plan._handed.values())


def test_plans_that_were_not_used_last_are_dropped(session, monkeypatch):
    given = create(session)
    monkeypatch.setattr(kept_plans, "_MOST_PARTS", 100)
    before, _ = names_of(session.connection)
    for excluded in ("age", "amount", "day"):
        repeated(session, **given, exclude=[excluded])
    after, _ = names_of(session.connection)
    assert len(after) == len(before) + 2


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE train ALTER age TYPE INTEGER USING CASE WHEN isnan(age) THEN NULL ELSE age::INT END",
        "ALTER TABLE train ALTER amount SET NOT NULL",
        'CREATE OR REPLACE TABLE train AS SELECT "it\'s", moment, flag, city, day, amount, age, huge FROM train',
        "ALTER TABLE train ALTER city TYPE ENUM ('c2', 'c1', 'c0', 'x')",
        "CREATE OR REPLACE TABLE train AS SELECT * REPLACE (city::VARCHAR AS city) FROM train",
        "CREATE OR REPLACE VIEW v AS FROM train",
        "DELETE FROM train WHERE flag",
        'UPDATE train SET age = 3, "it\'s" = 1',
        "SET threads = 1",
        "SET TimeZone = 'Asia/Tokyo'",
        "SET default_null_order = 'nulls_first'",
        "SET default_collation = 'nocase'",
        "SET memory_limit = '1GB'",
        "CREATE TEMPORARY TABLE train AS FROM main.train LIMIT 60",
    ],
)
def test_what_changes_between_calls_counts(change, session):
    given = create(session)
    before = repeated(session, **given)
    session.connection.execute(change)
    given["train"] = "v" if "VIEW v" in change else "train"
    for _ in range(2):
        found = session.holdout_share(**given).fetchall()
        assert found == fresh(session, **given)
    if change.startswith(("DELETE", "UPDATE", "CREATE TEMP")):
        assert found != before


def test_a_collation_counts(session, prepared):
    """No type shows it, and Arrow has none; tables with it are planned on every run."""
    for name, step in SIDES.items():
        session.connection.execute(f"CREATE TABLE {name} (city VARCHAR, number INTEGER)")
        session.connection.execute(
            f"INSERT INTO {name} SELECT ['a', 'A', 'b', 'á'][1 + i * {step} % 9 % 4], i % {step} FROM range(90) AS r(i)"
        )
    given = {name: name for name in SIDES}
    plain = repeated(session, "fidelity", **given)
    for collation in ("nocase", "noaccent", "de"):
        for name in SIDES:
            session.connection.execute(
                f"CREATE OR REPLACE TABLE {name}_2 (city VARCHAR COLLATE {collation}, number INT)"
            )
            session.connection.execute(f"INSERT INTO {name}_2 FROM {name}")
        other = {name: f"{name}_2" for name in SIDES}
        assert session.fidelity(**other).fetchall() == fresh(session, "fidelity", **other)
    assert len(prepared) == 1
    assert session.fidelity(**given).fetchall() == plain


def test_rows_of_an_open_transaction_are_read_and_rolled_back(session):
    given = create(session)
    before = repeated(session, **given)
    session.connection.begin()
    session.connection.execute("DELETE FROM train WHERE flag")
    within = session.holdout_share(**given).fetchall()
    assert within == fresh(session, **given) != before
    session.connection.rollback()
    assert session.holdout_share(**given).fetchall() == before


def test_a_plan_made_in_a_transaction_stays_when_that_is_rolled_back(session, prepared):
    given = create(session)
    session.connection.begin()
    found = repeated(session, **given)
    session.connection.rollback()
    assert session.holdout_share(**given).fetchall() == found
    assert len(prepared) == 1


def test_frames_files_queries_and_streams(session, tmp_path):
    pa = pytest.importorskip("pyarrow")
    given = create(session)
    wanted = repeated(session, **given)
    arrow = {name: session.connection.table(name).to_arrow_table() for name in SIDES}
    for name in SIDES:
        session.connection.execute(f"COPY {name} TO '{tmp_path / name}.parquet'")
    forms = {
        "files": lambda name: str(tmp_path / f"{name}.parquet"),
        "queries": lambda name: f"(FROM {name})",
        "tables of Arrow": arrow.__getitem__,
        "streams": lambda name: pa.RecordBatchReader.from_batches(arrow[name].schema, arrow[name].to_batches()),
    }
    for form in forms.values():
        for _ in range(kept_plans.RUNS + 2):
            found = session.holdout_share(**{name: form(name) for name in SIDES}).fetchall()
            assert found == wanted


def test_an_error_names_the_table_of_the_call_and_leaves_the_plan(session, prepared):
    given = create(session)
    wanted = repeated(session, **given)
    other = create(session, prefix="other_")
    session.connection.execute("UPDATE other_train SET age = 'inf' WHERE flag")
    with pytest.raises(InfiniteValue, match='column "age" of "other_train"'):
        session.holdout_share(**other)
    session.connection.execute("UPDATE other_train SET age = 1 WHERE flag")
    assert session.holdout_share(**other).fetchall() == fresh(session, **other)
    assert session.holdout_share(**given).fetchall() == wanted
    assert len([plan for plan in prepared if plan._connection is session.connection]) == 1


def test_a_call_that_is_cancelled_leaves_the_plan(session, prepared):
    given = create(session, 2_000)
    wanted = repeated(session, **given)

    stopped = []

    def stop(done, total, label):
        if not stopped:
            stopped.append(label)
            session.cancel()

    with pytest.raises(Cancelled):
        session.holdout_share(**given, progress=stop)
    assert session.holdout_share(**given).fetchall() == wanted
    assert len(prepared) == 1


def test_progress_and_durations_name_the_tables_of_the_call(session):
    repeated(session, **create(session))
    other = create(session, prefix="other_")
    labels = []
    found = session.holdout_share(**other, progress=lambda done, total, label: labels.append(label))
    assert any('"other_synthetic" → "other_train"' in label for label in labels)
    assert 'search, "other_synthetic" → "other_train"' in found.run.seconds
    assert not any('"train"' in label for label in [*labels, *found.run.seconds])


def test_sessions_and_threads_on_one_database(session):
    """Cursors are connections of their own, and each keeps its plans."""
    given = create(session)
    wanted = repeated(session, **given)
    found = []

    def loop():
        with session.connection.cursor() as cursor:
            here = synthpriv_sql.register(cursor)
            found.extend(here.holdout_share(**given).fetchall() for _ in range(kept_plans.RUNS + 3))

    threads = [threading.Thread(target=loop) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(5):
        assert session.holdout_share(**given).fetchall() == wanted
    for thread in threads:
        thread.join()
    assert found == [wanted] * len(threads) * (kept_plans.RUNS + 3)


def test_empty_tables_come_before_and_after(session):
    """A plan that was made with empty tables, or ran on them, is no less right."""
    given = create(session)
    wanted = fresh(session, "fidelity", **given)
    nothing = {name: f"(FROM {name} LIMIT 0)" for name in SIDES}
    for other in (given, nothing, given):
        try:
            found = repeated(session, "fidelity", **other)
        except synthpriv_sql.SynthprivError as error:
            with pytest.raises(type(error), match=re.escape(str(error))):
                fresh(session, "fidelity", **other)
        else:
            assert found == (wanted if other is given else fresh(session, "fidelity", **other))


def test_a_file_can_be_opened_again_after_a_session_with_plans(tmp_path):
    path = str(tmp_path / "d.duckdb")
    with synthpriv_sql.connect(path) as session:
        given = create(session)
        wanted = repeated(session, **given)
    with synthpriv_sql.connect(path, read_only=True) as session:
        assert repeated(session, **given) == wanted
