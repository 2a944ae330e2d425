"""The tables of `conformance` for databases with fewer types, and in DuckDB with the types that they have there."""

import sqlite3

from calls import quoted

from synthpriv_sql.conformance.cases import ALL
from synthpriv_sql.engines.sqlite.writing import _value

SQLITE = {
    "DOUBLE": "REAL",
    "FLOAT": "REAL",
    "VARCHAR": "TEXT",
    "ENUM ('happy', 'ok', 'Sad')": "TEXT",
    "TIMESTAMP WITH TIME ZONE": "TIMESTAMP",
}
"""The declared type in SQLite for a type of DuckDB; the others are declared by the same name."""
IN_SQLITE = {
    "INTEGER": "BIGINT",
    "FLOAT": "DOUBLE",
    "DECIMAL(10, 2)": "DOUBLE",
    "UUID": "VARCHAR",
    "ENUM ('happy', 'ok', 'Sad')": "VARCHAR",
}
"""What is read there in place of a type of DuckDB."""


def fill_duckdb(session):
    """Create the tables in DuckDB as they are."""
    session.connection.execute("SET TimeZone = 'UTC'")
    for name, table in ALL.items():
        session.connection.register("incoming", table.arrow())
        listed = ", ".join(f"CAST({quoted(c)} AS {type_}) AS {quoted(c)}" for c, type_ in table.columns.items())
        session.connection.execute(f"CREATE TABLE {quoted(name)} AS SELECT {listed} FROM incoming")


def fill_reference(session, types):
    """Create the tables in DuckDB, with other types, and NaN as NULL."""
    session.connection.execute("SET TimeZone = 'UTC'")
    for name, table in ALL.items():
        session.connection.register("incoming", table.arrow())
        listed = []
        for column, type_ in table.columns.items():
            value = quoted(column)
            if type_ == "DOUBLE":
                value = f"CASE WHEN NOT isnan({value}) THEN {value} END"
            listed.append(f"CAST({value} AS {types.get(type_, type_)}) AS {quoted(column)}")
        session.connection.execute(f"CREATE TABLE {quoted(name)} AS SELECT {', '.join(listed)} FROM incoming")
        session.connection.unregister("incoming")


def fill_sqlite(path):
    """Create the tables in a SQLite file."""
    connection = sqlite3.connect(path)
    for name, table in ALL.items():
        listed = ", ".join(f"{quoted(c)} {SQLITE.get(type_, type_)}" for c, type_ in table.columns.items())
        connection.execute(f"CREATE TABLE {quoted(name)} ({listed})")
        rows = [[_value(value) for value in row.values()] for row in table.arrow().to_pylist()]
        connection.executemany(f"INSERT INTO {quoted(name)} VALUES ({', '.join('?' * len(table.columns))})", rows)
    connection.commit()
    connection.close()


MARIADB = {
    "VARCHAR": "LONGTEXT",
    "TIME": "TIME(6)",
    "TIMESTAMP": "DATETIME(6)",
    "TIMESTAMP WITH TIME ZONE": "TIMESTAMP(6) NULL",
    "ENUM ('happy', 'ok', 'Sad')": "ENUM ('happy', 'ok', 'Sad')",
}
IN_MARIADB = {
    "INTEGER": "BIGINT",
    "FLOAT": "DOUBLE",
    "UUID": "VARCHAR",
    "ENUM ('happy', 'ok', 'Sad')": "VARCHAR",
}


def fill_mariadb(url):
    """Create the tables in a database of a MariaDB server."""
    import pymysql

    from synthpriv_sql.engines.mysql.driver import read
    from synthpriv_sql.engines.mysql.writing import _value as value_of

    connection = pymysql.connect(charset="utf8mb4", autocommit=True, **read(url).options)
    with connection.cursor() as cursor:
        cursor.execute("SET sql_mode = 'STRICT_ALL_TABLES', time_zone = '+00:00'")
        for name, table in ALL.items():
            listed = ", ".join(f"{backquoted(c)} {MARIADB.get(type_, type_)}" for c, type_ in table.columns.items())
            cursor.execute(f"CREATE TABLE conformance.{backquoted(name)} ({listed})")
            rows = [[without_nan(value_of(value)) for value in row.values()] for row in table.arrow().to_pylist()]
            if rows:
                marks = ", ".join(["%s"] * len(table.columns))
                cursor.executemany(f"INSERT INTO conformance.{backquoted(name)} VALUES ({marks})", rows)
    connection.close()


def backquoted(name):
    return "`" + name.replace("`", "``") + "`"


def without_nan(value):
    return None if isinstance(value, float) and value != value else value
