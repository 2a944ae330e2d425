"""A remedy: the tables are read, searched in a database of their own, and the result is written as SQL."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from sqlglot import exp

from synthpriv_sql.errors import SynthprivWarning, UnknownColumn
from synthpriv_sql.planner.columns.types import ROLE_OF, Column
from synthpriv_sql.planner.headers import catalog, known_files, wording
from synthpriv_sql.remedies import own_ladder
from synthpriv_sql.remedies.ladder import Step, coarser, ladder
from synthpriv_sql.remedies.loss import Cells
from synthpriv_sql.remedies.measuring import Measuring
from synthpriv_sql.remedies.search import Limits, Row, Search
from synthpriv_sql.remedies.tables import SIDES, State, Treating
from synthpriv_sql.results.result import Result

_NONE: frozenset[str] = frozenset()
_LEVELS = {
    "nobody": (_NONE, _NONE),
    "watch": (frozenset({"good", "watch", "none"}), frozenset({"good", "none"})),
    "good": (frozenset({"good"}), frozenset({"good"})),
}
"""The levels of the verdict that allow a release, and those at which a search ends, by its target."""
FEWEST = 1_000
"""With fewer people in a half, the search sees all."""
OF_SEARCH = frozenset({"keep", "ladder", "remove", "loss", "steps", "target", "other"})
"""Options of `remedy` alone, some of which have the names of other options elsewhere."""
_TYPES = {
    "step": pa.int64(),
    "column_name": pa.string(),
    "action": pa.string(),
    "expression": pa.string(),
    "named": pa.int64(),
    "at_least": pa.int64(),
    "auc": pa.float64(),
    "loss": pa.float64(),
    "records": pa.int64(),
    "level": pa.string(),
}


@dataclass(frozen=True)
class Found:
    """What a search has found.

    ``rows`` are its steps, ``state`` the treatment, ``synthetic`` the table after it, ``columns`` those before it,
    ``people`` how many of train confirm it, ``is_halved`` whether the search did not see these, and ``closest`` where a
    search ended that did not reach its target.
    """

    rows: Sequence[Row]
    state: State
    columns: Mapping[str, Column]
    synthetic: pa.Table
    people: int
    is_halved: bool
    closest: Row | None

    @property
    def removed(self) -> list[int]:
        """The numbers of the records that are taken out."""
        kept = self.state.kept
        return [] if kept is None else np.flatnonzero(~kept).tolist()

    @property
    def types(self) -> list[str]:
        """The DuckDB types of the columns of ``synthetic``."""
        return [column.type for column in _columns(self.synthetic).values()]

    @property
    def steps(self) -> pa.Table:
        """The rows of `remedy`."""
        found = [
            {
                "step": place,
                "column_name": row.column,
                "action": row.action,
                "expression": None if row.column is None else self._text(row.column, row.step),
                "named": row.measures.named,
                "at_least": row.measures.at_least,
                "auc": row.measures.auc,
                "loss": row.loss,
                "records": row.records,
                "level": row.measures.level,
            }
            for place, row in enumerate(self.rows)
        ]
        return pa.Table.from_pylist(found, pa.schema(list(_TYPES.items())))

    def _text(self, name: str, step: Step | None) -> str | None:
        if step is not None and step.expression is None:
            return None
        value = exp.column(name, quoted=True) if step is None else step.expression
        assert value is not None
        return value.sql("duckdb")

    def select(self, table: exp.Expr) -> exp.Select:
        """Return the SELECT that treats a table, without the removal of records."""
        shown: list[exp.Expr] = []
        for name in self.columns:
            step = self.state.steps.get(name)
            if step is None:
                shown.append(exp.column(name, quoted=True))
            elif step.expression is not None:
                shown.append(exp.alias_(step.expression.copy(), name, quoted=True))
        return exp.select(*shown).from_(table)


def find(
    tables: Mapping[str, pa.Table],
    options: Mapping[str, Any],
    call: Callable[..., Result],
    report: Callable[[str], None],
) -> Found:
    """Search for the least change of synthetic.

    Parameters
    ----------
    tables
        All rows of synthetic, train and the holdout.
    options
        The options of `remedy`, checked.
    call
        Calls a function on tables in memory.
    report
        Called with what the search does.
    """
    columns = _columns(tables["synthetic"])
    tables = {side: table if side == "synthetic" else _alike(table, columns, options) for side, table in tables.items()}
    shared = [name for name in columns if all(name in tables[side].column_names for side in SIDES)]
    treating = Treating(columns, tables)
    found = call(catalog.file(known_files.RUNNING_NUMBERS), synthetic=tables["synthetic"], train=tables["train"])
    numbers = [name for name in found["column_name"] if name not in _named(options)]
    special = [options[name] for name in ("unit", "key") if options.get(name)]
    fixed = [*numbers, *special, *(_spelled(name, columns, "keep") for name in options["keep"] or [])]
    given = {_spelled(name, columns, "ladder"): one for name, one in options["ladder"].items()}
    lower = {one.lower() for one in fixed}
    ladders = {
        name: own_ladder.of(columns[name], given[name], options["other"])
        if name in given
        else coarser(
            ladder(columns[name], tables["synthetic"].column(name), options["other"]),
            partial(treating.distinct, name),
            treating.distinct(name, None),
        )
        for name in shared
        if name.lower() not in lower and columns[name].family not in {None, "null"}
    }
    cells = {
        name: Cells(tables["train"].column(name), ROLE_OF[str(columns[name].family)] != "categorical")
        for name in shared
        if name not in numbers and columns[name].family not in {None, "vector", "null"}
    }
    halves = _halves(tables, options)
    people = len(halves[1]["train"]) if halves[1] else len(tables["train"])
    search = Search(
        treating=treating,
        measuring=Measuring(call, {name: value for name, value in options.items() if name not in OF_SEARCH}, numbers),
        ladders=ladders,
        cells=cells,
        halves=halves,
        limits=Limits(options["remove"], options["loss"], options["steps"], *_LEVELS[options["target"]]),
        report=report,
    )
    search.run()
    synthetic = treating.table("synthetic", search.state)
    return Found(search.rows, search.state, columns, synthetic, people, bool(halves[1]), search.closest)


def _columns(table: pa.Table) -> dict[str, Column]:
    """The columns of a table in memory, as DuckDB describes them."""
    with duckdb.connect(":memory:") as connection:
        relation = connection.from_arrow(table)
        return {
            name: Column(name, str(kind), kind.id) for name, kind in zip(relation.columns, relation.types, strict=True)
        }


def _alike(table: pa.Table, columns: Mapping[str, Column], options: Mapping[str, Any]) -> pa.Table:
    """A real table with the names of synthetic's columns, and only these, and those of the unit and the key."""
    by_lower = {name.lower(): name for name in columns}
    besides = {str(options[name]).lower() for name in ("unit", "key") if options.get(name)}
    names = [name for name in table.column_names if name.lower() in by_lower or name.lower() in besides]
    return table.select(names).rename_columns([by_lower.get(name.lower(), name) for name in names])


