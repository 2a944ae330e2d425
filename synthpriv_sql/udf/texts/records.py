"""``synthpriv_near_records``: which texts of synthetic are nearly those of one person of train, in a column."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthpriv_sql.udf.encoded.texts import are_texts
from synthpriv_sql.udf.neighbors import Monitor, combined, watched
from synthpriv_sql.udf.texts.replay import LONG, NOBODY, ONE, Known, known_of, near_at_all, search_of

FOUND_SQL = "STRUCT(value VARCHAR[], is_near BOOLEAN[], words BIGINT[])"
TYPE = pa.struct([("value", pa.list_(pa.string())), ("is_near", pa.list_(pa.bool_())), ("words", pa.list_(pa.int64()))])
ROWS = pa.schema([("column_name", pa.string()), ("value", pa.string()), ("is_near", pa.bool_()), ("words", pa.int64())])
"""What a `Task` returns."""
FEWEST = 20
"""Fewer values of people may all differ by chance, and make no column of texts."""
MOST_WORDS = 64
"""Up to so many words in a row are told apart."""


def near_records(values: Any, options: Any, *, monitor: Monitor) -> Any:
    """``synthpriv_near_records(values, options)``.

    Parameters
    ----------
    values
        Arrow lists of structs with the fields of sql/screening/texts_of_columns.sql, one list per column: each distinct
        value once.
    options
        Arrow structs with the number of threads, the name of the column, and from how many words in a row on they
        count.
    monitor
        The progress callback and the check for cancellation.

    Returns
    -------
    pyarrow.Array
        One struct per column, of lists: values of synthetic, whether each is nearly one that one person of train alone
        has, and how many words in a row it has that one person of train alone has; null if too few. Only values of
        which one of both is so.
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
        The fields of sql/screening/texts_of_columns.sql, except for the column and threads.
    threads
        Returns the number of threads to use; called on the executor.
    """

    options: Mapping[str, Any]
    threads: Callable[[], int]

    def __call__(self, rows: Any) -> Any:
        """Turn an Arrow table of column_name, value, owner, records and people into one of `ROWS`."""
        name = rows["column_name"][0].as_py()
        options = {**self.options, "column": name, "threads": self.threads()}
        found = _one(rows.to_struct_array().combine_chunks(), options, monitor=Monitor())
        return pa.table({"column_name": [name] * len(found["value"]), **found}, ROWS)


def _one(values: Any, options: dict[str, Any], *, monitor: Monitor) -> dict[str, Any]:
    # numba is loaded by the first search, not on import
    from synthpriv_sql.udf import compiling

    real, people = pc.not_equal(values.field("owner"), NOBODY), pc.sum(values.field("people")).as_py()
    several = people >= FEWEST and 2 * pc.sum(real).as_py() > people
    if not several or not are_texts(values.field("value").filter(real)):
        return {"value": [], "is_near": [], "words": []}
    known = known_of(values)
    with compiling.reported(monitor.progress):
        near, words = _near(known, options, monitor), _words(known, int(options["least"]))
    told = np.flatnonzero(((near | (words > 0)) & (known.fresh > 0))[known.whose])
    whose = known.whose[told]
    return {
        "value": values.field("value").take(pa.array(told)).to_pylist(),
        "is_near": near[whose].tolist(),
        "words": [count or None for count in words[whose].tolist()],
    }


def _near(known: Known, options: dict[str, Any], monitor: Monitor) -> NDArray[np.bool_]:
    """Say which texts are near one of one person of train alone, up to as many edits as strangers' are not as often."""
    from synthpriv_sql.kernels.near import limits

    there, reference = (np.flatnonzero(which).astype(np.int32) for which in (known.real, known.fresh))
    search = search_of(known, options, monitor)
    alone = there[search.alone(there, known.ids)]
    of_train = known.own[alone] % 2 == 0
    mine, others = int(of_train.sum()), int((~of_train).sum())
    alone, reference = near_at_all(search, alone, reference)
    of_train = known.own[alone] % 2 == 0
    found = np.zeros(len(known.own), bool)
    for edits in (limits.MOST, ONE, 0):
        back, hit = search.returning(alone, reference, of_train, edits)
        # By chance as large a share as of the holdout; at least half of those of train are more.
        replayed, held = int(back[of_train].sum()), int(back[~of_train].sum())
        if 2 * held * mine <= replayed * others:
            found[reference[hit == 1]] = True
            break
    return found


def _words(known: Known, least: int) -> NDArray[np.int64]:
    """Return how many words in a row each text has of one person of train alone, in columns of longer texts."""
    from synthpriv_sql.kernels.near import phrases

    words = phrases.words(known.points)
    counts = np.bincount(words.texts, minlength=len(known.own))[known.real]
    if statistics.median(counts.tolist()) < LONG:
        return np.zeros(len(known.own), np.int64)
    owners = np.where(known.real, known.own, NOBODY)
    return phrases.longest(words, owners, known.fresh > 0, 0, least, MOST_WORDS)
