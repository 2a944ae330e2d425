"""From a call to the SQL that runs it."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from synthpriv_sql.errors import (
    ColumnMismatch,
    NotInDialect,
    OptionError,
    RoleError,
    SynthprivError,
    SynthprivWarning,
    UnknownTable,
)
from synthpriv_sql.planner.calls import (
    differing,
    named_columns,
    numbering,
    own,
    sampling,
    sequences,
    several,
    texts,
    unsupported,
)
from synthpriv_sql.planner.columns import children, partitions, releases, spelling
from synthpriv_sql.planner.columns.tables import Relation, listed_columns
from synthpriv_sql.planner.database import Database
from synthpriv_sql.planner.headers import arguments, catalog, known_files, wording
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.planner.statement import shapes
from synthpriv_sql.planner.statement.lists import Lists
from synthpriv_sql.planner.statement.names import Words, words_of
from synthpriv_sql.planner.statement.parts import Assembled, gc_paused
from synthpriv_sql.planner.statement.queries import Statement
from synthpriv_sql.planner.statement.shapes import Shape, Written


@dataclass(frozen=True, slots=True)
class Plan:
    """A statement that is ready to run: as parts, or as ``sql``, the whole text for DuckDB."""

    function: Function
    relations: Sequence[Relation]
    written: Written
    options: Mapping[str, Any]
    tables: Mapping[str, Any]
    """The argument of each parameter that is a table."""
    groups: partitions.Groups | None = None
    """The groups to run it for separately; their values are parameters of the statement."""

    @property
    def searches(self) -> int:
        """The number of kernel calls for neighbors or forests."""
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
        for message in self.written.shape.warnings:
            warnings.warn(message, SynthprivWarning, stacklevel=stacklevel + 1)


def plan(
    engine: Database, function: Function, given: Mapping[str, Any], kernel: bool = True, whole: bool = False
) -> Plan:
    """Check a call, look its tables up, and write its SQL.

    Parameters
    ----------
    engine
        The engine that holds the tables.
    function
        The function to call.
    given
        Arguments by name.
    kernel
        Whether the kernel searches for neighbors; otherwise plain SQL does.
    whole
        Whether one statement computes all groups even if the engine runs them one at a time.

    Raises
    ------
    SynthprivError
        See `synthpriv_sql.errors`.
    """
    if function.searched:
        raise NotInDialect(
            f"{function.name} runs many statements one after the other, which one SQL statement cannot: call it in "
            "Python, in DuckDB SQL or on the command line, where remedy has --sql for the statement that treats a table"
        )
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


def _found(engine: Database, tables: Mapping[str, Any]) -> list[Relation]:
    """Look up the tables of a call; problems of several tables are one error."""
    found: list[Relation] = []
    failed: dict[str, UnknownTable] = {}
    for name, value in tables.items():
        try:
            if value is not None:
                found.append(engine.relation(name, value))
        except UnknownTable as error:
            if engine.dialect != "duckdb":  # other databases may have aborted the transaction
                raise
            failed[str(error)] = error
    if len(failed) > 1:
        raise UnknownTable(". ".join(sentence.rstrip(".") for sentence in failed))
    for only in failed.values():
        raise only
    return spelling.alike(found)


def _planned(
    engine: Database,
    function: Function,
    given: Mapping[str, Any],
    checked: arguments.Arguments,
    relations: Sequence[Relation],
    kernel: bool,
    one_by_one: bool,
) -> Plan:
    """Plan a call whose tables have been looked up."""
    relations, given, checked = unsupported.comparable(engine, function, relations, given, checked)
    given, checked = texts.resolved(engine, function, relations, given, checked)
    if "row_numbers" in function.asks_before and checked.options[numbering.IDENTIFIERS] != "compare":
        given = _without_row_numbers(engine, function, given, relations)
        checked = arguments.check(function, given)
    if numbering.IDENTIFIERS in function.asks_before and checked.options[numbering.IDENTIFIERS] == "exclude":
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
    options = named_columns.resolved(function, checked.options, relations) if relations else checked.options
    sequences.check(function, options)
    relations, drawn = sampling.drawn(engine, function, relations, checked.relations, options)
    runs = sequences.are_compared(function, options)
    if runs:
        relations, options = sequences.of_runs(function, relations, options, engine.dialect)
    for message in [*_cautions(relations, options), *differing.cautions(function, relations, options)]:
        warnings.warn(message, SynthprivWarning, stacklevel=2)
    if "warnings" in function.asks_before and kernel:
        for message in children.key_warnings(relations, _only_row(engine, function.asks_before["warnings"], given)):
            warnings.warn(message, SynthprivWarning, stacklevel=2)
    if options.get("until_safe"):
        raise OptionError(
            "safe: until_safe runs several statements one after the other, which one SQL statement cannot: use "
            f"session.safe(…) or the command safe; here {wording.given('rounds', 5)} sets a fixed number of rounds"
        )
    options = {**_internal(engine, function, options, kernel), **drawn}
    plain = catalog.variants(engine.dialect, kernel, _has_control(engine, function, options))
    if "weights" in function.asks_before:
        options = {**options, "weights": _weights(engine, function, given)}
    called, parted = _one_by_one(engine, function, checked, relations)
    # In one statement for all groups, what does not depend on the group is computed once.
    is_apart = one_by_one and called is function and parted is not None and parted.have_all(relations)
    apart = parted if is_apart else None
    parted = apart.any_one(relations) if apart is not None else parted
    file = (function.path, function.text if function.several else "")
    call = _Call((*file, engine.dialect, plain, repr(options)), called, options, plain, engine.dialect, kernel)
    # Other statements are not run as one text, or contain more of their tables than names: values of groups, runs.
    if engine.dialect == "duckdb" and not (runs or drawn) and (parted is None or apart is not None):
        written = shapes.written(call, relations, parted, call.build)
    else:
        built = _built(call, tuple(relations), parted).assembled
        written = Written(sequences.numbered(built) if runs else built)
    return Plan(function, relations, written, options, checked.relations, apart)


def _internal(engine: Database, function: Function, options: Mapping[str, Any], kernel: bool) -> Mapping[str, Any]:
    """The options of a call with the internal ones, which a caller cannot give: see [internal] in sql/options.toml."""
    found = {**options, **function.sets}
    attacks = options.get("attack")
    if isinstance(attacks, list) and len(attacks) > 1:
        found["lenient"] = True
    if options.get("effort") == "quick":
        found["most"] = min(found["most"], QUICK_PEOPLE)
        found["counted"] = False
        if engine.dialect != "spark":  # whose executors share these searches
            found["most_asked"] = QUICK_ASKED
    found |= releases.internal(function, options)
    if function.sets.get("controlled"):
        # The attack that learns scores the control as well, by the same searches of real records.
        learns = {"learned", arguments.ALL} & {*options["attack"], *options["named_by"]}
        found["controlled"] = bool(learns) and kernel
    return found


def _has_control(engine: Database, function: Function, options: Mapping[str, Any]) -> bool:
    """Whether the control of attacks is computed: outside of DuckDB, if their rows leave anyway.

    Spark has it from the attack that learns, whose task it shares.
    """
    if engine.dialect == "spark":
        return bool(options.get("controlled"))
    return engine.dialect == "duckdb" or bool(function.sets.get("controlled"))


def _one_by_one(
    engine: Database, function: Function, call: arguments.Arguments, relations: Sequence[Relation]
) -> tuple[Function, partitions.Groups | None]:
    """The function to assemble, and the groups of rows, or of several tables each, to assemble it for."""
    if several.is_apart(function) and function.spread_of is not None:
        return function.spread_of[0], several.apart(function, relations)
    return function, _parted(engine, call, relations) if call.options.get("group_by") else None


def _only_row(engine: Database, name: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The row of a file that returns one, called with those of the arguments that it takes."""
    function = catalog.file(name)
    (row,) = engine.ask(function, {name: value for name, value in given.items() if name in function.parameters})
    return row


