"""Finding and describing the tables that a call names, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from synthpriv_sql.engines.remote import adbc
from synthpriv_sql.engines.remote.connection import Connection
from synthpriv_sql.engines.remote.lookup import Lookup, Order, lacks
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers import catalog

if TYPE_CHECKING:
    import pyarrow as pa

_MOST_DIGITS = 38  # of a DECIMAL in DuckDB
# PostgreSQL type → DuckDB type. All other types are read as text.
_TYPES = {
    "int2": "smallint",
    "int4": "integer",
    "int8": "bigint",
    "float4": "float",
    "float8": "double",
    "bool": "boolean",
    "date": "date",
    "time": "time",
    "timestamp": "timestamp",
    "timestamptz": "timestamp with time zone",
    "text": "varchar",
    "varchar": "varchar",
    "uuid": "uuid",
}
_TEXTS = {"bpchar", "name"}
"""Text types that treat trailing blanks or the length differently."""


class PostgresLookup(Lookup):
    """Finds tables in PostgreSQL."""

    dialect = "postgres"
    lacks = lacks("PostgreSQL", "COPY")

    def fold(self, name: str) -> str:
        """PostgreSQL folds unquoted names to lower case."""
        return name.lower()

    def unknown(self) -> str:
        """The sentence about a name that is no table."""
        return (
            "is not a table or view that PostgreSQL finds (in the search path, if no schema is named). Give a name, "
            "with its schema if necessary, or a query in parentheses;"
        )

    def named(self, readings: Sequence[str]) -> tuple[exp.Table, Order] | None:
        """Find a table; its rows are numbered by their physical positions."""
        given = (list(readings) * 3)[:3] if len(readings) < 3 else list(readings)
        found = self._connection.rows(catalog.statement("postgres_relation"), given)
        if not found:
            return None
        (row,) = found
        node = exp.table_(row["name"], db=row["schema"], quoted=True)
        if not row["has_places"]:
            return node, ()
        places = ["tableoid", "ctid"] if row["has_members"] else ["ctid"]
        return node, tuple(exp.column(place) for place in places)

    def described(self, node: exp.Table, order: Order, exact: bool) -> tuple[exp.Table, tuple[Column, ...]]:
        """Describe columns by what the driver says of a query that reads all."""
        query = exp.select("*").from_(node).sql(self.dialect)
        schema = self._connection.run(lambda opened: adbc.schema(opened, query))
        types = {i: field.metadata[b"POSTGRESQL:type"].decode() for i, field in enumerate(schema)}
        unknown = [schema.field(i) for i, name in types.items() if name not in _TYPES | _NUMERIC]
        kinds = self.kinds(node, unknown)
        measured = [
            field.name
            for i, field in enumerate(schema)
            if types[i] == "numeric" and (exact or _declared(field) is None)
        ]
        digits = self.digits(node, measured)
        return node, tuple(_column(field, types[i], kinds, digits, exact) for i, field in enumerate(schema))

    def kinds(self, node: exp.Table, fields: Sequence[pa.Field]) -> Mapping[str, tuple[str, str]]:
        """Return the names of types that are read as text, and the kind of each (``e``: an enum)."""
        return _kinds(self._connection, node, fields)

    def digits(self, node: exp.Table, names: Sequence[str]) -> Mapping[str, Digits]:
        """Scan the numeric columns whose declaration does not determine the digits."""
        return _digits(self._connection, node, names)


# --- columns


@dataclass(frozen=True, slots=True)
class Digits:
    """The values of a numeric column: the most digits before and after the point, and whether NaN or Infinity occur."""

    whole: int
    scale: int
    special: bool


_NUMERIC = {"numeric": "decimal"}


def _column(
    field: pa.Field, type_: str, kinds: Mapping[str, tuple[str, str]], digits: Mapping[str, Digits], exact: bool
) -> Column:
    if type_ == "numeric":
        type_in_duckdb = _decimal(field, digits.get(field.name), exact)
        return Column(field.name, type_in_duckdb, "decimal", nan=True, loose=_declared(field) is None)
    known = _TYPES.get(type_)
    if known is not None:
        return Column(field.name, known.upper(), known)
    name, kind = kinds[field.name]
    family = "varchar" if type_ in _TEXTS else "enum" if kind == "e" else "other"
    return Column(field.name, name, family, read_as="VARCHAR")


def _decimal(field: pa.Field, held: Digits | None, exact: bool) -> str:
    """The DuckDB type for a numeric: a DECIMAL that holds all of its values, or else text."""
    declared = _declared(field)
    if held is None:
        if declared is None:  # and nothing was scanned
            return "DOUBLE"
        precision, scale = declared
    elif held.special and exact:
        return "VARCHAR"
    elif declared is not None:
        precision, scale = declared
    else:
        precision, scale = held.whole + held.scale, held.scale
    return f"DECIMAL({max(precision, 1)}, {scale})" if precision <= _MOST_DIGITS else "VARCHAR"


def _declared(field: pa.Field) -> tuple[int, int] | None:
    """The declared precision and scale of a numeric, if DuckDB supports them."""
    modifier = int(field.metadata.get(b"POSTGRESQL:typmod", b"-1")) - 4
    precision, scale = modifier >> 16 & 0xFFFF, modifier & 0x7FF
    # A scale (11 bits) may be negative or exceed the precision: such columns are measured instead.
    return (precision, scale) if modifier >= 0 and scale <= precision else None


def _kinds(connection: Connection, node: exp.Table, fields: Sequence[pa.Field]) -> Mapping[str, tuple[str, str]]:
    """The names of unknown types, and the kind of each (``e``: an enum)."""
    if not fields:
        return {}
    asked: list[exp.Expr] = []
    for i, field in enumerate(fields):
        type_ = exp.Anonymous(this="pg_typeof", expressions=[exp.column(field.name, table="given", quoted=True)])
        kind = exp.select("typtype").from_("pg_catalog.pg_type").where(exp.column("oid").eq(type_.copy())).subquery()
        asked += [exp.alias_(exp.cast(type_, "TEXT"), f"name_{i}"), exp.alias_(exp.cast(kind, "TEXT"), f"kind_{i}")]
    # One row in any case; the table is not read.
    one = exp.select("1").subquery("one")
    given = exp.alias_(node.copy(), "given", table=True)
    query = exp.select(*asked).from_(one).join(given, on=exp.false(), join_type="left")
    (row,) = connection.rows(query.sql("postgres"))
    return {field.name: (row[f"name_{i}"], _kind_of(row[f"kind_{i}"], field)) for i, field in enumerate(fields)}


def _kind_of(kind: str, field: pa.Field) -> str:
    """A domain (``d``) over an enum is an enum too; for others the driver reports the underlying type."""
    import pyarrow as pa

    return "e" if kind == "e" or (kind == "d" and pa.types.is_string(field.type)) else kind


def _digits(connection: Connection, node: exp.Table, names: Sequence[str]) -> Mapping[str, Digits]:
    """Scan the numeric columns whose declaration does not determine the digits."""
    if not names:
        return {}
    asked: list[exp.Expr] = []
    for i, name in enumerate(names):
        value = exp.column(name, quoted=True)
        special = exp.cast(value.copy(), "TEXT").isin("NaN", "Infinity", "-Infinity")
        whole = exp.Length(this=exp.cast(exp.Trunc(this=exp.Abs(this=value.copy())), "TEXT"))
        finite = exp.Case().when(exp.not_(special.copy()), whole)
        scale = exp.Anonymous(this="scale", expressions=[value.copy()])
        asked += [
            exp.alias_(exp.Max(this=finite), f"whole_{i}"),
            exp.alias_(exp.Max(this=scale), f"scale_{i}"),
            exp.alias_(exp.LogicalOr(this=special), f"special_{i}"),
        ]
    (row,) = connection.rows(exp.select(*asked).from_(node.copy()).sql("postgres"))
    return {
        name: Digits(row[f"whole_{i}"] or 0, row[f"scale_{i}"] or 0, bool(row[f"special_{i}"]))
        for i, name in enumerate(names)
    }
