"""dbt: a plugin of dbt-duckdb that registers the functions, and a dbt package of generic tests in this folder.

``module: synthpriv_sql.dbt`` under ``plugins`` in profiles.yml enables it; ``python -m synthpriv_sql.dbt`` prints the
folder for packages.yml, where it is a local package.
"""

from __future__ import annotations

import duckdb
from dbt.adapters.duckdb.plugins import BasePlugin

from synthpriv_sql.api.opening import register


class Plugin(BasePlugin):  # type: ignore[misc]
    """Registers the functions on the connection whose cursors run the models and the tests."""

    def configure_connection(self, conn: duckdb.DuckDBPyConnection) -> None:
        """Register the functions; dbt-duckdb calls this whenever it has opened the database."""
        register(conn)
