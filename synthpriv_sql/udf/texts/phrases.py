"""``synthpriv_phrases``: who shares words in a row with synthetic records that nobody else has, in columns of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthpriv_sql.udf.encoded import pages
from synthpriv_sql.udf.encoded.texts import normalized
from synthpriv_sql.udf.neighbors import Monitor, combined, watched
from synthpriv_sql.udf.texts.replay import LONG, NOBODY

if TYPE_CHECKING:  # numba is loaded by the first search, not on import
    from synthpriv_sql.kernels.near.phrases import Pairs

_NUMBERS = ("record", "synthetic", "also", "words")
FOUND_SQL = f"STRUCT(side VARCHAR[], {', '.join(f'{name} BIGINT[]' for name in _NUMBERS)})"
TYPE = pa.struct([("side", pa.list_(pa.string())), *((name, pa.list_(pa.int64())) for name in _NUMBERS)])
ROWS = pa.schema([("column_name", pa.string()), ("side", pa.string()), *((name, pa.int64()) for name in _NUMBERS)])
"""What a `Task` returns."""
MOST_WORDS = 64
"""Up to so many words in a row are told apart."""
_FAR = int(np.iinfo(np.int64).max)
_SIDES = {"train": "of_train", "holdout": "of_holdout"}

I64 = NDArray[np.int64]


def phrases(values: Any, options: Any, *, monitor: Monitor) -> Any:
    """``synthpriv_phrases(values, options)``.

    Parameters
    ----------
    values
        Arrow lists of structs with the fields of sql/uniques/phrases_of_columns.sql, one list per column: each distinct
        value once.
    options
        Arrow structs with the name of the column, and from how many words in a row on they count.
    monitor
        The progress callback and the check for cancellation.

    Returns
    -------
    pyarrow.Array
        One struct per column, of lists. For each person who has words in a row that nobody else has and synthetic has,
        and for each side where it has a text with the longest such run: the first record with it, the first synthetic
        record with so many words, the number of those, and the number of these words.
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
        The fields of sql/uniques/phrases_of_columns.sql, except for the column.
    """

    options: Mapping[str, Any]

    def __call__(self, rows: Any) -> Any:
        """Turn an Arrow table with the columns of sql/uniques/held_texts.sql into one of `ROWS`."""
        name = rows["column_name"][0].as_py()
        found = _one(rows.to_struct_array().combine_chunks(), {**self.options, "column": name}, monitor=Monitor())
        return pa.table({"column_name": [name] * len(found["side"]), **found}, ROWS)


def _one(values: Any, options: dict[str, Any], *, monitor: Monitor) -> dict[str, Any]:
    # numba is loaded by the first search, not on import
    from synthpriv_sql.udf import compiling

    with compiling.reported(monitor.progress):
        return of_column(held(values), int(options["phrase"]))


class Held(NamedTuple):
    """The texts of a column in the form in which they are compared, and who has each.

    owners: the person who alone has it, -1: several have it, -2: nobody has. firsts: its first record in train and in
    the holdout, and the first synthetic one; the largest int64 where there is none. times: synthetic records with it.
    """

    texts: Sequence[str]
    owners: I64
    firsts: Mapping[str, I64]
    times: I64


def held(values: Any) -> Held:
    """Return the texts of a column from values that may differ in case and blanks."""
    owners, times, *firsts = (
        values.field(name).fill_null(_FAR).to_numpy(zero_copy_only=False).astype(np.int64)
        for name in ("owner", "records", *_SIDES.values(), "synthetic")
    )
    numbers: dict[str, int] = {}
    whose = np.array([numbers.setdefault(normalized(v), len(numbers)) for v in values.field("value").to_pylist()])
    size = len(numbers)
    made = {name: np.full(size, _FAR) for name in (*_SIDES, "synthetic")}
    for first, one in zip(firsts, made.values(), strict=True):
        np.minimum.at(one, whose, first)
    counts = np.zeros(size, np.int64)
    np.add.at(counts, whose, times)
    real = owners != NOBODY
    return Held(list(numbers), owners_of(whose[real], owners[real], size), made, counts)


def of_column(known: Held, least: int) -> dict[str, list[Any]]:
    """Say who shares how many words in a row with synthetic records in a column, `least` at least."""
    found: dict[str, list[Any]] = {name: [] for name in ("side", *_NUMBERS)}
    given = _shared(known.texts, known.owners, known.times, least)
    if given is None or not len(given[0].owners):
        return found
    ours, theirs = given
    most = np.zeros(int(ours.owners.max()) + 1, np.int64)
    np.maximum.at(most, ours.owners, ours.sizes)
    kept = ours.sizes == most[ours.owners]
    first, also = np.full(len(most), _FAR), np.zeros(len(most), np.int64)
    np.minimum.at(first, ours.owners[kept], known.firsts["synthetic"][ours.texts[kept]])
    np.add.at(also, ours.owners[kept], known.times[ours.texts[kept]])
    # The first record of each side with such a text; a text with a run that only its owner has is the owner's alone.
    kept = theirs.sizes == most[theirs.owners]
    for side in _SIDES:
        record = np.full(len(most), _FAR)
        np.minimum.at(record, theirs.owners[kept], known.firsts[side][theirs.texts[kept]])
        there = np.flatnonzero(record < _FAR)
        found["side"] += [side] * len(there)
        for name, numbers in zip(_NUMBERS, (record, first, also, most), strict=True):
            found[name] += numbers[there].tolist()
    return found


def words_of(parts: Sequence[pages.Texts], who: I64, least: int) -> I64 | None:
    """Return how many words in a row synthetic records share with each real record's person, that nobody else has.

    Parameters
    ----------
    parts
        A column in real tables, and in a synthetic one.
    who : int64 (real,)
        The person of each real record.
    least
        Shorter runs do not count.

    Returns
    -------
    numpy.ndarray or None
        int64 (real,), 0 where there is no such run; None of columns of shorter texts.
    """
    codes, values = pages.codes(pages.joined(parts))
    numbers: dict[str, int] = {}
    texts = np.array([numbers.setdefault(normalized(v), len(numbers)) for v in values.to_pylist()], np.int64)
    of_rows = np.append(texts, -1)[codes]
    mine, of_synthetic = of_rows[: len(who)], of_rows[len(who) :]
    times = np.bincount(of_synthetic[of_synthetic >= 0], minlength=len(numbers))
    owners = owners_of(mine[mine >= 0], who[mine >= 0], len(numbers))
    given = _shared(list(numbers), owners, times, least)
    if given is None:
        return None
    most = np.zeros(int(who.max(initial=0)) + 1, np.int64)
    np.maximum.at(most, given[0].owners, given[0].sizes)
    return most[who]


def _shared(texts: Sequence[str], owners: I64, times: I64, least: int) -> tuple[Pairs, Pairs] | None:
    """Return who shares words with which synthetic text, and with which real one; None if texts are short."""
    from synthpriv_sql.kernels.near import limits
    from synthpriv_sql.kernels.near import phrases as runs

    words = runs.words(limits.texts(list(texts)))
    counts = np.bincount(words.texts, minlength=len(texts))[owners != NOBODY]
    if not len(counts) or np.median(counts) < LONG:
        return None
    return runs.shared(words, owners, times > 0, least, MOST_WORDS)


def owners_of(texts: I64, who: I64, size: int) -> I64:
    """Return whose each of so many texts is, from persons who have one (-1: several): -1 is several's, -2 nobody's."""
    least, most = np.full(size, _FAR), np.full(size, NOBODY, np.int64)
    np.minimum.at(least, texts, who)
    np.maximum.at(most, texts, who)
    return np.where(most == NOBODY, NOBODY, np.where(least == most, least, -1))
