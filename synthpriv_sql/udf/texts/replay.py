"""``synthpriv_near``: which values of one person alone come back nearly, in a column of texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthpriv_sql.udf.encoded.texts import normalized
from synthpriv_sql.udf.neighbors import Monitor, combined, watched

_FIELDS = ("length", "train", "replayed", "holdout", "holdout_replayed", "records")
FOUND_SQL = f"STRUCT(what VARCHAR[], {', '.join(f'{name} BIGINT[]' for name in _FIELDS)})"
TYPE = pa.struct([("what", pa.list_(pa.string())), *((name, pa.list_(pa.int64())) for name in _FIELDS)])
ROWS = pa.schema([("column_name", pa.string()), ("what", pa.string()), *((name, pa.int64()) for name in _FIELDS)])
"""What a `Task` returns."""
if TYPE_CHECKING:  # numba is loaded by the first search, not on import
    from synthpriv_sql.kernels.jit import I32, I64
    from synthpriv_sql.kernels.near.limits import Texts
    from synthpriv_sql.kernels.near.search import Search

NOBODY = -2
"""The owner of a value that no real person has; -1 is that of a value that several have."""
LONG = 6
"""Words that texts have in the median, for runs of words to be looked at."""
ONE = 1
"""Nearness is also asked for with so many edits: chance brings texts near less often then."""


def near(values: Any, options: Any, *, monitor: Monitor) -> Any:
    """``synthpriv_near(values, options)``.

    Parameters
    ----------
    values
        Arrow lists of structs with the fields of sql/uniques/near_values.sql, one list per column: each distinct value
        once.
    options
        Arrow structs with the number of threads, the name of the column, whether nearness is asked for, and of runs of
        how many words; null for none.
    monitor
        The progress callback and the check for cancellation.

    Returns
    -------
    pyarrow.Array
        One struct per column, of lists. What is `text`: how many values one person alone has, of train and of the
        holdout (nobody else has one near it), how many of these have one in synthetic that differs by at most `length`
        edits, and how many records that is for those of train. What is `phrase`: the same of the persons who have a run
        of `length` words that nobody else has.
    """
    listed, asked = combined(values), combined(options)
    found = [watched(_one, [listed[i].values, asked[i].as_py()], monitor) for i in range(len(options))]
    return pa.array(found, TYPE)


@dataclass(frozen=True, slots=True)
class Task:
    """The same of one column, as a task on a cluster.

    Parameters
    ----------
    options
        The fields of sql/uniques/near_values.sql, except for the column and threads.
    threads
        Returns the number of threads to use; called on the executor.
    """

    options: Mapping[str, Any]
    threads: Callable[[], int]

    def __call__(self, rows: Any) -> Any:
        """Turn an Arrow table of column_name, value, owner and records into one of `ROWS`."""
        name = rows["column_name"][0].as_py()
        options = {**self.options, "column": name, "threads": self.threads()}
        found = _one(rows.to_struct_array().combine_chunks(), options, monitor=Monitor())
        return pa.table({"column_name": [name] * len(found["what"]), **found}, ROWS)


def _one(values: Any, options: dict[str, Any], *, monitor: Monitor) -> dict[str, Any]:
    # numba is loaded by the first search, not on import
    from synthpriv_sql.udf import compiling

    known = known_of(values)
    with compiling.reported(monitor.progress):
        found = _nearly(known, options, monitor) if options["near"] else []
        if options["phrase"]:
            found += _phrases(known, int(options["phrase"]))
    return {name: [row[place] for row in found] for place, name in enumerate(("what", *_FIELDS))}


class Known(NamedTuple):
    """Texts, whose each is (-1: several people's), which a real person has, how many synthetic records have each,
    owners numbered from 0 on, and the text of each value.
    """

    points: Texts
    own: I64
    real: NDArray[np.bool_]
    fresh: I64
    ids: I32
    whose: I64


def known_of(values: Any) -> Known:
    """Return the texts of a column, in the form in which they are compared, and what is known of each."""
    from synthpriv_sql.kernels.near import limits

    owners, records = (
        values.field(name).to_numpy(zero_copy_only=False).astype(np.int64) for name in ("owner", "records")
    )
    numbers: dict[str, int] = {}
    whose = np.array([numbers.setdefault(normalized(text), len(numbers)) for text in values.field("value").to_pylist()])
    size = len(numbers)
    # The least and the largest owner of each text; those of values of synthetic alone do not count.
    least, most, fresh = np.full(size, np.iinfo(np.int64).max), np.full(size, -2), np.zeros(size, np.int64)
    real = owners != NOBODY
    np.minimum.at(least, whose[real], owners[real])
    np.maximum.at(most, whose[real], owners[real])
    np.add.at(fresh, whose, records)
    own = np.where((least == most) & (least >= 0), least, -1)
    ids = np.full(size, -1, np.int32)
    ids[own >= 0] = np.unique(own[own >= 0], return_inverse=True)[1]
    return Known(limits.texts(list(numbers)), own, most > NOBODY, fresh, ids, whose)


def search_of(known: Known, options: dict[str, Any], monitor: Monitor) -> Search:
    """Return the search among the texts of a column."""
    from synthpriv_sql.kernels.near.search import Search

    label = f"texts of {options['column']}, {np.count_nonzero(known.real):,} values"
    return Search(known.points, monitor.search_options(options["threads"], label))


def near_at_all(search: Search, numbers: I32, reference: I32) -> tuple[I32, I32]:
    """Return the texts that have one near them in the reference, and those: few are left for fewer edits."""
    back, hit = search.returning(numbers, reference, np.ones(len(numbers), bool))
    return numbers[back == 1], reference[hit == 1]


def _nearly(known: Known, options: dict[str, Any], monitor: Monitor) -> list[tuple[Any, ...]]:
    from synthpriv_sql.kernels.near import limits

    there, reference = (np.flatnonzero(which).astype(np.int32) for which in (known.real, known.fresh))
    search = search_of(known, options, monitor)
    alone = there[search.alone(there, known.ids)]
    of_train = known.own[alone] % 2 == 0
    sizes, found = (int(of_train.sum()), int((~of_train).sum())), []
    alone, reference = near_at_all(search, alone, reference)
    of_train = known.own[alone] % 2 == 0
    for edits in (0, ONE, limits.MOST):
        back, hit = search.returning(alone, reference, of_train, edits)
        numbers = (sizes[0], back[of_train].sum(), sizes[1], back[~of_train].sum())
        found.append(("text", edits, *map(int, numbers), int(known.fresh[reference[hit == 1]].sum())))
    return found


def _phrases(known: Known, length: int) -> list[tuple[Any, ...]]:
    """Of columns of longer texts, runs of as many words, twice and three times as many."""
    from synthpriv_sql.kernels.near import phrases

    words = phrases.words(known.points)
    counts = np.bincount(words.texts, minlength=len(known.own))[known.real]
    if not len(counts) or np.median(counts) < LONG:
        return []
    owners, found = np.where(known.real, known.own, NOBODY), []
    for times in (1, 2, 3):
        runs = phrases.runs(words, times * length)
        people = phrases.returning(runs, owners, known.fresh > 0, 0)
        sides = [len(who[who % 2 == side]) for side in (0, 1) for who in (people.owners, people.back)]
        found.append(("phrase", times * length, *sides, int(known.fresh[people.texts].sum())))
    return found
