"""Sets of columns with which all pairs or triples of columns are counted in few passes.

A set is a list of positions in ascending order. The counts of a set of four contain those of its four triples, and in a
Steiner quadruple system each triple is in exactly one set: four positions form a set if their XOR is 0, so a, b and c
are completed by a ^ b ^ c. For 32 columns that is 1,240 sets instead of 4,960 triples.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.headers import wording

MOST = 511
"""The maximum number of columns: a position has 9 bits, and the largest value means no column."""


def covering(positions: Sequence[int], size: int) -> list[tuple[int, ...]]:
    """Return sets such that every combination of ``size`` positions (1, 2 or 3) is in exactly one of them.

    Raises
    ------
    OptionError
        There are more columns than can be numbered.
    """
    if any(position >= MOST for position in positions):
        raise OptionError(
            f"at most {MOST} columns can be counted in combination; choose fewer ({wording.given('columns', [...])})"
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
    """Return the number of a set: its first three positions, which determine the fourth."""
    first, second, third = [*positions[:3], MOST, MOST][:3]
    return (first * (MOST + 1) + second) * (MOST + 1) + third
