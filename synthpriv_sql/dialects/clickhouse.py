"""ClickHouse."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from synthpriv_sql.dialects.base import Dialect, function

_SETTINGS = {
    "join_use_nulls": 1,  # a LEFT JOIN without a match gives NULL, not 0 or ''
    "aggregate_functions_null_for_empty": 1,  # min of no values is NULL
    "prefer_column_name_to_alias": 1,  # in min(x) AS x, max(x) both x mean the column
}


class ClickHouse(Dialect):
    """ClickHouse 26.3 and newer; older versions compute a CTE again for every reader."""

    name = "clickhouse"
    copies_ctes = True
    fraction_is_double = True
    has_enums = True
    huge = "INT128"

    def rewritten(self, tree: exp.Query) -> exp.Query:
        """Add the settings under which the statement has standard SQL semantics."""
        tree = super().rewritten(tree)
        kept = any(cte.args.get("materialized") for cte in tree.find_all(exp.CTE))
        settings = _SETTINGS | ({"enable_materialized_cte": 1} if kept else {})
        values = [exp.EQ(this=exp.var(k), expression=exp.Literal.number(v)) for k, v in settings.items()]
        tree.set("settings", values)
        return tree

    def cte(self, node: exp.CTE) -> exp.Expr:
        """Only AS MATERIALIZED is supported."""
        node.set("materialized", node.args.get("materialized") or None)
        return node

    def select(self, node: exp.Select) -> exp.Expr:
        """Name each projection: next to ``b.record``, ``a.record`` would become a column named "a.record"."""
        node.set("expressions", [_named(projection) for projection in node.expressions])
        return node

    def datatype(self, node: exp.DataType) -> exp.Expr:
        """ClickHouse has 128-bit integers."""
        return node

    def intdiv(self, node: exp.IntDiv) -> exp.Expr:
        """Exact, and without errors: both branches of a CASE may be computed."""
        return function("intDivOrZero", node.this.copy(), node.expression.copy())

    def mod(self, node: exp.Mod) -> exp.Expr:
        """See `intdiv`."""
        return function("moduloOrZero", node.this.copy(), node.expression.copy())

    def bitwisexor(self, node: exp.BitwiseXor) -> exp.Expr:
        """A function instead of an operator."""
        return function("bitXor", node.this.copy(), node.expression.copy())

    def count(self, node: exp.Count) -> exp.Expr:
        """Make counts signed: signed and unsigned integers cannot be mixed in one column."""
        return self._signed(node)

    def filter(self, node: exp.Filter) -> exp.Expr:
        """See `count`."""
        return self._signed(node) if isinstance(node.this, exp.Count) else node

    def window(self, node: exp.Window) -> exp.Expr:
        """See `count`."""
        return self._signed(node) if isinstance(node.this, (exp.Count, exp.RowNumber)) else node

    def _signed(self, node: exp.Expr) -> exp.Expr:
        return node if isinstance(node.parent, (exp.Filter, exp.Window)) else function("toInt64", node.copy())

    def without_nan(self, node: exp.Nullif) -> exp.Expr:
        """NaN equals nothing here; adding 0 turns -0.0 into 0.0, which is a different value otherwise."""
        value = node.this
        zero = function("toFloat32" if value.meta.get("type_id") == "float" else "toFloat64", exp.Literal.number(0))
        return exp.Case().when(exp.Not(this=function("isNaN", value.copy())), value.copy() + zero)

    def quantile(self, value: exp.Expr, share: exp.Expr) -> exp.Expr:
        """Exact, with the same interpolation as DuckDB."""
        name = "quantileExactInclusive"
        return exp.ParameterizedAgg(this=name, expressions=[share.copy()], params=[value.copy()])

    def stddevpop(self, node: exp.StddevPop) -> exp.Expr:
        """The numerically stable variant."""
        return function("stddevPopStable", node.this.copy())

    def seconds(self, value: exp.Expr) -> exp.Expr:
        """From integer microseconds; timestamps without a time zone are read as UTC."""
        kind = value.meta.get("type_id", "")
        if kind == "date":
            return function("toInt32", value.copy()) * exp.Literal.number(86_400)
        utc, six = exp.Literal.string("UTC"), exp.Literal.number(6)
        if kind == "timestamp with time zone":
            moment = function("toDateTime64", value.copy(), six)
        else:
            text = function("toString", value.copy())
            if kind == "time":
                text = function("concat", exp.Literal.string("1970-01-01 "), text)
            moment = function("toDateTime64", text, six, utc)
        micros = function("toUnixTimestamp64Micro", moment)
        return exp.Div(this=micros, expression=exp.Literal.number(1_000_000), typed=False, safe=False)

    def anonymous(self, node: exp.Anonymous) -> exp.Expr:
        """``to_timestamp`` of seconds since 1970."""
        if node.name.lower() == "to_timestamp":
            micros = function("round", exp.paren(node.expressions[0].copy()) * exp.Literal.number(1_000_000))
            utc = exp.Literal.string("UTC")
            return function("fromUnixTimestamp64Micro", function("toInt64", micros), utc)
        return super().anonymous(node)

    def cast(self, node: exp.Cast) -> exp.Expr:
        """Times with microseconds; a time of day from them, as ClickHouse cannot add to a time."""
        since = node.this.expression if isinstance(node.this, exp.Add) else None
        if isinstance(since, exp.Anonymous) and since.name == "to_microseconds":
            seconds = exp.paren(exp.cast(since.expressions[0].copy(), "DOUBLE")) / exp.Literal.number(1_000_000)
            return function("toTime64", seconds, exp.Literal.number(6))
        if node.to.is_type("timestamp", "timestampntz") and node.this.find(exp.Anonymous):
            node.set("to", exp.DataType.build("DateTime64(6)", dialect=self.name))
        if node.to.is_type("timestamptz"):  # a DateTime has whole seconds
            node.set("to", exp.DataType.build("Nullable(DateTime64(6, 'UTC'))", dialect=self.name))
        return super().cast(node)

    def attimezone(self, node: exp.AtTimeZone) -> exp.Expr:
        """A timestamp carries its time zone."""
        kept: exp.Expr = node.this.copy()
        return kept

    def groupconcat(self, node: exp.GroupConcat) -> exp.Expr:
        """Concatenate sorted texts: results are compared, so equal sets must give equal texts."""
        ordered = node.this
        text = ordered.this if isinstance(ordered, exp.Order) else ordered
        texts = function("arraySort", function("groupArray", text.copy()))
        return function("arrayStringConcat", texts, node.args["separator"].copy())

    def series(self, first: exp.Expr, last: exp.Expr, table: str, column: str) -> exp.Expr:
        """The table function numbers takes a start and a count."""
        count = last.copy() - first.copy() + exp.Literal.number(1)
        rows = exp.Table(this=function("numbers", first.copy(), count))
        return exp.select(exp.alias_(exp.column("number"), column)).from_(rows).subquery(table)

    def failure(self, message: exp.Expr, to: exp.DataType) -> exp.Expr:
        """Convert the message to a number, which fails. The text must not be Nullable, or the result would be NULL. The
        branch is computed even for no rows, with NULL as the message.
        """
        unknown = function("left", function("toString", function("rand")), exp.Literal.number(0))
        text = exp.func(
            "ifNull", exp.DPipe(this=message.copy(), expression=unknown, safe=True), exp.Literal.string("0")
        )
        return exp.cast(function("toInt64", text), to.copy())

    def without_nulls(self, texts: Sequence[exp.Expr]) -> exp.Expr:
        """An array without its NULLs."""
        array = exp.Array(expressions=[t.copy() for t in texts])
        reason = exp.to_identifier("reason")
        present = function("isNotNull", exp.column("reason"))
        kept = function("arrayFilter", exp.Lambda(this=present, expressions=[reason]), array)
        return exp.cast(kept, exp.DataType.build("Array(String)", dialect="clickhouse"))


def _named(projection: exp.Expr) -> exp.Expr:
    if isinstance(projection, exp.Column) and projection.table and not projection.is_star:
        return exp.alias_(projection, projection.name)
    return projection
