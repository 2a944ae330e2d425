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

from synthpriv_sql.errors import OptionError, SynthprivWarning, UnknownColumn
from synthpriv_sql.planner.calls import families
from synthpriv_sql.planner.calls.descent import Child
from synthpriv_sql.planner.columns.types import ROLE_OF, Column
from synthpriv_sql.planner.headers import catalog, known_files, wording
from synthpriv_sql.remedies import own_ladder
from synthpriv_sql.remedies.family import FamilyMeasuring, owners
from synthpriv_sql.remedies.ladder import Step, coarser, ladder
from synthpriv_sql.remedies.loss import Cells
from synthpriv_sql.remedies.measuring import CONFIRMATION, START, Measures, Measuring, Row
from synthpriv_sql.remedies.search import Search
from synthpriv_sql.remedies.tables import SIDES, Limits, State, Treating, earlier, of_child, of_column
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
MOST = 20_000
"""With more people in a half, the search sees so many: those who confirm it, and all people together, are more."""
OF_SEARCH = frozenset({"keep", "ladder", "remove", "loss", "steps", "target", "other"})
"""Options of `remedy` alone, some of which have the names of other options elsewhere."""
_REAL = "real_from"
"""The internal option with the number of real records: half of them are judged by the features that all would be."""
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

    ``rows`` are its steps, ``state`` the treatment, ``made`` the tables after it by name (one without children, or that
    of the parents, has none), ``described`` their columns before it, ``people`` how many of train confirm it,
    ``is_halved`` whether the search did not see these, ``closest`` where a search ended that did not reach its target,
    ``gone`` which children are taken out, by table, and ``everyone`` how many people train has in both halves.
    """

    rows: Sequence[Row]
    state: State
    described: Mapping[str, Mapping[str, Column]]
    made: Mapping[str, pa.Table]
    people: int
    is_halved: bool
    closest: Row | None
    gone: Mapping[str, Sequence[int]]
    everyone: int

    @property
    def synthetic(self) -> pa.Table:
        """The table after the remedy; of a family that of the parents."""
        return self.made[""]

    @property
    def removed(self) -> list[int]:
        """The numbers of the records that are taken out."""
        kept = self.state.kept
        return [] if kept is None else np.flatnonzero(~kept).tolist()

    def removed_of(self, child: str) -> Sequence[int]:
        """Return the numbers of the records of a table that are taken out: children go with their parents."""
        return self.removed if not child else self.gone.get(child, [])

    def types(self, child: str = "") -> list[str]:
        """Return the DuckDB types of the columns of a table after the remedy."""
        return [column.type for column in _columns(self.made[child]).values()]

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
        child, dot, own = name.partition(".")
        own = own if dot and own in self.described.get(child, {}) else name
        value = exp.column(own, quoted=True) if step is None else step.expression
        assert value is not None
        return value.sql("duckdb")

    def select(self, table: exp.Expr, child: str = "") -> exp.Select:
        """Return the SELECT that treats a table, or one of children, without the removal of records."""
        shown: list[exp.Expr] = []
        for name in self.described[child]:
            step = self.state.steps.get(of_column(child, name))
            if step is None:
                shown.append(exp.column(name, quoted=True))
            elif step.expression is not None:
                shown.append(exp.alias_(step.expression.copy(), name, quoted=True))
        return exp.select(*shown).from_(table)


def find(
    tables: Mapping[str, pa.Table],
    options: Mapping[str, Any],
    call: Callable[..., Result],
    maker: Callable[[], families.Maker],
    report: Callable[[str], None],
    is_judged: bool = False,
) -> Found:
    """Search for the least change of synthetic.

    Parameters
    ----------
    tables
        All rows of synthetic, train and the holdout, of releases before, and of children.
    options
        The options of `remedy`, checked; ``children`` are tables of these by name.
    call
        Calls a function on tables in memory.
    maker
        Returns what makes the views of a family.
    report
        Called with what the search does.
    is_judged
        Whether the table was judged where it is, and may not be released as it is.
    """
    children = options["children"]
    described = {child: _columns(tables[of_child(child, "synthetic")]) for child in ("", *children)}
    besides = [*(str(options[name]) for name in ("unit", "key") if options.get(name)), *_keys(children)]
    sides = [*SIDES, *earlier(tables)]
    alike = {}
    for name, table in tables.items():
        child = next((one for one in children if name in {of_child(one, side) for side in sides}), "")
        is_given = name == of_child(child, "synthetic")
        alike[name] = table if is_given else _alike(table, described[child], besides)
    tables = alike
    columns = {of_column(child, name): column for child, own in described.items() for name, column in own.items()}
    if len(columns) < sum(map(len, described.values())):
        raise OptionError(f"{wording.option('children')}: a column of the parents is called as one of the children")
    shared = {
        of_column(child, name): child
        for child, own in described.items()
        for name in own
        if all(name in tables[of_child(child, side)].column_names for side in SIDES)
    }
    whose = owners(tables, children, "synthetic") if children else {}
    treating = Treating(columns, tables, {name: child for name, child in shared.items() if child}, whose)
    numbers = numbering(tables, options, call)
    fixed = [*numbers, *(_spelled(name, columns, "keep") for name in options["keep"] or [])]
    linking = {name.lower() for name in besides}
    lower = {name.lower() for name in fixed}
    changing = [
        name
        for name in shared
        if name.lower() not in lower
        and columns[name].name.lower() not in linking
        and columns[name].family not in {None, "null"}
    ]
    given = {_spelled(name, columns, "ladder"): one for name, one in options["ladder"].items()}
    if unused := [name for name in given if name not in changing]:
        raise OptionError(
            f'{wording.option("ladder")}: "{unused[0]}" does not change: {wording.option("keep")} names it, or it '
            "numbers or identifies rows, or train or the holdout lacks it"
        )
    ladders = {
        name: own_ladder.of(columns[name], given[name], options["other"])
        if name in given
        else coarser(
            ladder(columns[name], treating.column("synthetic", name, None), options["other"]),
            partial(treating.distinct, name),
            treating.distinct(name, None),
            len(treating.column("synthetic", name, None)),
        )
        for name in changing
    }
    links = {name for name in shared if columns[name].name.lower() in map(str.lower, _keys(children))}
    aside = _aside(options, columns)
    cells = {
        name: Cells(treating.column("train", name, None), ROLE_OF[str(columns[name].family)] != "categorical")
        for name in shared
        if name not in {*numbers, *links, *aside} and columns[name].family not in {None, "vector", "null"}
    }
    halves = _halves(tables, options)
    persons = _persons(tables["train"], _unit(options))
    everyone = len(np.unique(persons))
    people = len(np.unique(persons[halves[1]["train"]])) if halves[1] else everyone
    search = Search(
        treating=treating,
        measuring=_measuring(call, maker, options, numbers, described, sum(len(tables[side]) for side in SIDES[1:])),
        ladders=ladders,
        cells=cells,
        halves=halves,
        limits=limits(options),
        report=report,
        aside=aside,
    )
    as_given = as_it_is(search.measuring, tables, search.limits) if halves[0] and not is_judged else None
    if as_given is None:
        search.run()
    else:  # nothing was chosen, so nothing has to be confirmed by others
        search.rows = unchanged(as_given, len(tables["synthetic"]))
    made = {child: treating.table(of_child(child, "synthetic"), search.state) for child in described}
    kept = search.state.kept
    gone = {} if kept is None else {child: np.flatnonzero(~treating.kept(child, kept)).tolist() for child in children}
    is_halved = bool(halves[1]) and as_given is None
    people = people if is_halved else everyone
    return Found(search.rows, search.state, described, made, people, is_halved, search.closest, gone, everyone)


def limits(options: Mapping[str, Any]) -> Limits:
    """Return how far a search with these options may go."""
    return Limits(options["remove"], options["loss"], options["steps"], *_LEVELS[options["target"]])


def unchanged(measures: Measures, records: int) -> list[Row]:
    """Return the rows of a table that may be released as it is."""
    return [Row(None, action, None, measures, 0.0, records) for action in (START, CONFIRMATION)]


def measured_by(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options by which the states of a search are measured."""
    return {name: value for name, value in options.items() if name not in {*OF_SEARCH, "children"}}


