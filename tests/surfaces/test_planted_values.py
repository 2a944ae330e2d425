"""Values of people stand in no error, warning or log, whatever a query or a view makes a database say about them."""

import logging

import duckdb
import pandas as pd
import pytest
from calls import cli, create
from surfaces import EXAMPLES, OF_EVERY_KIND, TABLES

import synthpriv_sql
from synthpriv_sql import errors, unsaid
from synthpriv_sql.planner.headers import catalog

MARK = "Zq"
FORMS = [
    "{0}", "{0} Müller", "{0}' OR ''", '{0} "x" y', "{0}(", "[{0}", "{0}@mail.de", "to {0}, Berlin", "{0}\n{0}",
    "{{{0}", "%{0}", "\\{0}", "value {0} of type {0}", "not a {0}: {0}", "{0}=1;", "1 2 3 {0}",
]  # fmt: skip
VALUES = [FORMS[i % len(FORMS)].format(f"{MARK}{i:03}") for i in range(300)]
EXPRESSIONS = [
    "a::INTEGER", "a::DATE", "a::UUID", "a::TIMESTAMPTZ", "a::mood", "a::JSON", "[a]::DECIMAL(9, 2)[]", "error(a)",
    "error('Could not ' || a)", "json_extract(a, '$.x')", "regexp_matches('x', '(' || a)", "timezone(a, now())",
    "strptime(a, '%Y')", "date_trunc(a, now())", "unhex(a)", "a::INTERVAL", "{'b': a}::STRUCT(b INTEGER)",
]  # fmt: skip
PLANTED = "CREATE TABLE planted AS SELECT unnest(range({0})) AS i, unnest(?::VARCHAR[]) AS a"


def reading(table, place):
    """A query that fails at the planted value of a place."""
    expression = EXPRESSIONS[place % len(EXPRESSIONS)]
    return f"(SELECT t.* FROM {table} AS t, planted AS p WHERE p.i = {place} AND ({expression}) IS NOT NULL)"


def fail(session, name, place):
    """Call a function whose first table fails at the planted value of a place."""
    tables, given = EXAMPLES[name]
    named = [parameter.name for parameter in catalog.functions()[name].relations]
    tables = [reading(tables[0], place) if isinstance(tables[0], str) else tables[0], *tables[1:]] if tables else []
    session.call(name, **given, **dict(zip(named, tables, strict=False)))


@pytest.mark.filterwarnings("ignore")
def test_every_function_of_duckdb(tmp_path, caplog):
    caplog.set_level(logging.DEBUG, "synthpriv_sql")
    with synthpriv_sql.connect() as session:
        connection = session.connection
        create(session, **TABLES)
        connection.execute(
            "CREATE TYPE mood AS ENUM (?)".replace("?", ", ".join(f"'{MARK}mood{i}'" for i in range(300)))
        )
        connection.execute(PLANTED.format(len(VALUES)), [VALUES])
        said = []
        for place in range(len(VALUES)):
            try:
                if place < len(OF_EVERY_KIND):
                    fail(session, OF_EVERY_KIND[place], place)
                else:
                    with session.engine.call():
                        connection.execute(f"FROM {reading('train', place)}").fetchall()
            except errors.SynthprivError as error:
                said.append(str(error))
    assert len(said) > 250
    assert [text for text in said if MARK in text] == []
    assert MARK not in caplog.text


def test_postgres(pg, pg_client, caplog):
    caplog.set_level(logging.DEBUG, "synthpriv_sql")
    pg_client.execute("DROP TABLE IF EXISTS planted_values")
    rows = ", ".join("(" + str(i) + ", '" + a.replace("'", "''") + "')" for i, a in enumerate(VALUES[:20]))
    pg_client.execute(f"CREATE TABLE planted_values AS SELECT * FROM (VALUES {rows}) AS v(i, a)")
    expressions = [
        "a::integer", "a::date", "a::uuid", "a::inet", "a::json", "a::interval", "a::integer[]", "'x' ~ ('(' || a)",
        "timezone(a, now())", "a::numeric", "date_trunc(a, now())", "('{' || a)::text[]", "chr(-length(a))",
    ]  # fmt: skip
    said = []
    for place in range(20):
        expression = expressions[place % len(expressions)]
        query = f"(SELECT a, i FROM planted_values WHERE i = {place} AND ({expression}) IS NOT NULL)"
        try:
            pg.marginals(query, "(SELECT 'b' AS a, 1 AS i)")
        except errors.SynthprivError as error:
            said.append(str(error))
    pg_client.execute("DROP TABLE planted_values")
    assert len(said) > 12
    assert [text for text in said if MARK in text] == []
    assert MARK not in caplog.text


