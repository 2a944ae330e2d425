"""The text of a statement for DuckDB: what a setting of the caller would decide otherwise is written out."""

from __future__ import annotations

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.generators.duckdb import DuckDBGenerator


class SynthprivDuckDB(DuckDB):
    """DuckDB's SQL, whatever ``default_order`` and ``default_null_order`` the caller has set."""

    class Generator(DuckDBGenerator):
        """Writes the direction of each sort, and where missing values come."""

        def ordered_sql(self, expression: exp.Ordered) -> str:
            """Write one key of a sort."""
            direction = "DESC" if expression.args.get("desc") else "ASC"
            nulls = "FIRST" if expression.args.get("nulls_first") else "LAST"
            return f"{self.sql(expression, 'this')} {direction} NULLS {nulls}"

        def order_sql(self, expression: exp.Order, flat: bool = False) -> str:
            """Write a sort; a key may be given without a direction."""
            keys = [key if isinstance(key, exp.Ordered) else exp.Ordered(this=key) for key in expression.expressions]
            expression.set("expressions", keys)
            return str(super().order_sql(expression, flat))


def duckdb_text(tree: exp.Expr, pretty: bool = False) -> str:
    """Return the text of a statement, whose tree may be changed by that."""
    return tree.sql(SynthprivDuckDB, pretty=pretty, normalize_functions=False, copy=False)
