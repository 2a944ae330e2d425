"""SQLite and MariaDB give what DuckDB gives on the same values: every function, and the same errors.

The cases are those of tests/engines/test_conformance.py, on tables with the types that a database has.
"""

import functools

import plain_tables
import pytest
from calls import quoted
from repetitions import EVERY_CASE
from surfaces import OF_EVERY_KIND

import synthpriv_sql
from synthpriv_sql.conformance import comparing
from synthpriv_sql.conformance.cases import CASES, FIRST, LEAN
from synthpriv_sql.conformance.comparing import run

# A function of nearly each kind on both, of the others every other one on one of them. PostgreSQL has nearly all
# functions (tests/engines/test_conformance.py); what takes ten seconds is for `make nightly`.
LONG = {FIRST[name] for name in ("candidates", "evaluate", "remedied", "remedy")}
EVERY = {FIRST[name] for name in OF_EVERY_KIND} - LONG
OTHERS = [number for number in range(len(LEAN)) if number not in EVERY | LONG]
OTHERS += range(len(LEAN) + 1, len(CASES), 2)
OF = {"sqlite": EVERY | {*OTHERS[::4]}, "mariadb": EVERY | {*OTHERS[2::4]}}
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
        for number in range(len(CASES)) if EVERY_CASE else sorted(OF[database] | AT_ONCE):
            marks = [] if number in AT_ONCE and database == "sqlite" else [pytest.mark.slow]
            yield pytest.param(database, number, id=f"{database}-{CASES[number].name}", marks=marks)


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize(("database", "number"), list(calls()), indirect=["database"])
def test_numbers_and_errors_are_those_of_duckdb(database, number):
    session, name, expected = database
    found, wanted = run(session, name, CASES[number]), expected(number)
    assert list(comparing.differences(found, wanted)) == []
