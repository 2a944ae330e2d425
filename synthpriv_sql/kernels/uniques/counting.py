"""The compiled passes over the rows of one combination of columns.

A key is one whole number: the codes of the columns, each times the product of the sizes before it, so that different
keys are different numbers. Where these are few, they are the places of a table themselves; else places are looked for
by a hash, and a place is taken only where its key is equal.
"""

from __future__ import annotations

import numpy as np

from synthpriv_sql.kernels.jit import F64, I32, I64, U64, inner, kernel

_MIX = np.uint64(0x9E3779B97F4A7C15)


@inner
def _key(codes: I32, columns: I64, strides: I64, row: int) -> np.int64:
    """The key of a row; -1 where one of its values cannot be shared."""
    key = np.int64(0)
    for j in range(len(columns)):
        code = codes[columns[j], row]
        if code < 0:
            return np.int64(-1)
        key += np.int64(code) * strides[j]
    return key


@inner
def _hash(key: np.int64) -> np.uint64:
    mixed = np.uint64(key) * _MIX
    return mixed ^ (mixed >> np.uint64(29))


@inner
def _place(key: np.int64, slots: I64, last: np.uint64) -> np.int64:
    """Where a key is, or the empty place where it would be."""
    at = (_hash(key) >> np.uint64(7)) & last
    while slots[at] >= 0 and slots[at] != key:
        at = (at + np.uint64(1)) & last
    return np.int64(at)


@kernel
def replicated(
    codes: I32, real: int, columns: I64, strides: I64, persons: I32, owners: I32, slots: I64, sieve: U64,
    rows: I32, first: I32, also: I32, hit: I32, record: I32, counts: I64,
) -> None:  # fmt: skip
    """Find the keys that one person alone has, and that synthetic records have.

    Parameters
    ----------
    persons : int32 (real,)
        Whose row each real record is.
    owners : int32, of -1
        By place: the first row that has the key; -2 where several persons do; -3 - u for the unique u.
    slots : int64, of -1
        By place the key; a power of two of them, or none where keys are places.
    sieve : uint64, of 0
        Bits of the hashes of synthetic keys, a power of two of words: real keys that are not there are skipped.
    rows, first, also : int32
        Of each unique the first real row, the first synthetic record, and how many of these there are.
    hit, record : int32
        Per synthetic record that has a unique key: which, and its number.
    counts : int64 (2,)
        How many uniques and hits were found.
    """
    hashed = len(slots) > 0
    last, words = np.uint64(len(slots) - 1), np.uint64(len(sieve) - 1)
    if hashed:
        for i in range(real, codes.shape[1]):
            key = _key(codes, columns, strides, i)
            if key >= 0:
                mixed = _hash(key)
                sieve[(mixed >> np.uint64(6)) & words] |= np.uint64(1) << (mixed & np.uint64(63))
    for i in range(real):
        key = _key(codes, columns, strides, i)
        if key < 0:
            continue
        place = key
        if hashed:
            mixed = _hash(key)
            if (sieve[(mixed >> np.uint64(6)) & words] >> (mixed & np.uint64(63))) & np.uint64(1) == 0:
                continue
            place = _place(key, slots, last)
            slots[place] = key
        owner = owners[place]
        if owner == -1:
            owners[place] = i
        elif owner >= 0 and persons[owner] != persons[i]:
            owners[place] = -2
    uniques = hits = 0
    for i in range(real, codes.shape[1]):
        place = _key(codes, columns, strides, i)
        if place < 0:
            continue
        if hashed:
            place = _place(place, slots, last)
        owner = owners[place]
        if -3 < owner < 0:
            continue
        if owner >= 0:
            rows[uniques], first[uniques], also[uniques] = owner, i - real, 0
            owner = -3 - uniques
            owners[place] = owner
            uniques += 1
        unique = -3 - owner
        also[unique] += 1
        hit[hits], record[hits] = unique, i - real
        hits += 1
    counts[0], counts[1] = uniques, hits


@kernel
def ratios(
    codes: I32, real: int, columns: I64, strides: I64, slots: I64, in_real: I32, in_synthetic: I32, logarithms: F64,
    out: F64,
) -> None:  # fmt: skip
    """Add to each real record ln((synthetic records with its key + 1/2) / (other real records with it + 1/2)).

    Parameters
    ----------
    slots : int64, of -1
        As for `replicated`.
    in_real, in_synthetic : int32, of 0
        By place, how many records have the key.
    logarithms : float64
        ln(n + 1/2) for each n.
    out : float64 (real,)
        What is added to.
    """
    hashed = len(slots) > 0
    last = np.uint64(len(slots) - 1)
    for i in range(real):
        place = _key(codes, columns, strides, i)
        if hashed:
            key = place
            place = _place(key, slots, last)
            slots[place] = key
        in_real[place] += 1
    for i in range(real, codes.shape[1]):
        place = _key(codes, columns, strides, i)
        if hashed:
            key = place
            place = _place(key, slots, last)
            if slots[place] < 0:
                continue
        in_synthetic[place] += 1
    for i in range(real):
        place = _key(codes, columns, strides, i)
        if hashed:
            place = _place(place, slots, last)
        out[i] += logarithms[in_synthetic[place]] - logarithms[in_real[place] - 1]
