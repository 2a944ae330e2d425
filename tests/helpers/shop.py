"""A shop in PostgreSQL, for the tests of that engine: every type, odd names, and tables to compare."""

SETUP = """
CREATE SCHEMA shop;
CREATE SCHEMA "Odd ""Schema"" 1";
CREATE SCHEMA results;
CREATE TYPE shop.mood AS ENUM ('sad', 'ok', 'Happy');
CREATE DOMAIN shop.positive AS integer CHECK (VALUE > 0);
CREATE DOMAIN shop.feeling AS shop.mood;
CREATE TABLE shop.all_types (
  id bigint PRIMARY KEY, small smallint, whole integer, price numeric(10, 2), exact numeric, long_ numeric(45, 5),
  single real, double double precision, flag boolean, day date, moment time, seen timestamp, "Seen At" timestamptz(3),
  note text, code varchar(10), padded char(6), mood shop.mood, key uuid, age shop.positive, feeling shop.feeling,
  document jsonb, marks integer[], bytes bytea, gap interval, twice integer GENERATED ALWAYS AS (whole * 2) STORED
);
INSERT INTO shop.all_types VALUES
  (1, 1, 10, 1.50, 0.10, 1234567890123456789012345678901234567890.12345, 0.1, 0.1, true, '2024-02-29',
   '12:34:56.789', '2024-01-01 00:00:00', '2024-01-01 00:00:00.123+02', 'é', 'x', 'ab', 'ok',
   '00000000-0000-0000-0000-00000000000a', 7, 'sad', '{"a": 1}', '{1,2}', '\\x00ff', '1 day 02:00'),
  (2, 2, 20, 99999999.99, 123456789.000000001, 1, 1.5, 1e300, false, '1066-10-14',
   '00:00:00', '9999-12-31', '1969-12-31 23:59:59.5+00', '', '', '', 'sad',
   'ffffffff-ffff-ffff-ffff-ffffffffffff', 1, 'Happy', '[]', '{}', '', '0'),
  (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
   NULL, NULL, NULL, NULL);
CREATE TABLE shop.oddities (id int, nan_price numeric(10, 2), any_number numeric, day date, seen timestamptz);
INSERT INTO shop.oddities VALUES
  (1, 1.10, 1.5, 'infinity', '-infinity'), (2, 'NaN', 'Infinity', '-infinity', 'infinity'),
  (3, NULL, 'NaN', '0044-03-15 BC', NULL), (4, 2, 2, '10000-01-01', '4714-11-24 00:00:00+00 BC');
CREATE TABLE shop.train AS
  SELECT i AS id, i % 17 AS a, (i * 7) % 23 * 0.5::float8 AS b, 'c' || i % 5 AS c, i % 2 = 0 AS flag
  FROM generate_series(1, 300) AS i;
CREATE TABLE shop.synthetic AS
  SELECT i AS id, i % 19 AS a, (i * 5) % 23 * 0.5::float8 AS b, 'c' || i % 6 AS c, i % 3 = 0 AS flag
  FROM generate_series(1, 200) AS i;
CREATE TABLE "Odd ""Schema"" 1"."Mixed Case" AS SELECT a AS "A Column", c AS "semi;colon", b AS "Größe" FROM shop.train;
CREATE VIEW shop.some AS SELECT a, c FROM shop.train;
CREATE MATERIALIZED VIEW shop.kept AS SELECT a, c FROM shop.train;
CREATE TABLE shop.parted (a int, c text) PARTITION BY LIST (c);
CREATE TABLE shop.part_0 PARTITION OF shop.parted FOR VALUES IN ('c0', 'c1');
CREATE TABLE shop.part_1 PARTITION OF shop.parted DEFAULT;
INSERT INTO shop.parted SELECT a, c FROM shop.train;
CREATE SEQUENCE shop.counter;
"""
PEOPLE = {"columns": ["a", "b", "c", "flag"]}


def run(url, *statements):
    """Statements of the tests' own, each committed; the rows of the last."""
    from adbc_driver_postgresql import dbapi

    with dbapi.connect(url, autocommit=True) as connection, connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
        return cursor.fetchall() if cursor.description else []


def build(url):
    run(url, *(statement for statement in SETUP.split(";\n") if statement.strip()))


def types_of(url, table):
    rows = run(
        url,
        "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute "
        f"WHERE attrelid = '{table}'::regclass AND attnum > 0 ORDER BY attnum",
    )
    return dict(rows)


def same_rows(url, one, two, columns):
    listed = ", ".join(f'"{name}"' for name in columns)
    differ = (
        f"(SELECT {listed} FROM {one} EXCEPT ALL SELECT {listed} FROM {two}) UNION ALL "
        f"(SELECT {listed} FROM {two} EXCEPT ALL SELECT {listed} FROM {one})"
    )
    return run(url, f"SELECT count(*) FROM ({differ}) AS d") == [(0,)]


def exists(url, table):
    return run(url, f"SELECT to_regclass('{table}') IS NOT NULL") == [(True,)]
