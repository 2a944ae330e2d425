"""A distributed search: encoded records as pages, shard by shard, against chunks of queries.

Streams of Arrow batches in and out, one page per row, independent of their transport. A cell is one shard of the
reference with a slice of the queries: the pages of the shard come first, then those of the queries. A cell keeps one
index and one chunk of queries in memory at a time. `merge` combines the results of cells for the same queries, as on
one machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from synthpriv_sql.kernels.knn.index import Index
from synthpriv_sql.kernels.knn.lists import merge, without_self
from synthpriv_sql.kernels.layout import Neighbors
from synthpriv_sql.kernels.threads import SearchOptions
from synthpriv_sql.udf.encoded import arrange, pages

PAGE_ROWS = 1 << 15
PAGE_BYTES = 1 << 23
CHUNK_ROWS = 1 << 17  # queries searched together: enough for nearby queries to share the blocks they visit
PIECE_BYTES = 1 << 22  # bytes of neighbors per result batch

REFERENCE, QUERIES = 0, 1


def _schema(**types: Any) -> Any:
    return pa.schema([pa.field(name, type_, nullable=False) for name, type_ in types.items()])


PAGES = _schema(first=pa.int64(), rows=pa.int64(), infinite=pa.list_(pa.int64()), page=pa.binary())
"""Pages of a table: first record, number of records, number of infinite values per column, and the page."""

FOUND = _schema(first=pa.int64(), rows=pa.int64(), neighbors=pa.binary(), distances=pa.binary())
"""A shard's result for consecutive queries: the first, their number, int64 and float64 of shape (rows, k)."""

NEIGHBORS = _schema(record=pa.int64(), rank=pa.int32(), neighbor=pa.int64(), distance=pa.float64())
"""The rows of a search, as in sql/parts/nearest.sql."""


@dataclass(frozen=True, slots=True)
class Paging:
    """Writes the pages of a table.

    Parameters
    ----------
    shard_rows
        Records per shard: no page crosses a multiple of this number.
    page_rows, page_bytes
        The approximate maximum size of a page.
    """

    shard_rows: int
    page_rows: int = PAGE_ROWS
    page_bytes: int = PAGE_BYTES

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Turn batches of records (their number, then DOUBLE or VARCHAR columns) into batches of `PAGES`."""
        for first, run in self._runs(batches):
            infinite = [
                int(np.isinf(column.to_numpy()).sum()) if pa.types.is_floating(column.type) else 0
                for column in run.columns[1:]
            ]
            page = pages.pack(*run.columns)
            yield pa.record_batch([[first], [run.num_rows], [infinite], pages.binary(page)], schema=PAGES)

    def _runs(self, batches: Iterator[Any]) -> Iterator[tuple[int, Any]]:
        """Yield page-sized tables of consecutive records, with the first record of each."""
        waiting: list[Any] = []
        begin = end = size = 0
        for batch in batches:
            for first, piece in self._pieces(batch):
                full = end + piece.num_rows - begin > self.page_rows or size + piece.nbytes > self.page_bytes
                if waiting and (full or first != end or first % self.shard_rows == 0):
                    yield begin, pa.Table.from_batches(waiting)
                    waiting, size = [], 0
                if not waiting:
                    begin = first
                waiting.append(piece)
                size += piece.nbytes
                end = first + piece.num_rows
        if waiting:
            yield begin, pa.Table.from_batches(waiting)

    def _pieces(self, batch: Any) -> Iterator[tuple[int, Any]]:
        """Split a batch at gaps in the record numbers, at shard boundaries, and where it is too large."""
        if batch.num_rows == 0:
            return
        numbers = batch.column(0).to_numpy()
        most = max(1, min(self.page_rows, self.page_bytes * batch.num_rows // max(batch.nbytes, 1)))
        cuts = (np.flatnonzero((np.diff(numbers) != 1) | (numbers[1:] % self.shard_rows == 0)) + 1).tolist()
        for start, stop in zip([0, *cuts], [*cuts, len(numbers)], strict=True):
            for at in range(start, stop, most):
                yield int(numbers[at]), batch.slice(at, min(most, stop - at))


@dataclass(frozen=True, slots=True)
class Merging:
    """Merges the results of shards for the same queries.

    Parameters
    ----------
    k
        Neighbors to keep.
    exclude_self
        Whether a record is excluded from its own neighbors; the incoming lists are then one longer.
    """

    k: int
    exclude_self: bool

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Turn batches of `FOUND`, ordered by the first query, into batches of `NEIGHBORS`."""
        at, best = 0, None
        for batch in batches:
            for first, rows, *found in zip(*(batch.column(name) for name in FOUND.names), strict=True):
                part = _lists(rows.as_py(), *found)
                if best is not None and at == first.as_py():
                    best = merge((best, part), self.k + self.exclude_self)
                    continue
                if best is not None:
                    yield self.rows(at, best)
                at, best = first.as_py(), part
        if best is not None:
            yield self.rows(at, best)

    def rows(self, first: int, found: Neighbors) -> Any:
        """The neighbors of consecutive queries, as a batch of `NEIGHBORS`."""
        neighbors, distances = without_self(*found, first) if self.exclude_self else found
        rows, k = neighbors.shape
        return pa.record_batch(
            [
                np.repeat(np.arange(first, first + rows), k),
                np.tile(np.arange(1, k + 1, dtype=np.int32), rows),
                neighbors.reshape(-1),
                distances.reshape(-1),
            ],
            schema=NEIGHBORS,
        )


