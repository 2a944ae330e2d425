"""What tests call: data, SQL text with everything quoted, rows compared as the definitions ask, the command line."""

import contextlib
import hashlib
import importlib
import io
import math
import sys
from pathlib import Path
from unittest import mock

import duckdb
import numpy as np
import pytest

from synthpriv_sql.conformance.comparing import in_order
from synthpriv_sql.planner.headers import catalog

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "data"
DUCKDB = int(duckdb.__version__.partition(".")[0])
METRICS = ("gower", "euclidean", "manhattan", "hamming")
SCALINGS = (None, "standard", "minmax", "robust", "none")

needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="no shared data sets (../shared/data) on this machine")

# SQL text


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def literal(value):
    """A Python value as DuckDB writes it: lists and structs too."""
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(k)}: {literal(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(literal, value)) + "]"
    return str(value)


def call(name, *tables, **options):
    """`FROM synthpriv.NAME('table', …, option := value)`; an option that is None is left out."""
    # DuckDB 1 takes the name of a type, such as numeric, for an option only in quotes, and so does any a word of SQL.
    names = {option: quoted(option) if option in {"numeric", "order"} else option for option in options}
    given = [f"{names[option]} := {literal(value)}" for option, value in options.items() if value is not None]
    return f"FROM synthpriv.{name}({', '.join([*map(literal, tables), *given])})"


def create(session, **tables):
    """Make database tables of Arrow tables."""
    for name, arrow in tables.items():
        session.connection.register("incoming", arrow)
        session.connection.execute(f"CREATE OR REPLACE TABLE {quoted(name)} AS SELECT * FROM incoming")
        session.connection.unregister("incoming")


# Rows


def rows_of(result):
    """Rows (as dicts) of a Result of the Python surface."""
    return in_order(result.to_arrow().to_pylist())


def sql_rows(connection, sql):
    """Rows (as dicts) of a query."""
    cursor = connection.execute(sql)
    names = [entry[0] for entry in cursor.description]
    return in_order([dict(zip(names, row, strict=True)) for row in cursor.fetchall()])


def answer(session, name, trio, sides, **options):
    """Rows of a function: in Python over Arrow tables, or in SQL over database tables, as the trio says."""
    tables = {side: trio.arrow(side) for side in sides}
    options = {option: value for option, value in options.items() if value is not None}
    if trio.surface == "python":
        return rows_of(getattr(session, name)(*tables.values(), **options))
    create(session, **tables)
    return sql_rows(session.connection, call(name, *sides, **options))


def close(found, expected):
    """Equal, or equal to 1e-9 where a number is a fraction."""
    if isinstance(found, float) and isinstance(expected, float | int):
        return math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-9)
    if isinstance(found, dict) and isinstance(expected, dict):
        return found.keys() == expected.keys() and all(close(value, expected[name]) for name, value in found.items())
    if isinstance(found, list) and isinstance(expected, list):
        return len(found) == len(expected) and all(map(close, found, expected))
    return found == expected


def assert_same_rows(found, expected):
    assert len(found) == len(expected)
    for row, wanted in zip(found, expected, strict=True):
        assert row.keys() == wanted.keys()
        different = {n: (v, wanted[n]) for n, v in row.items() if not close(v, wanted[n])}
        assert not different, (different, wanted)


def assert_close(found, expected):
    """Numbers equal to 1e-9, where large relative to their size; infinite ones where they must be."""
    found = np.array([math.nan if value is None else value for value in found], float)
    np.testing.assert_allclose(found, np.asarray(expected, float), rtol=1e-9, atol=1e-9, equal_nan=False)


# The command line


def cli(*arguments):
    """Run `synthpriv ARGUMENTS`; return its exit code and what it wrote to stdout and stderr."""
    out, err = io.StringIO(), io.StringIO()
    argv = mock.patch.object(sys, "argv", ["synthpriv", *arguments])
    with argv, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = importlib.import_module("synthpriv_sql.cli.commands").main()
        except SystemExit as stop:
            code = stop.code
    return code or 0, out.getvalue(), err.getvalue()


def cli_value(value):
    """An option's value as the command line takes it."""
    if isinstance(value, dict):
        return ",".join(f"{name}={weight}" for name, weight in value.items())
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def cli_arguments(name, *tables, **options):
    """`NAME --synthetic TABLE … --option VALUE`, with a table parameter for each table."""
    function = catalog.functions()[name]
    given = dict(zip((parameter.name for parameter in function.relations), tables, strict=False)) | options
    arguments = [name]
    for option, value in given.items():
        flag = "--" + option.replace("_", "-")
        if function.parameters[option].type == "relations":
            named = value.items() if isinstance(value, dict) else zip(value, value, strict=True)
            arguments += [part for table in named for part in (flag, "=".join(table))]
            continue
        arguments += [flag] if value is True else [flag, cli_value(value)]
    return arguments


def recomputed(rows):
    """The hash of rows of texts, as docs/tasks/decision.md says that it is made."""

    def sha(text):
        return hashlib.sha256(text.encode()).hexdigest()

    hashes = sorted(sha(",".join("-" if v is None else f"{len(v)}:{v}" for v in row)) for row in rows)
    together = {}
    for each in hashes:
        together[each[:3]] = together.get(each[:3], "") + each
    return sha("".join(map(sha, together.values())))
