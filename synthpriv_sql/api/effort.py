"""What a call can afford: where it would take long, the parts that the verdict does not need are left out."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager

from synthpriv_sql.engines.base import Engine
from synthpriv_sql.errors import OptionError, SynthprivWarning
from synthpriv_sql.planner.calls.rewriting import Call
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.planner.planning import QUICK_PEOPLE, Plan
from synthpriv_sql.results.calls import estimating
from synthpriv_sql.results.calls.dry import foresee

EFFORT = "effort"
LONG = 600.0
"""Seconds beyond which a call that may choose is quick."""
LEFT_OUT = ("dcr", "nndr", "comparison", "mda", "dimensions")
"""The sections that a quick evaluation lacks; their metrics have these names, or begin with them."""
_FEW = 200_000
"""Rows of all tables together up to which no call takes long; beyond, it is planned to see."""


def affordable(
    engine: Engine,
    call: Call,
    planned: Callable[[Call], AbstractContextManager[Plan]],
    rows: Callable[[Call], Mapping[str, int]],
) -> Call:
    """Return a call, made quick where it may be and would take longer than `LONG`, which is then said.

    Parameters
    ----------
    engine
        Where the tables are.
    call
        The call.
    planned
        Plans a call.
    rows
        Counts the rows of its tables, by parameter.
    """
    if not _may_choose(engine, call):
        return call
    counted = rows(call)
    if sum(counted.values()) <= _FEW:
        return call
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SynthprivWarning)  # they are given when it runs
        with planned(call) as plan:
            seconds = foresee(engine, plan, counted).table.column("seconds")[-1].as_py()
    if seconds <= LONG:
        return call
    warnings.warn(
        f"{call.function.name} of these tables may take {estimating.in_words(seconds)} here, so what the verdict does "
        "not need is left out: the sections dcr, nndr, comparison, mda and dimensions; and the attack learned is asked "
        f"of {QUICK_PEOPLE:,} people of each side at most. {wording.given(EFFORT, 'full')} has everything, "
        f"{wording.given('sample', 50_000)} is faster still",
        SynthprivWarning,
        stacklevel=4,
    )
    return call.on({**call.given, EFFORT: "quick"})


def required(metrics: Iterable[str], chosen: str | None) -> str | None:
    """Return the effort of an evaluation of which numbers are required.

    Raises
    ------
    OptionError
        It is to be quick, and would lack one of them.
    """
    lacking = [metric for metric in metrics if metric.partition("_")[0] in LEFT_OUT]
    if not lacking:
        return chosen
    if chosen == "quick":
        raise OptionError(f"{wording.given(EFFORT, 'quick')} leaves out {lacking[0]}, about which a condition is")
    return "full"


def _may_choose(engine: Engine, call: Call) -> bool:
    parameter = call.function.parameters.get(EFFORT)
    chosen = call.given.get(EFFORT) is not None or bool(call.given.get("group_by"))
    return parameter is not None and not chosen and engine.dialect != "spark"
