"""The four distances: how each scales by default, and what it has the kernel add up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from synthpriv_sql.neighbors.layout import Distance, Vector


@dataclass(frozen=True, slots=True)
class Metric:
    """A distance between records.

    ``power`` is that of the difference of two scaled numbers; ``cap`` limits a number's contribution to a full
    mismatch; ``mean`` divides the sum by the sum of the weights; ``root`` takes its square root; ``by_equality``
    compares numbers as categories.
    """

    name: str
    scaling: str
    power: int = 1
    cap: bool = False
    mean: bool = False
    root: bool = False
    by_equality: bool = False
    mismatch_given: bool = True

    def distance(
        self,
        category_mismatch: float,
        numeric_weights: Sequence[float],
        categorical_weights: Sequence[float],
        scales: Sequence[float],
        vectors: Sequence[Vector] = (),
    ) -> Distance:
        """Return what the kernel adds up.

        Parameters
        ----------
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
            power=self.power,
            cap=self.cap,
            mismatch=category_mismatch**self.power if self.mismatch_given else 1.0,
            numeric_weights=tuple(numeric_weights),
            categorical_weights=tuple(categorical_weights),
            divisor=math.fsum(weights) if self.mean else 1.0,
            root=self.root,
            scales=tuple(scales),
            vectors=tuple(replace(vector, root=vector.root and self.power == 1) for vector in vectors),
        )


METRICS = {
    metric.name: metric
    for metric in (
        Metric("gower", scaling="minmax", cap=True, mean=True, mismatch_given=False),
        Metric("euclidean", scaling="standard", power=2, root=True),
        Metric("manhattan", scaling="standard"),
        Metric("hamming", scaling="none", by_equality=True, mismatch_given=False),
    )
}
