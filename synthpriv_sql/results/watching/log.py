"""Logging of calls: a line when a part begins, with the seconds of the previous one, and every 30 seconds within."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping
from datetime import UTC, datetime

from synthpriv_sql.progress import Progress
from synthpriv_sql.visible import visible

logger = logging.getLogger("synthpriv_sql")
"""INFO: calls and their parts; DEBUG: statements. Logs contain values of options, but none of tables."""


class _Visible(logging.Filter):
    """Names in a log have no character that a terminal obeys."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = visible(record.getMessage()), ()
        return True


logger.addFilter(_Visible())


class AsJson(logging.Formatter):
    """Formats a record as a line of JSON: when, how grave, the message; of a call the function, parts and seconds."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        found = {"time": at, "level": record.levelname, "logger": record.name, "message": record.getMessage()}
        return json.dumps(found | getattr(record, _TOLD, {}), ensure_ascii=True)


EVERY = 30.0
"""Seconds between lines within a part."""
_TOLD = "synthpriv"
"""The attribute of records that has what their messages say, by name."""


class Logged:
    """Logs a call and its parts, and forwards progress.

    Parameters
    ----------
    function
        The name of the called function.
    others
        Another progress callback.
    """

    def __init__(self, function: str, others: Progress | None) -> None:
        self._function = function
        self._others = others
        self._since = self._said = time.monotonic()
        self._label = ""

    def __call__(self, done: int, total: int, label: str) -> None:
        """Report the progress of a part."""
        now = time.monotonic()
        if label != self._label:
            took = now - self._since
            before = f" ({self._label}: {took:.1f} s)" if self._label else ""
            told: dict[str, object] = {"function": self._function, "part": visible(label)}
            if self._label:
                told |= {"ended": visible(self._label), "seconds": round(took, 3)}
            logger.info("%s: %s%s", self._function, label, before, extra={_TOLD: told})
            self._label, self._since, self._said = label, now, now
        elif now - self._said >= EVERY and 0 < done < total:
            told = {"function": self._function, "part": visible(label), "done": round(done / total, 3)}
            told["seconds"] = round(now - self._since, 3)
            said = ("%s: %s, %.0f %% after %.0f s", self._function, label, 100 * done / total, now - self._since)
            logger.info(*said, extra={_TOLD: told})
            self._said = now
        if self._others is not None:
            self._others(done, total, label)

    def end(self, rows: int, seconds: Mapping[str, float]) -> None:
        """Log the end of the call and the durations of its parts."""
        parts = ", ".join(f"{part} {took:.1f} s" for part, took in seconds.items() if part != "total")
        told = {
            "function": self._function,
            "rows": rows,
            "seconds": round(seconds["total"], 3),
            "parts": {visible(part): round(took, 3) for part, took in seconds.items() if part != "total"},
        }
        said = ("%s: %d rows in %.1f s: %s", self._function, rows, seconds["total"], parts)
        logger.info(*said, extra={_TOLD: told})
