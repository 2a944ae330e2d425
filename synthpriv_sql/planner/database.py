"""What planning needs of the database that has the tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.headers.catalog import Function


class Database(Protocol):
    """A database, as the planner sees it.

    ``dialect`` is the name of its SQL in sqlglot; ``apart`` says whether groups are run one at a time.
    """

    dialect: str
    apart: bool

    def relation(self, parameter: str, value: Any) -> Relation:
        """Find the table that a call passes for a parameter, or raise `UnknownTable`."""

    def ask(self, function: Function, given: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """Run a call whose few rows the planner needs for another call, and return them."""
