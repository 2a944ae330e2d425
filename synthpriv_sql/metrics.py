"""The four metrics: default scaling and definition of each."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Metric:
    """A distance between records.

    ``power`` is the exponent of the difference of two scaled numbers; ``cap`` limits a number's contribution to a full
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


METRICS = {
    metric.name: metric
    for metric in (
        Metric("gower", scaling="minmax", cap=True, mean=True, mismatch_given=False),
        Metric("euclidean", scaling="standard", power=2, root=True),
        Metric("manhattan", scaling="standard"),
        Metric("hamming", scaling="none", by_equality=True, mismatch_given=False),
    )
}
