"""Spark SQL and Databricks SQL."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from synthpriv_sql.dialects.base import Dialect, function
from synthpriv_sql.planner.columns import nested
from synthpriv_sql.planner.columns.nested import Nested
from synthpriv_sql.planner.columns.types import Column

_MICROSECONDS = 1_000_000


class Spark(Dialect):
    """Spark 4, in ANSI mode, which is its default."""

    name = "spark"
    has_lists_of_fields = True

    def union(self, node: exp.Union) -> exp.Expr:
        """Write constant rows as VALUES: Spark 4 cannot serialize a join with a UNION of them."""
        rows = [] if isinstance(node.parent, exp.Union) else _constant_rows(node)
        if not rows:
            return node
        names = [projection.alias_or_name for projection in rows[0]]
        values = exp.values([tuple(p.unalias() for p in row) for row in rows], alias="rows", columns=names)
        return exp.select("*").from_(values)

    def window(self, node: exp.Window) -> exp.Expr:
        """Spark's row numbers have 32 bits; record numbers need 64."""
        counts = isinstance(node.this, exp.RowNumber) and isinstance(node.parent, exp.Sub)
        return exp.cast(node.copy(), "BIGINT") if counts else node

    def arrayagg(self, node: exp.ArrayAgg) -> exp.Expr:
        """An ordered list: COLLECT_LIST has no order, so items are sorted together with their sort keys."""
        ordered = node.this
        if not isinstance(ordered, exp.Order):
            return node
        named = [(f"key{i}", key.this) for i, key in enumerate(ordered.expressions)] + [("item", ordered.this)]
        fields = [part.copy() for name, value in named for part in (exp.Literal.string(name), value)]
        sorted_items = function("ARRAY_SORT", function("COLLECT_LIST", function("NAMED_STRUCT", *fields)))
        item = exp.Lambda(this=exp.column("item", table="both"), expressions=[exp.to_identifier("both")])
        return function("TRANSFORM", sorted_items, item)

    def quantile(self, value: exp.Expr, share: exp.Expr) -> exp.Expr:
        """``percentile`` is exact and interpolates."""
        return function("PERCENTILE", value.copy(), share.copy())

    def seconds(self, value: exp.Expr) -> exp.Expr:
        """From integer microseconds, in UTC whatever the session's time zone."""
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

    def datatype(self, node: exp.DataType) -> exp.Expr:
        """TIME is a separate type since Spark 4.1; sqlglot turns it into TIMESTAMP."""
        if node.this == exp.DataType.Type.TIME:
            return exp.DataType(this=exp.DataType.Type.USERDEFINED, kind="TIME")
        return super().datatype(node)

    def trycast(self, node: exp.TryCast) -> exp.Expr:
        """NULL where a CAST would fail, also in ANSI mode."""
        node.set("safe", True)
        return node

    def bracket(self, node: exp.Bracket) -> exp.Expr:
        """An item at a computed position, counted from 1; sqlglot itself shifts literal positions."""
        place = node.expressions[0]
        return node if place.is_int else function("ELEMENT_AT", node.this.copy(), exp.cast(place.copy(), "INT"))

    def anonymous(self, node: exp.Anonymous) -> exp.Expr:
        """``to_timestamp`` of seconds since 1970, rounded half to even to microseconds."""
        if node.name.lower() == "to_timestamp" and len(node.expressions) == 1:
            micros = function("RINT", exp.paren(node.expressions[0].copy()) * exp.Literal.number(_MICROSECONDS))
            return function("TIMESTAMP_MICROS", exp.cast(micros, "BIGINT"))
        if node.name.lower() == "to_microseconds":
            return _interval(node.expressions[0])
        return super().anonymous(node)

    def attimezone(self, node: exp.AtTimeZone) -> exp.Expr:
        """The UTC wall-clock time of a timestamp, whatever the session's time zone."""
        moment = node.this
        if not isinstance(moment, exp.Anonymous) or moment.name != "TIMESTAMP_MICROS":
            return node
        start = exp.cast(exp.Literal.string("1970-01-01 00:00:00"), "TIMESTAMP")
        return exp.paren(start + _interval(moment.expressions[0]))

    def series(self, first: exp.Expr, last: exp.Expr, table: str, column: str) -> exp.Expr:
        """The table function RANGE excludes its end."""
        rows = exp.Table(this=function("RANGE", first.copy(), last.copy() + exp.Literal.number(1)))
        return exp.alias_(rows, table, table=[column])

    def arrayfilter(self, node: exp.ArrayFilter) -> exp.Expr:
        """Any condition on items."""
        return super().arrayfilter(node) if node.find(exp.Is) else node

    def without_nulls(self, texts: Sequence[exp.Expr]) -> exp.Expr:
        """An array without its NULLs."""
        array = exp.Array(expressions=[t.copy() for t in texts])
        reason = exp.to_identifier("reason")
        present = exp.Not(this=exp.Is(this=exp.column("reason"), expression=exp.null()))
        return exp.ArrayFilter(this=array, expression=exp.Lambda(this=present, expressions=[reason]))

    def entry(self, column: Nested) -> exp.Expr:
        """Read an entry of a nested column from its JSON: what is no object, as the only value of one."""
        given, key = as_json_text(column.of), column.entry.key
        entries = _from_json(given, "map<string,string>")
        is_object = exp.not_(exp.paren(entries.copy().is_(exp.null())))
        if key is None:
            given = function("CONCAT", exp.Literal.string('{"v":'), given, exp.Literal.string("}"))
            entries, key = _from_json(given, "map<string,string>"), "v"
        found = exp.Literal.string(key)
        text: exp.Expr = function("TRY_ELEMENT_AT", entries, found)
        if column.entry.kind == "set":
            typed = function("TRY_ELEMENT_AT", _from_json(given, "map<string,variant>"), found.copy())
            is_list = exp.Like(this=function("SCHEMA_OF_VARIANT", typed), expression=exp.Literal.string("ARRAY<%"))
            elements: exp.Expr = _from_json(text, "array<string>")
            for name in ("ARRAY_DISTINCT", "ARRAY_COMPACT", "ARRAY_SORT", "TO_JSON"):
                elements = function(name, elements)
            text = exp.Case().when(is_list, elements).else_(text.copy())
        elif column.family != "text":
            text = exp.cast(text, column.type, dialect="duckdb")
        return exp.Case().when(exp.not_(is_object) if column.entry.key is None else is_object, text)

    def failure(self, message: exp.Expr, to: exp.DataType) -> exp.Expr:
        """Spark has RAISE_ERROR."""
        return exp.cast(function("RAISE_ERROR", message.copy()), to.copy())


