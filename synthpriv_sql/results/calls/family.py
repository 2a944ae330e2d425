"""Calls on families of tables: one for each view, with the rows concatenated."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from synthpriv_sql.engines.base import Answer
from synthpriv_sql.errors import SynthprivWarning
from synthpriv_sql.planner.calls import families
from synthpriv_sql.planner.calls.families import PART
from synthpriv_sql.planner.headers import catalog, known_files
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.results.calls.caller import Caller
from synthpriv_sql.results.result import Result


class _Maker:
    """Creates the tables of a family by calls."""

    def __init__(self, session: Caller, call: Callable[..., Result]) -> None:
        self._session = session
        self._call = call
        self._apart = "objects" in session.engine.lacks

    def columns(self, table: Any) -> Sequence[str]:
        with self._session.engine.holding(catalog.file(known_files.ROW_COUNT), {"data": table}) as named:
            return [column.name for column in self._session.engine.relation("data", named["data"]).columns]

    def flat(self, parents: Any, children: Any, key: str, prefix: str, options: Mapping[str, Any]) -> Any:
        return self._made(known_files.FLATTEN, parents=parents, children=children, key=key, prefix=prefix, **options)

    def identifiers(self, given: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        return list(self._call(known_files.IDENTIFIERS, **given))

    def chosen(self, table: Any, columns: Sequence[str]) -> Any:
        if self._apart:
            return self._made(known_files.CHOSEN, data=table, columns=columns)
        return table.select(columns)

    def beside_parents(self, parents: Any, children: Any, key: str) -> Any:
        return self._made(known_files.WITH_PARENTS, parents=parents, children=children, key=key)

    def _made(self, name: str, **given: Any) -> Any:
        function = catalog.file(name)
        if self._apart:
            return f"({self._session.sql(function, **given)})"
        return self._call(function, **given).to_arrow()

    def scores(self, given: Mapping[str, Any]) -> Any:
        if self._apart:
            # The scores are local rows, which the engine cannot join with its own tables.
            warnings.warn(
                "learned uses the columns of parents and children together, but on "
                f"{self._session.engine.name} not the scores of the other parts",
                SynthprivWarning,
                stacklevel=2,
            )
            return None
        return self._call(catalog.file(known_files.VIEW_SCORES), **given).to_arrow()

    def beside(self, parents: Any, side: str, key: str, scores: Any, by: str, names: Mapping[str, str]) -> Any:
        own = scores.filter(pc.equal(scores["side"], side))
        keys = parents[next(name for name in parents.column_names if name.lower() == key.lower())]
        places = pc.index_in(keys.cast(pa.string()), value_set=own[by].cast(pa.string()))
        for score, name in names.items():
            parents = parents.append_column(name, own[score].take(places))
        return parents


def maker_of(session: Caller, call: Callable[..., Result]) -> families.Maker:
    """Return what makes the views of a family by calls."""
    return _Maker(session, call)


def family_call(
    session: Caller,
    function: Function,
    given: Mapping[str, Any],
    call: Callable[..., Result],
    of_view: Callable[[families.View], Result] | None = None,
) -> Result:
    """Call a function for each view of a family of tables; return all rows, with the view as first column.

    Parameters
    ----------
    session
        Where the tables are.
    function, given
        The call, with ``children``.
    call
        Calls a function by its name.
    of_view
        Makes the call for one view; ``call`` if not given.
    """
    maker = _Maker(session, call)
    of_view = of_view or (lambda view: call(function.name, **view.given))
    results = {view.name: of_view(view) for view in families.views(function, given, maker)}
    first = next(iter(results.values()))
    tables = []
    for name, result in results.items():
        table = result.to_arrow()
        tables.append(table.add_column(0, PART, pa.array([name] * len(table), pa.string())))
    sql = ";\n".join(f"-- {name}\n{result.sql}" for name, result in results.items())
    together = pa.concat_tables(tables, promote_options="permissive")
    types = {PART: "VARCHAR"}
    for result in results.values():  # rows of children also have the column of the person
        types |= {c: kind for c, kind in zip(result.columns, result.types, strict=True) if c not in types}
    answer = Answer(together, [types[name] for name in together.column_names], sql)
    run = first.run and replace(first.run, seconds=_seconds(results))
    return Result(session.engine, first.name, answer, run)


def _seconds(results: Mapping[str, Result]) -> dict[str, float]:
    """The durations of the parts for each view, and their total."""
    took = {name: result.run_seconds for name, result in results.items()}
    parts = {f"{name}: {part}": s for name, of in took.items() for part, s in of.items() if part != "total"}
    return {**parts, "total": sum(of.get("total", 0.0) for of in took.values())}
