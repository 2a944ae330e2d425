"""What SQL of somebody else cannot do: a view of a foreign database, or a query that is given as a table."""

import re
from contextlib import suppress

import duckdb
import pyarrow as pa
import pytest

import synthpriv_sql
from synthpriv_sql import errors

ROWS = "SELECT i AS age, 'c' || i % 2 AS city FROM range(6) AS r(i)"
HOSTILE = """
ATTACH '{0}/written.duckdb' AS written; COPY (SELECT 1) TO '{0}/copied.csv'; DROP TABLE victim; SELECT ['x']
"""


@pytest.fixture
def victim(tmp_path):
    with synthpriv_sql.connect() as session:
        session.connection.execute(f"CREATE TABLE victim AS {ROWS}; CREATE TABLE train AS {ROWS}")
        yield session
        assert session.connection.execute("SELECT count(*) FROM victim").fetchone() == (6,)
        assert not [path for path in tmp_path.iterdir() if not path.name.startswith("foreign.duckdb")]


def hostile_calls(connection, text):
    """Calls of all registered functions with texts of somebody else, alone, in lists and in structs."""
    for name, parameters, any_number in connection.execute(
        "SELECT DISTINCT function_name, len(parameters), varargs IS NOT NULL FROM duckdb_functions() "
        "WHERE starts_with(function_name, 'synthpriv_') ORDER BY ALL"
    ).fetchall():
        said = "'" + text.replace("'", "''") + "'"
        kinds = [said, f"[{said}]", f"{{'statement': {said}, 'name': 'dcr', 'table': [{said}]}}"]
        for arguments in (2, 3, 4, 6) if any_number else [parameters]:
            for value in kinds:
                yield f"{name}({', '.join([said] * (arguments - 1) + [value])})"
    yield f"synthpriv_of_groups('main', 'memory', 'main', 'SELECT [''x'']', [{said}])"
    yield f"synthpriv_plan('dcr', '', 'memory', 'main', {{synthetic: {said}, train: {said}}})"
    yield f"synthpriv_plan('dcr', {said}, {said}, {said}, {{synthetic: 'train', train: 'train', group_by: {said}}})"


def test_no_registered_function_runs_sql_that_it_is_given(victim, tmp_path):
    foreign = tmp_path / "foreign.duckdb"
    victim.connection.execute(f"ATTACH '{foreign}' AS foreign_rows")
    calls = [*hostile_calls(victim.connection, HOSTILE.format(tmp_path))]
    assert len(calls) > 80
    for call in calls:
        query = f"SELECT age, ({call}) IS NULL AS city FROM train"
        with suppress(duckdb.Error, RuntimeError):
            victim.connection.execute(f"CREATE OR REPLACE VIEW foreign_rows.rows AS {query}")
            victim.connection.execute("FROM foreign_rows.rows").fetchall()
        if call.startswith(("synthpriv_of_groups", "synthpriv_plan")):
            for table in ("foreign_rows.rows", f"({query})"):
                with suppress(errors.SynthprivError):
                    victim.marginals(table, "train")


def test_what_a_call_runs_for_its_groups_has_a_name_of_its_own(victim):
    connection = victim.connection
    called = "synthpriv.dcr_summary('victim', 'train', group_by := 'city')"
    rows = connection.execute(f"FROM {called}").fetchall()
    (planned,) = connection.execute(
        "SELECT synthpriv_plan('dcr_summary', '', 'memory', 'main', "
        "{synthetic: 'victim', train: 'train', group_by: 'city'})"
    ).fetchone()
    (name,) = re.findall(r"synthpriv_of_groups\('(\w+)'\)", planned, re.IGNORECASE)
    assert len(name) == 64
    assert connection.execute(planned).fetchall() == rows
    for other in ("", name[:-1], "0" * 64):
        with pytest.raises((duckdb.Error, RuntimeError), match="prepare the statement again"):
            connection.execute("SELECT synthpriv_of_groups(?)", [other])


