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
    """Pieces of the reference by the hash of what they leave: those of bucket b from heads[b] to heads[b + 1].

    A piece is a short text, by its place in the reference, or a beginning or an end that other texts have in common.
    tags: digits of the hash. places: that of the piece. known: a bit for each hash, by its first digits, of which most
    are not there. way: `limits.SHORT`, `limits.HALVES` or `limits.LONGER_HALVES`. Of a beginning or an end, firsts[p]
    to firsts[p + 1] are its texts: signs, see `bags`, and members, their places in the reference. bags, own_signs: of
    all texts.
    """

    heads: I64
    tags: U32
    places: I32
    known: U64
    shift: int
    way: int
    firsts: I64
    signs: U64
    members: I32
    bags: U8
    own_signs: U64


class Pieces(NamedTuple):
    """Where the pieces of the reference are: texts; side: 0 for beginnings, 1 for ends; kinds: their sizes.

    Of short texts, which are pieces themselves, sides and kinds are empty.
    """

    texts: I32
    sides: U8
    kinds: U8


@inner
def _of_piece(texts: Texts, pieces: Pieces, p: int, way: int, most: int, prefixes: U64, out: U64) -> int:
    if way == limits.SHORT:
        return int(deletions.rests(texts, pieces.texts[p], most, prefixes, out))
    side, kind = pieces.sides[p], pieces.kinds[p]
    return int(halves.of_piece(texts, pieces.texts[p], way - limits.HALVES, side, kind, most, prefixes, out))


@kernel
def count(
    texts: Texts, pieces: Pieces, most: int, way: int, shift: int, heads: I64, prefixes: U64, out: U64
) -> None:  # fmt: skip
    """Add up how many rests each bucket has, in heads[bucket + 1]."""
    for p in range(len(pieces.texts)):
        for k in range(_of_piece(texts, pieces, p, way, most, prefixes, out)):
            heads[(out[k] >> np.uint64(shift)) + np.uint64(1)] += 1


@kernel
def fill(texts: Texts, pieces: Pieces, most: int, index: Rests, ends: I64, prefixes: U64, out: U64) -> None:
    """Write all rests to their buckets; `ends` is a copy of the heads."""
    for p in range(len(pieces.texts)):
        for k in range(_of_piece(texts, pieces, p, index.way, most, prefixes, out)):
            bucket = out[k] >> np.uint64(index.shift)
            at = ends[bucket]
            ends[bucket] = at + 1
            index.tags[at], index.places[at] = np.uint32(out[k] & np.uint64(0xFFFFFFFF)), p
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
                piece = index.places[at]
                if index.tags[at] != tag or seen[piece] == number:
                    continue
                seen[piece] = number
                first, last = np.int64(piece), np.int64(piece) + 1
                if index.way != limits.SHORT:
                    first, last = index.firsts[piece], index.firsts[piece + 1]
                for m in range(first, last):
                    place = np.int64(m)
                    if index.way != limits.SHORT:
                        if least_by_sign(index.own_signs[i], index.signs[m]) > most:
                            continue
                        place = np.int64(index.members[m])
                        text = len(index.firsts) + place
                        if seen[text] == number:
                            continue
                        seen[text] = number
                        if least(index.bags, i, asked.reference[place]) > most:
                            continue
                    state = judge(question, texts, asked, i, place, index.way, rows, pairs, end)
                    if state != GO_ON:
                        break
                if state != GO_ON:
                    break
            if state != GO_ON:
                break
        if state == FULL:
            for piece in range(len(seen)):
                seen[piece] = -1
            end[0] = kept
            return number
    return stop
