"""The tables of a search, treated column by column: each expression is computed once; and how far it may go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from sqlglot import exp

from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.calls.families import RELEASE
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.remedies.ladder import Step

SIDES = ("synthetic", "train", "holdout")
_OF = " of "


def of_child(child: str, side: str) -> str:
    """Return the name of a table of children, or of the parents; the last if ``child`` is empty."""
    return f"{side}{_OF}{child}" if child else side


def earlier(tables: Iterable[str]) -> list[str]:
    """Return the names of the tables released before, of parents, among those of tables."""
    return [name for name in tables if name.startswith(RELEASE) and _OF not in name]


def of_column(child: str, column: str) -> str:
    """Return the name of a column among those of a family: that of children with the name of their table."""
    return f"{child}.{column}" if child else column


@dataclass
class Treating:
    """The columns of the tables after the steps that were asked for.

    Parameters
    ----------
    columns
        The columns of synthetic, by their names among those of a family.
    tables
        All rows of the tables by name, those released before and those of children among them; all but synthetic with
        the columns of synthetic that they have.
    children
        The table of children of each column that is not one of the parents.
    owners
        The number of its parent for each row of a synthetic table of children, by its name; -1 without one.
    """

    columns: Mapping[str, Column]
    tables: Mapping[str, pa.Table]
    children: Mapping[str, str] = field(default_factory=dict)
    owners: Mapping[str, np.ndarray[Any, Any]] = field(default_factory=dict)
    _done: dict[tuple[str, str, Step], pa.ChunkedArray] = field(default_factory=dict)

    @cached_property
    def _connection(self) -> duckdb.DuckDBPyConnection:
        return duckdb.connect(":memory:")

    def column(self, side: str, name: str, step: Step | None) -> pa.ChunkedArray:
        """Return a column of a table after a step; None: as it is, as one of another type in an earlier release."""
        own = self.columns[name].name
        table = self.tables[of_child(self.children.get(name, ""), side)]
        given = table.column(own)
        if step is None or step.expression is None or (side not in SIDES and given.type != self._type(name)):
            return given
        key = (side, name, step)
        if key not in self._done:
            try:
                self._done[key] = self._computed(table.select([own]), step.expression)
            except duckdb.Error as error:  # whose text may have a value
                raise OptionError(
                    f'{wording.option("ladder")}: {step.action} of "{own}" cannot be computed for {side} '
                    f"({type(error).__name__}); an expression has to take every value of the column, which is "
                    f"{self.columns[name].type}"
                ) from None
        return self._done[key]

    def _type(self, name: str) -> pa.DataType:
        synthetic = self.tables[of_child(self.children.get(name, ""), "synthetic")]
        return synthetic.schema.field(self.columns[name].name).type

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

    def table(self, name: str, state: State, rows: np.ndarray[Any, Any] | None = None) -> pa.Table:
        """Return a table after all steps of a state, or some of its rows."""
        side, _, child = name.partition(_OF)
        made = {}
        for own in self.tables[name].column_names:
            column = of_column(child, own)
            step = state.steps.get(column)
            if step is None or step.expression is not None:
                known = column in self.columns
                made[own] = self.column(side, column, step) if known else self.tables[name].column(own)
        treated = pa.table(made)
        if side == "synthetic" and state.kept is not None:
            return treated.filter(pa.array(self.kept(child, state.kept)))
        return treated if rows is None else treated.take(pa.array(rows))

    def kept(self, child: str, kept: np.ndarray[Any, np.dtype[np.bool_]]) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return which rows of a synthetic table are kept: those of children go with their parents."""
        if not child:
            return kept
        owners = self.owners[child]
        of_rows: np.ndarray[Any, np.dtype[np.bool_]] = kept[owners] | (owners < 0)
        return of_rows


@dataclass(frozen=True)
class State:
    """The step that each changed column is at, and which records of synthetic are kept; None: all.

    With children, records are parents.
    """

    steps: Mapping[str, Step] = field(default_factory=dict)
    kept: np.ndarray[Any, np.dtype[np.bool_]] | None = None

    def at(self, name: str, step: Step | None) -> State:
        """Return this state with a column at another step; None: as it was given."""
        others = {other: found for other, found in self.steps.items() if other != name}
        return replace(self, steps=others if step is None else {**others, name: step})


@dataclass(frozen=True)
class Limits:
    """How far a search may go.

    ``remove`` is the share of records that may be taken out, ``loss`` the largest rise of the mean distance, ``steps``
    the largest number of steps; ``levels`` are those of the verdict that allow a release, none if it is enough that
    nobody is given away, and ``aims`` those at which the search ends.
    """

    remove: float
    loss: float
    steps: int
    levels: frozenset[str]
    aims: frozenset[str]