def _is_empty(engine: Database, table: Any) -> bool:
    return bool(_only_row(engine, known_files.ROW_COUNT, {"data": table})["rows"] == 0)


QUICK_PEOPLE = 20_000
"""The people of each side of whom a quick evaluation asks the attack ``learned``, at most."""
QUICK_ASKED = 100_000
"""The same for attacks by distance and by agreement, which cost less of each."""
_COARSE = 10
"""A grid with fewer points on one side of a threshold is coarse: an area may be off by a tenth or more."""


def _cautions(relations: Sequence[Relation], options: Mapping[str, Any]) -> Iterator[str]:
    """Warnings about calls that may not measure what the caller expects."""
    if "size" in options and not options["size"] and {"size", "count"} <= relations[0].by_name.keys():
        yield (
            f'{relations[0].label} has the columns "size" and "count", and "size" is used; give '
            f"{wording.given('size', 'count')} to use the other"
        )
    if options.get("method") == "grid":
        points = options["points"]
        coarse = [t for t in options["threshold"] if min(t, 1 - t) * (points - 1) < _COARSE - 1e-9]
        if coarse:
            t = min(coarse, key=lambda t: min(t, 1 - t))
            yield (
                f"a grid of {points} points has {min(t, 1 - t) * (points - 1):.3g} steps on one side of the threshold "
                f"{t:g}: areas from so few are inaccurate (an exact copy has a privacy_area below 1). Give more points "
                f"or {wording.given('method', 'exact')}"
            )


def _asked_of_each(
    engine: Database, detection: Function, function: Function, given: Mapping[str, Any]
) -> list[Mapping[str, Any]]:
    """The rows of a file that takes one synthetic table, for each of those that a call has."""
    passed = {name: value for name, value in given.items() if name in detection.parameters}
    tables = [given[name] for name in ("synthetic", *function.several) if given.get(name) is not None]
    return [row for table in tables for row in engine.ask(detection, {**passed, "synthetic": table})]


