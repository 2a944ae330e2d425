"""Statements of calls inside SQL with groups: kept here, and named in SQL by random names that nobody can guess.

A view of a foreign database, or a query that is given as a table, may call every registered function with arguments of
its choice. None of them takes SQL: a function is handed the name of what the planner has written, and runs only that.
"""

from __future__ import annotations

import hmac
import secrets
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Lock

import duckdb

from synthpriv_sql.errors import SynthprivError
from synthpriv_sql.planner.headers import catalog

_MOST = 64_000_000
"""Characters that are kept; a call with 500 groups has up to half a million."""


Where = tuple[str, str, str]
"""The search path, the database and the schema of a caller, where its names are looked up."""


@dataclass(frozen=True, slots=True)
class Run:
    """A SELECT with the values of a group as parameters, the statements that run it, and where names are looked up."""

    where: Where
    statement: str
    groups: tuple[str, ...]

    @property
    def size(self) -> int:
        """Its length in characters."""
        return len(self.statement) + sum(map(len, self.groups))


@dataclass
class Runs:
    """The statements that calls inside the SQL of one database run.

    The same run has the same name, so that a call that is planned again and again is kept once.
    """

    _secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    _kept: OrderedDict[str, Run] = field(default_factory=OrderedDict, repr=False)
    _size: int = 0
    _lock: Lock = field(default_factory=Lock, repr=False)

    def keep(self, run: Run) -> str:
        """Keep a run, and return its name; those that were planned longest ago make room."""
        name = hmac.new(self._secret, repr(run).encode(), "sha256").hexdigest()
        with self._lock:
            if name not in self._kept:
                self._size += run.size
            self._kept[name] = run
            self._kept.move_to_end(name)
            while self._size > _MOST and len(self._kept) > 1:
                self._size -= self._kept.popitem(last=False)[1].size
        return name

    def of(self, name: str | None) -> Run:
        """Return the run of a name.

        Raises
        ------
        SynthprivError
            Nothing of that name was planned, or long ago.
        """
        run = self._kept.get(name or "")
        if run is None:
            raise SynthprivError("no call was planned under this name, or too long ago: prepare the statement again")
        return run


def check(connection: duckdb.DuckDBPyConnection, text: str, *kinds: duckdb.StatementType) -> None:
    """Raise an error unless a text is a single statement of one of these kinds."""
    found = [statement.type for statement in connection.extract_statements(text)]
    if len(found) != 1 or found[0] not in kinds:
        raise SynthprivError("what a call inside SQL runs is one SELECT, and this is none")


@contextmanager
def reading_only(cursor: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Have a cursor write to no database, and see all tables as of one moment."""
    cursor.execute(catalog.statement("read_only"))
    try:
        yield
    finally:
        with suppress(duckdb.Error):  # an error may have ended it
            cursor.rollback()
