"""Candidates by hashes that near texts have in common: an index of the reference, and its search."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from synthpriv_sql.kernels.jit import I32, I64, U8, U64, inner, kernel
from synthpriv_sql.kernels.near import bags, deletions, grams, halves, limits
from synthpriv_sql.kernels.near.judging import FULL, GO_ON, Asked, is_answered, judge
from synthpriv_sql.kernels.near.limits import Texts
from synthpriv_sql.kernels.simd.lanes import prefetch
from synthpriv_sql.kernels.simd.signs import next_within

FILTER = 3
"""The filter has 2 ** FILTER bits a bucket, of which each hash sets three of one word."""
_TAG = np.uint64(32)
_PIECE = np.uint64(0xFFFFFFFF)
_AHEAD = 64
"""What is not in the cache is asked for in advance, for so many hashes at a time."""


class Pieces(NamedTuple):
    """What is looked up of the reference: short texts themselves, or pieces of longer ones.

    texts: of short texts, their numbers; of beginnings and ends, that of a text which has it. sides: 0 for beginnings,
    1 for ends; kinds: their sizes. hashes: of runs of characters.
    Piece p is one of the texts at places members[firsts[p]] to members[firsts[p + 1]] of the reference;
    signs: by member, see `halves.signs`, and some more at the end; offsets: by member, where its run is in the text.
    Arrays that a way does not need are empty.
    """

    texts: I32
    sides: U8 = np.zeros(0, np.uint8)
    kinds: U8 = np.zeros(0, np.uint8)
    hashes: U64 = np.zeros(0, np.uint64)
    offsets: I32 = np.zeros(0, np.int32)
    firsts: I64 = np.zeros(1, np.int64)
    members: I32 = np.zeros(0, np.int32)
    signs: U64 = np.zeros(0, np.uint64)


class Index(NamedTuple):
    """Pieces of the reference by their hashes: those of bucket b from heads[b] to heads[b + 1].

    entries: digits of the hash, then the piece. known: bits of each hash (Bloom 1970), by which most others are told.
    way: one of `limits.SHORT` and the others. used: by length of runs, how long texts are that keep some: int64 (sizes,
    2). bags: of all texts.
    """

    heads: I32
    entries: U64
    known: U64
    shift: int
    way: int
    pieces: Pieces
    used: I64
    bags: U8


class Scratch(NamedTuple):
    """Room of a thread: what it has looked at, pieces before texts; and hashes, signs and distances of a text."""

    seen: I32
    prefixes: U64
    out: U64
    offsets: I32
    signs: U64
    rows: I32


@inner
def _of_piece(texts: Texts, pieces: Pieces, p: int, way: int, most: int, prefixes: U64, out: U64) -> int:
    if way == limits.SHORT:
        return int(deletions.rests(texts, pieces.texts[p], most, prefixes, out))
    if way == limits.FAR:
        out[0] = pieces.hashes[p]
        return 1
    side, kind = pieces.sides[p], pieces.kinds[p]
    return int(halves.of_piece(texts, pieces.texts[p], way - limits.HALVES, side, kind, most, prefixes, out))


@kernel
def count(
    texts: Texts, pieces: Pieces, size: int, most: int, way: int, shift: int, heads: I32, prefixes: U64, out: U64
) -> None:  # fmt: skip
    """Add up how many hashes of so many pieces each bucket has, in heads[bucket + 1]."""
    for p in range(size):
        for k in range(_of_piece(texts, pieces, p, way, most, prefixes, out)):
            heads[(out[k] >> np.uint64(shift)) + np.uint64(1)] += 1


@kernel
def fill(texts: Texts, size: int, most: int, index: Index, ends: I32, prefixes: U64, out: U64) -> None:
    """Write all hashes to their buckets; `ends` is a copy of the heads."""
    for p in range(size):
        for k in range(_of_piece(texts, index.pieces, p, index.way, most, prefixes, out)):
            bucket = out[k] >> np.uint64(index.shift)
            at = ends[bucket]
            ends[bucket] = at + 1
            index.entries[at] = (out[k] << _TAG) | np.uint64(p)
            index.known[out[k] >> np.uint64(index.shift - FILTER + 6)] |= _bits(out[k])


@inner
def _bits(hashed: np.uint64) -> np.uint64:
    """Return the bits of a hash in its word of the filter, by digits that no hash leaves out."""
    one, six = np.uint64(1), np.uint64(63)
    bits = one << ((hashed >> np.uint64(14)) & six) | one << ((hashed >> np.uint64(20)) & six)
    return np.uint64(bits | one << ((hashed >> np.uint64(26)) & six))


@inner
def _of_query(texts: Texts, i: int, index: Index, most: int, room: Scratch) -> int:
    if index.way == limits.SHORT:
        return int(deletions.rests(texts, i, most, room.prefixes, room.out))
    if index.way == limits.FAR:
        most = min(limits.edits(texts.starts[i + 1] - texts.starts[i]), most)
        return int(grams.of_query(texts, i, index.used, most, room.prefixes, room.out, room.offsets))
    halves.signs(texts, i, index.way - limits.HALVES, room.signs)
    return int(halves.of_query(texts, i, index.way - limits.HALVES, most, room.prefixes, room.out))


@inner
def _keep_known(index: Index, size: int, room: Scratch) -> int:
    """Leave out the hashes that are not in the index; return how many are left."""
    end = np.int64(0)
    for k in range(size):
        word, bits = index.known[room.out[k] >> np.uint64(index.shift - FILTER + 6)], _bits(room.out[k])
        room.out[end] = room.out[k]
        if index.way == limits.FAR:
            room.offsets[end] = room.offsets[k]
        end += np.int64((word & bits) == bits)
    return int(end)


@inner
def _ask_for(index: Index, begin: int, stop: int, out: U64) -> None:
    """Have the cache loaded with what the hashes from `begin` to `stop` lead to."""
    for k in range(begin, stop):
        bucket = np.int64(out[k] >> np.uint64(index.shift))
        prefetch(index.heads, bucket, bucket + 1)
    for k in range(begin, stop):
        head = np.int64(index.heads[out[k] >> np.uint64(index.shift)])
        prefetch(index.entries, head, head + 1)
    if index.way == limits.SHORT:
        return
    for k in range(begin, stop):
        bucket = out[k] >> np.uint64(index.shift)
        for at in range(index.heads[bucket], index.heads[bucket + np.uint64(1)]):
            if ((index.entries[at] ^ (out[k] << _TAG)) >> _TAG) == 0:
                piece = np.int64(index.entries[at] & _PIECE)
                prefetch(index.pieces.firsts, piece, piece + 1)
    for k in range(begin, stop):
        bucket = out[k] >> np.uint64(index.shift)
        for at in range(index.heads[bucket], index.heads[bucket + np.uint64(1)]):
            if ((index.entries[at] ^ (out[k] << _TAG)) >> _TAG) == 0:
                first = index.pieces.firsts[np.int64(index.entries[at] & _PIECE)]
                if index.way == limits.FAR:
                    prefetch(index.pieces.offsets, first, first + 1)
                    prefetch(index.pieces.members, first, first + 1)
                else:
                    prefetch(index.pieces.signs, first, first + 1)


@inner
def _next(index: Index, m: int, last: int, sign: np.uint64, offsets: I32, k: int, most: int) -> int:
    """Return the first member of a piece from `m` on that may be near a text; `last` if there is none.

    sign: of the text beside the piece. offsets: where its hashes are, of which k is that of the piece.
    """
    if index.way == limits.FAR:
        while m < last and abs(index.pieces.offsets[m] - offsets[k]) > most:
            m += 1
        return m
    return m if index.way == limits.SHORT else int(next_within(index.pieces.signs, m, last, sign, most))


@kernel
def search(
    question: int, texts: Texts, asked: Asked, index: Index, begin: int, stop: int, room: Scratch, pairs: I32, end: I64,
    halt: U8,
) -> int:  # fmt: skip
    """Compare queries from `begin` on with their candidates; return where it ended: before `stop` if pairs are full."""
    seen, pieces, way = room.seen, index.pieces, index.way
    for number in range(begin, stop):
        i = asked.queries[number]
        if halt[0] or is_answered(question, asked, i):
            continue
        kept, state = end[0], GO_ON
        most = min(limits.edits(texts.starts[i + 1] - texts.starts[i]), asked.most)
        size = _keep_known(index, _of_query(texts, i, index, asked.most, room), room)
        for k in range(size):
            if k % _AHEAD == 0:
                _ask_for(index, k, min(size, k + _AHEAD), room.out)
            bucket, tag = room.out[k] >> np.uint64(index.shift), room.out[k] << _TAG
            for at in range(index.heads[bucket], index.heads[bucket + np.uint64(1)]):
                piece = np.int64(index.entries[at] & _PIECE)
                if ((index.entries[at] ^ tag) >> _TAG) != 0:
                    continue
                first, last, sign = piece, piece + 1, np.uint64(0)
                if way == limits.FAR:  # a text may have a run at several places
                    first, last = pieces.firsts[piece], pieces.firsts[piece + 1]
                else:
                    if seen[piece] == number:
                        continue
                    seen[piece] = number
                    if way != limits.SHORT:
                        first, last = pieces.firsts[piece], pieces.firsts[piece + 1]
                        sign = room.signs[pieces.sides[piece], pieces.kinds[piece] % halves.KINDS]
                m = first - 1
                while True:
                    m = _next(index, m + 1, last, sign, room.offsets, k, most)
                    if m == last:
                        break
                    place = np.int64(m) if way == limits.SHORT else np.int64(pieces.members[m])
                    if way != limits.SHORT:
                        text = len(pieces.firsts) + place
                        if seen[text] == number:
                            continue
                        seen[text] = number
                        if bags.least(index.bags, i, asked.reference[place]) > most:
                            continue
                    state = judge(question, texts, asked, i, place, way, room.rows, pairs, end)
                    if state != GO_ON:
                        break
                if state != GO_ON:
                    break
            if state != GO_ON:
                break
        if state == FULL:
            seen[:] = -1
            end[0] = kept
            return number
    return stop
