"""Long statements on large tables run in stages: the same rows to the bit, one state of the database, nothing left."""

import math

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from calls import create
from sqlglot import parse_one

import synthpriv_sql
from synthpriv_sql.engines.duckdb import between, stages
from synthpriv_sql.errors import Cancelled, InfiniteValue, Stopped, SynthprivError
from synthpriv_sql.planner.statement.parts import Assembled, Part
from synthpriv_sql.udf.encoded import compressed

pytestmark = pytest.mark.duckdb_1

TRIO = ("synthetic", "train", "holdout")


def people(rows, seed):
    random = np.random.default_rng(seed)
    return pa.table(
        {
            "number": random.normal(size=rows).round(2),
            "whole": pa.array([None if i % 11 == 3 else int(v) for i, v in enumerate(random.integers(0, 50, rows))]),
            "kind": random.choice(list("abcd"), rows),
            "day": pa.array(random.integers(0, 900, rows).astype("datetime64[D]")),
            "flag": random.random(rows) < 0.5,
        }
    )


TABLES = {name: people(rows, seed) for seed, (name, rows) in enumerate(zip(TRIO, (70, 80, 60), strict=True))}
SHORT = {"attack": ["distance", "agreement"], "named_by": "uniques"}
"""What makes evaluate quick: learned takes nearly all of the time of small tables."""


def staging(monkeypatch):
    """Have stages run whatever the size; gives how many ran."""
    ran = []
    hold = stages._Stages.hold

    def counted(self, part):
        ran.append(part.name)
        hold(self, part)

    monkeypatch.setattr(stages._Stages, "hold", counted)
    monkeypatch.setattr(stages, "PARTS", 0)
    monkeypatch.setattr(stages, "ROWS", 0)
    return ran


@pytest.fixture
def staged(monkeypatch):
    return staging(monkeypatch)


@pytest.fixture
def tables(session):
    create(session, **TABLES)
    return session


def rows(result):
    """What a call gives, to the bit: NaN is equal to itself, and 0.0 is not -0.0."""
    return [list(map(repr, row.values())) for row in result.to_arrow().to_pylist()]


def in_one(session, monkeypatch, call):
    """What a function of a session gives where statements run whole."""
    with monkeypatch.context() as whole:
        whole.setattr(stages, "ROWS", math.inf)
        return call(session)


def left(session):
    """What stages have left: names that are registered, temporary tables, and pages."""
    names = "SELECT view_name FROM duckdb_views() WHERE view_name LIKE 'synthpriv_stage%'"
    temporary = "SELECT table_name FROM duckdb_tables() WHERE temporary"
    return [*session.connection.execute(f"{names} UNION ALL {temporary}").fetchall(), *compressed._STAYING]


WAYS = {
    "tables": lambda folder, name: name,
    "views": lambda folder, name: f"{name}_seen",
    "queries": lambda folder, name: f"(SELECT * FROM {name} WHERE whole IS NULL OR whole <> 7)",
    "parquet": lambda folder, name: f"{folder}/{name}.parquet",
    "csv": lambda folder, name: f"{folder}/{name}.csv",
    "arrow": lambda folder, name: TABLES[name],
    "pandas": lambda folder, name: TABLES[name].to_pandas(),
}


# Each way inside or outside of a transaction, tables both; those outside, in `make test`, are the next test.
@pytest.mark.parametrize(
    ("way", "inside"),
    [
        pytest.param(
            way,
            inside,
            id=f"{way}-{'in a transaction' if inside else 'alone'}",
            marks=pytest.mark.again if way == "queries" else pytest.mark.nightly,
        )
        for number, way in enumerate(WAYS)
        for inside in (True if way == "tables" else bool(number % 2),)
    ],
)
def test_stages_give_the_rows_of_the_one_statement(tables, staged, monkeypatch, tmp_path, way, inside):
    for name, table in TABLES.items():
        tables.connection.execute(f"CREATE OR REPLACE VIEW {name}_seen AS FROM {name}")
        pyarrow.parquet.write_table(table, f"{tmp_path}/{name}.parquet")
        pyarrow.csv.write_csv(table, f"{tmp_path}/{name}.csv")

    def call(session):
        return session.evaluate(*(WAYS[way](tmp_path, name) for name in TRIO), **SHORT)

    if inside:
        tables.connection.begin()
        tables.connection.execute("DELETE FROM train WHERE whole = 3")
    expected = rows(in_one(tables, monkeypatch, call))
    assert not staged
    assert rows(call(tables)) == expected
    assert len(staged) > 20
    assert left(tables) == []
    if inside:
        assert tables.connection.execute("SELECT count(*) FROM train WHERE whole = 3").fetchall() == [(0,)]
        tables.connection.rollback()
        assert tables.connection.execute("SELECT count(*) FROM train").fetchall() == [(80,)]


