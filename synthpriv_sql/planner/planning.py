"""From a call to the SQL that runs it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

from synthpriv_sql.errors import (
    ColumnMismatch,
    OptionError,
    RoleError,
    SynthprivError,
    SynthprivWarning,
    UnknownTable,
)
from synthpriv_sql.planner.calls import named_columns, own, sequences, several, unsupported
from synthpriv_sql.planner.columns import children, partitions
from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.headers import arguments, catalog, known_files, wording
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.planner.statement import shapes
from synthpriv_sql.planner.statement.lists import Lists
from synthpriv_sql.planner.statement.names import Words, words_of
from synthpriv_sql.planner.statement.parts import Assembled, gc_paused
from synthpriv_sql.planner.statement.queries import Statement
from synthpriv_sql.planner.statement.shapes import Written


@dataclass(frozen=True, slots=True)
class Plan:
    """A statement that is ready to run: its parts, or ``sql``, all of it as DuckDB runs it."""

    function: Function
    relations: Sequence[Relation]
    written: Written
    options: Mapping[str, Any]
    tables: Mapping[str, Any]
    """The argument of each parameter that is a table."""
    groups: partitions.Groups | None = None
    """The groups to run it for one by one; their values are parameters of the statement."""

    @property
    def searches(self) -> int:
        """How many times it calls the kernel for neighbors or forests."""
        times = sum(not group.reason for group in self.groups.each) if self.groups else 1
        return times * self.written.shape.searches

    @property
    def statement(self) -> Assembled:
        """Its parts, and the query that reads them."""
        return self.written.statement

    @property
    def sql(self) -> str:
        """The text for DuckDB."""
        return self.written.sql

    def warn(self, stacklevel: int) -> None:
        """Emit the warnings of its parts."""
        for said in self.written.shape.warnings:
            warnings.warn(said, SynthprivWarning, stacklevel=stacklevel + 1)


IDENTIFIERS = "identifiers"
"""The option that says what becomes of columns that look as if they named records."""


class Finder(Protocol):
    """What planning needs of an engine."""

    dialect: str
    apart: bool
    """Whether groups are run one at a time."""

    def relation(self, parameter: str, value: Any) -> Relation:
        """Find the table that a call gives for a parameter, or raise `UnknownTable`."""

    def ask(self, function: Function, given: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """Return the few rows of another call, which this one depends on."""


def plan(
    engine: Finder, function: Function, given: Mapping[str, Any], kernel: bool = True, whole: bool = False
) -> Plan:
    """Check a call, look its tables up, and write its SQL.

    Parameters
    ----------
    engine
        Where the tables are.
    function
        What is called.
    given
        Arguments by name.
    kernel
        Whether neighbors are searched for by the kernel; else in plain SQL.
    whole
        Whether one statement is to compute all groups, although the engine runs them one by one.

    Raises
    ------
    SynthprivError
        See `synthpriv_sql.errors`.
    """
    function, given = own.with_attacks(engine, function, given)
    checked = arguments.check(function, given)
    relations = _found(engine, checked.relations)
    try:
        return _planned(engine, function, given, checked, relations, kernel, engine.apart and kernel and not whole)
    except (ColumnMismatch, RoleError) as error:
        # Report all problems of the tables in one error.
        infinite = ""
        with suppress(SynthprivError):
            infinite = unsupported.infinite(engine, function, relations, checked.relations, checked.options)
        if not infinite:
            raise
        raise type(error)(f"{error}. Also: {infinite}") from None


def _found(engine: Finder, tables: Mapping[str, Any]) -> list[Relation]:
    """Look up the tables of a call; problems of several tables are one error."""
    found: list[Relation] = []
    failed: dict[str, UnknownTable] = {}
    for name, value in tables.items():
        try:
            if value is not None:
                found.append(engine.relation(name, value))
        except UnknownTable as error:
            if engine.dialect != "duckdb":  # elsewhere a transaction may have failed with it
                raise
            failed[str(error)] = error
    if failed:
        raise UnknownTable(". ".join(failed)) if len(failed) > 1 else next(iter(failed.values()))
    return found


def _planned(
    engine: Finder,
    function: Function,
    given: Mapping[str, Any],
    checked: arguments.Arguments,
    relations: Sequence[Relation],
    kernel: bool,
    one_by_one: bool,
) -> Plan:
    """Plan a call whose tables are found."""
    relations, given, checked = unsupported.comparable(engine, function, relations, given, checked)
    if IDENTIFIERS in function.asks_before and checked.options[IDENTIFIERS] == "exclude":
        checked = arguments.check(function, _without_identifiers(engine, function, given))
    for relation in relations:
        for name in function.parameters[relation.parameter].needs:
            relation.column(name, relation.parameter)
    function, relations = several.fit(
        function,
        relations,
        checked.options,
        lambda parameter: kernel and _is_empty(engine, checked.relations[parameter]),
    )
    plain = catalog.variants(engine.dialect, kernel)
    options = named_columns.of_positions(checked.options, relations[0]) if relations else checked.options
    sequences.check(function, options)
    runs = sequences.are_asked_for(function, options)
    if runs:
        relations, options = sequences.of_runs(function, relations, options, engine.dialect)
    for said in _cautions(relations, options):
        warnings.warn(said, SynthprivWarning, stacklevel=2)
    if "warnings" in function.asks_before and kernel:
        for message in children.key_warnings(relations, _only_row(engine, function.asks_before["warnings"], given)):
            warnings.warn(message, SynthprivWarning, stacklevel=2)
    if options.get("until_safe"):
        raise OptionError(
            "safe: until_safe asks several statements one after the other, which SQL cannot: session.safe(…) and "
            f"the command safe do that; here {wording.given('rounds', 5)} asks so often"
        )
    options = _internal(engine, function, options, kernel)
    if "weights" in function.asks_before:
        options = {**options, "weights": _weights(engine, function, given)}
    called, parted = _one_by_one(engine, function, checked, relations)
    # What is the same for all groups is computed once where they are in one statement.
    is_apart = one_by_one and called is function and parted is not None and parted.have_all(relations)
    apart = parted if is_apart else None
    parted = apart.any_one(relations) if apart is not None else parted
    file = (function.path, function.text if function.several else "")
    call = _Call((*file, engine.dialect, plain, repr(options)), called, options, plain, engine.dialect, kernel)
    # Others are not run as one text, or have their tables in more than their FROM: values of groups, runs of rows.
    if engine.dialect == "duckdb" and not runs and (parted is None or apart is not None):
        written = shapes.written(call, relations, parted, call.build)
    else:
        built = _built(call, tuple(relations), parted)
        written = Written(sequences.numbered(built) if runs else built)
    return Plan(function, relations, written, options, checked.relations, apart)


def _internal(engine: Finder, function: Function, options: Mapping[str, Any], kernel: bool) -> Mapping[str, Any]:
    """The options of a call with those that its caller does not give: see [internal] in sql/options.toml."""
    found = {**options, **function.sets}
    attacks = options.get("attack")
    if isinstance(attacks, list) and len(attacks) > 1:
        found["lenient"] = True
    if function.sets.get("controlled"):
        # The control is of use beside the attack that learns, and runs where the kernel does.
        learns = {"learned", arguments.ALL} & {*options["attack"], *options["named_by"]}
        found["controlled"] = bool(learns) and engine.dialect == "duckdb" and kernel
    return found


def _one_by_one(
    engine: Finder, function: Function, call: arguments.Arguments, relations: Sequence[Relation]
) -> tuple[Function, partitions.Groups | None]:
    """The function that is written, and the groups of rows, or of several tables each, that it is written for."""
    if several.is_apart(function) and function.spread_of is not None:
        return function.spread_of[0], several.apart(function, relations)
    return function, _parted(engine, call, relations) if call.options.get("group_by") else None


def _only_row(engine: Finder, name: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The row of a file that gives one, with those of some arguments that it takes."""
    function = catalog.file(name)
    (row,) = engine.ask(function, {name: value for name, value in given.items() if name in function.parameters})
    return row


