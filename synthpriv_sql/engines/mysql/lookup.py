"""Finding and describing tables in MySQL and MariaDB, by what the server says of a query for no rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlglot import exp

from synthpriv_sql.dialects.base import function
from synthpriv_sql.engines.remote.lookup import Lookup, Order, lacks
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers import catalog

# Types by their numbers in the protocol; those of text and bytes are told apart by their character set.
_BIG, _DECIMAL = 8, frozenset({0, 246})
_OF_CODE = {
    **dict.fromkeys((1, 2, 3, _BIG, 9, 13, 16), "BIGINT"),  # 13: YEAR, 16: BIT
    **dict.fromkeys((4, 5), "DOUBLE"),
    7: "TIMESTAMP WITH TIME ZONE",
    10: "DATE",
    11: "TIME",
    12: "TIMESTAMP",
    245: "JSON",
    255: "BLOB",  # shapes
}
_READ_AS = {"bigint": "SIGNED", "hugeint": "DECIMAL(20, 0)", "double": "DOUBLE", "time": "TIME(6)"}
_UNSIGNED, _BYTES, _MOST_DIGITS = 32, 63, 38


class MySQLLookup(Lookup):
    """Finds tables in MySQL or MariaDB."""

    dialect = "mysql"
    lacks = lacks("MySQL", "LOAD DATA")

    def unknown(self) -> str:
        """The sentence about a name that is no table."""
        return (
            "is not a table or view that the server shows in this database. Give a name, with its database if "
            "necessary, or a query in parentheses;"
        )

    def one(self, given: exp.Table) -> tuple[exp.Table, Order] | None:
        """Find a table; its rows are numbered in the order of its primary key."""
        found = self._connection.rows(catalog.statement("mysql_relation"), [given.name, given.db or None, given.name])
        if not found:
            return None
        (row,) = found
        node = exp.table_(row["name"], db=row["schema_name"], quoted=True)
        key = self._connection.rows(catalog.statement("mysql_key"), [node.db, node.name])
        return node, tuple(exp.column(column["name"], quoted=True) for column in key)

    def described(self, node: exp.Table, order: Order, exact: bool) -> tuple[exp.Table, tuple[Column, ...]]:
        """Describe the columns, and return a query that reads them in types that compare as DuckDB's."""
        query = exp.select("*").from_(node.copy()).limit(0).sql("mysql")
        fields = self._connection.run(lambda opened: _fields(opened, query))
        small = [f.name for f in fields if f.type_code == 1 and f.length == 1]
        truths = self._truths(node, small)
        columns = tuple(_column(field, field.name in truths) for field in fields)
        collation = "utf8mb4_nopad_bin" if getattr(self._connection.driver, "mariadb", True) else "utf8mb4_0900_bin"
        read = [
            exp.alias_(_read(column, field, collation), column.name, quoted=True)
            for column, field in zip(columns, fields, strict=True)
        ]
        told: list[dict[str, Any]] = []
        if isinstance(node.this, exp.Identifier):
            told = self._connection.rows(catalog.statement("mysql_columns"), [node.db, node.name])
        return self.reading(node, read, {row["name"]: _declared(row) for row in told}), columns

    def _truths(self, node: exp.Table, names: Sequence[str]) -> set[str]:
        """Which columns of TINYINT(1), as BOOLEAN is called, hold 0 and 1 only."""
        if not names:
            return set()
        asked = [
            exp.alias_(exp.Max(this=exp.column(name, quoted=True).isin(0, 1, copy=False).not_()), f"other_{i}")
            for i, name in enumerate(names)
        ]
        (row,) = self._connection.rows(exp.select(*asked).from_(node.copy()).sql("mysql"))
        return {name for i, name in enumerate(names) if not row[f"other_{i}"]}


def _fields(opened: Any, query: str) -> Sequence[Any]:
    with opened.cursor() as cursor:
        cursor.execute(query)
        # What DB-API's description leaves out: whether a number is unsigned, and whether a text is one of bytes.
        return list(cursor._result.fields)


def _declared(row: Mapping[str, Any]) -> str:
    """The type of a column as a CREATE TABLE has it."""
    told: str = row["type"]
    if row["characters"]:
        told += f" CHARACTER SET {row['characters']} COLLATE {row['collation_used']}"
    return told


def _column(field: Any, truth: bool) -> Column:
    type_ = "BOOLEAN" if truth else _type(field, bool(field.flags & _UNSIGNED))
    # What has no distance is read as text.
    read_as = "VARCHAR" if type_ in {"JSON", "BLOB"} else ""
    return Column(field.name, type_, type_.partition("(")[0].lower(), read_as=read_as)


def _type(field: Any, unsigned: bool) -> str:
    """The DuckDB type of a column."""
    code = field.type_code
    if code == _BIG and unsigned:
        return "HUGEINT"
    if code in _DECIMAL:
        digits = field.length - (not unsigned) - (field.scale > 0)
        return f"DECIMAL({digits}, {field.scale})" if digits <= _MOST_DIGITS else "DOUBLE"
    if code in _OF_CODE:
        return _OF_CODE[code]
    return "BLOB" if field.charsetnr == _BYTES else "VARCHAR"


def _read(column: Column, field: Any, collation: str) -> exp.Expr:
    """How a column is read, so that values are equal where those of DuckDB are."""
    value: exp.Expr = exp.column(column.name, quoted=True)
    if column.type_id == "blob":
        return function("HEX", value)
    if column.type_id in {"varchar", "json"}:
        converted = function("CONVERT", exp.Var(this=f"{value.sql('mysql')} USING utf8mb4"))
        return exp.Collate(this=converted, expression=exp.var(collation))
    kind = "DATETIME(6)" if column.family == "timestamp" else _READ_AS.get(column.type_id)
    return exp.Cast(this=value, to=exp.DataType(this=exp.DataType.Type.USERDEFINED, kind=kind)) if kind else value
