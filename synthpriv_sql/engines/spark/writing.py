"""Results as catalog tables or files, written atomically by the executors."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from typing import TYPE_CHECKING

from sqlglot import exp

from synthpriv_sql.engines.base import RUN_ID, How, check_columns
from synthpriv_sql.engines.spark.lookup import is_path, quoted, readings, written
from synthpriv_sql.errors import EngineError

_MODES: dict[How, str] = {"create": "error", "replace": "overwrite", "append": "append"}
FILES = {"parquet", "orc", "json", "csv", "text", "avro", "xml"}
"""Formats that are plain files, without a transaction log."""

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def write(
    frame: DataFrame,
    name: str,
    how: How,
    stoppable: Callable[[], AbstractContextManager[None]],
    check: Callable[[], None] = lambda: None,
    run: str | None = None,
) -> None:
    """Write rows into a new table, or append them to a table with the same columns.

    Parameters
    ----------
    frame
        The rows.
    name
        A table's name, or a path with its format before it (delta.`/data/privacy`).
    how
        How to treat an existing table.
    stoppable
        Encloses the writing of rows, which may be cancelled; not the final renaming.
    check
        Called after the rows are written and before the table is renamed; an error leaves no table. For paths and
        appended rows it is called before writing.
    run
        The run of the appended rows: a table that already contains this run is left unchanged.

    Raises
    ------
    EngineError
        The table exists already, or files would have to be replaced.
    """
    # In Spark's reading, unless the text can only be a single name.
    node = [*readings(name)][:2][-1]
    session = frame.sparkSession
    if is_path(node):
        if how == "replace" and node.db.lower() in FILES:
            raise EngineError(
                f"files of {node.db} cannot be replaced atomically: write to a path that does not exist yet, to "
                "a table of the catalog, or to a format with a log (Delta, Iceberg)"
            )
        with stoppable():
            if how == "append" and run is not None and _has_run(_files(session, node), run):
                return
            check()
            frame.write.format(node.db).mode(_MODES[how]).save(node.name)
        return
    there = session.catalog.tableExists(written(node))
    if there and how == "create":
        raise EngineError("there is a table of that name")
    if there and how == "append":
        columns = session.table(written(node)).columns
        check_columns(name, columns, frame.columns)
        with stoppable():
            if run is not None and _has_run(session.table(written(node)), run):
                return
            check()
            frame.select(*map(quoted, columns)).write.insertInto(written(node))
        return
    new, old = (_beside(node, what) for what in ("new", "old"))
    try:
        with stoppable():
            frame.write.saveAsTable(written(new))
            check()
        if there:
            _rename(session, node, old)
        try:
            _rename(session, new, node)
        except BaseException:
            if there:
                _rename(session, old, node)
            raise
    except BaseException:
        with suppress(Exception):
            _drop(session, new)
        raise
    if there:
        _drop(session, old)


def _files(session: SparkSession, node: exp.Table) -> DataFrame | None:
    """The existing files at a path; None if there are none."""
    from pyspark.errors import AnalysisException

    try:
        return session.read.format(node.db).load(node.name)
    except AnalysisException:
        return None


def _has_run(table: DataFrame | None, run: str) -> bool:
    from pyspark.sql import functions as sf

    if table is None or RUN_ID not in table.columns:
        return False
    return not table.where(sf.col(RUN_ID) == run).limit(1).isEmpty()


def _beside(node: exp.Table, what: str) -> exp.Table:
    """A table name in the same schema that is not in use."""
    found = node.copy()
    found.set("this", exp.to_identifier(f"{node.name}_{what}_{uuid.uuid4().hex[:12]}", quoted=True))
    return found


def _rename(session: SparkSession, node: exp.Table, to: exp.Table) -> None:
    rename = exp.Alter(this=node.copy(), kind="TABLE", actions=[exp.AlterRename(this=to.copy())])
    session.sql(rename.sql("spark"))


def _drop(session: SparkSession, node: exp.Table) -> None:
    session.sql(exp.Drop(tables=[node.copy()], kind="TABLE", exists=True).sql("spark"))
