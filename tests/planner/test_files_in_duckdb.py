"""DuckDB reads each file of sql/, and its macros take what the headers say."""

import duckdb
import pytest
from loops import each
from sqlglot import exp

from synthpriv_sql.planner.headers import catalog

pytestmark = pytest.mark.duckdb_1

FILES = sorted(catalog.sql_folder().glob("*/*.sql"))
FUNCTIONS = catalog.files()
PUBLIC = catalog.functions()


@each("path", FILES)
def test_a_file_is_one_statement(path):
    text = path.read_text(encoding="utf-8")
    if path.name.startswith(("mysql_", "mariadb_")):  # whose words DuckDB does not know
        assert ";" not in text
    else:
        assert len(duckdb.extract_statements(text)) == 1
    assert text.endswith("\n")
    assert max(map(len, text.splitlines()), default=0) < 320


def test_every_file_with_a_header_is_read():
    assert {function.path for function in FUNCTIONS} == {path for path in FILES if path.parent.name != "statements"}


@each("function", FUNCTIONS)
def test_duckdb_and_sqlglot_read_the_same(function):
    # What sqlglot writes of it, DuckDB has to read again.
    assert isinstance(function.tree, exp.Query)
    (statement,) = duckdb.extract_statements(function.text)
    assert statement.type == duckdb.StatementType.SELECT
    (again,) = duckdb.extract_statements(function.tree.sql("duckdb", normalize_functions=False))
    assert again.type == duckdb.StatementType.SELECT


@each("name", PUBLIC)
def test_a_macro_takes_what_the_function_takes(shared, name):
    ((parameters,),) = shared.connection.execute(
        "SELECT parameters FROM duckdb_functions() WHERE database_name = 'synthpriv' AND function_name = ?", [name]
    ).fetchall()
    assert sorted(parameters) == sorted(PUBLIC[name].parameters)
