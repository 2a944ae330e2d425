"""Finding and describing tables in ClickHouse, by what the server says of a query that reads all."""

from __future__ import annotations

import re

from sqlglot import exp

from synthpriv_sql.engines.remote.lookup import Lookup, Order, lacks
from synthpriv_sql.planner.columns.types import Column

_WRAPPED = re.compile(r"(?:Nullable|LowCardinality)\((.*)\)", re.DOTALL)
_DECIMAL = re.compile(r"Decimal(?:32|64|128|256)?\((\d+), (\d+)\)")
_MOST_DIGITS = 38
# ClickHouse type → DuckDB type, and what it is read as.
_TYPES = {
    "Int8": ("TINYINT", "Int8"),
    "Int16": ("SMALLINT", "Int16"),
    "Int32": ("INTEGER", "Int32"),
    "Int64": ("BIGINT", "Int64"),
    "UInt8": ("SMALLINT", "Int16"),
    "UInt16": ("INTEGER", "Int32"),
    "UInt32": ("BIGINT", "Int64"),
    "UInt64": ("HUGEINT", "Int128"),
    "Int128": ("HUGEINT", "Int128"),
    "Float32": ("FLOAT", "Float32"),
    "Float64": ("DOUBLE", "Float64"),
    "Bool": ("BOOLEAN", "Bool"),
    "Date": ("DATE", "Date32"),
    "Date32": ("DATE", "Date32"),
}
_TEXT = ("VARCHAR", "String")


class ClickHouseLookup(Lookup):
    """Finds tables in ClickHouse."""

    dialect = "clickhouse"
    lacks = lacks("ClickHouse", "INSERT … FROM INFILE")

    def unknown(self) -> str:
        """The sentence about a name that is no table."""
        return (
            "is not a table or view that ClickHouse shows in this database. Give a name, with its database if "
            "necessary, or a query in parentheses;"
        )

    def one(self, given: exp.Table) -> tuple[exp.Table, Order] | None:
        """Find a table; ClickHouse has no order of rows."""
        found = self.there(given)
        return None if found is None else (found, ())

    def there(self, given: exp.Table) -> exp.Table | None:
        """Return a table with its database, if it is there."""
        database = exp.Literal.string(given.db) if given.db else exp.Anonymous(this="currentDatabase")
        query = exp.select("database", "name").from_(exp.table_("tables", db="system"))
        query = query.where(exp.column("name").eq(exp.Literal.string(given.name)), exp.column("database").eq(database))
        found = self._connection.rows(query.sql("clickhouse"))
        return exp.table_(found[0]["name"], db=found[0]["database"], quoted=True) if found else None

    def described(self, node: exp.Table, order: Order, exact: bool) -> tuple[exp.Table, tuple[Column, ...]]:
        """Describe the columns, and return a query that reads them in types that compare as DuckDB's."""
        declared = self.columns(node)
        columns, read = [], []
        for name, type_ in declared.items():
            held, as_ = _read(type_)
            columns.append(Column(name, held, held.partition("(")[0].lower()))
            kind = exp.DataType(this=exp.DataType.Type.USERDEFINED, kind=f"Nullable({as_})", nullable=False)
            value: exp.Expr = exp.column(name, table="given", quoted=True)
            if as_ == "String":  # bytes and enums are no text for a CAST to Nullable
                value = exp.Anonymous(this="toString", expressions=[value])
            read.append(exp.alias_(exp.Cast(this=value, to=kind), name, quoted=True))
        source = exp.alias_(node.copy(), "given", table=True)
        assert isinstance(source, exp.Table)
        return self.reading(source, read, declared), tuple(columns)

    def columns(self, node: exp.Table) -> dict[str, str]:
        """Return the columns of a table or query with their types."""
        query = exp.select("*").from_(node.copy()).subquery()
        sql = exp.Command(this="DESCRIBE TABLE", expression=query.sql("clickhouse")).sql("clickhouse")
        return {row["name"]: row["type"] for row in self._connection.rows(sql)}


def _read(type_: str) -> tuple[str, str]:
    """The DuckDB type of a column, and the type of ClickHouse that it is read as."""
    while (wrapped := _WRAPPED.fullmatch(type_)) is not None:
        type_ = wrapped[1]
    if type_ in _TYPES:
        return _TYPES[type_]
    decimal = _DECIMAL.fullmatch(type_)
    if decimal is not None:
        digits = f"({decimal[1]}, {decimal[2]})"
        fits = int(decimal[1]) <= _MOST_DIGITS
        return (f"DECIMAL{digits}", f"Decimal{digits}") if fits else ("DOUBLE", "Float64")
    if type_.startswith("DateTime"):
        zoned = "'" in type_
        return ("TIMESTAMP WITH TIME ZONE", "DateTime64(6, 'UTC')") if zoned else ("TIMESTAMP", "DateTime64(6)")
    return ("TIME", "Time64(6)") if type_.startswith("Time") else _TEXT
