"""Exchange between the statements of one call: rows as Arrow, and one state of the database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import duckdb
from sqlglot import exp

from synthpriv_sql.planner.headers import catalog

if TYPE_CHECKING:
    import pyarrow as pa


def fetched(ran: duckdb.DuckDBPyConnection, batch: int | None = None) -> tuple[pa.Table, list[str]]:
    """Return the rows of the statement that was executed last, in batches of so many, and the types of its columns."""
    types = [str(type_) for _, type_, *_ in ran.description or ()]
    return ran.to_arrow_table() if batch is None else ran.to_arrow_table(batch), types


@dataclass
class Handed:
    """Rows handed to DuckDB, which reads them from the start on every scan, and as they are by then.

    They can be exchanged, and let go: DuckDB knows what was registered in a transaction until that ends.
    """

    table: pa.Table

    def __arrow_c_schema__(self) -> Any:
        return self.table.schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)

    def release(self) -> None:
        """Let go of the rows."""
        self.table = self.table.schema.empty_table()


def register(connection: duckdb.DuckDBPyConnection, name: str, rows: Handed, types: Sequence[str]) -> exp.Select:
    """Give Arrow rows a name, and return the query that reads them in the types that they had: Arrow has no UUID."""
    connection.register(name, rows)
    there = connection.table(name)
    read: list[exp.Expr] = []
    for column, now, then in zip(there.columns, there.types, types, strict=True):
        node: exp.Expr = exp.column(column, quoted=True)
        if str(now) != then:
            node = exp.alias_(exp.cast(node, then, dialect="duckdb"), column, quoted=True)
        read.append(node)
    return exp.select(*read).from_(exp.Table(this=exp.to_identifier(name)))


@contextmanager
def one_state(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """One transaction for all statements within; the caller's, if there is one, stays open."""
    # BEGIN within a transaction would abort it.
    current = catalog.statement("transaction")
    if connection.execute(current).fetchall() == connection.execute(current).fetchall():
        yield
        return
    connection.begin()
    try:
        yield
    except BaseException:
        with suppress(duckdb.Error):
            connection.rollback()
        raise
    connection.commit()
