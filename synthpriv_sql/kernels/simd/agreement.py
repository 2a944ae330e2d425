"""The loops where the time goes, as LLVM vectors of 64 lanes: 64 rows, or 64 blocks, at once, a byte each.

Costs are whole units of a query's own, a byte a lane, or two for many columns, added with saturation: a lane that is
full stays above any limit.
All return the mask of the lanes whose sum is within a limit.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from synthpriv_sql.kernels.simd.lanes import (
    I8,
    I16,
    I64,
    LANES,
    accumulate,
    load_lanes,
    pointer_to,
    splat,
    times_lanes,
    vector_of,
)

_BITS = ir.VectorType(ir.IntType(1), LANES)
_NOTHING = ir.Constant(vector_of(I8), None)


def _add(builder: Any, running: Any, costs: Any, where: Any) -> Any:
    """Add what costs something, with saturation."""
    vector = running.type
    name = f"llvm.uadd.sat.v{LANES}i{vector.element.width}"
    kind = ir.FunctionType(vector, [vector, vector])
    function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
    return builder.call(function, [running, builder.select(where, costs, ir.Constant(vector, None))])


def _byte(builder: Any, array: Any, at: Any) -> Any:
    return splat(builder, builder.load(builder.gep(array, [at])))


@intrinsic
def price_words(
    typing: Any, words: Any, offset: Any, prices: Any, place: Any, count: Any, limit: Any, sums: Any
) -> Any:
    """Add up what 64 blocks cost: each ``prices[place + i]`` where its bit of ``words[offset + i]`` is 0."""
    signature = types.uint64(words, offset, prices, place, count, limit, sums)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        there, cost, total = (pointer_to(context, builder, signature.args[i], args[i]) for i in (0, 2, 6))

        def step(i: Any, running: Any) -> Any:
            word = builder.load(builder.gep(there, [builder.add(args[1], i)]))
            lacking = builder.bitcast(builder.not_(word), _BITS)
            return _add(builder, running, _byte(builder, cost, builder.add(args[3], i)), lacking)

        sums_ = accumulate(builder, (ir.Constant(I64, 0), args[4]), _NOTHING, total, step)
        within = builder.icmp_unsigned("<=", sums_, splat(builder, builder.trunc(args[5], I8)))
        return builder.bitcast(within, I64)

    return signature, generate


def _bytes(interval: bool, unit: Any) -> Any:
    """Make the function that prices rows by equality, or by an interval, in units of so many bits."""

    @intrinsic
    def price(
        typing: Any,
        rows: Any,
        offset: Any,
        columns: Any,
        highs: Any,
        spans: Any,
        prices: Any,
        place: Any,
        begin: Any,
        end: Any,
        limit: Any,
        sums: Any,
    ) -> Any:
        """Add what 64 rows cost in the columns of a query from `begin` to `end` to their sums.

        ``rows[offset + columns[place + i] * 64 + lane]`` costs ``prices[place + i]`` unless it is ``highs[place + i]``,
        or at most ``spans[place + i]`` below that.
        """
        signature = types.uint64(rows, offset, columns, highs, spans, prices, place, begin, end, limit, sums)

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data, column, high, span, cost, total = (
                pointer_to(context, builder, signature.args[i], args[i]) for i in (0, 2, 3, 4, 5, 10)
            )

            def step(i: Any, running: Any) -> Any:
                at = builder.add(args[6], i)
                where = builder.zext(builder.load(builder.gep(column, [at])), I64)
                have = load_lanes(builder, builder.gep(data, [builder.add(args[1], times_lanes(builder, where))]), I8)
                wanted = _byte(builder, high, at)
                if interval:
                    below = builder.sub(wanted, have)
                    differs = builder.icmp_unsigned(">", below, _byte(builder, span, at))
                else:
                    differs = builder.icmp_unsigned("!=", wanted, have)
                return _add(builder, running, _byte(builder, cost, at), differs)

            sums_ = accumulate(builder, (args[7], args[8]), load_lanes(builder, total, unit), total, step)
            within = builder.icmp_unsigned("<=", sums_, splat(builder, builder.trunc(args[9], unit)))
            return builder.bitcast(within, I64)

        return signature, generate

    return price


price_equal, price_near = _bytes(False, I8), _bytes(True, I8)
price_equal_finely, price_near_finely = _bytes(False, I16), _bytes(True, I16)
