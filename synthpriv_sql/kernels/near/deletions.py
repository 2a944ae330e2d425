"""Candidates among short texts: those that become equal where at most two characters of each are left out.

Each edit leaves a text with at most one character that has to go, a swap as well; so near texts have such a rest in
common (Bocek, Hunt and Stiller 2007; Mor and Fraenkel 1982).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from synthpriv_sql.kernels.jit import I32, I64, U8, U32, U64, inner, kernel
from synthpriv_sql.kernels.near import limits
from synthpriv_sql.kernels.near.judging import FULL, GO_ON, Asked, is_answered, judge
from synthpriv_sql.kernels.near.limits import Texts

END = limits.LONG + 2
"""Texts of this length or more have none nearby that is short."""
RESTS = 1 + END + END * END // 2
"""At least the rests that a text has."""
BASE = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
POWERS = np.array([pow(int(BASE), k, 2**64) for k in range(END + 1)], np.uint64)


class Rests(NamedTuple):
    """Places in the reference by the hash of what they leave: those of bucket b from heads[b] to heads[b + 1]."""

    heads: I64
    tags: U32
    places: I32
    shift: int


@inner
def mixed(value: np.uint64) -> np.uint64:
    """Spread the bits of a hash."""
    value = (value ^ (value >> np.uint64(30))) * _MIX
    return value ^ (value >> np.uint64(29))


@inner
def rests(texts: Texts, i: int, most: int, prefixes: U64, out: U64) -> int:
    """Write the hashes of what remains of a text without `most` characters, or as many as near ones may differ by."""
    start, length = texts.starts[i], texts.starts[i + 1] - texts.starts[i]
    if length < limits.SHORTEST or length >= END:
        return 0
    points = texts.points
    hashed = np.uint64(0)
    prefixes[0] = hashed
    for p in range(length):
        hashed = hashed * BASE + np.uint64(points[start + p]) + np.uint64(1)
        prefixes[p + 1] = hashed
    out[0] = mixed(hashed)
    count = 1
    twice = min(limits.edits(length), most) > 1
    for p in range(length if most > 0 else 0):
        # In a run of one character the first ones go.
        if p > 0 and points[start + p] == points[start + p - 1]:
            continue
        tail = length - p - 1
        once = prefixes[p] * POWERS[tail] + hashed - prefixes[p + 1] * POWERS[tail]
        out[count] = mixed(once)
        count += 1
        if twice:
            for q in range(p + 1, length):
                if q > p + 1 and points[start + q] == points[start + q - 1]:
                    continue
                tail = length - q - 1
                between = prefixes[p] * POWERS[q - p - 1] + prefixes[q] - prefixes[p + 1] * POWERS[q - p - 1]
                out[count] = mixed(between * POWERS[tail] + hashed - prefixes[q + 1] * POWERS[tail])
                count += 1
    return count


@kernel
def count(texts: Texts, reference: I32, most: int, shift: int, heads: I64, prefixes: U64, out: U64) -> None:
    """Add up how many rests each bucket has, in heads[bucket + 1]."""
    for place in range(len(reference)):
        for k in range(rests(texts, reference[place], most, prefixes, out)):
            heads[(out[k] >> np.uint64(shift)) + np.uint64(1)] += 1


@kernel
def fill(texts: Texts, reference: I32, most: int, index: Rests, ends: I64, prefixes: U64, out: U64) -> None:
    """Write all rests to their buckets; `ends` is a copy of the heads."""
    for place in range(len(reference)):
        for k in range(rests(texts, reference[place], most, prefixes, out)):
            bucket = out[k] >> np.uint64(index.shift)
            at = ends[bucket]
            ends[bucket] = at + 1
            index.tags[at] = np.uint32(out[k] & np.uint64(0xFFFFFFFF))
            index.places[at] = place


@kernel
def search(
    question: int, texts: Texts, asked: Asked, index: Rests, begin: int, stop: int, seen: I32, prefixes: U64, out: U64,
    rows: I32, pairs: I32, end: I64, halt: U8,
) -> int:  # fmt: skip
    """Compare queries from `begin` on with their candidates; return where it ended: before `stop` if pairs are full."""
    for number in range(begin, stop):
        i = asked.queries[number]
        if halt[0] or is_answered(question, asked, i):
            continue
        kept, state = end[0], GO_ON
        for k in range(rests(texts, i, asked.most, prefixes, out)):
            bucket, tag = out[k] >> np.uint64(index.shift), np.uint32(out[k] & np.uint64(0xFFFFFFFF))
            for at in range(index.heads[bucket], index.heads[bucket + np.uint64(1)]):
                place = index.places[at]
                if index.tags[at] != tag or seen[place] == number:
                    continue
                seen[place] = number
                state = judge(question, texts, asked, i, place, False, rows, pairs, end)
                if state != GO_ON:
                    break
            if state != GO_ON:
                break
        if state == FULL:
            for place in range(len(seen)):
                seen[place] = -1
            end[0] = kept
            return number
    return stop
