"""Tables of children: how their columns are aggregated for a parent, and the names of the results."""

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
"""The suffixes of a column name in the result, and inside the statement."""
ENDINGS = tuple(ending for ending, _ in (*_OF_NUMBERS, *_OF_CATEGORIES, *_OF_SEQUENCES))


def columns(
    function: Function, relations: Sequence[Relation], options: Mapping[str, Any]
) -> tuple[Sequence[ComparedColumn], dict[str, Sequence[Column | ComparedColumn]]]:
    """Return the columns of the children to aggregate, and the lists that sql/children/ iterates over.

    Raises
    ------
    UnknownColumn
        The key, or the column to order by, does not exist.
    RoleError
        The keys of the two tables cannot be compared, or a column of the children has a type that cannot be aggregated.
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
    out = {key.lower(), *(name.lower() for name in _listed(options.get("exclude")))}
    if "order" in options and of_children.by_name.keys() - out:
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


def _listed(names: str | Sequence[str] | None) -> Sequence[str]:
    return [names] if isinstance(names, str) else names or ()


def _beside_parents(parents: Relation, of_children: Relation, key: str) -> dict[str, Sequence[Column]]:
    """The columns of children and those of parents, which are renamed if children have the same name."""
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


def key_warnings(relations: Sequence[Relation], counted: Mapping[str, Any]) -> Iterator[str]:
    """Warn of children without a parent, and of parents whose key is not unique."""
    parents, of_children = (relation.label for relation in relations)
    lost = counted["keyless"] + counted["orphans"]
    if lost:
        yield (
            f"{lost:,} of {counted['children']:,} rows of {of_children} belong to no row of {parents} and are left "
            f"out: {counted['keyless']:,} without a key, and {counted['orphans']:,} with a key that no parent has"
        )
    if counted["repeated"]:
        yield (
            f"{counted['repeated']:,} keys occur in several rows of {parents}, each of which has all children of its "
            "key"
        )
