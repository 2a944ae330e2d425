"""Calls on many synthetic tables: several statements of a few tables each, with the rows concatenated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pyarrow as pa

from synthpriv_sql.engines.base import Answer
from synthpriv_sql.planner.calls import several
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.results.result import Result

AT_ONCE = 8
"""Tables per statement. They share computations, but DuckDB plans a long statement slowly: with 20 tables of 2,000
rows, a table takes four times as long as with 5."""


def are_given(function: Function, given: Mapping[str, Any]) -> bool:
    """Whether a call has more tables than one statement takes."""
    return len(_named(function, given)) > AT_ONCE


def many_call(function: Function, given: Mapping[str, Any], call: Callable[..., Result]) -> Result:
    """Call a function on batches of its tables, and return the rows of all.

    Parameters
    ----------
    function, given
        The call.
    call
        Calls a function.
    """
    named = _named(function, given)
    parameter = next(p.name for p in function.parameters.values() if p.each)
    names = list(named)
    results = [
        call(function, **{**given, parameter: {name: named[name] for name in names[at : at + AT_ONCE]}})
        for at in range(0, len(names), AT_ONCE)
    ]
    first = results[0]
    together = pa.concat_tables([result.to_arrow() for result in results])
    answer = Answer(together, first.types, ";\n".join(result.sql for result in results))
    return Result(first._engine, first.name, answer, first.run)


def _named(function: Function, given: Mapping[str, Any]) -> Mapping[str, Any]:
    parameter = next((p for p in function.parameters.values() if p.each), None)
    if parameter is None or not several.are_given(function, given):
        return {}
    return several.named_tables(function, parameter, given[parameter.name])
