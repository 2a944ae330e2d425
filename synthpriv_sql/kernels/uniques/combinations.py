"""Selection of sets of columns: all of them, or those whose columns have the most values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

Chosen = tuple[int, ...]


def choose(distinct: Sequence[int], widths: Sequence[int], most: int) -> tuple[list[Chosen], int]:
    """Choose sets of columns, those with the largest product of distinct values first.

    Parameters
    ----------
    distinct
        Per column the number of values that real records have, a missing one among them.
    widths
        How many columns a set may have.
    most
        How many sets are taken at most.

    Returns
    -------
    tuple
        The positions of the columns of each set, narrow sets first, sets of one width in the order of their positions;
        and how many sets were left out. Of sets with equal products those whose positions come first are taken.
    """
    widths = [width for width in widths if width <= len(distinct)]
    total = sum(math.comb(len(distinct), width) for width in widths)
    if total <= most:
        found = [chosen for width in widths for chosen in combinations(range(len(distinct)), width)]
        return sorted(found, key=lambda chosen: (len(chosen), chosen)), 0
    by_rank = sorted(range(len(distinct)), key=lambda i: (-distinct[i], i))
    candidates = [
        tuple(sorted(by_rank[rank] for rank in ranks))
        for width in widths
        for ranks in _likely(len(distinct), width, most)
    ]
    candidates.sort(key=lambda chosen: (-math.prod(distinct[i] for i in chosen), chosen))
    taken = candidates[:most]
    return sorted(taken, key=lambda chosen: (len(chosen), chosen)), total - len(taken)


def _likely(columns: int, width: int, most: int) -> Iterator[Chosen]:
    """Give every set of ranks that fewer than ``most`` other sets come before for certain, and few others.

    A set whose ranks are all at most those of another comes before it. Of these there are at least as many as the
    product of the gaps between the ranks of the other: each rank may move down within its gap.
    """

    def extend(ranks: Chosen, product: int) -> Iterator[Chosen]:
        if len(ranks) == width:
            yield ranks
            return
        last = ranks[-1] if ranks else -1
        for rank in range(last + 1, min(columns, last + 1 + most // product)):
            yield from extend((*ranks, rank), product * (rank - last))

    return extend((), 1)
