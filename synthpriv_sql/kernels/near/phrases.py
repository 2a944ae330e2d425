"""Runs of words as 64-bit numbers; two of a billion different runs have one number with a probability of 3 %."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.kernels.jit import I64, U8, U32, U64, kernel
from synthpriv_sql.kernels.near.deletions import BASE, mixed
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


def longest(known: Words, owners: I64, fresh: NDArray[np.bool_], side: int, least: int, most: int) -> I64:
    """Return how many words in a row each synthetic text shares with an owner, that nobody else has.

    Parameters
    ----------
    known
        The words of all texts.
    owners, fresh, side
        As for `returning`: only owners of one side count.
    least, most
        From how many words on they count, and up to how many.

    Returns
    -------
    int64 (texts,), 0 where there are fewer than `least`.
    """
    found = np.zeros(len(owners), np.int64)
    real, here = owners != -2, fresh.copy()
    for size in range(least, most + 1):
        # Longer runs are only in texts that have shorter ones in common.
        known = Words(*(part[(real | here)[known.texts]] for part in known))
        of_size = runs(known, size)
        is_real, is_here = real[of_size.texts], here[of_size.texts]
        numbers, place = np.unique(of_size.numbers[is_real], return_inverse=True)
        first, last = np.full(len(numbers), np.iinfo(np.int64).max), np.full(len(numbers), -2)
        np.minimum.at(first, place, owners[of_size.texts[is_real]])
        np.maximum.at(last, place, owners[of_size.texts[is_real]])
        lone = numbers[(first == last) & (first >= 0) & (first % 2 == side)]
        ours = of_size.numbers[is_here]
        shared = np.isin(ours, numbers)
        if not shared.any():
            break
        found[of_size.texts[is_here][np.isin(ours, lone)]] = size
        here, there = np.zeros_like(here), np.zeros_like(real)
        here[of_size.texts[is_here][shared]] = True
        there[of_size.texts[is_real][np.isin(of_size.numbers[is_real], ours)]] = True
        real &= there
    return found
