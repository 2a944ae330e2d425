"""Drivers whose rows are Python values (DB-API 2.0): read in chunks, as Arrow."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Any

import pyarrow as pa

from synthpriv_sql.engines.remote.driver import Reader

_CELLS = 200_000
"""The number of values in a chunk."""
_TEXT = pa.string()
_DAY = datetime.timedelta(days=1)
_ARROW = {
    "DATE": pa.date32(),
    "DOUBLE": pa.float64(),
    "FLOAT": pa.float64(),
    "BOOLEAN": pa.bool_(),
    "HUGEINT": pa.decimal128(38, 0),
    "TIMESTAMP": pa.timestamp("us"),
    "TIMESTAMP WITH TIME ZONE": pa.timestamp("us", "UTC"),
    "TIME": pa.time64("us"),
    **dict.fromkeys(("TINYINT", "SMALLINT", "INTEGER", "BIGINT"), pa.int64()),
}
_WHOLE = frozenset({"HUGEINT", "TINYINT", "SMALLINT", "INTEGER", "BIGINT"})


def ask(cursor: Any, sql: str, parameters: Sequence[Any] | None) -> list[dict[str, Any]]:
    """Return the few rows of a statement as dicts, and close the cursor."""
    try:
        cursor.execute(sql, *([] if parameters is None else [tuple(parameters)]))
        if cursor.description is None:
            return []
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    finally:
        cursor.close()


def start(cursor: Any, sql: str, types: Sequence[str]) -> Reader:
    """Start a query whose rows are fetched in chunks."""
    try:
        cursor.execute(sql)
    except BaseException:
        cursor.close()
        raise
    size = max(_CELLS // max(len(types), 1), 1)

    def following() -> pa.RecordBatch | None:
        rows = cursor.fetchmany(size)
        if not rows:
            return None
        columns = zip(*rows, strict=True)
        arrays = [arrow(values, type_) for values, type_ in zip(columns, types, strict=True)]
        return pa.record_batch(arrays, [f"column_{i}" for i in range(len(arrays))])

    return Reader(following, cursor.close)


def arrow(values: Sequence[Any], type_: str) -> pa.Array:
    """Return Python values as Arrow that DuckDB casts to a type; values of other types are converted."""
    target = _ARROW.get(type_, _TEXT)
    try:
        return pa.array(values, target)
    except (pa.ArrowException, TypeError, ValueError):
        convert: Callable[[Any], Any] = str
        if type_ in _WHOLE:
            convert = int
        elif target is not _TEXT and not pa.types.is_temporal(target):
            convert = bool if type_ == "BOOLEAN" else float
        else:
            target, convert = _TEXT, _text
        return pa.array([None if value is None else convert(value) for value in values], target)


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    # Times of day come as the time since midnight.
    if isinstance(value, datetime.timedelta) and value // _DAY == 0:
        return (datetime.datetime.min + value).time().isoformat()
    return str(value)


def values(table: pa.Table, convert: Callable[[Any], Any]) -> Iterator[list[tuple[Any, ...]]]:
    """Yield the rows of a table in chunks, as Python values that a driver takes."""
    for batch in table.to_batches(max_chunksize=max(_CELLS // max(table.num_columns, 1), 1)):
        columns = [[convert(value) for value in column.to_pylist()] for column in batch.columns]
        yield list(zip(*columns, strict=True))


def plain(value: Any) -> Any:
    """A value as any driver takes it: lists as JSON."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


def as_number(value: Any) -> Any:
    """A DECIMAL as a DOUBLE."""
    return float(value) if isinstance(value, Decimal) else value
