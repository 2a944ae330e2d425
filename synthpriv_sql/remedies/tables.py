"""The tables of a search, treated column by column: each expression is computed once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from sqlglot import exp

from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.remedies.ladder import Step

SIDES = ("synthetic", "train", "holdout")
RELEASE = "release "
"""What the names of the tables released before begin with."""


@dataclass
class Treating:
    """The columns of the three tables after the steps that were asked for.

    Parameters
    ----------
    columns
        The columns of synthetic.
    tables
        All rows of the tables by name, those released before among them; all but synthetic with the columns of
        synthetic that they have.
    """

    columns: Mapping[str, Column]
    tables: Mapping[str, pa.Table]
    _done: dict[tuple[str, str, Step], pa.ChunkedArray] = field(default_factory=dict)

    @cached_property
    def _connection(self) -> duckdb.DuckDBPyConnection:
        return duckdb.connect(":memory:")

    def column(self, side: str, name: str, step: Step | None) -> pa.ChunkedArray:
        """Return a column of a table after a step; None: as it is, as one of another type in an earlier release."""
        given = self.tables[side].column(name)
        if step is None or step.expression is None or (side not in SIDES and given.type != self._type(name)):
            return given
        key = (side, name, step)
        if key not in self._done:
            self._done[key] = self._computed(self.tables[side].select([name]), step.expression)
        return self._done[key]

    def _type(self, name: str) -> pa.DataType:
        return self.tables["synthetic"].schema.field(name).type

    def _computed(self, table: pa.Table, expression: exp.Expr) -> pa.ChunkedArray:
        query = exp.select(exp.alias_(expression.copy(), "value")).from_("given")
        self._connection.register("given", table)
        try:
            return self._connection.sql(query.sql("duckdb")).to_arrow_table().column(0)
        finally:
            self._connection.unregister("given")

    def distinct(self, name: str, step: Step | None) -> int:
        """Return how many values, besides missing ones, a column of synthetic has after a step."""
        return int(pc.count_distinct(self.column("synthetic", name, step), mode="only_valid").as_py())

    def table(self, side: str, state: State, rows: np.ndarray[Any, Any] | None = None) -> pa.Table:
        """Return a table after all steps of a state, or some of its rows."""
        kept = {}
        for name in self.tables[side].column_names:
            step = state.steps.get(name)
            if step is None or step.expression is not None:
                kept[name] = self.column(side, name, step)
        made = pa.table(kept)
        if side == "synthetic" and state.kept is not None:
            return made.filter(pa.array(state.kept))
        return made if rows is None else made.take(pa.array(rows))


@dataclass(frozen=True)
class State:
    """The step that each changed column is at, and which records of synthetic are kept; None: all."""

    steps: Mapping[str, Step] = field(default_factory=dict)
    kept: np.ndarray[Any, np.dtype[np.bool_]] | None = None

    def at(self, name: str, step: Step | None) -> State:
        """Return this state with a column at another step; None: as it was given."""
        others = {other: found for other, found in self.steps.items() if other != name}
        return replace(self, steps=others if step is None else {**others, name: step})
