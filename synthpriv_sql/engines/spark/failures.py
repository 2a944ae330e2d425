"""Errors of Spark in one line, and the errors of this package inside them."""

from __future__ import annotations

import re
import traceback

from synthpriv_sql import errors
from synthpriv_sql.unsaid import without_values

_LOST = (
    "the Spark session is gone: it was stopped, or its driver or the connection to it was lost. Nothing was written. "
    "Start a session and call synthpriv_sql.spark(session) on it"
)
_KINDS = {kind.__name__: kind for kind in errors.SynthprivError.__subclasses__()}
# As RAISE_ERROR and Python tracebacks write it, not as part of a statement that Spark quotes.
_RAISED = re.compile(rf"(?:\] |^synthpriv_sql\.errors\.)({'|'.join(_KINDS)}): (.*)", re.MULTILINE)
_CANCELLED = re.compile(r"OPERATION_CANCELED|SPARK_JOB_CANCELLED|cancelled job tags")
_GONE = (
    "stopped SparkContext",
    "SparkContext was shut down",
    "SparkContext has been shutdown",
    "No active session",
    "NO_ACTIVE_SESSION",
    "StatusCode.UNAVAILABLE",
)
_MISSING = re.compile(r"(?:ModuleNotFoundError|ImportError): (.+)")


def from_spark(error: BaseException) -> errors.SynthprivError:
    """Turn an error of Spark into one of this package: that of a check that failed inside Spark, if there is one."""
    if isinstance(error, errors.SynthprivError):
        return error
    text = str(error)
    if _CANCELLED.search(text) or "cancelled" in _first_line(text):
        return errors.stopped()
    if is_lost(error):
        return errors.ConnectionLost(_LOST)
    raised = _RAISED.search(text)
    if raised:
        return _KINDS[raised[1]](raised[2].partition(" SQLSTATE:")[0].strip())
    missing = _MISSING.search(text)
    if missing:
        return errors.EngineError(
            f"the Python of Spark's executors lacks a package ({missing[1]}): install synthpriv-sql there, or ship it "
            "with spark.submit.pyFiles or spark.archives (docs/engines/spark.md)"
        )
    return errors.EngineError(f"Spark could not run this: {words(error)}")


def is_lost(error: BaseException) -> bool:
    """Whether the session is lost."""
    text = str(error)
    kind = type(error).__name__
    return (
        kind in {"Py4JNetworkError", "ConnectionRefusedError", "ConnectionResetError", "EOFError"}
        or (isinstance(error, AttributeError) and "NoneType" in text and _raised_in_pyspark(error))
        or any(words in text for words in _GONE)
    )


def _raised_in_pyspark(error: BaseException) -> bool:
    """Whether an error was raised by PySpark's code."""
    frames = list(traceback.walk_tb(error.__traceback__))
    return bool(frames) and str(frames[-1][0].f_globals.get("__name__")).startswith(("pyspark.", "py4j."))


def words(error: BaseException) -> str:
    """Spark's message without the plan, the stack and the position in the SQL, and without values."""
    text = str(error)
    if "Traceback (most recent call last)" in text:
        # The last line of a Python traceback holds the message.
        text = [line for line in text.splitlines() if line.strip()][-1]
    said = _first_line(text).partition(" SQLSTATE:")[0].rstrip(".;: ")
    return without_values(said) if said else type(error).__name__


def _first_line(text: str) -> str:
    """The first line of Spark's message, without the lines that py4j adds."""
    lines = (line.strip() for line in text.splitlines())
    return next(
        (line.removeprefix(": ") for line in lines if line and "An error occurred while calling" not in line), ""
    )
