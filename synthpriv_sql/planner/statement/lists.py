"""The lists of columns that a file of sql/ can iterate over, and the names of these columns inside a statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from sqlglot import exp

from synthpriv_sql.planner.columns import releases
from synthpriv_sql.planner.columns.compared import ComparedColumn
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.statement.trees import copied, nodes

Listed = ComparedColumn | Column
_ROLES = {
    "compared": None,
    "numeric": {"numeric", "temporal"},
    "number": {"numeric"},
    "moment": {"temporal"},
    "categorical": {"categorical"},
    "vector": {"vector"},
    "scalar": {"numeric", "temporal", "categorical"},
}


def internal_name(column: Listed) -> str:
    """The name of a column inside a statement: it cannot collide with a name that the files use."""
    return (column.inside if isinstance(column, Column) else "") or f"[{column.name}]"


def own_name(name: str) -> str | None:
    """The user's column that has this name inside a statement; None for any other name."""
    return name[1:-1] if name.startswith("[") and name.endswith("]") else None


@dataclass(frozen=True, slots=True)
class Lists:
    """The lists of columns that a file can iterate over."""

    compared: Sequence[ComparedColumn]
    named: Mapping[str, Sequence[Listed]]

    def columns(self, listed: exp.Expr) -> list[tuple[int, Listed]]:
        """Return the columns of a list with their positions among all compared columns, or in the list."""
        name = listed.name
        if name in _ROLES:
            roles = _ROLES[name]
            return [(i, c) for i, c in enumerate(self.compared) if roles is None or c.role in roles]
        return list(enumerate(self.named[name]))


def repeated_releases(tree: exp.Query, members: Sequence[tuple[str, Mapping[str, exp.Expr]]]) -> exp.Query:
    """Replace each SELECT from each_release by one for each table, combined by UNION ALL.

    Parameters
    ----------
    tree
        The body of a file, which changes.
    members
        The name of each table, which stands for this_release, and the values of other names.
    """
    for table in [t for t in nodes(tree, exp.Table) if t.name == "each_release"]:
        select = table.find_ancestor(exp.Select)
        assert isinstance(select, exp.Select)
        joins = select.args.get("joins") or []
        select.set("from_", exp.From(this=joins[0].this) if joins else None)
        select.set("joins", joins[1:])
        union: exp.Query | None = None
        for parameter, values in members:
            one = copied(select)
            for node in nodes(one, exp.Column):
                if node.name == "this_release":
                    node.replace(exp.column(parameter))
                elif node.name in values:
                    node.replace(copied(values[node.name]))
            union = one if union is None else exp.union(union, one, distinct=False, copy=False)
        assert union is not None
        if select is tree:
            tree = union
        else:
            select.replace(union)
    return tree


@cache
def differs_by_release(name: str) -> bool:
    """Whether a file, or one that it calls, depends on the releases that it is about."""
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        called = waiting.pop()
        if called in seen:
            continue
        seen.add(called)
        for function in filter(None, (catalog.part(called), catalog.part(called, plain=True))):
            if releases.RELEASED in function.placeholders or goes_through_releases(function.tree):
                return True
            waiting += [node.name for node in nodes(function.tree, exp.Anonymous)]
    return False


def goes_through_releases(tree: exp.Expr) -> bool:
    """Whether a body has a SELECT from each_release."""
    return any(table.name == "each_release" for table in nodes(tree, exp.Table))
