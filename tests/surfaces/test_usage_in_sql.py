"""The table functions are ordinary table functions: they stand wherever a table stands."""

import threading

import duckdb
import pyarrow as pa
import pytest
from calls import assert_same_rows, call, create, rows_of, sql_rows

import synthpriv_sql

pytestmark = pytest.mark.duckdb_1

TRAIN = {"id": ["r0", "r1", "r2", "r3"], "x": [0, 10, 20, 40], "t": ["a", "b", "a", "b"]}
SYNTHETIC = {"id": ["s0", "s1", "s2"], "x": [0, 12, 30], "t": ["a", "b", "c"]}
DCR = "synthpriv.dcr('synthetic', 'train', key := 'id')"


@pytest.fixture
def connection(session):
    create(session, synthetic=pa.table(SYNTHETIC), train=pa.table(TRAIN))
    return session.connection


def everything(connection, sql):
    return connection.execute(sql).fetchall()


@pytest.fixture
def expected(connection):
    """What the function gives on its own."""
    rows = everything(connection, f"SELECT key, dcr, nearest FROM {DCR} ORDER BY record")
    assert [row[0] for row in rows] == ["s0", "s1", "s2"]
    assert [row[1] for row in rows] == pytest.approx([0, 0.025, 0.625])
    return rows


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT s.id, d.dcr, d.nearest FROM synthetic AS s JOIN {DCR} AS d ON d.key = s.id ORDER BY s.id",
        f"SELECT s.id, d.dcr, d.nearest FROM {DCR} AS d RIGHT JOIN synthetic AS s ON d.key = s.id ORDER BY ALL",
        f"WITH d AS (FROM {DCR}) SELECT key, dcr, nearest FROM d ORDER BY record",
        f"WITH d AS MATERIALIZED (FROM {DCR}) "
        "SELECT a.key, b.dcr, b.nearest FROM d AS a JOIN d AS b USING (record) ORDER BY 1",
        f"SELECT key, dcr, nearest FROM (SELECT * FROM {DCR}) ORDER BY key",
        f"SELECT DISTINCT a.key, b.dcr, b.nearest FROM {DCR} AS a, {DCR} AS b WHERE a.record = b.record ORDER BY 1",
        f"SELECT key, dcr, nearest FROM {DCR} WHERE record IN (SELECT record FROM {DCR}) ORDER BY record",
        f"(SELECT key, dcr, nearest FROM {DCR} WHERE record < 1) UNION ALL "
        f"(SELECT key, dcr, nearest FROM {DCR} WHERE record >= 1) ORDER BY key",
    ],
)
def test_it_stands_wherever_a_table_stands(connection, expected, sql):
    assert everything(connection, sql) == expected


def test_two_functions_joined(connection, expected):
    sql = f"""
        SELECT d.key, d.dcr, d.nearest FROM {DCR} AS d
        JOIN synthpriv.nndr('synthetic', 'train', key := 'id') AS n USING (record)
        WHERE n.numerator = d.dcr ORDER BY d.record"""
    assert everything(connection, sql) == expected


def test_create_table_as_and_insert(connection, expected):
    connection.execute(f"CREATE TABLE kept AS SELECT key, dcr, nearest FROM {DCR}")
    assert everything(connection, "FROM kept ORDER BY key") == expected
    connection.execute(f"INSERT INTO kept SELECT key, dcr, nearest FROM {DCR}")
    assert everything(connection, "SELECT DISTINCT * FROM kept ORDER BY key") == expected


def test_copy_to_a_file(connection, expected, tmp_path):
    path = tmp_path / "dcr.parquet"
    connection.execute(f"COPY (SELECT key, dcr, nearest FROM {DCR} ORDER BY key) TO '{path}'")
    assert everything(connection, f"FROM '{path}'") == expected


def test_prepared_statements(connection, expected):
    sql = f"SELECT key, dcr, nearest FROM {DCR} WHERE dcr >= ? ORDER BY key"
    for limit in (0.0, 0.02, 1.0):
        assert connection.execute(sql, [limit]).fetchall() == [row for row in expected if row[1] >= limit]
    connection.execute(f"PREPARE near AS SELECT key, dcr, nearest FROM {DCR} WHERE dcr >= $1 ORDER BY key")
    assert everything(connection, "EXECUTE near(0.02)") == expected[1:]


def test_a_view_follows_the_data(connection, expected):
    connection.execute(f"CREATE VIEW nearness AS SELECT key, dcr, nearest FROM {DCR}")
    assert everything(connection, "FROM nearness ORDER BY key") == expected
    connection.execute("INSERT INTO synthetic VALUES ('s3', 40, 'b')")
    assert everything(connection, "FROM nearness ORDER BY key") == [*expected, ("s3", 0.0, 3)]
    connection.execute("UPDATE train SET x = 80 WHERE id = 'r3'")
    assert everything(connection, "FROM nearness WHERE key = 's3'") == [("s3", 0.1875, 1)]


