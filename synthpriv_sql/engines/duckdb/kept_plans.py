"""The plans that DuckDB keeps for a session, of long statements that run again on small tables of the same columns.

To prepare a statement takes DuckDB up to three times as long as to plan it for one run, so only a loop pays for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import duckdb

from synthpriv_sql.engines.base import Answer
from synthpriv_sql.engines.duckdb import between, shared_plan
from synthpriv_sql.engines.duckdb.shared_plan import SharedPlan
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.statement.parts import Assembled
from synthpriv_sql.planner.statement.shapes import Written, with_labels_as_parameters

PARTS = 40
"""From how many parts on: a statement of fewer is planned in about the time that reading its tables apart takes."""
ROWS = 20_000
"""Up to how many rows, of all tables together: DuckDB keeps what joins gathered with the plan, until its next run."""
RUNS = 3
"""Runs before a plan is made: it has saved what it cost after one to three more."""
_MOST_PARTS = 1_000
"""Parts of all statements that are kept: DuckDB holds about 0.2 MB for each."""


@dataclass
class _Kept:
    """A statement that ran, and its plan if it ran often, with the settings that the plan was made under."""

    shape: Assembled
    runs: int = 0
    plan: SharedPlan | None = None
    settings: Any = None


class KeptPlans:
    """The statements that ran last on a connection, and the plans of those that ran again.

    Parameters
    ----------
    connection
        Where they run.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._kept: dict[int, _Kept] = {}
        """By the identity of the shape, those that ran last at the end."""

    def is_wanted(self, written: Written) -> bool:
        """Count a run of a statement, and tell whether it ran often enough, perhaps on other tables, to keep a plan."""
        shape = written.shape
        if written.names is None or not PARTS <= len(shape.parts) <= _MOST_PARTS or not shared_plan.possible(shape):
            return False
        kept = self._kept[id(shape)] = self._kept.pop(id(shape), _Kept(shape))
        kept.runs += 1
        while sum(len(one.shape.parts) for one in self._kept.values()) > _MOST_PARTS:
            self._forget(next(iter(self._kept)))
        return kept.runs > RUNS

    def run(self, written: Written, execute: Callable[[str], duckdb.DuckDBPyConnection]) -> Answer:
        """Run a statement that is wanted by its plan, which is made if there is none; ``statement`` stays empty.

        Parameters
        ----------
        written
            The statement.
        execute
            Runs a text.
        """
        kept = self._kept[id(written.shape)]
        texts = {part.name: part.query.sql("duckdb", normalize_functions=False) for part in written.sources}
        with between.one_state(self._connection):
            rows = shared_plan.read(self._connection, {**texts, shared_plan.VALUES: shared_plan.row_of(written.labels)})
        settings = self._connection.execute(catalog.statement("settings")).fetchall()
        plan = kept.plan
        if plan is None or kept.settings != settings or not plan.fits(rows):
            if plan is not None:
                plan.drop()
                kept.plan = None
            plan = SharedPlan(self._connection, with_labels_as_parameters(written.shape), rows)
            kept.plan, kept.settings = plan, settings
        try:
            return Answer(*between.fetched(execute(plan.hand_over(rows))), statement="")
        finally:
            plan.release()

    def _forget(self, shape: int) -> None:
        plan = self._kept.pop(shape).plan
        if plan is not None:
            plan.drop()
