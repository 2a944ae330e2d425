"""Leaving out records until nobody can be named: several statements, each on what the one before has left."""

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
    """Call ``safe`` on what it leaves until it leaves everything, and say what that took.

    Parameters
    ----------
    call
        Calls a function by its name.
    rows
        How many synthetic records there are.
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
    _say(
        f"{rows - len(result):,} of {rows:,} synthetic records were left out in {times}; "
        + ("nobody of train can be named by what is left" if len(result) else "none is left")
    )
    return result


def say_who_is_left(call: Callable[..., Result], result: Result, given: Mapping[str, Any], shared: set[str]) -> None:
    """Warn where people of train can be named by what ``safe`` has left; ``shared`` are the options of exposure."""
    if not len(result):
        return
    asked = {name: value for name, value in given.items() if name in shared | _OF_EXPOSURE}
    found = call("exposure", **asked, synthetic=result.to_arrow())
    named = sum(found["exposed"])
    if named:
        who = "1 person" if named == 1 else f"{named:,} people"
        _say(
            f"{who} of train can still be named by what is left; {wording.given('until_safe', True)} goes on "
            "until nobody can"
        )


def _say(text: str) -> None:
    warnings.warn(text, SynthprivWarning, stacklevel=5)
