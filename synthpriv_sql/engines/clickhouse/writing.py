"""Writing a result into a table of ClickHouse, which appears whole or not at all."""

from __future__ import annotations

from contextlib import suppress
from secrets import token_hex

from sqlglot import exp

from synthpriv_sql.engines.clickhouse import driver
from synthpriv_sql.engines.clickhouse.lookup import ClickHouseLookup
from synthpriv_sql.engines.remote import writing
from synthpriv_sql.errors import SynthprivError

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


class ClickHouseWriter(writing.Writer):
    """Writes into ClickHouse.

    A new table is filled under another name and then renamed. Appended rows are one INSERT, which ClickHouse makes
    visible block by block.
    """

    dialect = "clickhouse"
    form = "it is no name of a table in ClickHouse: a name, or database.name, in its quoting"
    lookup: ClickHouseLookup

    def there(self, target: exp.Table) -> bool:
        """Whether there is such a table."""
        return self.lookup.there(target) is not None

    def columns(self, target: exp.Table) -> list[str]:
        """Return the names of its columns."""
        return list(self.lookup.columns(target))

    def append(self, target: exp.Table) -> None:
        """Add the rows."""
        names = [exp.to_identifier(name, quoted=True).sql("clickhouse") for name in self.answer.table.column_names]
        into = f"{target.sql('clickhouse')} ({', '.join(names)})"
        sql = exp.Command(this="INSERT INTO", expression=into).sql("clickhouse")
        self.connection.run(lambda opened: driver.insert(opened, sql, self.answer.table))

    def make(self, target: exp.Table, replaced: bool) -> None:
        """Create the table with the rows."""
        staged = exp.table_(f"synthpriv_{token_hex(8)}", db=target.db or None, quoted=True)
        try:
            self.connection.execute(self._created(staged).sql("clickhouse"))
            self.append(staged)
            # An exchange leaves what was replaced under the staged name.
            verb, joint = ("EXCHANGE TABLES", "AND") if replaced else ("RENAME TABLE", "TO")
            listed = f"{staged.sql('clickhouse')} {joint} {target.sql('clickhouse')}"
            self.connection.execute(exp.Command(this=verb, expression=listed).sql("clickhouse"))
        finally:
            with suppress(SynthprivError):
                drop = exp.Drop(tables=[staged], kind="TABLE", exists=True)
                self.connection.execute(drop.sql("clickhouse"))

    def _created(self, staged: exp.Table) -> exp.Create:
        columns = writing.definitions(self.answer, self.own, self.lookup.declared, _TYPES, "clickhouse")
        for column, type_ in zip(columns, self.answer.types, strict=True):
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
