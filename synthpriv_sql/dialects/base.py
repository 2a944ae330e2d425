"""The base class of dialects: rewrites a syntax tree in DuckDB's dialect into one that another database accepts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, ClassVar
from zlib import crc32

from sqlglot import exp
from sqlglot.errors import ErrorLevel, UnsupportedError
from sqlglot.optimizer.simplify import simplify

from synthpriv_sql.errors import NotInDialect
from synthpriv_sql.planner.columns.nested import ENTRY, Nested
from synthpriv_sql.planner.columns.types import is_nan

IN_PYTHON = {
    "synthpriv_page": "gathers records for the kernel",
    "synthpriv_search": "searches with the kernel",
    "synthpriv_agreement": "searches with the kernel",
    **dict.fromkeys(("synthpriv_uniques", "synthpriv_within"), "counts combinations with the kernel"),
    **dict.fromkeys(
        ("synthpriv_near", "synthpriv_near_copies", "synthpriv_near_records", "synthpriv_phrases"),
        "compares texts with the kernel",
    ),
    "synthpriv_phones": "asks a library about telephone numbers",
    "synthpriv_kernel": "compares densities with the kernel",
    "synthpriv_inference": "trains models of secret columns",
    "synthpriv_learned": "learns what membership looks like",
    "synthpriv_components": "takes principal components",
    "synthpriv_beta_quantile": "takes quantiles of a beta distribution",
    "synthpriv_exchanged": "runs a permutation test",
    **dict.fromkeys(("synthpriv_deviations", "synthpriv_spreads"), "takes the spread of columns with the kernel"),
    **dict.fromkeys(("synthpriv_forest", "synthpriv_detection", "synthpriv_utility"), "grows random forests"),
}
"""The functions that run in Python, inside DuckDB, each with the effect of a call."""


def in_python(name: str) -> str:
    """Explain why a statement that calls one of these functions is not pure SQL."""
    return f"it {IN_PYTHON[name]}, which runs in Python, not in SQL"


TIMES = frozenset({"date", "time", "timestamp"})
_COMPUTES = (exp.AggFunc, exp.Join, exp.SetOperation, exp.Window)
_NUMBERS = exp.DataType.NUMERIC_TYPES


class Dialect:
    """A SQL dialect that statements can be written in.

    A method named after a node class receives a node whose children are already rewritten, and returns its replacement.
    Nodes that sqlglot writes correctly have no method.
    """

    name: ClassVar[str]
    identify: ClassVar[bool] = True
    """Whether every name is quoted."""
    longest_name: ClassVar[int | None] = None
    """The maximum length of a name in bytes; the database truncates longer ones, so that two could become equal."""
    quantiles_are_windows: ClassVar[bool] = False
    """Whether quantiles are window functions only, or a query can contain only one of them."""
    keeps_ctes: ClassVar[bool] = False
    """Whether AS MATERIALIZED and AS NOT MATERIALIZED are supported."""
    copies_ctes: ClassVar[bool] = False
    """Whether a CTE that is read several times is computed each time, unless it is MATERIALIZED."""
    has_lists_of_fields: ClassVar[bool] = False
    """Whether NULL can be cast to a list of structs."""
    fraction_is_double: ClassVar[bool] = False
    """Whether the literal 0.5 is a DOUBLE rather than a DECIMAL."""
    huge: ClassVar[str] = "DECIMAL(38, 0)"
    """The widest integer type that supports sums and products."""

    def write(self, query: exp.Query, pretty: bool = True) -> str:
        """Return the text of a statement.

        Parameters
        ----------
        query
            In DuckDB's dialect; not changed.
        pretty
            Whether to format the text over several lines.

        Raises
        ------
        NotInDialect
            This dialect lacks something that the statement needs.
        """
        tree = self.rewritten(query.copy())
        try:
            return tree.sql(
                self.name, pretty=pretty, identify=self.identify, copy=False, unsupported_level=ErrorLevel.RAISE
            )
        except UnsupportedError as error:
            raise NotInDialect(f"{self.name} cannot run this: {error}") from None

    def rewritten(self, tree: exp.Query) -> exp.Query:
        """Rewrite a tree in place, innermost nodes first."""
        if self.copies_ctes:
            _keep_what_is_read_twice(tree)
        for node in reversed(list(tree.walk())):
            kind = type(node).__name__.lower()
            # A method `exp` would hide the module.
            method: Callable[[Any], exp.Expr] | None = getattr(self, "exponential" if kind == "exp" else kind, None)
            if method is None:
                continue
            new = method(node)
            if new is not node:
                node.replace(new)
        return tree

    def lacks(self, what: str) -> NotInDialect:
        """Return the error for something that this dialect cannot express."""
        return NotInDialect(f"{self.name} cannot run this: {what}")

    # --- names

    def identifier(self, node: exp.Identifier) -> exp.Expr:
        """Shorten a generated name that the database would truncate."""
        longest = self.longest_name
        if longest is not None and len(node.this.encode()) > longest:
            kept = node.this.encode()[: longest - 9].decode(errors="ignore")
            node.set("this", f"{kept}_{crc32(node.this.encode()):08x}")
        return node

    def cte(self, node: exp.CTE) -> exp.Expr:
        """Drop [NOT] MATERIALIZED where it is not supported."""
        if not self.keeps_ctes:
            node.set("materialized", None)
        return node

    # --- nested columns

    def paren(self, node: exp.Paren) -> exp.Expr:
        """Read an entry of a nested column."""
        entry = node.meta.get(ENTRY)
        return node if entry is None else self.entry(entry)

    def entry(self, column: Nested) -> exp.Expr:
        """Read an entry of a nested column; a database has its own functions for JSON."""
        raise self.lacks(
            f'it reads JSON in column "{column.of.name}", which is done in DuckDB, PostgreSQL and Spark only: make '
            "columns of it in a view"
        )

    # --- literals and types

    def literal(self, node: exp.Literal) -> exp.Expr:
        """Cast a literal with a decimal point to DOUBLE, the type of all computations."""
        if self.fraction_is_double or node.is_string or node.is_int or isinstance(node.parent, exp.Cast):
            return node
        return exp.cast(node.copy(), "DOUBLE")

    def datatype(self, node: exp.DataType) -> exp.Expr:
        """Replace 128-bit integers by decimals."""
        if node.this == exp.DataType.Type.INT128:
            return exp.DataType.build(self.huge, dialect=self.name)
        return node

    def cast(self, node: exp.Cast) -> exp.Expr:
        """Cast booleans to numbers through an integer; casts to text differ by dialect, see `as_text`."""
        value, to = node.this, node.to
        if isinstance(value, exp.Anonymous) and value.name.lower() == "error":
            return self.failure(value.expressions[0], to)
        if not self.has_lists_of_fields and isinstance(value, exp.Null) and to.find(exp.ColumnDef) is not None:
            # Few databases have lists of structs; a NULL needs no such type.
            return exp.cast(exp.null(), "VARCHAR")
        if to.this == exp.DataType.Type.ENUM and not self.has_enums:
            text: exp.Expr = value.copy()  # a user-defined type, which a statement cannot name
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
        """Convert text to a number, or to NULL if it is not one."""
        return node

    def dpipe(self, node: exp.DPipe) -> exp.Expr:
        """Cast the operands of a concatenation to text."""
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
        """Functions of DuckDB and of this package that sqlglot does not know."""
        name = node.name.lower()
        if name == "isfinite":
            (value,) = node.expressions
            return self.finite_time(value) if family(value) in TIMES else self.finite(value)
        if name == "epoch_ns":  # other databases have no nanoseconds
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
    """Whether an enumeration type can be written out with its values."""

    def infinity(self) -> exp.Expr:
        """Infinity as a DOUBLE."""
        return exp.cast(exp.Literal.string("Infinity"), "DOUBLE")

    def finite(self, value: exp.Expr) -> exp.Expr:
        """Whether a DOUBLE that is not NaN is finite; NULL for NULL."""
        return exp.LT(this=exp.Abs(this=value), expression=self.infinity())

    def finite_time(self, value: exp.Expr) -> exp.Expr:
        """Whether a date or a timestamp is finite: always, in most databases."""
        return exp.Not(this=exp.Is(this=value, expression=exp.null()))

    def intdiv(self, node: exp.IntDiv) -> exp.Expr:
        """Exact integer division of non-negative numbers of any size."""
        left, right = operand(node.this), operand(node.expression)
        whole = exp.Sub(this=left, expression=exp.paren(exp.Mod(this=left.copy(), expression=right)))
        return exp.cast(exp.Div(this=exp.paren(whole), expression=right.copy(), typed=True), self.huge)

    def ignorenulls(self, node: exp.IgnoreNulls) -> exp.Expr:
        """ANY_VALUE of values that are all equal, as MIN."""
        return exp.Min(this=node.this.this) if isinstance(node.this, exp.AnyValue) else node

    def median(self, node: exp.Median) -> exp.Expr:
        """The quantile at one half."""
        return self.quantile(node.this, exp.Literal.number("0.5"))

    def percentilecont(self, node: exp.PercentileCont) -> exp.Expr:
        """A quantile with linear interpolation."""
        share = node.expression
        return self.quantile(node.this, share.this if isinstance(share, exp.Cast) else share)

    def select(self, node: exp.Select) -> exp.Expr:
        """Compute quantiles that are window functions in a subquery, and take one value per group."""
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
        """The quantile function in front of OVER."""
        raise NotImplementedError

    def quantile(self, value: exp.Expr, share: exp.Expr) -> exp.Expr:
        """The quantile of the values that are not NULL, with linear interpolation, as an aggregate."""
        order = exp.Order(expressions=[exp.Ordered(this=value.copy(), nulls_first=False)])
        return exp.WithinGroup(this=exp.PercentileCont(this=share.copy()), expression=order)

    # --- missing values and text

    def nullif(self, node: exp.Nullif) -> exp.Expr:
        """Turn NaN into NULL; where NaN does not equal itself, NULLIF cannot do that."""
        return self.without_nan(node) if is_nan(node.expression) else node

    def without_nan(self, node: exp.Nullif) -> exp.Expr:
        """``NULLIF(value, NaN)``."""
        return node

    def collate(self, node: exp.Collate) -> exp.Expr:
        """Sort text by its bytes; most databases do so by default."""
        kept: exp.Expr = node.this.copy()
        return kept

    # --- times

    def case(self, node: exp.Case) -> exp.Expr:
        """The seconds of a time. Without infinite times, the branch of the CASE for them is removed."""
        value = node.args["ifs"][0].args.get("true")
        if self.finite_times and value is not None and any(found.meta.get("seconds") for found in value.walk()):
            kept: exp.Expr = value.copy()
            return kept
        return node

    finite_times: ClassVar[bool] = True
    """Whether all dates and timestamps are finite."""

    def extract(self, node: exp.Extract) -> exp.Expr:
        """The seconds since 1970, or since midnight."""
        if node.name.upper() != "EPOCH":
            return node
        seconds = self.seconds(node.expression)
        seconds.meta["seconds"] = True
        return seconds

    def seconds(self, value: exp.Expr) -> exp.Expr:
        """Seconds since 1970 in UTC for a date or timestamp, since midnight for a time; with fractions."""
        return exp.Extract(this=exp.var("EPOCH"), expression=value.copy())

    # --- rows, lists, errors

    def table(self, node: exp.Table) -> exp.Expr:
        """Translate ``generate_series(…) AS places(place)``, which differs by dialect."""
        if isinstance(node.this, exp.GenerateSeries):
            alias = node.args["alias"]
            return self.series(node.this.args["start"], node.this.args["end"], alias.name, alias.columns[0].name)
        return node

    def series(self, first: exp.Expr, last: exp.Expr, table: str, column: str) -> exp.Expr:
        """A table of the integers from first to last; without a suitable function, it is built from decimal digits."""
        ends = [simplify(end.copy()) for end in (first, last)]
        if not all(isinstance(end, exp.Literal) for end in ends):
            raise self.lacks("it has no table of numbers up to an end that is computed")
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
        """A list without its NULLs; other conditions on items have no common translation."""
        if not node.expression.find(exp.Is):
            raise self.lacks("it can only filter NULLs out of lists")
        return self.without_nulls(node.this.expressions)

    def without_nulls(self, texts: Sequence[exp.Expr]) -> exp.Expr:
        """The list of the texts that are not NULL."""
        raise self.lacks("it has no lists of text")

    def failure(self, message: exp.Expr, to: exp.DataType) -> exp.Expr:
        """An expression that makes the statement fail with a message; by default a CAST of the message.

        An empty non-constant text is appended to the message: a constant would be folded, and fail, during planning.
        """
        unknown = exp.Anonymous(this="LEFT", expressions=[exp.cast(exp.Rand(), "VARCHAR"), exp.Literal.number(0)])
        return exp.cast(exp.DPipe(this=message.copy(), expression=unknown, safe=True), to)


def _keep_what_is_read_twice(tree: exp.Query) -> None:
    """Mark the CTEs that compute something and are read more than once as MATERIALIZED."""
    read = Counter(table.name for table in tree.find_all(exp.Table))
    for cte in tree.find_all(exp.CTE):
        if cte.args.get("materialized") is None and read[cte.alias] > 1 and cte.this.find(*_COMPUTES):
            cte.set("materialized", True)


def family(node: exp.Expr) -> str | None:
    """The type family of a user column, see `synthpriv_sql.planner.columns.types.Column.family`."""
    return node.meta.get("family") if isinstance(node, exp.Column) else None


def operand(node: exp.Expr) -> exp.Expr:
    """Return a copy of a node, in parentheses where it could not be the operand of any operator."""
    return exp.paren(node.copy()) if isinstance(node, (exp.Binary, exp.Unary)) else node.copy()


def function(name: str, *arguments: exp.Expr) -> exp.Anonymous:
    """Return a call of a function by its name in this dialect."""
    return exp.Anonymous(this=name, expressions=list(arguments))
