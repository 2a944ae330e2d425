"""The functions for neighbor searches that SQL calls: from pages of records to neighbors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from threading import Event, Lock, Thread
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

from synthpriv_sql.errors import Stopped, TooLarge
from synthpriv_sql.kernels.knn import lists, searching
from synthpriv_sql.kernels.knn.index import rows_within
from synthpriv_sql.kernels.layout import Columns, Neighbors
from synthpriv_sql.kernels.threads import Cancelled, SearchOptions
from synthpriv_sql.progress import Progress
from synthpriv_sql.udf.encoded import arrange, embeddings, identifiers, pages
from synthpriv_sql.udf.encoded.deviations import standard_deviations

Answer = TypeVar("Answer")

_ONE_AT_A_TIME = Lock()
_TICK = 0.05  # seconds between checks for cancellation
MOST = 2**31 - 1  # maximum length of a DuckDB list
INDEX_SHARE = 4  # an index may use 1/INDEX_SHARE of DuckDB's memory_limit, in addition to DuckDB's own memory

FOUND_SQL = "STRUCT(k BIGINT, neighbors BIGINT[], distances DOUBLE[])"


@dataclass(frozen=True, slots=True)
class Monitor:
    """The observer of a search: a progress callback and a check for cancellation.

    Parameters
    ----------
    progress
        Called with the number of finished queries, the number of all queries, and the tables searched.
    cancelled
        Called about twenty times a second; returns whether to stop the search.
    """

    progress: Progress | None = None
    cancelled: Callable[[], bool] = lambda: False

    def search_options(
        self, threads: int, label: str, *, shard_rows: int | None = None, before: int = 0
    ) -> SearchOptions:
        """Return the options of a kernel's search that this observer follows.

        Parameters
        ----------
        threads, shard_rows
            As for `SearchOptions`.
        label
            The tables searched.
        before
            What has been done before the search, counted as it counts.
        """
        progress = self.progress

        def report(done: int, total: int) -> None:
            if progress is not None:
                progress(before + done, before + total, label)

        return SearchOptions(threads, shard_rows, report, self.cancelled)


def page(*given: Any) -> Any:
    """``synthpriv_page(record, column, …)``: see `encoded.pages.write`; a page may be without columns."""
    return pages.write(*given)


def search(query_pages: Any, reference_pages: Any, spreads: Any, options: Any, monitor: Monitor = Monitor()) -> Any:
    """``synthpriv_search(query_pages, reference_pages, spreads, options)``: the k nearest neighbors of each query.

    Parameters
    ----------
    query_pages, reference_pages
        Arrow lists of pages, one list per row; null if the table has no rows. The queries are also null if they are the
        reference itself.
    spreads
        Arrow lists of doubles, one per numeric column: the scale by which differences are divided; with 0 or null, the
        numbers are compared as categories.
    options
        Arrow structs with the fields of sql/parts/nearest.sql.
    monitor
        The progress callback and the check for cancellation.

    Returns
    -------
    pyarrow.Array
        One struct per row: the number of neighbors per record, and the neighbors and distances of all records in order.

    Raises
    ------
    EmptyTable, InfiniteValue, TooLarge, Stopped
        See `synthpriv_sql.errors`.
    """
    arguments = [combined(a) for a in (query_pages, reference_pages, spreads, options)]
    return _structs([watched(_search_one, [a[i] for a in arguments], monitor) for i in range(len(options))])


def spreads(record_pages: Any, options: Any) -> Any:
    """``synthpriv_spreads(pages, options)``: the scale of each column of vectors, by which differences are divided.

    Parameters
    ----------
    record_pages
        Arrow lists of pages, one list per row; null if the table has no rows.
    options
        Arrow structs with the fields of sql/parts/scales.sql.

    Returns
    -------
    pyarrow.Array
        One list of doubles per row, one item per column of vectors.

    Raises
    ------
    ColumnMismatch, InfiniteValue
        See `synthpriv_sql.errors`.
    """
    lists, options = combined(record_pages), combined(options)
    found = []
    for given, about in zip(lists, options.to_pylist(), strict=True):
        table = pages.read(given.values or [], arrange.kinds(about["roles"]))
        arrange.check_values(about, table, about["relation"])
        columns = [column for column in table.columns if isinstance(column, pages.Vectors)]
        if about["vectors"] == "cosine":
            found.append([embeddings.ACROSS] * len(columns))
        else:
            found.append([embeddings.spread(column.values[~column.missing], about["scaling"]) for column in columns])
    return pa.array(found, pa.list_(pa.float64()))


def deviations(record_pages: Any, options: Any) -> Any:
    """``synthpriv_deviations(pages, options)``: the standard deviation of each column of numbers, as a list.

    Parameters as for `spreads`; only the option ``roles`` is used.
    """
    lists, options = combined(record_pages), combined(options)
    found = [
        standard_deviations(given.values or [], arrange.kinds(about["roles"]))
        for given, about in zip(lists, options.to_pylist(), strict=True)
    ]
    return pa.array(found, pa.list_(pa.float64()))


def watched(function: Callable[..., Answer], arguments: list[Any], monitor: Monitor) -> Answer:
    """Run a search in a separate thread, and return as soon as it is cancelled.

    Reading tables and building blocks are long steps that cannot be interrupted; the thread ends after the current one.
    It reports nothing once the search was left: a callback that cancels would stop the next statement.
    """
    left, reporting = Event(), Lock()

    def report(done: int, total: int, label: str) -> None:
        with reporting:
            if monitor.progress is not None and not left.is_set():
                monitor.progress(done, total, label)

    inner = Monitor(monitor.progress and report, lambda: left.is_set() or monitor.cancelled())
    answer: Future[Answer] = Future()

    def run() -> None:
        try:
            with _turn(inner.cancelled):
                answer.set_result(function(*arguments, monitor=inner))
        except BaseException as error:
            answer.set_exception(error)

    Thread(target=run, name="synthpriv-search", daemon=True).start()
    try:
        while not wait([answer], timeout=_TICK).done:
            if monitor.cancelled():
                raise Stopped("the search was cancelled")
        return answer.result()
    except Cancelled:  # the search noticed it first
        raise Stopped("the search was cancelled") from None
    finally:
        with reporting:
            left.set()


@contextmanager
def _turn(cancelled: Callable[[], bool]) -> Iterator[None]:
    """Wait until no other search runs, since each uses all available threads."""
    while not _ONE_AT_A_TIME.acquire(timeout=_TICK):
        if cancelled():
            raise Stopped("the search was cancelled before it began")
    try:
        yield
    finally:
        _ONE_AT_A_TIME.release()


def combined(array: Any) -> Any:
    """Return an argument as a single array."""
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def _search_one(query_pages: Any, reference_pages: Any, spreads: Any, options: Any, *, monitor: Monitor) -> Neighbors:
    options = options.as_py()
    kinds = arrange.kinds(options["roles"])
    reference = pages.read(reference_pages.values or [], kinds)
    same = options["exclude_self"]
    queries = reference if same else pages.read(query_pages.values or [], kinds)
    k = arrange.neighbors_to_find(options, reference.rows)
    if k == 0 or queries.rows == 0:
        return Neighbors(np.empty((0, k), np.int64), np.empty((0, k)))
    arrange.check_values(options, reference, options["reference"])
    arrange.note_large(options, reference, options["reference"])
    if not same:
        arrange.check_values(options, queries, options["queries"])
        arrange.note_large(options, queries, options["queries"])
        if not options["ties"]:  # among all ties, equal rows are searched once
            identifiers.note(options, reference, queries)
        if options["apart"]:
            options = arrange.judged_apart(options, queries, reference)
    arrangement = arrange.Arrangement(options, spreads.as_py())
    # Arranging copies the tables: free the originals during the search.
    found = arrangement.reference(reference)
    asked = found if same else arrangement.queries(queries)
    del queries, reference
    label = f"{options['queries']} → {options['reference']}, {asked.rows:,} × {found.rows:,} rows"

    shard_rows = rows_within(options["memory"] // INDEX_SHARE, arrangement.distance)

    def nearest(some: Columns, k: int) -> Neighbors:
        nearest_of = searching.search(
            some,
            found,
            arrangement.distance,
            k,
            exclude_self=same,
            options=monitor.search_options(options["threads"], label, shard_rows=shard_rows),
            compiling=lambda: compiling(monitor),
        )
        arrange.check_distances(options, nearest_of.distances)
        return nearest_of

    return lists.all_ties(asked, found.rows, nearest, options["most_ties"]) if options["ties"] else nearest(asked, k)


def compiling(monitor: Monitor) -> AbstractContextManager[None]:
    """Report to the observer of a search while the kernel is compiled; this loads numba."""
    from synthpriv_sql.udf.compiling import reported

    return reported(monitor.progress)


def _structs(found: Sequence[Neighbors]) -> Any:
    lists = []
    for arrays in zip(*found, strict=True):
        offsets = np.cumsum([0, *(array.size for array in arrays)])
        if offsets[-1] > MOST:
            raise TooLarge(
                f"the search finds {offsets[-1]} neighbors, more than the {MOST} that DuckDB takes in one list; "
                "ask for fewer (k), or for a part of the queries at a time"
            )
        values = [pa.array(array.reshape(-1)) for array in arrays]
        lists.append(
            pa.ListArray.from_arrays(
                pa.array(offsets, pa.int32()), values[0] if len(values) == 1 else pa.concat_arrays(values)
            )
        )
    wide = pa.array([neighbors.shape[1] for neighbors, _ in found], pa.int64())
    return pa.StructArray.from_arrays([wide, *lists], names=["k", "neighbors", "distances"])
