"""A long statement on large tables runs in stages: DuckDB frees what joins and windows gather when a statement ends.

Each part that the one statement would keep as well (a search, pages, what several parts read), and each summary of a
few rows, is a statement of its own. Its rows are held as Arrow until the last stage that reads them has ended; instead
of pages, which DuckDB would copy several times for every search, it is given their keys. All of them run in one
transaction, the caller's where there is one, so that they see one state of the database.
"""

from __future__ import annotations

import ctypes
import os
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import TYPE_CHECKING

import duckdb
from sqlglot import exp

from synthpriv_sql.engines.base import Answer
from synthpriv_sql.engines.duckdb import between
from synthpriv_sql.engines.duckdb.groups import go_on
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.statement.parts import Assembled, Part, gc_paused
from synthpriv_sql.planner.statement.trees import nodes
from synthpriv_sql.udf.encoded.compressed import Staying, stays

if TYPE_CHECKING:
    import pyarrow as pa

ROWS = 100_000
"""From how many rows on, of all tables together: below, to begin statements takes longer than memory is worth."""
PARTS = 100
"""From how many parts on: a statement of fewer holds little at a time."""
_BATCH = 10_240
"""Rows of an Arrow batch, which has 2 GB of texts or pages at most; a page is of about 150 KB."""
_TRIM = getattr(ctypes.CDLL(None), "malloc_trim", None) if os.name == "posix" else None
"""Of the GNU C library; others do without."""
_PAGE = "synthpriv_page"
_PAGES = "BLOB[]"
"""The type of a list of its pages."""
_NAN_IS_LOST = int(duckdb.__version__.split(".")[0]) < 2
"""Whether DuckDB has Arrow filter rows, and by its rule that NaN is not greater than a number."""


def pay(parts: int, rows: int) -> bool:
    """Whether a statement of so many parts is to run in stages: it is long, and its tables are large."""
    return parts >= PARTS and rows >= ROWS


def run(
    connection: duckdb.DuckDBPyConnection,
    statement: Assembled,
    execute: Callable[[str], duckdb.DuckDBPyConnection],
    cancelled: Callable[[], bool],
) -> Answer:
    """Run a statement in stages, and return the rows that it has as a whole; ``statement`` of the answer stays empty.

    Parameters
    ----------
    connection
        Where the tables are.
    statement
        Of types that Arrow has.
    execute
        Runs the text of a stage.
    cancelled
        Tells whether no further stage is to begin.
    """
    stages = _Stages(connection, statement, execute)
    with between.one_state(connection), stages.released():
        for part in statement.parts:
            if part.name in stages.last:
                go_on(cancelled)
                stages.hold(part)
        go_on(cancelled)
        return stages.end()


@dataclass(frozen=True, slots=True)
class _Held:
    """The rows of a part: their name in DuckDB, the query that reads them, and Arrow rows unless it has a table."""

    name: str
    query: exp.Select
    rows: between.Handed | None
    pages: Sequence[Staying] = ()


