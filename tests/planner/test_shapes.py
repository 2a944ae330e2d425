"""Calls that differ in the names of their tables alone share a statement, and say what is true of their own tables."""

from concurrent.futures import ThreadPoolExecutor

import duckdb
import pyarrow as pa
import pytest
import sqlglot
from calls import create, quoted

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.planner import planning
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.statement import shapes
from synthpriv_sql.planner.statement.names import Words
from synthpriv_sql.planner.statement.queries import Statement

pytestmark = pytest.mark.duckdb_1

ROWS = {"x": [1, 2, 3, 5, 8, 13, 21, 34], "y": list("aabbccdd"), "g": [0, 1] * 4}
NAMES = ["plain", "train", "Mixed Case", 'quo"ted', "it's", "dcr"]


@pytest.fixture
def built(monkeypatch):
    """How many statements were put together."""
    shapes._similar.cache_clear()
    count = []
    build = Statement.build
    monkeypatch.setattr(Statement, "build", lambda *given: count.append(1) or build(*given))
    return count


@pytest.fixture(scope="module")
def tables():
    with synthpriv_sql.connect() as session:
        for i, name in enumerate(NAMES):
            create(session, **{name: pa.table(ROWS | {"x": [x + i for x in ROWS["x"]]})})
        session.connection.execute("CREATE SCHEMA other; CREATE TABLE other.train AS FROM train")
        yield session


def given_as(names):
    return [*map(quoted, names), "other.train", "(FROM train\nWHERE y <> 'z' -- it's\n)"]


CALLS = [
    ("dcr", {"group_by": "g", "key": "x"}),
    ("nndr", {"numeric": ["x"], "categorical": ["g"]}),
    ("dcr", {}),
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("name", "options"), CALLS)
def test_a_statement_is_the_one_that_its_own_names_would_give(tables, monkeypatch, name, options):
    def whole(call, relations, groups, build):
        reserved = planning.words_of(relations)
        return shapes.Written(build(relations, groups, Words(reserved)))

    shared = shapes.written
    for one in given_as(NAMES):
        for other in ('"Mixed Case"', one):
            given = {"synthetic": one, "train": other, **options}
            found = planning.plan(tables.engine, catalog.function(name), given)
            with monkeypatch.context() as patch:
                patch.setattr(shapes, "written", whole)
                alone = planning.plan(tables.engine, catalog.function(name), given)
            assert shapes.written is shared
            assert found.statement.tree().sql("duckdb") == alone.statement.tree().sql("duckdb")
            assert parsed(found.sql) == parsed(alone.sql)
            assert [part.source for part in found.statement.parts] == [part.source for part in alone.statement.parts]
            assert found.statement.compared == alone.statement.compared


def parsed(text):
    return sqlglot.parse_one(text, dialect="duckdb").sql("duckdb")


def test_a_loop_puts_one_statement_together(built, session):
    for i in range(10):
        create(session, **{f"s{i}": pa.table(ROWS), f"t{i}": pa.table(ROWS | {"x": [x + i for x in ROWS["x"]]})})
        found = session.dcr(f"s{i}", f"t{i}", columns=["x"], scaling="none", metric="euclidean")["dcr"]
        assert found == [min(abs(x - y - i) for y in ROWS["x"]) for x in ROWS["x"]]
    assert len(built) == 1
    # Other options and other types are other statements.
    session.dcr("s0", "t0", columns=["x"])
    create(session, d=pa.table(ROWS | {"x": [float(x) for x in ROWS["x"]]}))
    session.dcr("s0", "d", columns=["x"], scaling="none", metric="euclidean")
    assert len(built) == 3


