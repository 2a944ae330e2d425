"""Evaluates what depends only on the options of a call in a file of sql/, before anything else is filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlglot import exp
from sqlglot.optimizer.simplify import simplify

from synthpriv_sql.errors import BrokenFile
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.planner.statement.trees import copied, literal, nodes


@dataclass(frozen=True, slots=True)
class _DecisionKey:
    """A file and the values of the options that it names; equal keys have the same result."""

    key: tuple[Any, ...]
    function: Function = field(compare=False)
    options: Mapping[str, Any] = field(compare=False)


def decided(function: Function, options: Mapping[str, Any], special: Mapping[str, exp.Expr]) -> exp.Query:
    """Return the body of a file after `decide`, which the caller may change; results are cached.

    Raises
    ------
    BrokenFile
        The body reads an option that the header does not declare, calls a file that does not exist, or gives other
        columns than those of the header.
    """
    _check(function)
    unknown = [name for name in function.placeholders if name not in options and name not in special]
    if unknown:
        raise BrokenFile(f"{function.path.name} reads ${unknown[0]}, which its header does not declare")
    if special:
        return decide(copied(function.tree), options, special)
    values = tuple(repr(options[name]) for name in function.placeholders)
    return copied(_decided(_DecisionKey((function.path, function.text, values), function, options)))


_CHECKED: dict[Path, str] = {}
"""The files that were found to be in order, with their texts: each is checked when it is first called."""
_REPEATED = {"each_column", "each_joined", "each_release", "each_value"}
"""What a SELECT is repeated for, which is written like a call of a file."""


def _check(function: Function) -> None:
    path = function.path
    if _CHECKED.get(path) == function.text:
        return
    for table in nodes(function.tree, exp.Table):
        if isinstance(table.this, exp.Anonymous):
            for call in nodes(table, exp.Anonymous):
                if call.name not in _REPEATED:
                    _known_file(path, call.name)
    given = _columns(function.tree)
    if function.columns and given is not None:
        lacking = [name for name in function.columns if name not in given]
        if lacking:
            raise BrokenFile(
                f'{path.name}: its header declares the column "{lacking[0]}", which its SELECT does not give; it gives '
                f"{', '.join(given)}"
            )
        # What rows are ordered by may be given beside the columns of the result.
        unsaid = [name for name in given if name not in {*function.columns, *function.order}]
        if unsaid and not function.part:
            raise BrokenFile(
                f'{path.name}: its SELECT gives "{unsaid[0]}", which its header declares neither under columns nor '
                "under order"
            )
    _CHECKED[path] = function.text


def _known_file(path: Path, name: str) -> None:
    known = {file.name for file in catalog.files()}
    if name not in known:
        near = get_close_matches(name, known, n=3)
        hint = f"near by name: {', '.join(near)}" if near else "the README of each folder of sql/ says what there is"
        raise BrokenFile(f"{path.name} calls {name}(…), and no file of sql/ has this name; {hint}")


def _columns(query: exp.Query) -> list[str] | None:
    """The columns that a file gives; None where they depend on the tables of a call or are those of another file."""
    while isinstance(query, exp.SetOperation):
        query = query.left
    if any(p.is_star or isinstance(p, exp.Anonymous) or not p.alias_or_name for p in query.expressions):
        return None
    return [p.alias_or_name for p in query.expressions]


@lru_cache(maxsize=1024)
def _decided(key: _DecisionKey) -> exp.Query:
    return decide(copied(key.function.tree), key.options, {})


def decide(tree: exp.Query, options: Mapping[str, Any], special: Mapping[str, exp.Expr]) -> exp.Query:
    """Fill in option values, evaluate the conditions that depend on nothing else, and drop dead branches.

    Parameters
    ----------
    tree
        Changed in place where possible.
    options
        Values by name.
    special
        Nodes to insert for an option as they are, because they may change later.
    """
    decided: list[exp.Expr] = []
    for placeholder in nodes(tree, exp.Placeholder):
        name = placeholder.name
        outer = None if name in special else placeholder.find_ancestor(exp.Case, exp.Where)
        if outer is not None and not any(outer is d for d in decided):
            decided.append(outer)
        if name in special:
            placeholder.replace(special[name])
        elif isinstance(placeholder.parent, exp.Is):
            # IS NULL, or IS NOT NULL, needs no literal of the value, which may be a list.
            placeholder.parent.replace(exp.true() if options[name] is None else exp.false())
        else:
            placeholder.replace(literal(options[name]))
    for node in decided:
        if isinstance(node, exp.Where):
            node.set("this", simplify(node.this))
        else:
            node.replace(simplify(copied(node)))
    return _without_dead_branches(tree)


def _without_dead_branches(tree: exp.Query) -> exp.Query:
    with_ = tree.args.get("with_")
    for cte in with_.expressions if with_ else []:
        cte.set("this", _without_dead_branches(cte.this))
    branches = _branches(tree)
    living = [branch for branch in branches if not _is_false(branch)] or [nothing(branches[0])]
    if len(living) < len(branches) or living[0] is not branches[0]:
        kept = copied(living[0])
        for branch in living[1:]:
            kept = exp.union(kept, copied(branch), distinct=False, copy=False)
        if with_ is not None:
            kept.set("with_", copied(with_))
        tree = kept
    for where in nodes(tree, exp.Where):
        if isinstance(where.this, exp.Boolean) and where.this.this:
            where.pop()
    return tree


def _branches(query: exp.Query) -> list[exp.Query]:
    if isinstance(query, exp.Union) and not query.args.get("distinct"):
        return [*_branches(query.this), *_branches(query.expression)]
    return [query]


def _is_false(query: exp.Expr) -> bool:
    where = query.args.get("where")
    return where is not None and isinstance(where.this, exp.Boolean) and not where.this.this


def nothing(select: exp.Query, type_: str | None = None) -> exp.Select:
    """The same columns without rows; ``type_`` is the type of this_column where the SELECT iterates over a list."""
    columns = [exp.alias_(_null(p, type_), p.alias_or_name) for p in select.expressions]
    return exp.select(*columns).where(exp.false())


def _null(projection: exp.Expr, type_: str | None) -> exp.Expr:
    """NULL in the type of a projection as far as it is known: some databases treat a bare NULL as text."""
    names = {column.name for column in nodes(projection, exp.Column)}
    value = projection.unalias()
    if isinstance(value, exp.Cast):
        return exp.cast(exp.null(), copied(value.to))
    if projection.find(exp.Count) or "this_position" in names or value.is_int:
        return exp.cast(exp.null(), "BIGINT")
    if projection.unalias().is_string or not names.isdisjoint({"this_name", "this_role"}):
        return exp.cast(exp.null(), "VARCHAR")
    return exp.null() if type_ is None else exp.cast(exp.null(), type_)
