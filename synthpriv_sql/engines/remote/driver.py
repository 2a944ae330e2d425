"""What a connection needs of the driver of a database."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import parse_qsl, quote, unquote, urlsplit

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
    """The parts of ``scheme://user:password@host:port/database?name=value``, unquoted; what is not there is empty."""

    scheme: str
    user: str
    password: str = field(repr=False)
    host: str
    port: int | None
    database: str
    given: dict[str, str]


def split_url(url: str, password_in: str, unreadable: Callable[[str], Exception]) -> Url:
    """Split the URL of a database; without a password in it, that of the environment variable is used.

    Parameters
    ----------
    url
        As the user gave it.
    password_in
        The environment variable.
    unreadable
        Makes the error to raise of what is wrong, which does not repeat the URL.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise unreadable("it is not a URL, or its port is no number") from None
    database = unquote(parts.path.removeprefix("/"))
    if "@" in database or "/" in database or parts.fragment:
        raise unreadable("there is an @, a / or a # after the host")
    login, _, _ = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    password = unquote(password) or os.environ.get(password_in, "")
    given = dict(parse_qsl(parts.query))
    return Url(parts.scheme, unquote(user), password, parts.hostname or "", port, database, given)


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

    ``begin`` starts a transaction that reads, ``begin_writing`` one that writes; ``settings`` are statements of
    sql/statements/ that each transaction begins with.
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
