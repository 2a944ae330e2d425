"""Candidates among short texts: those that become equal where at most two characters of each are left out.

Each edit leaves a text with at most one character that has to go, a swap as well; so near texts have such a rest in
common (Bocek, Hunt and Stiller 2007; Mor and Fraenkel 1982).
"""

from __future__ import annotations

import numpy as np

from synthpriv_sql.kernels.jit import U64, inner
from synthpriv_sql.kernels.near import limits
from synthpriv_sql.kernels.near.limits import Texts

END = limits.MIDDLE + 2
"""Texts of this length or more have none nearby that is short."""
RESTS = 1 + END + END * END // 2
"""At least the rests that a text has."""
LONGEST = 64
"""More characters than texts have whose hashes are taken."""
BASE = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
POWERS = np.array([pow(int(BASE), k, 2**64) for k in range(LONGEST)], np.uint64)


@inner
def mixed(value: np.uint64) -> np.uint64:
    """Spread the bits of a hash."""
    value = (value ^ (value >> np.uint64(30))) * _MIX
    return value ^ (value >> np.uint64(29))


@inner
def rests(texts: Texts, i: int, most: int, prefixes: U64, out: U64) -> int:
    """Write the hashes of what remains of a text without `most` characters, or as many as near ones may differ by."""
    start, length = texts.starts[i], texts.starts[i + 1] - texts.starts[i]
    if length < limits.SHORTEST or length >= END:
        return 0
    points = texts.points
    hashed = np.uint64(0)
    prefixes[0] = hashed
    for p in range(length):
        hashed = hashed * BASE + np.uint64(points[start + p]) + np.uint64(1)
        prefixes[p + 1] = hashed
    out[0] = mixed(hashed)
    count = 1
    twice = min(limits.edits(length), most) > 1
    for p in range(length if most > 0 else 0):
        # In a run of one character the first ones go.
        if p > 0 and points[start + p] == points[start + p - 1]:
            continue
        tail = length - p - 1
        once = prefixes[p] * POWERS[tail] + hashed - prefixes[p + 1] * POWERS[tail]
        out[count] = mixed(once)
        count += 1
        if twice:
            for q in range(p + 1, length):
                if q > p + 1 and points[start + q] == points[start + q - 1]:
                    continue
                tail = length - q - 1
                between = prefixes[p] * POWERS[q - p - 1] + prefixes[q] - prefixes[p + 1] * POWERS[q - p - 1]
                out[count] = mixed(between * POWERS[tail] + hashed - prefixes[q + 1] * POWERS[tail])
                count += 1
    return count
