"""What is asked about two texts that may be near, and what becomes of the answer."""

from __future__ import annotations

from typing import NamedTuple

from synthpriv_sql.kernels.jit import I32, I64, U8, inner
from synthpriv_sql.kernels.near import limits
from synthpriv_sql.kernels.near.distance import distance
from synthpriv_sql.kernels.near.limits import Texts

ALONE, RETURNING, COUNTED, PAIRED = range(4)
"""Which texts have one of somebody else near them; which have any; how many they have; and which these are."""
GO_ON, STOP, FULL = range(3)


class Asked(NamedTuple):
    """The texts that are compared, by number, and what is known of each.

    queries, reference: int32, numbers of texts. owners: int32 by text, whose it is; -1: of several (ALONE). found:
    uint8 by text, 1 where a query has been found near another one. hit: uint8 by place in the reference, 1 where it is
    near a query that is `wide`: these are compared with the whole reference (RETURNING). weights: int64 by place in the
    reference; sums: int64 by text, those of the texts that are near, and enough: beyond that no more are asked for
    (COUNTED). pairs: int32 (room, 2), the text and the
    place in the reference (PAIRED). Arrays that a question does not need are empty. most: texts that differ by more
    edits are not near, whatever their length.
    """

    queries: I32
    reference: I32
    owners: I32
    found: U8
    hit: U8
    wide: U8
    weights: I64
    sums: I64
    enough: int
    most: int


@inner
def is_answered(question: int, asked: Asked, i: int) -> bool:
    """Say whether nothing more is to be found about a text."""
    if question == ALONE:
        return bool(asked.found[i] == 1)
    if question == COUNTED:
        return bool(asked.sums[i] > asked.enough)
    return bool(question == RETURNING and asked.found[i] == 1 and asked.wide[i] == 0)


@inner
def _is_moot(question: int, asked: Asked, i: int, place: int) -> bool:
    """Say whether it does not matter if a text is near one of the reference."""
    j = asked.reference[place]
    if question == ALONE:
        return bool(i == j or (asked.owners[i] == asked.owners[j] and asked.owners[i] >= 0))
    return bool(i == j or (question == RETURNING and asked.found[i] == 1 and asked.hit[place] == 1))


@inner
def _note(question: int, asked: Asked, i: int, place: int, pairs: I32, end: I64) -> int:
    """Write down that a text is near one of the reference."""
    if question == COUNTED:
        asked.sums[i] += asked.weights[place]
        return STOP if asked.sums[i] > asked.enough else GO_ON
    if question == PAIRED:
        if end[0] == len(pairs):
            return FULL
        pairs[end[0], 0], pairs[end[0], 1] = i, place
        end[0] += 1
        return GO_ON
    asked.found[i] = 1
    if question == ALONE:
        asked.found[asked.reference[place]] = 1
    elif asked.wide[i]:
        asked.hit[place] = 1
        return GO_ON
    return STOP


@inner
def judge(
    question: int, texts: Texts, asked: Asked, i: int, place: int, way: int, rows: I32, pairs: I32, end: I64
) -> int:  # fmt: skip
    """Compare text i with the one at a place of the reference; say whether to go on with others."""
    if _is_moot(question, asked, i, place):
        return GO_ON
    start, other = texts.starts[i], texts.starts[asked.reference[place]]
    length, other_length = texts.starts[i + 1] - start, texts.starts[asked.reference[place] + 1] - other
    shorter = min(length, other_length)
    most = min(limits.edits(shorter), asked.most)
    if limits.way_of(shorter) != way or distance(texts.points, start, length, other, other_length, most, rows) > most:
        return GO_ON
    return int(_note(question, asked, i, place, pairs, end))
