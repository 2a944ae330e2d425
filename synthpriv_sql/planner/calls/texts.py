"""Which columns hold names, addresses or notes, if a call leaves that to the values: distances leave them out."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from synthpriv_sql.errors import SynthprivWarning
from synthpriv_sql.planner.calls import own, unsupported
from synthpriv_sql.planner.columns import releases
from synthpriv_sql.planner.columns.tables import Relation, listed_columns
from synthpriv_sql.planner.database import Database
from synthpriv_sql.planner.headers import arguments, catalog, known_files, wording
from synthpriv_sql.planner.headers.arguments import AUTO
from synthpriv_sql.planner.headers.catalog import Function

OPTION = "text"


def resolved(
    engine: Database,
    function: Function,
    relations: Sequence[Relation],
    given: Mapping[str, Any],
    checked: arguments.Arguments,
) -> tuple[Mapping[str, Any], arguments.Arguments]:
    """Return the arguments of a call, with the names of the columns of texts in the place of ``auto``.

    A column of that name is meant by it.

    Parameters
    ----------
    engine, function, relations, given, checked
        As in `synthpriv_sql.planner.calls.unsupported.comparable`.
    """
    if checked.options.get(OPTION) != [AUTO] or any(AUTO in relation.by_name for relation in relations):
        return given, checked
    named = _found(engine, function, relations, checked.relations, checked.options)
    given = {**given, OPTION: named or None}
    return given, arguments.check(function, given)


def _found(
    engine: Database,
    function: Function,
    relations: Sequence[Relation],
    tables: Mapping[str, Any],
    options: Mapping[str, Any],
) -> list[str]:
    """Return the names of the columns of texts, and warn that distances leave them out.

    These are compared columns of text with more distinct values than half of the rows, most of which have more letters
    than digits, in each table of real rows: the choice knows no more of train than of the holdout.
    """
    fixed = releases.separated(own.separated(relations)[0])[0]
    chosen = unsupported.distance_options(function, {**options, OPTION: None})
    given = {name.lower() for option in ("numeric", "categorical") for name in chosen[option] or []}
    wanted = set.intersection(*(unsupported.compared_names(relation, chosen) for relation in fixed)) - given
    names = [
        column.name
        for column in fixed[0].columns
        if column.name.lower() in wanted and all(_is_text(r, column.name.lower()) for r in fixed)
    ]
    real = [r.parameter for r in fixed if r.parameter in {"train", "holdout"}] or [r.parameter for r in fixed]
    counting = catalog.file(known_files.TEXT_COLUMNS)
    for parameter in real if names else ():
        rows = engine.ask(counting, {"data": tables[parameter], "columns": names, "categorical": names})
        alike = {
            row["column_name"].lower()
            for row in rows
            if 2 * row["distinct"] > row["rows"] and 2 * row["lettered"] > row["distinct"]
        }
        names = [name for name in names if name.lower() in alike]
        if not names:
            break
    if names:
        them = "them" if len(names) > 1 else "it"
        warnings.warn(
            f"{listed_columns(names)} {'are' if len(names) > 1 else 'is'} of texts, by {wording.given(OPTION, AUTO)}: "
            f"distances leave {them} out. To compare {them} there as well, leave out that option",
            SynthprivWarning,
            stacklevel=2,
        )
    return names


def _is_text(relation: Relation, name: str) -> bool:
    return name in relation.by_name and relation.by_name[name].family == "text"
