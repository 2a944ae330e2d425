"""Sorting in compiled code, in place. numba's own sort takes two seconds to compile."""

from __future__ import annotations

from typing import Any

from synthpriv_sql.kernels.jit import inner


@inner
def comb_sort(keys: Any, count: int) -> None:
    """Sort the first `count` keys, none of them NaN."""
    gap, swapped = count, True
    while gap > 1 or swapped:
        gap = max(1, gap * 10 // 13)
        swapped = False
        for i in range(count - gap):
            if keys[i] > keys[i + gap]:
                keys[i], keys[i + gap] = keys[i + gap], keys[i]
                swapped = True