def test_a_changed_table_is_read_again(connection):
    sql = call("dcr", "synthetic", "train", columns=["x"])
    before = sql_rows(connection, sql)
    connection.execute("UPDATE train SET x = 12 WHERE x = 10")
    after = sql_rows(connection, sql)
    assert [row["dcr"] for row in before] == pytest.approx([0, 0.05, 0.25])
    assert [row["dcr"] for row in after] == pytest.approx([0, 0, 0.25])


def test_named_arguments_lists_and_weights(connection):
    options = {"metric": "manhattan", "scaling": "none", "weights": {"X": 2.5, "t": 3}, "exclude": ["id"]}
    found = sql_rows(connection, call("dcr", "synthetic", "train", **options))
    assert [(row["dcr"], row["nearest"]) for row in found] == [(0.0, 0), (5.0, 1), (28.0, 2)]
    reordered = dict(reversed(options.items()))
    assert sql_rows(connection, call("dcr", "synthetic", "train", **reordered)) == found


def test_explain(connection):
    assert everything(connection, f"EXPLAIN FROM {DCR}")


def test_names_are_those_of_the_callers_schema(connection):
    connection.execute("CREATE SCHEMA elsewhere")
    connection.execute("CREATE TABLE elsewhere.train AS SELECT id, x + 1 AS x, t FROM train")
    connection.execute("CREATE TABLE elsewhere.synthetic AS SELECT id, x + 1 AS x, t FROM synthetic LIMIT 1")
    connection.execute("USE elsewhere")
    assert everything(connection, f"SELECT key, dcr FROM {DCR}") == [("s0", 0.0)]


def test_a_read_only_database(tmp_path):
    path = str(tmp_path / "real.duckdb")
    with duckdb.connect(path) as plain:
        plain.execute("CREATE TABLE synthetic AS SELECT 's0' AS id, 3 AS x")
        plain.execute("CREATE TABLE train AS SELECT 'r0' AS id, 3 AS x")
    content = (tmp_path / "real.duckdb").read_bytes()
    with synthpriv_sql.connect(path, read_only=True) as session:
        assert everything(session.connection, f"SELECT key, dcr FROM {DCR}") == [("s0", 0.0)]
        assert rows_of(session.copies("synthetic", "train", key="id"))[0]["copies"] == 1
    with duckdb.connect(path, read_only=True) as own:
        synthpriv_sql.register(own)
        assert everything(own, f"SELECT key, dcr FROM {DCR}") == [("s0", 0.0)]
    assert (tmp_path / "real.duckdb").read_bytes() == content


def test_the_users_database_stays_clean(tmp_path):
    path = str(tmp_path / "real.duckdb")
    with synthpriv_sql.connect(path) as session:
        create(session, synthetic=pa.table(SYNTHETIC), train=pa.table(TRAIN))
        session.dcr("synthetic", "train").to_arrow()
        everything(session.connection, f"FROM {DCR}")
    with duckdb.connect(path) as plain:
        assert everything(plain, "SELECT table_name FROM duckdb_tables() ORDER BY 1") == [("synthetic",), ("train",)]
        assert everything(plain, "SELECT view_name FROM duckdb_views() WHERE NOT internal") == []
        assert everything(plain, "SELECT function_name FROM duckdb_functions() WHERE NOT internal") == []
        own = "SELECT schema_name FROM duckdb_schemas() WHERE database_name = 'real' AND NOT internal"
        assert everything(plain, own) in ([], [("main",)])


def test_other_cursors_see_it(connection, expected):
    cursor = connection.cursor()
    assert everything(cursor, f"SELECT key, dcr, nearest FROM {DCR} ORDER BY record") == expected


def test_threads_with_a_cursor_each(session):
    tables = {f"t{i}": pa.table({"x": [0.0, 10.0 + i, 100.0]}) for i in range(6)}
    create(session, **tables)
    found, cursors = {}, [session.connection.cursor() for _ in tables]

    def work(i, cursor):
        sql = call("dcr", "t0", f"t{i}", metric="manhattan", scaling="none")
        found[i] = {tuple(sorted(row[1] for row in cursor.execute(sql).fetchall())) for _ in range(5)}

    workers = [threading.Thread(target=work, args=pair) for pair in enumerate(cursors)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=60)
    assert found == {i: {(0.0, 0.0, float(i))} for i in range(6)}


