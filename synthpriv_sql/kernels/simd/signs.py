"""Signs of texts, eight at a time: the next one that has few enough bits that the other has not."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from synthpriv_sql.kernels.simd.lanes import I8, I64, load_lanes, pointer_to, splat

EIGHT = 8
"""So many signs are read at a time, so an array of them has as many more at its end, whatever these are."""


@intrinsic
def next_within(typing: Any, signs: Any, begin: Any, end: Any, sign: Any, most: Any) -> Any:
    """Return the first place from `begin` on whose sign, and the given one, have at most so many bits alone; or `end`.

    signs: uint64 (end + EIGHT). The bits are those that one of both has and the other has not: the larger number.
    """
    signature = types.int64(types.Array(types.uint64, 1, "C"), types.int64, types.int64, types.uint64, types.int64)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array, begin, end, sign, most = args
        data = pointer_to(context, builder, signature.args[0], array)
        mine, limit = splat(builder, sign, EIGHT), splat(builder, most, EIGHT)
        entry = builder.block
        loop, found, missed, done = (builder.append_basic_block(name) for name in ("signs", "found", "missed", "done"))
        builder.cbranch(builder.icmp_signed("<", begin, end), loop, done)
        builder.position_at_end(loop)
        at = builder.phi(I64)
        at.add_incoming(begin, entry)
        theirs = load_lanes(builder, builder.gep(data, [at]), I64, EIGHT)
        kind = ir.FunctionType(theirs.type, [theirs.type])
        count = cgutils.get_or_insert_function(builder.module, kind, f"llvm.ctpop.v{EIGHT}i64")
        more, less = (
            builder.call(count, [builder.and_(one, builder.not_(other))])
            for one, other in ((mine, theirs), (theirs, mine))
        )
        larger = builder.select(builder.icmp_unsigned(">", more, less), more, less)
        mask = builder.bitcast(builder.icmp_signed("<=", larger, limit), I8)
        builder.cbranch(builder.icmp_unsigned("!=", mask, ir.Constant(I8, 0)), found, missed)
        builder.position_at_end(missed)
        after = builder.add(at, ir.Constant(I64, EIGHT))
        at.add_incoming(after, missed)
        builder.cbranch(builder.icmp_signed("<", after, end), loop, done)
        builder.position_at_end(found)
        lane = builder.zext(builder.cttz(mask, ir.Constant(ir.IntType(1), 1)), I64)
        place = builder.add(at, lane)
        # Beyond the end there is none.
        place = builder.select(builder.icmp_signed("<", place, end), place, end)
        builder.branch(done)
        builder.position_at_end(done)
        result = builder.phi(I64)
        for value, block in ((end, entry), (end, missed), (place, found)):
            result.add_incoming(value, block)
        return result

    return signature, generate
