"""What a connection needs of the driver of a database."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote, unquote, urlsplit

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Address:
    """A database, as its driver takes it.

    ``shown`` is for messages; ``uri`` and ``options`` are what the driver is given.
    """

    uri: str
    shown: str
    secrets: tuple[str, ...] = ()
    options: Mapping[str, Any] | None = None

    def __repr__(self) -> str:
        return f"Address({self.shown!r})"

    def without_secrets(self, text: str) -> str:
        """Return a message of the server or driver with all passwords masked."""
        for secret in self.secrets:
            text = text.replace(secret, "***").replace(quote(secret, safe=""), "***")
        return text


@dataclass(frozen=True, slots=True)
class Url:
    """The parts of ``scheme://user:password@host:port/path?name=value``, unquoted; what is not there is empty.

    ``where`` is the host and the path as they were written, without the user.
    """

    scheme: str
    user: str
    password: str = field(repr=False)
    host: str
    port: int | None
    path: tuple[str, ...]
    given: dict[str, str]
    where: str

    @property
    def database(self) -> str:
        """The first part of the path."""
        return self.path[0] if self.path else ""


def split_url(
    url: str, password_in: str | None, unreadable: Callable[[str], Exception], most: int = 1, hosts: int = 1
) -> Url:
    """Split the URL of a database; without a password in it, that of the environment variable is used.

    Parameters
    ----------
    url
        As the user gave it.
    password_in
        The environment variable, None if the driver reads it itself.
    unreadable
        Makes the error to raise of what is wrong, which does not repeat the URL.
    most
        How many parts the path may have.
    hosts
        How many hosts, with a comma between them, each with a port of its own.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        raise unreadable("it is not a URL") from None
    login, _, host = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    servers = host.split(",")
    ports = [server.rpartition("]")[2].partition(":")[2] for server in servers]
    if not all(port == "" or (port.isdecimal() and int(port) < 65_536) for port in ports):
        raise unreadable("the port is not a number")
    path = [unquote(part) for part in parts.path.removeprefix("/").split("/")]
    if "@" in parts.path or "@" in parts.query or "/" in "".join(path) or parts.fragment:
        raise unreadable("there is an @ or a # after the host")
    if len(path) > most or len(servers) > hosts:
        raise unreadable("there is a / too many, or another host")
    pairs = [option.partition("=") for option in parts.query.split("&") if option]
    return Url(
        parts.scheme,
        unquote(user),
        unquote(password) or os.environ.get(password_in or "", ""),
        parts.hostname or "",
        int(ports[0]) if ports[0] else None,
        tuple(part for part in path if part),
        {unquote(name): unquote(value) for name, _, value in pairs},
        host + parts.path,
    )


@dataclass(frozen=True, slots=True)
class Said:
    """What an error of a driver means.

    ``message`` is the server's own, ``shown`` the same without values. ``lost`` says that the connection is gone,
    ``final`` that to connect again would only repeat the refusal.
    """

    message: str
    shown: str
    state: str = ""
    stopped: bool = False
    lost: bool = False
    final: bool = False
    transient: bool = False


@dataclass(frozen=True, slots=True)
class Reader:
    """The rows of a statement that has been started: ``following`` gives the next batch, or None at the end."""

    following: Callable[[], pa.RecordBatch | None]
    close: Callable[[], None]


class Driver(Protocol):
    """A driver; all methods but `cancel` are called in the one thread of a connection.

    ``begin`` starts a transaction that reads, ``begin_writing`` one that writes, both empty where there is none;
    ``settings`` are statements of sql/statements/ that each transaction begins with.
    """

    address: Address
    errors: tuple[type[Exception], ...]
    begin: str
    begin_writing: str
    settings: Sequence[str]

    def connect(self) -> Any:
        """Open a connection that commits each statement unless a transaction was begun."""

    def ask(self, opened: Any, sql: str, parameters: Sequence[Any] | None) -> list[dict[str, Any]]:
        """Return the few rows of a statement as dicts."""

    def start(self, opened: Any, sql: str, types: Sequence[str]) -> Reader:
        """Start a query, whose columns have these DuckDB types in the end."""

    def plain(self, column: pa.Array) -> pa.Array:
        """Return a column of a batch as DuckDB can read it."""

    def cancel(self, opened: Any) -> None:
        """Stop the statement of a connection; called from any thread."""

    def said(self, error: Exception) -> Said:
        """Explain an error."""
