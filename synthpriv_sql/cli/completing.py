"""Completion of tables, columns and choices in the shell."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.headers.catalog import Parameter


def completer(parameter: Parameter) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]] | None:
    """Return the completion of the values of an option, if there is one."""

    def offer(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        if parameter.choices:
            return starting(parameter.choices, incomplete)
        if parameter.type == "relation":
            # Shells list the tables together with files.
            return [
                CompletionItem(incomplete, type="file"),
                *starting(_tables(ctx.params.get("database")), incomplete),
            ]
        before, comma, last = incomplete.rpartition(",")
        given = [ctx.params[p.name] for p in _relations(ctx) if ctx.params.get(p.name)]
        columns = _columns(ctx.params.get("database"), given[0]) if given else []
        return [CompletionItem(before + comma + item.value) for item in starting(columns, last)]

    return offer if parameter.choices or parameter.type in {"relation", "name", "names"} else None


def starting(values: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """Return the values that begin with what is typed."""
    return [CompletionItem(value) for value in values if value.startswith(incomplete)]


def _relations(ctx: click.Context) -> tuple[Parameter, ...]:
    name = (ctx.info_name or "").replace("-", "_")
    called = catalog.functions().get("evaluate" if name == "report" else name)
    return called.relations if called else ()


def _tables(database: str | None) -> list[str]:
    """The tables of a DuckDB database."""

    def query(connection: Any) -> list[str]:
        return [name for (name,) in connection.execute(catalog.statement("tables_and_views")).fetchall()]

    return _query(database, query)


def _columns(database: str | None, table: str) -> list[str]:
    """The columns of a table or a file; of a CSV file, those of its first line."""
    path = Path(table)
    if not path.is_file():
        return _query(database, lambda connection: connection.table(table).columns)
    if path.suffix == ".csv":
        with suppress(OSError, UnicodeDecodeError, csv.Error), path.open(encoding="utf-8", newline="") as lines:
            return next(csv.reader(lines), [])
    reader = "read_parquet" if path.suffix == ".parquet" else "read_json"
    return _query(None, lambda connection: getattr(connection, reader)(table).columns)


def _query(database: str | None, query: Callable[[Any], list[str]]) -> list[str]:
    """Query a database; empty on errors, because shell completion must not show any."""
    import duckdb

    with suppress(duckdb.Error, OSError), duckdb.connect(database or ":memory:", read_only=database is not None) as c:
        return query(c)
    return []