_KEPT: dict[tuple[str, int], tuple[arrange.Arrangement, Index]] = {}
"""The index that this process built last: successive cells of one shard share it."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Searches the shard of a cell for its queries.

    Parameters
    ----------
    token
        Identifies the search, so that a cached index is never used by another one.
    options, spreads
        As for `synthpriv_sql.udf.encoded.arrange.Arrangement`.
    merging
        The merging that follows.
    alone
        Whether this is the only shard, so that nothing is merged.
    threads
        Returns the number of threads to use on the machine that runs the search.
    chunk_rows, piece_bytes
        Queries per search, and bytes of neighbors per batch; they affect memory and speed, never results.
    """

    token: str
    options: Mapping[str, Any]
    spreads: Sequence[float | None]
    merging: Merging
    alone: bool
    threads: Callable[[], int]
    chunk_rows: int = CHUNK_ROWS
    piece_bytes: int = PIECE_BYTES

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Turn batches of (side, first, page) into `FOUND`: the reference first, each side in the order of records.

        The given first record overrides that in the page. If ``alone``, the result is `NEIGHBORS`; a shard without
        pages gives nothing.
        """
        kinds = arrange.kinds(self.options["roles"])
        wanted = self.merging.k + self.merging.exclude_self
        shard: list[Any] = []
        held: tuple[arrange.Arrangement, Index] | None = None
        for side, first, chunk in self._chunks(batches):
            if side == REFERENCE:
                shard += chunk
                continue
            if shard:
                held = self._index(shard, kinds)
            if held is None:
                continue
            arrangement, index = held
            queries = arrangement.queries(pages.read(chunk, kinds, first))
            found = index.search(queries, min(wanted, index.rows), options=SearchOptions(self.threads()))
            arrange.check_distances(self.options, found[1])
            step = max(1, self.piece_bytes // (16 * wanted))
            for at in range(0, queries.rows, step):
                piece = Neighbors(found.records[at : at + step], found.distances[at : at + step])
                yield self.merging.rows(first + at, piece) if self.alone else _found(first + at, piece)

    def _chunks(self, batches: Iterator[Any]) -> Iterator[tuple[int, int, list[Any]]]:
        """Yield pages of one side with consecutive records, and their first record."""
        waiting: list[Any] = []
        last, begin, end = -1, 0, 0
        for batch in batches:
            sides, firsts = (batch.column(name).to_pylist() for name in ("side", "first"))
            for side, first, given in zip(sides, firsts, batch.column("page"), strict=True):
                page = pages.moved(given, first)
                _, rows = pages.span(page)
                if waiting and (side != last or first != end or end - begin >= self.chunk_rows):
                    yield last, begin, waiting
                    waiting = []
                if not waiting:
                    begin = first
                waiting.append(page)
                last, end = side, first + rows
        if waiting:
            yield last, begin, waiting

    def _index(self, shard: list[Any], kinds: Sequence[str]) -> tuple[arrange.Arrangement, Index]:
        """Return the index of the shard; the pages are freed."""
        first = min(pages.span(page)[0] for page in shard)
        if (self.token, first) not in _KEPT:
            _KEPT.clear()
            arrangement = arrange.Arrangement(self.options, self.spreads)
            columns = arrangement.reference(pages.read(shard, kinds, first))
            run = SearchOptions(self.threads())
            index = Index(columns, arrangement.distance, first_record=first, options=run)
            _KEPT[self.token, first] = arrangement, index
        shard.clear()
        return _KEPT[self.token, first]


def _found(first: int, found: Neighbors) -> Any:
    lists = [pages.binary(pa.py_buffer(np.ascontiguousarray(array))) for array in found]
    return pa.record_batch([[first], [len(found[0])], *lists], schema=FOUND)


def _lists(rows: int, neighbors: Any, distances: Any) -> Neighbors:
    return Neighbors(
        np.frombuffer(neighbors.as_buffer(), np.int64).reshape(rows, -1),
        np.frombuffer(distances.as_buffer(), np.float64).reshape(rows, -1),
    )
