"""The errors of the package: each names the table, the column, the problem and the remedy."""

from __future__ import annotations

import errno
import re
from typing import TypeVar

from synthpriv_sql.unsaid import of_duckdb, without_labels
from synthpriv_sql.visible import visible

# name=value and name := value, as libpq, URLs and settings have it; PASSWORD 'value', as SQL has it; //user:value@host
_SECRETS = re.compile(
    r"""(?ix)
        ( (?: password | passwd | pwd | passphrase | token | sig | signature | credentials? | api[._-]?key
            | secret(?:[._-]?key)? | access[._-]?key(?:[._-]?id)? | account[._-]?key[\w.]* ) (?:["']\s*:|\s*:?=)\s* )
        (?: ''(?:[^'])*'' | '(?:[^'\\]|\\.|'')*' | "(?:[^"\\]|\\.)*" | [^\s'"]+ )
      | ( \b(?:password|token|secret|key_id)\s+ ) '(?:[^']|'')*'
      | ( ://[^\s/:@]*: ) [^\s/]+ (?=@) """
)


def without_secrets(text: str) -> str:
    """Return a text with its passwords and tokens hidden: databases repeat their input in errors."""
    return _SECRETS.sub(lambda found: (found[1] or found[2] or found[3]) + "***", text)


_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_NO_SPACE = "failed to offload data block"
"""DuckDB's message if neither memory nor temporary files have space."""
_HELD = ("could not set lock on file", "being used by another process")
"""Messages of DuckDB and of Windows about a locked file."""


def is_lock(error: BaseException) -> bool:
    """Whether another process has locked a database file."""
    return "IOException" in type(error).__name__ and any(words in str(error).lower() for words in _HELD)


def may_go_away(error: BaseException) -> bool:
    """Whether a retry may succeed: a file is locked, or a disk is full."""
    full = isinstance(error, OSError) and error.errno in _FULL
    return full or is_lock(error) or "no space left on device" in str(error).lower()


def _shown(text: str) -> str:
    return visible(without_secrets(without_labels(text)))


class SynthprivError(Exception):
    """Any error of an evaluation; its message says what to do, and contains no password and no control character."""

    transient: bool = False
    """Whether a retry may succeed: a file is locked, a disk is full, a server cannot be reached."""

    def __init__(self, *message: object) -> None:
        super().__init__(*(_shown(part) if isinstance(part, str) else part for part in message))


class UnknownTable(SynthprivError):
    """A relation cannot be found or read."""


class UnknownColumn(SynthprivError):
    """An option names a column that the table does not have."""


class ColumnMismatch(SynthprivError):
    """The tables do not share the columns to compare."""


class RoleError(SynthprivError):
    """A column cannot be compared: its type has no distance, or two tables disagree about it."""


class OptionError(SynthprivError, ValueError):
    """An option is unknown, or its value is out of range."""


class BrokenFile(SynthprivError, ValueError):
    """A file of sql/ contradicts its header, or calls a file that does not exist."""


class NotInDialect(SynthprivError):
    """A statement needs a feature that a dialect of SQL lacks."""


class EmptyTable(SynthprivError):
    """A table that needs rows has none."""


class TooFew(SynthprivError):
    """A table has too few rows for the call."""


class UnitError(SynthprivError):
    """Rows lack a unit, or a unit has rows where it must not."""


class InfiniteValue(SynthprivError):
    """A numeric column contains infinite values, for which no distance is defined."""


class TooLarge(SynthprivError):
    """A result has more rows than can be transferred."""


class WriteError(SynthprivError):
    """A result could not be written; no partial output was left."""


class EngineError(SynthprivError):
    """The database could not run the statement."""

    state: str = ""
    """The SQLSTATE, if the database reports one."""


class ConnectionLost(EngineError):
    """The connection to the server was lost; the next call reconnects."""

    transient = True


class SynthesizerError(SynthprivError):
    """The caller's synthesizer failed, or did not return a valid synthetic table."""


