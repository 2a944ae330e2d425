"""The HTTP interface of ClickHouse, by Python's own client: rows as Arrow, and errors by their numbers."""

from __future__ import annotations

import base64
import http.client
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pyarrow as pa
from sqlglot import exp

from synthpriv_sql import errors
from synthpriv_sql.engines.remote.driver import Address, Reader, Said, split_url
from synthpriv_sql.unsaid import without_values

_SETTINGS = {
    "default_format": "ArrowStream",
    "output_format_arrow_compression_method": "none",
    "wait_end_of_query": "1",  # otherwise an error may come after rows
    "session_timezone": "UTC",
    "enable_time_time64_type": "1",
}
_CHUNK = 1 << 20
_CANCELLED = 394
_REFUSED = frozenset({81, 192, 193, 194, 497, 516})
_TRANSIENT = frozenset({159, 202, 209, 210, 241, 242})
# Errors about names, rights and the text of a statement, not about values.
_ABOUT_NAMES = frozenset({36, 46, 47, 48, 57, 60, 62, 80, 81, 164, 179, 184, 207, 215, 352, 497, 516, _CANCELLED})
_SAID = re.compile(r"Code: (\d+)\. DB::Exception: (.*)", re.DOTALL)
_AFTER = re.compile(r" \([A-Z_0-9]+\)(?: \(version .*)?$|: While processing .*$|(?<=\.) Stack trace:.*$", re.DOTALL)
_CHECK = re.compile(r"Cannot parse string '((?:[^'\\]|\\.)*)' as Int64", re.DOTALL)


class Failed(Exception):
    """An error of the server."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass
class Client:
    """A server as a client sees it: each statement is a request, named by an id that another can stop it by."""

    address: Address
    running: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def send(self, sql: str, body: bytes = b"") -> http.client.HTTPResponse:
        """Send a statement; with rows after it, they are its ``body``."""
        self.running = uuid4().hex
        asked = _SETTINGS | {"query_id": self.running} | self._options()
        if body:
            asked["query"] = sql
        return _answered(self._opened(), asked, self.headers, body or sql.encode())

    def stop(self) -> None:
        """Stop the statement that runs; called from another thread."""
        if not self.running:
            return
        which = exp.column("query_id").eq(exp.Literal.string(self.running)).sql("clickhouse")
        sql = exp.Command(this="KILL QUERY WHERE", expression=which).sql("clickhouse")
        _answered(self._opened(), self._options(), self.headers, sql.encode()).read()

    def close(self) -> None:
        """Nothing is open between two statements."""

    def _options(self) -> dict[str, str]:
        database = (self.address.options or {}).get("database")
        return {"database": database} if database else {}

    def _opened(self) -> http.client.HTTPConnection:
        options = self.address.options or {}
        kind = http.client.HTTPSConnection if options["secure"] else http.client.HTTPConnection
        return kind(options["host"], options["port"], timeout=options["timeout"])


def _answered(
    connection: http.client.HTTPConnection, asked: Mapping[str, str], headers: Mapping[str, str], body: bytes
) -> http.client.HTTPResponse:
    try:
        connection.request("POST", "/?" + urlencode(asked), body, dict(headers))
        response = connection.getresponse()
    except http.client.HTTPException as error:
        raise ConnectionError(type(error).__name__) from None
    if response.status == http.client.OK:
        return response
    said = response.read().decode(errors="replace")
    found = _SAID.search(said)
    raise Failed(int(found[1]) if found else 0, found[2] if found else f"HTTP status {response.status}")


class ClickHouseDriver:
    """The driver, for a server. ClickHouse has no transactions: nothing is sent for those of a connection."""

    begin = ""
    begin_writing = ""
    settings: Sequence[str] = ()
    errors: tuple[type[Exception], ...] = (Failed,)

    def __init__(self, address: Address) -> None:
        self.address = address

    def connect(self) -> Client:
        """Return a client of a server that answers."""
        options = self.address.options or {}
        login = base64.b64encode(f"{options['user']}:{options['password']}".encode()).decode()
        client = Client(self.address, headers={"Authorization": f"Basic {login}"})
        self.ask(client, exp.select(exp.Literal.number(1)).sql("clickhouse"), None)
        return client

    def ask(self, opened: Client, sql: str, parameters: Sequence[Any] | None) -> list[dict[str, Any]]:
        """Return the few rows of a statement as dicts; it has no parameters."""
        assert parameters is None
        content = opened.send(sql).read()
        if not content:
            return []
        table = pa.ipc.open_stream(content).read_all()
        rows: list[dict[str, Any]] = pa.table([*map(self.plain, table.columns)], table.column_names).to_pylist()
        return rows

    def start(self, opened: Client, sql: str, types: Sequence[str]) -> Reader:
        """Start a query; the server says the types of its rows."""
        response = opened.send(sql)
        reader = pa.ipc.open_stream(response)

        def close() -> None:
            with suppress(OSError):
                response.close()

        return Reader(lambda: next(reader, None), close)

    def plain(self, column: pa.Array) -> pa.Array:
        """A column in which integers of 128 bits, which come as bytes, are decimals."""
        if not pa.types.is_fixed_size_binary(column.type):
            return column
        numbers = [None if v is None else Decimal(int.from_bytes(v, "little", signed=True)) for v in column.to_pylist()]
        return pa.array(numbers, pa.decimal128(38, 0))

    def cancel(self, opened: Client) -> None:
        """Stop the statement, by another request."""
        with suppress(OSError):
            opened.stop()

    def said(self, error: Exception) -> Said:
        """Explain an error by its number."""
        if not isinstance(error, Failed):
            return Said(str(error) or type(error).__name__, "the network failed", lost=True, transient=True)
        message, code = _AFTER.sub("", str(error)), error.code
        check = _CHECK.search(message)
        if check is not None:
            message = ": " + re.sub(r"\\(.)", r"\1", check[1])
        return Said(
            message,
            without_values(message, about_names=code in _ABOUT_NAMES),
            str(code),
            stopped=code == _CANCELLED,
            final=code in _REFUSED,
            transient=code in _TRANSIENT,
        )


def insert(opened: Client, sql: str, table: pa.Table) -> None:
    """Send the rows of a table for an INSERT."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    opened.send(f"{sql} FORMAT ArrowStream", sink.getvalue().to_pybytes()).read()


