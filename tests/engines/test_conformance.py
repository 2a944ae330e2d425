"""All engines give the same: every function, on the same tables, to 1e-9, and the same errors.

DuckDB in memory is what the others are compared with; that its numbers are right is what the other tests are about.
What an engine cannot run the header of the function says (`not_on`), with a reason that the error gives as well; what
cannot be a table there, `Engine.lacks`.
"""

import functools
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

import plain_tables
import pyarrow.parquet as pq
import pytest
from calls import DUCKDB, quoted
from repetitions import EVERY_CASE
from surfaces import OF_EVERY_KIND

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.conformance import comparing
from synthpriv_sql.conformance.cases import ALL, CASES, FIRST, LEAN, PEERS
from synthpriv_sql.conformance.comparing import run, same
from synthpriv_sql.conformance.tables import MOOD, STEPS
from synthpriv_sql.engines.base import Answer
from synthpriv_sql.planner.headers import catalog

ENGINES = ("duckdb_files", "iceberg", "postgres", "spark")
# In `make test`: a case of each kind of function, and what has few rows or is an error.
AT_ONCE = {FIRST[function] for function in OF_EVERY_KIND}
AT_ONCE |= {number for number, case in enumerate(LEAN) if {"one", "empty", "classes"}.intersection(case.tables)}


# `evaluate` is made of parts of the others, and PostgreSQL has it in `make test`; an empty table has no files.
AGAIN_ON_ICEBERG = {
    number for number, case in enumerate(CASES) if case.function == "evaluate" or case.tables == ("empty",)
}


# Spark takes seconds a call: there also what reads rows in a way of its own, and not what is made of parts of others.
ON_SPARK = ("copies", "flatten", "nndr", "split", "uniques", "within")
NOT_ON_SPARK = ("candidates", "evaluate", "exposure", "fidelity_summary", "linkability", "screen")
NOT_ON_SPARK = {FIRST[function] for function in NOT_ON_SPARK}
# A search for a table, and calls of many tables.
NOT_IN_POSTGRES = {FIRST[function] for function in ("candidates", "remedied", "remedy")}

IN_POSTGRES = {
    "DOUBLE": "double precision",
    "FLOAT": "real",
    "DECIMAL(10, 2)": "numeric(10, 2)",
    "VARCHAR": "text",
    MOOD: "conformance.mood",
}
"""What a type is called in PostgreSQL where its name is another one."""


@pytest.fixture(scope="module")
def reference():
    """A session on DuckDB that has the tables."""
    with synthpriv_sql.connect() as session:
        plain_tables.fill_duckdb(session)
        yield session


@pytest.fixture(scope="module")
def duckdb_files(reference, tmp_path_factory):
    """DuckDB on Parquet files, which it reads in whatever order it likes."""
    folder = tmp_path_factory.mktemp("conformance")
    for name in ALL:
        pq.write_table(reference.connection.table(quoted(name)).to_arrow_table(), folder / f"{name}.parquet")
    with synthpriv_sql.connect(threads=2) as session:
        session.connection.execute("SET TimeZone = 'UTC'")
        yield session, lambda name: str(folder / f"{name}.parquet")


@pytest.fixture(scope="module")
def iceberg(iceberg_catalog):
    """DuckDB on Iceberg tables; there UUIDs and enums are texts."""
    import lakes

    for name in ALL:
        lakes.iceberg(iceberg_catalog, f"conformance {name}", ALL[name].arrow())
    with synthpriv_sql.connect(threads=2) as session:
        session.connection.execute("SET TimeZone = 'UTC'")
        yield session, lambda name: f'iceberg:lake.some."conformance {name}"'


@pytest.fixture(scope="module")
def postgres(postgres_server):
    """PostgreSQL, with a schema of its own."""
    dbapi = pytest.importorskip("adbc_driver_postgresql.dbapi", reason="the extra `postgres` is not installed")
    with dbapi.connect(postgres_server.url, autocommit=True) as connection, connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA conformance")
        cursor.execute("CREATE TYPE conformance.mood AS ENUM ('happy', 'ok', 'Sad')")
        for number, (name, table) in enumerate(ALL.items()):
            cursor.adbc_ingest(f"incoming_{number}", table.arrow(), mode="create", temporary=True)
            types = IN_POSTGRES | ({"DECIMAL(10, 2)": "numeric"} if name in STEPS else {})
            listed = ", ".join(
                f"CAST({quoted(c)} AS {types.get(type_, type_)}) AS {quoted(c)}" for c, type_ in table.columns.items()
            )
            cursor.execute(f"CREATE TABLE conformance.{quoted(name)} AS SELECT {listed} FROM incoming_{number}")
    with synthpriv_sql.connect(postgres_server.url, threads=2) as session:
        yield session, lambda name: f"conformance.{quoted(name)}"


@pytest.fixture(scope="module")
def spark(spark_cluster):
    """Spark, with the tables as views."""
    session = synthpriv_sql.spark(spark_cluster)
    for name in ALL:
        session.engine.frame(Answer(ALL[name].arrow(), [], "")).createOrReplaceTempView(f"`{name}`")
    return session, str


