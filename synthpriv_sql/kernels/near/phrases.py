"""Runs of words as 64-bit numbers; two of a billion different runs have one number with a probability of 3 %."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.kernels.jit import I64, U8, U32, U64, kernel
from synthpriv_sql.kernels.near import limits
from synthpriv_sql.kernels.near.hashes import BASE, mixed
from synthpriv_sql.kernels.near.limits import Texts


class Words(NamedTuple):
    """The words of all texts, as numbers, one text after another, and the text of each word."""

    numbers: U64
    texts: I64


@kernel
def _words(points: U32, starts: I64, is_letter: U8, numbers: U64, of_texts: I64) -> int:
    """Write the number of each word, and its text; return how many words there are."""
    count = 0
    for i in range(len(starts) - 1):
        hashed, inside = np.uint64(0), False
        for p in range(starts[i], starts[i + 1]):
            if is_letter[points[p]]:
                hashed, inside = hashed * BASE + np.uint64(points[p]) + np.uint64(1), True
            elif inside:
                numbers[count], of_texts[count] = mixed(hashed), i
                count, hashed, inside = count + 1, np.uint64(0), False
        if inside:
            numbers[count], of_texts[count] = mixed(hashed), i
            count += 1
    return count


def words(texts: Texts) -> Words:
    """Return the words of texts: runs of letters, digits and marks."""
    points, starts = texts
    known = np.unique(points)
    is_letter = np.zeros(int(known.max(initial=0)) + 1, np.uint8)
    is_letter[known] = [unicodedata.category(chr(point))[0] in "LNM" for point in known.tolist()]
    room = len(points) // 2 + len(starts)
    numbers, of_texts = np.zeros(room, np.uint64), np.zeros(room, np.int64)
    size = _words(points, starts, is_letter, numbers, of_texts)
    return Words(numbers[:size], of_texts[:size])


def runs(known: Words, length: int) -> Words:
    """Return the runs of so many words, as `words` does words."""
    size = len(known.numbers) - length + 1
    if size <= 0:
        return Words(np.zeros(0, np.uint64), np.zeros(0, np.int64))
    numbers = np.zeros(size, np.uint64)
    for step in range(length):
        numbers *= BASE
        numbers += known.numbers[step : step + size]
    numbers ^= numbers >> np.uint64(31)
    numbers *= np.uint64(0x94D049BB133111EB)
    whole = known.texts[:size] == known.texts[length - 1 :]
    return Words(numbers[whole], known.texts[:size][whole])


class Returning(NamedTuple):
    """Owners who have a run that nobody else has, those of whom one comes back, and for each text whether it has one.

    owners, back: int64. texts: bool (texts,), for the runs of owners of one side.
    """

    owners: I64
    back: I64
    texts: NDArray[np.bool_]


def returning(known: Words, owners: I64, fresh: NDArray[np.bool_], side: int) -> Returning:
    """Say whose runs come back.

    Parameters
    ----------
    known
        The runs of all texts.
    owners : int64 (texts,)
        Whose each text is: -1 is several people's, -2 nobody's.
    fresh : bool (texts,)
        Which texts the synthetic table has.
    side
        The texts of `Returning` have a run of an owner whose number is even (0), or odd (1).
    """
    of_runs = owners[known.texts]
    real, here = of_runs != -2, fresh[known.texts]
    order = np.argsort(known.numbers[real], kind="stable")
    numbers, whose = known.numbers[real][order], of_runs[real][order]
    begin = np.flatnonzero(np.diff(numbers, prepend=numbers[:1] ^ np.uint64(1)) != 0)
    least, most = (ufunc.reduceat(whose, begin) if len(begin) else begin for ufunc in (np.minimum, np.maximum))
    lone = (least == most) & (least >= 0)
    numbers, whose = numbers[begin][lone], least[lone]
    ours = known.numbers[here]
    back = np.isin(numbers, ours)
    found = np.zeros(len(owners), bool)
    found[known.texts[here][np.isin(ours, numbers[back & (whose % 2 == side)])]] = True
    return Returning(np.unique(whose), np.unique(whose[back]), found)


class Pairs(NamedTuple):
    """Owners and texts: each pair once, with the words of the longest run that counts. All int64."""

    sizes: I64
    owners: I64
    texts: I64


_FAR = int(np.iinfo(np.int64).max)


def shared(known: Words, owners: I64, fresh: NDArray[np.bool_], least: int, most: int) -> tuple[Pairs, Pairs]:
    """Return who has words in a row that nobody else has and a synthetic text has, too.

    Parameters
    ----------
    known
        The words of all texts.
    owners : int64 (texts,)
        Whose each text is: -1 is several people's, -2 nobody's.
    fresh : bool (texts,)
        Which texts the synthetic table has.
    least, most
        From how many words on they count, and up to how many.

    Returns
    -------
    tuple
        Owners and the synthetic texts with such runs of theirs; owners and their own texts with such runs.
    """
    counts = np.bincount(known.texts, minlength=1)
    if counts.max() > limits.LONGEST:
        # Only the first words of very long texts count.
        place = np.arange(len(known.texts)) - np.repeat(np.cumsum(counts) - counts, counts)
        known = Words(known.numbers[place < limits.LONGEST], known.texts[place < limits.LONGEST])
    found: tuple[list[Pairs], list[Pairs]] = ([], [])
    size = least
    at = np.flatnonzero(known.texts[: max(len(known.texts) - size + 1, 0)] == known.texts[size - 1 :])
    while len(at) and size <= most:
        hashed = np.zeros(len(at), np.uint64)
        for step in range(size):
            hashed = hashed * BASE + known.numbers[at + step]
        order = np.argsort(hashed)
        begin = np.flatnonzero(np.diff(hashed[order], prepend=hashed[order[:1]] ^ np.uint64(1)) != 0)
        texts, sizes = known.texts[at[order]], np.diff(begin, append=len(order))
        whose, here = owners[texts], fresh[texts]
        real = whose != -2
        first = np.minimum.reduceat(np.where(real, whose, _FAR), begin)
        both = np.logical_or.reduceat(here, begin) & (first < _FAR)
        told = np.repeat(both & (first >= 0) & (first == np.maximum.reduceat(whose, begin)), sizes)
        whose = np.repeat(first, sizes)
        for side, which in zip(found, (told & here, told & real), strict=True):
            side.append(Pairs(np.full(np.count_nonzero(which), size), whose[which], texts[which]))
        # A longer run begins and ends with shorter ones in common.
        at = np.sort(at[order[np.repeat(both, sizes)]])
        at = at[:-1][np.diff(at) == 1]
        at = at[known.texts[at] == known.texts[at + size]]
        size += 1
    return _once(found[0]), _once(found[1])


def _once(found: Sequence[Pairs]) -> Pairs:
    sizes, owners, texts = (np.concatenate([np.zeros(0, np.int64), *(one[k] for one in found)]) for k in range(3))
    order = np.lexsort((-sizes, texts, owners))
    sizes, owners, texts = sizes[order], owners[order], texts[order]
    new = np.diff(owners, prepend=-1) != 0
    new[1:] |= np.diff(texts) != 0
    return Pairs(sizes[new], owners[new], texts[new])


def longest(known: Words, owners: I64, fresh: NDArray[np.bool_], side: int, least: int, most: int) -> I64:
    """Return how many words in a row each synthetic text shares with an owner of a side, that nobody else has.

    The parameters are those of `shared`; owners of a side are those whose number is even (0), or odd (1). Returns
    int64 (texts,), 0 where there are fewer than `least`.
    """
    pairs, _ = shared(known, owners, fresh, least, most)
    ours, found = pairs.owners % 2 == side, np.zeros(len(owners), np.int64)
    np.maximum.at(found, pairs.texts[ours], pairs.sizes[ours])
    return found
