"""dbt: a plugin of dbt-duckdb that registers the functions, and a dbt package of generic tests in this folder.

``module: synthpriv_sql.dbt`` under ``plugins`` in profiles.yml enables it; ``python -m synthpriv_sql.dbt`` prints the
folder for packages.yml, where it is a local package.
"""

from __future__ import annotations

from typing import Any

import duckdb
import pyarrow as pa
from dbt.adapters.duckdb.plugins import BasePlugin
from duckdb.func import PythonUDFType

from synthpriv_sql.api.opening import register
from synthpriv_sql.report.evaluation import verdict_of

_NUMBER = (
    "STRUCT(section VARCHAR, metric VARCHAR, variant VARCHAR, statistic VARCHAR, value DOUBLE, lower DOUBLE, "
    "upper DOUBLE, better VARCHAR, meaning VARCHAR, place BIGINT)"
)
_VERDICT = pa.struct([(name, pa.string()) for name in ("level", "headline", "sentence")])


class Plugin(BasePlugin):  # type: ignore[misc]
    """Registers the functions on the connection whose cursors run the models and the tests."""

    def configure_connection(self, conn: duckdb.DuckDBPyConnection) -> None:
        """Register the functions and the verdict; dbt-duckdb calls this whenever it has opened the database."""
        register(conn)
        conn.create_function(
            "synthpriv_verdict",
            _verdicts,
            [f"{_NUMBER}[]"],
            "STRUCT(level VARCHAR, headline VARCHAR, sentence VARCHAR)",
            type=PythonUDFType.ARROW,
        )


def _verdicts(numbers: Any) -> Any:
    found = [verdict_of(rows) for rows in numbers.to_pylist()]
    rows = [{"level": one.level, "headline": one.headline, "sentence": one.sentence} for one in found]
    return pa.array(rows, _VERDICT)
