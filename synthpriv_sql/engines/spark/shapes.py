"""Properties of queries: whether they map rows or aggregate them, their order, and how they use record numbers."""

from __future__ import annotations

from collections.abc import Sequence, Set

from sqlglot import exp

COMPUTES = (exp.AggFunc, exp.Window, exp.Join, exp.SetOperation, exp.Group)
"""The clauses that make a query more than a projection."""
_SUMS = (exp.AggFunc, exp.Window, exp.SetOperation, exp.Group, exp.Distinct, exp.Limit)
_ORDERS = (["record"], ["record", "rank"])
_PLAIN = {"expressions", "from_", "where", "kind"}
"""The clauses of a query that maps each row to one row, or filters it out."""
_MORE = (exp.AggFunc, exp.Window, exp.Query, exp.UDTF)


def by_record(query: exp.Query) -> Sequence[str]:
    """The ORDER BY columns of a query ordered by record (and further columns); empty for other orders."""
    order = query.args.get("order")
    by = [one.this if isinstance(one, exp.Ordered) and not one.args.get("desc") else one for one in order or ()]
    if [one.name for one in by] not in _ORDERS or not all(isinstance(one, exp.Column) for one in by):
        return []
    shown = [column for column in query.expressions if isinstance(column, exp.Column)]
    # A selected column may be named without its table.
    if all(any(one in (column, exp.column(column.name, one.table)) for column in shown) for one in by):
        return [one.name for one in by]
    return []


def unordered(query: exp.Query) -> exp.Query:
    """Return the query without its order."""
    query = query.copy()
    query.set("order", None)
    return query


def layers(query: exp.Query) -> tuple[str, list[exp.Select]]:
    """The only table that a query reads, and the nested queries, each of which maps or filters rows.

    The name is empty for any other query.
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
    """Whether the column `record` of a query is that of its source."""
    return any(isinstance(c, exp.Star) or (isinstance(c, exp.Column) and c.name == "record") for c in query.expressions)


def only_columns(query: exp.Select) -> bool:
    """Whether a query only selects columns."""
    columns = (column.unalias() for column in query.expressions)
    return all(isinstance(column, (exp.Column, exp.Star)) for column in columns)


def passes_on(query: exp.Query, numbers: Set[str]) -> bool:
    """Whether a query maps rows and only passes record numbers through."""
    if query.find(*_SUMS) is not None:
        return False
    return all(isinstance(_shown_as(column), exp.Select) for column in _of_names(query, numbers))


def reads_no_number(query: exp.Query, numbers: Set[str]) -> bool:
    """Whether a query does not use record numbers."""
    return not _of_names(query, numbers)


def _of_names(query: exp.Query, names: Set[str]) -> list[exp.Column]:
    return [column for column in query.find_all(exp.Column) if column.name in names]


def _shown_as(column: exp.Column) -> exp.Expr | None:
    """The node that contains a column or its alias."""
    return column.parent.parent if isinstance(column.parent, exp.Alias) else column.parent
