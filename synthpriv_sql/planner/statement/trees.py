"""Traverses and copies syntax trees, and converts Python values to nodes.

Each statement calls these functions thousands of times. Those of sqlglot are more general, but several times slower.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from sqlglot import exp

Node = TypeVar("Node", bound=exp.Expr)
_LEAVES = frozenset({exp.Identifier, exp.Literal, exp.Boolean, exp.Null})
"""Node types without children; most nodes have one of these."""


def nodes(tree: exp.Expr, *types: type[Node]) -> list[Node]:
    """Return the nodes of these types in breadth-first order, as `sqlglot.exp.Expr.find_all` does."""
    found: list[Node] = []
    waiting = [tree]
    for node in waiting:
        if isinstance(node, types):
            found.append(node)
        if node.__class__ in _LEAVES:
            continue
        for value in node.args.values():
            if isinstance(value, exp.Expr):
                waiting.append(value)
            elif type(value) is list:
                waiting += [item for item in value if isinstance(item, exp.Expr)]
    return found


def in_order(key: exp.Expr) -> exp.Ordered:
    """Return a key of a sort with missing values last, in every dialect: some of them put these first by default."""
    return exp.Ordered(this=key, nulls_first=False)


def copied(tree: Node) -> Node:
    """Return a copy that shares no node with the tree."""
    root = tree.__class__()
    waiting: list[tuple[exp.Expr, exp.Expr]] = [(tree, root)]
    while waiting:
        node, new = waiting.pop()
        if node.comments:
            new.comments = list(node.comments)
        if node._type is not None:
            new._type = node._type
        if node._meta:
            new._meta = dict(node._meta)
        args = new.args
        for key, value in node.args.items():
            if isinstance(value, exp.Expr):
                child = value.__class__()
                child.parent, child.arg_key = new, key
                args[key] = child
                waiting.append((value, child))
            elif type(value) is list:
                args[key] = items = list(value)
                for i, item in enumerate(items):
                    if isinstance(item, exp.Expr):
                        child = item.__class__()
                        child.parent, child.arg_key, child.index = new, key, i
                        items[i] = child
                        waiting.append((item, child))
            else:
                args[key] = value
    return root


def dissolve(tree: exp.Expr) -> None:
    """Take a tree apart that is no longer needed: its memory is freed at once, and not by the garbage collector."""
    for node in nodes(tree, exp.Expr):
        node.parent = None


def changed(tree: exp.Expr, change: Callable[[exp.Expr], exp.Expr]) -> Any:
    """Replace each node with the result of `change`, outermost first; new nodes are not visited."""
    root = change(tree)
    if root is not tree:
        return root
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        for key, value in node.args.items():
            if isinstance(value, exp.Expr):
                new = change(value)
                if new is value:
                    waiting.append(value)
                else:
                    node.set(key, new)
            elif type(value) is list:
                for i, item in enumerate(value):
                    if isinstance(item, exp.Expr):
                        new = change(item)
                        if new is item:
                            waiting.append(item)
                        else:
                            node.set(key, new, i)
    return tree


def literal(value: Any) -> exp.Expr:
    """Return a Python value as a node, never as text that could be parsed as SQL."""
    if isinstance(value, Mapping):
        return exp.Struct(
            expressions=[
                exp.PropertyEQ(this=exp.to_identifier(str(k), quoted=True), expression=literal(v))
                for k, v in value.items()
            ]
        )
    if isinstance(value, (list, tuple)):
        return exp.Array(expressions=[literal(v) for v in value])
    return exp.convert(value)


def python_value(node: exp.Expr) -> Any:
    """Return the value of a literal that a file passes to another."""
    if isinstance(node, exp.Cast):
        node = node.this
    if isinstance(node, exp.Boolean):
        return bool(node.this)
    if isinstance(node, exp.Null):
        return None
    if isinstance(node, exp.Array):
        return [python_value(item) for item in node.expressions]
    if isinstance(node, exp.Neg):
        return -python_value(node.this)
    if isinstance(node, exp.Sub):
        return python_value(node.this) - python_value(node.expression)
    if isinstance(node, exp.Literal):
        return node.this if node.is_string else int(node.this) if node.is_int else float(node.this)
    raise TypeError(f"a file of sql/ passes {node.sql('duckdb')} where a literal is expected")