class _Stages:
    """The stages of one statement while it runs."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        statement: Assembled,
        execute: Callable[[str], duckdb.DuckDBPyConnection],
    ) -> None:
        self._connection = connection
        self._statement = statement
        self._execute = execute
        self._parts = {part.name: part for part in statement.parts}
        self._reads = {part.name: _read_by(part.query) & self._parts.keys() for part in statement.parts}
        self._held: dict[str, _Held] = {}
        self._token = uuid.uuid4().hex
        self._numbers = count()
        self.last = self._last()
        """The parts that are stages, and the last stage that reads each; nothing where that is the statement's end."""

    def _last(self) -> dict[str, str]:
        readers: dict[str, set[str]] = {name: set() for name in self._parts}
        """The stages whose statements have a part in them."""
        for name in _read_by(self._statement.query) & self._parts.keys():
            readers[name].add("")
        last: dict[str, str] = {}
        places = {part.name: place for place, part in enumerate(self._statement.parts)} | {"": len(self._parts)}
        for part in reversed(self._statement.parts):  # those that read a part come after it
            here = readers[part.name]
            if _is_stage(part, len(here), self._reads[part.name]):
                last[part.name] = max(here, key=places.__getitem__)
                here = {part.name}
            for name in self._reads[part.name]:
                readers[name] |= here
        return last

    def hold(self, part: Part) -> None:
        """Run one stage."""
        name = f"synthpriv_stage_{self._token}_{next(self._numbers)}"
        with gc_paused:
            text = self._text(part.query)
        if _is_source(part):
            self._create(name, text)
            self._held[part.name] = _Held(name, exp.select("*").from_(name), None)
        else:
            rows, types = between.fetched(self._execute(text), _BATCH)
            rows, pages = _with_keys(part.query, rows, types)
            handed = between.Handed(rows)
            query = between.register(self._connection, name, handed, types)
            self._held[part.name] = _Held(name, query, handed, pages)
            if _NAN_IS_LOST and _has_nan(rows):
                self._move_into_table(part.name, f"{name}_table")
        self._release(part.name)
        _give_back()

    def end(self) -> Answer:
        """Run what is left of the statement."""
        return Answer(*between.fetched(self._execute(self._text(self._statement.query))), statement="")

    @contextmanager
    def released(self) -> Iterator[None]:
        """Forget all that is held in the end, however that comes."""
        try:
            yield
        except BaseException:
            for held in self._held.values():
                # The transaction may have failed, and takes with it what began in it.
                with suppress(duckdb.Error, RuntimeError):
                    self._forget(held)
            raise
        self._release("")

    def _release(self, stage: str) -> None:
        """Forget what no stage after this one reads."""
        for name in [name for name in self._held if self.last[name] == stage]:
            self._forget(self._held.pop(name))

    def _forget(self, held: _Held) -> None:
        if held.rows is None:
            dropped = exp.Drop(tables=[exp.to_table(held.name)], kind="TABLE")
            self._connection.execute(dropped.sql("duckdb")).fetchall()
        else:
            held.rows.release()
            for pages in held.pages:
                pages.release()
            self._connection.unregister(held.name)  # which fails where the transaction has

    def _create(self, name: str, text: str) -> None:
        head = exp.Create(this=exp.to_table(name), kind="TABLE", properties=_TEMPORARY.copy()).sql("duckdb")
        self._execute(f"{head} AS {text}").fetchall()

    def _move_into_table(self, stage: str, name: str) -> None:
        """Hold rows as a temporary table rather than as Arrow."""
        held = self._held[stage]
        self._create(name, held.query.sql("duckdb"))
        self._held[stage] = _Held(name, exp.select("*").from_(name), None)
        self._forget(held)

    def _text(self, query: exp.Query) -> str:
        """A query with the parts that it needs, of which those that are held are read by their names."""
        needed = set()
        waiting = [*_read_by(query) & self._parts.keys()]
        while waiting:
            name = waiting.pop()
            if name not in needed:
                needed.add(name)
                waiting += self._reads[name] if name not in self._held else ()
        parts = [self._read(part) for part in self._statement.parts if part.name in needed]
        return replace(self._statement, parts=parts, query=query).sql  # type: ignore[arg-type]

    def _read(self, part: Part) -> Part:
        held = self._held.get(part.name)
        return part if held is None else replace(part, query=held.query, materialized=False, source=None)


_TEMPORARY = exp.Properties(expressions=[exp.TemporaryProperty()])


def _is_source(part: Part) -> bool:
    """Whether a part is a relation of the user's that may give other rows, or in another order, when read again."""
    return part.source is not None and not part.source.base


def _is_stage(part: Part, readers: int, reads: set[str]) -> bool:
    """Whether a part is run alone: the one statement would keep it as well, or it is a summary."""
    if _is_source(part) or part.materialized:
        return True
    if part.materialized is False or not reads:
        return False
    file = catalog.part(part.file) if part.file else None
    return readers > 1 or (file is not None and file.few)


def _with_keys(query: exp.Query, rows: pa.Table, types: Sequence[str]) -> tuple[pa.Table, list[Staying]]:
    """Return rows with the keys of pages in place of the pages, and these; BLOBs of the user stay as they are."""
    import pyarrow as pa

    made = any(call.name == _PAGE for call in nodes(query, exp.Anonymous))
    found = []
    for i, type_ in enumerate(types):
        lists = [one.values for one in rows.column(i)] if type_ == _PAGES else []
        known = [one for one in lists if one is not None]
        if known and (made or all(map(stays, chain(*known)))):
            held = [None if one is None else Staying(one) for one in lists]
            keys = pa.array([None if one is None else one.keys for one in held], rows.column(i).type)
            rows = rows.set_column(i, rows.field(i), keys)
            found += [one for one in held if one is not None]
    return rows, found


def _give_back() -> None:
    """Give memory that was freed back to the system: allocators keep it for a next time, which may take another."""
    import pyarrow as pa

    pa.default_memory_pool().release_unused()
    if _TRIM is not None:
        _TRIM(0)


def _has_nan(rows: pa.Table) -> bool:
    """Whether a column has NaN among its values, or a field of one."""
    import pyarrow as pa
    import pyarrow.compute as pc

    while any(map(pa.types.is_struct, rows.schema.types)):
        rows = rows.flatten()
    numbers = (column for column in rows.columns if pa.types.is_floating(column.type))
    return any(pc.any(pc.is_nan(column)).as_py() for column in numbers)


def _read_by(query: exp.Query) -> set[str]:
    return {table.name for table in nodes(query, exp.Table)}
