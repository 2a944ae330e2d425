"""Finding and describing tables in BigQuery, by their schema, or that of a query that is not run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from sqlglot import exp

from synthpriv_sql.dialects.base import function
from synthpriv_sql.engines.bigquery.driver import BigQueryDriver, Opened
from synthpriv_sql.engines.remote.lookup import Lookup, Order, lacks
from synthpriv_sql.planner.columns.types import Column

_TYPES = {
    "INTEGER": "BIGINT",
    "FLOAT": "DOUBLE",
    "BOOLEAN": "BOOLEAN",
    "DATE": "DATE",
    "TIME": "TIME",
    "DATETIME": "TIMESTAMP",
    "TIMESTAMP": "TIMESTAMP WITH TIME ZONE",
}
_TEXT = "VARCHAR"
_DIGITS = {"NUMERIC": (38, 9), "BIGNUMERIC": (77, 38)}
_MOST_DIGITS = 38
_AS_TEXT = {"BYTES": "TO_HEX", "GEOGRAPHY": "ST_ASTEXT"}
_NESTED = frozenset({"RECORD", "JSON"})
_DECLARED = {"INTEGER": "INT64", "FLOAT": "FLOAT64", "BOOLEAN": "BOOL"}


class BigQueryLookup(Lookup):
    """Finds tables in BigQuery."""

    dialect = "bigquery"
    has_catalogs = True
    lacks = lacks("BigQuery", "LOAD DATA")

    def unknown(self) -> str:
        """The sentence about a name that is no table."""
        return (
            "is not a table or view that BigQuery shows in this dataset. Give a name, with its dataset or project and "
            "dataset if necessary, or a query in parentheses, also for tables by a wildcard;"
        )

    def one(self, given: exp.Table) -> tuple[exp.Table, Order] | None:
        """Find a table; BigQuery has no order of rows."""
        found = self.full(given)
        return None if found is None or self._fields(found) is None else (found, ())

    def full(self, given: exp.Table) -> exp.Table | None:
        """Return a name with its project and dataset, None if it has no dataset and the URL names none."""
        options = self._connection.address.options or {}
        project, _, dataset = options["dataset"].rpartition(".")
        if not (given.db or dataset):
            return None
        catalog = given.catalog or (options["project"] if given.db else project)
        return exp.table_(given.name, db=given.db or dataset, catalog=catalog, quoted=True)

    def described(self, node: exp.Table, order: Order, exact: bool) -> tuple[exp.Table, tuple[Column, ...]]:
        """Describe the columns, and return a query that reads as text what is neither number, text nor time."""
        fields = self._fields(node) if isinstance(node.this, exp.Identifier) else None
        if fields is None:
            query = exp.select("*").from_(node.copy()).sql(self.dialect)
            driver = self._connection.driver
            assert isinstance(driver, BigQueryDriver)
            fields = self._connection.run(lambda opened: driver.schema(opened, query))
        columns = tuple(_column(field) for field in fields)
        read = [_read(field) for field in fields]
        return self.reading(node, read, {field.name: _declared(field) for field in fields}), columns

    def _fields(self, table: exp.Table) -> Sequence[Any] | None:
        """The columns of a table, None if it is not there."""
        parts = [quote(part.name, safe="") for part in table.parts]
        return self._connection.run(lambda opened: _schema(opened, parts))


def _schema(opened: Opened, parts: Sequence[str]) -> Sequence[Any] | None:
    from google.api_core.exceptions import NotFound
    from google.cloud.bigquery import DatasetReference

    project, dataset, name = parts
    try:
        fields: Sequence[Any] = opened.client.get_table(DatasetReference(project, dataset).table(name)).schema
    except NotFound:
        return None
    return fields


def _column(field: Any) -> Column:
    type_ = _type(field)
    return Column(field.name, type_, type_.partition("(")[0].lower())


def _type(field: Any) -> str:
    """The DuckDB type of a column."""
    if field.mode == "REPEATED":
        return _TEXT
    if field.field_type not in _DIGITS:
        return _TYPES.get(field.field_type, _TEXT)
    precision, scale = _digits(field)
    return f"DECIMAL({precision}, {scale})" if precision <= _MOST_DIGITS else "DOUBLE"


def _digits(field: Any) -> tuple[int, int]:
    return (field.precision, field.scale or 0) if field.precision else _DIGITS[field.field_type]


def _declared(field: Any) -> str:
    """The type of a column as a CREATE TABLE has it."""
    kind: str = field.field_type
    if field.mode != "REPEATED" and kind in _DIGITS:
        return f"{kind}({field.precision}, {field.scale or 0})" if field.precision else kind
    return "STRING" if _type(field) == _TEXT else _DECLARED.get(kind, kind)


def _read(field: Any) -> exp.Expr:
    value: exp.Expr = exp.column(field.name, quoted=True)
    kind = field.field_type
    if field.mode == "REPEATED" or kind in _NESTED:
        missing = exp.Is(this=value.copy(), expression=exp.null())
        value = exp.Case().when(exp.Not(this=missing), function("TO_JSON_STRING", value))
    elif kind in _AS_TEXT:
        value = function(_AS_TEXT[kind], value)
    elif kind in _DIGITS and _type(field) == "DOUBLE":
        value = exp.cast(value, "DOUBLE")
    elif kind in _TYPES or kind in _DIGITS or kind == "STRING":
        return value
    else:
        value = exp.cast(value, _TEXT)
    return exp.alias_(value, field.name, quoted=True)
