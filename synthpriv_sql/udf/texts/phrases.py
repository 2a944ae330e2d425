"""``synthpriv_phrases``: who shares words in a row with synthetic records that nobody else has, in columns of texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthpriv_sql.udf import uniques
from synthpriv_sql.udf.encoded import pages
from synthpriv_sql.udf.encoded.releases import Releases
from synthpriv_sql.udf.encoded.texts import normalized
from synthpriv_sql.udf.neighbors import Monitor, combined, watched
from synthpriv_sql.udf.texts.replay import LONG, NOBODY

if TYPE_CHECKING:  # numba is loaded by the first search, not on import
    from synthpriv_sql.kernels.near.phrases import Pairs

_NUMBERS = ("positions", "words", "synthetic", "also")
FOUND_SQL = f"STRUCT(members BIGINT, {', '.join(f'{name} BIGINT[]' for name in _NUMBERS)}, columns VARCHAR[], "
FOUND_SQL += "releases VARCHAR[])"
MOST_WORDS = 64
"""Up to so many words in a row are told apart."""

I64 = NDArray[np.int64]


def phrases(*given: Any, monitor: Monitor) -> Any:
    """``synthpriv_phrases(synthetic_pages, train_pages, holdout_pages, train_units, holdout_units, options)``.

    Parameters
    ----------
    given
        As for ``synthpriv_uniques``; options are the fields of sql/uniques/phrase_uniques.sql.
    monitor
        The progress callback and the check for cancellation.

    Returns
    -------
    pyarrow.Array
        One struct per row: the number of records in train; then, for each person and column where it has words in a row
        that nobody else has and synthetic has, and for each side where it has a text with the longest such run: the
        position of the first record with it, the number of these words, the first synthetic record with so many and
        the number of those, the column, and the release of that record (null without releases).
    """
    arguments = [combined(a) for a in given]
    return pa.concat_arrays([watched(_one, [a[i] for a in arguments], monitor) for i in range(len(arguments[-1]))])


def _one(
    synthetic_pages: Any, train_pages: Any, holdout_pages: Any, train_units: Any, holdout_units: Any, options: Any,
    *, monitor: Monitor,
) -> Any:  # fmt: skip
    # numba is loaded by the first search, not on import
    from synthpriv_sql.udf import compiling

    options = options.as_py()
    releases = Releases.of(options)
    given = [train_pages.values, holdout_pages.values, *releases.pages(synthetic_pages.values, options)]
    train, holdout, *synthetic = uniques.read(given, len(options["columns"]))
    members, rows = train.rows, train.rows + holdout.rows
    who = uniques.persons([train_units.values, holdout_units.values], rows).astype(np.int64)
    sizes = [one.rows for one in synthetic]
    found: list[tuple[str, Found]] = []
    with compiling.reported(monitor.progress):
        for place, (name, weight) in enumerate(zip(options["columns"], options["weights"], strict=True)):
            real = [train.columns[place], *([holdout.columns[place]] if holdout.rows else [])]
            if weight > 0 and isinstance(real[0], pages.Texts):
                parts = [*real, *(one.columns[place] for one in synthetic)]
                found.append((name, of_column(parts, who, int(options["phrase"]), members)))
    columns = [name for name, one in found for _ in one.positions]
    one = Found(
        *(np.concatenate([np.zeros(0, np.int64), *parts]) for parts in zip(*(f for _, f in found), strict=True))
    )
    records, named = releases.records(one.synthetic, sizes)
    made = [pa.array(one.positions), pa.array(one.words), records, pa.array(one.also), pa.array(columns, pa.string())]
    lists = [pa.ListArray.from_arrays(pa.array([0, len(part)], pa.int32()), part) for part in [*made, named]]
    return pa.StructArray.from_arrays(
        [pa.array([members], pa.int64()), *lists], names=["members", *_NUMBERS, "columns", "releases"]
    )


class Found(NamedTuple):
    """Records of real people with words in a row that are theirs alone, all int64; see `phrases`."""

    positions: I64
    words: I64
    synthetic: I64
    also: I64


def of_column(parts: Sequence[pages.Texts], who: I64, least: int, members: int) -> Found:
    """Say who shares how many words in a row with synthetic records in a column, `least` at least.

    Parameters
    ----------
    parts
        The column in train, in the holdout, and in synthetic tables.
    who : int64 (real,)
        The person of each real record.
    least
        Shorter runs do not count.
    members
        The number of records of train.
    """
    given = _shared(parts, who, least)
    if given is None or not len(given.ours.owners):
        return Found(*np.zeros((4, 0), np.int64))
    ours, theirs, of_rows, times = given
    of_real, of_synthetic = of_rows[: len(who)], of_rows[len(who) :]
    size = len(times)
    most = np.zeros(int(ours.owners.max()) + 1, np.int64)
    np.maximum.at(most, ours.owners, ours.sizes)
    kept = ours.sizes == most[ours.owners]
    owner, text = ours.owners[kept], ours.texts[kept]
    begin = np.flatnonzero(np.diff(owner, prepend=-1))
    place = np.full(len(most), -1, np.int64)
    place[owner[begin]] = np.arange(len(begin))
    first = np.full(size, len(of_synthetic), np.int64)
    present = np.flatnonzero(of_synthetic >= 0)
    np.minimum.at(first, of_synthetic[present], present)
    synthetic, also = np.minimum.reduceat(first[text], begin), np.add.reduceat(times[text], begin)
    # The first record of each side with such a text; a text with a run that only its owner has is the owner's alone.
    mine = np.full(size + 1, -1, np.int64)
    kept = theirs.sizes == most[theirs.owners]
    mine[theirs.texts[kept]] = theirs.owners[kept]
    whose = mine[of_real]
    there = np.flatnonzero(whose >= 0)
    _, one = np.unique(2 * whose[there] + (there >= members), return_index=True)
    positions = there[np.sort(one)]
    of = place[whose[positions]]
    return Found(positions, most[whose[positions]], synthetic[of], also[of])


def words_of(parts: Sequence[pages.Texts], who: I64, least: int) -> I64 | None:
    """Return how many words in a row of each real record's person `of_column` finds, 0 if none; None of short texts."""
    given = _shared(parts, who, least)
    if given is None:
        return None
    most = np.zeros(int(who.max(initial=0)) + 1, np.int64)
    np.maximum.at(most, given.ours.owners, given.ours.sizes)
    return most[who]


