"""Ladders that users give: SQL expressions of a column, or a table of generalizations."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.planner.statement.trees import literal
from synthpriv_sql.remedies.ladder import LEFT_OUT, Step, one_of

PURE = (
    *(exp.Column, exp.Identifier, exp.Literal, exp.Boolean, exp.Null, exp.Paren, exp.Alias, exp.Var, exp.Neg),
    *(exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv, exp.Mod, exp.Floor, exp.Ceil, exp.Round, exp.Abs, exp.Sign),
    *(exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.In, exp.And, exp.Or, exp.Not, exp.Is),
    *(exp.Case, exp.If, exp.Coalesce, exp.Nullif, exp.Least, exp.Greatest, exp.Cast, exp.DataType, exp.DataTypeParam),
    *(exp.Left, exp.Right, exp.Substring, exp.Upper, exp.Lower, exp.Trim, exp.Length, exp.Concat, exp.DPipe, exp.Like),
    *(exp.TimestampTrunc, exp.DateTrunc, exp.Year, exp.Quarter, exp.Month, exp.Extract, exp.Split, exp.StrPosition),
)
"""The nodes that an expression may have: all of them compute a value from that of one row."""


def of_expressions(column: Column, texts: list[str]) -> list[Step]:
    """Return the steps of expressions, then that which leaves the column out.

    Raises
    ------
    OptionError
        An expression cannot be parsed, names another column, or does more than compute a value.
    """
    return [
        *(Step(f"level {level}", _parsed(column, text)) for level, text in enumerate(texts, 1)),
        Step(LEFT_OUT, None),
    ]


def _parsed(column: Column, text: str) -> exp.Expr:
    about = f'{wording.option("ladder")}: a step of "{column.name}"'
    try:
        tree = sqlglot.parse_one(text, dialect="duckdb")
    except SqlglotError:
        raise OptionError(f"{about} is not one SQL expression") from None
    for node in tree.walk():
        if not isinstance(node, PURE):
            raise OptionError(
                f"{about} has {node.key}, which is not allowed: a step is an expression of that column by arithmetic, "
                "comparisons, CASE, casts, and functions of texts and dates"
            )
        if isinstance(node, exp.Column):
            if node.table or node.name.lower() != column.name.lower():
                raise OptionError(f'{about} names "{node.name}"; it may name this column only')
            node.set("this", exp.to_identifier(column.name, quoted=True))
    return tree


def of_table(column: Column, levels: pa.Table, other: str) -> list[Step]:
    """Return the steps of a table of generalizations: a value in the first column, its levels in the others.

    Values that the table lacks become ``other``, or missing in a column that is no text.

    Raises
    ------
    OptionError
        The table has one column only, or a value twice.
    """
    first, *others = levels.column_names
    about = f'{wording.option("ladder")}: the table of "{column.name}"'
    if not others:
        raise OptionError(f"{about} has one column; give a value in the first one, and its levels in the others")
    values = levels.column(first).to_pylist()
    if len(set(values)) < len(values):
        raise OptionError(f"{about} has a value twice in its first column")
    own = exp.column(column.name, quoted=True)
    is_text = column.family in {"text", "enum"}
    rest = literal(other) if is_text else exp.null()
    steps = []
    for place, level in enumerate(others, 1):
        listed: dict[Any, list[Any]] = {}
        for value, general in zip(values, levels.column(level).to_pylist(), strict=True):
            if value is not None:
                listed.setdefault(general, []).append(str(value) if is_text else value)
        of_levels = [(members, exp.null() if name is None else literal(name)) for name, members in listed.items()]
        steps.append(Step(f"level {place}", one_of(own, of_levels, rest)))
    return [*steps, Step(LEFT_OUT, None)]


def of(column: Column, given: list[str] | pa.Table, other: str) -> list[Step]:
    """Return the ladder that a user gives for a column; values that a table lacks become ``other``."""
    return of_expressions(column, given) if isinstance(given, list) else of_table(column, given, other)
