"""Writing a result into a table of ClickHouse, which appears whole or not at all."""

from __future__ import annotations

from contextlib import suppress
from secrets import token_hex

import pyarrow as pa
from sqlglot import exp

from synthpriv_sql.engines.base import Answer, How, check_columns, rows_of_run
from synthpriv_sql.engines.clickhouse import driver
from synthpriv_sql.engines.clickhouse.lookup import ClickHouseLookup
from synthpriv_sql.engines.remote import writing
from synthpriv_sql.engines.remote.connection import Connection
from synthpriv_sql.errors import EngineError, SynthprivError

# The type that a column of a DuckDB type is declared with, by the beginning of that type.
_TYPES = {
    "BOOLEAN": "Nullable(Bool)",
    "DATE": "Nullable(Date32)",
    "TIMESTAMP WITH TIME ZONE": "Nullable(DateTime64(6, 'UTC'))",
    "TIMESTAMP": "Nullable(DateTime64(6))",
    "TIME": "Nullable(Time64(6))",
    "DOUBLE": "Nullable(Float64)",
    "FLOAT": "Nullable(Float32)",
    "TINYINT": "Nullable(Int8)",
    "SMALLINT": "Nullable(Int16)",
    "INTEGER": "Nullable(Int32)",
    "BIGINT": "Nullable(Int64)",
    "HUGEINT": "Nullable(Int128)",
    "": "Nullable(String)",
}


def write_table(
    connection: Connection,
    lookup: ClickHouseLookup,
    answer: Answer,
    own: writing.Own,
    name: str,
    how: How,
    run: str | None = None,
) -> None:
    """Create a table from rows, or append them to a table with the same columns.

    A new table is filled under another name and then renamed. Appended rows are one INSERT, which ClickHouse makes
    visible block by block.

    Parameters
    ----------
    connection
        Where.
    lookup
        Has the types that the user's columns are declared with.
    answer
        The rows.
    own
        The columns that come from the user's tables, with their relation and column: they keep its type.
    name
        The table's name, with or without its database.
    how
        How to treat an existing table.
    run
        The run of the appended rows: a table that already contains this run is left unchanged.

    Raises
    ------
    EngineError
        It is no name of a table, the table exists already, or the server refuses.
    """
    form = "it is no name of a table in ClickHouse: a name, or database.name, in its quoting"
    named = writing.target(name, "clickhouse", lambda database: True, form)
    target = exp.table_(named.name, db=named.db or None, quoted=True)
    found = lookup.there(target)
    if found is not None and how == "create":
        raise EngineError("there is a table, or something else, of that name already")
    if found is not None and how == "append":
        check_columns(name, list(lookup.columns(target)), answer.table.column_names)
        if run is None or not connection.rows(rows_of_run(target, run).sql("clickhouse")):
            _insert(connection, target, answer.table)
        return
    staged = exp.table_(f"synthpriv_{token_hex(8)}", db=target.db or None, quoted=True)
    try:
        connection.execute(_created(staged, answer, own, lookup).sql("clickhouse"))
        _insert(connection, staged, answer.table)
        # An exchange leaves what was replaced under the staged name.
        verb, joint = ("RENAME TABLE", "TO") if found is None else ("EXCHANGE TABLES", "AND")
        listed = f"{staged.sql('clickhouse')} {joint} {target.sql('clickhouse')}"
        connection.execute(exp.Command(this=verb, expression=listed).sql("clickhouse"))
    finally:
        with suppress(SynthprivError):
            connection.execute(exp.Drop(tables=[staged], kind="TABLE", exists=True).sql("clickhouse"))


def _created(staged: exp.Table, answer: Answer, own: writing.Own, lookup: ClickHouseLookup) -> exp.Create:
    columns = writing.definitions(answer, own, lookup.declared, _TYPES, "clickhouse")
    for column, type_ in zip(columns, answer.types, strict=True):
        kind = column.args["kind"]
        kind.set("nullable", False)  # says itself what it is
        if type_.startswith("DECIMAL") and kind.args["kind"] == _TYPES[""]:
            kind.set("kind", f"Nullable({type_.replace('DECIMAL', 'Decimal')})")
    engine = exp.EngineProperty(this=exp.Anonymous(this="MergeTree"))
    unordered = exp.Order(expressions=[exp.Anonymous(this="tuple")])
    return exp.Create(
        this=exp.Schema(this=staged.copy(), expressions=columns),
        kind="TABLE",
        properties=exp.Properties(expressions=[engine, unordered]),
    )


def _insert(connection: Connection, target: exp.Table, table: pa.Table) -> None:
    names = [exp.to_identifier(name, quoted=True).sql("clickhouse") for name in table.column_names]
    into = f"{target.sql('clickhouse')} ({', '.join(names)})"
    sql = exp.Command(this="INSERT INTO", expression=into).sql("clickhouse")
    connection.run(lambda opened: driver.insert(opened, sql, table))
