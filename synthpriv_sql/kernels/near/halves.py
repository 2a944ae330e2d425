"""Candidates among texts of middle length, which may differ by three edits at most: beginning or end differs by one.

A beginning and an end are kept of each text, which do not touch each other, so no edit changes both. Near texts have
one of them with one edit at most; so what is left of it without a character is what is left of a beginning, or an end,
of the other. Where near texts differ by two edits at most, one of both, beginning or end, need only be looked up as it
is. Of several lengths, those are kept that are the rarest in the queries: many addresses end with a domain.
Equal beginnings of several texts are one piece: it is found once, not once for each character that may be left out. Of
its texts, those go first whose characters behind the piece differ too much (`signs`).
"""

from __future__ import annotations

import numpy as np

from synthpriv_sql.kernels.jit import I32, I64, U8, U32, U64, inner, kernel
from synthpriv_sql.kernels.near import limits
from synthpriv_sql.kernels.near.hashes import between, hash_prefixes, mixed, without
from synthpriv_sql.kernels.near.limits import Texts

LENGTHS = np.array([[limits.MIDDLE, limits.LONGER + 2], [limits.LONGER, limits.LONG + 3]], np.int64)
"""The lengths of texts, by way: from which on, and from which on no text of middle length is near."""
SIZES = np.array([[5, 8, 11, 14, 17], [8, 11, 14, 17, 20]], np.int64)
"""Characters of beginnings and ends, by way."""
KINDS = SIZES.shape[1]
"""Pieces of the kinds from this one on are those of the first kinds again, as they are: without an edit."""
RESTS = int(2 * (2 * SIZES + 4).sum(axis=1).max())
"""At least the rests that a text has."""
SKETCH = 21
"""How often beginnings and ends occur is counted in 2 ** SKETCH places, by their hashes."""
SAMPLE = 1 << 16
"""So many of the queries are counted, about."""
SIGNS = 2, KINDS
"""The shape of the signs of a text."""
_LESS = 2
"""With one edit, they are counted without their last characters: others are as frequent."""
_ENDING = np.uint64(0x632BE59BD9B4E019)
_WHOLE = np.uint64(0xD1B54A32D192ED03)


def rests(way: int) -> I64:
    """Return how many hashes a piece of each kind has at most."""
    return np.concatenate([1 + SIZES[way], np.ones(KINDS, np.int64)])


@inner
def _takes_part(length: int, way: int) -> bool:
    """Say whether texts of this length are found in this way, the first (0) or the second (1) of halves."""
    return bool(length >= LENGTHS[way, 0] and length < LENGTHS[way, 1])


@inner
def _told_apart(hashed: np.uint64, ending: bool, whole: bool = False) -> np.uint64:
    """Return the hash of what is left of a beginning or an end; `whole`: of one that is kept as it is."""
    hashed = hashed + _WHOLE if whole else hashed
    return np.uint64(mixed(hashed + _ENDING if ending else hashed))


@inner
def _without_one(
    texts: Texts, start: int, first: int, last: int, ending: bool, prefixes: U64, out: U64, count: int
) -> int:  # fmt: skip
    """Write what is left of a piece without each of its characters, in a run of one character the first."""
    for p in range(first, last):
        if p > first and texts.points[start + p] == texts.points[start + p - 1]:
            continue
        rest = without(prefixes, first, p, last)
        out[count] = _told_apart(rest, ending)
        count += 1
    return count


@inner
def of_query(texts: Texts, i: int, way: int, most: int, prefixes: U64, out: U64) -> int:
    """Write what is left of all beginnings and ends that pieces of a near text may have become."""
    start, length = texts.starts[i], texts.starts[i + 1] - texts.starts[i]
    if not _takes_part(length, way):
        return 0
    hash_prefixes(texts, start, length, prefixes)
    count = 0
    for side in range(2):
        for kind in range(KINDS):
            if way == 0:
                first = length - SIZES[way, kind] if side == 1 else 0
                hashed = between(prefixes, first, first + SIZES[way, kind])
                out[count] = _told_apart(hashed, side == 1, whole=True)
                count += 1
            for size in range(SIZES[way, kind] - 1, SIZES[way, kind] + 2):
                first = length - size if side == 1 else 0
                if size <= SIZES[way, kind] and (size == SIZES[way, kind] or most > 1):
                    out[count] = _told_apart(between(prefixes, first, first + size), side == 1)
                    count += 1
                if size >= SIZES[way, kind] and most > 1:
                    count = _without_one(texts, start, first, first + size, side == 1, prefixes, out, count)
    return count


@kernel
def pieces(texts: Texts, reference: I32, way: int, kinds: U8, prefixes: U64, out: U64) -> None:
    """Write the hashes of the beginning and the end that are kept of each text; out: uint64 (places, 2)."""
    for place in range(len(reference)):
        i = reference[place]
        start, length = texts.starts[i], texts.starts[i + 1] - texts.starts[i]
        hash_prefixes(texts, start, length, prefixes)
        for side in range(2):
            kind = kinds[place, side]
            size = SIZES[way, kind % KINDS]
            first = length - size if side == 1 else 0
            out[place, side] = _told_apart(between(prefixes, first, first + size), side == 1, kind >= KINDS)


