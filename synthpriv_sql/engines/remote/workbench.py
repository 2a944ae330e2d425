"""The private DuckDB for the parts of a call that need the kernel; rows come from the database as Arrow.

A table in it has the types that it would have if the user's tables were in DuckDB. To find them, DuckDB binds the query
of a remote part on empty copies of the user's tables. So both engines compute with, and return, the same types.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
from sqlglot import exp

from synthpriv_sql.engines.base import Answer, Moved
from synthpriv_sql.engines.duckdb.engine import DuckDB
from synthpriv_sql.engines.duckdb.opening import open_database
from synthpriv_sql.planner.columns import nested
from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.progress import Progress

if TYPE_CHECKING:
    from synthpriv_sql.engines.cut import Crossing

_BATCH = "synthpriv_batch"


class Workbench:
    """A DuckDB in memory, with the kernel's functions.

    Parameters
    ----------
    **config
        DuckDB settings, such as ``threads=2`` or ``memory_limit="2GB"``. Data that does not fit in memory goes
        to a temporary folder, which is removed when the workbench is closed.
    """

    def __init__(self, **config: Any) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="synthpriv-", ignore_cleanup_errors=True)
        settings = {"temp_directory": self._folder.name} | config
        try:
            self.connection = open_database(config=settings)
            self.connection.execute(catalog.statement("times_in_utc"))
            self.engine = DuckDB(self.connection)
        except BaseException:
            self._folder.cleanup()
            raise

    def close(self) -> None:
        """Close the database and remove its temporary files."""
        self.connection.close()
        self._folder.cleanup()

    @contextmanager
    def like(self, relations: Sequence[Relation]) -> Iterator[Mapping[exp.Table, str]]:
        """Create empty copies of the user's tables; yields their names, and drops all tables at the end."""
        named: dict[exp.Table, str] = {}
        self._clear()  # a cancelled call may have left tables
        try:
            for relation in relations:
                if relation.node not in named:
                    named[relation.node] = f"synthpriv_like_{relation.parameter}"
                    columns = [_definition(column.name, column.held) for column in nested.sources(relation)]
                    places = [p.name for p in relation.order if isinstance(p, exp.Column)] if relation.base else []
                    columns += [_definition(n, "VARCHAR") for n in places if n.lower() not in relation.by_name]
                    self._create(named[relation.node], columns)
            yield named
        finally:
            with suppress(duckdb.InterruptException):
                self._clear()

    def _clear(self) -> None:
        for (name,) in self.connection.execute(catalog.statement("temporary_tables")).fetchall():
            table = exp.table_(name, quoted=True)
            self.connection.execute(exp.Drop(tables=[table], kind="TABLE").sql("duckdb"))

    def types(self, query: exp.Query, like: Mapping[exp.Table, str]) -> dict[str, str]:
        """Return the type of each column of a query over the user's tables, by name."""
        bound = query.copy()
        for table in list(bound.find_all(exp.Table)):
            if table in like:
                table.replace(exp.table_(like[table], quoted=True))
        relation = self.connection.sql(bound.sql("duckdb", normalize_functions=False))
        return dict(zip(relation.columns, map(str, relation.types), strict=True))

    def load(
        self,
        crossing: Crossing,
        types: Mapping[str, str],
        batches: Iterable[pa.RecordBatch],
        plain: Callable[[pa.Array], pa.Array],
    ) -> Moved:
        """Load the rows of a remote part into a table of its name; returns their number and size.

        ``plain`` makes of a column what DuckDB can read.
        """
        self._create(crossing.name, [_definition(name, type_) for name, type_ in types.items()])
        columns = [
            exp.cast(exp.column(exp.to_identifier(f"column_{i}")), type_, dialect="duckdb")
            for i, type_ in enumerate(types.values())
        ]
        into = exp.table_(crossing.name, quoted=True)
        insert = exp.insert(exp.select(*columns).from_(_BATCH), into).sql("duckdb")
        rows = size = 0
        for batch in batches:
            rows += batch.num_rows
            size += batch.nbytes
            arrays = [plain(column) for column in batch.columns]
            self.connection.register(_BATCH, pa.table(arrays, [f"column_{i}" for i in range(len(arrays))]))
            try:
                self.connection.execute(insert)
            finally:
                self.connection.unregister(_BATCH)
        return Moved(rows, size)

    def run(self, query: exp.Query, progress: Progress | None, lossy: bool = False) -> Answer:
        """Run the local part of a statement; ``lossy`` says that it may return types that Arrow lacks."""
        return self.engine.answer(query.sql("duckdb", pretty=True, normalize_functions=False), progress, lossy)

    def _create(self, name: str, columns: Sequence[exp.ColumnDef]) -> None:
        schema = exp.Schema(this=exp.table_(name, quoted=True), expressions=list(columns))
        temporary = exp.Properties(expressions=[exp.TemporaryProperty()])
        self.connection.execute(exp.Create(this=schema, kind="TABLE", properties=temporary).sql("duckdb"))


def _definition(name: str, type_: str) -> exp.ColumnDef:
    return exp.ColumnDef(
        this=exp.to_identifier(name, quoted=True), kind=exp.DataType.build(type_, dialect="duckdb", udt=True)
    )
