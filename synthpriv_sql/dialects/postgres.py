"""PostgreSQL; Redshift derives from it."""

from __future__ import annotations

from collections.abc import Sequence

import sqlglot
from sqlglot import exp

from synthpriv_sql.dialects.base import Dialect, family, function, operand
from synthpriv_sql.planner.columns.nested import Nested
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers import catalog

_NUMBER = r"^\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\s*$"


class Postgres(Dialect):
    """PostgreSQL 12 and newer."""

    name = "postgres"
    longest_name = 63
    keeps_ctes = True
    finite_times = False

    def trycast(self, node: exp.TryCast) -> exp.Expr:
        """Cast a text that looks like a number; any other becomes NULL."""
        written = exp.RegexpLike(this=node.this.copy(), expression=exp.Literal.string(_NUMBER))
        return exp.Case().when(written, exp.cast(node.this.copy(), node.to))

    def as_text(self, node: exp.Cast) -> exp.Expr:
        """Write integral doubles with ".0", as DuckDB does."""
        value = node.this
        if not isinstance(value, exp.Add):  # numbers as categories, see tables.py
            return node
        value = exp.paren(value.copy())
        whole = exp.and_(
            exp.EQ(this=value, expression=exp.Trunc(this=value.copy())),
            exp.LT(this=exp.Abs(this=value.copy()), expression=exp.cast(exp.Literal.number("1e15"), "DOUBLE")),
        )
        text = exp.cast(value.copy(), "VARCHAR")
        longer = exp.DPipe(this=text.copy(), expression=exp.Literal.string(".0"), safe=True)
        return exp.Case().when(whole, longer).else_(text)

    def collate(self, node: exp.Collate) -> exp.Expr:
        """Sort by bytes, whatever the database's collation."""
        return exp.Collate(this=node.this.copy(), expression=exp.to_identifier("C", quoted=True))

    def ordered(self, node: exp.Ordered) -> exp.Expr:
        """Sort user text by its bytes."""
        if family(node.this) == "text":
            node.set("this", self.collate(exp.Collate(this=node.this.copy())))
        return node

    def finite_time(self, value: exp.Expr) -> exp.Expr:
        """Times cannot be infinite; dates and timestamps can."""
        return super().finite_time(value) if family(value) == "time" else function("ISFINITE", value)

    def without_nan(self, node: exp.Nullif) -> exp.Expr:
        """A numeric stays a numeric."""
        if family(node.this) == "decimal":
            return exp.Nullif(this=node.this, expression=exp.cast(exp.Literal.string("NaN"), "DECIMAL"))
        return node

    def quantile(self, value: exp.Expr, share: exp.Expr) -> exp.Expr:
        """Interpolation between two infinite values gives NaN in PostgreSQL, and Infinity in other databases."""
        found = super().quantile(value, share)
        nan = exp.cast(exp.Literal.string("NaN"), "DOUBLE")
        infinite = exp.EQ(this=found, expression=nan)
        return exp.Case().when(infinite, self.infinity()).else_(found.copy())

    def anonymous(self, node: exp.Anonymous) -> exp.Expr:
        """``to_microseconds`` as an interval."""
        if node.name.lower() == "to_microseconds":
            microsecond = exp.Interval(this=exp.Literal.string("1"), unit=exp.var("MICROSECOND"))
            return exp.paren(exp.Mul(this=operand(node.expressions[0]), expression=microsecond))
        return super().anonymous(node)

    def sha2(self, node: exp.SHA2) -> exp.Expr:
        """The hash function takes bytes."""
        node.set("this", function("CONVERT_TO", node.this, exp.Literal.string("UTF8")))
        return node

    def exponential(self, node: exp.Exp) -> exp.Expr:
        """PostgreSQL fails where a result is too small for a DOUBLE, also that of a product with it; it is 0 here."""
        power = operand(node.this)
        least = exp.cast(exp.Literal.number(-700), "DOUBLE")
        if power.is_number:
            return node
        return (
            exp.Case()
            .when(exp.LT(this=power, expression=least), exp.cast(exp.Literal.number(0), "DOUBLE"))
            .else_(node.copy())
        )

    def intdiv(self, node: exp.IntDiv) -> exp.Expr:
        """DIV is exact."""
        return node

    def series(self, first: exp.Expr, last: exp.Expr, table: str, column: str) -> exp.Expr:
        """PostgreSQL has ``generate_series``."""
        rows = exp.Table(this=exp.GenerateSeries(start=first.copy(), end=last.copy()))
        return exp.alias_(rows, table, table=[column])

    def without_nulls(self, texts: Sequence[exp.Expr]) -> exp.Expr:
        """An array without its NULLs."""
        array = exp.cast(exp.Array(expressions=[t.copy() for t in texts]), "VARCHAR[]")
        return function("ARRAY_REMOVE", array, exp.null())

    def entry(self, column: Nested) -> exp.Expr:
        """Read an entry of a nested column by the functions of jsonb."""
        given, key = as_jsonb(column.of), column.entry.key
        is_object = exp.EQ(this=function("JSONB_TYPEOF", given), expression=exp.Literal.string("object"))
        if key is None:
            value: exp.Expr = given
            text: exp.Expr = exp.paren(exp.JSONBExtractScalar(this=given.copy(), expression=exp.Literal.string("{}")))
        else:
            value = function("JSONB_EXTRACT_PATH", given, exp.Literal.string(key))
            text = function("JSONB_EXTRACT_PATH_TEXT", given, exp.Literal.string(key))
        if column.entry.kind == "set":
            is_list = exp.EQ(this=function("JSONB_TYPEOF", value), expression=exp.Literal.string("array"))
            elements = sqlglot.parse_one(catalog.statement("json_set_postgres"), dialect="postgres")
            elements.pop_comments()
            for found in list(elements.find_all(exp.Column)):
                if found.name == "value":
                    found.replace(value.copy())
            text = exp.Case().when(is_list, exp.Subquery(this=elements)).else_(text)
        elif column.family != "text":
            text = exp.cast(text, column.type, dialect="duckdb")
        return exp.Case().when(exp.not_(is_object) if key is None else is_object, text)

    def failure(self, message: exp.Expr, to: exp.DataType) -> exp.Expr:
        """A CAST that fails. The clock is not a constant, and still allows parallel plans."""
        clock = exp.cast(function("CLOCK_TIMESTAMP"), "VARCHAR")
        unknown = function("LEFT", clock, exp.Literal.number(0))
        return exp.cast(exp.DPipe(this=message.copy(), expression=unknown, safe=True), to.copy())


def as_jsonb(column: Column) -> exp.Expr:
    """Return a nested column as jsonb, in PostgreSQL's dialect."""
    own = exp.column(exp.to_identifier(column.name, quoted=True))
    if column.type.lower() in {"json", "jsonb"}:
        return exp.cast(own, "jsonb", dialect="postgres")
    return exp.Anonymous(this="TO_JSONB", expressions=[own])
