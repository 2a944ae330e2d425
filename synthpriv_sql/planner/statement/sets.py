"""Sets of columns, such that all pairs or triples of columns are counted in few passes.

A set is a list of positions in rising order. Counts of a set of four give those of the four triples in it, and by a
Steiner quadruple system each triple is in exactly one of them: four positions belong together where the bits of their
numbers cancel out, so a ^ b ^ c is the one that a, b and c lack. Of 32 columns these are 1,240 sets for 4,960 triples.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.headers import wording

MOST = 511
"""Columns that can be numbered: 9 bits a position, and the largest number stands for none."""


def covering(positions: Sequence[int], size: int) -> list[tuple[int, ...]]:
    """Return sets such that every ``size`` of the positions (1, 2 or 3) are together in exactly one of them.

    Raises
    ------
    OptionError
        There are more columns than can be numbered.
    """
    if any(position >= MOST for position in positions):
        raise OptionError(
            f"sets of columns are counted of at most {MOST} columns; choose fewer ({wording.given('columns', [...])})"
        )
    if size < 3:
        return list(combinations(sorted(positions), size))
    there = set(positions)
    found = {tuple(sorted({*three, _fourth(three)} & there)) for three in combinations(sorted(there), 3)}
    return sorted(found)


def _fourth(three: Sequence[int]) -> int:
    a, b, c = three
    return a ^ b ^ c


def number_of(positions: Sequence[int]) -> int:
    """Return the number of a set: its first three positions; the fourth of four follows from them."""
    first, second, third = [*positions[:3], MOST, MOST][:3]
    return (first * (MOST + 1) + second) * (MOST + 1) + third
