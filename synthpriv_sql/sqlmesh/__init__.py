"""SQLMesh: a DuckDB connection that has the functions, and audits of models in the folder `audits`.

``connection=Connection(database="warehouse.duckdb")`` in config.py enables the functions; ``python -m
synthpriv_sql.sqlmesh`` prints the folder of the audits, which a project copies into its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlmesh.core.config.connection import DuckDBConnectionConfig

from synthpriv_sql.api.opening import register


class Connection(DuckDBConnectionConfig):  # type: ignore[misc]
    """A DuckDB connection of SQLMesh, with the same options, on whose cursors the functions are registered."""

    @property
    def _cursor_init(self) -> Callable[[Any], None]:
        prepare = super()._cursor_init

        def init(cursor: Any) -> None:
            if prepare is not None:
                prepare(cursor)
            register(cursor)

        return init
