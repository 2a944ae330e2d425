"""Writing a result into a PostgreSQL table, atomically."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from secrets import token_hex
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
from sqlglot import exp

from synthpriv_sql.engines.base import Answer
from synthpriv_sql.engines.postgres import driver
from synthpriv_sql.engines.remote import writing
from synthpriv_sql.planner.headers import catalog

_STAGE = "synthpriv_result"


class PostgresWriter(writing.Writer):
    """Writes into PostgreSQL, in one transaction."""

    dialect = "postgres"
    form = 'the name of a table to write in PostgreSQL must include its schema: "schema.table"'

    def writable(self, schema: str) -> bool:
        """A schema must be named."""
        return bool(schema)

    def target(self, named: exp.Table) -> exp.Table:
        """Return the table that a name means, in the case that PostgreSQL reads it in."""
        name, db = (part.name if part.args.get("quoted") else self.lookup.fold(part.name) for part in _parts(named))
        return exp.table_(name, db=db, quoted=True)

    def there(self, target: exp.Table) -> bool:
        """Whether there is such a table."""
        return bool(self.connection.rows(catalog.statement("postgres_exists"), [target.sql("postgres")])[0]["there"])

    def columns(self, target: exp.Table) -> list[str]:
        """Return the names of its columns."""
        return list(self._types(target))

    def _types(self, target: exp.Table) -> dict[str, str]:
        rows = self.connection.rows(catalog.statement("postgres_column_types"), [target.sql("postgres")])
        return {row["name"]: row["type"] for row in rows}

    def append(self, target: exp.Table) -> None:
        """Insert the rows, each column cast to its type in the table."""
        with self._staged() as stage:
            self._insert(stage, target)

    def make(self, target: exp.Table, replaced: bool) -> None:
        """Create the table with the rows."""
        with self._staged() as stage:
            # Under another name first: the replaced table may be the one that the types come from.
            made = exp.table_(f"synthpriv_{token_hex(8)}", db=target.db, quoted=True)
            self.connection.execute(_empty(made, self.answer, self.own).sql("postgres"))
            self._insert(stage, made)
            if replaced:
                self.connection.execute(exp.Drop(tables=[target.copy()], kind="TABLE").sql("postgres"))
            rename = exp.AlterRename(this=exp.to_table(target.args["this"].copy()))
            self.connection.execute(exp.Alter(this=made, kind="TABLE", actions=[rename]).sql("postgres"))

    @contextmanager
    def _staged(self) -> Iterator[exp.Table]:
        """Yield a temporary table with the rows."""
        rows = _plain(self.beside, self.answer.table)
        self.connection.run(lambda opened: driver.ingest(opened, _STAGE, rows))
        stage = exp.table_(_STAGE, db="pg_temp", quoted=True)
        yield stage
        self.connection.execute(exp.Drop(tables=[stage], kind="TABLE").sql("postgres"))

    def _insert(self, stage: exp.Table, target: exp.Table) -> None:
        types, columns = self._types(target), self.answer.table.column_names
        values = [
            # The type's name as PostgreSQL writes it, quoted if necessary.
            exp.cast(exp.column(name, quoted=True), exp.DataType(this=exp.DataType.Type.USERDEFINED, kind=types[name]))
            for name in columns
        ]
        staged = exp.select(*values).from_(stage.copy())
        into = [exp.to_identifier(name, quoted=True) for name in columns]
        self.connection.execute(exp.insert(staged, target.copy(), columns=into).sql("postgres"))


def _parts(named: exp.Table) -> tuple[exp.Identifier, exp.Identifier]:
    """The name and its schema."""
    return named.this, named.args["db"]


def _empty(made: exp.Table, answer: Answer, own: writing.Own) -> exp.Create:
    """``CREATE TABLE … AS SELECT … WITH NO DATA``, so that PostgreSQL copies the types of the user's columns."""
    read: dict[exp.Table, str] = {}
    columns: list[exp.Expr] = []
    for name, type_ in zip(answer.table.column_names, answer.types, strict=True):
        if name in own:
            relation, column = own[name]
            alias = read.setdefault(relation.node, f"given_{len(read)}")
            value: exp.Expr = exp.column(column, table=alias, quoted=True)
        else:
            value = exp.cast(exp.null(), _type(type_), dialect="postgres")
        columns.append(exp.alias_(value, name, quoted=True))
    query = exp.select(*columns)
    for node, alias in read.items():
        table = exp.alias_(node.copy(), alias, table=True)
        query = query.join(table, join_type="cross") if query.args.get("from_") else query.from_(table)
    properties = exp.Properties(expressions=[exp.WithDataProperty(no=True)])
    return exp.Create(this=made.copy(), kind="TABLE", expression=query, properties=properties)


def _type(type_: str) -> exp.DataType:
    """The PostgreSQL type for a DuckDB type."""
    if type_ == "HUGEINT":
        return exp.DataType.build("NUMERIC(38, 0)", dialect="postgres")
    return exp.DataType.build(exp.DataType.build(type_, dialect="duckdb").sql("postgres"), dialect="postgres")


def _plain(beside: duckdb.DuckDBPyConnection, table: pa.Table) -> pa.Table:
    """Turn columns with infinite times, which the driver cannot represent, into text."""
    for i, column in enumerate(table.columns):
        if _has_infinite_times(column):
            table = table.set_column(i, table.column_names[i], _as_text(beside, column))
    return table


def _has_infinite_times(column: pa.ChunkedArray) -> bool:
    if not (pa.types.is_date(column.type) or pa.types.is_timestamp(column.type)):
        return False
    whole = pa.int32() if pa.types.is_date(column.type) else pa.int64()
    largest = 2 ** (whole.bit_width - 1) - 1
    return bool(pc.any(pc.is_in(column.cast(whole), pa.array([largest, -largest], whole))).as_py())


def _as_text(beside: duckdb.DuckDBPyConnection, column: pa.ChunkedArray) -> Any:
    value = exp.cast(exp.column("value"), "VARCHAR")
    # DuckDB and PostgreSQL mark years before 1 differently.
    text = exp.Anonymous(this="replace", expressions=[value, exp.Literal.string("(BC)"), exp.Literal.string("BC")])
    beside.register(_STAGE, pa.table({"value": column}))
    try:
        query = exp.select(exp.alias_(text, "text")).from_(_STAGE).sql("duckdb")
        return beside.sql(query).to_arrow_table().column(0)
    finally:
        beside.unregister(_STAGE)
