"""What PostgreSQL is asked for: on the command line, in the report, for families, texts and hashes."""

import os
import subprocess
import sys

import pytest
from calls import ROOT, cli, recomputed, rows_of
from shop import PEOPLE, run

import synthpriv_sql
from synthpriv_sql import demo, errors
from synthpriv_sql.planner.headers import catalog


@pytest.mark.nightly
def test_the_report(pg, postgres_server, tmp_path):
    for needed in ("jinja2", "vl_convert"):
        pytest.importorskip(needed, reason="the extra `report` is not installed")
    page = tmp_path / "page.html"
    pg.report(page, "shop.synthetic", "shop.train", quasi_identifiers=["c"], show_values=True, baseline=True, **PEOPLE)
    text = page.read_text()
    assert "PostgreSQL" in text
    assert postgres_server.password not in text


@pytest.mark.again
def test_the_command_line(pg_url, tmp_path):
    tables = ["--synthetic", "shop.synthetic", "--train", "shop.train", "--database", pg_url]
    columns = ["--columns", "a,b,c,flag"]
    code, out, err = cli("evaluate", *tables, *columns, "--format", "csv", "--require", "copies.share<=1")
    assert (code, err) == (0, "synthpriv: no distance and no attack looked at id\n")
    assert "copies" in out
    code, out, err = cli("dcr", *tables, *columns, "--pushdown", "require")
    assert (code, out) == (2, "")
    assert "would leave" in err
    code, out, err = cli("sql", "copies", *tables, *columns)
    assert (code, err) == (0, "")
    assert run(pg_url, out)[0] == (0, 0)
    code, out, err = cli("dcr", *tables[:4], "--engine", "postgres", "--database", "some.duckdb")
    assert code == 2
    assert "does not match" in err
    code, out, err = cli("dcr", *tables, "--init", str(tmp_path / "x.sql"))
    assert code == 2
    assert "--init is for DuckDB" in err


@pytest.mark.nightly
def test_the_example(postgres_server):
    dbapi = pytest.importorskip("adbc_driver_postgresql.dbapi", reason="the extra `postgres` is not installed")
    tables = ("customers_train", "customers_holdout", "synthetic_careful", "synthetic_leaky")
    with synthpriv_sql.connect() as session, dbapi.connect(postgres_server.url) as connection:
        demo.create(session.connection)
        with connection.cursor() as cursor:
            cursor.execute("CREATE SCHEMA demo")
            cursor.execute("CREATE SCHEMA reviewed")
            for table in tables:
                cursor.adbc_ingest(table, session.connection.table(table).to_arrow_table(), db_schema_name="demo")
        connection.commit()
    server = {"HOST": "host", "PORT": "port", "USER": "user", "PASSWORD": "password", "DATABASE": "database"}
    variables = {f"PG{name}": str(getattr(postgres_server, word)) for name, word in server.items()}
    variables["PGOPTIONS"] = "-csearch_path=demo"
    command = [sys.executable, "-W", "error", ROOT / "examples" / "postgres.py"]
    done = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "804 copies, 0 rows left",
        "synthetic_careful: 49% closer to train than to the holdout, 35003 rows left",
        "synthetic_leaky: 69% closer to train than to the holdout, 35003 rows left",
    ]
    assert run(postgres_server.url, "SELECT count(*) FROM reviewed.customers") == [(4196,)]


