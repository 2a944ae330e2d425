"""What a call gives, in a form that is compared with what it gives on another engine."""

from __future__ import annotations

import datetime
import math
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from synthpriv_sql import errors
from synthpriv_sql.api.session import Session
from synthpriv_sql.conformance.cases import Case
from synthpriv_sql.engines.base import Moved
from synthpriv_sql.planner.columns.tables import label
from synthpriv_sql.planner.headers import catalog

Row = dict[str, Any]
Error = tuple[type[errors.SynthprivError], str]
"""An error, and its words without the places of tables."""

_TOLERANCE = 1e-9


def run(session: Session, name: Callable[[str], str], case: Case) -> list[Row] | Error:
    """Return the rows of a call, or its error; ``name`` says what a table is called there."""
    return measured(session, name, case)[0]


def measured(session: Session, name: Callable[[str], str], case: Case) -> tuple[list[Row] | Error, Moved]:
    """Return the rows of a call, or its error, and what left the database for it."""
    function = catalog.function(case.function)
    parameters = [parameter.name for parameter in function.relations]
    tables = {p: name(table) for p, table in zip(parameters, case.tables, strict=False) if table}
    several = [p.name for p in function.parameters.values() if p.type == "relations"]
    given: dict[str, Any] = tables | case.options
    given |= {p: {table: name(table) for table in case.options[p]} for p in several}
    try:
        result = session.call(case.function, **given)
        found: list[Row] = result.to_arrow().to_pylist()
    except (errors.Stopped, errors.ConnectionLost):
        raise  # neither is about the call
    except errors.SynthprivError as error:
        words = str(error)
        for table in filter(None, case.tables):
            words = words.replace(f'"{name(table)}"', table).replace(label(name(table)), table)
        return (type(error), words), Moved()
    rows = [{column: _plain(value) for column, value in row.items()} for row in found]
    # Classes of one size have no order.
    classes = case.function == "equivalence_classes"
    return (sorted(rows, key=str) if classes else in_order(rows)), result.moved


def in_order(rows: Sequence[Row]) -> list[Row]:
    """Return rows without an order of their own in the order of the columns that name them."""
    names = [n for n in ("column_name", "comparison", "metric", "record", "rank") if rows and n in rows[0]]
    return sorted(rows, key=lambda row: [(row[name] is None, row[name] or 0) for name in names])


def _plain(value: Any) -> Any:
    """A value as all engines can have it."""
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        return value.astimezone(datetime.UTC)
    if isinstance(value, float):
        return value + 0.0  # either of 0.0 and -0.0 may stand for both
    return str(value) if isinstance(value, uuid.UUID) else value


def refusal(case: Case, dialect: str) -> str | None:
    """Return why an engine does not run the function of a case; None if it does."""
    return catalog.function(case.function).not_on.get(dialect)


def differences(found: list[Row] | Error, wanted: list[Row] | Error) -> Iterator[str]:
    """Yield what differs from DuckDB, a sentence each; numbers differ where they are not equal to 1e-9."""
    if isinstance(found, tuple) or isinstance(wanted, tuple):
        if found != wanted:
            yield f"{_outcome(found)}; in DuckDB {_outcome(wanted)}"
        return
    if len(found) != len(wanted):
        yield f"{len(found):,} rows; in DuckDB {len(wanted):,}"
        return
    for i, (row, other) in enumerate(zip(found, wanted, strict=True)):
        if list(row) != list(other):
            yield f"columns {', '.join(row)}; in DuckDB {', '.join(other)}"
            return
        for name in row:
            if not same(row[name], other[name]):
                yield f'row {i:,}, column "{name}": {row[name]!r}; in DuckDB {other[name]!r}'


def _outcome(of: list[Row] | Error) -> str:
    return f"{of[0].__name__}: {of[1]}" if isinstance(of, tuple) else f"{len(of):,} rows"


def same(found: Any, wanted: Any) -> bool:
    """Whether two values are equal: numbers to 1e-9, moments to a microsecond, others exactly and with their type."""
    if isinstance(found, float) and isinstance(wanted, float):
        near = math.isclose(found, wanted, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
        return near or (math.isnan(found) and math.isnan(wanted))
    if isinstance(found, datetime.datetime) and isinstance(wanted, datetime.datetime):
        # Seconds since 1970 as a DOUBLE say little more than that.
        return abs(found - wanted) <= datetime.timedelta(microseconds=1)
    return bool(found == wanted and isinstance(found, type(wanted)))
