"""Calls on many synthetic tables: several statements of a few tables each, with the rows concatenated."""

from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa

from synthpriv_sql.engines.base import Answer
from synthpriv_sql.planner.calls import several
from synthpriv_sql.planner.calls.rewriting import Call
from synthpriv_sql.results.result import Result

AT_ONCE = 8
"""Tables per statement. They share computations, but DuckDB plans a long statement slowly: with 20 tables of 2,000
rows, a table takes four times as long as with 5."""


def many_call(call: Call, run: Callable[..., Result]) -> Call | Result:
    """Call a function on batches of its tables, and return the rows of all; what one statement takes stays a call.

    Parameters
    ----------
    call
        A call with several tables.
    run
        Calls a function.
    """
    parameter = next(p for p in call.function.parameters.values() if p.each)
    named = several.named_tables(call.function, parameter, call.given[parameter.name])
    names = list(named)
    if len(names) <= AT_ONCE:
        return call
    results = [
        run(call.function, **{**call.given, parameter.name: {name: named[name] for name in names[at : at + AT_ONCE]}})
        for at in range(0, len(names), AT_ONCE)
    ]
    first = results[0]
    together = pa.concat_tables([result.to_arrow() for result in results])
    answer = Answer(together, first.types, ";\n".join(result.sql for result in results))
    return Result(first._engine, first.name, answer, first.run)
