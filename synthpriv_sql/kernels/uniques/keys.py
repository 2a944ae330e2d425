"""Counted values: columns as codes."""

from typing import NamedTuple

from synthpriv_sql.kernels.jit import I32, I64


class Keys(NamedTuple):
    """Counted values: real records, then synthetic ones.

    codes: int32 (columns, records), -1 where no record of the other kind has the value, so that no key with it can be
    replicated; else below the column's size. sizes: int64 (columns,). distinct: the values that real records have, a
    missing one among them, per column. real: how many of the records are real.
    """

    codes: I32
    sizes: I64
    distinct: list[int]
    real: int
