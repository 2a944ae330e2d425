"""What SQL of somebody else cannot do: a view of a foreign database, or a query that is given as a table."""

import re
from contextlib import suppress

import duckdb
import pytest

import synthpriv_sql
from synthpriv_sql import errors

ROWS = "SELECT i AS age, 'c' || i % 2 AS city FROM range(6) AS r(i)"
HOSTILE = """
ATTACH '{0}/written.duckdb' AS written; COPY (SELECT 1) TO '{0}/copied.csv'; DROP TABLE victim; SELECT ['x']
"""


@pytest.fixture
def victim(tmp_path):
    with synthpriv_sql.connect() as session:
        session.connection.execute(f"CREATE TABLE victim AS {ROWS}; CREATE TABLE train AS {ROWS}")
        yield session
        assert session.connection.execute("SELECT count(*) FROM victim").fetchone() == (6,)
        assert not [path for path in tmp_path.iterdir() if not path.name.startswith("foreign.duckdb")]


def hostile_calls(connection, text):
    """Calls of all registered functions with texts of somebody else, alone, in lists and in structs."""
    for name, parameters, any_number in connection.execute(
        "SELECT DISTINCT function_name, len(parameters), varargs IS NOT NULL FROM duckdb_functions() "
        "WHERE starts_with(function_name, 'synthpriv_') ORDER BY ALL"
    ).fetchall():
        said = "'" + text.replace("'", "''") + "'"
        kinds = [said, f"[{said}]", f"{{'statement': {said}, 'name': 'dcr', 'table': [{said}]}}"]
        for arguments in (2, 3, 4, 6) if any_number else [parameters]:
            for value in kinds:
                yield f"{name}({', '.join([said] * (arguments - 1) + [value])})"
    yield f"synthpriv_of_groups('main', 'memory', 'main', 'SELECT [''x'']', [{said}])"
    yield f"synthpriv_plan('dcr', '', 'memory', 'main', {{synthetic: {said}, train: {said}}})"
    yield f"synthpriv_plan('dcr', {said}, {said}, {said}, {{synthetic: 'train', train: 'train', group_by: {said}}})"


def test_no_registered_function_runs_sql_that_it_is_given(victim, tmp_path):
    foreign = tmp_path / "foreign.duckdb"
    victim.connection.execute(f"ATTACH '{foreign}' AS foreign_rows")
    calls = [*hostile_calls(victim.connection, HOSTILE.format(tmp_path))]
    assert len(calls) > 80
    for call in calls:
        query = f"SELECT age, ({call}) IS NULL AS city FROM train"
        with suppress(duckdb.Error, RuntimeError):
            victim.connection.execute(f"CREATE OR REPLACE VIEW foreign_rows.rows AS {query}")
            victim.connection.execute("FROM foreign_rows.rows").fetchall()
        if call.startswith(("synthpriv_of_groups", "synthpriv_plan")):
            for table in ("foreign_rows.rows", f"({query})"):
                with suppress(errors.SynthprivError):
                    victim.marginals(table, "train")


def test_what_a_call_runs_for_its_groups_has_a_name_of_its_own(victim):
    connection = victim.connection
    called = "synthpriv.dcr_summary('victim', 'train', group_by := 'city')"
    rows = connection.execute(f"FROM {called}").fetchall()
    (planned,) = connection.execute(
        "SELECT synthpriv_plan('dcr_summary', '', 'memory', 'main', "
        "{synthetic: 'victim', train: 'train', group_by: 'city'})"
    ).fetchone()
    (name,) = re.findall(r"synthpriv_of_groups\('(\w+)'\)", planned, re.IGNORECASE)
    assert len(name) == 64
    assert connection.execute(planned).fetchall() == rows
    for other in ("", name[:-1], "0" * 64):
        with pytest.raises((duckdb.Error, RuntimeError), match="prepare the statement again"):
            connection.execute("SELECT synthpriv_of_groups(?)", [other])