def as_it_is(measuring: Measuring | FamilyMeasuring, tables: Mapping[str, pa.Table], within: Limits) -> Measures | None:
    """Return what the table gives away of all people as it is, if it may be released so; None if it may not."""
    quick = measuring.quickly(tables, most=-1)
    if not quick.gives_nobody_away or (within.levels and quick.clear):
        return None
    found = measuring.judged(tables, whole=True)
    allowed = found.level in within.levels if within.levels else found.gives_nobody_away
    return found if allowed else None


def _measuring(
    call: Callable[..., Result],
    maker: Callable[[], families.Maker],
    options: Mapping[str, Any],
    numbers: Sequence[str],
    described: Mapping[str, Mapping[str, Column]],
    people: int,
) -> Measuring | FamilyMeasuring:
    """What measures the states of a search; ``people`` is how many real records there are."""
    others = measured_by(options)
    if not options["children"]:
        return Measuring(call, {**others, _REAL: people}, numbers)
    names = [name for child, own in described.items() for name in own if of_column(child, name) in numbers]
    others["exclude"] = list(dict.fromkeys([*(others.get("exclude") or []), *names])) or None
    return FamilyMeasuring(
        call, maker(), others, options["children"], {child: list(own) for child, own in described.items()}
    )


def numbering(tables: Mapping[str, Any], options: Mapping[str, Any], call: Callable[..., Result]) -> list[str]:
    """Return the columns that number rows; the tables are those in memory, or what names them."""
    named = {name.lower() for name in (*_named(options), *_keys(options["children"]))}
    numbers = []
    for child in ("", *options["children"]):
        both = {side: tables[of_child(child, side)] for side in ("synthetic", "train")}
        found = call(catalog.file(known_files.RUNNING_NUMBERS), **both)["column_name"]
        numbers += [of_column(child, name) for name in found if name.lower() not in named]
    return numbers