@pytest.fixture(scope="module", params=ENGINES)
def engine(request):
    """A session on an engine, and how it names a table."""
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="module")
def expected(reference):
    """What DuckDB gives, computed once."""
    return functools.cache(lambda number: run(reference, str, CASES[number]))


def calls():
    """Each engine with each case, without EVERY_CASE without those that reach nothing of its own.

    Files and Iceberg tables are read in the same way for all functions: those of every kind, and what has few rows.
    PostgreSQL has nearly every function, Spark those of nearly every kind and `ON_SPARK`.
    """
    files = [pytest.mark.duckdb_1]
    lean = {"duckdb_files": sorted(AT_ONCE)}
    lean["iceberg"] = [number for number in lean["duckdb_files"] if CASES[number].function in OF_EVERY_KIND]
    peers = {number for number, case in enumerate(CASES) if case in PEERS}
    lean["postgres"] = sorted(({*FIRST.values()} | AT_ONCE | peers) - NOT_IN_POSTGRES)
    lean["spark"] = sorted((AT_ONCE | {FIRST[function] for function in ON_SPARK}) - NOT_ON_SPARK)
    for engine in ENGINES:
        for number in range(len(CASES)) if EVERY_CASE else lean[engine]:
            marks = [] if number in AT_ONCE else [pytest.mark.slow]
            marks += [pytest.mark.again] if CASES[number].function == "candidates" else []
            marks += [pytest.mark.again] if engine == "iceberg" and number in AGAIN_ON_ICEBERG else []
            marks += files if engine == "duckdb_files" else []
            yield pytest.param(engine, number, id=f"{engine}-{CASES[number].name}", marks=marks)


@pytest.mark.one_in(2, 2)
@pytest.mark.parametrize(("engine", "number"), list(calls()), indirect=["engine"])
def test_every_engine_gives_the_same(engine, expected, number):
    session, name = engine
    found, wanted = run(session, name, CASES[number]), expected(number)
    reason = comparing.refusal(CASES[number], session.engine.dialect)
    if reason is not None:
        assert found[0] is errors.NotInDialect
        assert reason in found[1]
        return
    assert list(comparing.differences(found, wanted)) == []


if DUCKDB == 1:  # which is compared with DuckDB 2

    @pytest.mark.duckdb_1
    def test_both_versions_of_duckdb_give_the_same(reference):
        folders = [str(Path(__file__).parent), *sys.path]
        folders = [folder for folder in folders if not (Path(folder) / "duckdb").is_dir() or "site-packages" in folder]
        code = "import pickle, sys, test_conformance as t; sys.stdout.buffer.write(pickle.dumps(t.of_this_duckdb()))"
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(folders)},
            capture_output=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()
        version, others = pickle.loads(done.stdout)
        assert version > DUCKDB
        for case, wanted in zip(LEAN, others, strict=True):
            found = run(reference, str, case)
            if isinstance(wanted, tuple):
                assert found == wanted, case.name
                continue
            assert len(found) == len(wanted), case.name
            for row, other in zip(found, wanted, strict=True):
                assert {n: (row[n], other[n]) for n in other if not same(row[n], other[n])} == {}, case.name


def of_this_duckdb():
    """The version of DuckDB here, and what it gives for each case."""
    with synthpriv_sql.connect() as session:
        plain_tables.fill_duckdb(session)
        return DUCKDB, [run(session, str, case) for case in LEAN]


@pytest.mark.parametrize("ability", ["objects", "files"])
def test_what_an_engine_lacks_it_says(engine, ability, tmp_path):
    session, _ = engine
    file = tmp_path / "few.parquet"
    pq.write_table(ALL["few"].arrow(), file)
    table = {"objects": ALL["few"].arrow(), "files": str(file)}[ability]
    reason = session.engine.lacks.get(ability)
    if reason is None:
        assert len(session.scaling(table, columns=["Größe", "select"])) == 2
    else:
        with pytest.raises(errors.UnknownTable, match=re.escape(reason)):
            session.scaling(table)
    if reason is not None and ability == "objects":
        with pytest.raises(errors.OptionError, match=f"{session.engine.name} does not accept; write them to a table"):
            session.membership("few", "few", "few", attack=lambda real, synthetic: [0.0] * len(real))


def test_every_function_is_compared():
    assert {case.function for case in LEAN + PEERS} == set(catalog.functions())
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.nightly
def test_the_cases_are_what_they_are_meant_to_be(expected):
    errors_ = [outcome[0].__name__ for outcome in map(expected, range(len(LEAN))) if isinstance(outcome, tuple)]
    assert {"EmptyTable", "OptionError", "ColumnMismatch", "UnknownColumn", "RoleError", "UnitError"} == set(errors_)
    copies = expected(next(i for i, case in enumerate(CASES) if case.function == "copies"))
    assert {row["copies"] > 0 for row in copies} == {True, False}
