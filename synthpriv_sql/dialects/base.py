"""What all dialects share: how a tree in DuckDB's dialect becomes one that another database understands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, ClassVar
from zlib import crc32

from sqlglot import exp
from sqlglot.errors import ErrorLevel, UnsupportedError
from sqlglot.optimizer.simplify import simplify

from synthpriv_sql.errors import NotInDialect
from synthpriv_sql.planner.columns.types import is_nan

IN_PYTHON = {
    "synthpriv_page": "gathers records for the kernel",
    "synthpriv_search": "searches with the kernel",
    "synthpriv_agreement": "searches with the kernel",
    "synthpriv_uniques": "counts combinations with the kernel",
    "synthpriv_learned": "learns what membership looks like",
    "synthpriv_components": "takes principal components",
    "synthpriv_beta_quantile": "takes quantiles of a beta distribution",
    "synthpriv_exchanged": "exchanges labels by lot",
    **dict.fromkeys(("synthpriv_deviations", "synthpriv_spreads"), "takes the spread of columns with the kernel"),
    **dict.fromkeys(("synthpriv_forest", "synthpriv_detection", "synthpriv_utility"), "grows random forests"),
}
"""Our functions that run in Python, where DuckDB is, and what a statement does with each."""


def in_python(name: str) -> str:
    """Say why a statement that calls one of our functions is not SQL alone."""
    return f"it {IN_PYTHON[name]}, which runs in Python, not in SQL"


TIMES = frozenset({"date", "time", "timestamp"})
_COMPUTES = (exp.AggFunc, exp.Join, exp.SetOperation, exp.Window)
_NUMBERS = exp.DataType.NUMERIC_TYPES


class Dialect:
    """A dialect of SQL, as a writer of statements of ours.

    The methods named after nodes of the tree get a node whose parts are rewritten already, and return what stands in
    its place. What sqlglot writes right by itself has no method.
    """

    name: ClassVar[str]
    identify: ClassVar[bool] = True
    """Whether every name is quoted."""
    longest_name: ClassVar[int | None] = None
    """The most bytes of a name; longer ones would be cut short, and two of them might become one."""
    quantiles_are_windows: ClassVar[bool] = False
    """Whether a quantile is a window function, or several of them cannot stand beside each other."""
    keeps_ctes: ClassVar[bool] = False
    """Whether AS MATERIALIZED and AS NOT MATERIALIZED are understood."""
    copies_ctes: ClassVar[bool] = False
    """Whether a CTE that several places read is computed for each, unless it is said to be kept."""
    has_lists_of_fields: ClassVar[bool] = False
    """Whether a NULL may be a list of several fields."""
    fraction_is_double: ClassVar[bool] = False
    """Whether 0.5 is a DOUBLE and no DECIMAL."""
    huge: ClassVar[str] = "DECIMAL(38, 0)"
    """The widest integers that can be added up and multiplied."""

    def write(self, query: exp.Query, pretty: bool = True) -> str:
        """Return the text of a statement.

        Parameters
        ----------
        query
            In DuckDB's dialect; not changed.
        pretty
            Whether the text is broken into lines.

        Raises
        ------
        NotInDialect
            The statement needs what this dialect does not have.
        """
        tree = self.rewritten(query.copy())
        try:
            return tree.sql(
                self.name, pretty=pretty, identify=self.identify, copy=False, unsupported_level=ErrorLevel.RAISE
            )
        except UnsupportedError as error:
            raise NotInDialect(f"{self.name} cannot run this: {error}") from None

    def rewritten(self, tree: exp.Query) -> exp.Query:
        """Change a tree in place, innermost nodes first."""
        if self.copies_ctes:
            _keep_what_is_read_twice(tree)
        for node in reversed(list(tree.walk())):
            method: Callable[[Any], exp.Expr] | None = getattr(self, type(node).__name__.lower(), None)
            if method is None:
                continue
            new = method(node)
            if new is not node:
                node.replace(new)
        return tree

    def lacks(self, what: str) -> NotInDialect:
        """The error that something cannot be said in this dialect."""
        return NotInDialect(f"{self.name} cannot run this: {what}")

    # --- names

    def identifier(self, node: exp.Identifier) -> exp.Expr:
        """Shorten a name of ours that the database would cut."""
        longest = self.longest_name
        if longest is not None and len(node.this.encode()) > longest:
            kept = node.this.encode()[: longest - 9].decode(errors="ignore")
            node.set("this", f"{kept}_{crc32(node.this.encode()):08x}")
        return node

    def cte(self, node: exp.CTE) -> exp.Expr:
        """Leave out whether it is kept, where that cannot be said."""
        if not self.keeps_ctes:
            node.set("materialized", None)
        return node

    # --- literals and types

    def literal(self, node: exp.Literal) -> exp.Expr:
        """A number with a point is a DOUBLE, as all that we compute with."""
        if self.fraction_is_double or node.is_string or node.is_int or isinstance(node.parent, exp.Cast):
            return node
        return exp.cast(node.copy(), "DOUBLE")

    def datatype(self, node: exp.DataType) -> exp.Expr:
        """Integers of 128 bits are decimals elsewhere."""
        if node.this == exp.DataType.Type.INT128:
            return exp.DataType.build(self.huge, dialect=self.name)
        return node

    def cast(self, node: exp.Cast) -> exp.Expr:
        """Booleans become numbers by way of an integer; what is no number has a text of its own."""
        value, to = node.this, node.to
        if isinstance(value, exp.Anonymous) and value.name.lower() == "error":
            return self.failure(value.expressions[0], to)
        if not self.has_lists_of_fields and isinstance(value, exp.Null) and to.find(exp.ColumnDef) is not None:
            # Few databases have lists of several fields, and none of them is needed to say that there is nothing.
            return exp.cast(exp.null(), "VARCHAR")
        if to.this == exp.DataType.Type.ENUM and not self.has_enums:
            text: exp.Expr = value.copy()  # a type of the user's own, which a statement cannot name
            return text
        if family(value) == "boolean" and to.this in _NUMBERS and to.this != exp.DataType.Type.INT:
            node.set("this", exp.cast(value.copy(), "INT"))
        elif to.this in exp.DataType.TEXT_TYPES:
            return self.as_text(node)
        return node

    def as_text(self, node: exp.Cast) -> exp.Expr:
        """A CAST to VARCHAR."""
        return node

    def trycast(self, node: exp.TryCast) -> exp.Expr:
        """A text as a number, NULL where it is none."""
        return node

    def dpipe(self, node: exp.DPipe) -> exp.Expr:
        """Texts are put together of texts."""
        for side in ("this", "expression"):
            part = node.args[side]
            if not (isinstance(part, (exp.DPipe, exp.Cast, exp.Paren)) or part.is_string):
                node.set(side, exp.cast(part.copy(), "VARCHAR"))
        return node

    # --- numbers

    def isinf(self, node: exp.IsInf) -> exp.Expr:
        """Whether a DOUBLE is infinite."""
        return exp.EQ(this=exp.Abs(this=node.this), expression=self.infinity())

    def anonymous(self, node: exp.Anonymous) -> exp.Expr:
        """Functions of DuckDB, and of ours, that sqlglot does not know."""
        name = node.name.lower()
        if name == "isfinite":
            (value,) = node.expressions
            return self.finite_time(value) if family(value) in TIMES else self.finite(value)
        if name == "epoch_ns":  # no other database counts them
            seconds = exp.cast(self.seconds(node.expressions[0]), "DOUBLE")
            seconds.meta["seconds"] = True
            micros = exp.Round(this=exp.Mul(this=seconds, expression=exp.Literal.number(1_000_000)))
            return exp.Mul(this=exp.cast(micros, "BIGINT"), expression=exp.Literal.number(1000))
        if name == "error" and not isinstance(node.parent, exp.Cast):
            raise TypeError("a file of sql/ has an error() without a CAST to a type")
        if name.startswith("synthpriv_"):
            raise self.lacks(in_python(name))
        return node

    has_enums: ClassVar[bool] = False
    """Whether the values of an enumeration are a type that can be written out."""

    def infinity(self) -> exp.Expr:
        """The DOUBLE that is larger than any other."""
        return exp.cast(exp.Literal.string("Infinity"), "DOUBLE")

    def finite(self, value: exp.Expr) -> exp.Expr:
        """Whether a DOUBLE, never NaN, is finite; NULL for NULL."""
        return exp.LT(this=exp.Abs(this=value), expression=self.infinity())

    def finite_time(self, value: exp.Expr) -> exp.Expr:
        """Whether a date or a timestamp is finite: always, in most databases."""
        return exp.Not(this=exp.Is(this=value, expression=exp.null()))

    def intdiv(self, node: exp.IntDiv) -> exp.Expr:
        """Whole-number division of what is not negative, without rounding for any size."""
        left, right = operand(node.this), operand(node.expression)
        whole = exp.Sub(this=left, expression=exp.paren(exp.Mod(this=left.copy(), expression=right)))
        return exp.cast(exp.Div(this=exp.paren(whole), expression=right.copy(), typed=True), self.huge)

    def ignorenulls(self, node: exp.IgnoreNulls) -> exp.Expr:
        """Any value of equal ones: the least."""
        return exp.Min(this=node.this.this) if isinstance(node.this, exp.AnyValue) else node

    def median(self, node: exp.Median) -> exp.Expr:
        """The quantile at one half."""
        return self.quantile(node.this, exp.Literal.number("0.5"))

    def percentilecont(self, node: exp.PercentileCont) -> exp.Expr:
        """A quantile, with linear interpolation."""
        share = node.expression
        return self.quantile(node.this, share.this if isinstance(share, exp.Cast) else share)

    def select(self, node: exp.Select) -> exp.Expr:
        """Take quantiles as windows over the rows, where they are no aggregates, and one value of each group."""
        if not self.quantiles_are_windows:
            return node
        quantiles = [
            q for p in node.expressions for q in p.find_all(exp.PercentileCont) if not q.find_ancestor(exp.Window)
        ]
        if quantiles:
            self._take_quantiles_first(node, quantiles)
        return node

    def _take_quantiles_first(self, select: exp.Select, quantiles: Sequence[exp.PercentileCont]) -> None:
        source = select.args["from_"].this
        group = select.args.get("group")
        named = isinstance(source, exp.Table)
        rows = exp.alias_(exp.to_table(source.name), source.alias_or_name, table=True) if named else source.copy()
        taken = exp.select("*").from_(rows)
        where = select.args.pop("where", None)
        if where is not None:
            taken.set("where", where)
        for place, quantile in enumerate(quantiles):
            name = f"quantile_{place}"
            ordered = self.windowed(quantile)
            over = exp.Window(this=ordered, partition_by=[key.copy() for key in group.expressions] if group else None)
            taken = taken.select(exp.alias_(over, name))
            whole = quantile.parent if isinstance(quantile.parent, exp.WithinGroup) else quantile
            whole.replace(exp.Max(this=exp.column(name, table=source.alias_or_name)))
        source.replace(taken.subquery(source.alias_or_name))

    def windowed(self, quantile: exp.PercentileCont) -> exp.Expr:
        """The quantile before OVER."""
        raise NotImplementedError

    def quantile(self, value: exp.Expr, share: exp.Expr) -> exp.Expr:
        """An aggregate: the quantile of the values that are not NULL, interpolated between neighbors."""
        order = exp.Order(expressions=[exp.Ordered(this=value.copy(), nulls_first=False)])
        return exp.WithinGroup(this=exp.PercentileCont(this=share.copy()), expression=order)

    # --- missing values and text

    def nullif(self, node: exp.Nullif) -> exp.Expr:
        """NaN as NULL, where NaN is not equal to itself, is asked in another way."""
        return self.without_nan(node) if is_nan(node.expression) else node

    def without_nan(self, node: exp.Nullif) -> exp.Expr:
        """``NULLIF(value, NaN)``."""
        return node

    def collate(self, node: exp.Collate) -> exp.Expr:
        """The order of bytes, which is that of text unless somebody says otherwise."""
        kept: exp.Expr = node.this.copy()
        return kept

    # --- times

    def case(self, node: exp.Case) -> exp.Expr:
        """The seconds of a time, infinite where the time is: without that branch where no time is infinite."""
        value = node.args["ifs"][0].args.get("true")
        if self.finite_times and value is not None and any(found.meta.get("seconds") for found in value.walk()):
            kept: exp.Expr = value.copy()
            return kept
        return node

    finite_times: ClassVar[bool] = True
    """Whether there are no infinite dates and timestamps."""

    def extract(self, node: exp.Extract) -> exp.Expr:
        """The seconds since 1970, or since midnight."""
        if node.name.upper() != "EPOCH":
            return node
        seconds = self.seconds(node.expression)
        seconds.meta["seconds"] = True
        return seconds

    def seconds(self, value: exp.Expr) -> exp.Expr:
        """Seconds since 1970 in UTC of a date or timestamp, since midnight of a time; with fractions."""
        return exp.Extract(this=exp.var("EPOCH"), expression=value.copy())

    # --- rows, lists, errors

    def table(self, node: exp.Table) -> exp.Expr:
        """``generate_series(…) AS places(place)`` is a table of its own kind."""
        if isinstance(node.this, exp.GenerateSeries):
            alias = node.args["alias"]
            return self.series(node.this.args["start"], node.this.args["end"], alias.name, alias.columns[0].name)
        return node

    def series(self, first: exp.Expr, last: exp.Expr, table: str, column: str) -> exp.Expr:
        """A table of the integers from first to last: of their digits, where there is no function that all can read."""
        ends = [simplify(end.copy()) for end in (first, last)]
        if not all(isinstance(end, exp.Literal) for end in ends):
            raise self.lacks("it has no table of numbers whose end is not known beforehand")
        start, stop = (int(end.name) for end in ends)
        rows: exp.Query = exp.select(exp.alias_(exp.Literal.number(0), "digit"))
        for following in range(1, 10):
            rows = exp.union(rows, exp.select(exp.Literal.number(following)), distinct=False, copy=False)
        number: exp.Expr | None = None
        query = exp.select()
        for place in range(len(str(stop - start))):
            source = rows.copy().subquery(f"digits_{place}")
            query = query.join(source, join_type="cross") if place else query.from_(source)
            digit = exp.column("digit", table=f"digits_{place}")
            value = digit * exp.Literal.number(10**place) if place else digit
            number = value if number is None else number + value
        assert number is not None
        number = number + exp.Literal.number(start) if start else number
        return query.select(exp.alias_(number, column)).where(number <= stop).subquery(table)

    def arrayfilter(self, node: exp.ArrayFilter) -> exp.Expr:
        """A list without its NULLs; of other conditions on items, none is known to be written alike."""
        if not node.expression.find(exp.Is):
            raise self.lacks("it filters lists by their NULLs only")
        return self.without_nulls(node.this.expressions)

    def without_nulls(self, texts: Sequence[exp.Expr]) -> exp.Expr:
        """The list of the texts that are not NULL."""
        raise self.lacks("it has no lists of text")

    def failure(self, message: exp.Expr, to: exp.DataType) -> exp.Expr:
        """What stops the statement with a message: where nothing else does, a CAST of the message that fails.

        The message ends with nothing that is known beforehand, or a planner would compute it, and fail, at once.
        """
        unknown = exp.Anonymous(this="LEFT", expressions=[exp.cast(exp.Rand(), "VARCHAR"), exp.Literal.number(0)])
        return exp.cast(exp.DPipe(this=message.copy(), expression=unknown, safe=True), to)


def _keep_what_is_read_twice(tree: exp.Query) -> None:
    """Mark the CTEs that compute something and are read by several places."""
    read = Counter(table.name for table in tree.find_all(exp.Table))
    for cte in tree.find_all(exp.CTE):
        if cte.args.get("materialized") is None and read[cte.alias] > 1 and cte.this.find(*_COMPUTES):
            cte.set("materialized", True)


def family(node: exp.Expr) -> str | None:
    """What kind of type a column of the user's has, as `synthpriv_sql.planner.columns.types.Column.family` says."""
    return node.meta.get("family") if isinstance(node, exp.Column) else None


def operand(node: exp.Expr) -> exp.Expr:
    """A copy of a node that can be the operand of any operator."""
    return exp.paren(node.copy()) if isinstance(node, (exp.Binary, exp.Unary)) else node.copy()


def function(name: str, *arguments: exp.Expr) -> exp.Anonymous:
    """A call of a function by the name that this dialect has for it."""
    return exp.Anonymous(this=name, expressions=list(arguments))
