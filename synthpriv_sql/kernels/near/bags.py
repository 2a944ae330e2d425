"""Characters of texts, counted: texts that have many others are not near, whatever their order."""

from __future__ import annotations

import numpy as np

from synthpriv_sql.kernels.jit import U8, inner, kernel
from synthpriv_sql.kernels.near import limits
from synthpriv_sql.kernels.near.limits import Texts

BAG = 32
"""Places in which characters are counted: uint8 (texts, BAG)."""


@kernel
def count_characters(texts: Texts, bags: U8) -> None:
    """Count the characters of all but short texts, in `BAG` places each; 255 stands for more as well."""
    for i in range(len(texts.starts) - 1):
        if texts.starts[i + 1] - texts.starts[i] < limits.MIDDLE:
            continue
        for p in range(texts.starts[i], texts.starts[i + 1]):
            place = texts.points[p] % np.uint32(BAG)
            if bags[i, place] < 255:
                bags[i, place] += np.uint8(1)


@inner
def least(bags: U8, i: int, j: int) -> int:
    """Return the least distance that two texts may have, by their characters: no edit changes more than one."""
    more, less = np.int32(0), np.int32(0)
    for place in range(BAG):
        difference = np.int32(bags[i, place]) - np.int32(bags[j, place])
        more += max(difference, np.int32(0))
        less += max(-difference, np.int32(0))
    return int(max(more, less))