def _is_empty(engine: Finder, table: Any) -> bool:
    return bool(_only_row(engine, known_files.ROW_COUNT, {"data": table})["rows"] == 0)


_COARSE = 10
"""A grid with fewer points on one side of a threshold is coarse: of one, an area may be off by a tenth and more."""


def _cautions(relations: Sequence[Relation], options: Mapping[str, Any]) -> Iterator[str]:
    """Warnings about calls that may not measure what the caller expects."""
    if "size" in options and not options["size"] and {"size", "count"} <= relations[0].by_name.keys():
        yield (
            f'{relations[0].label} has the columns "size" and "count", and "size" is read; give '
            f"{wording.given('size', 'count')} to have the other read"
        )
    if options.get("method") == "grid":
        points = options["points"]
        coarse = [t for t in options["threshold"] if min(t, 1 - t) * (points - 1) < _COARSE - 1e-9]
        if coarse:
            t = min(coarse, key=lambda t: min(t, 1 - t))
            yield (
                f"a grid of {points} points has {min(t, 1 - t) * (points - 1):.3g} steps on one side of the threshold "
                f"{t:g}: the areas of so few are far off (an exact copy has a privacy_area below 1). Give more points, "
                f"or {wording.given('method', 'exact')}"
            )


def _without_identifiers(engine: Finder, function: Function, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Exclude the columns that look like identifiers of records, which only the rows can tell."""
    asked = catalog.file(function.asks_before[IDENTIFIERS])
    excluded, hints = (_listed(given.get(option)) for option in ("exclude", "hints"))
    asking = {**given, "exclude": [*excluded, *hints] or None}
    rows = engine.ask(asked, {name: value for name, value in asking.items() if name in asked.parameters})
    return {**given, "exclude": excluded + [row["column_name"] for row in rows if row["identifier"]]}


def _listed(names: str | Sequence[str] | None) -> list[str]:
    return [names] if isinstance(names, str) else list(names or [])


def _weights(engine: Finder, function: Function, given: Mapping[str, Any]) -> dict[str, float]:
    """Query the weights of the columns, which depend on the rows."""
    if given.get("group_by"):
        raise OptionError(
            f"{function.name} weighs columns by all rows, so it takes no group_by: a query in parentheses gives the "
            "rows of one group"
        )
    asked = catalog.file(function.asks_before["weights"])
    rows = engine.ask(asked, {name: value for name, value in given.items() if name in asked.parameters})
    return {row["column_name"]: row["weight"] for row in rows}


def _parted(engine: Finder, call: arguments.Arguments, relations: Sequence[Relation]) -> partitions.Groups:
    """Query the groups that the tables have."""
    names = list(dict.fromkeys(call.options["group_by"]))
    classes = catalog.file(known_files.EQUIVALENCE_CLASSES)
    rows = {
        relation.parameter: [
            tuple(row.values())[: len(names)]
            for row in engine.ask(classes, {"data": call.relations[relation.parameter], "quasi_identifiers": names})
        ]
        for relation in partitions.check_names(relations, names)
    }
    return partitions.grouped(relations, names, rows, call.options["strict_groups"])


@dataclass(frozen=True, slots=True)
class _Call:
    """A call; equal calls on the same tables have the same statement."""

    key: tuple[Any, ...]
    function: Function = field(compare=False)
    options: Mapping[str, Any] = field(compare=False)
    plain: tuple[str, ...] = field(compare=False)
    dialect: str = field(compare=False)
    kernel: bool = field(compare=False)

    def build(self, tables: Sequence[Relation], groups: partitions.Groups | None, words: Words) -> Assembled:
        """Assemble its SQL."""
        if self.options.get("exclude_self") and len({r.node for r in tables}) > 1:
            sides = " and ".join(r.label for r in tables)
            raise OptionError(f"exclude_self leaves out a record's own position, but {sides} are not the same table")
        relations, apart = own.beside(tables)
        compared, lists, options = named_columns.lists(self.function, relations, apart, self.options, self.kernel)
        statement = Statement(tables, Lists(compared, lists), options, self.plain, self.dialect, words)
        with gc_paused:
            return statement.build(self.function, groups)


@lru_cache(maxsize=256)
def _built(call: _Call, tables: tuple[Relation, ...], groups: partitions.Groups | None) -> Assembled:
    """Assemble the SQL of a call; cached, because calls repeat and this takes longer than looking up their tables."""
    return call.build(tables, groups, Words(words_of(tables)))