class DataWouldLeave(SynthprivError):
    """Rows would leave the engine, which the option ``pushdown`` forbids."""


class Cancelled(BaseException):
    """The evaluation was stopped: `Stopped` by `Session.cancel`, or `Interrupted` by Ctrl-C."""


class Stopped(SynthprivError, Cancelled):
    """`Session.cancel` was called."""


class Interrupted(KeyboardInterrupt, Cancelled):
    """Ctrl-C was pressed. Not an `Exception`, so that loops that catch errors end."""


_Error = TypeVar("_Error", bound=SynthprivError)


class SynthprivWarning(UserWarning):
    """A caveat about a result."""

    def __init__(self, *message: object) -> None:
        super().__init__(*(_shown(part) if isinstance(part, str) else part for part in message))


_KINDS = {kind.__name__: kind for kind in SynthprivError.__subclasses__()}


def transient(error: _Error) -> _Error:
    """Mark an error as transient, and return it."""
    error.transient = True
    return error


def about(said: str, error: _Error) -> _Error:
    """Return an error of the same kind with a prefix that names its subject."""
    found = type(error)(f"{said}: {error}")
    found.__dict__.update(error.__dict__)
    return found


def stopped() -> Stopped:
    """Return the error of a call that was cancelled."""
    return Stopped(_STOPPED)


def interrupted() -> Interrupted:
    """Return the error of a call that Ctrl-C interrupted."""
    return Interrupted(_STOPPED)


_STOPPED = "stopped before the end; there is no result, and nothing was written"


def not_written(what: object, error: BaseException) -> WriteError:
    """Say that a file or standard output was not written, and why, without the lists of DuckDB's threads that write."""
    why = "no space left on device" if "no space left on device" in str(error).lower() else str(error)
    failed = WriteError(f"{what} was not written: {why}")
    return transient(failed) if may_go_away(error) else failed


def from_database(error: BaseException) -> SynthprivError | Interrupted:
    """Recover the error that a kernel function raised inside DuckDB.

    Parameters
    ----------
    error
        The error raised by DuckDB, or KeyboardInterrupt. If a kernel function or a check in SQL stopped the statement,
        its text contains ``Kind: message``.

    Returns
    -------
    SynthprivError or Interrupted
        An error of that kind with that message; a `Cancelled` if the statement was stopped; otherwise an `EngineError`
        with DuckDB's message, without values.
    """
    import duckdb  # imported lazily: the command line needs this module, but completion does not need DuckDB

    text = str(error)
    # Raised between two steps of a statement, inside a kernel function, or by the connection itself.
    if isinstance(error, KeyboardInterrupt) or "KeyboardInterrupt" in text:
        return interrupted()
    if isinstance(error, duckdb.InterruptException) or "Query interrupted" in text or ": Stopped: " in text:
        return stopped()
    for name, kind in _KINDS.items():
        # Checks in SQL fail by casting the message; most databases quote the text that could not be cast.
        for opening, closing in ((f": {name}: ", ""), (f': "{name}: ', '"')):
            if opening in text:
                # DuckDB 1 appends the Python traceback.
                return kind(text.partition(opening)[2].partition("\n\nAt:")[0].strip().removesuffix(closing))
    return of_engine(error)


def of_engine(error: BaseException) -> EngineError:
    """Wrap a DuckDB error, marked as transient if a retry may succeed."""
    text = str(error)
    if _NO_SPACE in text:
        what, *_ = text.split("\n")
        where = "the directory of temporary files (temp_directory)"
        return transient(EngineError(f"{what.rstrip('.')}: {where} has no space left"))
    # What follows is a stack trace, advice to report the error to DuckDB, or a line of the statement.
    said = re.split(r"\n+(?:Stack Trace:|This error signals|LINE \d+:)", text)[0]
    failed = EngineError(of_duckdb(said.strip()))
    return transient(failed) if may_go_away(error) else failed
