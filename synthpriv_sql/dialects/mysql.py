"""MySQL and MariaDB."""

from __future__ import annotations

from sqlglot import exp

from synthpriv_sql.dialects.base import family, function
from synthpriv_sql.dialects.lean import Lean

FAILED = "synthpriv_failed"
"""The variable of a session that has the message of a check that failed."""
_MILLION = 1_000_000


class MySQL(Lean):
    """MariaDB 10.6 and newer, MySQL 8."""

    name = "mysql"
    longest_name = 64
    fraction_is_double = False
    # TRIM takes away a text, not any of its characters.
    functions = (Lean.functions - {exp.Trim}) | {exp.Length, exp.StrPosition, exp.Substring}

    def cast(self, node: exp.Cast) -> exp.Expr:
        """Truth values are numbers, to which nothing is cast."""
        if node.to.this == exp.DataType.Type.BOOLEAN and not _is_error(node.this):
            return exp.cast(exp.null(), "BIGINT") if isinstance(node.this, exp.Null) else exp.paren(node.this.copy())
        if node.to.this == exp.DataType.Type.FLOAT:
            raise self.lacks("it has no single precision in a cast")
        return super().cast(node)

    def as_text(self, node: exp.Cast) -> exp.Expr:
        """A DECIMAL has the same text."""
        return node if family(node.this) == "decimal" else super().as_text(node)

    def time_as_text(self, value: exp.Expr) -> exp.Expr:
        """Without the zeros at the end."""
        kept: exp.Expr = exp.cast(value.copy(), "VARCHAR")
        for end in ("0", "."):
            ending = exp.Literal.string(f"[{end}]*$")
            kept = function("REGEXP_REPLACE", kept, ending, exp.Literal.string(""))
        return kept

    def div(self, node: exp.Div) -> exp.Expr:
        """Of whole numbers a DOUBLE too, not a DECIMAL of four more digits."""
        if not (isinstance(node.this, exp.Cast) and node.this.to.this == exp.DataType.Type.DOUBLE):
            node.set("this", exp.cast(node.this.copy(), "DOUBLE"))
        return node

    def avg(self, node: exp.Avg) -> exp.Expr:
        """See `div`."""
        node.set("this", exp.cast(node.this.copy(), "DOUBLE"))
        return node

    def intdiv(self, node: exp.IntDiv) -> exp.Expr:
        """DIV is exact."""
        return node

    def round(self, node: exp.Round) -> exp.Expr:
        """Halves away from zero: of a DOUBLE, ROUND rounds them to even numbers."""
        super().round(node)
        value = node.this
        half = exp.Floor(this=exp.Abs(this=value.copy()) + exp.cast(exp.Literal.number("0.5"), "DOUBLE"))
        return exp.paren(exp.Sign(this=value.copy()) * half)

    def dpipe(self, node: exp.DPipe) -> exp.Expr:
        """CONCAT, which is NULL beside a NULL; || is OR."""
        return function("CONCAT", node.this.copy(), node.expression.copy())

    def filter(self, node: exp.Filter) -> exp.Expr:
        """FILTER as a CASE inside the aggregate."""
        found, met = node.this.copy(), node.expression.this
        if not isinstance(found, exp.Count | exp.Sum | exp.Min | exp.Max | exp.Avg) or isinstance(
            found.this, exp.Distinct
        ):
            raise self.lacks("it has no FILTER of such an aggregate")
        value = exp.Literal.number(1) if isinstance(found.this, exp.Star) else found.this.copy()
        found.set("this", exp.Case().when(met.copy(), value))
        return found

    def order(self, node: exp.Order) -> exp.Expr:
        """NULLs are the least; to put them last in a window, whether a value is one is sorted by first."""
        if not isinstance(node.parent, exp.Window):
            return node  # sqlglot does it
        keys: list[exp.Expr] = []
        for key in node.expressions:
            first, descending = bool(key.args.get("nulls_first")), bool(key.args.get("desc"))
            if first == descending:
                missing = exp.Is(this=key.this.copy(), expression=exp.null())
                keys.append(exp.Ordered(this=exp.paren(missing), desc=descending, nulls_first=not descending))
                key.set("nulls_first", not descending)
            keys.append(key)
        node.set("expressions", keys)
        return node

    def select(self, node: exp.Select) -> exp.Expr:
        """A star that is not first has the names of its tables."""
        if not any(isinstance(projection, exp.Star) for projection in node.expressions[1:]):
            return node
        tables = [node.args["from_"].this, *(join.this for join in node.args.get("joins") or [])]
        stars = [exp.Column(this=exp.Star(), table=exp.to_identifier(t.alias_or_name, quoted=True)) for t in tables]
        found = [[*stars] if isinstance(p, exp.Star) else [p] for p in node.expressions]
        node.set("expressions", [projection for several in found for projection in several])
        return node

    def lag(self, node: exp.Lag) -> exp.Expr:
        """Without a value for the rows that have none before them."""
        return self._neighbor(node)

    def lead(self, node: exp.Lead) -> exp.Expr:
        """See `lag`."""
        return self._neighbor(node)

    def _neighbor(self, node: exp.Lag | exp.Lead) -> exp.Expr:
        if node.args.get("default") is not None:
            raise self.lacks("it has no default of LAG and LEAD")
        return node

    def isinf(self, node: exp.IsInf) -> exp.Expr:
        """There is no infinity."""
        return exp.false()

    def finite(self, value: exp.Expr) -> exp.Expr:
        """See `isinf`."""
        return exp.Not(this=exp.Is(this=value.copy(), expression=exp.null()))

    def infinity(self) -> exp.Expr:
        """See `isinf`."""
        raise self.lacks("it has no infinity")

    def seconds(self, value: exp.Expr) -> exp.Expr:
        """From whole days or microseconds."""
        kind = value.meta.get("type_id", "")
        if kind == "date":
            return exp.paren(function("TO_DAYS", value.copy()) - 719_528) * 86_400
        if kind == "time":
            whole = function("TIME_TO_SEC", function("TIME", value.copy()))
            fraction = function("MICROSECOND", value.copy())
            micros: exp.Expr = exp.paren(exp.cast(function("FLOOR", whole), "BIGINT") * _MILLION + fraction)
        else:
            start = exp.Literal.string("1970-01-01 00:00:00")
            micros = function("TIMESTAMPDIFF", exp.var("MICROSECOND"), start, value.copy())
        return self.div(exp.Div(this=micros, expression=exp.Literal.number(_MILLION), typed=False, safe=False))

    def failure(self, message: exp.Expr, to: exp.DataType) -> exp.Expr:
        """A number that is too large; the message is kept in a variable, where the driver reads it."""
        variable = exp.Parameter(this=exp.var(FAILED))
        kept = function("CHAR_LENGTH", exp.PropertyEQ(this=variable, expression=message.copy()))
        failed = exp.Exp(this=exp.Literal.number(1_000) + kept)
        return failed if to.this == exp.DataType.Type.BOOLEAN else exp.cast(failed, to.copy())


def _is_error(node: exp.Expr) -> bool:
    return isinstance(node, exp.Anonymous) and node.name.lower() == "error"
