"""Tables of children: which of their columns become what of a parent, and what these are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from synthpriv_sql.planner.columns import matching
from synthpriv_sql.planner.columns.compared import ComparedColumn
from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers.catalog import Function

_OF_NUMBERS = (("min", "least"), ("max", "most"), ("mean", "center"))
_OF_CATEGORIES = (("most", "named"), ("distinct", "kinds"))
_OF_SEQUENCES = (("first", "earliest"), ("last", "latest"))
"""What a column ends with in the result, and what it ends with inside of the statement."""


def columns(
    function: Function, relations: Sequence[Relation], options: Mapping[str, Any]
) -> tuple[Sequence[ComparedColumn], dict[str, Sequence[Column | ComparedColumn]]]:
    """Return the columns of the children that are put together, and the lists that sql/children/ goes through.

    Raises
    ------
    UnknownColumn
        The key, or the column of the order, is not there.
    RoleError
        The keys of the two tables cannot be compared, or a column of the children has a type that nothing is made of.
    """
    parents, of_children = relations
    key = options["key"]
    for relation in relations:
        relation.column(key, "key")
    nothing = dict(matching.NO_OPTIONS)
    lists: dict[str, Sequence[Column | ComparedColumn]] = {
        "link": matching.compare(relations, nothing | {"columns": [key]}),
        "sequence": [of_children.column(options["order"], "order")] if options.get("order") else [],
        "own": parents.columns,
    }
    if function.columns_of == "beside_parents":
        return (), lists | _beside_parents(parents, of_children, key)
    compared: Sequence[ComparedColumn] = ()
    if "order" in options and len(of_children.columns) > 1:
        chosen = {name: options.get(name) for name in ("columns", "exclude", "numeric", "categorical")}
        compared = matching.compare([of_children], nothing | chosen | {"key": key})
    lists["in_order"] = compared if options.get("order") else []
    prefix = options.get("prefix") or ""
    made = [Column(f"{prefix}rows", "BIGINT", "bigint", inside="rows")]
    for column in compared:
        endings = [*(_OF_CATEGORIES if column.role == "categorical" else _OF_NUMBERS)]
        endings += _OF_SEQUENCES if options.get("order") else ()
        made += [
            Column(f"{prefix}{column.name}_{ending}", "", "", inside=f"[{column.name}] {inside}")
            for ending, inside in endings
        ]
    lists["flattened"] = [*parents.columns, *made]
    return compared, lists


def _beside_parents(parents: Relation, of_children: Relation, key: str) -> dict[str, Sequence[Column]]:
    """The columns of children, and those of parents under a name of their own where children have it."""
    of_parent = [column for column in parents.columns if column.name.lower() != key.lower()]
    beside = [
        replace(
            column,
            name=f"parent_{column.name}" if column.name.lower() in of_children.by_name else column.name,
            inside=f"[{column.name}] named",
        )
        for column in of_parent
    ]
    there = Column(f"has_{key}", "BOOLEAN", "boolean", inside="is_there")
    own = of_children.columns
    return {"own": own, "of_parent": of_parent, "beside_parents": [*own, *beside, there]}


def said(relations: Sequence[Relation], counted: Mapping[str, Any]) -> Iterator[str]:
    """Say which children, or parents, are not what their tables should have."""
    parents, of_children = (relation.label for relation in relations)
    lost = counted["keyless"] + counted["orphans"]
    if lost:
        yield (
            f"{lost:,} of {counted['children']:,} rows of {of_children} belong to no row of {parents} and are left "
            f"out: of {counted['keyless']:,} the key is missing, and that of {counted['orphans']:,} no parent has"
        )
    if counted["repeated"]:
        yield (
            f"{counted['repeated']:,} keys stand in several rows of {parents}, each of which has all children of its "
            "key"
        )
