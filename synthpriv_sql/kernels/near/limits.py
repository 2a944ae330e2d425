"""How many edits make texts of a length near, and which way finds them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from synthpriv_sql.kernels.jit import I64, U32, inner

SHORTEST = 5
"""Shorter texts are near if they are equal."""
MIDDLE = 20
"""From this length on, candidates are found by halves; among shorter ones, by deletions."""
LONGER = 30
"""From this length on, by longer halves."""
LONG = 40
"""From this length on, by grams."""
LONGEST = 10_000
"""Longer texts are near if they are equal."""
MOST = 20
"""Edits at most."""


SHORT, HALVES, LONGER_HALVES, FAR = range(4)
"""The ways to find candidates."""


class Texts(NamedTuple):
    """Code points of all texts, one text after another; text i has those from starts[i] to starts[i + 1]."""

    points: U32
    starts: I64


def texts(values: Sequence[str]) -> Texts:
    """Return the code points of texts."""
    starts = np.zeros(len(values) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, values), np.int64, len(values)), out=starts[1:])
    points = np.frombuffer("".join(values).encode("utf-32-le", "surrogatepass"), np.uint32)
    return Texts(points, starts)


@inner
def edits(length: int) -> int:
    """Return the distance up to which a text of this length is near another one that is not shorter."""
    if length < SHORTEST or length > LONGEST:
        return 0
    if length < 10:
        return 1
    if length < 20:
        return 2
    return min(length // 10, MOST)


@inner
def way_of(length: int) -> int:
    """Return the way to find texts near one of this length, that are not shorter."""
    if length < MIDDLE:
        return SHORT
    if length < LONGER:
        return HALVES
    return LONGER_HALVES if length < LONG else FAR
