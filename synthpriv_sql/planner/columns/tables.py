"""Relations: the tables, files, queries and objects that a call names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sqlglot import exp

from synthpriv_sql.errors import UnknownColumn, without_secrets
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.unsaid import VALUE


def label(value: str) -> str:
    """The name of a table in messages: its name, quoted if it is not quoted yet, or the query."""
    shown = without_secrets(value)
    if value.lstrip().startswith("("):
        return "the query " + shown
    own = len(shown) > 1 and (shown.startswith('"') or shown.endswith('"'))
    return shown if own else '"' + shown.replace('"', '""') + '"'


@dataclass(frozen=True)
class Made:
    """A table that one of our statements computes from a table of the user."""

    of: Relation
    file: str
    statement: Any
    """The statement, as `synthpriv_sql.planner.statement.parts.Assembled`."""


@dataclass(frozen=True)
class Relation:
    """A table, file, subquery or object that a call names."""

    parameter: str
    label: str
    node: exp.Table
    columns: tuple[Column, ...]
    base: bool
    """Whether it is a table of the database itself, whose rows have the same order whenever it is read."""
    order: tuple[exp.Expr, ...] = ()
    """The order by which records are numbered, if the engine guarantees none."""
    only: tuple[exp.Expr, ...] = ()
    """Conditions on the rows to read, if a call is about one group of them."""
    guessed: bool = field(default=False, compare=False)
    """Whether the names of its columns may be values of a person: the first line of a file that has only texts."""
    made: Made | None = field(default=None, compare=False)
    """How it is computed if it is not a table of the user: for an engine that runs a statement in parts."""

    @cached_property
    def by_name(self) -> Mapping[str, Column]:
        """Columns by lower-case name: names are not case-sensitive in DuckDB."""
        return {column.name.lower(): column for column in self.columns}

    @cached_property
    def rows(self) -> str:
        """A text that is equal for relations with the same rows."""
        return " ".join(["relation", self.node.sql("duckdb"), *(condition.sql("duckdb") for condition in self.only)])

    def said(self, *names: str) -> str:
        """These of its columns, or all, for a message: values of a record that was taken for names are not shown."""
        if self.guessed:
            return (
                f"{VALUE} (the first line of its file was taken for the names of columns; if it is a record, say so: "
                f"{wording.given('csv', {'header': False})})"
            )
        return ", ".join(f'"{name}"' for name in names or [column.name for column in self.columns]) or "none"

    def column(self, name: str, option: str) -> Column:
        """Return the column that an option names, or raise `UnknownColumn`."""
        (found,) = self.listed([name], option)
        return found

    def listed(self, names: Sequence[str], option: str) -> list[Column]:
        """Return the columns that an option names, or raise one `UnknownColumn` for all that do not exist."""
        unknown = [name for name in names if name.lower() not in self.by_name]
        if unknown:
            raise unknown_column(unknown, option, [self])
        return [self.by_name[name.lower()] for name in names]


def unknown_column(name: str | Sequence[str], option: str, relations: Sequence[Relation]) -> UnknownColumn:
    """The error for one or more columns that an option names and no table has."""
    tables = " or ".join(r.label for r in relations)
    names = [name] if isinstance(name, str) else name
    return UnknownColumn(
        f"{wording.option(option)} names {listed_columns(names)}, which {tables} does not have; there are: "
        f"{relations[0].said()}"
    )


def listed_columns(names: Sequence[str]) -> str:
    """Columns in a sentence."""
    return f"column{'s' * (len(names) > 1)} " + ", ".join(f'"{name}"' for name in names)
