"""The order of a result: rows that come in it are not sorted, and others are placed by their record numbers.

A sort of Spark's takes a sample of the rows first, for which it computes them once more.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

_ORDERS = (["record"], ["record", "rank"])
_PLAIN = {"expressions", "from_", "where", "kind"}
"""What a query has that makes one row of each row it reads, or none."""
_MORE = (exp.AggFunc, exp.Window, exp.Query, exp.UDTF)


def by_record(query: exp.Query) -> Sequence[str]:
    """The columns that a query puts its rows in the order of: record, and what follows it; none for other orders."""
    order = query.args.get("order")
    by = [one.this if isinstance(one, exp.Ordered) and not one.args.get("desc") else one for one in order or ()]
    if [one.name for one in by] not in _ORDERS or not all(isinstance(one, exp.Column) for one in by):
        return []
    shown = [column for column in query.expressions if isinstance(column, exp.Column)]
    # A column that is shown may be named without its table.
    if all(any(one in (column, exp.column(column.name, one.table)) for column in shown) for one in by):
        return [one.name for one in by]
    return []


def unordered(query: exp.Query) -> exp.Query:
    """A query whose rows may come in any order."""
    query = query.copy()
    query.set("order", None)
    return query


def layers(query: exp.Query) -> tuple[str, list[exp.Select]]:
    """The one table that a query reads, and the queries inside each other that each make one row, or none, of a row.

    The name is empty where a query does more.
    """
    found: list[exp.Select] = []
    while True:
        if not isinstance(query, exp.Select) or any(value for name, value in query.args.items() if name not in _PLAIN):
            return "", []
        from_ = query.args.get("from_")
        if from_ is None or any(column.find(*_MORE) for column in query.expressions):
            return "", []
        found.append(query)
        if isinstance(from_.this, exp.Table):
            return from_.this.name, found
        if not isinstance(from_.this, exp.Subquery):
            return "", []
        query = from_.this.this


def shows_record(query: exp.Select) -> bool:
    """Whether the column `record` of a query is the one of what it reads."""
    return any(isinstance(c, exp.Star) or (isinstance(c, exp.Column) and c.name == "record") for c in query.expressions)


def only_columns(query: exp.Select) -> bool:
    """Whether a query gives columns as they are."""
    columns = (column.unalias() for column in query.expressions)
    return all(isinstance(column, (exp.Column, exp.Star)) for column in columns)
