"""Twenty-seven ways to write to a PostgreSQL database through a session that is read-only: none changes anything."""

import warnings
from contextlib import suppress

import pytest

import synthpriv_sql
from synthpriv_sql import errors

ATTEMPTS = """
(INSERT INTO victim VALUES (9) RETURNING *)
(UPDATE victim SET a = 0 RETURNING *)
(DELETE FROM victim RETURNING *)
(WITH x AS (INSERT INTO victim VALUES (9) RETURNING *) SELECT * FROM x)
(WITH x AS (UPDATE victim SET a = 0 RETURNING *) SELECT * FROM x)
(WITH x AS (DELETE FROM victim RETURNING *) SELECT * FROM x)
(WITH x AS (MERGE INTO victim USING victim AS v ON false WHEN NOT MATCHED THEN INSERT VALUES (9)) SELECT 1 AS a)
(SELECT a FROM victim); DELETE FROM victim
(SELECT a FROM victim); COMMIT; DELETE FROM victim; (SELECT 1 AS a)
victim; DROP TABLE victim
(SELECT a INTO made FROM victim)
(CREATE TABLE made AS SELECT 1)
(TRUNCATE victim)
(DROP TABLE victim)
(ALTER TABLE victim ADD COLUMN b integer)
(SELECT wipe() AS a)
(SELECT a FROM victim WHERE wipe() > 0)
(SELECT * FROM wiped)
(SELECT nextval('counter') AS a)
(SELECT setval('counter', 99) AS a)
(SELECT lo_create(0)::bigint AS a)
(SELECT set_config('transaction_read_only', 'off', false) AS a)
(SELECT set_config('transaction_read_only', 'off', true) AS a, wipe() AS b)
(SELECT set_config('default_transaction_read_only', 'off', false) AS a)
(SELECT a FROM victim FOR UPDATE)
(EXPLAIN ANALYZE DELETE FROM victim)
(COPY victim TO PROGRAM 'touch /tmp/made')
""".strip().splitlines()
SETUP = """
DROP TABLE IF EXISTS victim CASCADE;
DROP SEQUENCE IF EXISTS counter;
CREATE TABLE victim AS SELECT i AS a FROM generate_series(1, 5) AS t(i);
CREATE SEQUENCE counter;
CREATE OR REPLACE FUNCTION wipe() RETURNS integer LANGUAGE plpgsql AS
  $$ BEGIN DELETE FROM victim; RETURN 1; END $$;
CREATE OR REPLACE VIEW wiped AS SELECT wipe() AS a
"""
STATE = """
SELECT (SELECT sum(a) FROM victim), (SELECT count(*) FROM victim), (SELECT last_value FROM counter),
  (SELECT string_agg(relname, ',' ORDER BY relname) FROM pg_class WHERE relnamespace = 'public'::regnamespace),
  (SELECT count(*) FROM pg_largeobject_metadata),
  (SELECT count(*) FROM pg_attribute WHERE attrelid = 'victim'::regclass)
"""


def test_there_are_27():
    assert len(ATTEMPTS) == 27


@pytest.fixture(scope="module")
def victim(pg_url):
    from adbc_driver_postgresql import dbapi

    with dbapi.connect(pg_url, autocommit=True) as connection, connection.cursor() as cursor:
        for statement in SETUP.split(";\n"):
            cursor.execute(statement)
        with synthpriv_sql.connect(pg_url, read_only=True, threads=1) as session:
            yield session, cursor
        for statement in ("DROP TABLE victim CASCADE", "DROP SEQUENCE counter", "DROP FUNCTION wipe() CASCADE"):
            cursor.execute(statement)


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_an_attempt_changes_nothing(victim, attempt):
    session, cursor = victim

    def state():
        cursor.execute(STATE)
        return cursor.fetchall()

    before = state()
    for tables in ((attempt, "victim"), ("victim", attempt)):
        for name in ("copies", "dcr"):
            with warnings.catch_warnings(action="ignore"), suppress(errors.SynthprivError):
                session.call(name, **dict(zip(("synthetic", "train"), tables, strict=True))).fetchall()
        assert state() == before
    # The session still works, and is read-only.
    assert session.copies("victim", "victim")["copies"] == [1] * 5
    with pytest.raises(errors.WriteError):
        session.copies("victim", "victim").to_table("made")