def test_pages_stay_in_this_process_and_duckdb_has_their_keys(tables, staged, monkeypatch):
    lists = []
    register = between.register

    def seen(connection, name, rows, types):
        lists.extend(rows.table.column(i) for i, type_ in enumerate(types) if type_ == "BLOB[]")
        return register(connection, name, rows, types)

    monkeypatch.setattr(between, "register", seen)
    tables.evaluate(*TRIO, **SHORT)
    keys = [key for column in lists for listed in column.to_pylist() for key in listed or ()]
    assert len(keys) >= 6
    assert {len(key) for key in keys} == {16}
    assert len({*keys}) == len(keys)
    assert left(tables) == []


@pytest.fixture(scope="module")
def apart():
    """A session of the next two."""
    with synthpriv_sql.connect() as session:
        create(session, **TABLES)
        yield session


@pytest.fixture(scope="module")
def whole(apart):
    """What the one statement gives of the tables: the result, and the parts of the work that progress names."""
    labels = set()
    return apart.evaluate(*TRIO, **SHORT, progress=lambda done, total, label: labels.add(label)), labels


@pytest.fixture(scope="module")
def in_stages(apart):
    """The same in stages, how many ran, and what they have left."""
    labels = set()
    with pytest.MonkeyPatch.context() as monkeypatch:
        ran = staging(monkeypatch)
        result = apart.evaluate(*TRIO, **SHORT, progress=lambda done, total, label: labels.add(label))
    return result, labels, len(ran), left(apart)


def test_stages_give_the_rows_of_the_one_statement_on_tables(whole, in_stages):
    (expected, _), (found, _, ran, remains) = whole, in_stages
    assert rows(found) == rows(expected)
    assert ran > 20
    assert remains == []


@pytest.mark.slow
def test_all_of_evaluate_is_the_same_in_stages(tables, staged, monkeypatch):
    expected = rows(in_one(tables, monkeypatch, lambda session: session.evaluate(*TRIO)))
    assert rows(tables.evaluate(*TRIO)) == expected


def test_names_types_durations_and_progress_are_those_of_the_one_statement(whole, in_stages):
    (expected, told), (result, labels, _, _) = whole, in_stages
    assert (result.to_arrow().schema, result.sql) == (expected.to_arrow().schema, expected.sql)
    assert (set(result.run_seconds), labels) == (set(expected.run_seconds), told)


def test_what_is_read_once_is_one_table(session, staged):
    """A view whose rows are others at each reading: each record is its own nearest."""
    session.connection.execute("CREATE VIEW drawn AS SELECT random() AS x, random() AS y FROM range(50)")
    assert session.dcr("drawn", "drawn")["dcr"] == [0.0] * 50
    assert staged


@pytest.mark.nightly
def test_what_others_commit_meanwhile_is_not_seen(tables, staged, whole):
    expected = rows(whole[0])
    with tables.connection.cursor() as other:
        told = []

        def meddle(done, total, label):
            if not told:
                other.execute("DELETE FROM train WHERE whole > 20; DELETE FROM holdout")
            told.append(label)

        assert rows(tables.evaluate(*TRIO, **SHORT, progress=meddle)) == expected
    assert told
    assert tables.connection.execute("SELECT count(*) FROM holdout").fetchall() == [(0,)]


@pytest.mark.again
def test_rows_that_no_stage_reads_any_more_are_let_go(tables, staged, monkeypatch):
    """DuckDB remembers what was registered in a transaction until its end: rows would all be held until then."""
    held, last = [], []
    register, end = between.register, stages._Stages.end

    def registered(connection, name, rows, types):
        held.append(rows)
        return register(connection, name, rows, types)

    def ending(self):
        last.append((sum(rows.table.num_rows > 0 for rows in held), len(self._held)))
        return end(self)

    monkeypatch.setattr(between, "register", registered)
    monkeypatch.setattr(stages._Stages, "end", ending)
    tables.evaluate(*TRIO, **SHORT)
    ((full, needed),) = last
    assert full <= needed < len(held) / 2
    assert not any(rows.table.num_rows for rows in held)


