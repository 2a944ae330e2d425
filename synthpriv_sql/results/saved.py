"""Reads results back from files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import duckdb

from synthpriv_sql.engines.base import Answer
from synthpriv_sql.engines.duckdb.writing import arrow_rows
from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.columns.partitions import REASON
from synthpriv_sql.planner.headers import catalog

ENDINGS = (".parquet", ".csv", ".json", ".duckdb")
RUN = "run"
"""The section of JSON rows about the run, which are not numbers of the evaluation."""
VERDICT, COLUMNS = "verdict", "columns"
"""The sections of written evaluations with the verdict, and with the columns of the tables."""
PASSED = "passed"
"""The statistic of the verdict that says whether all required conditions held."""
PASSED_MEANS = "Whether all required conditions held: 1 or 0."
_EVALUATE = "evaluate"


def load(path: Path, whole: bool = False) -> tuple[str, Answer]:
    """Read a result from a file.

    Parameters
    ----------
    path
        Its extension is one of `ENDINGS`.
    whole
        Whether to keep the rows of an evaluation that are not its numbers: the verdict, and the columns of tables.

    Returns
    -------
    str, Answer
        The function with these columns (the name of the file if there is not exactly one), and the rows.

    Raises
    ------
    OptionError
        The file cannot be read, or has another extension.
    """
    if path.suffix not in ENDINGS:
        raise OptionError(f'the extension of "{path}" is not one of {", ".join(ENDINGS)}')
    if not path.is_file():
        raise OptionError(f'there is no file "{path}"')
    try:
        database = path.suffix == ".duckdb"
        with duckdb.connect(str(path) if database else ":memory:", read_only=database) as connection:
            relation = _numbers(_relation(connection, path), (RUN,) if whole else (RUN, VERDICT, COLUMNS))
            answer = Answer(arrow_rows(relation), [str(type_) for type_ in relation.types], "")
    except duckdb.Error as error:
        raise OptionError(f'"{path}" cannot be read: {error}') from None
    called = [f.name for f in catalog.functions().values() if list(f.columns) == answer.columns]
    evaluated = list(catalog.function("evaluate").columns)
    if not called and _without_reason(answer.columns)[-len(evaluated) :] == evaluated:
        called = ["evaluate"]  # of groups, whose columns come first
    return called[0] if len(called) == 1 else path.stem, answer


def _without_reason(columns: list[str]) -> list[str]:
    """Drop the last column, the reason why a group has no numbers."""
    return columns[:-1] if columns[-1:] == [REASON] else columns


def _numbers(relation: duckdb.DuckDBPyRelation, dropped: Sequence[str]) -> duckdb.DuckDBPyRelation:
    """Convert the numbers of an evaluation: JSON has no infinity, so such numbers are strings there.

    Rows of the dropped sections are not among them.
    """
    evaluated = catalog.function("evaluate").columns
    if _without_reason(relation.columns)[-len(evaluated) :] != list(evaluated):
        return relation
    relation = relation.filter(duckdb.ColumnExpression("section").isnotin(*map(duckdb.ConstantExpression, dropped)))
    double = {name for name, doc in evaluated.items() if doc.startswith("DOUBLE")}
    texts = [
        name
        for name, type_ in zip(relation.columns, relation.types, strict=True)
        if name in double and str(type_) != "DOUBLE"
    ]
    if not texts:
        return relation
    columns = [duckdb.ColumnExpression(name) for name in relation.columns]
    return relation.select(
        *(
            column.cast(duckdb.sqltypes.DOUBLE).alias(name) if name in texts else column
            for name, column in zip(relation.columns, columns, strict=True)
        )
    )


def _relation(connection: duckdb.DuckDBPyConnection, path: Path) -> duckdb.DuckDBPyRelation:
    if path.suffix == ".parquet":
        return connection.read_parquet(str(path))
    if path.suffix == ".csv":
        return connection.read_csv(str(path))
    if path.suffix == ".json":
        return connection.read_json(str(path))
    tables = [name for (name,) in connection.execute(catalog.statement("tables_of_main")).fetchall()]
    if len(tables) > 1 and _EVALUATE in tables:
        tables = [_EVALUATE]
    if len(tables) != 1:
        raise OptionError(f'"{path}" has {len(tables)} tables; a result can only be read from a database with one')
    return connection.table(f'"{tables[0]}"')
