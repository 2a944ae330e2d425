"""A plan on Spark as text: the queries of its parts, and the steps that are not SQL."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from synthpriv_sql.dialects import render
from synthpriv_sql.errors import without_secrets
from synthpriv_sql.planner.headers.function import Operator
from synthpriv_sql.planner.planning import Plan
from synthpriv_sql.planner.statement.parts import Part
from synthpriv_sql.planner.statement.trees import python_value

_ALWAYS = {
    Operator.BETA_QUANTILES: "quantiles of a beta distribution, on the driver",
    Operator.EXCHANGES: "permutation test, on the driver",
    Operator.TEXTS: "texts that come back nearly, and runs of words, each column on one executor",
    Operator.COPIED_TEXTS: "records whose texts are nearly equal, on one executor",
    Operator.OWNED_TEXTS: "texts of synthetic that are nearly those of one person, each column on one executor",
    Operator.PHRASES: "runs of words that one person alone has, each column on one executor",
}


def call_in(part: Part, function: str) -> exp.Anonymous:
    """The call of a kernel function in a part."""
    (call,) = (found for found in part.query.find_all(exp.Anonymous) if found.name == function)
    return call


def rows_of(call: exp.Anonymous, given: str, *beside: str) -> exp.Select:
    """The rows of a part that a file of sql/ passes to the kernel as lists of structs, by columns beside these."""
    (listed,) = call.expressions[0].find_all(exp.Struct)
    fields = (exp.alias_(entry.expression.copy(), entry.this.name) for entry in listed.expressions)
    return exp.select(*map(exp.column, beside), *fields).from_(given)


def gathers(part: Part) -> bool:
    """Whether a part gathers records into pages for the kernel: for distances, units or hints."""
    return any(found.name == "synthpriv_page" for found in part.query.find_all(exp.Anonymous))


def arguments(call: exp.Anonymous) -> dict[str, Any]:
    """The constants in the struct that a file of sql/ passes to the kernel; computed values are left out."""
    return {
        entry.this.name: python_value(entry.expression)
        for entry in call.expressions[-1].expressions
        if entry.expression.find(exp.Anonymous, exp.AggFunc, exp.Column) is None
    }


def number_of(source: Part) -> str | None:
    """The name of the column of record numbers that is read from the user's table; None if there is none."""
    return next((c.alias for c in source.query.expressions if isinstance(c, exp.Alias) and c.find(exp.Window)), None)


def written(plan: Plan) -> str:
    """Return the text."""
    shown = [_shown(part) for part in plan.statement.parts]
    # A user's query may contain the credentials of a data source.
    return without_secrets("\n\n".join([*filter(None, shown), f"-- result\n{render(plan.statement.query, 'spark')}"]))


def _shown(part: Part) -> str:
    done = _done_by_the_kernel(part)
    if done:
        return f"-- {part.name}: {done}"
    if part.operator is Operator.DONORS or gathers(part):
        return ""
    query = part.query
    if part.source is not None and number_of(part) is not None:
        query = query.copy()
        query.set("expressions", [c for c in query.expressions if c.alias != number_of(part)])
        return f"-- {part.name}: numbered in the order in which Spark reads it\n{render(query, 'spark')}"
    return f"-- {part.name}\n{render(query, 'spark')}"


def _done_by_the_kernel(part: Part) -> str:
    """The step outside SQL for a part; empty for parts in SQL."""
    if part.operator is Operator.SEARCH:
        options = arguments(call_in(part, "synthpriv_search"))
        return f"the {options['k']} nearest, {options['queries']} → {options['reference']}, on the executors"
    if part.operator is Operator.AGREEMENT:
        options = arguments(call_in(part, "synthpriv_agreement"))
        real = f"{options['train']} and {options['holdout']}" if options["holdout"] else options["train"]
        return f"the record that agrees most, {real} → {options['synthetic']}, on the executors"
    if part.operator in {Operator.LEARNING, Operator.LEARNING_OF_RELEASES}:
        options = arguments(call_in(part, "synthpriv_learned"))
        real = f"{options['train']} and {options['holdout']}"
        others = " and all releases" if part.operator is Operator.LEARNING_OF_RELEASES else ""
        return f"the attack learned, {real} → {options['synthetic']}{others}, on one executor"
    if part.operator is Operator.ROW_EXCHANGES:
        options = arguments(call_in(part, "synthpriv_within"))
        return f"uniques of half of {options['real']}, {options['synthetic']} → {options['real']}, on one executor"
    return "" if part.operator is None else _ALWAYS.get(part.operator, "") or _forests(part)


def _forests(part: Part) -> str:
    """The forests that a part stands for; empty for other parts."""
    if part.operator is Operator.FORESTS:
        options = arguments(call_in(part, "synthpriv_forest"))
        return f"{options['trees']} trees a column of {options['relation']}, on the executors"
    if part.operator is Operator.DETECTION:
        options = arguments(call_in(part, "synthpriv_detection"))
        return f"a forest that distinguishes {options['synthetic']} from {options['train']}, on one executor"
    if part.operator is Operator.UTILITY:
        options = arguments(call_in(part, "synthpriv_utility"))
        return f"forests of {options['target']}, {options['train']} and {options['synthetic']}, on one executor"
    return ""
