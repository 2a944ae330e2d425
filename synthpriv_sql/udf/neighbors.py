"""The functions that SQL calls: pages of records in, rows of neighbors out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from threading import Event, Lock, Thread
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthpriv_sql.errors import Stopped, TooLarge
from synthpriv_sql.kernels.knn import first, ties
from synthpriv_sql.kernels.knn.index import rows_within
from synthpriv_sql.kernels.layout import Columns
from synthpriv_sql.kernels.threads import Cancelled
from synthpriv_sql.udf.encoded import arrange, embeddings, identifiers, pages
from synthpriv_sql.udf.encoded.deviations import standard_deviations

Progress = Callable[[int, int, str], None]
Found = tuple[NDArray[np.int64], NDArray[np.float64]]
Answer = TypeVar("Answer")

_ONE_AT_A_TIME = Lock()
_TICK = 0.05  # seconds between two looks at whether a search is cancelled
MOST = 2**31 - 1  # items of one list of DuckDB
INDEX_SHARE = 4  # the part of DuckDB's memory_limit that an index may take, beside what DuckDB itself uses

FOUND_SQL = "STRUCT(k BIGINT, neighbors BIGINT[], distances DOUBLE[])"


@dataclass(frozen=True, slots=True)
class Watch:
    """Who follows a search.

    Parameters
    ----------
    progress
        Called with queries done, queries in all, and what is searched.
    cancelled
        Asked about twenty times a second whether the search is to end.
    """

    progress: Progress | None = None
    cancelled: Callable[[], bool] = lambda: False


def page(*given: Any) -> Any:
    """``synthpriv_page(record, column, …)``: see `encoded.pages.write`; a page may have no columns."""
    return pages.write(*given)


def search(query_pages: Any, reference_pages: Any, spreads: Any, options: Any, watch: Watch = Watch()) -> Any:
    """``synthpriv_search(query_pages, reference_pages, spreads, options)``: the k nearest of each query.

    Parameters
    ----------
    query_pages, reference_pages
        Arrow lists of pages, one list a row; null where the table has no rows, as are the queries where they are the
        reference itself.
    spreads
        Arrow lists of doubles, one per numeric column: what differences are divided by; where it is 0 or null numbers
        are compared as categories.
    options
        Arrow structs with the fields that sql/parts/nearest.sql gives.
    watch
        Who follows the search and may end it.

    Returns
    -------
    pyarrow.Array
        Per row a struct: how many neighbors each record has, and the neighbors and distances of all records, those of
        the first record first.

    Raises
    ------
    EmptyTable, InfiniteValue, TooLarge, Stopped
        See `synthpriv_sql.errors`.
    """
    arguments = [whole(a) for a in (query_pages, reference_pages, spreads, options)]
    return _structs([watched(_search_one, [a[i] for a in arguments], watch) for i in range(len(options))])


def spreads(record_pages: Any, options: Any) -> Any:
    """``synthpriv_spreads(pages, options)``: what differences of components are divided by, per column of vectors.

    Parameters
    ----------
    record_pages
        Arrow lists of pages, one list a row; null where the table has no rows.
    options
        Arrow structs with the fields that sql/parts/scales.sql gives.

    Returns
    -------
    pyarrow.Array
        Per row a list of doubles, one per column of vectors.

    Raises
    ------
    ColumnMismatch, InfiniteValue
        See `synthpriv_sql.errors`.
    """
    lists, facts = whole(record_pages), whole(options)
    found = []
    for given, about in zip(lists, facts.to_pylist(), strict=True):
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

    Parameters as for `spreads`; of the options, ``roles``.
    """
    lists, facts = whole(record_pages), whole(options)
    found = [
        standard_deviations(given.values or [], arrange.kinds(about["roles"]))
        for given, about in zip(lists, facts.to_pylist(), strict=True)
    ]
    return pa.array(found, pa.list_(pa.float64()))


def watched(function: Callable[..., Answer], arguments: list[Any], watch: Watch) -> Answer:
    """Run a search in a thread of its own, and leave as soon as it is cancelled.

    Tables are read and blocks are built in long steps, which nothing stops; the thread ends after the one at hand.
    """
    left = Event()
    inner = Watch(watch.progress, lambda: left.is_set() or watch.cancelled())
    answer: Future[Answer] = Future()

    def run() -> None:
        try:
            with _turn(inner.cancelled):
                answer.set_result(function(*arguments, watch=inner))
        except BaseException as error:
            answer.set_exception(error)

    Thread(target=run, name="synthpriv-search", daemon=True).start()
    try:
        while not wait([answer], timeout=_TICK).done:
            if watch.cancelled():
                raise Stopped("the search was cancelled")
        return answer.result()
    except Cancelled:  # the search itself saw it first
        raise Stopped("the search was cancelled") from None
    finally:
        left.set()


@contextmanager
def _turn(cancelled: Callable[[], bool]) -> Iterator[None]:
    """Wait until no other search runs: each uses all the threads that it may."""
    while not _ONE_AT_A_TIME.acquire(timeout=_TICK):
        if cancelled():
            raise Stopped("the search was cancelled before it began")
    try:
        yield
    finally:
        _ONE_AT_A_TIME.release()


def whole(array: Any) -> Any:
    """An argument of a function as one array."""
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def _search_one(query_pages: Any, reference_pages: Any, spreads: Any, options: Any, *, watch: Watch) -> Found:
    facts = options.as_py()
    kinds = arrange.kinds(facts["roles"])
    reference = pages.read(reference_pages.values or [], kinds)
    same = facts["exclude_self"]
    queries = reference if same else pages.read(query_pages.values or [], kinds)
    k = arrange.neighbors_to_find(facts, reference.rows)
    if k == 0 or queries.rows == 0:
        return np.empty((0, k), np.int64), np.empty((0, k))
    arrange.check_values(facts, reference, facts["reference"])
    if not same:
        arrange.check_values(facts, queries, facts["queries"])
        if not facts["ties"]:  # among all that are tied, equal rows are one
            identifiers.note(facts, reference, queries)
    arrangement = arrange.Arrangement(facts, spreads.as_py())
    # What is arranged is a copy: one of the two is enough while the search lasts.
    found = arrangement.reference(reference)
    asked = found if same else arrangement.queries(queries)
    del queries, reference
    label = f"{facts['queries']} → {facts['reference']}"

    def nearest(some: Columns, k: int) -> Found:
        neighbors, distances = first.search(
            some,
            found,
            arrangement.distance,
            k,
            exclude_self=same,
            threads=facts["threads"],
            shard_rows=rows_within(facts["memory"] // INDEX_SHARE, arrangement.distance),
            progress=lambda done, total: watch.progress(done, total, label) if watch.progress else None,
            compiling=lambda: compiling(watch),
            cancelled=watch.cancelled,
        )
        arrange.check_distances(facts, distances)
        return neighbors, distances

    return ties.search(asked, found.rows, nearest, facts["most_ties"]) if facts["ties"] else nearest(asked, k)


def compiling(watch: Watch) -> AbstractContextManager[None]:
    """Have who follows a search told while the kernel is compiled for it; this loads numba."""
    from synthpriv_sql.udf.compiling import told

    return told(watch.progress)


def _structs(found: Sequence[Found]) -> Any:
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