def _named(options: Mapping[str, Any]) -> set[str]:
    """The columns that an option names: they are used as that says."""
    lists = (options.get(option) or [] for option in ("columns", "numeric", "categorical"))
    return {name for names in lists for name in names}


def _spelled(name: str, columns: Mapping[str, Column], option: str) -> str:
    """The name of a column as synthetic has it."""
    found = next((known for known in columns if known.lower() == name.lower()), None)
    if found is None:
        near = get_close_matches(name, columns, n=1)
        hint = f'; did you mean "{near[0]}"?' if near else f"; it has {', '.join(columns)}"
        raise UnknownColumn(f'{wording.option(option)}: synthetic has no column "{name}"{hint}')
    return found


def _halves(tables: Mapping[str, pa.Table], options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The record numbers of both halves of the people; the same, all, if a half would have too few."""
    drawn = np.random.default_rng(options["seed"])
    first: dict[str, Any] = {}
    second: dict[str, Any] = {}
    for side in ("train", "holdout"):
        persons = _persons(tables[side], options.get("unit"))
        people = int(persons.max()) + 1 if len(persons) else 0
        in_first = np.zeros(people, bool)
        in_first[drawn.permutation(people)[: (people + 1) // 2]] = True
        if people < 2 * FEWEST:
            warnings.warn(
                f"{side} has {people:,} people, too few for two halves of {FEWEST:,}: the search sees all of them, and "
                "its confirmation is by people that it has seen",
                SynthprivWarning,
                stacklevel=2,
            )
            return {}, {}
        first[side], second[side] = np.flatnonzero(in_first[persons]), np.flatnonzero(~in_first[persons])
    return first, second


def _persons(table: pa.Table, unit: str | None) -> np.ndarray[Any, Any]:
    """The number of the person of each row."""
    if not unit:
        return np.arange(len(table))
    name = next(name for name in table.column_names if name.lower() == unit.lower())
    codes = pc.fill_null(table.column(name).combine_chunks().dictionary_encode().indices, -1)
    return np.array(codes.to_numpy(), dtype=np.int64) + 1
