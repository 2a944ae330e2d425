"""A DuckDB server over Quack, DuckDB's own protocol: an in-memory DuckDB with the extension is the driver.

Statements go to the server as they are (``quack_query_by_name``), all in one session there, so a transaction that was
begun by a statement holds for the next ones. Tables are written through the attached server, whose transactions are
those of the client.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Thread
from typing import Any, TypeVar

import duckdb
import pyarrow as pa
from sqlglot import exp

from synthpriv_sql import errors
from synthpriv_sql.engines.duckdb.opening import open_database
from synthpriv_sql.engines.remote.driver import Address, Reader, Said, split_url
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.unsaid import of_duckdb

T = TypeVar("T")

SERVER = "synthpriv_server"
"""The name that the server is attached by."""
_EXTENSIONS = ("httpfs", "quack")
_BATCH_ROWS = 100_000
_TICK = 0.05  # seconds between checks for cancellation
_LOST = ("Failed to send message", "Invalid connection id")  # the server is gone; another has its place
_WITHOUT_SSL = "disable_ssl"
_TOLD = "Invalid Input Error: "
"""How each error of the server begins: the client does not tell its kind."""
_OF_NAMES = re.compile(
    r"(?:[A-Z]\w+ )+with name .+ (?:does not|already) exist|Referenced (?:column|table) |syntax error "
    r"|Ambiguous reference |No function matches |Table \".+\" does not have |Cannot write to database "
    r"|Authentication failed"
)
"""What DuckDB says of names and rights, never of values."""
_TIMES_WITH_OFFSET = "TIME WITH TIME ZONE"


class _Stopped(Exception):
    """The statement was left; the server finishes it."""


class _Left(Exception):
    """The connection waits for a statement that was left."""


@dataclass
class Opened:
    """A connection to the server.

    Parameters
    ----------
    connection
        The DuckDB that the server is attached to.
    writing
        Whether a transaction of the client is open, in which the attached server is written to.
    left
        Set when the running statement is to be left.
    """

    connection: duckdb.DuckDBPyConnection
    writing: bool = False
    left: Event = field(default_factory=Event)

    def close(self) -> None:
        """Close it; one with a statement that was left closes when the server has answered."""
        if not self.left.is_set():
            self.connection.close()


class QuackDriver:
    """The driver, for a server.

    Raises
    ------
    OptionError
        DuckDB's extension is not installed.
    """

    begin = catalog.statement("read_only")
    begin_writing = exp.Transaction().sql("duckdb")
    settings: Sequence[str] = ()
    errors: tuple[type[Exception], ...] = (duckdb.Error, _Stopped, _Left)

    def __init__(self, address: Address) -> None:
        self.address = address

    def connect(self) -> Opened:
        """Attach the server, which checks the token."""
        connection = open_database()
        try:
            load(connection)
            options = [exp.AttachOption(this=exp.var("TYPE"), expression=exp.var("quack"))]
            options += [
                exp.AttachOption(this=exp.var(name), expression=exp.convert(value))
                for name, value in (self.address.options or {}).items()
            ]
            named = exp.alias_(exp.Literal.string(self.address.uri), SERVER)
            connection.execute(exp.Attach(this=named, expressions=options).sql("duckdb"))
        except BaseException:
            connection.close()
            raise
        return Opened(connection)

    def ask(self, opened: Opened, sql: str, parameters: Sequence[Any] | None) -> list[dict[str, Any]]:
        """Return the few rows of a statement as dicts."""
        if sql == self.begin_writing:
            opened.connection.execute(sql)
            opened.writing = True
            return []
        if opened.writing and sql in {exp.Commit().sql(), exp.Rollback().sql()}:
            opened.writing = False
            opened.connection.execute(sql)
            return []
        assert not parameters, "the protocol has none"

        def run() -> list[dict[str, Any]]:
            ran = opened.connection.execute(catalog.statement("quack_ask"), [SERVER, sql])
            names = [name for name, *_ in ran.description or ()]
            return [dict(zip(names, row, strict=True)) for row in ran.fetchall()]

        return _leavable(opened, run)

    def start(self, opened: Opened, sql: str, types: Sequence[str]) -> Reader:
        """Start a query; Arrow has all types but a time of day with an offset, which comes as text."""

        def run() -> Any:
            asked = opened.connection.sql(catalog.statement("quack_ask"), params=[SERVER, sql])
            read = [exp.column(name, quoted=True) for name in asked.columns]
            columns = [
                exp.cast(column, "VARCHAR") if str(type_) == _TIMES_WITH_OFFSET else column
                for column, type_ in zip(read, asked.types, strict=True)
            ]
            return asked.project(", ".join(column.sql("duckdb") for column in columns)).to_arrow_reader(_BATCH_ROWS)

        reader = _leavable(opened, run)

        def close() -> None:
            if not opened.left.is_set():
                reader.close()

        return Reader(lambda: _leavable(opened, lambda: next(reader, None)), close)

    def plain(self, column: pa.Array) -> pa.Array:
        """The column itself."""
        return column

    def cancel(self, opened: Opened) -> None:
        """Leave the statement: the server cannot be told to stop it."""
        opened.left.set()
        opened.connection.interrupt()

    def said(self, error: Exception) -> Said:
        """Explain an error by its message."""
        message, *_ = str(error).split("\n")
        return Said(
            message,
            _without_values(message),
            type(error).__name__,
            stopped=isinstance(error, _Stopped),
            lost=isinstance(error, _Left) or any(words in message for words in _LOST),
            final="Authentication failed" in message,
        )


def _without_values(message: str) -> str:
    """Return what the server says without values, by the text that follows."""
    told = message.removeprefix(_TOLD)
    if _OF_NAMES.match(told):
        return told
    return of_duckdb(f"Conversion Error: {told}" if told.startswith("Could not convert ") else message)


def _leavable(opened: Opened, function: Callable[[], T]) -> T:
    """Return what a function returns, unless it is to be left before: its thread then ends with the server's answer."""
    if opened.left.is_set():
        raise _Left("a statement before was left")
    found: list[T] = []
    failed: list[BaseException] = []
    done = Event()

    def run() -> None:
        try:
            found.append(function())
        except BaseException as error:
            failed.append(error)
        finally:
            done.set()

    Thread(target=run, name="synthpriv-quack", daemon=True).start()
    while not done.wait(_TICK):
        if opened.left.is_set():
            raise _Stopped("the statement was left")
    if failed:
        raise failed[0]
    return found[0]