@pytest.mark.parametrize(
    "inside", [pytest.param(False, id="alone"), pytest.param(True, id="in a transaction", marks=pytest.mark.again)]
)
def test_an_error_says_the_same_and_leaves_nothing(tables, staged, monkeypatch, inside):
    tables.connection.execute("UPDATE holdout SET number = 'inf' WHERE rowid = 5")

    def said(session):
        if inside:
            session.connection.begin()
        with pytest.raises(InfiniteValue) as raised:
            session.evaluate(*TRIO, **SHORT)
        if inside:
            session.connection.rollback()
        return str(raised.value)

    expected = in_one(tables, monkeypatch, said)
    assert said(tables) == expected
    assert staged
    assert left(tables) == []
    assert len(tables.dcr("synthetic", "train")) == 70


@pytest.mark.parametrize("way", ["tables", "arrow"])
def test_stopped_stages_leave_nothing(tables, staged, way):
    """Within a search, which asks whether to stop, as between stages."""
    stop = []

    def cancel(done, total, label):
        if not stop:
            stop.append(len(staged))
            tables.cancel()

    with pytest.raises((Cancelled, Stopped)):
        tables.evaluate(*(WAYS[way]("", name) for name in TRIO), **SHORT, progress=cancel)
    assert stop
    assert left(tables) == []
    # No transaction is left open either: another connection can write, and this one sees it.
    with tables.connection.cursor() as other:
        other.execute("DELETE FROM train")
    with pytest.raises(SynthprivError):
        tables.dcr("synthetic", "train")
    assert len(tables.dcr("synthetic", "holdout")) == 70


@pytest.mark.again
def test_types_that_arrow_lacks_run_as_one_statement(session, staged):
    create(session, **TABLES)
    for name in TRIO:
        session.connection.execute(f"ALTER TABLE {name} ADD COLUMN moment TIMETZ")
    session.evaluate(*TRIO, exclude=["moment"], **SHORT)
    assert not staged


@pytest.mark.again
def test_groups_run_as_one_statement_each(tables, staged):
    tables.evaluate(*TRIO, group_by="flag", **SHORT)
    assert not staged


def test_nan_among_held_rows_is_greater_than_any_number(session, staged):
    """DuckDB 1 has Arrow filter what it reads from there, by another rule."""
    session.connection.execute("CREATE TABLE numbers AS SELECT unnest([1.0, 'NaN'::DOUBLE, 9.0]) AS x")
    statement = _statement("SELECT x, 1::HUGEINT AS n FROM numbers", "SELECT x, n FROM held WHERE x > 5 ORDER BY x")
    found = stages.run(session.connection, statement, session.connection.execute, lambda: False)
    assert list(map(repr, found.table["x"].to_pylist())) == ["9.0", "nan"]
    assert found.types == ["DOUBLE", "HUGEINT"]
    assert left(session) == []


def test_lists_of_blobs_of_the_user_are_no_pages(session, staged):
    blobs = "['\\x01'::BLOB, repeat('k', 16)::BLOB, repeat('p', 40)::BLOB]"
    session.connection.execute(f"CREATE TABLE given AS SELECT {blobs} AS pages UNION ALL SELECT NULL")
    statement = _statement("SELECT pages FROM given", "SELECT pages FROM held WHERE pages IS NOT NULL")
    found = stages.run(session.connection, statement, session.connection.execute, lambda: False)
    assert found.table["pages"].to_pylist() == [[b"\x01", b"k" * 16, b"p" * 40]]
    assert left(session) == []


def _statement(held, query):
    part = Part("held", parse_one(held, dialect="duckdb"), True)
    return Assembled([part], parse_one(query, dialect="duckdb"), ())


@pytest.mark.again
def test_large_tables_run_in_stages(monkeypatch):
    random = np.random.default_rng(0)
    monkeypatch.setattr(stages, "ROWS", 600)

    def large(rows):
        return pa.table({"x": random.normal(size=rows), "y": random.integers(0, 40, rows)})

    told = []
    with synthpriv_sql.connect() as session:
        hold = stages._Stages.hold
        monkeypatch.setattr(stages._Stages, "hold", lambda self, part: (told.append(part.name), hold(self, part)))
        create(session, synthetic=large(180), train=large(240), holdout=large(179))
        session.evaluate(*TRIO, attack="uniques", named_by="uniques")
        assert not told
        create(session, holdout=large(180))
        found = rows(session.evaluate(*TRIO, attack="uniques", named_by="uniques"))
        assert told
        whole = in_one(session, monkeypatch, lambda whole: whole.evaluate(*TRIO, attack="uniques", named_by="uniques"))
        assert found == rows(whole)
