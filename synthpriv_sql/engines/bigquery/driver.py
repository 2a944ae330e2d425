"""BigQuery's own client as a driver: statements are jobs, rows arrive in pages as Arrow."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import pyarrow as pa
from sqlglot import exp

from synthpriv_sql import errors
from synthpriv_sql.engines.remote.adbc import driver
from synthpriv_sql.engines.remote.driver import Address, Reader, Said, split_url
from synthpriv_sql.unsaid import without_values

_OPTIONS = ("billing_project", "endpoint", "location")
_CELLS = 200_000
"""The number of values in a page."""
_SECONDS = 20.0
"""How long to try again what the service does not answer; Google's own client would for ten minutes."""
_STOPPED = "stopped"
_FINAL = frozenset({"accessDenied", "authError", "forbidden", "invalid", "notFound", "required"})
_ABOUT_NAMES = frozenset({"accessDenied", "duplicate", "notFound", "quotaExceeded", "responseTooLarge"})
_TRANSIENT = frozenset({"backendError", "internalError", "jobRateLimitExceeded", "rateLimitExceeded"})
# An error of the analysis ends with its place in the statement; one that a value raised has no place.
_PLACE = re.compile(r" at \[\d+:\d+\]$")
_SAID = re.compile(r"^(?:(?:GET|POST) \S+: )?(?:Query error: )?(.*?)(?:; reason: \w+,.*)?\s*$", re.DOTALL)
_CHECK = re.compile(r"^(?:[A-Z][\w ]*: )*([A-Z]\w+: .*)$", re.DOTALL)


@dataclass
class Opened:
    """A client, and the job that runs."""

    client: Any
    job: Any = None

    def close(self) -> None:
        """Close the client."""
        self.client.close()


