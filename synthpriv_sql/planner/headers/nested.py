"""Calls of functions inside the SQL of users, whose wrong arguments DuckDB answers with a list of all parameters."""

from __future__ import annotations

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.headers import arguments, catalog, wording
from synthpriv_sql.planner.headers.catalog import Function

SCHEMA = "synthpriv"
"""The database of the functions in SQL."""


def check(query: str) -> None:
    """Check the names and the number of arguments of all calls in a query.

    Raises
    ------
    OptionError
        An argument is unknown or missing, or there are too many.
    """
    try:
        tree = sqlglot.parse_one(query, dialect="duckdb")
    except SqlglotError:  # what DuckDB alone can parse, it alone explains
        return
    with wording.spoken("sql"):
        for table in tree.find_all(exp.Table):
            call = table.this
            if isinstance(call, exp.Anonymous) and table.db.lower() == SCHEMA and call.name in catalog.functions():
                _check_one(catalog.function(call.name), call.expressions)


def _check_one(function: Function, given: list[exp.Expr]) -> None:
    named = [e.this.name for e in given if isinstance(e, (exp.PropertyEQ, exp.Kwarg, exp.EQ))]
    arguments.check_names(function, named)
    unnamed = len(given) - len(named)
    if unnamed > len(function.parameters):
        raise OptionError(f"{function.name}: there are {unnamed} arguments, but it takes {len(function.parameters)}")
    known = {*named, *list(function.parameters)[:unnamed]}
    missing = next((p for p in function.parameters.values() if p.required and p.name not in known), None)
    if missing is not None:
        raise arguments.missing(function, missing)
