"""Columns that number rows, or hold keys that are the same in no two tables: they say nothing of a person."""

from __future__ import annotations

from collections.abc import Sequence

from synthpriv_sql.planner.columns.tables import listed_columns
from synthpriv_sql.planner.headers import wording

IDENTIFIERS = "identifiers"
"""The option for the treatment of columns that look like identifiers of records."""


def left_out(names: Sequence[str], kind: str, table: str) -> str:
    """Return why columns are left out of an evaluation.

    Parameters
    ----------
    names
        The columns.
    kind
        ``number`` if they number rows, ``key`` if they hold keys of which the tables share none.
    table
        What the synthetic table is called.
    """
    several = len(names) > 1
    number, hold, they_are, one, them = (
        ("number", "hold", "they are", "one", "them") if several else ("numbers", "holds", "it is", "it", "it")
    )
    why = (
        f"{number} the rows of {table}: equal numbers do not mean the same person"
        if kind == "number"
        else f"{hold} keys of which {table} has none of train's: they say nothing of a person"
    )
    return (
        f"{listed_columns(names)} {why}, so {they_are} left out. If {one} names people, give "
        f"{wording.given('key', names[0])}; to compare {them} all the same, {wording.given(IDENTIFIERS, 'compare')}"
    )