def test_inside_a_transaction(connection, expected):
    connection.execute("BEGIN")
    assert everything(connection, f"SELECT key, dcr, nearest FROM {DCR} ORDER BY record") == expected
    connection.execute("CREATE TABLE kept AS SELECT 1 AS one")
    connection.execute("ROLLBACK")
    assert everything(connection, f"SELECT key, dcr, nearest FROM {DCR} ORDER BY record") == expected


@pytest.mark.parametrize("kind", ["TEMP TABLE", "TABLE"])
def test_tables_that_only_the_caller_sees_are_named_with_a_way_out(connection, kind):
    # A function that plans while DuckDB binds sees neither temporary nor uncommitted tables.
    connection.execute("BEGIN")
    connection.execute(f"CREATE {kind} unseen AS FROM synthetic")
    with pytest.raises(duckdb.Error, match="unseen") as caught:
        everything(connection, call("dcr", "unseen", "train"))
    connection.execute("ROLLBACK")
    assert "temporary" in str(caught.value)
    assert "uncommitted" in str(caught.value)
    assert "Python" in str(caught.value) or "session" in str(caught.value)


def test_two_sessions_are_apart():
    with synthpriv_sql.connect() as first, synthpriv_sql.connect() as second:
        create(first, t=pa.table({"x": [1]}))
        create(second, t=pa.table({"x": [2, 2]}))
        assert [len(sql_rows(s.connection, call("dcr", "t", "t"))) for s in (first, second)] == [1, 2]


def test_registering_twice_is_harmless(connection, expected):
    synthpriv_sql.register(connection)
    assert everything(connection, f"SELECT key, dcr, nearest FROM {DCR} ORDER BY record") == expected


def test_a_closed_session_lets_go_of_its_file(tmp_path):
    path = str(tmp_path / "own.duckdb")
    with synthpriv_sql.connect(path) as session:
        create(session, t=pa.table({"x": [1]}))
        assert_same_rows(rows_of(session.dcr("t", "t")), sql_rows(session.connection, call("dcr", "t", "t")))
    with duckdb.connect(path, config={"threads": "1"}) as again:  # another configuration: refused while it is open
        assert everything(again, "SELECT count(*) FROM t") == [(1,)]


def test_it_stands_in_a_table_macro_with_parameters(connection, expected):
    body = (
        "SELECT key, dcr, nearest FROM synthpriv.dcr(s, t, key := 'id', metric := m) WHERE dcr <= most ORDER BY record"
    )
    connection.execute(f"CREATE MACRO near(s, t, m := 'gower', most := 9) AS TABLE {body}")
    assert everything(connection, "FROM near('synthetic', 'train')") == expected
    assert everything(connection, "FROM near('synthetic', 'train', most := 0)") == expected[:1]
    assert everything(connection, "FROM near('train', t := 'train', m := 'hamming')")[0] == ("r0", 0.0, 0)
    with pytest.raises(duckdb.Error, match="UnknownTable"):
        everything(connection, "FROM near('nobody', 'train')")
    grouped = "synthpriv.dcr_summary(s, 'train', exclude := ['id'], group_by := 't')"
    connection.execute(f"CREATE MACRO by_text(s) AS TABLE SELECT t, n FROM {grouped}")
    assert everything(connection, "FROM by_text('train')") == [("a", 2), ("a", 2), ("b", 2), ("b", 2)]


def test_the_verdict_is_a_function_of_the_rows_of_evaluate(connection):
    with synthpriv_sql.connect() as other:  # numbers are read from a file as well as from a call
        found = other.evaluate(pa.table(SYNTHETIC), pa.table(TRAIN), attack=["uniques"], named_by=["uniques"], key="id")
        numbers = found.to_arrow()
    judged = "SELECT synthpriv_verdict(list(numbers)) AS verdict FROM {} AS numbers"
    called = "synthpriv.evaluate('synthetic', 'train', attack := ['uniques'], named_by := ['uniques'], key := 'id')"
    ((verdict,),) = everything(connection, judged.format(called))
    connection.register("numbers_of_may", numbers)
    assert everything(connection, judged.format("numbers_of_may")) == [(verdict,)]
    assert (verdict["level"], verdict["headline"]) == (found.verdict.level, found.verdict.headline)
    assert verdict["reasons"] == list(found.verdict.reasons)
    assert verdict["sentence"] == found.verdict.sentence
    # No rows, no verdict; each group of rows has its own.
    assert everything(connection, judged.format("(FROM numbers_of_may WHERE false)")) == [(None,)]
    grouped = "SELECT synthpriv_verdict(list(n)).level FROM numbers_of_may AS n, range(2) AS t(g) GROUP BY g"
    assert everything(connection, grouped) == [("none",), ("none",)]
