"""SQLite and MariaDB give what DuckDB gives on the same values: every function, and the same errors.

The cases are those of tests/engines/test_conformance.py, on tables with the types that a database has.
"""

import functools

import plain_tables
import pytest
from calls import quoted
from compared import FIRST, run, same
from conformance import CASES, LEAN

import synthpriv_sql

# In `make test`: statements that are all SQL, a search, texts, and errors.
AT_ONCE = {FIRST[name] for name in ("anonymity", "neighbors", "replay", "scaling", "screen")}
AT_ONCE |= {number for number, case in enumerate(LEAN) if "classes" in case.tables}


@pytest.fixture(scope="module")
def sqlite(tmp_path_factory):
    """A SQLite file, what its tables are named, and DuckDB with the same values in the types that SQLite has."""
    path = tmp_path_factory.mktemp("sqlite") / "all.db"
    plain_tables.fill_sqlite(path)
    with synthpriv_sql.connect() as reference, synthpriv_sql.connect(f"sqlite:///{path}", threads=2) as session:
        plain_tables.fill_reference(reference, plain_tables.IN_SQLITE)
        yield session, quoted, functools.cache(lambda number: run(reference, str, CASES[number]))


@pytest.fixture(scope="module")
def mariadb(mariadb_server):
    """The same for a MariaDB server."""
    plain_tables.fill_mariadb(mariadb_server.url)
    with synthpriv_sql.connect() as reference, synthpriv_sql.connect(mariadb_server.url, threads=2) as session:
        plain_tables.fill_reference(reference, plain_tables.IN_MARIADB)
        expected = functools.cache(lambda number: run(reference, str, CASES[number]))
        yield session, lambda name: f"conformance.{plain_tables.backquoted(name)}", expected


@pytest.fixture(scope="module", params=["sqlite", "mariadb"])
def database(request):
    return request.getfixturevalue(request.param)


def calls():
    for database in ("sqlite", "mariadb"):
        for number in range(len(CASES)):
            marks = [] if number in AT_ONCE and database == "sqlite" else [pytest.mark.slow]
            yield pytest.param(database, number, id=f"{database}-{CASES[number].name}", marks=marks)


@pytest.mark.parametrize(("database", "number"), list(calls()), indirect=["database"])
def test_numbers_and_errors_are_those_of_duckdb(database, number):
    session, name, expected = database
    found, wanted = run(session, name, CASES[number]), expected(number)
    if isinstance(wanted, tuple) or isinstance(found, tuple):
        assert found == wanted
        return
    if CASES[number].function == "evaluate":
        wanted = [row for row in wanted if row["section"] != "dimensions"]
    assert len(found) == len(wanted)
    for row, other in zip(found, wanted, strict=True):
        assert list(row) == list(other)
        assert {n: (row[n], other[n]) for n in row if not same(row[n], other[n])} == {}
