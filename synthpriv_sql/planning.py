"""From a call to the SQL that runs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from synthpriv_sql import arguments, tables
from synthpriv_sql.catalog import Function
from synthpriv_sql.distances import METRICS
from synthpriv_sql.engine import DuckDB
from synthpriv_sql.queries import Statement
from synthpriv_sql.tables import Relation


@dataclass(frozen=True, slots=True)
class Plan:
    """A statement that is ready to run."""

    function: Function
    sql: str


def plan(engine: DuckDB, function: Function, given: Mapping[str, Any]) -> Plan:
    """Check a call, look its tables up, and write its SQL.

    Parameters
    ----------
    engine
        Where the tables are.
    function
        What is called.
    given
        Arguments by name.

    Raises
    ------
    SynthprivError
        See `synthpriv_sql.errors`.
    """
    checked = arguments.check(function, given)
    relations = [engine.relation(name, value) for name, value in checked.relations.items() if value is not None]
    options = dict(checked.options)
    compared: tuple[tables.ComparedColumn, ...] = ()
    lists: dict[str, list[exp.Column]] = {}
    if "metric" in options:
        compared = tables.compare(relations, options)
        options["scaling"] = options["scaling"] or METRICS[options["metric"]].scaling
        if options["key"]:
            lists["key"] = [_key(relations, options["key"])]
    statement = Statement(compared, options, relations, lists)
    query = statement.build(function)
    return Plan(function, query.sql(engine.dialect, pretty=True, normalize_functions=False))


def _key(relations: list[Relation], name: str) -> exp.Column:
    return next(r.by_name[name.lower()] for r in relations if name.lower() in r.by_name).node
