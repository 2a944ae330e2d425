"""Databricks as an engine: a session of Spark Connect on a cluster, by its URL."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import quote

from synthpriv_sql import errors
from synthpriv_sql.engines.base import Answer, How
from synthpriv_sql.engines.remote.adbc import driver
from synthpriv_sql.engines.remote.driver import Address, split_url
from synthpriv_sql.engines.spark.engine import Spark

_PORT = 443
_CLUSTER, _TOKEN, _CLUSTER_ID = "cluster_id", "DATABRICKS_TOKEN", "DATABRICKS_CLUSTER_ID"


class Databricks(Spark):
    """A cluster of a Databricks workspace; it is only read, unless the user writes a result.

    Parameters
    ----------
    url
        ``databricks://host?cluster_id=…``; see `read`.
    read_only
        Whether to refuse writing results.
    threads
        The approximate number of parallel tasks, as for Spark; by default as many as its ranges have parts.
    **config
        There are no other settings.

    Raises
    ------
    OptionError
        The URL cannot be read, a setting is unknown, or pyspark is not installed.
    EngineError
        The cluster cannot be reached, or refuses the connection.
    """

    name = "Databricks"

    def __init__(self, url: str, read_only: bool = False, threads: int | None = None, **config: Any) -> None:
        if config:
            raise errors.OptionError(f"a session on Databricks has no setting {', '.join(config)}, only threads")
        address = read(url)
        for module in ("grpc", "pyspark.sql"):
            driver(module, self.name, "databricks")
        from pyspark.sql import SparkSession

        try:
            session = SparkSession.builder.remote(address.uri).create()
            _ = session.version  # asks the server
        except Exception as error:
            said = address.without_secrets(str(error))
            raise errors.EngineError(f"{address.shown} cannot be reached: {said}") from None
        self._read_only = read_only
        super().__init__(session, threads)

    def write(self, answer: Answer, name: str, how: How, run: str | None = None) -> None:
        """Write rows into a table of the catalog."""
        self._check_writing()
        super().write(answer, name, how, run)

    def drop(self, name: str) -> None:
        """Drop a table of the catalog, if it is there."""
        self._check_writing()
        super().drop(name)

    def _check_writing(self) -> None:
        if self._read_only:
            raise errors.EngineError("the session is read-only; connect without read_only to write")


def read(url: str) -> Address:
    """Read a URL: ``databricks://workspace.example?cluster_id=…``, with ``token:…@`` before the host or without.

    Without a token in the URL, that of DATABRICKS_TOKEN is used, without a cluster that of DATABRICKS_CLUSTER_ID. What
    the driver is given is the URL of Spark Connect that Databricks documents.

    Raises
    ------
    OptionError
        The URL is invalid; the message does not repeat it.
    """
    parts = split_url(url, _TOKEN, _unreadable)
    given = dict(parts.given)
    cluster = given.pop(_CLUSTER, "") or os.environ.get(_CLUSTER_ID, "")
    if given:
        raise _unreadable(f"it has an unknown option; there is: {_CLUSTER}")
    if not parts.host or parts.path:
        raise _unreadable("it names no workspace, or has a path")
    if not parts.password or not cluster:
        raise _unreadable(f"it names no {'token' if cluster else 'cluster'}, and neither does the environment")
    token = quote(parts.password, safe="")
    uri = f"sc://{parts.host}:{parts.port or _PORT}/;token={token};x-databricks-cluster-id={quote(cluster, safe='')}"
    return Address(uri, f"databricks://{parts.host}", (parts.password,))


def _unreadable(problem: str) -> errors.OptionError:
    return errors.OptionError(
        f"the URL of the Databricks cluster cannot be read: {problem}. It is databricks://workspace?cluster_id=ID, "
        f"with the token in {_TOKEN}"
    )
