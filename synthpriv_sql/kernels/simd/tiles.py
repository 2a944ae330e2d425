"""Products of several queries with 64 rows at once, in registers: the filter where bounds exclude little.

A matrix product needs one multiplication and addition a column and pair, and its operands are loaded once for several
queries. Unlike a product of a library it writes nothing: the sums are compared where they are.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding, ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from synthpriv_sql.kernels.simd.lanes import F32, LANES, load_lanes, pointer_to, splat, vector_of

ABREAST = 6  # queries of a tile: six times 64 float32 sums are 24 of the 32 registers of AVX-512

_I64 = ir.IntType(64)


def _rows() -> int:
    """Rows whose sums are kept in registers at once: six times 16 are 12 of the 16 registers of AVX2."""
    return LANES if binding.get_host_cpu_features().get("avx512f") else 16


@intrinsic
def multiply_tile(
    typing: Any, values: Any, block: Any, norms: Any, asked: Any, places: Any, columns: Any, limits: Any, masks: Any
) -> Any:
    """Find the rows of a block that six queries cannot rule out; return whether there are any.

    Bit r of ``masks[i]`` says that ``norms[block * 64 + r] + sum(asked[places[i] + j] * values[(block * columns + j) *
    64 + r])`` over the columns j is at most ``limits[i]``.
    """
    signature = types.uint64(values, block, norms, asked, places, columns, limits, masks)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data, starts, queries, slots, most, result = (
            pointer_to(context, builder, signature.args[i], args[i]) for i in (0, 2, 3, 4, 6, 7)
        )
        step = _rows()
        vector = vector_of(F32, step)
        kind = ir.FunctionType(vector, [vector] * 3)
        fused = cgutils.get_or_insert_function(builder.module, kind, f"llvm.fma.v{step}f32")
        zero, one, lanes = (ir.Constant(_I64, value) for value in (0, 1, LANES))
        numbers = [ir.Constant(_I64, i) for i in range(ABREAST)]
        asked = [builder.gep(queries, [builder.load(builder.gep(slots, [i]))]) for i in numbers]
        limit = [splat(builder, builder.load(builder.gep(most, [i])), step) for i in numbers]
        sums = [cgutils.alloca_once(builder, vector) for _ in numbers]
        masks = [zero] * ABREAST
        for part in range(0, LANES, step):
            at = builder.add(builder.mul(args[1], lanes), ir.Constant(_I64, part))
            norm = load_lanes(builder, builder.gep(starts, [at]), F32, step)
            for slot in sums:
                builder.store(norm, slot)
            first = builder.add(builder.mul(builder.mul(args[1], args[5]), lanes), ir.Constant(_I64, part))
            with cgutils.for_range_slice(builder, zero, args[5], one, intp=_I64) as (column, _):
                place = builder.add(first, builder.mul(column, lanes))
                have = load_lanes(builder, builder.gep(data, [place]), F32, step)
                for slot, query in zip(sums, asked, strict=True):
                    want = splat(builder, builder.load(builder.gep(query, [column])), step)
                    builder.store(builder.call(fused, [want, have, builder.load(slot)]), slot)
            for i, slot in enumerate(sums):
                within = builder.bitcast(builder.fcmp_ordered("<=", builder.load(slot), limit[i]), ir.IntType(step))
                mask = within if step == LANES else builder.zext(within, _I64)
                masks[i] = builder.or_(masks[i], builder.shl(mask, ir.Constant(_I64, part)))
        some = zero
        for number, mask in zip(numbers, masks, strict=True):
            builder.store(mask, builder.gep(result, [number]))
            some = builder.or_(some, mask)
        return some

    return signature, generate