def load(connection: duckdb.DuckDBPyConnection) -> None:
    """Load the extension, and the one that it needs.

    Raises
    ------
    OptionError
        One of them is not installed.
    """
    for name in _EXTENSIONS:
        _load(connection, name)


def _package(name: str) -> str:
    """Return the package of an extension, whose version is that of DuckDB."""
    return f"duckdb-extension-{name}=={duckdb.__version__}"


def _load(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    """Load an extension: from its package, which DuckDB 1.5 has, or from where DuckDB has installed it."""
    package = find_spec(f"duckdb_extension_{name}")
    found: str | Path = name
    for folder in (package.submodule_search_locations or ()) if package else ():
        file = Path(folder) / "extensions" / f"v{duckdb.__version__}" / f"{name}.duckdb_extension"
        found = file if file.is_file() else found
    try:
        connection.load_extension(str(found))
    except duckdb.Error as error:
        raise errors.OptionError(
            f"duckdb+quack:// needs DuckDB's extension {name}, which cannot be loaded "
            f"({of_duckdb(str(error).partition(chr(10))[0]).rstrip('.')}): run INSTALL {name} in DuckDB "
            f"{duckdb.__version__}, or, with DuckDB 1.5, pip install {' '.join(map(_package, _EXTENSIONS))}"
        ) from None


def read(url: str) -> Address:
    """Read a URL: ``duckdb+quack://:token@host:port``, where the port is by default DuckDB's own.

    Without a token in the URL, that of QUACK_TOKEN is used. ``?disable_ssl=true`` connects to another host than this
    one without encryption.

    Raises
    ------
    OptionError
        The URL is invalid; the message does not repeat it.
    """
    parts = split_url(url, "QUACK_TOKEN", _unreadable)
    if not parts.host or parts.user or parts.path or set(parts.given) - {_WITHOUT_SSL}:
        raise _unreadable("it names no host, or a user, a path or another option")
    plain = parts.given.get(_WITHOUT_SSL, "false").lower()
    if plain not in {"true", "false"}:
        raise _unreadable(f"{_WITHOUT_SSL} is neither true nor false")
    host = f"[{parts.host}]" if ":" in parts.host else parts.host
    where = host + (f":{parts.port}" if parts.port else "")
    options: dict[str, Any] = {"TOKEN": parts.password} if parts.password else {}
    if plain == "true":
        options["DISABLE_SSL"] = True
    return Address(f"quack:{where}", f"duckdb+quack://{where}", (parts.password,) if parts.password else (), options)


def _unreadable(problem: str) -> errors.OptionError:
    return errors.OptionError(
        f"the URL of the DuckDB server cannot be read: {problem}. It is duckdb+quack://host:port, with the token in "
        f"QUACK_TOKEN, or before an @, percent-encoded; it has one option, ?{_WITHOUT_SSL}=true"
    )
