"""What chance does to a share, where only who is called a member is left to it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

P_VALUE_SQL = "DOUBLE"
EXCHANGES = 9_999
_ROUNDING = 1e-12
"""Shares that differ by less are the same: sums of other summands."""


def p_value(weights: Any, units: Any, all_units: Any, members: Any, share: Any, seed: Any) -> Any:
    """``synthpriv_exchanged(weights, units, all_units, members, share, seed)``: a p-value by exchanges of labels.

    Parameters
    ----------
    weights
        Arrow lists of doubles: what a unit adds to the share if it is a member.
    units
        Arrow lists of int64: how many units have each of these weights; all others have 0.
    all_units, members
        Arrow arrays of int64: how many units there are, and how many of them are members.
    share
        Arrow array of doubles: the sum of the weights of the members as they are.
    seed
        Arrow array of int64.

    Returns
    -------
    pyarrow.Array
        Doubles: how often, the labels as they are among them, a share is as far from the one expected.
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
    # Units of one weight are alike, so that only how many of them are members is drawn.
    counts = np.array([*units, all_units - sum(units)], np.int64)
    draw = np.random.default_rng(seed)
    drawn = draw.multivariate_hypergeometric(counts, members, EXCHANGES, method="marginals")
    expected = members / all_units
    distances = np.abs(drawn[:, :-1] @ known - expected)
    return float(1 + np.count_nonzero(distances >= abs(share - expected) - _ROUNDING)) / (EXCHANGES + 1)
