"""Tables of a MariaDB server that the user has attached to DuckDB; its extension is there for DuckDB 1.5."""

from importlib import resources

import duckdb
import pytest
from calls import assert_same_rows, rows_of

import synthpriv_sql
from synthpriv_sql.engines.mysql.driver import read

pytestmark = pytest.mark.duckdb_1

PACKAGE = resources.files("duckdb_extension_mysql_scanner")
EXTENSION = PACKAGE / f"extensions/v{duckdb.__version__}/mysql_scanner.duckdb_extension"
TABLES = """
CREATE TABLE attached_train (id INT PRIMARY KEY, x DOUBLE, price DECIMAL(9, 2), day DATE, kind VARCHAR(9),
  flag BOOLEAN);
CREATE TABLE attached_synthetic LIKE attached_train;
INSERT INTO attached_train SELECT seq, seq * 7 % 31, seq / 4, DATE '2024-01-01' + INTERVAL seq DAY,
  MID('xyX', 1 + seq % 3, 1), seq % 2 FROM seq_0_to_59;
INSERT INTO attached_synthetic SELECT seq, seq * 5 % 31, seq / 3, DATE '2024-01-01' + INTERVAL seq * 2 DAY,
  IF(seq % 9 = 0, NULL, MID('xyX', 1 + seq % 3, 1)), seq % 2 FROM seq_0_to_59
"""


def test_attached_tables_give_what_a_session_on_the_server_gives(mariadb_server):
    import pymysql

    given = read(mariadb_server.url).options
    with pymysql.connect(charset="utf8mb4", autocommit=True, **given) as connection, connection.cursor() as cursor:
        for statement in TABLES.split(";\n"):
            cursor.execute(statement)
    with synthpriv_sql.connect() as here, synthpriv_sql.connect(mariadb_server.url) as there:
        here.connection.load_extension(str(EXTENSION))
        here.connection.execute(
            "CREATE SECRET (TYPE mysql, HOST '{host}', PORT {port}, USER '{user}', PASSWORD '{password}', DATABASE "
            "'{database}')".format(**given)
        )
        here.connection.execute("ATTACH '' AS my (TYPE mysql, READ_ONLY)")
        names = {"synthetic": "attached_synthetic", "train": "attached_train"}
        attached = {parameter: f"my.tests.{name}" for parameter, name in names.items()}
        for function in ("dcr", "copies", "screen"):
            wanted = there.call(function, **names, key="id")
            assert len(wanted) == 60
            assert_same_rows(rows_of(here.call(function, **attached, key="id")), rows_of(wanted))
        wanted = rows_of(there.scaling(names["train"], exclude=["id"]))
        assert_same_rows(rows_of(here.scaling(attached["train"], exclude=["id"])), wanted)
