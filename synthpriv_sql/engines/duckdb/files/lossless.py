"""Values of CSV files that the type of their column would change: DuckDB chooses types by the first lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import duckdb
from sqlglot import exp

WHOLE = frozenset({"BIGINT", "HUGEINT", "INTEGER", "SMALLINT", "TINYINT", "UBIGINT", "UHUGEINT"})
_SNIFFED = 20_480
"""The number of lines by which DuckDB chooses types, unless an option says otherwise."""
_OFFSET = r"(Z|z|[+-]\d\d(:?\d\d)?| ?UTC)$"
_HAS_ZONE = re.compile(rf"\d.*:\d.*{_OFFSET}")


def late(
    connection: duckdb.DuckDBPyConnection,
    texts: Callable[[Sequence[str]], exp.Select],
    types: Mapping[str, str],
    size: int,
    reading: Mapping[str, Any],
) -> bool:
    """Whether a value below the lines by which types were chosen would lose a part of it.

    Parameters
    ----------
    connection
        The connection that reads the file.
    texts
        Returns the query that reads columns as text.
    types
        The type of each column.
    size
        The size of the file in bytes.
    reading
        The options to read it.
    """
    lines = reading.get("sample", _SNIFFED)
    if lines < 0 or size < 2 * min(lines, _SNIFFED):
        return False
    asked = {
        name: condition for name, type_ in types.items() if (condition := _loses(name, type_, reading)) is not None
    }
    if not asked:
        return False
    found = exp.select(exp.func("bool_or", exp.or_(*asked.values()))).from_(texts(list(asked)).subquery("texts"))
    ((lost,),) = connection.sql(found.sql("duckdb")).fetchall()
    return bool(lost)


def _loses(name: str, type_: str, reading: Mapping[str, Any]) -> exp.Expr | None:
    """The condition under which a type loses a part of a text; None if there is none."""
    text = exp.column(name, quoted=True)
    if type_ in WHOLE:
        return exp.Anonymous(this="contains", expressions=[text, exp.Literal.string(reading.get("decimal", "."))])
    if type_ == "DATE":
        return exp.Anonymous(this="contains", expressions=[text, exp.Literal.string(":")])
    if type_ == "TIMESTAMP":
        return exp.Anonymous(this="regexp_matches", expressions=[text, exp.Literal.string(r":\d\d.*" + _OFFSET)])
    return None


def has_no_zone(text: str | None) -> bool:
    """Whether a text is a moment without an offset from UTC."""
    return text is not None and _HAS_ZONE.search(text.strip()) is None


def in_utc(name: str) -> exp.Expr:
    """Return the expression that reads a text column as moments, in UTC where they have no offset."""
    text = exp.column(name, quoted=True)
    has_zone = exp.Anonymous(
        this="regexp_matches", expressions=[exp.func("trim", text), exp.Literal.string(r"\d.*:\d.*" + _OFFSET)]
    )
    zoned = exp.cast(text.copy(), "TIMESTAMPTZ")
    local = exp.AtTimeZone(this=exp.cast(text.copy(), "TIMESTAMP"), zone=exp.Literal.string("UTC"))
    return exp.alias_(exp.Case().when(has_zone, zoned).else_(local), name, quoted=True)
