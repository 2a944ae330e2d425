"""Cloud warehouses that the tests cannot reach: written from the vendors' documentation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from zlib import crc32

from sqlglot import exp

from synthpriv_sql.dialects.base import Dialect, family, function

_MILLION = exp.Literal.number(1_000_000)
# Words that Snowflake accepts as names only in quotes.
_WORDS = """
account all alter and any as between by case cast check column connect connection constraint create cross current
current_date current_time current_timestamp current_user database delete distinct drop else exists false following
for from full grant group gscluster having ilike in increment inner insert intersect into is issue join lateral left
like localtime localtimestamp minus natural not null of on or order organization qualify regexp revoke right rlike
row rows sample schema select set some start table tablesample then to trigger true try_cast union unique update
using values view when whenever where with
"""
_RESERVED = frozenset(_WORDS.split())


class Snowflake(Dialect):
    """Snowflake. It folds names to upper case: names in lower case are written without quotes."""

    name = "snowflake"
    identify = False

    def identifier(self, node: exp.Identifier) -> exp.Expr:
        """Quote names unless they are plain lower case: ``age`` is AGE there, just as if a user typed it."""
        plain = re.fullmatch(r"[a-z_][a-z0-9_]*", node.this) and node.this not in _RESERVED
        node.set("quoted", not plain)
        return node

    def infinity(self) -> exp.Expr:
        """Snowflake writes inf."""
        return exp.cast(exp.Literal.string("inf"), "DOUBLE")

    def trycast(self, node: exp.TryCast) -> exp.Expr:
        """Snowflake has a function for each type."""
        written = exp.cast(node.this.copy(), "VARCHAR")
        if node.to.this == exp.DataType.Type.DOUBLE:
            return function("TRY_TO_DOUBLE", written)
        return function("TRY_TO_DECIMAL", written, exp.Literal.number(38), exp.Literal.number(18))

    def seconds(self, value: exp.Expr) -> exp.Expr:
        """From whole days or microseconds."""
        if value.meta.get("type_id") == "date":
            epoch = exp.cast(exp.Literal.string("1970-01-01"), "DATE")
            return function("DATEDIFF", exp.var("DAY"), epoch, value.copy()) * exp.Literal.number(86_400)
        if family(value) == "time":
            midnight = exp.cast(exp.Literal.string("00:00:00"), "TIME")
            return _ratio(function("DATEDIFF", exp.var("MICROSECOND"), midnight, value.copy()))
        return _ratio(function("DATE_PART", exp.var("EPOCH_MICROSECOND"), value.copy()))

    def without_nulls(self, texts: Sequence[exp.Expr]) -> exp.Expr:
        """An array without its nulls."""
        return function("ARRAY_CONSTRUCT_COMPACT", *(t.copy() for t in texts))


class SnowflakeTables(Snowflake):
    """Snowflake with names exactly as its catalog has them."""

    identify = True

    def identifier(self, node: exp.Identifier) -> exp.Expr:
        """All names are quoted."""
        return node

    def filter(self, node: exp.Filter) -> exp.Expr:
        """COUNT_IF is NULL over no rows where fakesnow stands for Snowflake."""
        return _counted(node)

    def failure(self, message: exp.Expr, to: exp.DataType) -> exp.Expr:
        """As elsewhere; RANDOM has no text where fakesnow stands for Snowflake."""
        unknown = function("LEFT", function("UUID_STRING"), exp.Literal.number(0))
        return exp.cast(exp.DPipe(this=message.copy(), expression=unknown, safe=True), to)


class BigQuery(Dialect):
    """BigQuery."""

    name = "bigquery"
    fraction_is_double = True
    huge = "BIGNUMERIC"
    quantiles_are_windows = True

    def identifier(self, node: exp.Identifier) -> exp.Expr:
        """Column names cannot contain brackets: ``[age]`` becomes ``x_age``."""
        found = re.fullmatch(
            r"\[(.*)\]((?: (?:center|spread|least|most|range|edge|joined|\d+))*)", node.this, re.DOTALL
        )
        if found:
            name, beside = found[1], (found[2] or "").replace(" ", "_")
            safe = re.sub(r"\W", "_", name, flags=re.ASCII)
            kept = safe if safe == name else f"{safe[:200]}_{crc32(name.encode()):08x}"
            node.set("this", f"x_{kept}{beside}")
        return node

    def datatype(self, node: exp.DataType) -> exp.Expr:
        """NUMERIC has at most 9 digits after the decimal point."""
        if node.this == exp.DataType.Type.DECIMAL and node.expressions:
            return exp.DataType.build("BIGNUMERIC", dialect="bigquery")
        return super().datatype(node)

    def intdiv(self, node: exp.IntDiv) -> exp.Expr:
        """DIV is exact."""
        return node

    def select(self, node: exp.Select) -> exp.Expr:
        """WHERE needs a FROM."""
        if node.args.get("where") and not node.args.get("from_"):
            node.from_(exp.select(exp.alias_(exp.Literal.number(1), "one")).subquery("nothing"), copy=False)
        return super().select(node)

    def windowed(self, quantile: exp.PercentileCont) -> exp.Expr:
        """The value and the fraction are both arguments."""
        return function("PERCENTILE_CONT", quantile.this.copy(), quantile.expression.copy())

    def quantile(self, value: exp.Expr, share: exp.Expr) -> exp.Expr:
        """See `windowed`."""
        return exp.PercentileCont(this=value.copy(), expression=share.copy())

    def window(self, node: exp.Window) -> exp.Expr:
        """PARTITION BY takes no FLOAT64, so its text is used, also for NULL. NULLS LAST is not supported either."""
        for ordered in node.args["order"].expressions if node.args.get("order") else []:
            ordered.set("nulls_first", not ordered.args.get("desc"))
        parts = node.args.get("partition_by") or []
        ours = [p for p in parts if isinstance(p, exp.Column) and p.name.startswith("x_")]
        if ours:
            node.set("partition_by", [function("TO_JSON_STRING", p) for p in parts])
        return node

    def groupconcat(self, node: exp.GroupConcat) -> exp.Expr:
        """NULLS LAST is not supported here either; what is joined has an order without NULL."""
        for ordered in node.find_all(exp.Ordered):
            ordered.set("nulls_first", not ordered.args.get("desc"))
        return node

    def without_nan(self, node: exp.Nullif) -> exp.Expr:
        """NaN equals nothing here; adding 0 turns -0.0 into 0.0."""
        value = node.this
        return exp.Case().when(exp.Not(this=function("IS_NAN", value.copy())), value.copy() + exp.Literal.number(0))

    def seconds(self, value: exp.Expr) -> exp.Expr:
        """From integer days or microseconds; a DATETIME is read as UTC."""
        kind = value.meta.get("type_id", "")
        if kind == "date":
            return function("UNIX_DATE", value.copy()) * exp.Literal.number(86_400)
        if family(value) == "time":
            midnight = exp.cast(exp.Literal.string("00:00:00"), "TIME")
            return _ratio(function("TIME_DIFF", value.copy(), midnight, exp.var("MICROSECOND")))
        moment = value.copy() if kind == "timestamp with time zone" else function("TIMESTAMP", value.copy())
        return _ratio(function("UNIX_MICROS", moment))

    def without_nulls(self, texts: Sequence[exp.Expr]) -> exp.Expr:
        """An array without its nulls."""
        return _present(texts)

    def failure(self, message: exp.Expr, to: exp.DataType) -> exp.Expr:
        """BigQuery has ERROR."""
        return exp.cast(function("ERROR", message.copy()), to.copy())


class Redshift(Dialect):
    """Redshift."""

    name = "redshift"
    longest_name = 127
    quantiles_are_windows = True

    def explode(self, node: exp.Explode) -> exp.Expr:
        """Redshift cannot unnest a list."""
        raise self.lacks("it cannot turn the items of a list into rows (UNNEST)")

    def as_text(self, node: exp.Cast) -> exp.Expr:
        """A boolean cannot be cast to text."""
        if family(node.this) != "boolean":
            return node
        words = exp.Case().when(node.this.copy(), exp.Literal.string("true"))
        return words.when(exp.Not(this=node.this.copy()), exp.Literal.string("false"))

    def filter(self, node: exp.Filter) -> exp.Expr:
        """FILTER as a CASE inside the aggregate."""
        return _counted(node)

    def windowed(self, quantile: exp.PercentileCont) -> exp.Expr:
        """The aggregate function itself."""
        whole = quantile.parent
        assert isinstance(whole, exp.WithinGroup)
        return whole.copy()

    def seconds(self, value: exp.Expr) -> exp.Expr:
        """From whole days or microseconds."""
        kind = value.meta.get("type_id", "")
        if kind == "date":
            epoch = exp.cast(exp.Literal.string("1970-01-01"), "DATE")
            return function("DATEDIFF", exp.var("DAY"), epoch, value.copy()) * exp.Literal.number(86_400)
        if kind == "timestamp with time zone":
            return exp.Extract(this=exp.var("EPOCH"), expression=value.copy())
        zero = "00:00:00" if family(value) == "time" else "1970-01-01"
        start = exp.cast(exp.Literal.string(zero), "TIME" if family(value) == "time" else "TIMESTAMP")
        return _ratio(function("DATEDIFF", exp.var("MICROSECOND"), start, value.copy()))

    def without_nulls(self, texts: Sequence[exp.Expr]) -> exp.Expr:
        """A SUPER array made by splitting a text, since an array of columns would keep their NULLs."""
        comma = exp.Literal.string(",")
        joined: exp.Expr = exp.Literal.string("")
        for text in texts:
            following = exp.DPipe(this=comma.copy(), expression=text.copy(), safe=True)
            joined = exp.DPipe(
                this=joined, expression=exp.func("coalesce", following, exp.Literal.string("")), safe=True
            )
        some = exp.or_(*(exp.Not(this=exp.Is(this=exp.paren(t.copy()), expression=exp.null())) for t in texts))
        split = function("SPLIT_TO_ARRAY", function("LTRIM", joined, comma.copy()), comma.copy())
        return exp.Case().when(some, split).else_(function("ARRAY"))


class Trino(Dialect):
    """Trino and systems based on it."""

    name = "trino"

    def without_nan(self, node: exp.Nullif) -> exp.Expr:
        """NaN equals nothing here."""
        value = node.this
        return exp.Case().when(exp.Not(this=function("IS_NAN", value.copy())), value.copy())

    def quantile(self, value: exp.Expr, share: exp.Expr) -> exp.Expr:
        """Trino's quantiles are approximate: interpolate between the sorted values instead."""
        known = exp.Where(this=exp.Not(this=exp.Is(this=value.copy(), expression=exp.null())))
        found = exp.Filter(this=function("ARRAY_AGG", value.copy()), expression=known)
        place = exp.cast(function("CARDINALITY", exp.column("v")) - 1, "DOUBLE") * exp.cast(share.copy(), "DOUBLE")
        low = function("ELEMENT_AT", exp.column("v"), exp.cast(exp.Floor(this=place), "BIGINT") + 1)
        high = function("ELEMENT_AT", exp.column("v"), exp.cast(exp.Ceil(this=place.copy()), "BIGINT") + 1)
        between = low + (high - low.copy()) * exp.paren(place.copy() - exp.Floor(this=place.copy()))
        body = exp.Case().when(exp.EQ(this=low.copy(), expression=high.copy()), low.copy()).else_(between)
        # A lambda over a one-item list gives the sorted values a name.
        named = exp.Lambda(this=body, expressions=[exp.to_identifier("v")])
        each = function("TRANSFORM", exp.Array(expressions=[function("ARRAY_SORT", found)]), named)
        return function("ELEMENT_AT", each, exp.Literal.number(1))

    def seconds(self, value: exp.Expr) -> exp.Expr:
        """Timestamps without a time zone are read as UTC; TIME has milliseconds."""
        kind = value.meta.get("type_id", "")
        if kind == "date":
            epoch = exp.cast(exp.Literal.string("1970-01-01"), "DATE")
            return function("DATE_DIFF", exp.Literal.string("day"), epoch, value.copy()) * exp.Literal.number(86_400)
        if family(value) == "time":
            midnight = exp.cast(exp.Literal.string("00:00:00"), "TIME")
            milliseconds = function("DATE_DIFF", exp.Literal.string("millisecond"), midnight, value.copy())
            return exp.cast(milliseconds, "DOUBLE") / exp.Literal.number(1000)
        if kind == "timestamp with time zone":
            return function("TO_UNIXTIME", value.copy())
        return function("TO_UNIXTIME", function("WITH_TIMEZONE", value.copy(), exp.Literal.string("UTC")))

    def without_nulls(self, texts: Sequence[exp.Expr]) -> exp.Expr:
        """An array without its nulls."""
        return _present(texts)

    def failure(self, message: exp.Expr, to: exp.DataType) -> exp.Expr:
        """Trino has FAIL."""
        return exp.cast(function("FAIL", message.copy()), to.copy())


def _counted(node: exp.Filter) -> exp.Count:
    return exp.Count(this=exp.Case().when(node.expression.this.copy(), exp.Literal.number(1)))


def _ratio(micros: exp.Expr) -> exp.Expr:
    return exp.Div(this=exp.cast(micros, "DOUBLE"), expression=_MILLION.copy(), typed=False, safe=False)


def _present(texts: Sequence[exp.Expr]) -> exp.Expr:
    array = exp.Array(expressions=[t.copy() for t in texts])
    reason = exp.to_identifier("reason")
    present = exp.Not(this=exp.Is(this=exp.column("reason"), expression=exp.null()))
    return exp.ArrayFilter(this=array, expression=exp.Lambda(this=present, expressions=[reason]))
