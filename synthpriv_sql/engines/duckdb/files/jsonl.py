"""Reading JSON files with DuckDB in types that hold all values, and dates as they are written."""

from __future__ import annotations

import glob
import os
import re
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import duckdb
from sqlglot import exp

from synthpriv_sql.engines.duckdb.files import lossless, patterns
from synthpriv_sql.errors import SynthprivWarning
from synthpriv_sql.planner.headers import wording

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_NAMED = re.compile(r"[^(].*\.(json|jsonl|ndjson)(\.(gz|zst))?", re.IGNORECASE | re.DOTALL)
_DATED = frozenset({"DATE", "TIMESTAMP"})
_LEAST = 8 * 20_480
"""The least bytes of as many records as DuckDB chooses types by."""
_NOT_OF = {
    **dict.fromkeys(lossless.WHOLE, ("DOUBLE", "BOOLEAN")),
    "DOUBLE": ("BOOLEAN",),
    "BOOLEAN": ("DOUBLE", "BIGINT", "UBIGINT"),
}
"""The kinds of JSON values that a type would change."""
_Found = tuple[exp.Query | None, tuple[str, ...]]
_LOOKED: dict[tuple[Any, ...], _Found] = {}


def is_file(value: str) -> bool:
    """Whether a table argument is a local JSON file, or a pattern of such files."""
    return _NAMED.fullmatch(value) is not None and bool(_paths(value))


def query(value: str, connection: DuckDBPyConnection) -> exp.Query | None:
    """Return the query that reads a file, and warn about oddities; None if DuckDB reads it by its name alone.

    Parameters
    ----------
    value
        A text for which `is_file` holds.
    connection
        A connection that can read it.
    """
    stats = [os.stat(path) for path in _paths(value)]
    key = (value, *((s.st_mtime_ns, s.st_size) for s in stats))
    if key not in _LOOKED:
        if len(_LOOKED) > 1_000:
            _LOOKED.clear()
        _LOOKED[key] = _looked_at(value, sum(s.st_size for s in stats), connection)
    rows, notes = _LOOKED[key]
    for sentence in notes:
        warnings.warn(sentence, SynthprivWarning, stacklevel=2)
    return rows


def _paths(value: str) -> list[str]:
    return [value] if os.path.isfile(value) else sorted(glob.glob(value, recursive=True))


def _looked_at(value: str, size: int, connection: DuckDBPyConnection) -> _Found:
    options: dict[str, Any] = {"maximum_sample_files": 2**31} if patterns.is_pattern(value) else {}
    types = _types(value, options, connection)
    conditions = {name: found for name, type_ in types.items() if (found := _changes(name, type_, size)) is not None}
    changed: list[str] = []
    if conditions:
        texts = _read(value, {**options, "columns": dict.fromkeys(conditions, "JSON")})
        asked = exp.select(*(exp.func("bool_or", condition) for condition in conditions.values()))
        (answers,) = connection.sql(asked.from_(texts.subquery("texts")).sql("duckdb")).fetchall()
        changed = [name for name, answer in zip(conditions, answers, strict=True) if answer]
    dated = [name for name in changed if types[name] in _DATED]
    if len(dated) < len(changed):
        options["sample_size"] = -1
        types = _types(value, options, connection)
    if dated:
        options["columns"] = {**types, **dict.fromkeys(dated, "VARCHAR")}
    notes = tuple(
        f'column "{name}" of "{value}" is compared as text, although its values look like dates, because JSON writes '
        f"dates as 2024-12-31 and no option says which number is the day; strptime in a query in parentheses reads "
        f"them, or {wording.given('exclude', [name])}"
        for name in dated
    )
    exact = patterns.is_pattern(value) or patterns.exactly(value) == value
    return (None if exact and not options else _read(value, options)), notes


def _types(value: str, options: Mapping[str, Any], connection: DuckDBPyConnection) -> dict[str, str]:
    try:
        relation = connection.sql(_read(value, options).sql("duckdb"))
    except duckdb.Error:
        return {}  # the lookup of its name says why
    return {name: str(type_) for name, type_ in zip(relation.columns, relation.types, strict=True)}


def _changes(name: str, type_: str, size: int) -> exp.Expr | None:
    """The condition under which a value is not what the type of its column makes of it; None if there is none."""
    column = exp.column(name, quoted=True)
    if type_ in _DATED:
        text = exp.cast(column, "VARCHAR")
        iso = exp.Anonymous(this="regexp_matches", expressions=[text, exp.Literal.string(r'^"?\s*[-+]?\d{4,}-')])
        return exp.not_(iso)
    if type_ in _NOT_OF and size >= _LEAST:
        kind = exp.Anonymous(this="json_type", expressions=[column])
        return kind.isin(*(exp.Literal.string(other) for other in _NOT_OF[type_]))
    return None


def _read(value: str, options: Mapping[str, Any]) -> exp.Select:
    path = value if patterns.is_pattern(value) else patterns.exactly(value)
    return patterns.read("read_json", path, options)
