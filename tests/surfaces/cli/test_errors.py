"""What an error says, and what it keeps to itself."""

import pickle
from contextlib import nullcontext

import duckdb
import pyarrow as pa
import pytest
from calls import create

import synthpriv_sql
from synthpriv_sql import errors


@pytest.mark.parametrize(
    ("told", "left"),
    [
        ('at "host=a password=s3cret dbname=b": no', 'at "host=a password=*** dbname=b": no'),
        ("password='s3 cr\\'et' user=u", "password=*** user=u"),
        ("PASSWORD = s3cret", "PASSWORD = ***"),
        (
            "postgres_scan('host=a password=s3,cr)t', 'public', 't')",
            "postgres_scan('host=a password=***', 'public', 't')",
        ),
        ("read_parquet('https://h/x?sig=s3cret&se=2030')", "read_parquet('https://h/x?sig=***')"),
        ("'s3://b/x?X-Amz-Credential=s3cret'", "'s3://b/x?X-Amz-Credential=***'"),
        ("AccountName=a;AccountKey=s3cret==", "AccountName=a;AccountKey=***"),
        ("SharedAccessKey=s3cret", "SharedAccessKey=***"),
        ("https://h/x?api_key=s3cret", "https://h/x?api_key=***"),
        ('{"password": "s3cret", "user": "me"}', '{"password": ***, "user": "me"}'),
        ("(TYPE s3, KEY_ID 's3cret', SECRET 's3 cret')", "(TYPE s3, KEY_ID ***, SECRET ***)"),
        ("SET pg_oauth_token='s3cret'; SELECT 1", "SET pg_oauth_token=***; SELECT 1"),
        ("postgresql://me:s3cret@host/db failed", "postgresql://me:***@host/db failed"),
        ("postgresql://me:s3@cr:et@host:5432/db", "postgresql://me:***@host:5432/db"),
        ("postgresql://host/db?user=me&password=s3cret", "postgresql://host/db?user=me&password=***"),
        (
            "CREATE SECRET (TYPE postgres, PASSWORD 's3''cret', HOST 'h')",
            "CREATE SECRET (TYPE postgres, PASSWORD ***, HOST 'h')",
        ),
        ("https://a.blob/x?sv=1&sig=s3cret: 403", "https://a.blob/x?sv=1&sig=*** 403"),
        ("aws_secret_access_key=s3cret region=eu", "aws_secret_access_key=*** region=eu"),
        ('column "password" of "t" holds text that is none', 'column "password" of "t" holds text that is none'),
        ("https://example.org/a?b=c and 12:30@noon", "https://example.org/a?b=c and 12:30@noon"),
    ],
)
def test_no_password_stands_in_an_error(told, left):
    for kind in (errors.SynthprivError, errors.UnknownTable, errors.OptionError):
        assert str(kind(told)) == left
    assert str(errors.from_database(RuntimeError(f"IO Error: {told}"))) == f"IO Error: {left}"
    assert str(errors.from_database(RuntimeError(f"Error: UnknownTable: {told}"))) == left


def test_an_error_survives_the_way_to_another_process():
    error = pickle.loads(pickle.dumps(errors.UnknownTable("no such table")))
    assert (type(error), str(error)) == (errors.UnknownTable, "no such table")


@pytest.mark.parametrize(
    "name", [pytest.param("evaluate", marks=pytest.mark.again), "holdout_share", "screen", "membership"]
)
def test_several_tables_without_rows_are_all_named(session, name):
    """Which search meets its own first is chance."""
    nothing = pa.table({"x": pa.array([], pa.float64())})
    create(session, first=nothing, second=nothing, third=nothing, some=pa.table({"x": [1.0, 2.0, 3.0]}))
    with pytest.raises(errors.EmptyTable, match=r'^"first", "second" and "third" have no rows'):
        getattr(session, name)("first", "second", "third").to_arrow()
    with pytest.raises(errors.EmptyTable, match=r'^"second" and "third" have no rows'):
        getattr(session, name)("some", "second", "third").to_arrow()


@pytest.mark.parametrize(
    ("opened", "named"),
    [
        (lambda: synthpriv_sql.connect(duckdb.connect()), r"register\(connection\) takes an open DuckDB connection"),
        (lambda: synthpriv_sql.register("customers.duckdb"), r"not a str: connect\(database\) opens"),
    ],
)
def test_a_way_to_open_names_the_other(opened, named):
    with pytest.raises(errors.OptionError, match=named):
        opened()


def test_a_result_that_was_not_fetched_is_named():
    table = pa.table({"a": [1.0, 2.0, 3.0]})
    connection = duckdb.connect()
    session = synthpriv_sql.register(connection)
    connection.execute("SELECT * FROM range(3)")
    refused = pytest.raises(errors.EngineError, match=r"was not fetched.*fetchall\(\)")
    with refused if duckdb.__version__ >= "2" else nullcontext():  # DuckDB 1 drops the rows without a word
        session.dcr(table, table)
    connection.fetchall()
    assert len(session.dcr(table, table)) == 3
