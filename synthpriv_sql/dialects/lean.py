"""Databases with fewer functions: what is not on their list they lack, so that no statement is wrong in silence."""

from __future__ import annotations

from typing import ClassVar

from sqlglot import exp

from synthpriv_sql.dialects.base import Dialect, family, function, operand

_NEVER = (exp.Array, exp.Bracket, exp.Explode, exp.IgnoreNulls, exp.Lambda, exp.Lateral, exp.Struct, exp.Unnest)
_PLAIN: frozenset[type[exp.Expr]] = frozenset(
    {
        *(exp.Abs, exp.And, exp.Avg, exp.Case, exp.Cast, exp.Ceil, exp.Coalesce, exp.Count, exp.DenseRank, exp.Exp),
        *(exp.FirstValue, exp.Floor, exp.If, exp.Lag, exp.LastValue, exp.Lead, exp.Ln, exp.Max, exp.Min),
        *(exp.NthValue, exp.Nullif, exp.Or, exp.Pow, exp.Rank, exp.Replace, exp.Round, exp.RowNumber, exp.Sign),
        *(exp.Sqrt, exp.Sum, exp.Trim),
    }
)


class Lean(Dialect):
    """A dialect whose functions are listed; see `synthpriv_sql.engines.remote` for what becomes of the rest."""

    functions: ClassVar[frozenset[type[exp.Expr]]] = _PLAIN
    """The functions that give the same as DuckDB's, as classes of sqlglot."""
    fraction_is_double = True

    def rewritten(self, tree: exp.Query) -> exp.Query:
        """Rewrite a tree, and refuse what is left of functions that the database has not, or computes otherwise."""
        tree = super().rewritten(tree)
        for node in tree.walk():
            known = not isinstance(node, exp.Func) or isinstance(node, exp.Anonymous) or type(node) in self.functions
            if isinstance(node, _NEVER) or not known:
                raise self.lacks(f"it has no {node.key.upper()} as DuckDB has it")
        return tree

    def anonymous(self, node: exp.Anonymous) -> exp.Expr:
        """Functions of DuckDB that sqlglot does not know."""
        found = super().anonymous(node)
        if found is node and node.name.lower() != "error":
            raise self.lacks(f"it has no {node.name.upper()}")
        return found

    def cast(self, node: exp.Cast) -> exp.Expr:
        """Casts to times, and from expressions to them, are not those of DuckDB."""
        error = isinstance(node.this, exp.Anonymous) and node.this.name.lower() == "error"
        if not error and node.to.this in exp.DataType.TEMPORAL_TYPES:
            raise self.lacks("it does not cast to times as DuckDB does")
        if node.this.is_string and node.this.name in {"Infinity", "-Infinity"}:
            infinite = self.infinity()
            return exp.Neg(this=infinite) if node.this.name.startswith("-") else infinite
        return super().cast(node)

    def trycast(self, node: exp.TryCast) -> exp.Expr:
        """No database of these has a cast that gives NULL for what is no number."""
        raise self.lacks("it cannot tell whether a text is a number")

    def as_text(self, node: exp.Cast) -> exp.Expr:
        """Only texts, whole numbers, truth values and dates have the same text everywhere."""
        value = node.this
        kind = family(value)
        if kind == "boolean":
            words = exp.Case().when(value.copy(), exp.Literal.string("true"))
            return words.when(exp.Not(this=value.copy()), exp.Literal.string("false"))
        if kind in {"time", "timestamp"}:
            return self.time_as_text(value)
        # A sum is a DOUBLE that is compared as a category.
        if kind in {"float", "decimal"} or isinstance(value, exp.Add):
            raise self.lacks("it writes numbers with a fraction in another way")
        return node

    def time_as_text(self, value: exp.Expr) -> exp.Expr:
        """The text of a time or timestamp, in UTC, as DuckDB writes it."""
        raise self.lacks("it writes times in another way")

    def attimezone(self, node: exp.AtTimeZone) -> exp.Expr:
        """Moments are in UTC when they are read."""
        kept: exp.Expr = node.this.copy()
        return kept

    def without_nan(self, node: exp.Nullif) -> exp.Expr:
        """There is no NaN."""
        kept: exp.Expr = node.this.copy()
        return kept

    def collate(self, node: exp.Collate) -> exp.Expr:
        """Texts are told to be compared by their bytes when they are read."""
        kept: exp.Expr = node.this.copy()
        return kept

    def ignorenulls(self, node: exp.IgnoreNulls) -> exp.Expr:
        """ANY_VALUE of values that are all equal, as MIN."""
        return exp.Min(this=node.this.this) if isinstance(node.this, exp.AnyValue) else node

    def anyvalue(self, node: exp.AnyValue) -> exp.Expr:
        """One of values that are all equal."""
        return node if isinstance(node.parent, exp.IgnoreNulls) else exp.Min(this=node.this.copy())

    def round(self, node: exp.Round) -> exp.Expr:
        """To whole numbers only: to digits, the last one may differ."""
        digits = node.args.get("decimals")
        if digits is not None and digits.name != "0":
            raise self.lacks("it may round the last digit otherwise")
        return node

    def quantile(self, value: exp.Expr, share: exp.Expr) -> exp.Expr:
        """There are none as aggregates."""
        raise self.lacks("it has no quantiles")

    def greatest(self, node: exp.Greatest) -> exp.Expr:
        """The largest of the values that are not NULL, where the function is NULL beside a NULL."""
        return self._extreme(node, self.largest)

    def least(self, node: exp.Least) -> exp.Expr:
        """See `greatest`."""
        return self._extreme(node, self.smallest)

    largest: ClassVar[str] = "GREATEST"
    smallest: ClassVar[str] = "LEAST"

    def _extreme(self, node: exp.Greatest | exp.Least, name: str) -> exp.Expr:
        found: exp.Expr = node.this
        others: list[exp.Expr] = node.expressions
        if not others or len(others) > 3:  # each value doubles the text
            raise self.lacks("it has no largest of a list, or of so many values beside NULL")
        for value in others:
            both = function(name, found.copy(), value.copy())
            found = exp.Coalesce(this=both, expressions=[found.copy(), value.copy()])
        return found

    def bitwisexor(self, node: exp.BitwiseXor) -> exp.Expr:
        """By the operators that all have."""
        left, right = operand(node.this), operand(node.expression)
        either = exp.paren(exp.BitwiseOr(this=left, expression=right))
        both = exp.paren(exp.BitwiseAnd(this=left.copy(), expression=right.copy()))
        return exp.paren(exp.Sub(this=either, expression=both))
