"""Hashes of runs of characters of a text, from those of its beginnings."""

from __future__ import annotations

import numpy as np

from synthpriv_sql.kernels.jit import U64, inner
from synthpriv_sql.kernels.near.limits import Texts

LONGEST = 64
"""More characters than runs have whose hashes are taken."""
BASE = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_POWERS = np.array([pow(int(BASE), k, 2**64) for k in range(LONGEST)], np.uint64)


@inner
def mixed(value: np.uint64) -> np.uint64:
    """Spread the bits of a hash."""
    value = (value ^ (value >> np.uint64(30))) * _MIX
    return value ^ (value >> np.uint64(29))


@inner
def hash_prefixes(texts: Texts, start: int, length: int, prefixes: U64) -> None:
    """Write the hashes of the first 0, 1, … `length` characters from a place on."""
    hashed = np.uint64(0)
    prefixes[0] = hashed
    for p in range(length):
        hashed = hashed * BASE + np.uint64(texts.points[start + p]) + np.uint64(1)
        prefixes[p + 1] = hashed


@inner
def between(prefixes: U64, first: int, last: int) -> np.uint64:
    """Return the hash of a run, from one place up to another."""
    return np.uint64(prefixes[last] - prefixes[first] * _POWERS[last - first])


@inner
def without(prefixes: U64, first: int, p: int, last: int) -> np.uint64:
    """Return the hash of a run without its character at a place."""
    return np.uint64(between(prefixes, first, p) * _POWERS[last - p - 1] + between(prefixes, p + 1, last))


@inner
def without_two(prefixes: U64, p: int, q: int, last: int) -> np.uint64:
    """Return the hash of the first characters without two of them, at p and after it at q."""
    return np.uint64(without(prefixes, 0, p, q) * _POWERS[last - q - 1] + between(prefixes, q + 1, last))