WRITING = [
    "FROM enable_logging(storage = 'file', storage_path = '{0}/log')",
    "FROM system.main.ENABLE_LOGGING(storage := 'file', storage_path := '{0}/log')",
    "SELECT (SELECT count(*) FROM force_checkpoint()) AS age",
    "FROM query('FROM enable_logging(storage = ''file'')')",
    "FROM query('FROM enable_' || 'logging()')",
    "SELECT nextval('numbers') AS age",
    "SELECT write_log('age') AS age",
    "WITH a AS (SELECT 1) SELECT age FROM train WHERE age IN (SELECT 1 FROM checkpoint())",
    "FROM read_csv('{0}/foreign.duckdb', store_rejects = true)",
    "FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
    "FROM by_macro('x')",
    "FROM by_query('x')",
    "SELECT scalar_macro(age) AS age FROM train",
    "FROM writing_view",
    "FROM query_table('writing_view')",
    "FROM query_table(['train', 'writing_view'])",
    "FROM histogram('writing_view', age)",
    "FROM (DESCRIBE writing_view)",
    "SELECT 1 AS age; SELECT 2",
    "WITH a AS (INSERT INTO victim VALUES (7, 'd') RETURNING *) FROM a",
    "DROP TABLE victim",
]
READING = [
    "SELECT age, random() AS r FROM train ORDER BY uuid() LIMIT 3",
    "FROM range(3) AS r(age)",
    "FROM read_csv('{0}/foreign.duckdb.csv', header = true)",
    "FROM '{0}/foreign.duckdb.csv'",
    "SELECT * FROM query_table('reading_view') WHERE age > (SELECT min(x) FROM unnest([1, 2]) AS u(x))",
    "FROM query('FROM train')",
    "WITH RECURSIVE a AS (SELECT 1 AS age UNION ALL SELECT age + 1 FROM a WHERE age < 4) FROM a",
    "SELECT reading_macro(age) AS age FROM reading_rows(2)",
    "FROM (PIVOT train ON city IN ('c0', 'c1') USING count(*) GROUP BY age)",
    "SELECT dcr AS age FROM synthpriv.dcr('train', 'victim')",
    "SELECT column_name, column_type FROM (DESCRIBE reading_view)",
    "FROM duckdb_settings() SELECT name",
    "FROM registered_rows",
]


def test_a_table_is_one_select_over_functions_that_read(victim, tmp_path):
    connection = victim.connection
    (tmp_path / "foreign.duckdb.csv").write_text("age\n1\n2\n")
    connection.register("registered_rows", pa.table({"age": [1, 2]}))
    connection.execute(f"ATTACH '{tmp_path / 'foreign.duckdb'}' AS elsewhere")
    log = f"enable_logging(storage = 'file', storage_path = '{tmp_path / 'log'}')"
    connection.execute(f"""
        CREATE SCHEMA elsewhere."a "" AS SELECT 1";
        CREATE VIEW elsewhere."a "" AS SELECT 1"."in ()" (age) AS SELECT 1 FROM {log};
        CREATE VIEW writing_view AS SELECT age FROM elsewhere."a "" AS SELECT 1"."in ()";
        CREATE VIEW reading_view AS SELECT age + 1 AS age, lower(city) AS city FROM train;
        CREATE MACRO by_query(x) AS TABLE FROM query(x);
        CREATE MACRO by_macro(x) AS TABLE SELECT x AS age FROM {log};
        CREATE MACRO scalar_macro(x) AS x + (SELECT count(*) FROM {log});
        CREATE MACRO reading_macro(x) AS x + 1;
        CREATE MACRO reading_rows(x) AS TABLE SELECT age FROM train WHERE age > x;
        CREATE MACRO elsewhere.force_checkpoint() AS TABLE SELECT 1 AS age;
        CREATE SEQUENCE numbers;
    """)
    before = connection.execute("SELECT name, value FROM duckdb_settings() ORDER BY ALL").fetchall()
    for given in [*(f"({query.format(tmp_path)})" for query in WRITING), "writing_view", "main.Writing_View"]:
        with pytest.raises(errors.UnknownTable, match="cannot be read: it "):
            victim.marginals(given, "train")
        with pytest.raises((duckdb.Error, RuntimeError), match="cannot be read: it "):
            connection.execute("FROM synthpriv.marginals($1, 'train')", [given])
    for given in READING:
        assert victim.engine.relation("synthetic", f"({given.format(tmp_path)})").columns
    for name in ("reading_view", "registered_rows", "main.reading_view"):
        assert victim.engine.relation("synthetic", name).columns[0].name == "age"
    assert connection.execute("SELECT name, value FROM duckdb_settings() ORDER BY ALL").fetchall() == before
