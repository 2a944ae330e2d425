"""What calls of `conformance` give on one engine, in a form that is compared with what they give on another."""

import datetime
import math
import uuid

from calls import in_order
from conformance import LEAN

from synthpriv_sql import errors
from synthpriv_sql.planner.columns.tables import label
from synthpriv_sql.planner.headers import catalog

FIRST = {case.function: number for number, case in reversed([*enumerate(LEAN)])}


def run(session, name, case):
    """The rows of a call, or its error in words that do not depend on where tables are."""
    function = catalog.function(case.function)
    parameters = [parameter.name for parameter in function.relations]
    tables = {p: name(table) for p, table in zip(parameters, case.tables, strict=False) if table}
    several = [p.name for p in function.parameters.values() if p.type == "relations"]
    options = case.options | {p: {table: name(table) for table in case.options[p]} for p in several}
    try:
        rows = session.call(case.function, **tables, **options).to_arrow().to_pylist()
    except errors.SynthprivError as error:
        words = str(error)
        for table in filter(None, case.tables):
            words = words.replace(f'"{name(table)}"', table).replace(label(name(table)), table)
        return type(error), words
    rows = [{column: plain(value) for column, value in row.items()} for row in rows]
    # Classes of one size have no order.
    return sorted(rows, key=str) if case.function == "equivalence_classes" else in_order(rows)


def plain(value):
    """A value as all engines can have it."""
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        return value.astimezone(datetime.UTC)
    if isinstance(value, float):
        return value + 0.0  # either of 0.0 and -0.0 may stand for both
    return str(value) if isinstance(value, uuid.UUID) else value


def same(found, wanted):
    if isinstance(found, float) and isinstance(wanted, float):
        return math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-9) or (math.isnan(found) and math.isnan(wanted))
    if isinstance(found, datetime.datetime) and isinstance(wanted, datetime.datetime):
        # Seconds since 1970 as a DOUBLE say little more than that.
        return abs(found - wanted) <= datetime.timedelta(microseconds=1)
    return found == wanted and isinstance(found, type(wanted))
