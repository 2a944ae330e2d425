"""What the parts of a statement and the columns of its result are called."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.statement.trees import nodes


@dataclass
class Words:
    """What no part of a statement may be called, since a query or the name of a table has it.

    Parameters
    ----------
    said
        These words, in lower case.
    """

    said: Collection[str]
    taken: set[str] = field(default_factory=set)
    """The names of parts."""
    refused: set[str] = field(default_factory=set)
    """The names that no part got because of the words."""

    def is_free(self, name: str) -> bool:
        """Whether a part may be called so."""
        name = name.lower()
        if name in self.taken:
            return False
        if name in self.said:
            self.refused.add(name)
            return False
        return True

    def would_be_the_same(self, said: Collection[str]) -> bool:
        """Whether the parts would have the same names with other words."""
        return self.refused.issubset(said) and self.taken.isdisjoint(said)


def words_of(relations: Sequence[Relation]) -> set[str]:
    """Return what a CTE must not be called: a table of that name, read after it, would be that CTE.

    A query of the user's is a text that the database parses, so any word in it may be the name of a table.
    """
    return set().union(*(_words(relation.node) for relation in relations))


def _words(node: exp.Table) -> set[str]:
    names = {part.name.lower() for part in nodes(node, exp.Identifier)}
    texts = (part.name for part in nodes(node, exp.Literal, exp.Var))
    return names.union(*(re.findall(r"\w+", text.lower()) for text in texts))


def distinct_names(columns: Sequence[exp.Expr]) -> list[exp.Expr]:
    """Number a column whose name an earlier one has, as DuckDB does: the user's own columns keep theirs."""
    taken: set[str] = set()
    named: list[exp.Expr] = []
    for column in columns:
        name, number = column.alias_or_name, 0
        while name.lower() in taken:
            number += 1
            name = f"{column.alias_or_name}_{number}"
        taken.add(name.lower())
        named.append(exp.alias_(column.unalias(), name) if number else column)
    return named
