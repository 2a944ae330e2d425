"""What a call can afford: where it would take long, the parts that the verdict does not need are left out."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from synthpriv_sql.engines.base import Engine
from synthpriv_sql.errors import OptionError, SynthprivWarning
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.planner.planning import QUICK_ASKED, QUICK_PEOPLE, Plan, plan
from synthpriv_sql.results.calls import estimating, pilot
from synthpriv_sql.results.calls.dry import foresee

EFFORT = "effort"
LONG = 600.0
"""Seconds beyond which a call that may choose is quick."""
_UNCERTAIN = 3.0
"""How many times as much or as little as `LONG` an estimate by sizes is where a pilot search is worth its seconds."""
LEFT_OUT = ("dcr", "nndr", "comparison", "mda", "dimensions")
"""The sections that a quick evaluation lacks; their metrics have these names, or begin with them."""
UNCOUNTED = tuple(f"holdout_share.{side}" for side in ("closer", "further", "equal"))
"""The numbers besides that it lacks, which take a search more."""
_FEW = 200_000
"""Rows of all tables together up to which no call takes long."""


def affordable(engine: Engine, planned: Plan, function: Function, given: Mapping[str, Any]) -> Plan:
    """Return the plan of a call, made quick where it may be and would take longer than `LONG`, which is then said.

    Parameters
    ----------
    engine
        Where the tables are.
    planned, function, given
        The plan, and the function and arguments that it was made of.
    """
    rows = engine.expects(planned) if _may_choose(planned) else None
    if rows is None or sum(rows.values()) <= _FEW:
        return planned
    seconds = _seconds(engine, planned, rows)
    if LONG / _UNCERTAIN < seconds < LONG * _UNCERTAIN and {"synthetic", "train"} <= rows.keys():
        seconds = _seconds(engine, planned, rows, pilot.seconds_of_a_query(engine, given))
    if seconds <= LONG:
        return planned
    warnings.warn(
        f"{planned.function.name} of these tables may take {estimating.in_words(seconds)} here, so what the verdict "
        "does not need is left out: the sections dcr, nndr, comparison, mda and dimensions, and how many records are "
        f"closer to which side; the attack learned scores at most {QUICK_PEOPLE:,} people of each side, attacks by "
        f"distance and agreement at most {QUICK_ASKED:,}. "
        f"{wording.given(EFFORT, 'full')} has everything, "
        f"{wording.given('sample', 50_000)} is faster still",
        SynthprivWarning,
        stacklevel=4,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SynthprivWarning)  # they were given with the first plan
        return plan(engine, function, {**given, EFFORT: "quick"})


def _seconds(engine: Engine, planned: Plan, rows: Mapping[str, int], of_a_query: float | None = None) -> float:
    return float(foresee(engine, planned, rows, of_a_query).table.column("seconds")[-1].as_py())


def required(numbers: Iterable[tuple[str, str]], chosen: str | None) -> str | None:
    """Return the effort of an evaluation of which numbers are required, each a metric and a statistic.

    Raises
    ------
    OptionError
        It is to be quick, and would lack one of them.
    """
    names = ((metric, f"{metric}.{statistic}") for metric, statistic in numbers)
    lacking = [name for metric, name in names if metric.partition("_")[0] in LEFT_OUT or name in UNCOUNTED]
    if not lacking:
        return chosen
    if chosen == "quick":
        raise OptionError(f"{wording.given(EFFORT, 'quick')} leaves out {lacking[0]}, about which a condition is")
    return "full"


def _may_choose(planned: Plan) -> bool:
    parameter = planned.function.parameters.get(EFFORT)
    return parameter is not None and planned.options.get(EFFORT) is None and planned.groups is None
