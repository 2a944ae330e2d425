"""The first judgement of a table where it is: a database whose table needs no step keeps its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.remedies.finding import Found, as_it_is, limits, measured_by, numbering, unchanged
from synthpriv_sql.remedies.measuring import Measures, Measuring, Tables
from synthpriv_sql.remedies.tables import SIDES, State
from synthpriv_sql.results.result import Result


@dataclass
class _InPlace(Measuring):
    """Measures tables by their names; those that it is given have their columns, and no rows."""

    names: Mapping[str, Any] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    """The rows of each table, as the verdict counts them."""

    def begun(self, rows: Iterable[Mapping[str, Any]], tables: Tables) -> Measures:
        rows = list(rows)
        counted = (row for row in rows if (row["metric"], row["statistic"]) == ("tables", "rows"))
        self.sizes = {row["variant"]: int(row["value"]) for row in counted}
        return super().begun(rows, tables)

    def _run(self, name: str | Function, tables: Tables, given: Mapping[str, Any]) -> Result:
        return self.call(name, **{side: self.names[side] for side in SIDES}, **given)


def judged(
    names: Mapping[str, Any], columns: Sequence[Column], options: Mapping[str, Any], call: Callable[..., Result]
) -> Found | None:
    """Return what a search finds of a table that may be released as it is; None if it may not.

    Parameters
    ----------
    names
        Synthetic, train and the holdout as the call names them, by side.
    columns
        The columns of synthetic.
    options
        The options of `remedy`, checked.
    call
        Calls a function, or a part, where the tables are.
    """
    numbers = numbering(names, options, call)
    measuring = _InPlace(call, measured_by(options), numbers, names=names)
    # Replicated uniques and totals of people are counted there; only if they name nobody is the verdict asked.
    named = (*(column.name for column in columns), *(options["exclude"] or []))  # also columns of real tables alone
    tables = {side: pa.table({name: pa.nulls(0) for name in named}) for side in SIDES}
    found = as_it_is(measuring, tables, limits(options))
    if found is None:
        return None
    described = {"": {column.name: column for column in columns}}
    people = measuring.sizes["train"]
    return Found(
        unchanged(found, measuring.sizes["synthetic"]), State(), described, {}, people, False, None, {}, people
    )
