"""Groups of rows that a call is computed for separately: ``group_by``, such as regions, months or tenants.

The groups are queried while the call is planned. If the engine runs them one at a time, all groups share a statement
with parameters for the values of a group. Otherwise, or if a table is not grouped, one statement computes all groups:
it has the function's parts once per group, and parts that do not depend on the group, such as a search in that table,
once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlglot import exp

from synthpriv_sql.errors import ColumnMismatch, OptionError, RoleError, TooLarge
from synthpriv_sql.planner.columns.nested import Nested
from synthpriv_sql.planner.columns.tables import Relation, unknown_column
from synthpriv_sql.planner.columns.types import Column, duckdb_type
from synthpriv_sql.planner.headers import wording

MOST = 500
"""Groups in one call: each adds its own parts to the statement."""
REASON = "reason"
"""The column that says why a group has no numbers."""
_AS_TEXT = frozenset({"text", "enum", "uuid"})


@dataclass(frozen=True)
class Group:
    """The rows with one value of each grouping column.

    ``values`` are those of the grouping columns in the result; ``relations`` are the tables of the call, those with the
    grouping columns filtered to the group; ``reason`` says why nothing is computed for the group, if so.
    """

    values: tuple[exp.Expr, ...]
    relations: tuple[Relation, ...]
    reason: str = ""


@dataclass(frozen=True)
class Groups:
    """The groups of a call in their order, and the grouping columns in the spelling of the first table.

    With ``strict``, a group without rows in one of the tables is an error, so no group has a reason.
    """

    columns: tuple[Column, ...]
    each: tuple[Group, ...]
    strict: bool = False

    def have_all(self, relations: Sequence[Relation]) -> bool:
        """Whether all tables have the grouping columns: none is used unfiltered for every group."""
        return all(columns_of(relation, [column.name for column in self.columns]) for relation in relations)

    def any_one(self, relations: Sequence[Relation]) -> Groups:
        """Return one group with parameters of the statement as values, from 1 in the order of the columns."""
        names = [column.name for column in self.columns]
        cut = []
        for relation in relations:
            pairs = zip(columns_of(relation, names), self.columns, strict=True)
            only = [
                exp.NullSafeEQ(this=_held(own), expression=_parameter(column, i))
                for i, (own, column) in enumerate(pairs, 1)
            ]
            cut.append(replace(relation, only=tuple(only)))
        values = tuple(_parameter(column, i) for i, column in enumerate(self.columns, 1))
        return Groups(self.columns, (Group(values, tuple(cut)),), self.strict)


def columns_of(relation: Relation, names: Sequence[str]) -> list[Column]:
    """Return the grouping columns of a table: all or none of them.

    Raises
    ------
    UnknownColumn
        It has only some of them.
    """
    there = [name for name in names if name.lower() in relation.by_name]
    return relation.listed(names, "group_by") if there else []


def grouped(
    relations: Sequence[Relation], names: Sequence[str], rows: Mapping[str, Sequence[Any]], strict: bool
) -> Groups:
    """Filter the tables of a call to its groups.

    Parameters
    ----------
    relations
        The tables. One that has none of the columns is used unfiltered for every group.
    names
        The grouping columns.
    rows
        The combinations of values that each table with the columns has, by parameter.
    strict
        Whether a group without rows in one of these tables is an error. Otherwise, it has a reason.

    Raises
    ------
    ColumnMismatch
        A group is in one table and not in another, and that is an error; or no group is in all tables.
    RoleError
        A column has a type for which not all databases define equality.
    TooLarge
        There are more than `MOST` groups.
    """
    having = [r for r in relations if r.parameter in rows]
    first = having[0]
    columns = tuple(columns_of(first, names))
    for relation in having:
        for column in columns_of(relation, names):
            if column.family in {None, "vector"}:
                raise RoleError(
                    f'column "{column.name}" of {relation.label} has type {column.type}, which cannot be grouped by: '
                    "cast it to text, a number or a time"
                )
    found = {r.parameter: dict.fromkeys(tuple(row) for row in rows[r.parameter]) for r in having}
    everywhere = set.intersection(*(set(of_one) for of_one in found.values()))
    if strict or not everywhere:
        for relation in having[1:]:
            _check_same(first, relation, found, names)
    values = sorted({value: None for of_one in found.values() for value in of_one}, key=_place)
    if len(values) > MOST:
        many = f"{len(values):,} groups of {' and '.join(r.label for r in having)}; one call takes at most {MOST:,}"
        raise TooLarge(f"{wording.option('group_by')} makes {many}")
    groups = []
    for value in values:
        missing = [r.label for r in having if value not in found[r.parameter]]
        reason = f"no such rows in {' and '.join(dict.fromkeys(missing))}" if missing else ""
        groups.append(_group(relations, rows, names, columns, value, reason))
    return Groups(columns, tuple(groups), strict)


def check_names(relations: Sequence[Relation], names: Sequence[str]) -> list[Relation]:
    """Return the tables that have the grouping columns.

    Raises
    ------
    UnknownColumn
        No table has them, or one has only some of them.
    OptionError
        No table is given.
    """
    if not relations:
        raise OptionError(f"{wording.option('group_by')} needs a table, and none is given")
    having = [r for r in relations if columns_of(r, names)]
    if not having:
        raise unknown_column(names, "group_by", relations)
    return having


def _check_same(first: Relation, other: Relation, found: Mapping[str, Any], names: Sequence[str]) -> None:
    one, two = found[first.parameter], found[other.parameter]
    problems = []
    for of, here, against, there in ((one, first, two, other), (two, other, one, first)):
        missing = len(of.keys() - against.keys())
        if missing:
            are = "is" if missing == 1 else "are"
            problems.append(f"{missing:,} of the {len(of):,} groups of {here.label} {are} not in {there.label}")
    if problems:
        listed = ", ".join(f'"{name}"' for name in names)
        raise ColumnMismatch(
            f"{wording.option('group_by')}: {'; '.join(problems)}. Each group needs rows in all tables: leave out "
            "the rows of "
            f"the other groups (a query in parentheses), or group by something coarser than {listed}"
        )


def _place(values: tuple[Any, ...]) -> list[tuple[bool, bool, Any]]:
    """The sorting key of a group: its values, NULL last; dates that Python lacks, which are text."""
    return [(value is None, isinstance(value, str), 0 if value is None else value) for value in values]


def _group(
    relations: Sequence[Relation],
    rows: Mapping[str, Sequence[Any]],
    names: Sequence[str],
    columns: Sequence[Column],
    values: Sequence[Any],
    reason: str,
) -> Group:
    cut = []
    for relation in relations:
        if relation.parameter not in rows:
            cut.append(relation)
            continue
        only = [_is(c, value) for c, value in zip(columns_of(relation, names), values, strict=True)]
        cut.append(replace(relation, only=tuple(only)))
    return Group(tuple(_typed(c, value) for c, value in zip(columns, values, strict=True)), tuple(cut), reason)


def _held(column: Column) -> exp.Expr:
    """The value that a row of a table has."""
    if isinstance(column, Nested):
        return column.taken
    if column.read_as:
        return exp.cast(column.node, column.read_as, dialect="duckdb")
    return exp.cast(column.node, "VARCHAR") if column.family in _AS_TEXT - {"text"} else column.raw()


def _is(column: Column, value: Any) -> exp.Expr:
    """The condition that a row of a table has the value."""
    held = _held(column)
    return held.is_(exp.null()) if value is None else held.eq(_typed(column, value))


def _typed(column: Column, value: Any) -> exp.Expr:
    """A value as a literal in the type of a column."""
    return _cast(column, exp.null() if value is None else exp.Literal.string(str(value)))


def _parameter(column: Column, number: int) -> exp.Expr:
    """A parameter of the statement for a value of a column."""
    return _cast(column, exp.Parameter(this=exp.Literal.number(number)))


def _cast(column: Column, value: exp.Expr) -> exp.Expr:
    """A value in the type of a column; enums and UUIDs are compared as text."""
    type_ = "VARCHAR" if column.family in _AS_TEXT or column.family == "null" else column.held
    return exp.cast(value, duckdb_type(type_))
