"""Build an index of a reference, and search it from several threads, shard by shard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.kernels.knn import dispatch
from synthpriv_sql.kernels.knn.lists import check_k, without_self
from synthpriv_sql.kernels.layout import MANY_NUMBERS, Columns, Distance, Neighbors, Records, records
from synthpriv_sql.kernels.threads import SMALL, ProgressCallback, SearchOptions, Workers, distribute

if TYPE_CHECKING:
    from synthpriv_sql.kernels.blocks import state
    from synthpriv_sql.kernels.knn import build, costs

BLOCK_ROWS = 2048  # queries that visit the blocks together
_SLAB = 1 << 19  # queries prepared at a time, fewer where they are wide: bounds the memory of a search


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
    options : SearchOptions
        Building reports no progress.

    Raises
    ------
    ValueError
        When the reference and the distance differ in columns.
    """

    def __init__(
        self,
        reference: Columns,
        distance: Distance,
        *,
        first_record: int = 0,
        options: SearchOptions = SearchOptions(),
    ) -> None:
        from synthpriv_sql.kernels.knn import build

        self.distance = distance
        self.rows = reference.rows
        self._grown: build.Grown | None = None
        self._fitted: build.Fitted | None = None
        """The reference as it was given, where every pair may be searched."""
        self._growing = Lock()
        workers = Workers(options)

        def work() -> None:
            fitted = build.fit(records(reference, distance, workers.threads), distance, first_record, workers)
            self._encoder, self._metric = fitted.encoder, fitted.metric
            if dispatch.brute_force_possible(fitted):
                self._fitted = fitted
            else:
                self._grown = build.grow(fitted, distance, workers)

        workers.run(1, work, here=reference.rows <= SMALL)

    def _grow(self, workers: Workers) -> build.Grown:
        """Order the reference, and make its blocks and their bounds: once, when a search needs them."""
        from synthpriv_sql.kernels.knn import build

        with self._growing:
            if self._grown is None:
                assert self._fitted is not None
                self._grown = build.grow(self._fitted, self.distance, workers)
            return self._grown

    def search(
        self,
        queries: Columns,
        k: int,
        *,
        known: Neighbors | None = None,
        block_rows: int = BLOCK_ROWS,
        options: SearchOptions = SearchOptions(),
    ) -> Neighbors:
        """Find the k nearest records of every query.

        Parameters
        ----------
        queries : Columns
            With the columns and codes of the reference.
        k : int
            Neighbors per query.
        known : tuple of arrays, optional
            What the indexes of other shards gave for these queries, as returned here: their records compete, and what
            is farther is not looked at. They are not changed.
        block_rows
            As for `search`.
        options
            Progress counts queries.

        Returns
        -------
        neighbors : int64 (rows, k)
            Record numbers, nearest first; among equal distances the smallest number.
        distances : float64 (rows, k)
            Fewer columns where reference and shards before have fewer records.

        Raises
        ------
        ValueError
            When k < 1, or what is known has more columns or other rows.
        Cancelled
            When the options' `cancelled` returned true.
        """
        from synthpriv_sql.kernels.blocks import state

        before = 0 if known is None else known[0].shape[1]
        if k < 1 or before > k:
            raise ValueError(f"k must be at least 1 and at least the {before} neighbors known, found {k}")
        k = min(k, before + self.rows)
        found = Neighbors(np.full((queries.rows, k), state.NONE), np.full((queries.rows, k), np.inf))
        if known is not None:
            found.records[:, :before], found.distances[:, :before] = known
        slab = max(BLOCK_ROWS, _SLAB // max(1, _numbers(self.distance) >> 6))
        for start in range(0, queries.rows, slab):
            stop = min(start + slab, queries.rows)

            def report(done: int, total: int, start: int = start, stop: int = stop) -> None:
                options.report(start + (stop - start) * done // total, queries.rows)

            self._search(
                queries.slice(start, stop),
                Neighbors(found.records[start:stop], found.distances[start:stop]),
                max(1, block_rows),
                replace(options, progress=report),
            )
        return found

    def _search(self, part: Columns, found: Neighbors, batch: int, options: SearchOptions) -> None:
        from synthpriv_sql.kernels.blocks import distinct, state

        workers = Workers(options)
        threads = workers.threads
        prepared: list[tuple[state.Queries, Records, costs.Passes | None, NDArray[np.int64]]] = []

        def prepare() -> None:
            table = records(part, self.distance, threads)
            workers.raise_if_stopped()
            encoded = self._encoder.encode(table, threads)
            workers.raise_if_stopped()
            order, group = distinct.distinct(table, threads)
            queries = state.Queries(order, *encoded, table.numeric, table.codes)
            passes = None
            if self._fitted is not None:
                grow = partial(self._grow, workers)
                passes = dispatch.brute_force(self._fitted, queries, found, threads, grow)
            prepared.append((queries, table, passes, order[group]))

        workers.run(1, prepare, here=max(part.rows, self.rows) <= SMALL)
        queries, table, passes, same = prepared[0]
        if passes is not None:
            self._search_brute_force(passes, found, options.report, workers)
        else:
            self._search_blocks(queries, table, found, batch, workers)
        if len(queries.order) < part.rows:  # equal queries have equal neighbors
            for array in found:
                array[:] = array[same]

    def _search_brute_force(
        self, passes: costs.Passes, found: Neighbors, report: ProgressCallback, workers: Workers
    ) -> None:
        from synthpriv_sql.kernels.knn import brute

        total, done = sum(len(one[0][0].order) for one in passes), 0
        for one in passes:
            count = len(one[0][0].order)
            chunk = -(-min(BLOCK_ROWS, -(-count // (4 * workers.threads))) // brute.BATCH) * brute.BATCH

            def worker(one: costs.Pass = one) -> Callable[[int, int], None]:
                sets = [(queries, rows, brute.make_scratch(rows, found.records.shape[1])) for queries, rows in one]

                def work(begin: int, end: int) -> None:
                    for queries, rows, scratch in sets:
                        brute.search_pairs(begin, end, queries, rows, self._metric, scratch, found, workers.stop)

                return work

            def report_part(now: int, _: int, before: int = done) -> None:
                report(before + now, total)

            workers.run_chunks(count, chunk, worker, report=report_part)
            done += count

    def _search_blocks(
        self,
        queries: state.Queries,
        table: Records,
        found: Neighbors,
        batch: int,
        workers: Workers,
    ) -> None:
        from synthpriv_sql.kernels.blocks import lookups, quantized, tree, vectors
        from synthpriv_sql.kernels.knn import build, products, scan

        threads = workers.threads
        prepared: list[tuple[state.Queries, build.Grown, quantized.Quantized | None, vectors.VectorFilter | None]] = []

        def prepare() -> None:
            grown = self._grow(workers)
            leaf = np.empty(table.rows, np.int64)
            distribute(
                table.rows,
                threads,
                lambda start, stop: tree.route(queries.values, queries.codes, grown.tree, start, stop, leaf),
            )
            order = queries.order[np.argsort(leaf[queries.order], kind="stable")]
            steps = None if grown.quantizer is None else grown.quantizer.filter(queries.values)
            filtering = None
            if grown.coder is not None and table.vectors is not None:
                filtering = grown.coder.filter(table.vectors, threads)
            prepared.append((queries._replace(order=order), grown, steps, filtering))

        workers.run(1, prepare, here=max(table.rows, self.rows) <= SMALL)
        queries, grown, steps, filtering = prepared[0]
        blocks, half_norms = grown.blocks, grown.half_norms
        total = len(queries.order)
        batch = max(1, min(batch, -(-total // (4 * threads))))

        def worker() -> Callable[[int, int], None]:
            state_ = build.make_state(blocks, batch, found.records.shape[1])
            columns = queries.values.shape[1]
            filters = (
                None if half_norms is None else products.make_tiles(half_norms, batch, columns),
                None if grown.lookups is None else lookups.per_thread(grown.lookups, batch),
                None if steps is None else quantized.per_thread(steps),
                None if filtering is None else vectors.per_thread(filtering),
            )

            def work(begin: int, end: int) -> None:
                scan.search_batches(
                    begin, end, batch, queries, blocks, self._metric, state_, *filters, found, workers.stop
                )

            return work

        workers.run_chunks(total, batch, worker)


def rows_within(memory: int, distance: Distance) -> int:
    """Return how many reference rows an index may have so that building it takes no more than so many bytes.

    Parameters
    ----------
    memory : int
        Bytes.
    distance : Distance
        Has a weight for each column; columns of weight 0 take no room.

    Returns
    -------
    int
        At least 2**16: below that, blocks are too few to leave any out.
    """
    categories = sum(weight * distance.mismatch > 0 for weight in distance.categorical_weights)
    return max(memory // bytes_of_row(_numbers(distance), categories), 1 << 16)


def bytes_of_row(numbers: int, categories: int) -> int:
    """Return how many bytes of memory a row takes at most while an index is built."""
    # A number is there as float64 as given and in the order of the blocks, as float32 before, in and after sorting;
    # a category as int32 twice, as a byte twice. Both have bitmaps, for intervals or for each byte in use, of which
    # there are at most 256 a column and about 2048 in all. A number is a code of a byte as well, or where numbers are
    # many, a byte twice. The rest are orders and equal rows.
    steps = 3 * numbers if numbers >= MANY_NUMBERS else numbers
    return numbers * 28 + steps + categories * 10 + min(32 * (numbers + categories), 400) + 64


def _numbers(distance: Distance) -> int:
    """How many numbers a row has that can cost something, those of vectors among them."""
    return len(distance.numbers[0]) + sum(vector.length for vector in distance.whole)


def search(
    queries: Columns,
    reference: Columns,
    distance: Distance,
    k: int,
    *,
    exclude_self: bool = False,
    block_rows: int = BLOCK_ROWS,
    options: SearchOptions = SearchOptions(),
) -> Neighbors:
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
    block_rows : int
        Queries that are searched together; changes speed and memory, never results.
    options : SearchOptions
        Progress counts queries times shards.

    Returns
    -------
    neighbors : int64 (n, k)
        Nearest first; among equal distances the smallest record number first.
    distances : float64 (n, k)

    Raises
    ------
    ValueError
        When k < 1 or k exceeds the records there are to find, when tables and distance differ in columns, or
        exclude_self is asked for tables of unequal length.
    Cancelled
        When the options' `cancelled` returned true.
    """
    if exclude_self and queries.rows != reference.rows:
        raise ValueError(f"exclude_self needs the same table twice, found {queries.rows} and {reference.rows} rows")
    check_k(k, reference.rows - exclude_self)
    wanted = k + exclude_self
    starts = options.shards(reference.rows)
    best: Neighbors | None = None
    for number, start in enumerate(starts):
        shard = reference.slice(start, start + starts.step)
        index = Index(shard, distance, first_record=start, options=options)

        def report(done: int, total: int, number: int = number) -> None:
            options.report(number * total + done, len(starts) * total)

        reporting = replace(options, progress=report)
        best = index.search(queries, wanted, known=best, block_rows=block_rows, options=reporting)
    assert best is not None
    return without_self(*best) if exclude_self else best
