"""A permutation test for shares: the membership labels are reassigned at random."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

P_VALUE_SQL = "DOUBLE"
EXCHANGES = 9_999
_ROUNDING = 1e-12
"""Shares that differ by less are equal up to rounding."""


def p_value(weights: Any, units: Any, all_units: Any, members: Any, share: Any, seed: Any) -> Any:
    """``synthpriv_exchanged(weights, units, all_units, members, share, seed)``: the p-value of a permutation test.

    Parameters
    ----------
    weights
        Arrow lists of doubles: the contribution of a unit to the share if it is a member.
    units
        Arrow lists of int64: the number of units with each of these weights; all other units have weight 0.
    all_units, members
        Arrow arrays of int64: the number of units, and of members among them.
    share
        Arrow array of doubles: the observed sum of the weights of the members.
    seed
        Arrow array of int64.

    Returns
    -------
    pyarrow.Array
        Doubles: the fraction of permutations, including the observed labels, whose share is at least as far from the
        expected one.
    """
    columns = [
        pa.table([column], ["x"])["x"].to_pylist() for column in (weights, units, all_units, members, share, seed)
    ]
    return pa.array([_one(*row) for row in zip(*columns, strict=True)], pa.float64())


def _one(
    weights: list[float] | None, units: list[int], all_units: int, members: int, share: float | None, seed: int
) -> float | None:
    if weights is None or share is None or not all_units:
        return None
    known = np.array(weights, np.float64)
    # Units of equal weight are interchangeable: draw only the number of members among them.
    counts = np.array([*units, all_units - sum(units)], np.int64)
    draw = np.random.default_rng(seed)
    drawn = draw.multivariate_hypergeometric(counts, members, EXCHANGES, method="marginals")
    expected = members / all_units
    distances = np.abs(drawn[:, :-1] @ known - expected)
    return float(1 + np.count_nonzero(distances >= abs(share - expected) - _ROUNDING)) / (EXCHANGES + 1)
