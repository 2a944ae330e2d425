"""Spark SQL, and Databricks, which runs it."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from synthpriv_sql.dialects.base import Dialect, function

_MICROSECONDS = 1_000_000


class Spark(Dialect):
    """Spark 3.5 and newer, ANSI mode or not."""

    name = "spark"

    def rownumber(self, node: exp.RowNumber) -> exp.Expr:
        """Row numbers are 32 bits wide; see `window`."""
        return node

    def window(self, node: exp.Window) -> exp.Expr:
        """A row number is a BIGINT elsewhere."""
        return exp.cast(node.copy(), "BIGINT") if isinstance(node.this, exp.RowNumber) else node

    def quantile(self, value: exp.Expr, share: exp.Expr) -> exp.Expr:
        """``percentile`` is exact and interpolates."""
        return function("PERCENTILE", value.copy(), share.copy())

    def nullsafe(self, node: exp.NullSafeEQ) -> exp.Expr:
        """IS NOT DISTINCT FROM is understood."""
        return node

    def seconds(self, value: exp.Expr) -> exp.Expr:
        """From whole microseconds, in UTC whatever the session's time zone."""
        kind = value.meta.get("type_id", "")
        if kind == "date":
            return function("UNIX_DATE", value.copy()) * exp.Literal.number(86_400)
        if kind == "timestamp with time zone":
            return _over_million(function("UNIX_MICROS", value.copy()))
        micros: exp.Expr = exp.cast(_part("SECOND", value) * exp.Literal.number(_MICROSECONDS), "BIGINT")
        for part, seconds in (("MINUTE", 60), ("HOUR", 3_600)):
            micros = exp.cast(_part(part, value), "BIGINT") * exp.Literal.number(seconds * _MICROSECONDS) + micros
        if kind.startswith("timestamp"):
            days = function("UNIX_DATE", exp.cast(value.copy(), "DATE"))
            micros = exp.cast(days, "BIGINT") * exp.Literal.number(86_400 * _MICROSECONDS) + micros
        return _over_million(exp.paren(micros))

    def series(self, first: exp.Expr, last: exp.Expr, table: str, column: str) -> exp.Expr:
        """The table function RANGE ends before its end."""
        rows = exp.Table(this=function("RANGE", first.copy(), last.copy() + exp.Literal.number(1)))
        return exp.alias_(rows, table, table=[column])

    def without_nulls(self, texts: Sequence[exp.Expr]) -> exp.Expr:
        """An array without its nulls."""
        array = exp.Array(expressions=[t.copy() for t in texts])
        reason = exp.to_identifier("reason")
        present = exp.Not(this=exp.Is(this=exp.column("reason"), expression=exp.null()))
        return exp.ArrayFilter(this=array, expression=exp.Lambda(this=present, expressions=[reason]))

    def failure(self, message: exp.Expr, to: exp.DataType) -> exp.Expr:
        """Spark has a function for it."""
        return exp.cast(function("RAISE_ERROR", message.copy()), to.copy())


class Databricks(Spark):
    """Databricks SQL."""

    name = "databricks"


def _part(name: str, value: exp.Expr) -> exp.Expr:
    return exp.Extract(this=exp.var(name), expression=value.copy())


def _over_million(micros: exp.Expr) -> exp.Expr:
    return exp.Div(
        this=exp.cast(micros, "DOUBLE"), expression=exp.Literal.number(_MICROSECONDS), typed=False, safe=False
    )
