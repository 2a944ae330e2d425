"""Writing a result into a table of Snowflake, which appears whole or not at all."""

from __future__ import annotations

from synthpriv_sql.engines.remote.batches import BatchWriter
from synthpriv_sql.engines.snowflake.lookup import SnowflakeLookup

# The type that a column of a DuckDB type is declared with, by the beginning of that type.
_TYPES = {
    "BOOLEAN": "BOOLEAN",
    "DATE": "DATE",
    "TIMESTAMP WITH TIME ZONE": "TIMESTAMP_TZ",
    "TIMESTAMP": "TIMESTAMP_NTZ",
    "TIME": "TIME",
    "DOUBLE": "FLOAT",
    "FLOAT": "FLOAT",
    "DECIMAL": "DECIMAL",
    "TINYINT": "NUMBER(9, 0)",
    "SMALLINT": "NUMBER(9, 0)",
    "INTEGER": "NUMBER(10, 0)",
    "BIGINT": "NUMBER(19, 0)",
    "HUGEINT": "NUMBER(38, 0)",
    "": "VARCHAR",
}


class SnowflakeWriter(BatchWriter):
    """Writes into Snowflake: rows go into another table first, and from there into the table by one statement."""

    dialect = "snowflake"
    form = "it is no name of a table in Snowflake: a name, schema.name or database.schema.name, in its quoting"
    lookup: SnowflakeLookup
    types = _TYPES