@inner
def of_piece(texts: Texts, i: int, way: int, side: int, kind: int, most: int, prefixes: U64, out: U64) -> int:
    """Write what is left of the beginning, or the end (side 1), of this kind of a text."""
    start, length = texts.starts[i], texts.starts[i + 1] - texts.starts[i]
    hash_prefixes(texts, start, length, prefixes)
    size = SIZES[way, kind % KINDS]
    first = length - size if side == 1 else 0
    out[0] = _told_apart(between(prefixes, first, first + size), side == 1, kind >= KINDS)
    if most > 1 and kind < KINDS:
        return int(_without_one(texts, start, first, first + size, side == 1, prefixes, out, 1))
    return 1


@inner
def _with_one(sign: np.uint64, point: np.uint32) -> np.uint64:
    """Return a sign of characters, and one more: by place, whether there is one, and in the upper half whether two."""
    bit = np.uint64(1) << np.uint64(point % np.uint32(32))
    return np.uint64(sign | bit | ((sign & bit) << np.uint64(32)))


@inner
def signs(texts: Texts, i: int, way: int, out: U64) -> None:
    """Write the signs of what follows each beginning of a text, and of what is before each end; out: uint64 (2, kinds).

    Two near texts are cut after as many characters, wherever the edits are: what is left of both differs by no more
    characters than there are edits, in numbers of each, since an edit before the cut moves it by at most one.
    """
    start, end = texts.starts[i], texts.starts[i + 1]
    for side in range(2):
        sign, taken = np.uint64(0), np.int64(0)
        for kind in range(KINDS - 1, -1, -1):
            while taken < end - start - SIZES[way, kind]:
                taken += 1
                sign = _with_one(sign, texts.points[end - taken if side == 0 else start + taken - 1])
            out[side, kind] = sign


@kernel
def sign_members(
    texts: Texts, reference: I32, members: I32, way: int, sides: U8, kinds: U8, scratch: U64, out: U64
) -> None:
    """Write for each text of each piece its sign beside that piece; sides, kinds: by member."""
    for m in range(len(members)):
        signs(texts, reference[members[m]], way, scratch)
        out[m] = scratch[sides[m], kinds[m] % KINDS]


@inner
def _counted(way: int, kind: int, side: int, length: int, prefixes: U64) -> np.uint64:
    """Return the hash of what is counted for pieces of a kind."""
    size = SIZES[way, kind % KINDS] - (_LESS if kind < KINDS else 0)
    first = length - size if side == 1 else 0
    return np.uint64(_told_apart(between(prefixes, first, first + size), side == 1, kind >= KINDS))


@kernel
def frequencies(texts: Texts, queries: I32, way: int, prefixes: U64, sketch: U32) -> None:
    """Count the beginnings and ends of the queries."""
    shift = np.uint64(64 - SKETCH)
    for number in range(len(queries)):
        i = queries[number]
        start, length = texts.starts[i], texts.starts[i + 1] - texts.starts[i]
        if not _takes_part(length, way):
            continue
        hash_prefixes(texts, start, length, prefixes)
        for side in range(2):
            for kind in range(2 * KINDS if way == 0 else KINDS):
                sketch[_counted(way, kind, side, length, prefixes) >> shift] += 1


@kernel
def choose(texts: Texts, reference: I32, way: int, sketch: U32, prefixes: U64, costs: I64, kinds: U8) -> None:
    """Choose the beginning and the end of each text of the reference that are the rarest together.

    costs: int64 (2, 2 * KINDS), scratch. kinds: uint8 (places, 2).
    """
    shift = np.uint64(64 - SKETCH)
    for place in range(len(reference)):
        i = reference[place]
        start, length = texts.starts[i], texts.starts[i + 1] - texts.starts[i]
        if not _takes_part(length, way):
            continue
        hash_prefixes(texts, start, length, prefixes)
        for side in range(2):
            for kind in range(2 * KINDS if way == 0 else KINDS):
                costs[side, kind] = sketch[_counted(way, kind, side, length, prefixes) >> shift]
        least, longest = np.int64(1) << 60, np.int64(0)
        for whole in range(2 if way == 0 else 1):  # which of both is looked up as it is
            for one in range(KINDS):
                for other in range(KINDS):
                    size = SIZES[way, one] + SIZES[way, other]
                    if size + 1 > length:
                        continue
                    beginning, ending = one, other
                    if way == 0:
                        beginning, ending = one + KINDS * (1 - whole), other + KINDS * whole
                    cost = costs[0, beginning] + costs[1, ending]
                    # Of equally rare ones the longest.
                    if cost < least or (cost == least and size > longest):
                        least, longest = cost, size
                        kinds[place, 0], kinds[place, 1] = beginning, ending