def test_the_command_line(tmp_path):
    database = tmp_path / "people.duckdb"
    with duckdb.connect(str(database)) as connection:
        connection.execute(f"CREATE TYPE mood AS ENUM ('{MARK}0', '{MARK}1')")
        connection.execute(PLANTED.format(len(VALUES)), [VALUES])
        connection.execute("CREATE TABLE train AS SELECT 1 AS n")
        for i in range(3):
            connection.execute(f"CREATE VIEW train_{i} AS FROM {reading('train', i)}")
    for i in range(3):
        tables = ("--synthetic", f"train_{i}", "--train", f"train_{i}")
        code, out, err = cli("marginals", *tables, "--database", str(database), "--log", "debug")
        assert code != 0
        assert MARK not in out + err


def test_what_other_engines_and_libraries_say():
    for value in VALUES[:60]:
        for said in (
            f'[CAST_INVALID_INPUT] The value \'{value}\' of the type "STRING" cannot be cast to "INT"',
            f"[USER_RAISED_EXCEPTION] {value}",
            f"For input string: {value}",
            f"Could not convert '{value}' with type str: tried to convert to int64",
            f"could not convert string to float: {value!r}",
            f"Key (name)=({value}) already exists.",
        ):
            assert MARK not in unsaid.without_values(said)
            assert MARK not in unsaid.of_postgres(said, "22P02")
    told = "Catalog Error: Table with name people does not exist!"
    assert unsaid.without_values(told) == told
    assert unsaid.of_postgres('relation "people" does not exist', "42P01") == 'relation "people" does not exist'
    assert unsaid.of_postgres('invalid input syntax for type date: "x"', "22007").endswith("date: ‹value›")
    closed = "server closed the connection unexpectedly"
    began = f'Failed to prepare COPY "COPY (SELECT "x" FROM "people") TO STDOUT": {closed}\n\tbefore or while …'
    assert unsaid.of_duckdb(began) == f"Failed to prepare: {closed}"
    for said in (f"ERROR:  invalid input: {MARK}: {closed}!", f"ERROR:  {MARK} {closed}"):
        assert MARK not in unsaid.of_duckdb(f"Failed to execute query: {said}")


def test_labels_of_categories_stand_in_no_error(session, tmp_path):
    labels = [f"{MARK}{i:04}" for i in range(3000)]
    frame = pd.DataFrame({"a": pd.Categorical(labels), "b": range(3000)})
    session.connection.execute("CREATE TABLE numbers AS SELECT i AS a, i AS b FROM range(9) AS r(i)")
    for call in (
        lambda: session.dcr(frame, "numbers"),
        lambda: session.dcr("(SELECT MAP {'x': a} AS a, b FROM of_frame)", "numbers"),
        lambda: session.dcr(frame, "numbers", numeric=["a"]),
        lambda: session.dcr(frame.assign(a=[[label] for label in labels]), "numbers"),
    ):
        session.connection.register("of_frame", frame)
        with pytest.raises(errors.SynthprivError) as caught:
            call()
        assert MARK not in str(caught.value)
        assert len(str(caught.value)) < 2000


def test_the_first_record_of_a_file_without_header_stands_in_no_error(session, tmp_path):
    for name, mark in (("synthetic", "Zq1"), ("train", "Zq2")):
        rows = "\n".join(f"{mark}Ann{i},{mark}Berlin{i}" for i in range(5))
        (tmp_path / f"{name}.csv").write_text(rows + "\n")
    (tmp_path / "named.csv").write_text("name,city\nx,y\n")
    synthetic, train, named = (str(tmp_path / f"{name}.csv") for name in ("synthetic", "train", "named"))
    for given in (
        (synthetic, train, {}),
        (synthetic, named, {}),
        (named, train, {}),
        (synthetic, train, {"key": "id"}),
    ):
        *tables, options = given
        with pytest.raises(errors.SynthprivError) as caught:
            session.dcr(*tables, **options)
        assert MARK not in str(caught.value)
        assert "header" in str(caught.value)