class Databricks(Spark):
    """Databricks SQL."""

    name = "databricks"


def as_json_text(column: Column) -> exp.Expr:
    """Return a nested column as text with JSON, in Spark's dialect; JSON is text there."""
    own = exp.column(exp.to_identifier(column.name, quoted=True))
    if column.type.lower() == "variant":
        return function("TO_JSON", own)
    if not nested.is_structured(column):
        return own
    with_nulls = function("MAP", exp.Literal.string("ignoreNullFields"), exp.Literal.string("false"))
    return function("TO_JSON", own, with_nulls)


def _from_json(value: exp.Expr, type_: str) -> exp.Expr:
    return function("FROM_JSON", value.copy(), exp.Literal.string(type_))


def _constant_rows(query: exp.Expr) -> list[list[exp.Expr]]:
    """The rows of a UNION ALL of constants; empty for any other query."""
    if isinstance(query, exp.Union) and not query.args.get("distinct"):
        above, below = _constant_rows(query.this), _constant_rows(query.expression)
        return [*above, *below] if above and below else []
    if not isinstance(query, exp.Select) or any(query.args.get(part) for part in ("from_", "where", "with_")):
        return []
    values = [projection.unalias() for projection in query.expressions]
    constant = all(isinstance(v.this if isinstance(v, exp.Cast) else v, (exp.Literal, exp.Null)) for v in values)
    return [list(query.expressions)] if constant else []


def _part(name: str, value: exp.Expr) -> exp.Expr:
    return exp.Extract(this=exp.var(name), expression=value.copy())


def _interval(micros: exp.Expr) -> exp.Expr:
    """Microseconds as an interval."""
    whole = exp.cast(micros.copy(), "DECIMAL(24, 6)")
    seconds = exp.cast(exp.Div(this=whole, expression=exp.Literal.number(_MICROSECONDS)), "DECIMAL(18, 6)")
    none = exp.Literal.number(0)
    return function("MAKE_DT_INTERVAL", none, none.copy(), none.copy(), seconds)


def _over_million(micros: exp.Expr) -> exp.Expr:
    return exp.Div(
        this=exp.cast(micros, "DOUBLE"), expression=exp.Literal.number(_MICROSECONDS), typed=False, safe=False
    )
