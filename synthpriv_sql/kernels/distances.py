"""Terms that the kernels add up for each metric."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from synthpriv_sql.kernels.layout import Distance, Vector
from synthpriv_sql.metrics import Metric


def added_up(
    metric: Metric,
    category_mismatch: float,
    numeric_weights: Sequence[float],
    categorical_weights: Sequence[float],
    scales: Sequence[float],
    vectors: Sequence[Vector] = (),
) -> Distance:
    """Return the terms that the kernel adds up for a metric.

    Parameters
    ----------
    metric
        One of `synthpriv_sql.metrics.METRICS`.
    category_mismatch
        m: two categories that differ contribute m**power before the weight. Gower and hamming count 1.
    numeric_weights, categorical_weights
        Weight by column, 0 or more.
    scales
        What differences of numbers are divided by, one per numeric column.
    vectors
        What vectors cost, but for `Vector.root`: euclidean adds their squares, as it does those of numbers.
    """
    weights = (*numeric_weights, *categorical_weights, *(vector.weight for vector in vectors))
    return Distance(
        power=metric.power,
        cap=metric.cap,
        mismatch=category_mismatch**metric.power if metric.mismatch_given else 1.0,
        numeric_weights=tuple(numeric_weights),
        categorical_weights=tuple(categorical_weights),
        divisor=math.fsum(weights) if metric.mean else 1.0,
        root=metric.root,
        scales=tuple(scales),
        vectors=tuple(replace(vector, root=vector.root and metric.power == 1) for vector in vectors),
    )
