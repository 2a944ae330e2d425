"""Pilot searches: what a query costs among a sample of the tables themselves, where sizes alone do not tell."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping
from typing import Any

from synthpriv_sql.engines.base import Engine
from synthpriv_sql.errors import SynthprivWarning
from synthpriv_sql.planner.headers import catalog, known_files
from synthpriv_sql.planner.planning import plan
from synthpriv_sql.results.calls.estimating import PILOT


def seconds_of_a_query(engine: Engine, given: Mapping[str, Any]) -> float | None:
    """Return the processor seconds that a query takes among samples of the tables; None if it took too little to tell.

    Parameters
    ----------
    engine
        Where the tables are.
    given
        The arguments of a call with `synthetic` and `train`, by name.

    Raises
    ------
    SynthprivError
        The call has an error, or was cancelled.
    """
    function = catalog.file(known_files.PILOT)
    asked = {name: value for name, value in given.items() if name in function.parameters}
    clock = _Clock()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SynthprivWarning)  # the call itself gives them
        engine.run(plan(engine, function, {**asked, "sample": PILOT}), clock)
    return clock.of_one


class _Clock:
    """Progress of a search, with the processor seconds between its first report and its last, without building."""

    def __init__(self) -> None:
        self._reports: list[tuple[float, int]] = []
        self._label = ""

    def __call__(self, done: int, total: int, label: str) -> None:
        if label != self._label:  # compiling is reported as well
            self._label, self._reports = label, []
        self._reports.append((time.process_time(), done))

    @property
    def of_one(self) -> float | None:
        """The seconds of one query."""
        if len(self._reports) < 2:
            return None
        (begun, first), (ended, last) = self._reports[0], self._reports[-1]
        return (ended - begun) / (last - first) if last > first and ended > begun else None
