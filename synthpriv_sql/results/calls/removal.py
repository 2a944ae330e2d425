"""Removes records until nobody can be named: several statements, each on the remaining rows."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

from synthpriv_sql.errors import SynthprivWarning
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.results.result import Result

FALSE_DISCOVERY = 0.05
_OF_EXPOSURE = {"false_discovery", "attack", "k", "train", "holdout"}


def until_safe(call: Callable[..., Result], rows: int, given: Mapping[str, Any]) -> Result:
    """Repeat ``safe`` on the remaining rows until it removes none, and report the effort.

    Parameters
    ----------
    call
        Calls a function by its name.
    rows
        The number of synthetic records.
    given
        The arguments of ``safe``.
    """
    asked = {**given, "until_safe": None, "false_discovery": given.get("false_discovery") or FALSE_DISCOVERY}
    left, rounds = rows, 0
    while True:
        result = call("safe", **asked)
        if len(result) == left or not len(result):
            break
        rounds, left = rounds + 1, len(result)
        asked["synthetic"] = result.to_arrow()
    if len(result) < left:
        rounds += 1
    times = "1 round" if rounds == 1 else f"{rounds} rounds"
    _warn(
        f"{rows - len(result):,} of {rows:,} synthetic records were removed in {times}; "
        + ("the remaining records name nobody of train" if len(result) else "none remains")
    )
    return result


def warn_if_named(call: Callable[..., Result], result: Result, given: Mapping[str, Any], shared: set[str]) -> None:
    """Warn if the rows that ``safe`` has left still name people of train; ``shared`` are the options of exposure."""
    if not len(result):
        return
    asked = {name: value for name, value in given.items() if name in shared | _OF_EXPOSURE}
    found = call("exposure", **asked, synthetic=result.to_arrow())
    named = sum(found["exposed"])
    if named:
        who = "1 person" if named == 1 else f"{named:,} people"
        _warn(
            f"the remaining records still name {who} of train; {wording.given('until_safe', True)} continues until "
            "they name nobody"
        )


def _warn(text: str) -> None:
    warnings.warn(text, SynthprivWarning, stacklevel=5)
