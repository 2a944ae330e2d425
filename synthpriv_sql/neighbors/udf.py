"""The functions that SQL calls: pages of records in, rows of neighbors out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Lock, Thread
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthpriv_sql.distances import METRICS
from synthpriv_sql.errors import Cancelled, EmptyTable, InfiniteValue, TooLarge
from synthpriv_sql.neighbors import pages
from synthpriv_sql.neighbors.layout import Columns, Distance

Progress = Callable[[int, int, str], None]
Found = tuple[NDArray[np.int64], NDArray[np.float64]]

_ONE_AT_A_TIME = Lock()
_TICK = 0.05  # seconds between two looks at whether a search is cancelled
_MOST = 2**31 - 1  # items of one list of DuckDB

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


def page(record: Any, *columns: Any) -> Any:
    """``synthpriv_page(record, column, …)``: see `synthpriv_sql.neighbors.pages.write`."""
    return pages.write(record, *columns)


def normal_tail(z: Any) -> Any:
    """``synthpriv_normal_tail(z)``: the chance that a standard normal variable is at least z."""
    tails = [None if x is None else 0.5 * math.erfc(x / math.sqrt(2)) for x in z.to_pylist()]
    return pa.array(tails, pa.float64())


def search(
    query_pages: Any, reference_pages: Any, centers: Any, spreads: Any, options: Any, watch: Watch = Watch()
) -> Any:
    """``synthpriv_search(query_pages, reference_pages, centers, spreads, options)``: the k nearest of each query.

    Parameters
    ----------
    query_pages, reference_pages
        Arrow lists of pages, one list a row; null where the table has no rows.
    centers, spreads
        Arrow lists of doubles, one per numeric column: a number is compared as (x - center) / spread, and as a
        category where spread is 0 or null.
    options
        Arrow structs with the fields that sql/parts/search.sql gives.
    watch
        Who follows the search and may end it.

    Returns
    -------
    pyarrow.Array
        Per row a struct: how many neighbors each record has, and the neighbors and distances of all records, those of
        the first record first.

    Raises
    ------
    EmptyTable, InfiniteValue, TooLarge, Cancelled
        See `synthpriv_sql.errors`.
    """
    arguments = [_whole(a) for a in (query_pages, reference_pages, centers, spreads, options)]
    return _structs([_watched(_search_one, [a[i] for a in arguments], watch) for i in range(len(options))])


def _watched(function: Callable[..., Found], arguments: list[Any], watch: Watch) -> Found:
    """Run a search in a thread of its own, and leave as soon as it is cancelled.

    Tables are read and blocks are built in long steps, which nothing stops; the thread ends after the one at hand.
    """
    left = Event()
    inner = Watch(watch.progress, lambda: left.is_set() or watch.cancelled())
    answer: Future[Found] = Future()

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
                raise Cancelled("the search was cancelled")
        return answer.result()
    finally:
        left.set()


@contextmanager
def _turn(cancelled: Callable[[], bool]) -> Iterator[None]:
    """Wait until no other search runs: each uses all the threads that it may."""
    while not _ONE_AT_A_TIME.acquire(timeout=_TICK):
        if cancelled():
            raise Cancelled("the search was cancelled before it began")
    try:
        yield
    finally:
        _ONE_AT_A_TIME.release()


def _whole(array: Any) -> Any:
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def _search_one(
    query_pages: Any, reference_pages: Any, centers: Any, spreads: Any, options: Any, *, watch: Watch
) -> Found:
    from synthpriv_sql.neighbors.index import search as nearest  # numba is loaded by the first search, not on import

    facts = options.as_py()
    kinds = ["text" if role == "categorical" else "number" for role in facts["roles"]]
    reference = pages.read(reference_pages.values or [], kinds)
    same = facts["exclude_self"]
    queries = reference if same else pages.read(query_pages.values or [], kinds)
    k = _neighbors_to_find(facts, reference.rows)
    if k == 0 or queries.rows == 0:
        return np.empty((0, k), np.int64), np.empty((0, k))
    tables = [reference] if same else [queries, reference]
    columns, distance = _arrange(tables, facts, centers.as_py(), spreads.as_py())
    del tables, queries, reference  # the columns are copies: one of the two is enough while the search lasts
    label = f"{facts['queries']} → {facts['reference']}"
    return nearest(
        columns[0],
        columns[-1],
        distance,
        k,
        exclude_self=same,
        threads=facts["threads"],
        progress=lambda done, total: watch.progress(done, total, label) if watch.progress else None,
        cancelled=watch.cancelled,
    )


def _neighbors_to_find(facts: Mapping[str, Any], reference: int) -> int:
    """The neighbors asked for, or as many as there are; sql/parts/enough.sql checks where less is an error."""
    if facts["exclude_self"]:
        return min(int(facts["k"]), max(reference - 1, 0))
    if reference == 0:
        raise EmptyTable(f"{facts['reference']} has no rows; without a record there is no closest one")
    return min(int(facts["k"]), reference)


def _arrange(
    tables: list[pages.Encoded], facts: Mapping[str, Any], centers: list[Any], spreads: list[Any]
) -> tuple[list[Columns], Distance]:
    """Scale numbers, number categories, and sort the columns into those two kinds."""
    metric = METRICS[facts["metric"]]
    labels = [facts["reference"]] if len(tables) == 1 else [facts["queries"], facts["reference"]]
    numeric: list[list[NDArray[np.float64]]] = []
    categorical: list[list[NDArray[np.int32]]] = []
    weights: dict[str, list[float]] = {"numeric": [], "categorical": []}
    scales = iter(zip(centers, spreads, strict=True))
    for i, role in enumerate(facts["roles"]):
        values = [table.columns[i] for table in tables]
        weight = float(facts["weights"][i])
        if role == "categorical":
            categorical.append(pages.codes(*values))
            weights["categorical"].append(weight)
            continue
        center, spread = next(scales)
        for label, column in zip(labels, values, strict=True):
            _check_finite(label, facts["columns"][i], column)
        if spread is not None and not np.isfinite(spread):
            raise InfiniteValue(
                f'column "{facts["columns"][i]}" of {facts["reference"]} spans more than a DOUBLE can hold, so its '
                "numbers have no scale. Exclude it, or divide it by a large number first."
            )
        if metric.by_equality or not spread:
            categorical.append(_numbers_as_codes(values))
            weights["categorical"].append(weight)
        else:
            numeric.append([(column - center) / spread for column in values])
            weights["numeric"].append(weight)
    columns = [
        Columns(tuple(c[t] for c in numeric), tuple(c[t] for c in categorical), table.rows)
        for t, table in enumerate(tables)
    ]
    return columns, metric.distance(float(facts["category_mismatch"]), weights["numeric"], weights["categorical"])


def _check_finite(label: str, name: str, column: NDArray[np.float64]) -> None:
    infinite = int(np.isinf(column).sum())
    if infinite:
        raise InfiniteValue(
            f'column "{name}" of {label} holds {infinite} infinite values; no distance is defined for them. '
            "Replace them by NULL or exclude the column."
        )


def _numbers_as_codes(values: list[NDArray[np.float64]]) -> list[NDArray[np.int32]]:
    """Number equal numbers alike in all tables; missing is -1."""
    every = np.concatenate(values)
    _, inverse = np.unique(every, return_inverse=True)
    numbered = np.where(np.isnan(every), -1, inverse).astype(np.int32)
    return np.split(numbered, np.cumsum([len(v) for v in values])[:-1])


def _structs(found: Sequence[Found]) -> Any:
    lists = []
    for arrays in zip(*found, strict=True):
        offsets = np.cumsum([0, *(array.size for array in arrays)])
        if offsets[-1] > _MOST:
            raise TooLarge(
                f"the search finds {offsets[-1]} neighbors, more than the {_MOST} that DuckDB takes in one list; "
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
