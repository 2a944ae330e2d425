"""The one family of errors: each names the table, the column, what was found and what to do."""

from __future__ import annotations

import errno
import re
from typing import TypeVar

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
    """Return a text with the passwords and tokens in it hidden: databases put what they were given into errors."""
    return _SECRETS.sub(lambda found: (found[1] or found[2] or found[3]) + "***", text)


_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_HELD = ("could not set lock on file", "being used by another process")
"""What DuckDB says of a file that is held, and what Windows says."""


def is_lock(error: BaseException) -> bool:
    """Whether a database file is held by another process."""
    return "IOException" in type(error).__name__ and any(words in str(error).lower() for words in _HELD)


def may_go_away(error: BaseException) -> bool:
    """Whether the same may succeed later: a file is locked, or a disk is full."""
    full = isinstance(error, OSError) and error.errno in _FULL
    return full or is_lock(error) or "no space left on device" in str(error).lower()


class SynthprivError(Exception):
    """Anything that stops an evaluation; its message says what to do, and holds no password."""

    transient: bool = False
    """Whether the same call may succeed later: a file is locked, a disk is full, a server cannot be reached."""

    def __init__(self, *message: object) -> None:
        super().__init__(*(without_secrets(part) if isinstance(part, str) else part for part in message))


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


class NotInDialect(SynthprivError):
    """A statement needs what a dialect of SQL does not have."""


class EmptyTable(SynthprivError):
    """A table that needs rows has none."""


class TooFew(SynthprivError):
    """A table has too few rows for what is asked."""


class UnitError(SynthprivError):
    """It is not said whose some rows are, or somebody has rows where they must not."""


class InfiniteValue(SynthprivError):
    """A numeric column holds infinite values, for which no distance is defined."""


class TooLarge(SynthprivError):
    """A result has more rows than can be handed over."""


class WriteError(SynthprivError):
    """A result could not be written; nothing was left half written."""


class EngineError(SynthprivError):
    """The database could not run the statement."""

    state: str = ""
    """Its SQLSTATE, where the database gives one."""


class ConnectionLost(EngineError):
    """The server, or the way to it, was gone before the end; a further call connects anew."""

    transient = True


class SynthesizerError(SynthprivError):
    """A synthesizer of the caller's failed, or gave what is no synthetic table of train."""


class DataWouldLeave(SynthprivError):
    """Rows would leave the engine, which the option ``pushdown`` rules out."""


class Cancelled(BaseException):
    """The evaluation was stopped before its end: `Stopped` by `Session.cancel`, or `Interrupted` by Ctrl-C."""


class Stopped(SynthprivError, Cancelled):
    """Somebody called `Session.cancel`."""


class Interrupted(KeyboardInterrupt, Cancelled):
    """Somebody pressed Ctrl-C: no `Exception`, so that a loop that goes on after errors ends."""


_Error = TypeVar("_Error", bound=SynthprivError)


class SynthprivWarning(UserWarning):
    """What a user should know about a result that is there nevertheless."""


_KINDS = {kind.__name__: kind for kind in SynthprivError.__subclasses__()}


def transient(error: _Error) -> _Error:
    """Say of an error that the same call may succeed later, and return it."""
    error.transient = True
    return error


def about(said: str, error: _Error) -> _Error:
    """Return an error of the same kind that says first what it is about."""
    found = type(error)(f"{said}: {error}")
    found.__dict__.update(error.__dict__)
    return found


def stopped() -> Stopped:
    """Return the error of a call that was cancelled."""
    return Stopped(_STOPPED)


def interrupted() -> Interrupted:
    """Return the error of a call that Ctrl-C has ended."""
    return Interrupted(_STOPPED)


_STOPPED = "stopped before the end; there is no result, and nothing was written"


def from_database(error: BaseException) -> SynthprivError | Interrupted:
    """Turn what DuckDB says back into the error that a function of ours raised inside it.

    Parameters
    ----------
    error
        As raised by DuckDB, or KeyboardInterrupt. Where a kernel function or a check in SQL stopped the statement, its
        text holds ``Kind: message``.

    Returns
    -------
    SynthprivError or Interrupted
        Of that kind with that message; a `Cancelled` where the statement was stopped; else an `EngineError` with
        DuckDB's own words.
    """
    import duckdb  # not before it is there anyway: the command line has errors too, and completes without it

    text = str(error)
    # Raised between two steps of a statement, inside a function of ours, or by the connection itself.
    if isinstance(error, KeyboardInterrupt) or "KeyboardInterrupt" in text:
        return interrupted()
    if isinstance(error, duckdb.InterruptException) or "Query interrupted" in text or ": Stopped: " in text:
        return stopped()
    for name, kind in _KINDS.items():
        # Most databases quote the text that could not be cast, and that is the message.
        for opening, closing in ((f": {name}: ", ""), (f': "{name}: ', '"')):
            if opening in text:
                # DuckDB 1 appends the Python frames that it came through.
                return kind(text.partition(opening)[2].partition("\n\nAt:")[0].strip().removesuffix(closing))
    return of_engine(error)


def of_engine(error: BaseException) -> EngineError:
    """Return what DuckDB says in its own words, as an error that may go away where that may."""
    failed = EngineError(str(error).strip())
    return transient(failed) if may_go_away(error) else failed