class _Shared(NamedTuple):
    """What `shared` returns; the text of each record, or -1; and how many synthetic records have each text."""

    ours: Pairs
    theirs: Pairs
    of_rows: I64
    times: I64


def _shared(parts: Sequence[pages.Texts], who: I64, least: int) -> _Shared | None:
    """Return who shares words with which text; None if texts are short."""
    from synthpriv_sql.kernels.near import limits
    from synthpriv_sql.kernels.near import phrases as runs

    codes, values = pages.codes(pages.joined(parts))
    numbers: dict[str, int] = {}
    texts = np.array([numbers.setdefault(normalized(v), len(numbers)) for v in values.to_pylist()], np.int64)
    of_rows = np.append(texts, -1)[codes]
    of_synthetic = of_rows[len(who) :]
    owners = owners_of(of_rows[: len(who)], who, len(numbers))
    words = runs.words(limits.texts(list(numbers)))
    counts = np.bincount(words.texts, minlength=len(numbers))[owners != NOBODY]
    if not len(counts) or np.median(counts) < LONG:
        return None
    times = np.bincount(of_synthetic[of_synthetic >= 0], minlength=len(numbers))
    return _Shared(*runs.shared(words, owners, times > 0, least, MOST_WORDS), of_rows, times)


def owners_of(texts: I64, who: I64, size: int) -> I64:
    """Return whose each of so many texts is, from that of each real record or -1: -1 is several's, -2 nobody's."""
    known = texts >= 0
    least, most = np.full(size, np.iinfo(np.int64).max), np.full(size, NOBODY, np.int64)
    np.minimum.at(least, texts[known], who[known])
    np.maximum.at(most, texts[known], who[known])
    return np.where(most < 0, NOBODY, np.where(least == most, least, -1))
