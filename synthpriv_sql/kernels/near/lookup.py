"""Candidates by what is left of texts without some characters: an index of the reference, and its search."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from synthpriv_sql.kernels.jit import I32, I64, U8, U32, U64, inner, kernel
from synthpriv_sql.kernels.near import deletions, halves, limits
from synthpriv_sql.kernels.near.bags import least, least_by_sign
from synthpriv_sql.kernels.near.judging import FULL, GO_ON, Asked, is_answered, judge
from synthpriv_sql.kernels.near.limits import Texts

FILTER = 3
"""The filter has 2 ** FILTER bits a bucket."""


class Rests(NamedTuple):
    """Places in the reference by the hash of what they leave: those of bucket b from heads[b] to heads[b + 1].

    tags: digits of the hash, of short texts; signs: of the text, see `bags`, of others; places: that of the text.
    known: a bit for each hash, by its first digits, of which most are not there. way: `limits.SHORT`, `limits.HALVES`
    or `limits.LONGER_HALVES`. kinds: uint8 (places, 2), which halves are kept of each. bags, own_signs: of all texts.
    """

    heads: I64
    tags: U32
    signs: U64
    places: I32
    known: U64
    shift: int
    way: int
    kinds: U8
    bags: U8
    own_signs: U64


@inner
def _of_reference(texts: Texts, i: int, way: int, kinds: U8, most: int, prefixes: U64, out: U64) -> int:
    if way == limits.SHORT:
        return int(deletions.rests(texts, i, most, prefixes, out))
    return int(halves.of_reference(texts, i, way - limits.HALVES, kinds, most, prefixes, out))


@kernel
def count(
    texts: Texts, reference: I32, most: int, way: int, kinds: U8, shift: int, heads: I64, prefixes: U64, out: U64
) -> None:  # fmt: skip
    """Add up how many rests each bucket has, in heads[bucket + 1]."""
    for place in range(len(reference)):
        for k in range(_of_reference(texts, reference[place], way, kinds[place], most, prefixes, out)):
            heads[(out[k] >> np.uint64(shift)) + np.uint64(1)] += 1


@kernel
def fill(texts: Texts, reference: I32, most: int, index: Rests, ends: I64, prefixes: U64, out: U64) -> None:
    """Write all rests to their buckets; `ends` is a copy of the heads."""
    for place in range(len(reference)):
        for k in range(_of_reference(texts, reference[place], index.way, index.kinds[place], most, prefixes, out)):
            bucket = out[k] >> np.uint64(index.shift)
            at = ends[bucket]
            ends[bucket] = at + 1
            if index.way == limits.SHORT:
                index.tags[at] = np.uint32(out[k] & np.uint64(0xFFFFFFFF))
            else:
                index.signs[at] = index.own_signs[reference[place]]
            index.places[at] = place
            bit = out[k] >> np.uint64(index.shift - FILTER)
            index.known[bit >> np.uint64(6)] |= np.uint64(1) << (bit & np.uint64(63))


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
        most = min(limits.edits(texts.starts[i + 1] - texts.starts[i]), asked.most)
        if index.way == limits.SHORT:
            size = deletions.rests(texts, i, asked.most, prefixes, out)
        else:
            size = halves.of_query(texts, i, index.way - limits.HALVES, asked.most, prefixes, out)
        for k in range(size):
            bit = out[k] >> np.uint64(index.shift - FILTER)
            if (index.known[bit >> np.uint64(6)] >> (bit & np.uint64(63))) & np.uint64(1) == 0:
                continue
            bucket, tag = out[k] >> np.uint64(index.shift), np.uint32(out[k] & np.uint64(0xFFFFFFFF))
            for at in range(index.heads[bucket], index.heads[bucket + np.uint64(1)]):
                if index.way == limits.SHORT:
                    if index.tags[at] != tag:
                        continue
                elif least_by_sign(index.own_signs[i], index.signs[at]) > most:
                    continue
                place = index.places[at]
                if seen[place] == number:
                    continue
                seen[place] = number
                if index.way != limits.SHORT and least(index.bags, i, asked.reference[place]) > most:
                    continue
                state = judge(question, texts, asked, i, place, index.way, rows, pairs, end)
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