def _without_row_numbers(
    engine: Database, function: Function, given: Mapping[str, Any], relations: Sequence[Relation]
) -> Mapping[str, Any]:
    """Exclude columns that number rows or hold keys that the tables do not share, with a warning: they mean nothing."""
    if given.get("columns"):
        return given
    detection = catalog.file(function.asks_before["row_numbers"])
    # A column that another option names is used as that says.
    several = ("exclude", "hints", "numeric", "categorical", "text", "weights")
    named = {name.lower() for option in several for name in _listed(given.get(option))}
    named |= {str(given[option]).lower() for option in ("key", "unit", "order") if given.get(option)}
    possible = _asked_of_each(engine, catalog.file(detection.asks_before["possible"]), function, given)
    suspects = {row["column_name"] for row in possible}
    asked = [c.name for c in relations[0].columns if c.name in suspects and c.name.lower() not in named]
    if not asked:
        return given  # the usual case, in which neither table is read twice
    rows = _asked_of_each(engine, detection, function, {**given, "columns": asked})
    found = list(dict.fromkeys(row["column_name"] for row in rows))
    if not found or relations[0].by_name.keys() <= named | {name.lower() for name in found}:
        return given
    if given.get(numbering.IDENTIFIERS) == "exclude":
        return {**given, "exclude": [*_listed(given.get("exclude")), *found]}
    for kind in ("number", "key"):
        of_kind = list(dict.fromkeys(row["column_name"] for row in rows if row["kind"] == kind))
        if of_kind:
            warnings.warn(numbering.left_out(of_kind, kind, relations[0].label), SynthprivWarning, stacklevel=2)
    return {**given, "exclude": [*_listed(given.get("exclude")), *found]}


def _without_identifiers(engine: Database, function: Function, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Exclude the columns that look like identifiers of records, which are detected by their values."""
    detection = catalog.file(function.asks_before[numbering.IDENTIFIERS])
    excluded, hints = (_listed(given.get(option)) for option in ("exclude", "hints"))
    rows = _asked_of_each(engine, detection, function, {**given, "exclude": [*excluded, *hints] or None})
    found = dict.fromkeys(row["column_name"] for row in rows if row["identifier"])
    return {**_without_options_of(found, given), "exclude": [*excluded, *found]}


def _without_options_of(names: Iterable[str], given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Take columns that are excluded by themselves out of the options that say how to compare them, with a warning."""
    gone = {name.lower() for name in names}
    made = dict(given)
    for option in ("numeric", "categorical", "text", "weights"):
        value = given.get(option)
        named = _listed(value)
        ignored = [name for name in named if name.lower() in gone]
        if not ignored:
            continue
        kept = [name for name in named if name.lower() not in gone]
        made[option] = ({name: value[name] for name in kept} if isinstance(value, Mapping) else kept) or None
        warnings.warn(
            f"{wording.option(option)} is ignored for {listed_columns(ignored)}, left out as "
            f"{'identifiers' if len(ignored) > 1 else 'an identifier'}; to compare "
            f"{'them' if len(ignored) > 1 else 'it'} all the same, {wording.given(numbering.IDENTIFIERS, 'compare')}",
            SynthprivWarning,
            stacklevel=2,
        )
    return made


def _listed(names: str | Sequence[str] | None) -> list[str]:
    return [names] if isinstance(names, str) else list(names or [])


def _weights(engine: Database, function: Function, given: Mapping[str, Any]) -> dict[str, float]:
    """Query the weights of the columns, which depend on the rows."""
    if given.get("group_by"):
        raise OptionError(
            f"{function.name} weighs columns by all rows, so it takes no group_by: give queries in parentheses that "
            "select the rows of one group"
        )
    weighing = catalog.file(function.asks_before["weights"])
    rows = engine.ask(weighing, {name: value for name, value in given.items() if name in weighing.parameters})
    return {row["column_name"]: row["weight"] for row in rows}


def _parted(engine: Database, call: arguments.Arguments, relations: Sequence[Relation]) -> partitions.Groups:
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
        relations, apart = own.separated(tables)
        compared, lists, options = named_columns.lists(self.function, relations, apart, self.options, self.kernel)
        releases.check(self.function, options, self.dialect)
        statement = Statement(tables, Lists(compared, lists), options, self.plain, self.dialect, words)
        with gc_paused:
            return statement.build(self.function, groups)


@lru_cache(maxsize=256)
def _built(call: _Call, tables: tuple[Relation, ...], groups: partitions.Groups | None) -> Shape:
    """Assemble the SQL of a call; cached, because calls repeat and this takes longer than looking up their tables."""

    def build() -> Assembled:
        return call.build(tables, groups, Words(words_of(tables)))

    return Shape(build(), build)
