"""``synthpriv_near_copies``: how many records each synthetic one equals, where texts need only be nearly equal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthpriv_sql.udf.encoded.texts import normalized
from synthpriv_sql.udf.neighbors import Monitor, combined, watched

FOUND_SQL = "STRUCT(record BIGINT[], copies BIGINT[])"
_TYPE = pa.struct([(name, pa.list_(pa.int64())) for name in ("record", "copies")])
ROWS = pa.schema([("record", pa.int64()), ("copies", pa.int64())])
"""What a `Task` returns."""
_JOINED = 1 << 22  # pairs of records that are looked at together

I64 = NDArray[np.int64]


class _Column(NamedTuple):
    """A column of texts: codes of synthetic and of train, and the codes near each code, itself first.

    near: the codes, those of code c from starts[c] to starts[c + 1], in order.
    """

    synthetic: I64
    train: I64
    starts: I64
    near: I64

    @property
    def pairs(self) -> int:
        """How many pairs of records have near texts here."""
        size = len(self.starts) - 1
        times = np.bincount(self.train, minlength=size)
        sums = np.concatenate([[0], np.cumsum(times[self.near])])
        return int((sums[self.starts[1:]] - sums[self.starts[:-1]])[self.synthetic].sum())

    def are_near(self, ones: I64, others: I64) -> NDArray[np.bool_]:
        """Say which pairs of codes are near."""
        size = len(self.starts) - 1
        known = np.repeat(np.arange(size), np.diff(self.starts)) * size + self.near
        places = np.searchsorted(known, ones * size + others)
        found: NDArray[np.bool_] = known[np.minimum(places, len(known) - 1)] == ones * size + others
        return found


def near_copies(records: Any, options: Any, *, monitor: Monitor) -> Any:
    """``synthpriv_near_copies(records, options)``.

    Parameters
    ----------
    records
        Arrow lists of structs with the fields of sql/screening/near_copies.sql, one list per row: person is -1 for
        synthetic records.
    options
        Arrow structs with the number of threads.
    monitor
        The progress callback and the check for cancellation.

    Returns
    -------
    pyarrow.Array
        One struct per row: the synthetic records, and how many records, or persons, of train equal each.
    """
    listed, asked = combined(records), combined(options)
    found = [watched(_one, [listed[i].values, asked[i].as_py()], monitor) for i in range(len(options))]
    return pa.array(found, _TYPE)


@dataclass(frozen=True, slots=True)
class Task:
    """The same as one task on a cluster.

    Parameters
    ----------
    options
        The fields of sql/screening/near_copies.sql, except for threads.
    threads
        Returns the number of threads to use; called on the executor.
    """

    options: Mapping[str, Any]
    threads: Callable[[], int]

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Turn batches of records into one of `ROWS`."""
        rows = list(batches)
        if not rows:
            return  # a partition without records
        given = pa.Table.from_batches(rows).to_struct_array().combine_chunks()
        found = _one(given, {**self.options, "threads": self.threads()}, monitor=Monitor())
        yield pa.record_batch(found, schema=ROWS)


def _one(records: Any, options: dict[str, Any], *, monitor: Monitor) -> dict[str, Any]:
    # numba is loaded by the first search, not on import
    from synthpriv_sql.udf import compiling

    if records is None:
        return {"record": [], "copies": []}
    numbers, persons, others = (
        records.field(name).to_numpy(zero_copy_only=False) for name in ("record", "person", "others")
    )
    fresh = persons < 0
    with compiling.reported(monitor.progress):
        columns = [_column(texts, fresh, options, monitor) for texts in _texts(records.field("texts"))]
    copies = np.zeros(int(fresh.sum()), np.int64)
    columns.sort(key=lambda column: column.pairs)
    for ones, theirs in _candidates(others[fresh], others[~fresh], columns[0] if columns else None):
        kept = np.ones(len(ones), bool)
        for column in columns[1:]:
            kept &= column.are_near(column.synthetic[ones], column.train[theirs])
        pairs = np.column_stack([ones[kept], persons[~fresh][theirs[kept]]])
        np.add.at(copies, np.unique(pairs, axis=0)[:, 0], 1)
    return {"record": numbers[fresh].tolist(), "copies": copies.tolist()}


def _texts(texts: Any) -> Iterator[Any]:
    """The columns that have a text."""
    width = len(texts[0]) if len(texts) else 0
    values = texts.flatten()
    for place in range(width):
        column = values.take(pa.array(np.arange(place, len(values), width)))
        if column.null_count < len(column):
            yield column


def _column(texts: Any, fresh: NDArray[np.bool_], options: dict[str, Any], monitor: Monitor) -> _Column:
    from synthpriv_sql.kernels.near import limits
    from synthpriv_sql.kernels.near.search import Search

    known = texts.dictionary_encode()
    codes: dict[str, int] = {}
    of_values = [codes.setdefault(normalized(text), len(codes)) for text in known.dictionary.to_pylist()]
    missing = len(codes)  # missing is a value that is near nothing else
    places = known.indices.fill_null(len(of_values)).to_numpy()
    numbers = np.array([*of_values, missing], np.int64)[places]
    search = Search(limits.texts(list(codes)), monitor.search_options(options["threads"], "texts"))
    ours, theirs = (np.unique(numbers[side & (numbers != missing)]).astype(np.int32) for side in (fresh, ~fresh))
    one, other = search.pairs(ours, theirs)
    same = np.arange(len(codes) + 1)
    ones, others = np.concatenate([same, one]), np.concatenate([same, other])
    order = np.lexsort((others, ones))
    starts = np.concatenate([[0], np.cumsum(np.bincount(ones, minlength=len(same)))])
    return _Column(numbers[fresh], numbers[~fresh], starts, others[order])


def _candidates(ours: I64, theirs: I64, first: _Column | None) -> Iterator[tuple[I64, I64]]:
    """Pairs of records that are equal but for texts, and near in the first column of these."""
    if first is None:
        keys, theirs_keys, ones = ours, theirs, np.arange(len(ours))
    else:
        size = len(first.starts) - 1
        times = np.diff(first.starts)[first.synthetic]
        ones = np.repeat(np.arange(len(ours)), times)
        steps = np.arange(len(ones)) - np.repeat(np.cumsum(times) - times, times)
        keys = ours[ones] * size + first.near[first.starts[first.synthetic[ones]] + steps]
        theirs_keys = theirs * size + first.train
    order = np.argsort(theirs_keys, kind="stable")
    low, high = (np.searchsorted(theirs_keys[order], keys, side=side) for side in ("left", "right"))
    sums = np.cumsum(high - low)
    begin = 0
    while begin < len(keys):
        done = sums[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(sums, done + _JOINED, side="right")))
        end = int(np.searchsorted(ones, ones[end - 1], side="right"))  # all that is for a record, together
        times = (high - low)[begin:end]
        steps = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
        yield np.repeat(ones[begin:end], times), order[np.repeat(low[begin:end], times) + steps]
        begin = end
