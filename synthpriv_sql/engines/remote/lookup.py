"""Finding the tables that a call names, whatever the database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import sqlglot
from sqlglot import TokenType, exp
from sqlglot.errors import SqlglotError

from synthpriv_sql.engines.remote.connection import Connection
from synthpriv_sql.errors import EngineError, UnknownTable
from synthpriv_sql.planner.columns.tables import Relation, label
from synthpriv_sql.planner.columns.types import Column

FILES = "only DuckDB reads files: use a session of synthpriv_sql.connect() without a URL"
Order = tuple[exp.Expr, ...]
_NONE: Order = ()


def lacks(name: str, loading: str) -> Mapping[str, str]:
    """The kinds of tables that a database cannot read, with the reason."""
    return MappingProxyType(
        {
            "objects": f"Python objects cannot be read as tables in {name}: write them into a table first",
            "csv": f"{name} does not read your files: load them into tables ({loading}), or give no database URL",
            "files": FILES,
        }
    )


class Lookup:
    """Finds and describes tables; a database says in a subclass how it lists them.

    Parameters
    ----------
    connection
        In a transaction while a table is looked up.
    """

    dialect: str
    """Its name in sqlglot."""
    lacks: Mapping[str, str]

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.declared: dict[str, Mapping[str, str]] = {}
        """The types that columns are declared with, by the text of the node that reads the table."""

    def named(self, readings: Sequence[str]) -> tuple[exp.Table, Order] | None:
        """Return the first reading of a name that is a table or view, and how its rows are numbered.

        A reading has a qualified name, quoted. Without an order of its own, rows are in the order of their values.
        """
        for reading in readings:
            given = exp.to_table(reading, dialect=self.dialect)
            found = None if given.catalog and not self.has_catalogs else self.one(given)
            if found is not None:
                return found
        return None

    has_catalogs = False
    """Whether a name may have a part before the schema."""

    def one(self, given: exp.Table) -> tuple[exp.Table, Order] | None:
        """Find the table of one reading of a name; see `named`."""
        raise NotImplementedError

    def described(self, node: exp.Table, order: Order, exact: bool) -> tuple[exp.Table, tuple[Column, ...]]:
        """Describe the columns of a table or query, and return what is read of it: itself, or a query on it."""
        raise NotImplementedError

    def unknown(self) -> str:
        """The sentence about a name that is no table."""
        raise NotImplementedError

    def fold(self, name: str) -> str:
        """Return a name without quotes as the database reads it."""
        return name

    def find(self, parameter: str, value: Any, exact: bool) -> Relation:
        """Find the table that a call names.

        Parameters
        ----------
        parameter
            The parameter that it was passed for.
        value
            A table's name (exactly, or in SQL's quoting), or a query in parentheses.
        exact
            Whether the call returns values of the table: then no digit of a numeric may be lost.

        Raises
        ------
        UnknownTable
            No table has that name, or it cannot be read.
        """
        if not isinstance(value, str) or not value.strip():
            raise UnknownTable(
                f"what is given as {parameter} is a {type(value).__name__}; a table is given by its name, or as a "
                f"query in parentheses ({self.lacks['objects']})"
            )
        try:
            query = value.lstrip().startswith("(")
            node, order = (self._query(parameter, value), _NONE) if query else self._table(parameter, value)
            node, columns = self.described(node, order, exact)
        except EngineError as error:
            if not error.state:
                raise
            raise UnknownTable(f"{label(value)}, given as {parameter}, cannot be read: {error}") from None
        _check_names(parameter, value, columns)
        # A query or a view has no defined order; rows that are equal in all columns are interchangeable.
        by_all = tuple(c.node if c.read_as == "" else exp.cast(c.node, c.read_as) for c in columns)
        return Relation(parameter, label(value), node, columns, base=bool(order), order=order or by_all)

    def reading(self, node: exp.Table, columns: Sequence[exp.Expr], declared: Mapping[str, str]) -> exp.Table:
        """Return a query on a table or query that reads it with these columns, and note how they are declared."""
        text = exp.select(*columns).from_(node.copy()).sql(self.dialect)
        wrapped = exp.Table(this=exp.Var(this=f"({text})"), alias=exp.TableAlias(this=exp.to_identifier("given")))
        if node.args.get("names"):
            wrapped.set("names", [name.copy() for name in node.args["names"]])
        self.declared[wrapped.sql(self.dialect)] = declared
        return wrapped

    def _table(self, parameter: str, value: str) -> tuple[exp.Table, Order]:
        found = self.named(list(dict.fromkeys(self._readings(value))))
        if found is None:
            raise UnknownTable(f"{label(value)}, given as {parameter}, {self.unknown()} {self.lacks['files']}.")
        return found

    def _readings(self, value: str) -> Iterator[str]:
        """The possible readings of a name, quoted, the most literal first."""
        yield exp.to_identifier(value, quoted=True).sql(self.dialect)
        try:
            named = exp.to_table(value.strip(), dialect=self.dialect)
        except SqlglotError:
            return
        if not isinstance(named.this, exp.Identifier):
            return
        parts = [part for part in named.parts if isinstance(part, exp.Identifier)]
        yield ".".join(exp.to_identifier(part.name, quoted=True).sql(self.dialect) for part in parts)
        folded = [part.name if part.args.get("quoted") else self.fold(part.name) for part in parts]
        yield ".".join(exp.to_identifier(name, quoted=True).sql(self.dialect) for name in folded)

    def _query(self, parameter: str, value: str) -> exp.Table:
        """A user's query, unchanged: the database parses it."""
        text = value.strip()
        try:
            tokens = sqlglot.tokenize(text, dialect=self.dialect)
        except SqlglotError as error:
            raise UnknownTable(f"{label(value)}, given as {parameter}, is not a query: {error}") from None
        depth = [0]
        for token in tokens:
            step = {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(token.token_type, 0)
            depth.append(depth[-1] + step)
        if min(depth[1:-1]) < 1 or depth[-1] != 0:
            raise UnknownTable(f"{label(value)}, given as {parameter}, is not a single query in parentheses")
        names = {token.text for token in tokens if token.token_type in {TokenType.VAR, TokenType.IDENTIFIER}}
        node = exp.Table(this=exp.Var(this=text), alias=exp.TableAlias(this=exp.to_identifier("given")))
        # Table names in the query, so that no part of the statement takes one of them.
        node.set("names", [exp.to_identifier(name) for name in sorted(names)])
        return node


def _check_names(parameter: str, value: str, columns: Sequence[Column]) -> None:
    seen: dict[str, str] = {}
    for column in columns:
        other = seen.setdefault(column.name.lower(), column.name)
        if other is not column.name:
            raise UnknownTable(
                f'{label(value)}, given as {parameter}, has columns "{other}" and "{column.name}", whose names differ '
                "only in case; give a query in parentheses that renames or leaves out one of them"
            )
