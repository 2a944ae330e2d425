"""A remedy that was found before, on other tables: its SELECT is read back, and its expressions treat them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from synthpriv_sql.engines.base import Answer
from synthpriv_sql.errors import ColumnMismatch, OptionError
from synthpriv_sql.planner.calls import families
from synthpriv_sql.planner.columns import releases
from synthpriv_sql.planner.headers import catalog, known_files
from synthpriv_sql.remedies.finding import OF_SEARCH
from synthpriv_sql.remedies.own_ladder import PURE
from synthpriv_sql.remedies.tables import SIDES
from synthpriv_sql.report.evaluation import Evaluation
from synthpriv_sql.results.result import Result


def read(text: str, source: str) -> dict[str, exp.Expr]:
    """Return the expression of each column in a SELECT that `remedy` has written, in the SQL of DuckDB.

    Parameters
    ----------
    text
        The SELECT.
    source
        Where it stands, for messages.

    Raises
    ------
    OptionError
        It is another statement.
    """
    refused = OptionError(
        f'"{source}" is no SELECT that remedy has written: give a file of synthpriv remedy --sql, in the SQL of DuckDB'
    )
    try:
        tree = sqlglot.parse_one(text, dialect="duckdb")
    except SqlglotError:
        raise refused from None
    if not isinstance(tree, exp.Select) or {k for k, v in tree.args.items() if v} - {"expressions", "from_", "kind"}:
        raise refused
    found: dict[str, exp.Expr] = {}
    for shown in tree.expressions:
        value = shown.this if isinstance(shown, exp.Alias) else shown
        names = {column.name for column in value.find_all(exp.Column)}
        if names != {shown.alias_or_name} or not all(isinstance(node, PURE) for node in value.walk()):
            raise refused
        found[shown.alias_or_name] = value
    return found


def treated(expressions: Mapping[str, exp.Expr], table: pa.Table, name: str, more: bool) -> pa.Table:
    """Return a table after a remedy.

    Parameters
    ----------
    expressions
        As `read` returns them.
    table
        The table.
    name
        Its name, for messages.
    more
        Whether it keeps columns that the remedy does not name, as real tables may have some.

    Raises
    ------
    ColumnMismatch
        The table lacks a column of the remedy, or has it with another type.
    """
    by_lower = {column.lower(): column for column in table.column_names}
    lacking = [column for column in expressions if column.lower() not in by_lower]
    if lacking:
        raise ColumnMismatch(f"{name} lacks columns of the remedy: {', '.join(lacking)}")
    shown = [exp.alias_(value.copy(), column, quoted=True) for column, value in expressions.items()]
    if more:
        named = {column.lower() for column in expressions}
        shown += [exp.column(column, quoted=True) for lower, column in by_lower.items() if lower not in named]
    with duckdb.connect(":memory:") as connection:
        connection.register("given", table)

        def select(*columns: exp.Expr) -> pa.Table:
            return connection.sql(exp.select(*columns).from_("given").sql("duckdb")).to_arrow_table()

        try:
            return select(*shown)
        except duckdb.Error:  # whose text may have a value
            raise ColumnMismatch(
                f"{name}: the remedy cannot treat {', '.join(_refused(shown, select))}; it expects values of the types "
                "that the table had for which it was found: cast the columns in a query in parentheses"
            ) from None


def _refused(shown: Sequence[exp.Expr], select: Callable[[exp.Expr], pa.Table]) -> Iterator[str]:
    """The columns that cannot be computed."""
    for value in shown:
        try:
            select(value)
        except duckdb.Error:
            yield f'"{value.alias_or_name}"'


def of_child(path: Path, child: str) -> Path:
    """Return the file about a table of children that stands beside that about the parents; the latter without one."""
    return path.with_stem(f"{path.stem}_{child}") if child else path


def remedied_again(session: Any, found: Path, given: Mapping[str, Any]) -> tuple[dict[str, Result], Evaluation]:
    """Treat the tables of a call by an earlier remedy, and evaluate them.

    Parameters
    ----------
    session
        The session that has the tables.
    found
        The file with the SELECT; those of tables of children stand beside it (`of_child`).
    given
        The tables, and options of `evaluate`; tables released before are made coarser alike.

    Returns
    -------
    tuple
        The synthetic tables after the remedy by name (that of parents, or of a table without children, has none), and
        the evaluation.
    """
    known = catalog.function("remedy")
    shared = catalog.function("safe").parameters
    # What is wrong with the tables is said of those that were given.
    checked = {name: value for name, value in given.items() if name in shared and value and name != releases.OPTION}
    session._check("safe", checked)
    children = families.given_children(known, given) if families.are_asked_for(known, given) else {}
    parents, children = families.with_releases(known, given, children)
    made, family = {}, {}
    before: dict[str, dict[str, pa.Table]] = {}
    for child in ("", *children):
        path = of_child(found, child)
        expressions = read(_text(path).strip().removesuffix(";"), str(path))
        tables = children[child].tables if child else parents
        treats = {side: _treated(session, expressions, tables[side], side, child) for side in SIDES}
        if child:
            family[child] = [*treats.values(), f"{children[child].of}.{children[child].key}".lstrip(".")]
        else:
            after = treats
        made[child] = _result(session, treats["synthetic"], _text(path))
        for side in (name for name in tables if name.startswith(families.RELEASE)):
            theirs = _treated_alike(session, expressions, tables[side], tables["synthetic"])
            before.setdefault(side.removeprefix(families.RELEASE), {})[child or releases.NEWEST] = theirs
    taken = catalog.function("evaluate").parameters
    others = {*SIDES, *OF_SEARCH, "children", releases.OPTION}
    options = {name: value for name, value in given.items() if name in taken and name not in others and value}
    if children:
        options["children"] = family
    if before:
        alone = {name: one[releases.NEWEST] for name, one in before.items()}
        options[releases.OPTION] = before if children else alone
    return made, session.evaluate(**after, **options)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise OptionError(f'"{path}" cannot be read as text') from None


def _treated(session: Any, expressions: Mapping[str, exp.Expr], table: Any, side: str, child: str) -> pa.Table:
    rows = _rows(session, table)
    return treated(expressions, rows, f"{side} of {child}" if child else side, more=side != "synthetic")


def _treated_alike(session: Any, expressions: Mapping[str, exp.Expr], table: Any, newest: Any) -> pa.Table:
    """A table released before, made coarser as the newest: where it has a column of the same type."""
    rows, other = _rows(session, table), _rows(session, newest).schema
    types = {field.name.lower(): field.type for field in rows.schema}
    alike = {n: e for n, e in expressions.items() if n in other.names and types.get(n.lower()) == other.field(n).type}
    return treated(alike, rows, "a release", more=True)


def _rows(session: Any, table: Any) -> pa.Table:
    return session.call(catalog.file(known_files.KEPT), data=table).to_arrow()


def _result(session: Any, table: pa.Table, text: str) -> Result:
    with duckdb.connect(":memory:") as connection:
        types = [str(type_) for type_ in connection.from_arrow(table).types]
    return Result(session.engine, "remedied", Answer(table, types, text))
