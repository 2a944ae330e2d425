"""SQLite."""

from __future__ import annotations

from sqlglot import exp

from synthpriv_sql.dialects.base import function
from synthpriv_sql.dialects.lean import Lean

_EPOCH = "%s"


class SQLite(Lean):
    """SQLite 3.39 and newer. Times are texts: ``2024-01-31``, ``2024-01-31 12:00:00.000000``, ``12:00:00.000000``."""

    name = "sqlite"
    keeps_ctes = True
    huge = "BIGINT"
    largest = "MAX"
    smallest = "MIN"
    functions = Lean.functions | {exp.Length, exp.StrPosition, exp.Substring}

    def datatype(self, node: exp.DataType) -> exp.Expr:
        """Remember what was an integer of 128 bits."""
        found = super().datatype(node)
        if found is not node:
            found.meta["huge"] = True
        return found

    def cast(self, node: exp.Cast) -> exp.Expr:
        """Integers have 64 bits: enough for counts and their products, and not for sums of scaled fractions."""
        if node.to.meta.get("huge") and any(_is_scale(found) for found in node.this.find_all(exp.Literal)):
            raise self.lacks("it has no integers of 128 bits")
        return super().cast(node)

    def select(self, node: exp.Select) -> exp.Expr:
        """HAVING without GROUP BY needs an aggregate among the columns: the first is made one."""
        aggregates = any(projection.find(exp.AggFunc) for projection in node.expressions)
        if node.args.get("having") and not node.args.get("group") and not aggregates:
            first = node.expressions[0]
            value = first.unalias()
            same = exp.Coalesce(this=exp.Max(this=value.copy()), expressions=[value.copy()])
            first.replace(exp.alias_(same, first.alias_or_name, quoted=True))
        return node

    def infinity(self) -> exp.Expr:
        """What is too large is infinite."""
        return exp.Literal.number("9e999")

    def time_as_text(self, value: exp.Expr) -> exp.Expr:
        """Without the zeros at the end."""
        trimmed = function("RTRIM", value.copy(), exp.Literal.string("0"))
        return function("RTRIM", trimmed, exp.Literal.string("."))

    def seconds(self, value: exp.Expr) -> exp.Expr:
        """From whole seconds and microseconds."""
        kind = value.meta.get("type_id", "")
        if kind == "date":
            return _seconds(value.copy())
        start = 1 if kind == "time" else 12
        moment = _part(value, 1, start + 7)
        if kind == "time":
            moment = exp.DPipe(this=exp.Literal.string("1970-01-01 "), expression=moment, safe=True)
        micros = exp.cast(_part(value, start + 9, 6), "BIGINT")
        whole = _seconds(moment) * exp.Literal.number(1_000_000) + micros
        return exp.Div(this=exp.paren(whole), expression=exp.Literal.number("1000000.0"), typed=True, safe=True)

    def failure(self, message: exp.Expr, to: exp.DataType) -> exp.Expr:
        """A path of JSON that is none, which the error quotes; the empty text is not a constant."""
        unknown = function("SUBSTR", function("RANDOM"), exp.Literal.number(1), exp.Literal.number(0))
        path = exp.DPipe(this=message.copy(), expression=unknown, safe=True)
        return exp.cast(function("JSON_EXTRACT", exp.Literal.string("{}"), path), to.copy())


def _is_scale(literal: exp.Literal) -> bool:
    return literal.is_number and float(literal.name) >= 2**53


def _part(value: exp.Expr, start: int, length: int) -> exp.Expr:
    return function("SUBSTR", value.copy(), exp.Literal.number(start), exp.Literal.number(length))


def _seconds(moment: exp.Expr) -> exp.Expr:
    return exp.cast(function("STRFTIME", exp.Literal.string(_EPOCH), moment), "BIGINT")
