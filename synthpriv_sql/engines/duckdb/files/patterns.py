"""Paths and patterns of files, and the common columns of several files of one pattern."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import duckdb
from sqlglot import exp

from synthpriv_sql.errors import SynthprivWarning, UnknownTable
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.unsaid import VALUE

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_SPECIAL = re.compile(r"[*?\[]")


def is_pattern(value: str) -> bool:
    """Whether a path is a pattern: a file that exists is itself, whatever its name."""
    return _SPECIAL.search(value) is not None and not os.path.isfile(value)


def exactly(path: str) -> str:
    """Return the pattern that matches a file alone."""
    return _SPECIAL.sub(r"[\g<0>]", path)


def is_parquet(value: str) -> bool:
    """Whether a table argument is a pattern of Parquet files."""
    return value.lower().endswith((".parquet", ".parq")) and is_pattern(value)


def parquet(value: str, connection: DuckDBPyConnection) -> exp.Query | None:
    """Return the query that reads all Parquet files of a pattern in types that hold their values, and warn about them.

    It is None if all have the same types: DuckDB takes those of the first.

    Parameters
    ----------
    value
        A text for which `is_parquet` holds.
    connection
        A connection that can read them.

    Raises
    ------
    UnknownTable
        A file lacks a column of another.
    """
    try:
        shapes = connection.execute(catalog.statement("parquet_shapes"), {"pattern": value}).fetchall()
    except duckdb.Error:
        return None  # its name says why
    described = {file: _described(connection, file) for (file,) in shapes} if len(shapes) > 1 else {}
    check_names(value, {file: list(types) for file, types in described.items()})
    differing: dict[str, dict[str, str]] = {}
    for file, types in described.items():
        for name, type_ in types.items():
            differing.setdefault(name.lower(), {}).setdefault(type_, file)
    notes = [
        f'column "{name}" of "{value}" is '
        + ", ".join(f'{type_} in "{file}"' for type_, file in types.items())
        + " and others of its files; it is read in a type that holds all"
        for name, types in differing.items()
        if len(types) > 1
    ]
    for sentence in notes:
        warnings.warn(sentence, SynthprivWarning, stacklevel=2)
    return read("read_parquet", value, {"union_by_name": True}) if notes else None


def check_names(value: str, names: Mapping[str, Sequence[str]], guessed: bool = False) -> None:
    """Raise an error if the files of a pattern have different columns.

    Parameters
    ----------
    value
        The pattern.
    names
        The columns of each file.
    guessed
        Whether the names may be values of a record, and are not shown.
    """
    for first, own in names.items():
        for other, there in names.items():
            lacking = [name for name in own if name.lower() not in {n.lower() for n in there}]
            if lacking:
                listed = VALUE if guessed else ", ".join(f'"{name}"' for name in lacking)
                raise UnknownTable(
                    f'the files of "{value}" have different columns: "{other}" lacks {listed}, which "{first}" has; '
                    "name the files of one kind, or give a query in parentheses that reads them with "
                    "union_by_name = true, which fills in NULL"
                )


def _described(connection: DuckDBPyConnection, file: str) -> dict[str, str]:
    relation = connection.sql(read("read_parquet", exactly(file), {}).sql("duckdb"))
    return {name: str(type_) for name, type_ in zip(relation.columns, relation.types, strict=True)}


def read(function: str, files: str | Sequence[str], options: Mapping[str, Any]) -> exp.Select:
    """Return ``SELECT * FROM function(files, option = …)``, where a text is a pattern, and a mapping a struct."""
    paths = [exp.Literal.string(path) for path in ([files] if isinstance(files, str) else files)]
    source: exp.Expr = paths[0] if len(paths) == 1 else exp.Array(expressions=paths)
    given = [exp.EQ(this=exp.column(name), expression=_option(value)) for name, value in options.items()]
    return exp.select("*").from_(exp.Table(this=exp.Anonymous(this=function, expressions=[source, *given])))


def _option(value: Any) -> exp.Expr:
    if not isinstance(value, Mapping):
        return exp.convert(value)
    pairs = [
        exp.PropertyEQ(this=exp.to_identifier(name, quoted=True), expression=exp.Literal.string(type_))
        for name, type_ in value.items()
    ]
    return exp.Struct(expressions=pairs)
