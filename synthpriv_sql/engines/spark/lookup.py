"""Finding and describing the tables that a call names, in a SparkSession."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from synthpriv_sql.engines.spark import failures
from synthpriv_sql.errors import UnknownTable
from synthpriv_sql.planner.columns.tables import Relation, label
from synthpriv_sql.planner.columns.types import Column

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import DataType

_FILES = ("parquet", "orc", "json")
_HINT = (
    "Give a name of the catalog, a query in parentheses, a DataFrame, or a path as in Spark SQL "
    "(parquet.`/data/customers`, delta.`/data/customers`)."
)
_TYPES = {
    "byte": "TINYINT",
    "short": "SMALLINT",
    "integer": "INTEGER",
    "long": "BIGINT",
    "float": "FLOAT",
    "double": "DOUBLE",
    "boolean": "BOOLEAN",
    "string": "VARCHAR",
    "char": "VARCHAR",
    "varchar": "VARCHAR",
    "date": "DATE",
    "time": "TIME",
    "timestamp": "TIMESTAMP WITH TIME ZONE",
    "timestamp_ntz": "TIMESTAMP",
    "binary": "BLOB",
    "void": '"NULL"',
}


class Lookup:
    """Finds tables by name in a SparkSession.

    Parameters
    ----------
    session
        The user's session.
    """

    def __init__(self, session: SparkSession) -> None:
        self.session = session
        self.given: dict[str, DataFrame] = {}
        """The frames among the tables of the current call, by their names."""
        self._found: dict[exp.Table, DataFrame] = {}

    def forget(self) -> None:
        """Forget the tables of the current call: the next one may find others."""
        self.given.clear()
        self._found.clear()

    def relation(self, parameter: str, value: Any) -> Relation:
        """Find the table that a call names.

        Parameters
        ----------
        parameter
            The parameter that it was passed for.
        value
            A name (exactly, or in SQL's quoting), a path with its format before it, or a query in parentheses.

        Raises
        ------
        UnknownTable
            No table has that name, or it cannot be read.
        """
        if not isinstance(value, str) or not value.strip():
            raise UnknownTable(f"{value!r}, given as {parameter}, names no table. {_HINT}")
        named = label(value)
        node = self._node(value)
        if node is None:
            raise UnknownTable(f"{named}, given as {parameter}, is neither a table or view nor a path. {_HINT}")
        try:
            columns = tuple(column(field.name, field.dataType) for field in self.frame(node).schema.fields)
        except Exception as error:
            if failures.is_lost(error):
                raise
            raise UnknownTable(
                f"{named}, given as {parameter}, cannot be read: {failures.words(error)}. {_HINT}"
            ) from None
        seen: set[str] = set()
        for found in columns:
            if found.name.lower() in seen:
                raise UnknownTable(
                    f'{named}, given as {parameter}, has two columns named "{found.name}", whatever the case; '
                    "rename one of them"
                )
            seen.add(found.name.lower())
        return Relation(parameter, named, node, columns, base=False)

    def _node(self, value: str) -> exp.Table | None:
        """The table that a text names; None if there is none."""
        text = value.strip()
        if value in self.given:
            return exp.Table(this=exp.to_identifier(value, quoted=True))
        if text.startswith("("):
            return exp.Table(this=exp.Anonymous(this="query", expressions=[exp.Literal.string(text)]))
        form = text.rpartition(".")[2].lower()
        if form in _FILES and os.sep in text and "`" not in text:
            return exp.Table(this=exp.to_identifier(text, quoted=True), db=exp.to_identifier(form, quoted=True))
        for node in readings(value):
            if self.session.catalog.tableExists(written(node)):
                return node
            if is_path(node):
                return node
        return None

    def frame(self, node: exp.Table) -> DataFrame:
        """The rows of a relation, looked up once per call: Spark runs a job each time to find the columns of files."""
        if node not in self._found:
            self._found[node] = self._read(node)
        return self._found[node]

    def few(self, query: exp.Query) -> list[dict[str, Any]]:
        """Return the few rows of a query that reads tables of the current call."""
        tree, views = query.copy(), []
        for table in [table for table in tree.find_all(exp.Table) if table in self._found]:
            views.append(f"synthpriv_{uuid.uuid4().hex[:12]}")
            self._found[table].createTempView(views[-1])
            table.replace(exp.Table(this=exp.to_identifier(views[-1])))
        try:
            return [row.asDict() for row in self.session.sql(tree.sql("spark")).collect()]
        finally:
            for view in views:
                self.session.catalog.dropTempView(view)

    def _read(self, node: exp.Table) -> DataFrame:
        if isinstance(node.this, exp.Anonymous):
            # Spark parses it: a statement that starts with a parenthesis is a query, and cannot change a table.
            return self.session.sql(node.this.expressions[0].this)
        if node.name in self.given and not node.db:
            return self.given[node.name]
        return self.session.table(written(node))


def is_remote(session: SparkSession) -> bool:
    """Whether a session is one of Spark Connect, where a server runs the jobs."""
    return type(session).__module__.startswith("pyspark.sql.connect")


def column(name: str, type_: DataType) -> Column:
    """Describe a column by its DuckDB type."""
    kind = type_.typeName()
    if kind == "decimal":
        return Column(name, f"DECIMAL({type_.precision},{type_.scale})", "decimal")
    if kind in _TYPES:
        return Column(name, _TYPES[kind], _TYPES[kind].strip('"').lower())
    # No distance is defined for this type; errors use Spark's name for it.
    return Column(name, type_.simpleString(), kind)


def stable(frame: DataFrame) -> bool:
    """Whether a frame reads files, or a cached table, so that it is cheap to read twice and gives the same rows.

    Spark Connect does not tell.
    """
    if is_remote(frame.sparkSession):
        return False
    waiting = [frame._jdf.queryExecution().optimizedPlan()]
    if not waiting[0].deterministic():
        return False
    while waiting:
        plan = waiting.pop()
        name = plan.nodeName()
        if name not in {"Project", "Filter", "LocalRelation", "LogicalRelation"}:
            return False
        if name == "LogicalRelation" and plan.relation().getClass().getSimpleName() != "HadoopFsRelation":
            return False
        inner = plan.children()
        waiting += [inner.apply(i) for i in range(inner.size())]
    return True


def result_types(frame: DataFrame, own: Mapping[str, Column]) -> list[str]:
    """Return the DuckDB type of each column of a result; ``own`` are the user's columns."""
    types = []
    for field in frame.schema.fields:
        found = column(field.name, field.dataType).type
        if field.dataType.typeName() == "array":
            found = column(field.name, field.dataType.elementType).type + "[]"
        # Integers of 128 bits are decimals in Spark.
        types.append("HUGEINT" if found == "DECIMAL(38,0)" and field.name not in own else found)
    return types


def from_arrow(session: SparkSession, table: pa.Table) -> DataFrame:
    """Return rows as a DataFrame in which timestamps without a time zone remain so."""
    from pyspark.sql.pandas.types import from_arrow_schema

    return session.createDataFrame(table, schema=from_arrow_schema(table.schema, prefer_timestamp_ntz=True))


def without_plan(frame: DataFrame) -> DataFrame:
    """Return the rows of a cached frame as one whose plan is a scan of its RDD.

    A view keeps the whole analyzed plan of its frame, cached or not, so that plans grow with each part that reads
    another. The RDD has the lineage of the cached rows: those of a lost executor are computed again. Spark has no
    public function for this, so the frame stays as it is where the internal one is missing. Over Connect the rows are
    checkpointed on the executors when they are first read: a lost executor ends the call. pyspark gives a checkpoint to
    the active session, so frames of other sessions stay as they are.
    """
    session = frame.sparkSession
    if is_remote(session):
        return frame.localCheckpoint(eager=False) if type(session).getActiveSession() is session else frame
    from py4j.protocol import Py4JError, Py4JJavaError
    from pyspark.errors import PySparkException
    from pyspark.sql import DataFrame

    try:
        # With adaptive execution this computes the rows.
        rows = frame.select("*")._jdf.queryExecution().toRdd()
        made = frame.sparkSession._jsparkSession.internalCreateDataFrame(rows, frame._jdf.schema(), False)
    except (Py4JJavaError, PySparkException):
        raise
    except Py4JError:
        return frame
    return DataFrame(made, frame.sparkSession)


def quoted(name: str) -> str:
    """Quote a column name for Spark's DataFrame API."""
    return exp.to_identifier(name, quoted=True).sql("spark")


def is_path(node: exp.Table) -> bool:
    """Whether a name consists of a format and a path."""
    return bool(node.db) and not node.catalog and os.sep in node.name


def written(node: exp.Table) -> str:
    """A table's name in Spark's syntax."""
    return exp.table_(node.name, db=node.db or None, catalog=node.catalog or None, quoted=True).sql("spark")


def readings(value: str) -> Iterator[exp.Table]:
    """The possible readings of a name, the most literal first."""
    yield exp.Table(this=exp.to_identifier(value, quoted=True))
    for dialect in ("spark", "duckdb"):
        try:
            named = exp.to_table(value.strip(), dialect=dialect)
        except SqlglotError:
            continue
        if isinstance(named.this, exp.Identifier) and (named.db or named.name != value):
            for part in named.parts:
                part.set("quoted", True)
            yield named
