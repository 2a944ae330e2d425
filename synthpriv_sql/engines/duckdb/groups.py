"""Running a call group by group: a statement is prepared once, and executed with the values of each group.

One statement for all groups would grow with their number, and DuckDB's time to bind and schedule it grows faster than
linearly. Small groups that a session runs share DuckDB's plan too (`shared_plan`). Otherwise, and always inside SQL,
with DuckDB 1 and for types that Arrow lacks, a group's values are parameters, and DuckDB plans the statement again for
each group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import duckdb
from sqlglot import exp

from synthpriv_sql.engines.duckdb import between, shared_plan
from synthpriv_sql.engines.duckdb.guard import runs
from synthpriv_sql.engines.duckdb.guard.runs import Run, Where
from synthpriv_sql.engines.duckdb.optimizing import planned_quickly
from synthpriv_sql.engines.duckdb.shared_plan import SharedPlan
from synthpriv_sql.errors import Stopped
from synthpriv_sql.planner.columns.partitions import Group, Groups
from synthpriv_sql.planner.columns.types import duckdb_type
from synthpriv_sql.planner.planning import Plan
from synthpriv_sql.planner.statement.parts import Assembled
from synthpriv_sql.planner.statement.trees import copied, literal, nodes
from synthpriv_sql.planner.statement.writing import duckdb_text

if TYPE_CHECKING:
    import pyarrow as pa

    from synthpriv_sql.engines.base import Answer

FUNCTION = "synthpriv_of_groups"
"""The SQL function that runs for each group what a call inside SQL has planned."""
ROWS_SQL = "VARCHAR[][]"
"""Its return type: rows, each a list of texts."""
_NAME = "synthpriv_of_group"


def answers(
    connection: duckdb.DuckDBPyConnection,
    plan: Plan,
    text: str | None,
    run: Callable[[str], Answer],
    cancelled: Callable[[], bool],
    shares: bool,
) -> list[Answer]:
    """Run a statement for each group, and return the answers in the order of the groups.

    Parameters
    ----------
    connection
        The connection with the tables.
    plan
        A call with groups that are run one by one.
    text
        Its statement, with the values of a group as parameters, if it is not to be that of the plan.
    run
        Runs a statement.
    cancelled
        Returns whether to stop before the next group.
    shares
        Whether the groups may share a plan: they are small, and of types and collations that Arrow has.
    """
    groups = _groups(plan)
    found: list[Answer | None] = []
    with _ready(connection, plan, text, shares) as prepared:
        for group in groups.each:
            go_on(cancelled)
            found.append(None if group.reason else run(prepared(group)))
    like = next(answer for answer in found if answer is not None)
    return [
        answer
        or replace(like, table=_lacking(group, run(_heads(groups, group).sql("duckdb")).table, like.table.schema))
        for group, answer in zip(groups.each, found, strict=True)
    ]


def _lacking(group: Group, heads: pa.Table, schema: pa.Schema) -> pa.Table:
    """The row of a group that cannot be evaluated: its values, and the reason."""
    import pyarrow as pa

    missing = [pa.nulls(1, field.type) for field in schema][heads.num_columns : -1]
    cells = [*(column.combine_chunks() for column in heads.columns), *missing, pa.array([group.reason])]
    return pa.Table.from_arrays([cell.cast(f.type) for cell, f in zip(cells, schema, strict=True)], schema=schema)


def described(connection: duckdb.DuckDBPyConnection, plan: Plan) -> duckdb.DuckDBPyRelation:
    """Return the statement of one group as a relation, for its columns and types."""
    group = next(group for group in _groups(plan).each if not group.reason)
    return connection.sql(_text(_of_one(plan, group)))


def _of_one(plan: Plan, group: Group) -> Any:
    """The statement of a plan with the values of a group."""
    tree = plan.statement.for_duckdb()
    for parameter in nodes(tree, exp.Parameter):
        parameter.replace(copied(group.values[int(parameter.name) - 1].this))
    return tree


def cast(plan: Plan, names: Sequence[str], types: Sequence[str]) -> str:
    """Return the statement of a plan with its columns cast to other types."""
    columns = (exp.column(name, quoted=True) for name in names)
    shown = (
        exp.alias_(exp.cast(column, duckdb_type(type_)), column.name, quoted=True)
        for column, type_ in zip(columns, types, strict=True)
    )
    return _text(exp.select(*shown).from_(_rows(plan)))


def text(plan: Plan, columns: int) -> str:
    """Return one statement that gives the rows of all groups of a plan, to be read, or run elsewhere.

    It has a SELECT for each group, and grows with their number; a call runs its groups one by one instead.
    """
    groups = _groups(plan)
    with_numbers = [group for group in groups.each if not group.reason]
    each = [
        _all_of(plan, group) if not group.reason else exp.select(*_lacking_cells(groups, group, columns))
        for group in groups.each
    ]
    if groups.each[0].reason:  # the names and types of the columns are those of a group that has numbers
        each = [_all_of(plan, with_numbers[0]).limit(0), *each]
    return _text(exp.union(*each, distinct=False, copy=False) if len(each) > 1 else each[0])


def _all_of(plan: Plan, group: Group) -> exp.Select:
    return exp.select("*").from_(exp.Subquery(this=_of_one(plan, group)))


def run_of(plan: Plan, names: Sequence[str], where: Where) -> Run:
    """Return the run of a call inside SQL with groups; its rows are lists of texts, and DuckDB's texts are lossless.

    Parameters
    ----------
    plan
        A call with groups that are run one by one.
    names
        The columns of a group.
    where
        The search path, the database and the schema of the caller.
    """
    groups = _groups(plan)
    texts = [exp.cast(exp.column(name, quoted=True), "VARCHAR") for name in names]
    one = _text(exp.select(exp.Array(expressions=texts)).from_(_rows(plan)))
    each = (_row(groups, group, len(names)) if group.reason else _execute(group) for group in groups.each)
    return Run(where, one, tuple(each))


def called(name: str, names: Sequence[str], types: Sequence[str]) -> str:
    """Return the SQL that calls the registered function for a run that is kept, and gives its rows.

    Parameters
    ----------
    name
        The run's name in `guard.runs`.
    names, types
        The columns of a group.
    """
    call = exp.Anonymous(this=FUNCTION, expressions=[exp.Literal.string(name)])
    rows = exp.select(exp.alias_(exp.Anonymous(this="unnest", expressions=[call]), "cells"))
    cells = (
        exp.Anonymous(this="list_extract", expressions=[exp.column("cells"), exp.Literal.number(i)])
        for i in range(1, len(names) + 1)
    )
    shown = (
        exp.alias_(exp.cast(cell, duckdb_type(type_)), name, quoted=True)
        for cell, name, type_ in zip(cells, names, types, strict=True)
    )
    return _text(exp.select(*shown).from_(rows.subquery("of_groups")))


def caller() -> list[exp.Expr]:
    """The place of a call in SQL: its search path, its database and its schema."""
    return [
        exp.Anonymous(this="current_setting", expressions=[exp.Literal.string("search_path")]),
        exp.Anonymous(this="current_database"),
        exp.Anonymous(this="current_schema"),
    ]


def rows(cursor: duckdb.DuckDBPyConnection, run: Run, cancelled: Callable[[], bool]) -> list[list[str | None]]:
    """Run what `run_of` has written on a cursor that writes nothing; its rows are lists of texts."""
    found: list[list[str | None]] = []
    runs.check(cursor, run.statement, duckdb.StatementType.SELECT)
    with runs.reading_only(cursor), _prepared(cursor, _NAME, run.statement):
        for group in run.groups:
            go_on(cancelled)
            runs.check(cursor, group, duckdb.StatementType.SELECT, duckdb.StatementType.EXECUTE)
            found += [row for (row,) in cursor.execute(group).fetchall()]
    return found


def _groups(plan: Plan) -> Groups:
    assert plan.groups is not None
    return plan.groups


def go_on(cancelled: Callable[[], bool]) -> None:
    """Stop where that was asked for."""
    if cancelled():
        raise Stopped("the evaluation was stopped")


@contextmanager
def _ready(
    connection: duckdb.DuckDBPyConnection, plan: Plan, text: str | None, shares: bool
) -> Iterator[Callable[[Group], str]]:
    """Prepare the statement of a plan; yields what returns the text that runs it for a group."""
    if shares and shared_plan.possible(plan.statement):
        first = next(group for group in _groups(plan).each if not group.reason)
        with _shared(connection, plan.statement, first) as hand_over:
            yield hand_over
        return
    with _prepared(connection, _NAME, plan.sql if text is None else text):
        yield _execute


@contextmanager
def _shared(
    connection: duckdb.DuckDBPyConnection, statement: Assembled, first: Group
) -> Iterator[Callable[[Group], str]]:
    """Prepare a statement whose plan the groups share, and the statements that read the rows of a group."""
    names = {part.name: f"{_NAME}_{part.name}" for part in shared_plan.sources(statement.parts)}

    def rows_of(group: Group) -> shared_plan.Rows:
        texts = {part: _execute(group, name) for part, name in names.items()}
        return shared_plan.read(connection, {**texts, shared_plan.VALUES: shared_plan.row_of(group.values)})

    # All is dropped after the transaction, which an error aborts.
    with ExitStack() as stack, between.one_state(connection):
        for part in shared_plan.sources(statement.parts):
            reading = shared_plan.text(Assembled((), part.query, ()))  # type: ignore[arg-type]
            stack.enter_context(_prepared(connection, names[part.name], reading))
        of_first = rows_of(first)
        shared = SharedPlan(connection, statement, of_first)
        stack.callback(shared.drop)
        yield lambda group: shared.hand_over(of_first if group is first else rows_of(group))


@contextmanager
def _prepared(connection: duckdb.DuckDBPyConnection, name: str, text: str) -> Iterator[None]:
    with planned_quickly(connection, text):
        connection.execute(shared_plan.command("PREPARE", f"{name} AS {text}"))
        try:
            yield
        finally:
            with suppress(duckdb.Error):  # another error may have ended the transaction
                connection.execute(shared_plan.command("DEALLOCATE", name))


def _execute(group: Group, name: str = _NAME) -> str:
    called = exp.Anonymous(this=name, expressions=[copied(value) for value in group.values])
    return shared_plan.command("EXECUTE", _text(called))


def _heads(groups: Groups, group: Group) -> exp.Select:
    """The values of a group, one column each."""
    return exp.select(
        *(
            exp.alias_(copied(value), column.name, quoted=True)
            for column, value in zip(groups.columns, group.values, strict=True)
        )
    )


def _row(groups: Groups, group: Group, columns: int) -> str:
    """The row of a group that cannot be evaluated, as a list of texts."""
    cells = (exp.cast(cell, "VARCHAR") for cell in _lacking_cells(groups, group, columns))
    return _text(exp.select(exp.Array(expressions=list(cells))))


def _lacking_cells(groups: Groups, group: Group, columns: int) -> list[exp.Expr]:
    """The cells of a group that cannot be evaluated: its values, nothing, and the reason."""
    heads = [copied(value) for value in group.values]
    return [*heads, *(exp.null() for _ in range(columns - len(heads) - 1)), literal(group.reason)]


def _rows(plan: Plan) -> exp.Subquery:
    return plan.statement.for_duckdb().subquery("of_group", copy=False)


def _text(tree: exp.Expr) -> str:
    return duckdb_text(tree)
