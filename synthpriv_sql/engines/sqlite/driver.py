"""SQLite as Python has it; docs/decisions/0008-engines.md says why not over ADBC."""

from __future__ import annotations

import math
import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, unquote

import pyarrow as pa
from sqlglot import exp

from synthpriv_sql import errors
from synthpriv_sql.engines.remote import rows
from synthpriv_sql.engines.remote.driver import Address, Reader, Said
from synthpriv_sql.unsaid import without_values

_OLDEST = (3, 39)
_PREFIX = "sqlite://"
_STOPPED = re.compile(r"(?:bad JSON path: |JSON path error near )'(.*)'", re.DOTALL)
_ABOUT_NAMES = re.compile(
    r"no such |near |ambiguous column|unrecognized token|table |view |incomplete input|file is not a database"
    r"|unable to open|database is locked|database table is locked|attempt to write a readonly|interrupted|disk I/O"
)


class SQLiteDriver:
    """A database file.

    Raises
    ------
    EngineError
        Python's SQLite is too old.
    """

    begin = exp.Transaction().sql("sqlite")
    begin_writing = exp.Transaction(this="IMMEDIATE").sql("sqlite")
    settings: Sequence[str] = ()
    errors: tuple[type[Exception], ...] = (sqlite3.Error,)

    def __init__(self, address: Address) -> None:
        if sqlite3.sqlite_version_info < _OLDEST:
            raise errors.EngineError(
                f"the SQLite of this Python is {sqlite3.sqlite_version}, and 3.39 is the oldest that will do: a newer "
                "Python has a newer one"
            )
        self.address = address

    def connect(self) -> Any:
        """Open the file, which must be there, and look into it."""
        opened = sqlite3.connect(
            self.address.uri, uri=True, isolation_level=None, check_same_thread=False, **(self.address.options or {})
        )
        try:
            try:
                rows.ask(opened.cursor(), exp.select(exp.Sqrt(this=exp.Literal.number(1))).sql("sqlite"), None)
            except sqlite3.OperationalError:
                add_mathematics(opened)
            rows.ask(opened.cursor(), exp.Pragma(this=exp.var("schema_version")).sql("sqlite"), None)
        except BaseException:
            opened.close()
            raise
        return opened

    def ask(self, opened: Any, sql: str, parameters: Sequence[Any] | None) -> list[dict[str, Any]]:
        """Return the few rows of a statement as dicts."""
        return rows.ask(opened.cursor(), sql, parameters)

    def start(self, opened: Any, sql: str, types: Sequence[str]) -> Reader:
        """Start a query."""
        return rows.start(opened.cursor(), sql, types)

    def plain(self, column: pa.Array) -> pa.Array:
        """The column itself."""
        return column

    def cancel(self, opened: Any) -> None:
        """Interrupt the statement."""
        opened.interrupt()

    def said(self, error: Exception) -> Said:
        """Explain an error by its message, in English always."""
        message, name = str(error), getattr(error, "sqlite_errorname", None) or type(error).__name__
        ours = _STOPPED.search(message)
        if ours is not None:
            message = ": " + ours[1].replace("''", "'")
        return Said(
            message,
            without_values(message, about_names=_ABOUT_NAMES.match(message) is not None),
            name,
            stopped=name == "SQLITE_INTERRUPT",
            final=not name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")),
            transient=name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")),
        )


def read(url: str, read_only: bool) -> Address:
    """Read a URL: ``sqlite:///relative/path.db`` or ``sqlite:////absolute/path.db``, percent-encoded if necessary.

    ``?timeout=30`` waits as many seconds for a lock, by default 5.

    Raises
    ------
    OptionError
        It names no file.
    UnknownTable
        There is no such file.
    """
    rest = url.removeprefix(_PREFIX)
    named, _, asked = rest.removeprefix("/").partition("?")
    path, options = Path(unquote(named)), dict(parse_qsl(asked))
    if not rest.startswith("/") or not path.name or path.name == ":memory:":
        raise errors.OptionError(
            "the URL of a SQLite database names a file: sqlite:///relative/path.db, or with four slashes "
            "sqlite:////absolute/path.db"
        )
    if not path.is_file():
        more = "" if path.is_absolute() else " here; an absolute path has four slashes: sqlite:////absolute/path.db"
        raise errors.UnknownTable(f'there is no database file "{path}"{more}')
    seconds = options.pop("timeout", "5")
    if options or not seconds.isdecimal():
        raise errors.OptionError("the URL of a SQLite database has one option: ?timeout=SECONDS")
    mode = "ro" if read_only else "rw"
    return Address(
        f"file:{quote(str(path.absolute()))}?mode={mode}", f"sqlite:///{path}", options={"timeout": int(seconds)}
    )


def add_mathematics(opened: Any) -> None:
    """Add the functions of mathematics, which are an option of SQLite's build."""
    for name, compute in _MATHEMATICS.items():
        opened.create_function(name, 2 if name == "power" else 1, _or_null(compute), deterministic=True)


_MATHEMATICS: Mapping[str, Callable[..., Any]] = {
    "ceil": math.ceil,
    "exp": math.exp,
    "floor": math.floor,
    "ln": math.log,
    "power": math.pow,
    "sign": lambda value: (value > 0) - (value < 0),
    "sqrt": math.sqrt,
}


def _or_null(compute: Callable[..., Any]) -> Callable[..., Any]:
    """NULL of NULL, and where there is no number."""

    def computed(*given: Any) -> Any:
        try:
            return None if None in given else compute(*given)
        except ValueError:
            return None
        except OverflowError:
            return math.inf if compute in {math.exp, math.pow} else given[0]

    return computed


def version(opened: Any) -> tuple[int, int]:
    """Return what changes when somebody, or this connection itself, has written into the file."""
    (row,) = opened.execute(exp.Pragma(this=exp.var("data_version")).sql("sqlite")).fetchall()
    return row[0], opened.total_changes