@pytest.mark.again
def test_families_and_runs_are_made_where_they_are(pg, pg_url):
    """Tables of children become columns and runs within statements of PostgreSQL's."""
    for name, first in (("train", 0), ("holdout", 1000), ("synthetic", 2000)):
        run(
            pg_url,
            f"""
            CREATE TABLE results.people_{name} AS
            SELECT g AS id, g * 7919 % 61 AS age, left(md5((g + 1)::text), 1) AS town
            FROM generate_series({first}, {first} + 119) AS g""",
        )
        run(pg_url, f"""
            CREATE TABLE results.visits_{name} AS
            SELECT g AS id, n AS day, left(md5((g % 1000 * 7 + n + {first} % 2000)::text), 2) AS ward
            FROM generate_series({first}, {first} + 119) AS g, generate_series(1, 5) AS n""")  # fmt: skip
    people, visits = (
        [f"results.{kind}_{side}" for side in ("synthetic", "train", "holdout")] for kind in ("people", "visits")
    )
    options = {"attack": "uniques"}
    rows = rows_of(pg.exposure(*people, children={"visits": (*visits, "id")}, order="day", **options))
    parts = list(dict.fromkeys(row["part"] for row in rows))
    assert parts == ["parents", "visits, together", "parents and visits", "visits", "visits, in order"]

    def scores(rows):
        return sorted((row["person"] if row.get("person") is not None else row["record"], row["score"]) for row in rows)

    for part, expected in (
        ("parents", pg.exposure(*people, key="id", **options)),
        ("visits", pg.exposure(*visits, unit="id", **options)),
        ("visits, in order", pg.exposure(*visits, unit="id", order="day", **options)),
    ):
        assert scores(row for row in rows if row["part"] == part) == scores(rows_of(expected)), part
    assert sum(row["score"] for row in rows if row["part"] == "visits, in order") > 0
    assert len(rows_of(pg.uniques(*visits, unit="id", order="day"))) > 0


def test_texts_are_read_as_numbers_and_the_rest_is_left_out(pg, pg_url):
    run(
        pg_url,
        "DROP TABLE IF EXISTS as_text, as_number",
        "CREATE TABLE as_text AS SELECT i::text AS n, (i * 1.5)::text AS x, 'c' || i % 3 AS c, "
        "(DATE '2024-01-01' + i)::text AS d, CASE i WHEN 3 THEN 'Infinity'::float8 WHEN 7 THEN NULL ELSE i END AS f, "
        "1 AS more FROM generate_series(0, 30) i",
        "CREATE TABLE as_number AS SELECT i AS n, i * 1.5::float8 AS x, 'c' || i % 3 AS c, DATE '2024-01-01' + i AS d, "
        "i::float8 AS f FROM generate_series(5, 30) i",
        "DROP TABLE IF EXISTS both_right",
        "CREATE TABLE both_right AS SELECT i AS n, i * 1.5::float8 AS x, 'c' || i % 3 AS c "
        "FROM generate_series(0, 30) i",
    )
    columns = {"columns": ["n", "x", "c"]}
    with pytest.warns(errors.SynthprivWarning, match='column "n" of "as_text" as BIGINT; column "x" of "as_text" as'):
        found = pg.dcr("as_text", "as_number", auto_cast=True, **columns)
    assert found.fetchall() == pg.dcr("both_right", "as_number", **columns).fetchall()
    with pytest.raises(errors.RoleError, match="PostgreSQL cannot check whether a text is a date"):
        pg.dcr("as_text", "as_number", auto_cast=True, exclude=["more", "f"])
    with pytest.raises(errors.ColumnMismatch, match=r'"more" is in.*Also: column "f" of "as_text" holds 1 infinite'):
        pg.dcr("as_text", "as_number")
    with pytest.warns(errors.SynthprivWarning, match="left out"):
        left = pg.dcr("as_text", "as_number", auto_cast=True, exclude_unsupported=True)
    assert left.fetchall() == found.fetchall()
    with pytest.raises(errors.OptionError, match="PostgreSQL does not read your files"):
        pg.dcr("as_text", "as_number", csv={"decimal": ","})


def test_what_a_table_holds_has_a_hash(pg, pg_client):
    values = "(1, 'a,b', 1.5::float8, TIMESTAMPTZ '2024-07-01 12:00+02'), (NULL, 'ü', 1, NULL), (2, NULL, 'NaN', NULL)"
    rows = f"SELECT * FROM (VALUES {values}) AS t(n, s, x, seen)"
    pg_client.execute(f"SELECT n::text, s, x::text, (seen AT TIME ZONE 'UTC')::text FROM ({rows}) AS q")
    found = pg.call(catalog.file("content_hash"), data=f"({rows})")
    assert found["hash"] == [recomputed(pg_client.fetchall())]
    assert found.moved.rows <= 1
