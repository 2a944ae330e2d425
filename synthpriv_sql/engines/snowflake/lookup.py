"""Finding and describing tables in Snowflake, by what the server says of a query that reads all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from synthpriv_sql.dialects.base import function
from synthpriv_sql.engines.remote import adbc
from synthpriv_sql.engines.remote.lookup import Lookup, Order, lacks
from synthpriv_sql.planner.columns.types import Column

if TYPE_CHECKING:
    import pyarrow as pa

_TYPES = {
    "real": "DOUBLE",
    "boolean": "BOOLEAN",
    "date": "DATE",
    "time": "TIME",
    "timestamp_ntz": "TIMESTAMP",
    "timestamp_ltz": "TIMESTAMP WITH TIME ZONE",
    "timestamp_tz": "TIMESTAMP WITH TIME ZONE",
}
_TEXT = "VARCHAR"
_SHAPES = frozenset({"geography", "geometry"})


class SnowflakeLookup(Lookup):
    """Finds tables in Snowflake."""

    dialect = "snowflake"
    has_catalogs = True
    lacks = lacks("Snowflake", "COPY INTO")

    def fold(self, name: str) -> str:
        """Snowflake folds unquoted names to upper case."""
        return name.upper()

    def unknown(self) -> str:
        """The sentence about a name that is no table."""
        return (
            "is not a table or view that Snowflake shows in this schema. Give a name, with its schema or database and "
            "schema if necessary, or a query in parentheses;"
        )

    def one(self, given: exp.Table) -> tuple[exp.Table, Order] | None:
        """Find a table; Snowflake has no order of rows."""
        found = self.there(given)
        return None if found is None else (found, ())

    def there(self, given: exp.Table) -> exp.Table | None:
        """Return a table with its database and schema, if it is there."""
        schema = exp.Literal.string(given.db) if given.db else function("CURRENT_SCHEMA")
        asked = [
            exp.alias_(exp.column(column), name, quoted=True)
            for column, name in (("table_catalog", "database"), ("table_schema", "schema"), ("table_name", "name"))
        ]
        tables = exp.table_("tables", db="information_schema")
        if given.catalog:
            tables.set("catalog", exp.to_identifier(given.catalog, quoted=True))
        query = exp.select(*asked).from_(tables)
        query = query.where(exp.column("table_name").eq(given.name), exp.column("table_schema").eq(schema))
        found = self._connection.rows(query.sql(self.dialect))
        if not found:
            return None
        (row,) = found
        return exp.table_(row["name"], db=row["schema"], catalog=row["database"], quoted=True)

    def described(self, node: exp.Table, order: Order, exact: bool) -> tuple[exp.Table, tuple[Column, ...]]:
        """Describe the columns, and return a query that reads as text what is neither number, text nor time."""
        fields = self.fields(node)
        columns = tuple(_column(field) for field in fields)
        read = [_read(field) for field in fields]
        return self.reading(node, read, {field.name: _declared(field) for field in fields}), columns

    def fields(self, node: exp.Table) -> list[pa.Field]:
        """Return the columns of a table or query with their types."""
        query = exp.select("*").from_(node.copy()).sql(self.dialect)
        return list(self._connection.run(lambda opened: adbc.schema(opened, query)))


def _kind(field: pa.Field) -> str:
    kind: str = (field.metadata or {}).get(b"SNOWFLAKE_TYPE", b"").decode()
    return kind


def _column(field: pa.Field) -> Column:
    type_ = _type(field)
    return Column(field.name, type_, type_.partition("(")[0].lower())


def _type(field: pa.Field) -> str:
    """The DuckDB type of a column."""
    if _kind(field) != "fixed":
        return _TYPES.get(_kind(field), _TEXT)
    precision, scale = field.type.precision, field.type.scale
    if scale > 0:
        return f"DECIMAL({precision}, {scale})"
    return "INTEGER" if precision < 10 else "BIGINT" if precision < 19 else "HUGEINT"


def _declared(field: pa.Field) -> str:
    """The type of a column as a CREATE TABLE has it."""
    kind = _kind(field)
    if kind == "fixed":
        return f"NUMBER({field.type.precision}, {field.type.scale})"
    return {"real": "FLOAT", "text": _TEXT}.get(kind, kind.upper() if kind in _TYPES else _TEXT)


def _read(field: pa.Field) -> exp.Expr:
    value: exp.Expr = exp.column(field.name, quoted=True)
    kind = _kind(field)
    if kind in _TYPES or kind in {"fixed", "text"}:
        return value
    if kind in _SHAPES:
        value = function("ST_ASWKT", value)
    elif kind == "binary":
        value = function("HEX_ENCODE", value)
    elif kind in {"variant", "object", "array"}:
        value = function("TO_JSON", value)
    return exp.alias_(exp.cast(value, "VARCHAR"), field.name, quoted=True)
