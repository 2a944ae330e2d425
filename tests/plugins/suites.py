"""What is tested in one suite only: `make test` runs the tests with DuckDB 2 and, beside it, with DuckDB 1.

A skip for one of these reasons, in the suite that leaves the test to the other, is one that CI knows of (`no_skips`).
"""

import os

import duckdb
import pytest

DUCKDB = int(duckdb.__version__.split(".")[0])
ALONE = "ONE_SUITE" in os.environ  # `make test-fast` has no other suite beside it

# What → the DuckDB beside which it is tested, and why not beside the other.
ONLY_WITH = {
    "spark": (2, "Spark is tested with DuckDB 2 only, to install it once"),
    "clickhouse": (2, "ClickHouse is tested with DuckDB 2 only, to install it once"),
    "kernel": (1, "what knows nothing of DuckDB is tested with DuckDB 1 only: the other suite has more to do"),
    "oracles": (
        1,
        "numbers that conformance compares with both are compared with an oracle with DuckDB 1 only",
    ),
    "tables cut": (1, "plans on tables are cut with DuckDB 1 only, those on queries with DuckDB 2"),
    "queries cut": (2, "plans on queries are cut with DuckDB 2 only, those on tables with DuckDB 1"),
    "in a transaction": (1, "what stages read is read in a transaction with DuckDB 1 only, without one with 2 only"),
    "alone": (2, "what stages read is read outside of a transaction with DuckDB 2 only, in one with 1 only"),
    "page": (2, "the page is built with DuckDB 2 only: it is made of numbers that conformance compares with both"),
    "verdicts": (2, "what is said of numbers is tested with DuckDB 2 only: no version plays a role in it"),
    "lakes": (1, "every function reads lake tables with DuckDB 1 only; with either, the tests of how they are read"),
    "docs": (2, "what the documentation shows is run with DuckDB 2 only"),
    "families": (2, "families of tables are evaluated with DuckDB 2 only: the other suite has more to do"),
    "distances": (2, "the oracle of distances is asked with DuckDB 2 only, most others with DuckDB 1"),
    "long": (1, "what takes longest is tested with DuckDB 1 only: the other suite has more to do"),
    "dialects": (1, "the text for other databases is tested with DuckDB 1 only: the other suite runs it"),
    "plain": (2, "statements for a DuckDB alone are run with DuckDB 2 only: the other suite has more to do"),
    "command line": (1, "every function is called on the command line with DuckDB 1 only, in SQL with DuckDB 2 only"),
    "macros": (2, "every function is called in SQL with DuckDB 2 only, on the command line with DuckDB 1 only"),
    "postgres": (2, "PostgreSQL as an engine brings its own DuckDB and is tested with DuckDB 2 only"),
    "iceberg": (
        1,
        "Iceberg tables are compared with DuckDB 1 only; engines/files/test_lake.py reads them with both",
    ),
    "attached postgres": (1, "the postgres extension comes as a package for DuckDB 1 only"),
}


def only_where_tested(what):
    """Skip a module, a fixture or a test in the suite that leaves ``what`` to the other one."""
    version, reason = ONLY_WITH[what]
    if version != DUCKDB and not (ALONE and what in {"kernel", "oracles", "families", "command line"}):
        pytest.skip(reason, allow_module_level=True)


def left_to_the_other_suite(reason):
    return any(reason == known and version != DUCKDB for version, known in ONLY_WITH.values())
