"""Redshift as an engine: PostgreSQL's protocol, without its catalog functions, system columns and COPY FROM STDIN."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from synthpriv_sql.engines.postgres import address
from synthpriv_sql.engines.postgres.driver import PostgresDriver
from synthpriv_sql.engines.postgres.lookup import PostgresLookup
from synthpriv_sql.engines.remote.batches import BatchWriter
from synthpriv_sql.engines.remote.engine import Remote
from synthpriv_sql.engines.remote.lookup import Lookup, Order, lacks
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers import catalog

if TYPE_CHECKING:
    import pyarrow as pa

    from synthpriv_sql.engines.postgres.lookup import Digits

_PORT = 5439
# The type that a column of a DuckDB type is declared with, by the beginning of that type.
_TYPES = {
    "BOOLEAN": "BOOLEAN",
    "DATE": "DATE",
    "TIMESTAMP WITH TIME ZONE": "TIMESTAMPTZ",
    "TIMESTAMP": "TIMESTAMP",
    "TIME": "TIME",
    "DOUBLE": "DOUBLE PRECISION",
    "FLOAT": "REAL",
    "DECIMAL": "DECIMAL",
    "TINYINT": "SMALLINT",
    "SMALLINT": "SMALLINT",
    "INTEGER": "INTEGER",
    "BIGINT": "BIGINT",
    "HUGEINT": "DECIMAL(38, 0)",
    "": "VARCHAR(65535)",
}


class RedshiftDriver(PostgresDriver):
    """PostgreSQL's driver. Redshift's only isolation level is that of snapshots, or stricter."""

    database, extra = "Redshift", "redshift"
    begin = exp.Transaction(modes=["READ ONLY"]).sql("redshift")
    begin_writing = exp.Transaction(modes=["READ WRITE"]).sql("redshift")
    settings: Sequence[str] = ("redshift_settings",)


class RedshiftLookup(PostgresLookup):
    """Finds tables in Redshift, by the information schema."""

    dialect = "redshift"
    lacks = lacks("Redshift", "COPY")

    def unknown(self) -> str:
        """The sentence about a name that is no table."""
        return (
            "is not a table or view that Redshift shows in this schema. Give a name, with its schema if necessary, or "
            "a query in parentheses, also for a table of another database or an external one;"
        )

    def named(self, readings: Sequence[str]) -> tuple[exp.Table, Order] | None:
        """Find a table; Redshift has no order of rows."""
        return Lookup.named(self, readings)

    def one(self, given: exp.Table) -> tuple[exp.Table, Order] | None:
        """Find the table of one reading of a name."""
        asked = catalog.statement("redshift_relation")
        found = self._connection.rows(asked, [given.name, given.db or None])
        if not found:
            return None
        return exp.table_(found[0]["name"], db=found[0]["schema"], quoted=True), ()

    def described(self, node: exp.Table, order: Order, exact: bool) -> tuple[exp.Table, tuple[Column, ...]]:
        """Describe columns by what the driver says; numerics have their declared digits always, and no NaN."""
        node, columns = super().described(node, order, False)
        found = [
            Column(c.name, c.type, "double" if c.type == "DOUBLE" else c.type_id, read_as=c.read_as) for c in columns
        ]
        return node, tuple(found)

    def kinds(self, node: exp.Table, fields: Sequence[pa.Field]) -> Mapping[str, tuple[str, str]]:
        """The types as the driver names them: there are no enums."""
        return {field.name: (field.metadata[b"POSTGRESQL:type"].decode(), "b") for field in fields}

    def digits(self, node: exp.Table, names: Sequence[str]) -> Mapping[str, Digits]:
        """Nothing is scanned."""
        return {}


class RedshiftWriter(BatchWriter):
    """Writes into Redshift in one transaction, by INSERTs: COPY reads from S3 only."""

    dialect = "redshift"
    form = "it is no name of a table in Redshift: a name, or schema.name, in its quoting"
    types = _TYPES

    def make(self, target: exp.Table, replaced: bool) -> None:
        """Create the table with the rows, after the one that it replaces was dropped."""
        with self._staged(target) as staged:
            if replaced:
                self._execute(exp.Drop(tables=[target.copy()], kind="TABLE"))
            read = exp.select("*").from_(staged.copy())
            self._execute(exp.Create(this=target.copy(), kind="TABLE", expression=read))


class Redshift(Remote):
    """A Redshift cluster or workgroup; it is only read, unless the user writes a result.

    Parameters
    ----------
    url
        ``redshift://user:password@host:port/database``; see `synthpriv_sql.engines.postgres.address`.
    read_only
        Whether to refuse writing results.
    **config
        Settings of the private DuckDB, such as ``threads=2`` or ``memory_limit="2GB"``.

    Raises
    ------
    OptionError
        The URL cannot be read, or the driver is not installed.
    EngineError
        The server cannot be reached, or refuses the connection.
    """

    name = "Redshift"
    dialect = "redshift"
    version_statement = "redshift_version"
    lacks = RedshiftLookup.lacks
    lookup = RedshiftLookup
    writer = RedshiftWriter

    def __init__(self, url: str, read_only: bool = False, **config: Any) -> None:
        super().__init__(RedshiftDriver(address.read(url, self.name, _PORT)), read_only, **config)

    def _lacking(self, query: exp.Query) -> str | None:
        if query.find(exp.Struct, exp.Array, exp.ArrayAgg, exp.ArrayFilter) is not None:
            return "builds lists or structs, whose items have no types in Redshift"
        if any(call.name.lower() == "error" for call in query.find_all(exp.Anonymous)):
            return "checks values, and Redshift does not repeat the text that it cannot convert"
        return super()._lacking(query)
