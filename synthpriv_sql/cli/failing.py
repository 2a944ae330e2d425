"""What an error says to a user of the command line, and its exit code."""

from __future__ import annotations

from pathlib import Path
from traceback import extract_tb

import click

from synthpriv_sql import errors
from synthpriv_sql.version import __version__

_NOT_EVALUATED = (errors.EngineError, errors.Stopped, errors.SynthesizerError)
_USAGE = 2


def said_of(error: BaseException) -> tuple[str, int]:
    """Return the message of an error, on one line, and the exit code, 1 only for broken conditions."""
    if isinstance(error, click.ClickException):
        return error.format_message(), _USAGE
    if isinstance(error, KeyboardInterrupt):
        error = errors.stopped()
    if isinstance(error, errors.SynthprivError):
        message = " ".join(str(error).split("\n"))
        return message, 4 if error.transient else 3 if isinstance(error, _NOT_EVALUATED) else 2
    assert isinstance(error, Exception)
    return _unexpected(error), 4 if errors.may_go_away(error) else 3


def _unexpected(error: Exception) -> str:
    """Message of an unexpected error: its kind and place, but not its text, which may hold values."""
    if isinstance(error, OSError) and error.strerror:
        return f"the system reported an error: {error.strerror}" + (f' ("{error.filename}")' if error.filename else "")
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    here = Path(__file__).parents[1]
    places = [frame for frame in extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(here)]
    at = f", {Path(places[-1].filename).relative_to(here)} line {places[-1].lineno}" if places else ""
    return (
        f"this is a fault of synthpriv {__version__} ({type(error).__name__}{at}); there is no result. Please report "
        "it with the command, but without data"
    )
