"""Candidates among long texts: those that have one of some rare runs of characters of the other.

Of a text that may differ by k edits, k + 1 runs are kept that neither overlap nor touch each other: no edit changes two
of them, a swap included, so a near text has one of them unchanged, at most k places further on or back. Of all choices,
dynamic programming takes the one whose runs are the rarest in the queries. Equal runs of several texts are one piece
if they begin in the same step of characters: of a frequent run, those that are far away are not looked at.
"""

from __future__ import annotations

import numpy as np

from synthpriv_sql.kernels.jit import I32, I64, U8, U32, U64, inner, kernel
from synthpriv_sql.kernels.near import limits
from synthpriv_sql.kernels.near.hashes import between, hash_prefixes, mixed
from synthpriv_sql.kernels.near.limits import Texts

SIZES = np.array([20, 14, 8, 5, 3], np.int64)
"""The lengths of runs; texts of 40 characters have room for enough runs of five."""
RUNS = limits.MOST + 1
SKETCH = 24
"""How often a run occurs is counted in 2 ** SKETCH places, by its hash."""
SAMPLE = 1 << (SKETCH - 2)
"""So many characters of the queries are counted, about, so that few of these places are of several runs."""
OFFSET = np.uint64((1 << limits.LONGEST.bit_length()) - 1)
"""The digits of a hash that are 0: where a run begins takes their place."""
STEP = 6
"""Places are told apart by 2 ** STEP characters: at most two such steps are within `MOST` edits of a place."""


def unused() -> I64:
    """Return the least and the largest length of texts that keep runs, by length of these: still of none."""
    return np.repeat(np.array([[1 << 60, -(1 << 60)]], np.int64), len(SIZES), axis=0)


@inner
def _hash(prefixes: U64, p: int, kind: int) -> np.uint64:
    """Return the hash of the run that begins at a place, which also depends on its length."""
    return np.uint64(mixed(between(prefixes, p, p + SIZES[kind]) ^ (np.uint64(kind + 1) << np.uint64(60))))


@inner
def _in_step(hashed: np.uint64, step: int) -> np.uint64:
    return np.uint64(mixed(hashed + np.uint64(step)) & ~OFFSET)


@inner
def of_query(texts: Texts, i: int, used: I64, most: int, prefixes: U64, out: U64, offsets: I32) -> int:
    """Write all runs, at most two hashes each, by step of places within so many edits, and where they are.

    Lengths are left out that no text of about as many characters keeps.
    """
    start, length = texts.starts[i], texts.starts[i + 1] - texts.starts[i]
    hash_prefixes(texts, start, length, prefixes)
    count = 0
    for kind in range(len(SIZES)):
        if length + most < used[kind, 0] or length - most > used[kind, 1]:
            continue
        for p in range(length - SIZES[kind] + 1):
            hashed = _hash(prefixes, p, kind)
            for step in range(max(p - most, 0) >> STEP, ((p + most) >> STEP) + 1):
                out[count], offsets[count] = _in_step(hashed, step), p
                count += 1
    return count


@kernel
def frequencies(texts: Texts, queries: I32, prefixes: U64, sketch: U32) -> None:
    """Count the runs of all lengths in the queries."""
    shift = np.uint64(64 - SKETCH)
    for number in range(len(queries)):
        i = queries[number]
        start, length = texts.starts[i], texts.starts[i + 1] - texts.starts[i]
        hash_prefixes(texts, start, length, prefixes)
        for kind in range(len(SIZES)):
            for p in range(length - SIZES[kind] + 1):
                sketch[_hash(prefixes, p, kind) >> shift] += 1


_FAR = 1 << 60


@inner
def _cheapest(
    length: int, kind: int, runs: int, limit: int, sketch: U32, prefixes: U64, hashes: U64, costs: I64, taken: U8
) -> int:
    """Choose runs of one length; return the sum of their frequencies, or `limit` if it is not less.

    costs: int64 (3, length + 1), scratch. taken: uint8 (runs, length + 1), for `keep`: run r ends at a place that
    leaves room for the r before it, and for those behind.
    """
    size, shift = SIZES[kind], np.uint64(64 - SKETCH)
    for p in range(length - size + 1):
        hashes[p] = _hash(prefixes, p, kind)
        costs[2, p + size] = sketch[hashes[p] >> shift]
    for run in range(runs):
        last, current = run % 2, (run + 1) % 2
        best = np.int64(_FAR)
        for end in range((run + 1) * (size + 1) - 1, length - (runs - 1 - run) * (size + 1) + 1):
            cost = costs[2, end]
            if run > 0:
                cost += costs[last, end - size - 1]
            taken[run, end] = cost < best
            best = min(best, cost)
            costs[current, end] = best
        if best >= limit:  # more runs do not cost less
            return limit
    return int(best)


@kernel
def keep(
    texts: Texts, reference: I32, sketch: U32, prefixes: U64, hashes: U64, costs: I64, taken: U8, kept: U64,
    places: I32, used: I64,
) -> int:  # fmt: skip
    """Write the hashes of the runs that are kept of each text, and the places of the texts; return how many.

    The last digits of a hash are where the run begins.
    """
    count = 0
    for place in range(len(reference)):
        i = reference[place]
        start, length = texts.starts[i], texts.starts[i + 1] - texts.starts[i]
        hash_prefixes(texts, start, length, prefixes)
        runs = limits.edits(length) + 1
        best, chosen = _FAR, -1
        for kind in range(len(SIZES)):
            if runs * (SIZES[kind] + 1) - 1 > length:
                continue
            cost = _cheapest(length, kind, runs, best, sketch, prefixes, hashes, costs, taken)
            # Where shorter runs are more frequent, still shorter ones hardly are rarer.
            if cost >= best:
                break
            best, chosen = cost, kind
            if cost <= runs:
                break
        if kind != chosen:
            _cheapest(length, chosen, runs, _FAR, sketch, prefixes, hashes, costs, taken)
        used[chosen, 0], used[chosen, 1] = min(used[chosen, 0], length), max(used[chosen, 1], length)
        size, end = SIZES[chosen], length
        for run in range(runs - 1, -1, -1):
            while taken[run, end] == 0:
                end -= 1
            p = end - size
            kept[count], places[count] = _in_step(hashes[p], p >> STEP) | np.uint64(p), place
            count += 1
            end -= size + 1
    return count
