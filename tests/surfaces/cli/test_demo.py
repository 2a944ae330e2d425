"""The demo: the same tables everywhere, and a report that tells the leaky one from the careful one."""

import hashlib

import duckdb
import pytest

from synthpriv_sql import demo

# Of all five tables; it changes only where the SQL does.
DIGEST = "bb76ef4c5520e84c027f7751ccf04b927bb5613baa2aef7499e1eccea8a4708e"
TABLES = (demo.TRAIN, demo.HOLDOUT, *demo.SYNTHETIC)


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as opened:
        demo.create(opened)
        yield opened


def scalar(connection, sql):
    (value,) = connection.execute(sql).fetchone()
    return value


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_tables_are_the_same_for_any_duckdb_and_threads(threads):
    digest = hashlib.sha256()
    with duckdb.connect(config={"threads": threads}) as connection:
        demo.create(connection)
        for table in TABLES:
            rows = connection.sql(f"FROM {table}")
            digest.update(repr((rows.columns, [str(t) for t in rows.types], rows.fetchall())).encode())
    assert digest.hexdigest() == DIGEST


def test_only_the_tables_stay(connection):
    assert {name for (name,) in connection.execute("SHOW TABLES").fetchall()} == set(TABLES)
    assert scalar(connection, "SELECT count(*) FROM duckdb_functions() WHERE function_name LIKE 'demo%'") == 0


def test_a_table_that_is_there_stays_and_no_other_appears():
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE synthetic_leaky AS SELECT 1 AS mine")
        with pytest.raises(duckdb.CatalogException, match="synthetic_leaky"):
            demo.create(connection)
        assert connection.execute("SHOW TABLES").fetchall() == [("synthetic_leaky",)]
        assert scalar(connection, "SELECT mine FROM synthetic_leaky") == 1
        connection.execute("DROP TABLE synthetic_leaky")
        demo.create(connection)


@pytest.mark.parametrize("table", TABLES)
def test_each_has_5000_customers_with_ids_of_its_own(connection, table):
    assert scalar(connection, f"SELECT count(DISTINCT customer_id) FROM {table}") == 5000
    everybody = " UNION ALL ".join(f"SELECT customer_id FROM {name}" for name in TABLES)
    assert scalar(connection, f"SELECT count(DISTINCT customer_id) FROM ({everybody})") == 25_000


@pytest.mark.parametrize(
    ("table", "copies"),
    [
        (demo.TRAIN, 5000),
        (demo.HOLDOUT, 0),
        ("synthetic_careful", 0),
        ("synthetic_leaky", 804),
        ("synthetic_spliced", 0),
    ],
)
def test_train_records_in_each_table(connection, table, copies):
    text = "SELECT COLUMNS(* EXCLUDE customer_id)::VARCHAR FROM {}"
    records = [connection.execute(text.format(name)).fetchall() for name in (table, demo.TRAIN)]
    real = set(records[1])
    assert sum(record in real for record in records[0]) == copies


@pytest.mark.parametrize("table", TABLES[1:])
@pytest.mark.parametrize(
    "number",
    [
        "avg((occupation = 'retired')::INT)",
        "avg((region = 'capital')::INT)",
        "avg((last_contact IS NULL)::INT)",
        "avg((referral IS NULL)::INT)",
        "avg(is_active::INT)",
        "corr(income, balance)",
        "corr(epoch(birth_date), balance)",
    ],
)
def test_all_are_of_one_population(connection, table, number):
    here, there = (scalar(connection, f"SELECT {number} FROM {name}") for name in (table, demo.TRAIN))
    # A balance of somebody else goes with the age a little less.
    assert here == pytest.approx(there, abs=0.1 if table == "synthetic_spliced" else 0.05)
