"""Writing a result into a table of BigQuery, which appears whole or not at all."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from sqlglot import exp

from synthpriv_sql.engines.bigquery.lookup import BigQueryLookup
from synthpriv_sql.engines.remote.batches import BatchWriter

# The type that a column of a DuckDB type is declared with, by the beginning of that type.
_TYPES = {
    "BOOLEAN": "BOOL",
    "DATE": "DATE",
    "TIMESTAMP WITH TIME ZONE": "TIMESTAMP",
    "TIMESTAMP": "DATETIME",
    "TIME": "TIME",
    "DOUBLE": "FLOAT64",
    "FLOAT": "FLOAT64",
    "DECIMAL": "DECIMAL",
    **dict.fromkeys(("TINYINT", "SMALLINT", "INTEGER", "BIGINT"), "INT64"),
    "HUGEINT": "BIGNUMERIC(38, 0)",
    "": "STRING",
}
_DECIMAL = re.compile(r"DECIMAL\((\d+), ?(\d+)\)")
_FRACTION, _WHOLE = 9, 29
"""The most digits of a NUMERIC after and before the point."""


class BigQueryWriter(BatchWriter):
    """Writes into BigQuery: rows go into another table first, and from there into the table by one statement."""

    dialect = "bigquery"
    form = "it is no name of a table in BigQuery: a name, dataset.name or project.dataset.name, in its quoting"
    lookup: BigQueryLookup
    types = _TYPES

    def target(self, named: exp.Table) -> exp.Table:
        """Return the table that a name means."""
        found = self.lookup.full(named)
        return super().target(named) if found is None else found

    def columns_written(self) -> list[exp.ColumnDef]:
        """Decimals of more digits than a NUMERIC has are BIGNUMERIC."""
        columns = super().columns_written()
        for column in columns:
            digits = _DECIMAL.fullmatch(column.args["kind"].args["kind"])
            if digits and (int(digits[2]) > _FRACTION or int(digits[1]) - int(digits[2]) > _WHOLE):
                column.args["kind"].set("kind", f"BIGNUMERIC({digits[1]}, {digits[2]})")
        return columns

    def made(self, target: exp.Table) -> exp.Expr:
        """The table with its columns: by a query alone they would lose their digits."""
        return exp.Schema(this=target.copy(), expressions=self.columns_written())

    def literal(self, value: Any, kind: exp.DataType) -> exp.Expr:
        """Decimals, and integers in such a column, are texts that are cast: a literal with a point is a FLOAT64."""
        exact = str(kind.args["kind"]).startswith(("BIGNUMERIC", "DECIMAL", "NUMERIC"))
        if exact and isinstance(value, int | Decimal):
            return exp.Cast(this=exp.Literal.string(format(value, "f")), to=kind.copy())
        return super().literal(value, kind)
