"""BigQuery as an engine."""

from __future__ import annotations

from typing import Any

from synthpriv_sql.engines.bigquery import driver
from synthpriv_sql.engines.bigquery.lookup import BigQueryLookup
from synthpriv_sql.engines.bigquery.writing import BigQueryWriter
from synthpriv_sql.engines.remote.engine import Remote


class BigQuery(Remote):
    """A BigQuery project; it is only read, unless the user writes a result.

    Parameters
    ----------
    url
        ``bigquery://project/dataset``; see `synthpriv_sql.engines.bigquery.driver.read`.
    read_only
        Whether to refuse writing results.
    **config
        Settings of the private DuckDB, such as ``threads=2`` or ``memory_limit="2GB"``.

    Raises
    ------
    OptionError
        The URL cannot be read, or the driver is not installed.
    EngineError
        The service cannot be reached, or refuses the login.
    """

    name = "BigQuery"
    dialect = "bigquery"
    lacks = BigQueryLookup.lacks
    lookup = BigQueryLookup
    writer = BigQueryWriter
    no_lists = "builds lists or structs, and BigQuery has no missing lists"

    def __init__(self, url: str, read_only: bool = False, **config: Any) -> None:
        super().__init__(driver.BigQueryDriver(driver.read(url)), read_only, **config)

    def version(self) -> str:
        """Return the version of the client: the service has none."""
        from google.cloud.bigquery import __version__

        return f"google-cloud-bigquery {__version__}"
