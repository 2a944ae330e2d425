"""Build an index of a reference, search it from several threads, merge what shards found."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.neighbors.layout import Columns, Distance, Records, aligned, records

if TYPE_CHECKING:
    from synthpriv_sql.neighbors.scan import Metric, Queries, State

Found = tuple[NDArray[np.int64], NDArray[np.float64]]
Progress = Callable[[int, int], None]

LANES = 64
BLOCK_ROWS = 1024  # queries that visit the blocks together
_SLAB = 1 << 19  # queries prepared at a time: what bounds the memory of a search
_TICK = 0.05  # seconds between two looks at `cancelled`


class Cancelled(Exception):  # noqa: N818
    """The caller's `cancelled` said so; there is no result."""


class Index:
    """A reference table, ready to be searched many times, also by several threads at once.

    Parameters
    ----------
    reference : Columns
        The rows to be found. They are copied: the columns may be changed afterwards.
    distance : Distance
        How distances are added up.
    first_record : int
        The number of the reference's first record, where it is a shard of a larger table.
    """

    def __init__(self, reference: Columns, distance: Distance, *, first_record: int = 0) -> None:
        self.distance = distance
        self.rows = reference.rows
        self.first_record = first_record
        self._build(records(reference, distance))

    def _build(self, table: Records) -> None:
        from synthpriv_sql.neighbors import bounds, distinct, encode, scan, tree  # numba is loaded at the first use

        first, group = distinct.distinct(table)
        members = np.argsort(group, kind="stable")
        member_start = np.zeros(len(first) + 1, np.int64)
        np.cumsum(np.bincount(group, minlength=len(first)), out=member_start[1:])
        if len(first) < table.rows:
            table = Records(table.numeric[first], table.codes[first])
        self._encoder = encode.Encoder(table, self.distance)
        encoded = self._encoder.encode(table, reference=True)
        order, starts, *nodes = tree.grow(
            _keys(encoded.values), encoded.codes, self._encoder.costs, self.distance.power, LANES
        )
        self._tree = tree.Tree(*nodes)
        encoded = encode.Encoded(encoded.values[order], encoded.codes[order], encoded.margin[order])
        sizes = np.diff(member_start)[order]
        start = np.zeros(len(order) + 1, np.int64)
        np.cumsum(sizes, out=start[1:])
        members = members[np.arange(start[-1]) + np.repeat(member_start[order] - start[:-1], sizes)]
        widest = int(np.clip(2048 // max(1, encoded.values.shape[1]), 32, 1024))
        cut = bounds.buckets(encoded, widest)
        fine, coarse, unit = bounds.tables(self._encoder, encoded, starts, cut)
        self._metric, counted, price = self._prices(self._encoder.costs)
        self._blocks = scan.Blocks(
            starts,
            bounds.bitmaps(encoded, starts, cut),
            _by_block(encoded.values, starts),
            np.ascontiguousarray(table.numeric[order]),
            np.ascontiguousarray(table.codes[order]),
            start,
            members + self.first_record,
            np.minimum.reduceat(members[start[:-1]], starts[:-1]) + self.first_record,
            fine.reshape(-1),
            coarse.reshape(-1),
            fine.shape[1],
            unit,
            *cut,
            counted,
            price,
        )

    def _prices(self, counted: NDArray[np.float64]) -> tuple[Metric, NDArray[np.int32], float]:
        from synthpriv_sql.neighbors.scan import Metric

        distance = self.distance
        weights = np.array([w for w in distance.numeric_weights if w > 0], np.float64)
        costs = np.array(
            [w * distance.mismatch for w in distance.categorical_weights if w * distance.mismatch > 0], np.float64
        )
        same = len(counted) > 0 and counted.min() == counted.max()
        # Unequal weights: a column is counted once per whole unit that it costs, about three times on average.
        price = float(counted[0]) if same else max(float(counted.sum()) / max(3 * len(counted), 1), 1e-300)
        times = np.floor(counted / price * (1 + 1e-12)).astype(np.int64)
        chosen = np.repeat(np.arange(len(counted)), times)
        columns = np.full(-(-len(chosen) // 8) * 8, -1, np.int32)
        columns[: len(chosen)] = chosen
        metric = Metric(
            distance.power,
            distance.cap,
            distance.root,
            float(distance.divisor),
            weights,
            weights * distance.mismatch,
            costs,
            len(costs) == 0 or bool(costs.min() == costs.max()),
            same and not len(weights) and len(counted) < 128,
            not distance.cap or self._encoder.clamped,
        )
        return metric, columns, price

    def search(
        self,
        queries: Columns,
        k: int,
        *,
        threads: int | None = None,
        block_rows: int = BLOCK_ROWS,
        progress: Progress | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Found:
        """Find the k nearest records of every query.

        Returns
        -------
        neighbors : int64 (rows, k)
            Record numbers, nearest first; among equal distances the smallest number.
        distances : float64 (rows, k)

        Raises
        ------
        ValueError
            When k < 1 or k > rows of the reference.
        Cancelled
            When `cancelled` returned true.
        """
        _check_k(k, self.rows)
        threads = threads or os.cpu_count() or 1
        neighbors = np.empty((queries.rows, k), np.int64)
        distances = np.empty((queries.rows, k), np.float64)
        for start in range(0, queries.rows, _SLAB):
            stop = min(start + _SLAB, queries.rows)
            part = queries.slice(start, stop) if stop - start < queries.rows else queries

            def report(done: int, total: int, start: int = start, stop: int = stop) -> None:
                if progress is not None:
                    progress(start + int((stop - start) * done / max(total, 1)), queries.rows)

            neighbors[start:stop], distances[start:stop] = self._search(
                part, k, threads, block_rows, report, cancelled
            )
        return neighbors, distances

    def _search(
        self,
        part: Columns,
        k: int,
        threads: int,
        block_rows: int,
        report: Progress,
        cancelled: Callable[[], bool] | None,
    ) -> Found:
        from synthpriv_sql.neighbors import distinct, scan, tree

        table = records(part, self.distance)
        first, group = distinct.distinct(table)
        if len(first) < table.rows:
            table = Records(table.numeric[first], table.codes[first])
        encoded = self._encoder.encode(table, reference=False)
        leaf = np.empty(table.rows, np.int64)
        tree.route(_keys(encoded.values), encoded.codes, *self._tree, leaf)
        order = np.argsort(leaf, kind="stable")
        queries = scan.Queries(
            encoded.values[order],
            encoded.codes[order],
            encoded.margin[order],
            table.numeric[order],
            table.codes[order],
        )
        found = np.empty((len(order), k), np.int64)
        distances = np.empty((len(order), k), np.float64)
        self._run(queries, found, distances, threads, block_rows, report, cancelled)
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        return found[place[group]], distances[place[group]]

    def _run(
        self,
        queries: Queries,
        found: NDArray[np.int64],
        distances: NDArray[np.float64],
        threads: int,
        block_rows: int,
        report: Progress,
        cancelled: Callable[[], bool] | None,
    ) -> None:
        """Share the queries out among threads, in chunks of blocks that each thread takes when it is free."""
        from synthpriv_sql.neighbors.scan import search_batches

        total = len(found)
        stop = np.zeros(1, np.uint8)
        lock = threading.Lock()
        taken = done = 0
        block_rows = max(1, min(block_rows, -(-total // (threads * 4))))
        chunk = block_rows

        def work() -> None:
            nonlocal taken, done
            state = self._state(block_rows, found.shape[1])
            while not stop[0]:
                with lock:
                    begin = taken
                    taken = end = min(begin + chunk, total)
                if begin == end:
                    return
                search_batches(
                    begin, end, block_rows, queries, self._blocks, self._metric, state, found, distances, stop
                )
                with lock:
                    done += end - begin

        with ThreadPoolExecutor(max_workers=max(1, min(threads, -(-total // block_rows)))) as pool:
            try:
                running = {pool.submit(work) for _ in range(max(1, min(threads, -(-total // block_rows))))}
                while running:
                    finished, running = wait(running, timeout=_TICK, return_when=FIRST_EXCEPTION)
                    for future in finished:
                        future.result()
                    report(done, total)
                    if running and cancelled is not None and cancelled():
                        raise Cancelled("the search was cancelled")
            finally:
                stop[0] = 1

    def _state(self, batch: int, k: int) -> State:
        from synthpriv_sql.neighbors.scan import State

        groups = -(-(len(self._blocks.starts) - 1) // LANES)
        columns = len(self._blocks.base) - 1
        zeros: Any = aligned
        return State(
            zeros((batch, k), np.float64),
            zeros((batch, k), np.int64),
            zeros((batch, k), np.int64),
            *(zeros(batch, np.int64) for _ in range(4)),
            zeros(batch, np.float32),
            zeros((batch, max(columns, 1)), np.int32)[:, :columns],
            zeros((batch, len(self._blocks.counted)), np.int32),
            zeros((batch, -(-groups // LANES) * LANES), np.uint16),
            zeros(LANES, np.uint16),
            zeros(8, np.uint64),
            zeros(56, np.uint64),
            zeros(LANES, np.float32),
            zeros(k, np.int64),
            zeros(groups, np.int64),
        )


def _check_k(k: int, available: int) -> None:
    if k < 1 or k > available:
        raise ValueError(f"k must be from 1 to the {available} records that there are to find, found {k}")


def _keys(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the values with missing ones larger than all others, so that they can be sorted and compared."""
    return np.where(np.isnan(values), np.float32(np.inf), values)


def _by_block(rows: NDArray[Any], starts: NDArray[np.int64]) -> NDArray[Any]:
    """Store rows column by column in blocks of 64, unused lanes 0; flat."""
    blocks, columns = len(starts) - 1, rows.shape[1]
    out = aligned((blocks, columns, LANES), rows.dtype.type)
    block = np.repeat(np.arange(blocks), np.diff(starts))
    lane = np.arange(len(rows)) - starts[block]
    for j in range(columns):
        out[block, j, lane] = rows[:, j]
    return out.reshape(-1)


def merge(parts: Sequence[Found], k: int | None = None) -> Found:
    """Merge the lists that shards of a reference gave for the same queries.

    Parameters
    ----------
    parts : sequence of (neighbors, distances)
        Each int64 and float64 (rows, k_i), nearest first, neighbors being record numbers of the whole reference. A
        shard of fewer than k records gives a shorter list.
    k : int, optional
        Neighbors to keep; by default as many as the longest list has.

    Returns
    -------
    neighbors, distances : int64, float64 (rows, k)
        Fewer columns where all lists together are shorter than k.
    """
    if k is None:
        k = max(neighbors.shape[1] for neighbors, _ in parts)
    neighbors = np.concatenate([part[0] for part in parts], axis=1)
    distances = np.concatenate([part[1] for part in parts], axis=1)
    order = np.lexsort((neighbors, distances), axis=1)[:, :k]
    return np.take_along_axis(neighbors, order, 1), np.take_along_axis(distances, order, 1)


def search(
    queries: Columns,
    reference: Columns,
    distance: Distance,
    k: int,
    *,
    exclude_self: bool = False,
    threads: int | None = None,
    block_rows: int = BLOCK_ROWS,
    shard_rows: int | None = None,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Found:
    """Find the k nearest reference records of every query.

    Parameters
    ----------
    queries, reference : Columns
        Tables with the same columns and codes.
    distance : Distance
        How distances are added up.
    k : int
        Neighbors per query.
    exclude_self : bool
        Whether the queries are the reference itself and record i is never its own neighbor (by position, not value).
    threads : int, optional
        Threads to use; all processors by default.
    block_rows : int
        Queries that are searched together; changes speed, never results.
    shard_rows : int, optional
        Cut the reference into shards of so many rows and search one after the other, to bound memory.
    progress : callable, optional
        Called with (done, total), in queries times shards, from the calling thread.
    cancelled : callable, optional
        Asked about twenty times a second, from the calling thread; true ends the search.

    Returns
    -------
    neighbors : int64 (n, k)
        Nearest first; among equal distances the smallest record number first.
    distances : float64 (n, k)

    Raises
    ------
    ValueError
        When k < 1 or k exceeds the records there are to find, or exclude_self is asked for tables of unequal length.
    Cancelled
        When `cancelled` returned true.
    """
    if exclude_self and queries.rows != reference.rows:
        raise ValueError(f"exclude_self needs the same table twice, found {queries.rows} and {reference.rows} rows")
    _check_k(k, reference.rows - exclude_self)
    wanted = k + exclude_self
    size = shard_rows or max(reference.rows, 1)
    starts = range(0, reference.rows, size)
    best: Found | None = None
    for number, start in enumerate(starts):
        shard = reference.slice(start, start + size) if len(starts) > 1 else reference
        index = Index(shard, distance, first_record=start)

        def report(done: int, total: int, number: int = number) -> None:
            if progress is not None:
                progress(number * total + done, len(starts) * total)

        part = index.search(
            queries,
            min(wanted, shard.rows),
            threads=threads,
            block_rows=block_rows,
            progress=report,
            cancelled=cancelled,
        )
        best = part if best is None else merge((best, part), wanted)
    assert best is not None
    return _without_self(*best) if exclude_self else best


def _without_self(neighbors: NDArray[np.int64], distances: NDArray[np.float64]) -> Found:
    """Take record i out of row i of lists one longer than wanted, or else the last entry."""
    rows, wanted = neighbors.shape
    own = neighbors == np.arange(rows)[:, None]
    drop = np.where(own.any(axis=1), own.argmax(axis=1), wanted - 1)
    keep = np.arange(wanted)[None, :] != drop[:, None]
    return neighbors[keep].reshape(rows, wanted - 1), distances[keep].reshape(rows, wanted - 1)
