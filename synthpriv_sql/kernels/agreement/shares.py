"""What agreeing in a column is worth, by the code of its value."""

from typing import NamedTuple

from synthpriv_sql.kernels.jit import F64, I32, I64


class Shares(NamedTuple):
    """Per column and code what agreeing is worth, the weight included; column j from ``base[j]`` to ``base[j + 1]``.

    equal: float64, the bits of an equal value. nearby: float64, those of a value that differs but is near, at most the
    same. low, high: int32, the codes that are near; high < low where only equal values agree.
    """

    base: I64
    equal: F64
    nearby: F64
    low: I32
    high: I32
