"""Runs of consecutive rows of a person in the place of rows: a call with ``order`` counts and compares runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp

from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.columns import matching, nested
from synthpriv_sql.planner.columns.tables import Made, Relation
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers import catalog, known_files, wording
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.planner.statement.lists import Lists
from synthpriv_sql.planner.statement.parts import Assembled
from synthpriv_sql.planner.statement.queries import Statement

_NUMBERS = {"key": "record", "neighbor_key": "synthetic"}
"""The columns with the first records of runs, which are their keys, and the columns with the numbers of runs."""


def check(function: Function, options: Mapping[str, Any]) -> None:
    """Check that a call on sequences has the options ``order`` and ``unit``.

    Raises
    ------
    OptionError
        An option is missing.
    """
    if function.family == "sequences" and not function.part and not options.get("order"):
        raise OptionError(
            f"{function.name} needs the {wording.option('order')}: name the column of time or position that "
            "orders the rows of a person"
        )
    if options.get("order") and "unit" in function.parameters and not options.get("unit"):
        raise OptionError(
            f"{function.name}: {wording.option('order')} needs the {wording.option('unit')}: a run consists of rows "
            "of one person; name the column that identifies the person"
        )


def are_compared(function: Function, options: Mapping[str, Any]) -> bool:
    """Whether a call compares runs."""
    parameter = function.parameters.get("length")
    return parameter is not None and parameter.group == "sequence" and bool(options.get("order"))


def of_runs(
    function: Function, relations: Sequence[Relation], options: Mapping[str, Any], dialect: str
) -> tuple[list[Relation], dict[str, Any]]:
    """Return tables of runs in the place of those of a call, and the options of the call on them.

    The columns of a run have the names of the columns that they are computed from. The record of its first row is its
    key.

    Raises
    ------
    OptionError
        The option ``group_by`` is given.
    SynthprivError
        As `synthpriv_sql.planner.columns.matching.compare`.
    """
    if options.get("group_by"):
        raise OptionError(
            f"{function.name}: runs consist of all rows of a person, so order excludes group_by; give queries in "
            "parentheses that select the rows of one group"
        )
    order, unit = options["order"], options["unit"]
    for relation in relations:
        relation.column(order, "order")
        relation.column(unit, "unit")
    shared = {name: options.get(name) for name in matching.NO_OPTIONS}
    # The ordering column is not compared: it differs between runs at different times.
    left_out = [*(options.get("exclude") or []), order, *([shared["key"]] if shared["key"] else [])]
    if shared["columns"]:
        shared["columns"] = [name for name in shared["columns"] if name.lower() != order.lower()]
    compared = matching.compare(relations, shared | {"exclude": left_out, "key": None, "unit": unit})
    vectors = [column for column in compared if column.role == "vector"]
    if vectors:
        raise matching.takes_no_vectors(f"{function.name} with an order", vectors)
    part = catalog.file(known_files.RUNS)
    found = []
    for relation in relations:
        data = replace(relation, parameter="data")
        of_data = [
            replace(
                c, sources={**c.sources, "data": c.sources[relation.parameter]}, labels={**c.labels, "data": data.label}
            )
            for c in compared
        ]
        person = data.column(unit, "unit")
        made = [person, *(Column(c.name, "VARCHAR", "varchar") for c in compared)]
        named = {"unit": [person], "sequence": [data.column(order, "order")], "runs": made}
        defaults = {option.name: option.default for option in part.options}
        inner = {**defaults, "metric": "gower", "order": order, "last": options["length"] - 1, "unit": unit}
        statement = Statement([data], Lists(of_data, named), inner, (), dialect).build(part)
        first = _record(statement.query)
        columns = (*map(nested.once_read, made), Column(first, "BIGINT", "bigint"))
        alias = exp.TableAlias(this=exp.to_identifier("runs"))
        node = exp.Table(this=exp.Subquery(this=statement.tree()), alias=alias)
        key = exp.column(exp.to_identifier(first, quoted=True))
        made_by = Made(data, part.name, statement)
        found.append(Relation(relation.parameter, relation.label, node, columns, False, (key,), made=made_by))
    nothing = dict.fromkeys(("columns", "exclude", "numeric", "categorical", "text"))
    numbers = found[0].columns[-1].name
    of_runs_alone: dict[str, Any] = {"key": numbers} if function.keys else {"key": None, "exclude": [numbers]}
    if "identifiers" in options:
        of_runs_alone["identifiers"] = "compare"  # most runs are unique to a person: that is what is measured
    return found, {**options, **nothing, "weights": _weights(options), "order": None, **of_runs_alone}


def _record(query: exp.Select) -> str:
    """The name of the record numbers, which is changed if a column of the user has it."""
    return str(query.expressions[-1].alias_or_name)


def _weights(options: Mapping[str, Any]) -> Mapping[str, float] | None:
    weights = {n: w for n, w in (options.get("weights") or {}).items() if n.lower() != options["order"].lower()}
    return weights or None


def numbered(statement: Assembled) -> Assembled:
    """Return a statement on runs that identifies a run by the record of its first row instead of its number."""
    columns = {projection.alias_or_name: projection for projection in statement.query.expressions}
    keys = {number: columns[key].unalias() for key, number in _NUMBERS.items() if key in columns}
    shown = [
        exp.alias_(keys[name].copy(), name) if name in keys else projection.copy()
        for name, projection in columns.items()
        if name not in _NUMBERS
    ]
    query = statement.query.copy()
    query.set("expressions", shown)
    return replace(statement, query=query)
