"""The metadata of the run of a result: when, with which options, on which tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from synthpriv_sql.engines.base import RUN_ID, Value
from synthpriv_sql.errors import SynthprivError, without_secrets
from synthpriv_sql.planner.columns import nested, releases
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers import files
from synthpriv_sql.planner.planning import Plan
from synthpriv_sql.version import __version__

AT = "run_at"
"""The column that identifies runs in a table of several."""
COLUMNS_OF_RUNS = (
    AT,
    "run_function",
    "run_versions",
    "run_options",
    "run_tables",
    "run_rows",
    "run_seconds",
    RUN_ID,
)
"""The columns that `Run.values` puts before those of a result."""


@dataclass(frozen=True)
class Run:
    """The metadata of a call.

    ``options`` includes the defaults. ``tables`` has the argument of each parameter, ``rows`` the number of rows of
    Python tables, and ``named`` the names of tables in the database; ``count`` counts the rows of one of those.
    ``seconds`` has the duration of each part, in order, with ``total`` last. ``columns`` has the type of each column of
    the tables. ``removed`` is said of ``safe`` with
    ``until_safe``.
    """

    at: datetime
    function: str
    options: Mapping[str, Any]
    tables: Mapping[str, str]
    rows: Mapping[str, int | None]
    named: Mapping[str, str]
    count: Callable[[str], int]
    seconds: Mapping[str, float] = field(default_factory=dict)
    columns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    removed: Mapping[str, int] = field(default_factory=dict)
    id: str = field(default_factory=lambda: uuid4().hex)

    @classmethod
    def of(
        cls,
        at: datetime,
        plan: Plan,
        given: Mapping[str, Any],
        count: Callable[[str], int],
        seconds: Mapping[str, float],
    ) -> Run:
        """Return the metadata of a planned call."""
        tables: dict[str, str] = {}
        rows: dict[str, int | None] = {}
        named: dict[str, str] = {}
        readings: dict[str, Any] = {}
        flat: dict[str, None] = {}
        for name, given_table in _relations(plan, given):
            value, entries = nested.entries_of(given_table)
            flat |= dict.fromkeys(entries)
            if isinstance(value, files.CsvFile):
                readings[name] = dict(value.reading)
            if hasattr(value, "__fspath__") or isinstance(value, str):
                named[name] = value if isinstance(value, str) else str(value)  # a file includes its reading options
                tables[name] = without_secrets(str(value))
            else:
                rows[name] = _length(value)
                tables[name] = f"{type(value).__module__.partition('.')[0]}.{type(value).__name__}"
        asked = {p.name for p in plan.function.parameters.values()}
        options = {name: value for name, value in plan.options.items() if name in asked}
        if readings:
            options[files.OPTION] = readings
        if flat:
            options[nested.OPTION] = list(flat)
        known = {parameter.name for parameter in plan.function.relations}
        columns = {
            one.parameter: {column.name: _type(column) for column in one.columns}
            for one in plan.relations
            if one.parameter in known
        }
        return cls(at, plan.function.name, options, tables, rows, named, count, seconds, columns)

    def values(self, engine: Mapping[str, str], rows: Mapping[str, int | None]) -> list[Value]:
        """Return the columns that identify the run in a table of several runs.

        Parameters
        ----------
        engine
            The engine and its version.
        rows
            The numbers of rows of tables, as far as the result contains them. The others are counted now.
        """
        counted = {name: rows[name] if name in rows else self._rows(name) for name in self.tables}
        return [
            Value(AT, "TIMESTAMP WITH TIME ZONE", self.at),
            Value("run_function", "VARCHAR", self.function),
            Value("run_versions", "VARCHAR", _json({"synthpriv_sql": __version__, **engine})),
            Value("run_options", "VARCHAR", _json(self.options)),
            Value("run_tables", "VARCHAR", _json(self.tables)),
            Value("run_rows", "VARCHAR", _json(counted)),
            Value("run_seconds", "VARCHAR", _json({part: round(took, 3) for part, took in self.seconds.items()})),
            Value(RUN_ID, "VARCHAR", self.id),
        ]

    def _rows(self, name: str) -> int | None:
        if name not in self.named:
            return self.rows[name]
        try:
            return self.count(self.named[name])
        except SynthprivError:
            return None  # the table no longer exists


def _relations(plan: Plan, given: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the tables of a call by parameter; of several tables, each with its own name appended."""
    for name, value in given.items():
        if plan.function.spread_of is not None and name == plan.function.spread_of[1].name:
            tables = value if isinstance(value, Mapping) else {table: table for table in value}
            yield from ((f"{name}.{one}", table) for one, table in tables.items())
        elif name == releases.OPTION and plan.function.released:
            yield from ((f"{name}.{one}", table) for one, table in releases.named(plan.function, value).items())
        elif value is not None and name in {parameter.name for parameter in plan.function.relations}:
            yield name, value


def _type(column: Column) -> str:
    """The type of a column, without the values of an enumeration, which may be people's."""
    return column.type_id if "'" in column.type else column.type


def now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


def _length(table: Any) -> int | None:
    """The number of rows of a Python table; None if it would have to be read for that."""
    if hasattr(table, "num_rows"):
        return int(table.num_rows)
    return len(table) if type(table).__module__.partition(".")[0] in {"pandas", "polars"} else None


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