def test_errors_name_their_own_table(session):
    for name in ("first", "Second's", 'third"'):
        create(session, **{name: pa.table({"x": ["1", "two"]}), f"empty {name}": pa.table({"x": [1]}).slice(1)})
        create(session, numbers=pa.table({"x": [1, 2]}))
        label = quoted(name)
        with pytest.raises(errors.RoleError) as met:
            session.dcr(label, "numbers", numeric=["x"])
        assert f'column "x" of {label} is compared as a number' in str(met.value)
        with pytest.raises(errors.EmptyTable) as met:
            session.dcr("numbers", quoted(f"empty {name}"))
        assert quoted(f"empty {name}") in str(met.value)
        with pytest.raises(errors.OptionError) as met:
            session.neighbors("numbers", label, numeric=["x"], exclude_self=True)
        assert f'"numbers" and {label} are not the same table' in str(met.value)


def test_a_table_that_changes_is_planned_anew(session):
    connection = session.connection
    create(session, s=pa.table({"x": [1, 2]}), t=pa.table({"x": [1, 9]}))
    called = "FROM synthpriv.dcr('s', 't', scaling := 'none', metric := 'euclidean')"
    connection.execute(f"CREATE VIEW v AS {called}")
    connection.execute(f"PREPARE p AS {called}")

    def found():
        in_python = session.dcr("s", "t", scaling="none", metric="euclidean").fetchall()
        assert connection.execute("EXECUTE p").fetchall() == connection.execute("FROM v").fetchall() == in_python
        return [distance for _, distance, *_ in in_python]

    assert found() == [0, 1]
    connection.execute("INSERT INTO t VALUES (2)")
    assert found() == [0, 0]
    connection.execute("ALTER TABLE s ADD COLUMN y INTEGER DEFAULT 0; ALTER TABLE t ADD COLUMN y INTEGER DEFAULT 3")
    assert found() == [3, 3]
    connection.execute("ALTER TABLE s ALTER y TYPE VARCHAR; ALTER TABLE t ALTER y TYPE VARCHAR")
    assert found() == [1, 1]
    create(session, s=pa.table({"z": [5, 6]}), t=pa.table({"z": [8, 7]}))
    assert found() == [2, 1]


def test_sessions_and_threads_keep_their_tables_apart():
    def work(i):
        with synthpriv_sql.connect() as session:
            session.connection.execute(f"CREATE TABLE s AS SELECT {i} AS x; CREATE TABLE t{i % 3} AS SELECT 0 AS x")
            return [session.dcr("s", f"t{i % 3}", scaling="none", metric="euclidean")["dcr"] for _ in range(5)]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(8))) == [[[i]] * 5 for i in range(8)]


def test_a_prepared_statement_of_a_table_that_is_gone_is_an_error(session):
    create(session, s=pa.table({"x": [1, 2]}), t=pa.table({"x": [1, 9]}))
    session.connection.execute("PREPARE p AS FROM synthpriv.dcr('s', 't')")
    session.connection.execute("DROP TABLE t")
    with pytest.raises(duckdb.Error, match=r'"t", given as train'):
        session.connection.execute("EXECUTE p").fetchall()


def test_trees_are_given_up_with_the_text_and_assembled_again(session, monkeypatch):
    """A long statement has a hundred thousand objects, which the garbage collector would visit again and again."""
    shapes._similar.cache_clear()
    create(session, s=pa.table(ROWS), t=pa.table(ROWS))

    def planned(name, **options):
        return planning.plan(session.engine, catalog.function(name), {"synthetic": "s", "train": "t", **options})

    kept = shapes.Shape._kept
    found = planned("nndr")
    text, shape = found.sql, found.written.shape
    assert shape not in kept
    assert planned("nndr").written.shape is shape
    assert parsed(found.statement.sql) == parsed(text)
    assert len(found.statement.parts) == shape.size
    # Who asks for them again will do so once more; the last are kept, as many as have that many parts.
    assert kept[shape] is shape.assembled
    monkeypatch.setattr(shapes, "_MAX_PARTS", 1)
    other = planned("dcr").written.shape
    assert len(other.assembled.parts) == other.size
    assert list(kept) == [other]
