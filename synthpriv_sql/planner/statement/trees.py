"""Walks and copies of syntax trees.

A statement goes through them thousands of times. sqlglot's own take several times as long, as they can do more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sqlglot import exp

Node = TypeVar("Node", bound=exp.Expr)
_LEAVES = frozenset({exp.Identifier, exp.Literal, exp.Boolean, exp.Null})
"""Nodes with none below them, which most are."""


def nodes(tree: exp.Expr, *types: type[Node]) -> list[Node]:
    """Return the nodes of these types, those nearer to the root first, as `sqlglot.exp.Expr.find_all` does."""
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


def changed(tree: exp.Expr, change: Callable[[exp.Expr], exp.Expr]) -> Any:
    """Put what `change` makes of each node in its place, outermost first; new nodes stay as they are."""
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
