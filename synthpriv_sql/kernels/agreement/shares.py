"""The bits of an agreement in a column, by the code of its value."""

from typing import NamedTuple

from synthpriv_sql.kernels.jit import F64, I32, I64


class Shares(NamedTuple):
    """The bits of an agreement per column and code, with weights; column j is at ``base[j]`` to ``base[j + 1]``.

    equal: float64, the bits of an equal value. nearby: float64, the bits of a different but near value, at most those
    of an equal one. low, high: int32, the range of near codes; high < low if only equal values agree.
    """

    base: I64
    equal: F64
    nearby: F64
    low: I32
    high: I32
