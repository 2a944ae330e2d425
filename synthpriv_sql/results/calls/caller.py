"""The calls of a session, as what makes several of them sees it."""

from __future__ import annotations

from typing import Any, Protocol

from synthpriv_sql.engines.base import Engine
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.results.result import Result


class Caller(Protocol):
    """Calls functions of the catalog on the tables of one engine."""

    @property
    def engine(self) -> Engine:
        """The engine that has the tables."""

    def call(self, function: str | Function, /, *, progress: Any = None, **given: Any) -> Result:
        """Call a function, or a part."""

    def sql(self, function: str | Function, /, **given: Any) -> str:
        """Return the SQL that a call would run."""
