"""PostgreSQL's ADBC driver."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from sqlglot import exp

from synthpriv_sql.engines.remote.adbc import Adbc
from synthpriv_sql.engines.remote.driver import Said
from synthpriv_sql.unsaid import of_postgres

_CANCELLED = "canceling statement due to user request"
# Messages that mean a lost server or network; with a SQLSTATE: 57P01 to 57P03 and class 08.
_LOST = (
    "server closed the connection",
    "no connection to the server",
    "terminating connection",
    "connection has been closed",
    "could not receive data from server",
    "could not send data to server",
    "Connection reset by peer",
    "Broken pipe",
    "connection not open",
)
_DAY_SHIFT, _MICROSECOND_SHIFT = 10_957, 946_684_800_000_000  # from 1970 to 2000, the epoch of PostgreSQL


class PostgresDriver(Adbc):
    """The driver, for a server."""

    module, database, extra = "adbc_driver_postgresql", "PostgreSQL", "postgres"
    begin = exp.Transaction(modes=["ISOLATION LEVEL REPEATABLE READ", "READ ONLY"]).sql("postgres")
    begin_writing = exp.Transaction(modes=["ISOLATION LEVEL READ COMMITTED", "READ WRITE"]).sql("postgres")
    settings: Sequence[str] = ("postgres_settings",)

    def connect(self) -> Any:
        """Open a connection."""
        return self._dbapi.connect(self.address.uri, autocommit=True)

    def plain(self, column: pa.Array) -> pa.Array:
        """A column without the driver's extension types, with infinite times as in DuckDB."""
        if isinstance(column, pa.ExtensionArray) and not isinstance(column.type, pa.UuidType):
            column = column.storage
        if pa.types.is_date(column.type):
            return _with_infinity(column, pa.int32(), _DAY_SHIFT)
        if pa.types.is_timestamp(column.type):
            return _with_infinity(column, pa.int64(), _MICROSECOND_SHIFT)
        return column

    def said(self, error: Exception) -> Said:
        """Explain an error by its SQLSTATE and its primary message."""
        state = getattr(error, "sqlstate", None) or ""
        details = dict(getattr(error, "details", None) or [])
        message = details.get("PG_DIAG_MESSAGE_PRIMARY", b"").decode(errors="replace") or _primary(str(error))
        return Said(
            message,
            of_postgres(message, state),
            state,
            stopped=_CANCELLED in message,
            lost=state.startswith(("57P", "08")) or any(words in message for words in _LOST),
            final="FATAL" in str(error),
        )


def expected(opened: Any, sql: str) -> tuple[int, int]:
    """Return PostgreSQL's estimates of a query: its number of rows, and bytes per row. The query is not run."""
    with opened.cursor() as cursor:
        # By default the driver uses COPY, which does not accept EXPLAIN.
        cursor.adbc_statement.set_options(**{"adbc.postgresql.use_copy": "false"})
        cursor.execute(exp.Command(this="EXPLAIN (FORMAT JSON)", expression=sql).sql("postgres"))
        (plan,) = cursor.fetchone()
    top = (json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]
    return top["Plan Rows"], top["Plan Width"]


def ingest(opened: Any, table: str, rows: pa.Table) -> None:
    """Create a temporary table from rows."""
    with opened.cursor() as cursor:
        cursor.adbc_ingest(table, rows, mode="create", temporary=True)


def _primary(text: str) -> str:
    """The server's message, without the text that the driver adds."""
    for opening in ("ERROR:", "FATAL:", "[libpq]"):
        text = text.partition(opening)[2] or text
    return " ".join(text.partition("\n\nQuery was:")[0].partition("\nLINE ")[0].partition(". SQLSTATE:")[0].split())


def _with_infinity(column: pa.Array, whole: pa.DataType, shift: int) -> pa.Array:
    """Convert infinite times: PostgreSQL uses the extreme integers, which the driver's shift to 1970 overflows."""
    bits = whole.bit_width
    largest = 2 ** (bits - 1) - 1
    after, before = largest + shift - 2**bits, -largest - 1 + shift
    numbers = column.cast(whole)
    infinite = pc.is_in(numbers, pa.array([after, before], whole))
    if not pc.any(infinite).as_py():
        return column
    signs = pc.if_else(pc.equal(numbers, after), pa.scalar(largest, whole), pa.scalar(-largest, whole))
    return pc.if_else(infinite, signs, numbers).cast(column.type)
