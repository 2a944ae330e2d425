"""Candidates among long texts: those that have one of some rare runs of characters of the other.

Of a text that may differ by k edits, k + 1 runs are kept that neither overlap nor touch each other: no edit changes two
of them, a swap included, so a near text has one of them unchanged, at most k places further on or back. Of all choices,
dynamic programming takes the one whose runs are the rarest in the queries.
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


@inner
def _hash(prefixes: U64, p: int, kind: int) -> np.uint64:
    """Return the hash of the run that begins at a place, which also depends on its length."""
    return np.uint64(mixed(between(prefixes, p, p + SIZES[kind]) ^ (np.uint64(kind + 1) << np.uint64(60))))


@inner
def of_query(texts: Texts, i: int, used: U8, prefixes: U64, out: U64, offsets: I32) -> int:
    """Write all runs of the lengths that are used, and where they are."""
    start, length = texts.starts[i], texts.starts[i + 1] - texts.starts[i]
    hash_prefixes(texts, start, length, prefixes)
    count = 0
    for kind in range(len(SIZES)):
        for p in range(length - SIZES[kind] + 1 if used[kind] else 0):
            out[count], offsets[count] = _hash(prefixes, p, kind), p
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

    taken: uint8 (runs, length + 1), for `keep`.
    """
    size, shift = SIZES[kind], np.uint64(64 - SKETCH)
    for p in range(length - size + 1):
        hashes[p] = _hash(prefixes, p, kind)
    for i in range(length + 1):
        costs[0, i] = 0
    for run in range(runs):
        last, current = run % 2, (run + 1) % 2
        for i in range(length + 1):
            best, take = _FAR, 0
            if i > 0:
                best = int(costs[current, i - 1])
            if i >= size:
                before = i - size - 1
                cost = _FAR
                if run == 0:
                    cost = 0
                elif before >= 0:
                    cost = int(costs[last, before])
                if cost < _FAR:
                    cost += int(sketch[hashes[i - size] >> shift])
                    if cost < best:
                        best, take = cost, 1
            costs[current, i] = best
            taken[run, i] = take
        if costs[current, length] >= limit:  # more runs do not cost less
            return limit
    return int(costs[runs % 2, length])


@kernel
def keep(
    texts: Texts, reference: I32, sketch: U32, prefixes: U64, hashes: U64, costs: I64, taken: U8, kept: U64,
    offsets: I32, places: I32, used: U8,
) -> int:  # fmt: skip
    """Write the runs that are kept of each text, with their offsets and the place of the text; return how many."""
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
        used[chosen] = 1
        size, end = SIZES[chosen], length
        for run in range(runs - 1, -1, -1):
            while taken[run, end] == 0:
                end -= 1
            kept[count], offsets[count], places[count] = hashes[end - size], end - size, place
            count += 1
            end -= size + 1
    return count
