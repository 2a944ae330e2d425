"""Four sums at once: one instruction where a loop over numba arrays adds, and waits, three times."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from synthpriv_sql.kernels.simd.lanes import I64, load_lanes, pointer_to, store_lanes

SUMS = 4
_F64 = ir.DoubleType()


@intrinsic
def add_four(typing: Any, sums: Any, place: Any, terms: Any, row: Any) -> Any:
    """Add the four numbers of ``terms[row]`` to those of ``sums[place]``; both float64 (any, 4), contiguous."""
    signature = types.void(sums, place, terms, row)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        def at(array: int, index: int) -> Any:
            data = pointer_to(context, builder, signature.args[array], args[array])
            offset = context.cast(builder, args[index], signature.args[index], types.int64)
            return builder.gep(data, [builder.mul(offset, ir.Constant(I64, SUMS))])

        target = at(0, 1)
        added = builder.fadd(load_lanes(builder, target, _F64, SUMS), load_lanes(builder, at(2, 3), _F64, SUMS))
        store_lanes(builder, added, target)
        return context.get_dummy_value()

    return signature, generate