class BigQueryDriver:
    """The driver, for a project.

    Statements see what is committed when they begin, each for itself: there is no snapshot for several. A result is
    written by one.
    """

    begin = begin_writing = ""
    settings: Sequence[str] = ()

    def __init__(self, address: Address) -> None:
        self._library = driver("google.cloud.bigquery", "BigQuery", "bigquery", "google.cloud.bigquery")
        from google.api_core.exceptions import GoogleAPIError, RetryError
        from google.auth.exceptions import GoogleAuthError, TransportError

        self.address = address
        self._unanswered = (OSError, RetryError, TransportError)
        self.errors: tuple[type[Exception], ...] = (GoogleAPIError, GoogleAuthError)

    def connect(self) -> Opened:
        """Return a client of a service that answers."""
        options = self.address.options or {}
        endpoint = options["endpoint"]
        given: dict[str, Any] = {"client_options": {"api_endpoint": endpoint}} if endpoint else {}
        if urlsplit(endpoint).scheme == "http":  # an emulator: credentials would be readable on the way
            from google.auth.credentials import AnonymousCredentials

            given["credentials"] = AnonymousCredentials()
        client = self._library.Client(project=options["billing"], location=options["location"] or None, **given)
        opened = Opened(client)
        try:
            self.ask(opened, exp.select(exp.Literal.number(1)).sql("bigquery"), None)
        except BaseException:
            opened.close()
            raise
        return opened

    def ask(self, opened: Opened, sql: str, parameters: Sequence[Any] | None) -> list[dict[str, Any]]:
        """Return the few rows of a statement as dicts; it has no parameters."""
        assert parameters is None
        return [dict(row.items()) for row in self._run(opened, sql).result()]

    def start(self, opened: Opened, sql: str, types: Sequence[str]) -> Reader:
        """Start a query; the service knows the types of its rows."""
        found = self._run(opened, sql).result(page_size=max(_CELLS // max(len(types), 1), 1))
        batches = found.to_arrow_iterable()
        return Reader(lambda: next(batches, None), batches.close)

    def plain(self, column: pa.Array) -> pa.Array:
        """A column in which decimals of more than 38 digits are texts."""
        return column.cast(pa.string()) if pa.types.is_decimal256(column.type) else column

    def schema(self, opened: Opened, sql: str) -> Sequence[Any]:
        """Return the columns of a query, without running it."""
        fields: Sequence[Any] = self._run(opened, sql, dry_run=True).schema
        return fields

    def cancel(self, opened: Opened) -> None:
        """Cancel the job on the server."""
        job = opened.job
        if job is not None:
            with suppress(OSError):
                job.cancel(retry=None)

    def _run(self, opened: Opened, sql: str, dry_run: bool = False) -> Any:
        """Start a job, whose times are in UTC whatever the defaults of a project."""
        utc = [self._library.ConnectionProperty(key="time_zone", value="UTC")]
        where = (self.address.options or {})["dataset"]
        config = self._library.QueryJobConfig(connection_properties=utc, dry_run=dry_run)
        if where:
            config.default_dataset = where
        retry = self._library.DEFAULT_RETRY.with_timeout(_SECONDS)
        opened.job = opened.client.query(sql, config, retry=retry, job_retry=None)
        return opened.job

    def said(self, error: Exception) -> Said:
        """Explain an error by its reason."""
        if isinstance(error, self._unanswered):
            said = f"no answer within {_SECONDS:g} s"
            return Said(said, said, type(error).__name__, transient=True)
        told: Sequence[Any] = getattr(error, "errors", None) or ()
        first = next((one for one in told if isinstance(one, dict)), {})
        reason = str(first.get("reason", ""))
        found = _SAID.match(str(first.get("message") or getattr(error, "message", None) or error))
        message = found[1] if found else str(error)
        names = reason in _ABOUT_NAMES or _PLACE.search(message) is not None
        check = _CHECK.match(message)
        return Said(
            f": {check[1]}" if check and not names else message,
            without_values(message, about_names=names),
            reason or type(error).__name__,
            stopped=reason == _STOPPED,
            final=reason in _FINAL or not told,
            transient=reason in _TRANSIENT,
        )


def read(url: str) -> Address:
    """Read a URL: ``bigquery://project/dataset?location=EU&billing_project=…&endpoint=https://…``.

    Who logs in is said by Google's application default credentials (``GOOGLE_APPLICATION_CREDENTIALS``, ``gcloud auth
    application-default login``, or the machine's service account), never by the URL. ``billing_project`` pays for the
    jobs, by default the project itself; ``endpoint`` is for private networks. Nobody logs in over ``http://``.

    Raises
    ------
    OptionError
        The URL is invalid; the message does not repeat it.
    """
    parts = split_url(url, None, _unreadable)
    given = dict(parts.given)
    if parts.user or parts.password or parts.port is not None:
        raise _unreadable("it has a user, a password or a port")
    if not parts.host:
        raise _unreadable("it names no project")
    found = {name: given.pop(name, "") for name in _OPTIONS}
    if given:
        raise _unreadable(f"it has an unknown option; there are: {', '.join(_OPTIONS)}")
    if found["endpoint"] and urlsplit(found["endpoint"]).scheme not in {"http", "https"}:
        raise _unreadable("endpoint is a URL, https://…")
    dataset = f"{parts.host}.{parts.database}" if parts.database else ""
    options = {
        "project": parts.host,
        "dataset": dataset,
        "billing": found["billing_project"] or parts.host,
        "location": found["location"],
        "endpoint": found["endpoint"],
    }
    return Address("", f"bigquery://{'/'.join(filter(None, (parts.host, parts.database)))}", (), options)


def _unreadable(problem: str) -> errors.OptionError:
    return errors.OptionError(
        f"the URL of the BigQuery project cannot be read: {problem}. It is bigquery://project/dataset?location=NAME; "
        "who logs in is said by GOOGLE_APPLICATION_CREDENTIALS, or by gcloud auth application-default login"
    )
