"""Columns as a database describes them: which types have a distance, and which values each type holds."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlglot import exp

_FAMILIES = {
    "integer": "tinyint smallint integer bigint hugeint utinyint usmallint uinteger ubigint uhugeint",
    "decimal": "decimal",
    "float": "float double",
    "boolean": "boolean",
    "date": "date",
    "time": "time|time with time zone|time_ns",
    "timestamp": "timestamp timestamp_s timestamp_ms timestamp_ns timestamptz_ns|timestamp with time zone",
    "text": "varchar",
    "enum": "enum",
    "uuid": "uuid",
    "null": "null",
}
_FAMILY_OF = {
    type_id: family
    for family, listed in _FAMILIES.items()
    for group in listed.split("|")
    for type_id in ([group] if " with " in group else group.split())
}
ROLE_OF = {
    "integer": "numeric",
    "decimal": "numeric",
    "float": "numeric",
    "date": "temporal",
    "time": "temporal",
    "timestamp": "temporal",
    "boolean": "categorical",
    "text": "categorical",
    "enum": "categorical",
    "uuid": "categorical",
    "null": "categorical",
    "vector": "vector",
}


EXACT = frozenset({"integer", "decimal", "date", "time", "timestamp", "null"})
"""Families whose values are whole multiples of a unit."""
TEXTS = frozenset({"text", "enum", "uuid"})
"""Families whose values are text."""
NANOSECONDS = frozenset({"timestamp_ns", "timestamptz_ns", "time_ns"})
_WITH_ZONE = frozenset({"timestamp with time zone", "timestamptz_ns", "time with time zone"})
ZONED = "TIMESTAMP WITH TIME ZONE"
OFFSET = r":[0-9]{2}.*([Zz]|[+-][0-9]{2}(:?[0-9]{2})?)\s*$"
"""The regular expression of a text with a time of day and its offset from UTC."""
_VECTOR = re.compile(r"(FLOAT|DOUBLE|U?(?:TINY|SMALL|BIG|HUGE)INT|U?INTEGER|DECIMAL\(\d+, *\d+\))\[(\d*)\]")
"""Lists and arrays of numbers, in DuckDB's names: vectors."""
VECTOR_ELSEWHERE = re.compile(r"array<(float|double)>|(real|double precision)\[\]|vector\(\d+\)", re.IGNORECASE)
_DECIMAL_PRECISION = re.compile(r"DECIMAL\((\d+), *(\d+)\)", re.IGNORECASE)
_WHOLE_DIGITS = {
    **dict.fromkeys(("tinyint", "utinyint"), 3),
    **dict.fromkeys(("smallint", "usmallint"), 5),
    **dict.fromkeys(("integer", "uinteger"), 10),
    "bigint": 19,
    "ubigint": 20,
}
_DECIMAL = re.compile(r"DECIMAL\(\d+, *(\d+)\)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Column:
    """A column as the database describes it."""

    name: str
    type: str
    type_id: str
    nan: bool = False
    """Whether it may hold NaN although it is not a float, as a numeric of PostgreSQL may."""
    read_as: str = ""
    """The type that it is cast to when it is read, if a statement cannot use its own type."""
    inside: str = ""
    """Its name inside the statement that computes it, if that is not the name in brackets."""
    loose: bool = False
    """Whether equal numbers may have different texts, 1.1 and 1.10, as in a numeric of PostgreSQL without a scale."""

    by_characters: bool = False
    """Whether its texts have to be told to be compared by their characters, as the database would not by itself."""

    @property
    def held(self) -> str:
        """Its type in a statement, in DuckDB's name."""
        return self.read_as or self.type

    @property
    def family(self) -> str | None:
        """The family of its type; None if no distance is defined for it."""
        return "vector" if _VECTOR.fullmatch(self.type) else _FAMILY_OF.get(self.type_id)

    @property
    def is_number(self) -> bool:
        """Whether its type is numeric or NULL."""
        return self.family == "null" or ROLE_OF.get(str(self.family)) == "numeric"

    @property
    def length(self) -> int | None:
        """The length of its vectors, if its type declares it."""
        vector = _VECTOR.fullmatch(self.type)
        return int(vector[2]) if vector and vector[2] else None

    @property
    def digits(self) -> int:
        """The number of decimal places of its values; those of seconds for times."""
        if self.family == "decimal":
            declared = _DECIMAL.fullmatch(self.held)
            return int(declared[1]) if declared else 0
        return 6 if self.family in {"time", "timestamp"} else 0

    @property
    def whole_digits(self) -> int:
        """The maximum number of digits before the decimal point, for whole and decimal numbers."""
        if self.family == "decimal":
            declared = _DECIMAL_PRECISION.fullmatch(self.held)
            return int(declared[1]) - int(declared[2]) if declared else 38
        return _WHOLE_DIGITS.get(self.type_id, 39)

    @property
    def node(self) -> exp.Column:
        """The column in a statement, quoted; its metadata has the type, which other dialects need."""
        column = exp.column(exp.to_identifier(self.name, quoted=True))
        column.meta.update(family=self.family, type_id=self.type_id)
        return column

    @property
    def read(self) -> exp.Expr:
        """How it is read from the user's relation; moments without an offset are in UTC."""
        if self.by_characters and not self.read_as:
            value: exp.Expr = exp.Collate(this=self.node, expression=exp.to_identifier("C", quoted=True))
            return exp.alias_(value, self.name, quoted=True)
        if not self.read_as:
            return self.node
        value = exp.cast(self.node, duckdb_type(self.read_as))
        if self.read_as == ZONED:
            has_zone = exp.Anonymous(this="regexp_matches", expressions=[self.node, exp.Literal.string(OFFSET)])
            moment = exp.AtTimeZone(this=exp.cast(self.node, "TIMESTAMP"), zone=exp.Literal.string("UTC"))
            value = exp.Case().when(has_zone, value).else_(moment)
        return exp.alias_(value, self.name, quoted=True)

    def text(self) -> exp.Expr:
        """Return the value as the database formats it, independent of the time zone of the session."""
        return exp.cast(self.instant, "VARCHAR")

    def raw(self) -> exp.Expr:
        """Return the value as it is, NaN as NULL, a time of day with a zone in UTC."""
        return without_nan(self, self.instant if self.family == "time" else self.node)

    @property
    def has_zone(self) -> bool:
        """Whether its values have an offset from UTC."""
        return self.type_id in _WITH_ZONE

    @property
    def instant(self) -> exp.Expr:
        """The value in UTC and without a zone, if its type has one: what values of types without one are."""
        if not self.has_zone:
            return self.node
        utc = exp.AtTimeZone(this=self.node, zone=exp.Literal.string("UTC"))
        return exp.cast(utc, "TIME") if self.family == "time" else utc


class AsText(Column):
    """A column of a type for which no distance is defined: its values are equal where their texts are."""

    __slots__ = ()

    @property
    def node(self) -> exp.Expr:  # type: ignore[override]
        """Its text in a statement."""
        column = exp.column(exp.to_identifier(self.name, quoted=True))
        return exp.cast(column, "VARCHAR")


class Hashed(AsText):
    """A column of bytes, which may be pictures: they are equal where their hashes are."""

    __slots__ = ()

    @property
    def node(self) -> exp.Expr:  # type: ignore[override]
        """The hash of its text in a statement."""
        return exp.MD5(this=super().node)


_BYTES = {"BLOB", "BYTEA", "BINARY", "VARBINARY"}


def as_text(column: Column) -> Column:
    """Return a column as it is if values of its type can be compared, otherwise as text."""
    if column.family:
        return column
    return (Hashed if column.type.upper() in _BYTES else AsText)(column.name, "VARCHAR", "varchar")


def duckdb_type(text: str) -> exp.DataType:
    """Return a type in DuckDB's name as a node, also if the parser does not know it, as TIMESTAMPTZ_NS."""
    return exp.DataType.build(text, dialect="duckdb", udt=True)


def without_nan(column: Column, value: exp.Expr, text: bool = False) -> exp.Expr:
    """Return the value with NaN as NULL: both are missing values."""
    if column.family != "float" and not column.nan and not text:
        return value
    return exp.Nullif(this=value, expression=exp.cast(exp.Literal.string("NaN"), "DOUBLE"))


def is_nan(node: exp.Expr) -> bool:
    """Whether a node is the literal NaN."""
    return isinstance(node, exp.Cast) and node.this.is_string and bool(node.this.this == "NaN")
