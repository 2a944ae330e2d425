"""Whose each real record is, and samples of persons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.udf.encoded import pages


def of_records(units: Sequence[Any], rows: int) -> NDArray[np.int32]:
    """The unit of each real record, numbered from 0; without units, each record is its own."""
    known = [one for one in units if one is not None]
    if not known:
        return np.arange(rows, dtype=np.int32)
    columns = [pages.read(one, ["text"]).columns[0] for one in known]
    # Another part of the statement raises an error for records without a unit.
    return np.unique(pages.codes(pages.joined(columns))[0], return_inverse=True)[1].astype(np.int32)


def sampled(
    persons: NDArray[np.int32], members: NDArray[np.bool_], most: int | None, seed: int
) -> NDArray[np.int64] | None:
    """Sample the records of at most ``most`` persons of each side; None for all records."""
    if most is None:
        return None
    chosen = []
    for side in (True, False):
        here = np.flatnonzero(members == side)
        names = np.unique(persons[here])
        if len(names) > most:
            random = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(int(side), 4)))
            here = here[np.isin(persons[here], random.choice(names, most, replace=False))]
        chosen.append(here)
    found = np.concatenate(chosen)
    return None if len(found) == len(persons) else found
