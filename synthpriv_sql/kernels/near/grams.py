"""Candidates among long texts: those that have one of some rare runs of characters of the other.

Of a text that may differ by k edits, k + 1 runs are kept that neither overlap nor touch each other: no edit changes two
of them, a swap included, so a near text has one of them unchanged, at most k places further on or back. Of all choices,
dynamic programming takes the one whose runs are the rarest in the queries.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from synthpriv_sql.kernels.jit import I32, I64, U8, U32, U64, inner, kernel
from synthpriv_sql.kernels.near import limits
from synthpriv_sql.kernels.near.bags import least
from synthpriv_sql.kernels.near.deletions import BASE, mixed
from synthpriv_sql.kernels.near.judging import FULL, GO_ON, Asked, is_answered, judge
from synthpriv_sql.kernels.near.limits import Texts

SIZES = np.array([16, 8, 5, 3], np.int64)
"""The lengths of runs; texts of 40 characters have room for enough runs of five."""
_POWERS = np.array([pow(int(BASE), int(size), 2**64) for size in SIZES], np.uint64)
RUNS = limits.MOST + 1
SKETCH = 24
"""How often a run occurs is counted in 2 ** SKETCH places, by its hash."""
SAMPLE = 1 << (SKETCH - 2)
"""So many characters of the queries are counted, about, so that few of these places are of several runs."""


class Runs(NamedTuple):
    """Runs that were kept of the reference, by hash: those of bucket b from heads[b] to heads[b + 1].

    places: of the text in the reference; offsets: of the run in the text. used: uint8, by length, whether runs of it
    were kept. bags: of all texts, see `bags`.
    """

    heads: I64
    tags: U32
    places: I32
    offsets: I32
    used: U8
    shift: int
    bags: U8


@inner
def is_long(length: int) -> bool:
    """Say whether texts of this length are found by runs."""
    return length >= limits.LONG and length <= limits.LONGEST


@inner
def rolled(hashed: np.uint64, points: U32, at: int, size: int, power: np.uint64) -> np.uint64:
    """Return the hash of the run that ends with the character at a place, from that of the run before it."""
    return hashed * BASE + np.uint64(points[at]) + np.uint64(1) - power * (np.uint64(points[at - size]) + np.uint64(1))


@inner
def first(points: U32, start: int, size: int) -> np.uint64:
    """Return the hash of the run that begins at a place."""
    hashed = np.uint64(0)
    for p in range(start, start + size):
        hashed = hashed * BASE + np.uint64(points[p]) + np.uint64(1)
    return hashed


@inner
def told_apart(hashed: np.uint64, kind: int) -> np.uint64:
    """Return the final hash of a run, which also depends on its length."""
    return np.uint64(mixed(hashed ^ (np.uint64(kind + 1) << np.uint64(60))))


@kernel
def frequencies(texts: Texts, queries: I32, sketch: U32) -> None:
    """Count the runs of all lengths in the queries."""
    shift = np.uint64(64 - SKETCH)
    for number in range(len(queries)):
        i = queries[number]
        start, length = texts.starts[i], texts.starts[i + 1] - texts.starts[i]
        if not is_long(length):
            continue
        for kind in range(len(SIZES)):
            size = SIZES[kind]
            if size > length:
                continue
            hashed = first(texts.points, start, size)
            sketch[told_apart(hashed, kind) >> shift] += 1
            for p in range(start + size, start + length):
                hashed = rolled(hashed, texts.points, p, size, _POWERS[kind])
                sketch[told_apart(hashed, kind) >> shift] += 1


@inner
def _cheapest(
    texts: Texts, start: int, length: int, kind: int, runs: int, sketch: U32, hashes: U64, costs: I64, taken: U8
) -> int:
    """Choose runs of one length; return the sum of their frequencies. taken: uint8 (runs, length + 1), for `_kept`."""
    size, shift = SIZES[kind], np.uint64(64 - SKETCH)
    hashed = first(texts.points, start, size)
    for p in range(length - size + 1):
        if p > 0:
            hashed = rolled(hashed, texts.points, start + p + size - 1, size, _POWERS[kind])
        hashes[p] = told_apart(hashed, kind)
    far = 1 << 60
    for i in range(length + 1):
        costs[0, i] = 0
    for run in range(runs):
        last, current = run % 2, (run + 1) % 2
        for i in range(length + 1):
            best, take = far, 0
            if i > 0:
                best = int(costs[current, i - 1])
            if i >= size:
                before = i - size - 1
                cost = far
                if run == 0:
                    cost = 0
                elif before >= 0:
                    cost = int(costs[last, before])
                if cost < far:
                    cost += int(sketch[hashes[i - size] >> shift])
                    if cost < best:
                        best, take = cost, 1
            costs[current, i] = best
            taken[run, i] = take
    return int(costs[runs % 2, length])


@kernel
def keep(
    texts: Texts, reference: I32, sketch: U32, hashes: U64, costs: I64, taken: U8, kept: U64, offsets: I32, places: I32,
    used: U8,
) -> int:  # fmt: skip
    """Write the runs that are kept of each text, with their offsets and the place of the text; return how many."""
    count = 0
    for place in range(len(reference)):
        i = reference[place]
        start, length = texts.starts[i], texts.starts[i + 1] - texts.starts[i]
        if not is_long(length):
            continue
        runs = limits.edits(length) + 1
        best, chosen = np.int64(1) << 60, -1
        for kind in range(len(SIZES)):
            if runs * (SIZES[kind] + 1) - 1 > length:
                continue
            cost = _cheapest(texts, start, length, kind, runs, sketch, hashes, costs, taken)
            if cost < best:
                best, chosen = cost, kind
            if cost <= runs:
                break
        if kind != chosen:
            _cheapest(texts, start, length, chosen, runs, sketch, hashes, costs, taken)
        used[chosen] = 1
        size, end = SIZES[chosen], length
        for run in range(runs - 1, -1, -1):
            while taken[run, end] == 0:
                end -= 1
            kept[count], offsets[count], places[count] = hashes[end - size], end - size, place
            count += 1
            end -= size + 1
    return count


@kernel
def count(kept: U64, shift: int, heads: I64) -> None:
    """Add up how many runs each bucket has, in heads[bucket + 1]."""
    for k in range(len(kept)):
        heads[(kept[k] >> np.uint64(shift)) + np.uint64(1)] += 1


@kernel
def fill(kept: U64, offsets: I32, places: I32, index: Runs, ends: I64) -> None:
    """Write all runs to their buckets; `ends` is a copy of the heads."""
    for k in range(len(kept)):
        bucket = kept[k] >> np.uint64(index.shift)
        at = ends[bucket]
        ends[bucket] = at + 1
        index.tags[at] = np.uint32(kept[k] & np.uint64(0xFFFFFFFF))
        index.places[at], index.offsets[at] = places[k], offsets[k]


@kernel
def search(
    question: int, texts: Texts, asked: Asked, index: Runs, begin: int, stop: int, seen: I32, rows: I32, pairs: I32,
    end: I64, halt: U8,
) -> int:  # fmt: skip
    """Compare queries from `begin` on with their candidates; return where it ended: before `stop` if pairs are full."""
    for number in range(begin, stop):
        i = asked.queries[number]
        start, length = texts.starts[i], texts.starts[i + 1] - texts.starts[i]
        if halt[0] or not is_long(length) or is_answered(question, asked, i):
            continue
        most = limits.edits(length)
        before, state = end[0], GO_ON
        for kind in range(len(SIZES)):
            size = SIZES[kind]
            if size > length or index.used[kind] == 0:
                continue
            hashed = first(texts.points, start, size)
            for p in range(length - size + 1):
                if p > 0:
                    hashed = rolled(hashed, texts.points, start + p + size - 1, size, _POWERS[kind])
                final = told_apart(hashed, kind)
                bucket, tag = final >> np.uint64(index.shift), np.uint32(final & np.uint64(0xFFFFFFFF))
                for at in range(index.heads[bucket], index.heads[bucket + np.uint64(1)]):
                    place = index.places[at]
                    if index.tags[at] != tag or abs(index.offsets[at] - p) > most or seen[place] == number:
                        continue
                    seen[place] = number
                    if least(index.bags, i, asked.reference[place]) > min(most, asked.most):
                        continue
                    state = judge(question, texts, asked, i, place, limits.FAR, rows, pairs, end)
                    if state != GO_ON:
                        break
                if state != GO_ON:
                    break
            if state != GO_ON:
                break
        if state == FULL:
            for place in range(len(seen)):
                seen[place] = -1
            end[0] = before
            return number
    return stop
