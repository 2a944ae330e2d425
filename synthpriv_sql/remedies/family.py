"""Families of tables in a search: which rows are whose, and what all views of a family give away."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from synthpriv_sql.errors import SynthprivWarning
from synthpriv_sql.planner.calls import families
from synthpriv_sql.planner.calls.descent import Child
from synthpriv_sql.planner.calls.families import RELEASE
from synthpriv_sql.planner.columns import releases
from synthpriv_sql.planner.columns.children import ENDINGS
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.remedies.measuring import Measures, Measuring, Tables
from synthpriv_sql.remedies.tables import SIDES, earlier, of_child, of_column
from synthpriv_sql.report.verdict.findings import LEVELS
from synthpriv_sql.results.result import Result

_Numbers = np.ndarray[Any, np.dtype[np.int64]]
_OPTION = "children"


def owners(tables: Mapping[str, pa.Table], children: Mapping[str, Child], side: str) -> dict[str, _Numbers]:
    """Return the number of its parent for each row of the tables of children of a side; -1 if it has none."""
    found: dict[str, _Numbers] = {}

    def of(name: str) -> _Numbers:
        if name not in found:
            child = children[name]
            above = tables[of_child(child.of, side)]
            known, asked = (_spelled(table, child.key) for table in (above, tables[of_child(name, side)]))
            places = pc.fill_null(pc.index_in(asked, value_set=known, skip_nulls=True), -1)
            numbers = np.array(places.to_numpy(), dtype=np.int64)
            if child.of:
                numbers = np.where(numbers < 0, -1, of(child.of)[numbers])
            found[name] = numbers
        return found[name]

    return {name: of(name) for name in children}


def _spelled(table: pa.Table, key: str) -> pa.Array:
    name = next(name for name in table.column_names if name.lower() == key.lower())
    return table.column(name).cast(pa.string()).combine_chunks()


@dataclass
class FamilyMeasuring:
    """Measures a family of tables in all its views, as evaluate does: the largest of what they give away counts.

    Parameters
    ----------
    call
        Calls a function by its name, or a part.
    maker
        Makes the tables of views.
    options
        The options of the call of remedy, by name.
    children
        The tables of children.
    columns
        The columns of each, and of the parents, whose table has no name.
    """

    call: Callable[..., Result]
    maker: families.Maker
    options: Mapping[str, Any]
    children: Mapping[str, Child]
    columns: Mapping[str, Sequence[str]]
    _of_views: dict[str, Measuring] = field(default_factory=dict)

    def _views(self, tables: Tables) -> list[tuple[str, Measuring, Tables]]:
        # Without the attack that learns no view is a feature of another.
        given = {**self._given(tables), "attack": ["agreement"]}
        found: list[tuple[str, Measuring, Tables]] = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SynthprivWarning)  # of releases without children: was said of the call
            views = families.views(catalog.function("evaluate"), given, self.maker)
        for view in views:
            others = {*SIDES, "attack", releases.OPTION}
            options = {name: value for name, value in view.given.items() if name not in others}
            known = self._of_views.get(view.name, Measuring(self.call, options))
            self._of_views[view.name] = replace(known, options=options)
            further = {f"{RELEASE}{name}": table for name, table in (view.given.get(releases.OPTION) or {}).items()}
            found.append((view.name, self._of_views[view.name], {side: view.given[side] for side in SIDES} | further))
        return found

    def _given(self, tables: Tables) -> dict[str, Any]:
        taken = catalog.function("evaluate").parameters
        options = {name: value for name, value in self.options.items() if name in taken and value is not None}
        return {
            **options,
            **self._released(tables),
            **{side: tables[side] for side in SIDES},
            _OPTION: {
                name: [*(tables[of_child(name, side)] for side in SIDES), f"{child.of}.{child.key}".lstrip(".")]
                for name, child in self.children.items()
            },
        }

    def _released(self, tables: Tables) -> dict[str, Any]:
        """The releases before as an option, if there are any."""
        named = earlier(tables)
        found = {name.removeprefix(RELEASE): {releases.NEWEST: tables[name]} for name in named}
        for name in named:
            theirs = {child: tables.get(of_child(child, name)) for child in self.children}
            found[name.removeprefix(RELEASE)] |= {child: table for child, table in theirs.items() if table is not None}
        return {releases.OPTION: found} if found else {}

    def quickly(self, tables: Tables, most: int | None = None) -> Measures:
        """Return what attacks give away that need no training, in the view that gives most away."""
        return self._together({name: of.quickly(view, most) for name, of, view in self._views(tables)})

    def judged(self, tables: Tables, whole: bool = False) -> Measures:
        """Return the verdict on the family; see `Measuring.judged`."""
        views = self._views(tables)
        if not whole:
            return self._together({name: of.judged(view) for name, of, view in views})
        # Of the newest alone, as of one table: who is named already is left out afterwards.
        found = self.call("evaluate", **self._given(tables) | {releases.OPTION: None}).to_arrow()
        judged = {}
        for name, of, view in views:
            rows = found.filter(pc.equal(found[families.PART], name)).drop_columns([families.PART]).to_pylist()
            judged[name] = of.begun(rows, view)
        return self._together(judged)

    def given_away(self, tables: Tables) -> Measures:
        """Return whom attacks name and give away; see `Measuring.given_away`."""
        return self._together({name: of.given_away(view) for name, of, view in self._views(tables)})

    def _together(self, views: Mapping[str, Measures]) -> Measures:
        found = list(views.values())
        worst = max(found, key=lambda one: (LEVELS.index(one.level or "good"), one.named, one.at_least, one.auc or 0))
        replayed: dict[str, float] = {}
        for view, one in views.items():
            for name, people in one.replayed.items():
                column = self._origin(view, name)
                if column is not None:
                    replayed[column] = max(people, replayed.get(column, 0.0))
        return replace(
            worst,
            named=max(one.named for one in found),
            at_least=max(one.at_least for one in found),
            auc=max((one.auc for one in found if one.auc is not None), default=None),
            attack=max(found, key=lambda one: one.auc or 0.0).attack,
            clear=any(one.clear for one in found),
            widely=any(one.widely for one in found),
            lasting=all(one.lasting for one in found),
            replayed=replayed,
            blamed=self._of_family({n: one.blamed for n, one in views.items() if one.blamed is not None}) or None,
        )

    def told(self, tables: Tables, attack: str) -> float:
        """Return how many people an attack tells from others, over all views."""
        return sum(of.told(view, attack) for _, of, view in self._views(tables))

    def blamed(self, tables: Tables) -> Mapping[str, float]:
        """Return for each column the replicated uniques of its combinations beyond chance, over all views."""
        return self._of_family({name: of.blamed(view) for name, of, view in self._views(tables)})

    def _of_family(self, blamed: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
        found: dict[str, float] = {}
        for name, excess in blamed.items():
            for column, people in excess.items():
                origin = self._origin(name, column)
                if origin is not None:
                    found[origin] = found.get(origin, 0.0) + people
        return found

    def has_copies(self, tables: Tables) -> bool:
        """Return whether a record of a view equals one of a person; see `Measuring.has_copies`."""
        return any(of.has_copies(view) for _, of, view in self._views(tables))

    def carrying(self, tables: Tables) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return which parents of synthetic are copies, or carry people, themselves or by their children."""
        carrying = np.zeros(len(tables["synthetic"]), bool)
        whose = owners(tables, self.children, "synthetic")
        for name, of, view in self._views(tables):
            found = of.carrying(view)
            if len(found) == len(carrying) and name not in self.children:
                carrying |= found
            elif name in self.children:
                numbers = whose[name][found]
                carrying[numbers[numbers >= 0]] = True
        return carrying

    def _origin(self, view: str, column: str) -> str | None:
        """The column of the family that a column of a view is made of; None if none is, as the number of children."""
        if view in self.children:
            return self._of_child(view, column)
        if column in self.columns[""] and view not in {f"{name}, together" for name in self.children}:
            return column
        return self._aggregated("", column)

    def _of_child(self, child: str, column: str) -> str | None:
        return of_column(child, column) if column in self.columns[child] else self._aggregated(child, column)

    def _aggregated(self, of: str, column: str) -> str | None:
        for name, child in self.children.items():
            if child.of == of and column.startswith(f"{name}_"):
                rest = column.removeprefix(f"{name}_")
                for ending in ENDINGS:
                    if rest.endswith(f"_{ending}"):
                        found = self._of_child(name, rest.removesuffix(f"_{ending}"))
                        if found is not None:
                            return found
        return None
