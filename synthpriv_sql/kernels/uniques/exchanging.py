"""Replicated uniques in two samples of rows, and what random exchanges of rows between the samples would give.

The rows of both samples are paired. An exchange is a coin for each pair, which says whether its rows change sides; the
coins of 1,024 exchanges are the bits of 16 words. A unique counts for the one sample, or against it for the other, if
all rows that have it are on one side. With one or two rows that is a sum over rows; only of more rows do coins have to
be compared, for all exchanges at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import NamedTuple

import numpy as np

from synthpriv_sql.kernels.jit import I32, I64, U64, kernel
from synthpriv_sql.kernels.threads import SearchOptions, Workers
from synthpriv_sql.kernels.uniques import counting
from synthpriv_sql.kernels.uniques.combinations import Chosen
from synthpriv_sql.kernels.uniques.keys import Keys
from synthpriv_sql.kernels.uniques.search import Tables, narrowed, sieve_words

EXCHANGES = 999
_WORDS = 16
_PLANES = 8  # a counter of so many bits
_FULL = (1 << _PLANES) - 1


class Exchanged(NamedTuple):
    """What is known of persons and of the sum over them.

    differences: int64 (persons,), replicated uniques in the first sample less those in the second. first, second: the
    sums of both. exchanged: int64 (EXCHANGES,), twice the difference of the sums in each exchange.
    """

    differences: I64
    first: int
    second: int
    exchanged: I64


class _Sums:
    """The sums of one thread."""

    def __init__(self, persons: int, pairs: int) -> None:
        self.differences = np.zeros(persons, np.int64)
        self.weights = np.zeros(pairs, np.int64)
        self.totals = np.zeros(3, np.int64)
        self.planes = np.zeros((2, _PLANES, _WORDS), np.uint64)
        self.sides = np.zeros((2, 64 * _WORDS), np.int64)


def exchange(
    keys: Keys,
    persons: I32,
    chosen: Sequence[Chosen],
    seed: int,
    *,
    options: SearchOptions = SearchOptions(),
) -> Exchanged:
    """Count the uniques of persons that two samples have, as they are and after random exchanges of their rows.

    Parameters
    ----------
    keys
        What is counted: rows of the persons as real records, then those of the first sample, then as many of the
        second. The row of the second sample at the same place is the one that a row is exchanged with.
    persons : int32 (real,)
        Whose row each real record is, from 0 on.
    chosen
        The combinations.
    seed
        Of the exchanges.
    options
        Progress counts combinations.

    Raises
    ------
    Cancelled
        The options' `cancelled` said so.
    """
    records, sampled = keys.codes.shape[1], keys.codes.shape[1] - keys.real
    pairs, count = sampled // 2, int(persons.max(initial=-1)) + 1
    # The stream of this generator is fixed, that of its methods for distributions is not.
    coins = np.random.PCG64(seed).random_raw(pairs * _WORDS).reshape(pairs, _WORDS)
    all_sums: list[_Sums] = []
    lock = Lock()
    workers = Workers(options)

    def worker() -> Callable[[int, int], None]:
        tables, sums = Tables(), _Sums(count, pairs)
        with lock:
            all_sums.append(sums)

        def work(begin: int, end: int) -> None:
            for number in range(begin, end):
                codes, columns, steps, total = narrowed(keys, chosen[number])
                if total == 0 or workers.stop[0]:
                    continue
                words = sieve_words(sampled, total)
                gathered = tables.space("gathered", records, np.int32)
                of_rows = tables.space("keys", records, np.int64)
                both, counts = np.zeros(2, np.int64), np.zeros(2, np.int64)
                counting.candidates(
                    codes, keys.real, columns, steps, total <= 64 * words,
                    tables.table("in synthetic", words, 0, np.uint64), tables.table("in real", words, 0, np.uint64),
                    gathered, of_rows, both,
                )  # fmt: skip
                places, slots = tables.places(total, int(both[0]))
                rows, first, also, hit, record = (
                    tables.space(name, sampled, np.int32) for name in ("rows", "first", "also", "hit", "record")
                )
                counting.replicated(
                    real=keys.real, rows=gathered, keys=of_rows, candidates=both, persons=persons,
                    owners=tables.table("owners", places, -1, np.int32), slots=slots,
                    own=rows, first=first, also=also, hit=hit, record=record, counts=counts,
                )  # fmt: skip
                if counts[0]:
                    _exchange(
                        counts=counts, own=rows, also=also, hit=hit, record=record, persons=persons, pairs=pairs,
                        coins=coins,
                        ends=tables.table("ends", sampled + 1, 0, np.int32),
                        holders=tables.space("holders", sampled, np.int32),
                        same=np.zeros((2, _WORDS), np.uint64),
                        differences=sums.differences, weights=sums.weights, totals=sums.totals, planes=sums.planes,
                        sides=sums.sides,
                    )  # fmt: skip

        return work

    workers.run_chunks(len(chosen), 1, worker)
    whole = _Sums(count, pairs)
    for sums in all_sums:
        _flush(sums.planes, sums.sides)
        whole.differences += sums.differences
        whole.weights += sums.weights
        whole.totals += sums.totals
        whole.sides += sums.sides
    exchanged = 2 * (whole.sides[0] - whole.sides[1])
    _weigh(coins, whole.weights, exchanged)
    return Exchanged(whole.differences, int(whole.totals[0]), int(whole.totals[1]), exchanged[:EXCHANGES])


@kernel
def _flush(planes: U64, sides: I64) -> None:
    """Add the counters up and begin anew."""
    for side in range(planes.shape[0]):
        for plane in range(planes.shape[1]):
            for word in range(planes.shape[2]):
                bits = planes[side, plane, word]
                if bits == 0:
                    continue
                for bit in range(64):
                    sides[side, 64 * word + bit] += np.int64((bits >> np.uint64(bit)) & np.uint64(1)) << plane
                planes[side, plane, word] = 0


@kernel
def _exchange(
    counts: I64, own: I32, also: I32, hit: I32, record: I32, persons: I32, pairs: int, coins: U64, ends: I32,
    holders: I32, same: U64, differences: I64, weights: I64, totals: I64, planes: U64, sides: I64,
) -> None:  # fmt: skip
    """Add what `counting.replicated` found for one combination.

    Parameters
    ----------
    counts, own, also, hit, record
        What it found.
    pairs
        The rows of each sample: a record below is of the first.
    coins : uint64 (pairs, words)
        Per pair a bit for each exchange.
    ends : int32 (uniques + 1,), of 0; holders : int32 (hits,)
        For the records of each unique, side by side.
    same : uint64 (2, words)
        Where all records of a unique are in the first sample, and where all are in the second.
    differences, weights, totals, planes, sides
        What is added to. Weights are doubled, and belong to the first row of a pair. The third total counts additions
        to the planes, which hold the counters of both sides bit by bit.
    """
    uniques, hits = counts[0], counts[1]
    for u in range(uniques):
        ends[u + 1] = ends[u] + also[u]
    for i in range(hits):
        u = hit[i]
        holders[ends[u]] = record[i]
        ends[u] += 1
    for u in range(uniques):
        end, size = ends[u], also[u]
        in_first = 0
        for i in range(end - size, end):
            in_first += holders[i] < pairs
        who = persons[own[u]]
        if in_first > 0:
            totals[0] += 1
            differences[who] += 1
        if in_first < size:
            totals[1] += 1
            differences[who] -= 1
        if size <= 2:
            weight = 3 - size
            for i in range(end - size, end):
                if holders[i] < pairs:
                    weights[holders[i]] += weight
                else:
                    weights[holders[i] - pairs] -= weight
            continue
        same[:] = ~np.uint64(0)
        for i in range(end - size, end):
            pair, turned = holders[i], np.uint64(0)
            if pair < pairs:
                turned = ~turned
            else:
                pair -= pairs
            for word in range(coins.shape[1]):
                bits = coins[pair, word] ^ turned
                same[0, word] &= bits
                same[1, word] &= ~bits
        for side in range(2):
            for word in range(coins.shape[1]):
                bits, plane = same[side, word], 0
                while bits != 0:
                    carried = planes[side, plane, word] & bits
                    planes[side, plane, word] ^= bits
                    bits = carried
                    plane += 1
        totals[2] += 1
        if totals[2] % _FULL == 0:
            _flush(planes, sides)


@kernel
def _weigh(coins: U64, weights: I64, exchanged: I64) -> None:
    """Add the weight of each pair to the exchanges in which it stays as it is, and subtract it from the others."""
    for pair in range(len(weights)):
        weight = weights[pair]
        if weight == 0:
            continue
        for word in range(coins.shape[1]):
            bits = coins[pair, word]
            for bit in range(64):
                turned = np.int64((bits >> np.uint64(bit)) & np.uint64(1))
                exchanged[64 * word + bit] += weight - 2 * weight * turned
