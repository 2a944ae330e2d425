"""Names of the parts of a statement and of the columns of its result."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.statement.trees import nodes


@dataclass
class Words:
    """Reserved words: names that no part of a statement may have because a query or a table name contains them.

    Parameters
    ----------
    reserved
        These words, in lower case.
    """

    reserved: Collection[str]
    taken: set[str] = field(default_factory=set)
    """The names of parts."""
    refused: set[str] = field(default_factory=set)
    """The names that were not given to a part because they are reserved."""

    def is_free(self, name: str) -> bool:
        """Whether a part may have this name."""
        name = name.lower()
        if name in self.taken:
            return False
        if name in self.reserved:
            self.refused.add(name)
            return False
        return True

    def gives_same_names(self, reserved: Collection[str]) -> bool:
        """Whether the parts would have the same names with other reserved words."""
        return self.refused.issubset(reserved) and self.taken.isdisjoint(reserved)


def words_of(relations: Sequence[Relation]) -> set[str]:
    """Return the names that no CTE may have: it would shadow a table of that name.

    A query of the user is text that only the database parses, so any word in it may be the name of a table.
    """
    return set().union(*(_words(relation.node) for relation in relations))


def _words(node: exp.Table) -> set[str]:
    names = {part.name.lower() for part in nodes(node, exp.Identifier)}
    texts = (part.name for part in nodes(node, exp.Literal, exp.Var))
    return names.union(*(re.findall(r"\w+", text.lower()) for text in texts))


def distinct_names(columns: Sequence[exp.Expr]) -> list[exp.Expr]:
    """Append a number to a column name that occurs earlier, as DuckDB does: the user's own columns keep their names."""
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