def read(url: str) -> Address:
    """Read a URL: ``clickhouse://user:password@host:port/database?secure=1``.

    ``secure=1`` is HTTPS, at port 8443 if none is named (8123 otherwise), ``timeout`` the seconds that an answer may
    take, by default an hour. Without a password in the URL, that of CLICKHOUSE_PASSWORD is used.

    Raises
    ------
    OptionError
        The URL is invalid; the message does not repeat it.
    """
    parts = split_url(url, "CLICKHOUSE_PASSWORD", _unreadable)
    given = parts.given
    secure, seconds = given.pop("secure", "0"), given.pop("timeout", "3600")
    if given:
        raise _unreadable("it has an unknown option; there are: secure, timeout")
    if secure not in {"0", "1"} or not seconds.isdecimal():
        raise _unreadable("secure is 0 or 1, and timeout a number of seconds")
    host = parts.host or "localhost"
    options = {
        "host": host,
        "port": parts.port or (8443 if secure == "1" else 8123),
        "user": parts.user or "default",
        "password": parts.password,
        "database": parts.database,
        "secure": secure == "1",
        "timeout": int(seconds),
    }
    shown = f"clickhouse://{host}:{options['port']}/{parts.database}"
    return Address("", shown, (parts.password,) if parts.password else (), options)


def _unreadable(problem: str) -> errors.OptionError:
    return errors.OptionError(
        f"the URL of the ClickHouse database cannot be read: {problem}. It is clickhouse://user@host:port/database; "
        "in a password the characters : / @ ? # % are percent-encoded, or it is given in CLICKHOUSE_PASSWORD"
    )