def _keys(children: Mapping[str, Child]) -> list[str]:
    """The columns that identify parents."""
    return list(dict.fromkeys(child.key for child in children.values()))


def _columns(table: pa.Table) -> dict[str, Column]:
    """The columns of a table in memory, as DuckDB describes them."""
    with duckdb.connect(":memory:") as connection:
        relation = connection.from_arrow(table)
        return {
            name: Column(name, str(kind), kind.id) for name, kind in zip(relation.columns, relation.types, strict=True)
        }


def _alike(table: pa.Table, columns: Mapping[str, Column], besides: Sequence[str]) -> pa.Table:
    """A real table with the names of synthetic's columns, and only these, and those of the unit and of keys."""
    by_lower = {name.lower(): name for name in columns}
    others = {name.lower() for name in besides}
    names = [name for name in table.column_names if name.lower() in by_lower or name.lower() in others]
    return table.select(names).rename_columns([by_lower.get(name.lower(), name) for name in names])


def _named(options: Mapping[str, Any]) -> set[str]:
    """The columns that an option names: they are used as that says."""
    lists = (options.get(option) or [] for option in ("columns", "numeric", "categorical"))
    return {name for names in lists for name in names}


def _aside(options: Mapping[str, Any], columns: Mapping[str, Column]) -> frozenset[str]:
    """The columns that are not compared: those to exclude, or all but those that were chosen."""
    excluded = {name.lower() for name in options.get("exclude") or []}
    chosen = {name.lower() for name in options.get("columns") or []}
    return frozenset(
        name
        for name, column in columns.items()
        if column.name.lower() in excluded or (chosen and column.name.lower() not in chosen)
    )


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
    children = options.get("children") or {}
    unit = _unit(options)
    for side in ("train", "holdout"):
        persons = _persons(tables[side], unit)
        people = int(persons.max()) + 1 if len(persons) else 0
        shuffled, half = drawn.permutation(people), (people + 1) // 2
        in_first, in_second = np.zeros(people, bool), np.zeros(people, bool)
        in_first[shuffled[: min(half, MOST)]], in_second[shuffled[half:]] = True, True
        if people < 2 * FEWEST:
            warnings.warn(
                f"{side} has {people:,} people, too few for two halves of {FEWEST:,}: the search sees all of them, and "
                "its confirmation is by people that it has seen",
                SynthprivWarning,
                stacklevel=2,
            )
            return {}, {}
        is_first, is_second = in_first[persons], in_second[persons]
        first[side], second[side] = np.flatnonzero(is_first), np.flatnonzero(is_second)
        for child, numbers in owners(tables, children, side).items():
            first[of_child(child, side)] = np.flatnonzero((numbers >= 0) & is_first[numbers])
            second[of_child(child, side)] = np.flatnonzero((numbers >= 0) & is_second[numbers])
    return first, second


def _unit(options: Mapping[str, Any]) -> str | None:
    """The column that says whose row it is, of train and the holdout."""
    children = options.get("children") or {}
    return next((child.key for child in children.values() if not child.of), options.get("unit"))


def _persons(table: pa.Table, unit: str | None) -> np.ndarray[Any, Any]:
    """The number of the person of each row, from 0; rows without one are of one person."""
    if not unit:
        return np.arange(len(table))
    name = next(name for name in table.column_names if name.lower() == unit.lower())
    codes = pc.fill_null(table.column(name).combine_chunks().dictionary_encode().indices, -1)
    return np.unique(codes.to_numpy(), return_inverse=True)[1].astype(np.int64)
