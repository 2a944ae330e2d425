"""Optimal string alignment: insertions, deletions, substitutions and swaps of neighbors, no character edited twice."""

from __future__ import annotations

from synthpriv_sql.kernels.jit import I32, U32, apart
from synthpriv_sql.kernels.near.limits import MOST

BAND = 2 * MOST + 3
"""The width of a row of scratch space; there are three."""


@apart
def distance(points: U32, a: int, a_length: int, b: int, b_length: int, most: int, rows: I32) -> int:
    """Return the distance of two texts that begin at `a` and `b`; `most` + 1 if it is larger than `most`.

    Entry k of row i of the band belongs to the first i characters of one text and the first i + k - most - 1 of the
    other; the entries at both ends stay out of reach.
    """
    if a_length > b_length + most or b_length > a_length + most:
        return most + 1
    # What both begin and end with never costs anything, swaps included.
    while a_length > 0 and b_length > 0 and points[a] == points[b]:
        a, b, a_length, b_length = a + 1, b + 1, a_length - 1, b_length - 1
    while a_length > 0 and b_length > 0 and points[a + a_length - 1] == points[b + b_length - 1]:
        a_length, b_length = a_length - 1, b_length - 1
    if a_length == 0 or b_length == 0:
        return a_length + b_length
    far, middle, width = most + 1, most + 1, 2 * most + 3
    for k in range(width):
        rows[0, k], rows[1, k], rows[2, k] = far, far, far
    for k in range(most + 1):
        rows[0, middle + k] = k
    last, before, current, before_least = 0, 2, 1, far
    for i in range(1, a_length + 1):
        least = far
        for k in range(1, width - 1):
            j = i + k - middle
            if j < 0 or j > b_length:
                rows[current, k] = far
                continue
            cost = min(rows[last, k + 1] + 1, rows[current, k - 1] + 1)
            if j > 0:
                mine, other = points[a + i - 1], points[b + j - 1]
                cost = min(cost, rows[last, k] + (1 if mine != other else 0))
                if i > 1 and j > 1 and mine == points[b + j - 2] and other == points[a + i - 2]:
                    cost = min(cost, rows[before, k] + 1)
            rows[current, k] = min(cost, far)
            least = min(least, cost)
        if least > most and before_least > most:
            return far
        before_least = least
        last, before, current = current, last, before
    return int(rows[last, b_length - a_length + middle])
