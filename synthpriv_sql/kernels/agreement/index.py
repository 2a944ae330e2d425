"""Find the synthetic record with the highest agreement for each real record, multithreaded, shard by shard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from synthpriv_sql.kernels.agreement.build import LISTED, build, group_equal, make_state, make_wide_state
from synthpriv_sql.kernels.agreement.nearby import Nearby, nearly_agreeing_bits, offer
from synthpriv_sql.kernels.agreement.scan import agreeing_bits, own_bits, search_batches
from synthpriv_sql.kernels.agreement.shares import Shares
from synthpriv_sql.kernels.agreement.state import BestMatches
from synthpriv_sql.kernels.agreement.wide import QUERIES, Rows, search_rows
from synthpriv_sql.kernels.blocks.tree import BLOCK, route
from synthpriv_sql.kernels.jit import F64, I32, I64
from synthpriv_sql.kernels.threads import SMALL, SearchOptions, Workers, distribute

BATCH = 1024  # queries that scan the blocks together


def nobody(rows: int, second: bool = False) -> BestMatches:
    """Return the state of queries before any search."""
    return BestMatches(np.zeros(rows), np.full(rows, np.iinfo(np.int64).max), np.zeros(rows if second else 0))


class Index:
    """A synthetic table, or a shard of one, ready to be searched.

    Parameters
    ----------
    synthetic : int32 (rows, columns)
        Codes from `Population.codes`; at least one row.
    shares : Shares
        The bits of each code.
    first_record : int
        The number of the first record, if this is a shard of a larger table.
    options : SearchOptions
        Building reports no progress.
    """

    def __init__(
        self,
        synthetic: I32,
        shares: Shares,
        *,
        first_record: int = 0,
        options: SearchOptions = SearchOptions(),
    ) -> None:
        self.shares = shares
        self._first_record = first_record
        workers = Workers(options)

        def work() -> None:
            self._bytes, self._tree, self._blocks = build(synthetic, shares, first_record, workers)

        workers.run(1, work, here=len(synthetic) <= SMALL)

    def search(
        self,
        queries: I32,
        *,
        known: BestMatches | None = None,
        second: bool = False,
        batch: int = BATCH,
        options: SearchOptions = SearchOptions(),
    ) -> BestMatches:
        """Find the record with the most bits for each query; ties go to the record with the smallest number.

        Parameters
        ----------
        queries : int32 (rows, columns)
            Codes of real records.
        known : BestMatches, optional
            The results of other shards for these queries, with which the records of this one compete; not modified.
        second
            Whether to find the second best as well.
        batch
            Affects the speed, not the results.
        options : SearchOptions
            Progress counts distinct queries.

        Returns
        -------
        BestMatches
            bits: float64 (rows,), added in the order of the columns. records: int64 (rows,). second: float64 (rows,) if
            requested, 0 if there is only one record.
        """
        workers = Workers(options)
        threads = workers.threads
        found = nobody(len(queries), second)
        if known is not None:
            for array, before in zip(found, known, strict=True):
                array[:] = before
        # Every record has at least 0 bits, so among 0 bits the first record is the best.
        beaten = (found.bits == 0) & (found.records > self._first_record)
        found.records[beaten] = self._first_record
        prepared: list[tuple[I64, I64, I64, I64]] = []

        def prepare() -> None:
            first, group = group_equal(queries, threads)
            workers.raise_if_stopped()
            rows = self._bytes.apart(self._bytes.encode(queries[first], self.shares, threads))
            leaf = np.empty(len(first), np.int64)
            distribute(len(first), threads, lambda start, stop: route(*rows, self._tree, start, stop, leaf))
            prepared.append((first[np.argsort(leaf, kind="stable")], first, group, leaf))

        workers.run(1, prepare, here=len(queries) <= SMALL)
        order, first, group, leaf = prepared[0]
        blocks = self._blocks
        batch = max(1, min(batch, -(-len(order) // (4 * threads)), QUERIES if isinstance(blocks, Rows) else batch))

        # For rows of many bytes, the block that each query scans first.
        nearest = np.zeros(len(queries) if isinstance(blocks, Rows) else 0, np.int64)
        if isinstance(blocks, Rows):
            nearest[first] = leaf * (-(-len(blocks.order) // BLOCK)) // (len(self._tree.column) + 1)

        def wide_worker(rows: Rows) -> Callable[[int, int], None]:
            state = make_wide_state(rows, batch)

            def work(begin: int, end: int) -> None:
                search_rows(
                    first=begin, last=end, batch=batch, codes=queries, order=order, nearest=nearest, rows=rows,
                    shares=self.shares, state=state, found=found, stop=workers.stop,
                )  # fmt: skip

            return work

        def worker() -> Callable[[int, int], None]:
            if isinstance(blocks, Rows):
                return wide_worker(blocks)
            state = make_state(blocks, batch)

            def work(begin: int, end: int) -> None:
                search_batches(
                    begin, end, batch, queries, order, blocks, self.shares, state, found, workers.stop
                )  # fmt: skip

            return work

        workers.run_chunks(len(order), batch, worker)
        if len(order) < len(queries):  # equal queries have equal results
            for array in found:
                array[:] = array[first[group]] if len(array) else array
        return found


def search(
    queries: I32,
    synthetic: I32,
    shares: Shares,
    *,
    batch: int = BATCH,
    second: bool = False,
    options: SearchOptions = SearchOptions(),
) -> BestMatches:
    """Find the synthetic record with the most bits for each query, over all shards of the synthetic table.

    Parameters
    ----------
    queries, synthetic : int32 (rows, columns)
        Codes; at least one synthetic record.
    shares : Shares
        The bits of each code.
    batch, second
        As for `Index.search`.
    options
        Progress counts distinct queries times shards.

    Returns
    -------
    BestMatches
    """
    starts = options.shards(len(synthetic))
    best: BestMatches | None = None
    for number, start in enumerate(starts):
        shard = synthetic[start : start + starts.step]
        index = Index(shard, shares, first_record=start, options=options)

        def report(done: int, total: int, number: int = number) -> None:
            options.report(number * total + done, len(starts) * total)

        reporting = replace(options, progress=report)
        best = index.search(queries, known=best, second=second, batch=batch, options=reporting)
    assert best is not None
    return best


def rows_within(memory: int, columns: int) -> int:
    """Return how many synthetic rows an index may have so that building it needs at most `memory` bytes.

    At least 2**16: with fewer rows, there are too few blocks to exclude any.
    """
    # Per column: int32 codes, and a copy of them while equal rows are grouped; up to two bytes before, during and after
    # sorting; the codes of columns with intervals once more. A row may be on a list for each column, each time with its
    # bytes. The constant is for orders, groups and tables.
    return max(memory // (columns * (24 + 8 + min(2 * columns, LISTED)) + 100), 1 << 16)


def own(queries: I32, shares: Shares, threads: int = 1) -> F64:
    """Return the bits of an exact copy of each query, float64 (rows,)."""
    out = np.empty(len(queries))
    distribute(len(queries), threads, lambda start, stop: own_bits(queries, shares, start, stop, out))
    return out


def offer_near(
    queries: I32,
    synthetic: I32,
    shares: Shares,
    nearby: Nearby,
    found: BestMatches,
    threads: int = 1,
    first_record: int = 0,
) -> None:
    """Let records with texts nearly equal to those of queries compete with what `search` found, which is changed."""
    distribute(
        len(queries),
        threads,
        lambda start, stop: offer(queries, synthetic, first_record, shares, nearby, start, stop, found),
    )


def agreeing(
    queries: I32, synthetic: I32, records: I64, shares: Shares, threads: int = 1, nearby: Nearby | None = None
) -> F64:
    """Return the bits of each column for each query and its record, float64 (rows, columns), 0 without agreement."""
    out = np.empty(queries.shape)

    def write(start: int, stop: int) -> None:
        if nearby is None:
            agreeing_bits(queries, synthetic, records, shares, start, stop, out)
        else:
            nearly_agreeing_bits(queries, synthetic, records, shares, nearby, start, stop, out)

    distribute(len(queries), threads, write)
    return out
