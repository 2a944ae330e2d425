"""Redshift, which is a PostgreSQL server of the tests where statements agree.

What PostgreSQL lacks is mended before a statement reaches it: DATEDIFF takes its unit as a text, VARCHAR(MAX) is
VARCHAR, TRY_CAST a function; and a backslash in a text is an escape. So no more is shown than that the rest runs there.
"""

import re
from urllib.parse import quote

import pytest
import servers
import sqlglot
from calls import rows_of
from shop import run
from sqlglot import exp
from surfaces import IN_WAREHOUSES

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.conformance import checking
from synthpriv_sql.engines.redshift.engine import RedshiftDriver

pytestmark = pytest.mark.slow

SETTINGS = quote("-c standard_conforming_strings=off -c escape_string_warning=off", safe="")
MICROSECONDS = "SELECT (extract(epoch FROM b - a) * 1000000)::bigint"
STATEMENTS = [
    "CREATE FUNCTION datediff(unit text, a date, b date) RETURNS bigint LANGUAGE sql AS 'SELECT (b - a)::bigint'",
    f"CREATE FUNCTION datediff(unit text, a timestamp, b timestamp) RETURNS bigint LANGUAGE sql AS '{MICROSECONDS}'",
    f"CREATE FUNCTION datediff(unit text, a time, b time) RETURNS bigint LANGUAGE sql AS '{MICROSECONDS}'",
    "CREATE FUNCTION tried(given text) RETURNS double precision LANGUAGE plpgsql AS "
    "'BEGIN RETURN given::double precision; EXCEPTION WHEN OTHERS THEN RETURN NULL; END'",
    "CREATE TABLE train AS SELECT i * 7 % 11 / 2.0 AS a, substr('xyX', 1 + i * 7 % 3, 1) AS b FROM "
    "generate_series(0, 39) AS i",
    "CREATE TABLE synthetic AS SELECT i * 5 % 11 / 2.0 AS a, substr('xyX', 1 + i * 5 % 3, 1) AS b FROM "
    "generate_series(0, 39) AS i",
]


def mended(sql):
    if "TRY_CAST(" in sql:
        tree = sqlglot.parse_one(sql, read="redshift")
        for node in list(tree.find_all(exp.TryCast)):
            node.replace(exp.Anonymous(this="tried", expressions=[node.this.copy()]))
        sql = tree.sql("redshift")
    return re.sub(r"DATEDIFF\(([A-Z]+),", r"DATEDIFF('\1',", sql.replace("VARCHAR(MAX)", "VARCHAR"))


@pytest.fixture(scope="module")
def session():
    patch = pytest.MonkeyPatch()
    ask, start = RedshiftDriver.ask, RedshiftDriver.start
    patch.setattr(RedshiftDriver, "ask", lambda self, opened, sql, given: ask(self, opened, mended(sql), given))
    patch.setattr(RedshiftDriver, "start", lambda self, opened, sql, types: start(self, opened, mended(sql), types))
    with servers.postgres(servers.postgres_programs()) as server:
        for statement in STATEMENTS:
            run(server.url, statement)
        url = server.url.replace("postgresql://", "redshift://") + f"?options={SETTINGS}"
        with synthpriv_sql.connect(url, threads=1) as opened:
            yield opened
    patch.undo()


def test_a_result_is_written_replaced_and_appended(session):
    result = session.split("train", share=0.5)
    result.to_table("kept")
    with pytest.raises(errors.WriteError, match="of that name already"):
        result.to_table("kept")
    session.split("synthetic").to_table("public.kept", replace=True)
    assert len(session.split("kept")) == 40
    for again in (result, result):
        again.to_table("runs", append=True)  # the second time it is there already
    assert session.anonymity("runs", quasi_identifiers=["run_function"])["rows"] == [len(result)]
    session.engine.drop("kept")
    with pytest.raises(errors.UnknownTable, match="is not a table or view that Redshift shows"):
        session.split("kept")


def test_texts_are_written_as_they_are(session):
    texts = ["'", "\\", "\\'", "\\n", "a\nb", "%s $1", "", "ü", "'; DROP TABLE train; --"]
    parts = (" || ".join(["''", *(f"chr({ord(c)})" for c in text)]) for text in texts)
    query = " UNION ALL ".join(f"SELECT {n} AS n, {part} AS t" for n, part in enumerate(parts))
    session.split(f"({query})").to_table("texts")
    assert sorted(row["t"] for row in rows_of(session.split("texts"))) == sorted(texts)


def test_rows_are_counted_there(session):
    assert session.anonymity("train", quasi_identifiers=["b"]).moved.rows == 0
    assert session.dcr("synthetic", "train").moved.rows == 80


def test_every_function_gives_what_duckdb_gives(session):
    report = checking.check(session, IN_WAREHOUSES, timeout=3600)
    other = {case.function for case in report.cases if case.result not in {"same", "refused"}}
    # PERCENTILE_CONT as a window, which PostgreSQL lacks.
    assert other == {"peers_synthpop_utility"} & {case.function for case in IN_WAREHOUSES}
    assert (report.values, report.left, report.has_nan) == ("same", [], True)
    assert len(report.cases) == len(IN_WAREHOUSES)
