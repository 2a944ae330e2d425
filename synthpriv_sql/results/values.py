"""Columns of results as Python values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb
from sqlglot import exp

if TYPE_CHECKING:
    import pyarrow as pa

_NOT_IN_PYTHON = (OverflowError, ValueError)
"""Errors of Arrow for a date before the year 1 or after 9999, or an infinite one."""


def python_values(column: pa.ChunkedArray, type_: str = "") -> list[Any]:
    """Return a column as Python values; dates and times that Python lacks are text, as DuckDB writes them.

    Arrow has no 128-bit integers, so they are transferred as decimals of scale 0.

    Parameters
    ----------
    column
        The column.
    type_
        Its DuckDB type.
    """
    try:
        values: list[Any] = column.to_pylist()
    except _NOT_IN_PYTHON:
        values = [_value(cell, text) for cell, text in zip(column, _texts(column), strict=True)]
    return [None if v is None else int(v) for v in values] if type_ == "HUGEINT" else values


def _value(cell: pa.Scalar, text: str | None) -> Any:
    try:
        return cell.as_py()
    except _NOT_IN_PYTHON:
        return text


def _texts(column: pa.ChunkedArray) -> list[str | None]:
    """The values as DuckDB writes them; moments with a time zone in UTC."""
    import pyarrow as pa

    zone = getattr(column.type, "tz", None)
    if zone is not None:
        column = column.cast(pa.timestamp(column.type.unit))
    texts = exp.select(exp.cast(exp.column("given"), "VARCHAR")).from_("rows")
    with duckdb.connect() as connection:
        connection.register("rows", pa.table({"given": column}))
        found = [text for (text,) in connection.execute(texts.sql("duckdb")).fetchall()]
    return found if zone is None else [text and f"{text}+00" for text in found]
