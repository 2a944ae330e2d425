"""One DuckDB session for many tests: emptying it takes a tenth of what opening one does."""

from contextlib import contextmanager, suppress

import duckdb

import synthpriv_sql

# What a test may leave behind, and what drops it; views first, since they may stand on tables.
LEFT = """
    SELECT 'VIEW', database_name, schema_name, view_name FROM duckdb_views() WHERE NOT internal
    UNION ALL
    SELECT 'TABLE', database_name, schema_name, table_name FROM duckdb_tables() WHERE NOT internal
    UNION ALL
    SELECT 'SEQUENCE', database_name, schema_name, sequence_name FROM duckdb_sequences()
    UNION ALL
    SELECT 'TYPE', database_name, schema_name, type_name FROM duckdb_types() WHERE NOT internal
    UNION ALL
    SELECT 'SCHEMA', database_name, schema_name, NULL FROM duckdb_schemas() WHERE NOT internal
"""
STATE = """
    SELECT (SELECT list((name, value) ORDER BY name) FROM duckdb_settings()),
           (SELECT list(database_name ORDER BY database_name) FROM duckdb_databases())
"""


class Kept:
    """Lends a session to one test after another, and opens a new one after a test that changed more than tables.

    Macros and functions stay: who makes some drops them, or opens a session of their own.
    """

    def __init__(self):
        self._connection = self._state = None

    @contextmanager
    def lend(self):
        if self._connection is None:
            self._connection = synthpriv_sql.connect().connection
            self._state = self._connection.execute(STATE).fetchall()
        session = synthpriv_sql.register(self._connection)
        try:
            yield session
        finally:
            if not self._emptied():
                self.close()

    def close(self):
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _emptied(self):
        """Drop what is there; tell whether the session is then as it was opened."""
        try:
            with suppress(duckdb.TransactionException):  # none was begun
                self._connection.rollback()
            for kind, *parts in self._connection.execute(LEFT).fetchall():
                if parts[0] != "synthpriv":
                    name = ".".join('"' + part.replace('"', '""') + '"' for part in parts if part is not None)
                    self._connection.execute(f"DROP {kind} IF EXISTS {name} CASCADE")
            return self._connection.execute(STATE).fetchall() == self._state
        except duckdb.Error:
            return False
