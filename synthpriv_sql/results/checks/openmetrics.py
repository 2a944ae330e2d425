"""The numbers of an evaluation as OpenMetrics text, which Prometheus and other monitors read."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from synthpriv_sql.results.checks.runs import Kept

if TYPE_CHECKING:
    from synthpriv_sql.results.run import Run

_NUMBERS = {
    "value": ("synthpriv_number", "A number of the evaluation."),
    "lower": ("synthpriv_number_lower", "The lower end of its 95 % interval."),
    "upper": ("synthpriv_number_upper", "The upper end of its 95 % interval."),
}
_NAMES = ("section", "metric", "variant", "statistic")


def openmetrics(kept: Kept, run: Run | None = None) -> str:
    """Return the level of the verdict and all numbers of an evaluation as gauges.

    A missing number has no sample. Groups are labels, named as their columns.

    Parameters
    ----------
    kept
        The evaluation, with the rows of its verdict.
    run
        Its run, if it was not read from a file.
    """
    at, tables = (run.at, dict(run.tables)) if run is not None else (kept.at, json.loads(kept.tables or "{}"))
    seconds = run.seconds if run is not None else json.loads(kept.seconds or "{}")
    own = {"table": tables["synthetic"]} if "synthetic" in tables else {}
    by = [] if "section" not in kept.whole.columns else kept.whole.columns[: kept.whole.columns.index("section")]
    rows = list(kept.whole)
    lines = [
        *_family(
            "synthpriv_verdict_level",
            "The level of the verdict: 0 good, 1 none, 2 watch, 3 bad.",
            (
                (own | _groups(row, by), row["value"])
                for row in rows
                if row["section"] == "verdict" and row["statistic"] == "level"
            ),
        ),
        *_family(
            "synthpriv_verdict_passed",
            "Whether all required conditions held.",
            (
                (own | _groups(row, by), row["value"])
                for row in rows
                if row["section"] == "verdict" and row["statistic"] == "passed"
            ),
        ),
    ]
    numbers = [row for row in rows if row["section"] not in {"verdict", "columns"}]
    for end, (name, text) in _NUMBERS.items():
        labelled = (
            (own | _groups(row, by) | {part: row[part] for part in _NAMES if row[part] is not None}, row[end])
            for row in numbers
        )
        lines += _family(name, text, labelled)
    lines += _family(
        "synthpriv_run_seconds",
        "How long a part of the run took.",
        ((own | {"part": p}, s) for p, s in seconds.items()),
    )
    if at is not None:
        lines += _family("synthpriv_run_timestamp_seconds", "When the run began.", [(own, at.timestamp())])
    return "\n".join([*lines, "# EOF"]) + "\n"


def _groups(row: Mapping[str, Any], by: list[str]) -> dict[str, str]:
    """The values of groups as labels."""
    return {f"group_{place}": f"{name}={row[name]}" for place, name in enumerate(by, 1)}


def _family(name: str, text: str, samples: Any) -> Iterator[str]:
    """The lines of a metric; none if it has no sample."""
    lines = [f"{name}{_labels(labels)} {_number(value)}" for labels, value in samples if value is not None]
    if lines:
        yield f"# TYPE {name} gauge"
        yield f"# HELP {name} {text}"
        yield from lines


def _labels(labels: Mapping[str, Any]) -> str:
    return "{" + ",".join(f'{name}="{_escaped(str(value))}"' for name, value in labels.items()) + "}" if labels else ""


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _number(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return repr(float(value))
