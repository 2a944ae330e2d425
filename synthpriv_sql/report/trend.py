"""The runs of a history as lines of a table: when, what, and how it was judged."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from synthpriv_sql.engines.base import Answer
from synthpriv_sql.errors import OptionError
from synthpriv_sql.report.evaluation import Evaluation
from synthpriv_sql.results.checks.numbers import LEVELS
from synthpriv_sql.results.checks.runs import Kept, runs_of
from synthpriv_sql.results.result import Result

_LEVEL = "false_discovery"
_SHOWN = 35
"""The maximum number of earlier runs on a page."""
_TYPES = {
    "run": "BIGINT",
    "time": "TIMESTAMPTZ",
    "table": "VARCHAR",
    "rows": "BIGINT",
    "sample": "BIGINT",
    "level": "VARCHAR",
    "named": "BIGINT",
    "false_discovery": "DOUBLE",
    "at_least": "BIGINT",
    "attack": "VARCHAR",
    "auc": "DOUBLE",
    "auc_lower": "DOUBLE",
    "auc_upper": "DOUBLE",
    "passed": "BOOLEAN",
    "run_id": "VARCHAR",
}
_ARROW = {
    "BIGINT": pa.int64(),
    "VARCHAR": pa.string(),
    "DOUBLE": pa.float64(),
    "BOOLEAN": pa.bool_(),
    "TIMESTAMPTZ": pa.timestamp("us", "UTC"),
}


def with_verdict(run: Kept) -> Kept:
    """Return a run with the rows of its verdict, which older versions of this package did not write."""
    if run.of_verdict("level") is not None:
        return run
    return replace(run, whole=Evaluation.of(run.result).as_written())


def lines_of(runs: Sequence[Kept]) -> Result:
    """Return a row for each run: its place, time and tables, the level, and what attacks found.

    ``sample`` is how many records, or persons, were drawn. ``false_discovery`` is the level of ``named``: in a history
    the releases share one, so that a later release names fewer people by the same evidence. ``auc`` is that of the
    ``attack`` with the largest one. Of groups the level is the gravest, and there is no number.
    """
    rows = [_line(with_verdict(run)) for run in runs]
    columns = {name: pa.array([row.get(name) for row in rows], _ARROW[type_]) for name, type_ in _TYPES.items()}
    return Result(None, "history", Answer(pa.table(columns), list(_TYPES.values()), ""))


def earlier(path: str | os.PathLike[str] | None) -> list[dict[str, Any]]:
    """Return the lines of the last runs in a history; none if it remembers releases only, or is not there yet."""
    if path is None or not Path(path).exists():
        return []
    with suppress(OptionError):
        return list(lines_of(runs_of(Path(path))[-_SHOWN:]))
    return []


def line_now(evaluation: Evaluation) -> dict[str, Any]:
    """Return the line of an evaluation that is not in the history yet."""
    run = evaluation.run
    kept = Kept(
        evaluation,
        evaluation.as_written(),
        at=None if run is None else run.at,
        options=None if run is None else json.dumps({_LEVEL: run.options.get(_LEVEL)}),
        tables=None if run is None else json.dumps(dict(run.tables)),
    )
    return dict(next(iter(lines_of([kept]))))


def _line(run: Kept) -> dict[str, Any]:
    levels = [row["meaning"] for row in run.whole if row["section"] == "verdict" and row["statistic"] == "level"]
    line = {
        "run": run.number,
        "time": None if run.at is None else run.at.replace(microsecond=0),
        "table": run.synthetic or None,
        "rows": json.loads(run.rows or "{}").get("synthetic"),
        "level": max(levels, key=lambda level: LEVELS[level], default=None),
        "passed": run.passed,
        "run_id": run.id or None,
    }
    if run.result.columns[0] != "section":
        return line
    numbers = {(row["metric"], row["variant"], row["statistic"]): row for row in run.result}
    areas = [row for (metric, _, statistic), row in numbers.items() if (metric, statistic) == ("membership", "auc")]
    best = max((row for row in areas if row["value"] is not None), key=lambda row: row["value"], default=None)
    for name, statistic in (("named", "exposed"), ("at_least", "at_least")):
        found = numbers.get(("releases", "union", statistic)) or numbers.get(("exposure", None, statistic))
        line[name] = None if found is None or found["value"] is None else int(found["value"])
    if line["named"] is not None:
        line[_LEVEL] = json.loads(run.options or "{}").get(_LEVEL)
    if line["rows"] is None and ("tables", "synthetic", "rows") in numbers:
        line["rows"] = int(numbers["tables", "synthetic", "rows"]["value"])
    if ("tables", "synthetic", "drawn") in numbers:
        line["sample"] = int(numbers["tables", "synthetic", "drawn"]["value"])
    if best is not None:
        line |= {
            "attack": best["variant"],
            "auc": best["value"],
            "auc_lower": best["lower"],
            "auc_upper": best["upper"],
        }
    return line
