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
    key, least = np.int64(0), np.int32(0)
    for j in range(len(columns)):  # without a branch, which no processor predicts
        code = codes[columns[j], row]
        least = min(least, code)
        key += np.int64(code) * strides[j]
    return key if least >= 0 else np.int64(-1)


@inner
def _hash(key: np.int64) -> np.uint64:
    mixed = np.uint64(key) * _MIX
    return mixed ^ (mixed >> np.uint64(29))


@inner
def _place(key: np.int64, slots: I64, last: np.uint64) -> np.int64:
    """Position of a key, or of the empty place where it would be."""
    at = (_hash(key) >> np.uint64(7)) & last
    while slots[at] >= 0 and slots[at] != key:
        at = (at + np.uint64(1)) & last
    return np.int64(at)


@inner
def _bit(key: np.int64, exact: bool) -> np.uint64:
    """The place of a key in a sieve: the key itself where a sieve has a bit for each."""
    return np.uint64(key) if exact else _hash(key)


@inner
def _set_bit(sieve: U64, words: np.uint64, bit: np.uint64) -> None:
    sieve[(bit >> np.uint64(6)) & words] |= np.uint64(1) << (bit & np.uint64(63))


@inner
def _gather(
    codes: I32, begin: int, end: int, columns: I64, strides: I64, exact: bool, sieve: U64, rows: I32, keys: I64
) -> np.int64:
    """Gather the rows of a range whose key has a bit, from ``begin`` on, without a branch; return their number."""
    words, found = np.uint64(len(sieve) - 1), np.int64(0)
    for i in range(begin, end):
        key = _key(codes, columns, strides, i)
        bit = _bit(key, exact)
        rows[begin + found], keys[begin + found] = i, key
        there = (sieve[(bit >> np.uint64(6)) & words] >> (bit & np.uint64(63))) & np.uint64(1)
        found += np.int64(there) & np.int64(key >= 0)
    return found


@kernel
def candidates(
    codes: I32, real: int, columns: I64, strides: I64, exact: bool, in_synthetic: U64, in_real: U64,
    rows: I32, keys: I64, counts: I64,
) -> None:  # fmt: skip
    """Gather the records whose key the other kind may have too: all that do, and few others.

    Tables of all keys would be too large for the processor's cache, bits of them are not.

    Parameters
    ----------
    exact
        Whether each key has a bit of its own.
    in_synthetic, in_real : uint64, of 0
        Bits of the keys of each kind, a power of two of words.
    rows, keys : int32 and int64 (records,)
        The gathered rows and their keys: real ones from the front on, synthetic ones from ``real`` on.
    counts : int64 (2,)
        How many real and synthetic ones there are.
    """
    words = np.uint64(len(in_synthetic) - 1)
    for i in range(real, codes.shape[1]):
        key = _key(codes, columns, strides, i)
        if key >= 0:
            _set_bit(in_synthetic, words, _bit(key, exact))
    found = _gather(codes, 0, real, columns, strides, exact, in_synthetic, rows, keys)
    for i in range(found):
        _set_bit(in_real, words, _bit(keys[i], exact))
    also = _gather(codes, real, codes.shape[1], columns, strides, exact, in_real, rows, keys)
    counts[0], counts[1] = found, also


@kernel
def replicated(
    real: int, rows: I32, keys: I64, candidates: I64, persons: I32, owners: I32, slots: I64,
    own: I32, first: I32, also: I32, hit: I32, record: I32, counts: I64,
) -> None:  # fmt: skip
    """Find the keys that one person alone has, and that synthetic records have.

    Parameters
    ----------
    rows, keys, candidates
        What `candidates` gathered, and its counts.
    persons : int32 (real,)
        Whose row each real record is.
    owners : int32, of -1
        By place: the first row that has the key; -2 where several persons do; -3 - u for the unique u.
    slots : int64, of -1
        By place the key; a power of two of them, or none where keys are places.
    own, first, also : int32
        Of each unique the first real row, the first synthetic record, and how many of these there are.
    hit, record : int32
        Per synthetic record that has a unique key: which, and its number.
    counts : int64 (2,)
        How many uniques and hits were found.
    """
    hashed = len(slots) > 0
    last = np.uint64(len(slots) - 1)
    for i in range(candidates[0]):
        place, row = keys[i], rows[i]
        if hashed:
            key = place
            place = _place(key, slots, last)
            slots[place] = key
        owner = owners[place]
        if owner == -1:
            owners[place] = row
        elif owner >= 0 and persons[owner] != persons[row]:
            owners[place] = -2
    uniques = hits = 0
    for i in range(real, real + candidates[1]):
        place, row = keys[i], rows[i] - real
        if hashed:
            place = _place(place, slots, last)
        owner = owners[place]
        if -3 < owner < 0:
            continue
        if owner >= 0:
            own[uniques], first[uniques], also[uniques] = owner, row, 0
            owner = -3 - uniques
            owners[place] = owner
            uniques += 1
        unique = -3 - owner
        also[unique] += 1
        hit[hits], record[hits] = unique, row
        hits += 1
    counts[0], counts[1] = uniques, hits


@kernel
def ratios(
    codes: I32, real: int, asked: I64, columns: I64, strides: I64, slots: I64, in_real: I32, in_synthetic: I32,
    logarithms: F64, out: F64,
) -> None:  # fmt: skip
    """Add to each real record asked for ln((synthetic records with its key + 1/2) / (other real ones with it + 1/2)).

    Parameters
    ----------
    asked : int64
        The real records that are asked for.
    slots : int64, of -1
        As for `replicated`.
    in_real, in_synthetic : int32, of 0
        By place, how many records have the key.
    logarithms : float64
        ln(n + 1/2) for each n.
    out : float64 (asked,)
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
    for j in range(len(asked)):
        place = _key(codes, columns, strides, asked[j])
        if hashed:
            place = _place(place, slots, last)
        out[j] += logarithms[in_synthetic[place]] - logarithms[in_real[place] - 1]


@kernel
def rare(
    codes: I32, real: int, asked: I64, columns: I64, strides: I64, slots: I64, in_real: I32, in_synthetic: I32,
    weights: F64, out: F64,
) -> None:  # fmt: skip
    """Add to each real record asked for the weight of how many real records have its key, if synthetic has it.

    Parameters
    ----------
    asked, slots, in_real, in_synthetic, out
        As for `ratios`.
    weights : float64
        By number of real records.
    """
    hashed = len(slots) > 0
    last = np.uint64(len(slots) - 1)
    for i in range(codes.shape[1]):
        place = _key(codes, columns, strides, i)
        if place < 0:
            continue
        if hashed:
            key = place
            place = _place(key, slots, last)
            if i < real:
                slots[place] = key
            elif slots[place] < 0:
                continue
        if i < real:
            in_real[place] += 1
        else:
            in_synthetic[place] = 1
    for j in range(len(asked)):
        place = _key(codes, columns, strides, asked[j])
        if place < 0:
            continue
        if hashed:
            place = _place(place, slots, last)
        if in_synthetic[place] > 0:
            out[j] += weights[in_real[place]]
