"""Candidates among short texts: those that become equal where at most two characters of each are left out.

Each edit leaves a text with at most one character that has to go, a swap as well; so near texts have such a rest in
common (Bocek, Hunt and Stiller 2007; Mor and Fraenkel 1982).
"""

from __future__ import annotations

from synthpriv_sql.kernels.jit import U64, inner
from synthpriv_sql.kernels.near import limits
from synthpriv_sql.kernels.near.hashes import hash_prefixes, mixed, without, without_two
from synthpriv_sql.kernels.near.limits import Texts

END = limits.MIDDLE + 2
"""Texts of this length or more have none nearby that is short."""
RESTS = 1 + END + END * END // 2
"""At least the rests that a text has."""


@inner
def rests(texts: Texts, i: int, most: int, prefixes: U64, out: U64) -> int:
    """Write the hashes of what remains of a text without `most` characters, or as many as near ones may differ by."""
    start, length = texts.starts[i], texts.starts[i + 1] - texts.starts[i]
    if length < limits.SHORTEST or length >= END:
        return 0
    points = texts.points
    hash_prefixes(texts, start, length, prefixes)
    out[0] = mixed(prefixes[length])
    count = 1
    twice = min(limits.edits(length), most) > 1
    for p in range(length if most > 0 else 0):
        # In a run of one character the first ones go.
        if p > 0 and points[start + p] == points[start + p - 1]:
            continue
        out[count] = mixed(without(prefixes, 0, p, length))
        count += 1
        if twice:
            for q in range(p + 1, length):
                if q > p + 1 and points[start + q] == points[start + q - 1]:
                    continue
                out[count] = mixed(without_two(prefixes, p, q, length))
                count += 1
    return count
