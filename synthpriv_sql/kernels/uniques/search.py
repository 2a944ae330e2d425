"""Replicated uniques of all combinations, by several threads, each combination by one."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.kernels.jit import F64, I32, I64
from synthpriv_sql.kernels.threads import SearchOptions, Workers
from synthpriv_sql.kernels.uniques import counting
from synthpriv_sql.kernels.uniques.combinations import Chosen
from synthpriv_sql.kernels.uniques.keys import Keys

_NUMBERS = 2**62  # keys are smaller
_DENSE = 8  # keys are places of a table that has at most so many times as many as there are records
_PENDING = 1 << 24  # pairs of a person and a synthetic record that are held before they are added up
RARE = 3
"""The most real records that have a rare key."""
_PARTS = 8  # sums of logarithms that are added up apart, whatever the threads


class Uniques(NamedTuple):
    """The replicated uniques of a combination: the first real row, the first synthetic record, how many of these."""

    combination: int
    rows: I32
    first: I32
    also: I32


class UniqueCombinations(NamedTuple):
    """Data about persons.

    scores: int64 (persons, widths), replicated uniques by the number of columns. records: int64 (persons,), the
    synthetic record that has the most of them, ties to the smallest; -1 where there are none. rows: int64 (persons,),
    the real row where the most of them stand first; -1 where there are none. pairs: int64, persons and the synthetic
    records that have one of their replicated uniques. smallest: those of each person's smallest
    combinations, in the order of the combinations. columns: int64 (columns, persons), those in combinations with each
    column. sides: int64 (combinations, 2), how many persons have one in each combination, by the real row of the first
    of each: below ``members``, and from there on.
    """

    scores: I64
    records: I64
    rows: I64
    pairs: tuple[I64, I64]
    smallest: list[Uniques]
    columns: I64
    sides: I64


class _Pairs:
    """How often each pair of numbers was seen."""

    def __init__(self) -> None:
        self._pairs: list[I64] = []
        self._held = 0
        self._known = np.zeros(0, np.int64), np.zeros(0, np.int64)

    def add(self, ones: I32, others: I32) -> None:
        self._pairs.append(ones.astype(np.int64) << 32 | others)
        self._held += len(ones)
        if self._held > _PENDING:
            self._sum_up()

    def _sum_up(self) -> None:
        found, counts = np.unique(np.concatenate([np.zeros(0, np.int64), *self._pairs]), return_counts=True)
        self._pairs, self._held = [], 0
        pairs, times = (np.concatenate(both) for both in zip(self._known, (found, counts), strict=True))
        order = np.argsort(pairs, kind="stable")
        pairs, times = pairs[order], times[order]
        begin = np.flatnonzero(np.diff(pairs, prepend=-1))
        self._known = pairs[begin], np.add.reduceat(times, begin) if len(begin) else times

    def seen(self) -> tuple[I64, I64]:
        """All pairs that were seen, ordered."""
        self._sum_up()
        return self._known[0] >> 32, self._known[0] & 0xFFFFFFFF

    def most(self, size: int) -> I64:
        """Of each first number the second that was seen with it most often, ties to the smallest; -1 for none."""
        self._sum_up()
        pairs, times = self._known
        ones, others = pairs >> 32, pairs & 0xFFFFFFFF
        out = np.full(size, -1, np.int64)
        begin = np.flatnonzero(np.diff(ones, prepend=-1))
        if len(begin):
            # Both are below 2^31: the largest number has the most times and, of these, the smallest other.
            out[ones[begin]] = 0xFFFFFFFF - (np.maximum.reduceat(times << 32 | 0xFFFFFFFF - others, begin) & 0xFFFFFFFF)
        return out


class _Counting:
    """Sums over combinations, which threads add to."""

    def __init__(self, persons: I32, count: int, sizes: tuple[int, int, int], members: int, only_scores: bool) -> None:
        widths, columns, combinations = sizes
        self.lock = Lock()
        self.scores = np.zeros((widths, count), np.int64)
        self.columns = np.zeros((0 if only_scores else columns, count), np.int64)
        self.blamed, self.rows = _Pairs(), _Pairs()
        self.least = np.full(count, np.iinfo(np.int32).max, np.int32)
        self.smallest: list[Uniques] = []
        self.sides = np.zeros((0 if only_scores else combinations, 2), np.int64)
        self._persons = persons
        self._are_rows = count == len(persons)
        self._members = members
        self._only_scores = only_scores

    def add(self, found: Uniques, chosen: Chosen, hit: I32, record: I32) -> None:
        who, width = self._persons[found.rows], len(chosen)
        with self.lock:
            np.add.at(self.scores[width - 1], who, 1)
            if self._only_scores:
                return
            for column in chosen:
                np.add.at(self.columns[column], who, 1)
            self.sides[found.combination] = self._by_side(who, found.rows)
            self.blamed.add(who[hit], record)
            self.rows.add(who, found.rows)
            self.least[who] = np.minimum(self.least[who], width)
            here = self.least[who] == width
            if here.any():
                self.smallest.append(found if here.all() else Uniques(found[0], *(a[here] for a in found[1:])))

    def _by_side(self, who: I32, rows: I32) -> tuple[int, int]:
        """How many persons there are whose rows are members', and others'."""
        of_members = rows < self._members
        if self._are_rows:
            return int(of_members.sum()), len(rows) - int(of_members.sum())
        return len(np.unique(who[of_members])), len(np.unique(who[~of_members]))


def strides(sizes: I64, chosen: Chosen) -> tuple[I64, int] | None:
    """Factors of the codes of a key, and the number of possible keys; None if these are too many."""
    parts = [int(sizes[i]) for i in chosen]
    total = math.prod(parts)
    if total >= _NUMBERS:
        return None
    return np.array([math.prod(parts[:j]) for j in range(len(parts))], np.int64), total


def sieve_words(synthetic: int, keys: int) -> int:
    """Return the words of a sieve: at least 16 bits for each synthetic record, or one bit for each possible key."""
    return 1 << max(min((max(synthetic, 1) // 8).bit_length() + 1, (keys >> 6).bit_length()), 4)


class Tables:
    """The tables of a thread, for one combination at a time."""

    def __init__(self) -> None:
        self._tables: dict[str, NDArray[Any]] = {}

    def space(self, name: str, size: int, dtype: Any) -> NDArray[Any]:
        """Restore the previous content of a table."""
        known = self._tables.get(name)
        if known is None or len(known) < size:
            known = self._tables[name] = np.empty(size, dtype)
        return known[:size]

    def table(self, name: str, size: int, fill: int, dtype: Any) -> NDArray[Any]:
        """Give a table that is filled with one value."""
        used = self.space(name, size, dtype)
        used.fill(fill)
        return used

    def places(self, total: int, keys: int) -> tuple[int, I64]:
        """Give how many places there are, and the keys of them: none where a key is its place."""
        if total <= _DENSE * max(keys, 1 << 10):
            return max(total, 1), np.zeros(0, np.int64)
        size = 1 << max(int(2 * keys - 1).bit_length(), 4)
        return size, self.table("slots", size, -1, np.int64)


def narrowed(keys: Keys, chosen: Chosen) -> tuple[I32, I64, I64, int]:
    """The codes, columns and strides of a combination, and how many keys there may be.

    Where the keys are too many for a number, pairs of columns are numbered first: there are no more of them than rows.
    """
    known = strides(keys.sizes, chosen)
    if known is not None:
        return keys.codes, np.array(chosen, np.int64), *known
    codes = keys.codes[chosen[0]].astype(np.int64)
    for i in chosen[1:]:
        missing = (codes < 0) | (keys.codes[i] < 0)
        joined = codes * keys.sizes[i] + keys.codes[i]
        joined[missing] = -1
        values, codes = np.unique(joined, return_inverse=True)
        codes = codes - (1 if len(values) and values[0] == -1 else 0)
    size = int(codes.max(initial=-1)) + 1
    return codes.astype(np.int32)[None, :], np.zeros(1, np.int64), np.ones(1, np.int64), size


def candidates_of(keys: Keys, one: Chosen, tables: Tables) -> tuple[I32, I64, I64, int] | None:
    """The records whose key of a combination the other kind may have too; None where no key can be shared.

    The records and their keys as `counting.candidates` gathers them, its counts, and how many keys there may be.
    """
    codes, columns, steps, total = narrowed(keys, one)
    if total == 0:
        return None
    records = keys.codes.shape[1]
    words = sieve_words(records - keys.real, total)
    gathered, of_rows = tables.space("gathered", records, np.int32), tables.space("keys", records, np.int64)
    both = np.zeros(2, np.int64)
    counting.candidates(
        codes, keys.real, columns, steps, total <= 64 * words,
        tables.table("in synthetic", words, 0, np.uint64), tables.table("in real", words, 0, np.uint64),
        gathered, of_rows, both,
    )  # fmt: skip
    return gathered, of_rows, both, total


def search(
    keys: Keys,
    persons: I32,
    chosen: Sequence[Chosen],
    *,
    members: int = 0,
    only_scores: bool = False,
    options: SearchOptions = SearchOptions(),
) -> UniqueCombinations:
    """Find the replicated uniques of all persons.

    Parameters
    ----------
    keys
        What is counted.
    persons : int32 (real,)
        Whose row each real record is, from 0 on.
    chosen
        The combinations, narrow ones first.
    members
        The first real row that is not of train.
    only_scores
        Whether nothing but scores is asked for; all else is empty, or -1.
    options
        Progress counts combinations.

    Raises
    ------
    Cancelled
        The options' `cancelled` said so.
    """
    count = int(persons.max(initial=-1)) + 1
    widths = max((len(one) for one in chosen), default=1)
    synthetic = keys.codes.shape[1] - keys.real
    sums = _Counting(persons, count, (widths, len(keys.codes), len(chosen)), members, only_scores)
    workers = Workers(options)

    def worker() -> Callable[[int, int], None]:
        tables = Tables()

        def work(begin: int, end: int) -> None:
            for number in range(begin, end):
                here = None if workers.stop[0] else candidates_of(keys, chosen[number], tables)
                if here is None:
                    continue
                gathered, of_rows, both, total = here
                places, slots = tables.places(total, int(both[0]))
                counts = np.zeros(2, np.int64)
                rows, first, also, hit, record = (
                    tables.space(name, synthetic, np.int32) for name in ("rows", "first", "also", "hit", "record")
                )
                counting.replicated(
                    real=keys.real, rows=gathered, keys=of_rows, candidates=both, persons=persons,
                    owners=tables.table("owners", places, -1, np.int32), slots=slots,
                    own=rows, first=first, also=also, hit=hit, record=record, counts=counts,
                )  # fmt: skip
                uniques, hits = counts.tolist()
                if uniques:
                    found = Uniques(number, *(part[:uniques].copy() for part in (rows, first, also)))
                    sums.add(found, chosen[number], hit[:hits], record[:hits])

        return work

    workers.run_chunks(len(chosen), 1, worker)
    smallest = []
    for found in sorted(sums.smallest, key=lambda one: one.combination):
        here = sums.least[persons[found.rows]] == len(chosen[found.combination])
        if here.any():
            smallest.append(Uniques(found.combination, *(part[here] for part in found[1:])))
    return UniqueCombinations(
        sums.scores.T, sums.blamed.most(count), sums.rows.most(count), sums.blamed.seen(), smallest, sums.columns,
        sums.sides,
    )  # fmt: skip


def mean_ratios(
    keys: Keys,
    chosen: Sequence[Chosen],
    *,
    rows: I64 | None = None,
    options: SearchOptions = SearchOptions(),
) -> F64:
    """How much more often synthetic records have the keys of each real record than other real records do.

    Parameters
    ----------
    keys
        What is counted; every code at least 0.
    chosen
        The combinations, at least one.
    rows
        The real records that are asked for; all by default.
    options
        Progress counts parts of the combinations.

    Returns
    -------
    float64 (rows,): the mean over combinations of ln((count in synthetic + 1/2) / (|synthetic| + 1)) less
    ln((count in other real records + 1/2) / |real|).
    """
    synthetic = keys.codes.shape[1] - keys.real
    logarithms = np.log(np.arange(max(keys.real, synthetic) + 1) + 0.5)
    sums = _added_up(counting.ratios, keys, chosen, logarithms, rows, options)
    ratios: F64 = sums / max(len(chosen), 1) - math.log(synthetic + 1) + math.log(max(keys.real, 1))
    return ratios


def rare_values(
    keys: Keys,
    chosen: Sequence[Chosen],
    *,
    rows: I64 | None = None,
    options: SearchOptions = SearchOptions(),
) -> F64:
    """How much is rare of each real record and in synthetic, too: keys that at most three real records have.

    Parameters
    ----------
    keys, chosen, rows, options
        As for `mean_ratios`; codes below 0 cannot be shared.

    Returns
    -------
    float64 (rows,): the sum over such keys that synthetic has of ln(|real| / real records with the key).
    """
    weights = np.zeros(keys.real + 1)
    counts = np.arange(1, min(RARE, keys.real) + 1)
    weights[counts] = np.log(keys.real / counts)
    return _added_up(counting.rare, keys, chosen, weights, rows, options)


def _added_up(
    add: Callable[..., None], keys: Keys, chosen: Sequence[Chosen], numbers: F64, rows: I64 | None,
    options: SearchOptions,
) -> F64:  # fmt: skip
    """The sums over combinations of what a compiled pass adds to each real record."""
    real = keys.real
    ends = [len(chosen) * part // _PARTS for part in range(_PARTS + 1)]
    asked = np.arange(real) if rows is None else rows
    sums = np.zeros((_PARTS, len(asked)))
    workers = Workers(options)

    def worker() -> Callable[[int, int], None]:
        tables = Tables()

        def work(begin: int, end: int) -> None:
            for part in range(begin, end):
                for one in chosen[ends[part] : ends[part + 1]]:
                    if workers.stop[0]:
                        return
                    codes, columns, steps, total = narrowed(keys, one)
                    places, slots = tables.places(total, real)
                    add(
                        codes, real, asked, columns, steps, slots, tables.table("real", places, 0, np.int32),
                        tables.table("synthetic", places, 0, np.int32), numbers, sums[part],
                    )  # fmt: skip

        return work

    workers.run_chunks(_PARTS, 1, worker)
    whole: F64 = sums.sum(axis=0)
    return whole
