"""Texts in the place of a table that try to run a statement or to write a file: nothing is changed."""

import os
import warnings
from contextlib import suppress

import duckdb
import pytest
from calls import literal

import synthpriv_sql
from synthpriv_sql import errors

TEXTS = """
victim; DROP TABLE victim
victim; DROP TABLE victim; --
"victim"; DROP TABLE victim; --
victim'; DROP TABLE victim; --
victim"; DROP TABLE victim; --
victim) ; DROP TABLE victim; --
(SELECT 1); DROP TABLE victim; --
(SELECT 1 AS a); DROP TABLE victim
(SELECT 1 AS a) ; DELETE FROM victim; (SELECT 2 AS a)
(DROP TABLE victim)
(DELETE FROM victim RETURNING *)
(INSERT INTO victim VALUES (9) RETURNING *)
(UPDATE victim SET a = 0 RETURNING *)
(TRUNCATE victim)
(WITH x AS (DELETE FROM victim RETURNING *) SELECT * FROM x)
(CREATE TABLE made AS SELECT 1)
(SELECT 1 INTO made)
(COPY victim TO '{0}/made.csv')
(COPY (SELECT 1) TO '{0}/made.parquet')
(EXPORT DATABASE '{0}/made')
(ATTACH '{0}/made.duckdb' AS made)
(DETACH memory)
(USE other)
(SET memory_limit = '1MB')
(PRAGMA enable_profiling)
(PRAGMA enable_logging)
(CALL enable_logging(storage = 'file', storage_path = '{0}'))
(INSTALL httpfs)
(LOAD httpfs)
(CHECKPOINT)
(VACUUM)
(BEGIN; DROP TABLE victim; COMMIT)
(EXPLAIN ANALYZE DELETE FROM victim)
(PREPARE p AS DELETE FROM victim)
(EXECUTE p)
(FROM query('DROP TABLE victim'))
(FROM query('SELECT 1; DROP TABLE victim'))
(FROM query_table('victim; DROP TABLE victim'))
(SELECT * FROM victim WHERE a = (DELETE FROM victim RETURNING a))
(SELECT 1 AS a)) AS t; DROP TABLE victim; --
(SELECT 1 AS a /*) ; DROP TABLE victim; (SELECT 2 AS a */)
(SELECT * FROM (VALUES (1)) t(a) UNION ALL DELETE FROM victim RETURNING a)
{0}/made.csv'; COPY victim TO '{0}/made.csv
""".strip().splitlines()


def test_there_are_43():
    assert len(TEXTS) == 43


@pytest.fixture(scope="module")
def victim():
    with synthpriv_sql.connect() as session:
        session.connection.execute("CREATE TABLE victim AS SELECT i AS a FROM range(5) AS t(i)")
        yield session


STATE = (
    "SELECT count(*) FROM victim",
    "SELECT schema_name, table_name FROM duckdb_tables() ORDER BY 1, 2",
    "SELECT database_name FROM duckdb_databases() ORDER BY 1",
    "SELECT name, value FROM duckdb_settings() WHERE name NOT LIKE '%progress%' ORDER BY 1",
)


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_changes_nothing(victim, tmp_path, monkeypatch, text):
    monkeypatch.chdir(tmp_path)
    connection, text = victim.connection, text.format(tmp_path)

    def state():
        return [connection.execute(query).fetchall() for query in STATE], os.listdir(tmp_path)

    def in_sql(synthetic, train):
        return connection.execute(f"FROM synthpriv.copies({literal(synthetic)}, {literal(train)})").fetchall()

    before = state()
    for tables in ((text, "victim"), ("victim", text)):
        for call in (victim.copies, in_sql):
            with warnings.catch_warnings(action="ignore"), suppress(errors.SynthprivError, duckdb.Error):
                call(*tables)
            assert state() == before
