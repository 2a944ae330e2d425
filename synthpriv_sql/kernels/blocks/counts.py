"""How many categories of a query differ from those of 512 rows at once: in few bits where these do, else in many."""

from __future__ import annotations

import numpy as np

from synthpriv_sql.kernels.blocks.state import Blocks, State
from synthpriv_sql.kernels.jit import F32, I32, U64, apart, inner
from synthpriv_sql.kernels.simd.lanes import (
    MANY_PLANES,
    MOST,
    PLANES,
    count_many_mismatches,
    count_mismatches,
    price_counts,
    price_many_counts,
)


@apart
def _count_many(bits: U64, begin: int, choice: I32, limit: int, within: U64, planes: U64) -> int:
    return count_many_mismatches(bits, begin, choice, len(choice), limit, within, planes)  # type: ignore[no-any-return]


@apart
def _price_many(planes: U64, word: int, bitmaps: int, price: np.float32, sums: F32) -> None:
    used = np.int64(MANY_PLANES)
    while (bitmaps >> (used - 1)) == 0:
        used -= 1
    price_many_counts(planes, word, used, price, sums)


@inner
def few_planes(limit: int, blocks: Blocks) -> bool:
    """Whether counts that start at 127 - limit overflow only above the limit."""
    return limit < MOST or len(blocks.counted) <= MOST


@inner
def count_rows(state: State, slot: int, blocks: Blocks, eight: int, limit: int) -> np.uint64:
    """Count the bitmaps of a query in eight blocks; return which of these have rows with at most `limit` set.

    These rows are in ``state.within``, the counts in ``state.planes``.
    """
    begin, choice, bitmaps = eight * blocks.bit_rows * 8, state.bit_choice[slot], len(blocks.counted)
    within: np.uint64
    if few_planes(limit, blocks):
        within = count_mismatches(blocks.bits, begin, choice, bitmaps, limit, state.within, state.planes)
    else:
        within = _count_many(blocks.bits, begin, choice, limit, state.within, state.planes)
    return within


@inner
def price_rows(state: State, blocks: Blocks, word: int, limit: int) -> None:
    """Write what the mismatches of one of these blocks cost to ``state.sums``."""
    if few_planes(limit, blocks):
        price_counts(state.planes, word, MOST - limit, np.float32(blocks.price), state.sums)
    else:
        _price_many(state.planes, word, len(blocks.counted), np.float32(blocks.price), state.sums)


@inner
def count_of(state: State, blocks: Blocks, word: int, lane: int, limit: int) -> int:
    """Return the count of one row."""
    count = 0
    if few_planes(limit, blocks):
        for plane in range(PLANES):
            count |= int((state.planes[plane * 8 + word] >> np.uint64(lane)) & np.uint64(1)) << plane
        return count - (MOST - limit)
    for plane in range(MANY_PLANES):
        count |= int((state.planes[plane * 8 + word] >> np.uint64(lane)) & np.uint64(1)) << plane
    return count
