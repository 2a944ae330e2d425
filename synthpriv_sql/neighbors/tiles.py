"""Products of several queries with 64 rows at once, in registers: what rules rows out where bounds do not.

A matrix product needs one multiplication and addition a column and pair, and its operands are loaded once for several
queries. Unlike a product of a library it writes nothing: the sums are compared where they are.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding, ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from synthpriv_sql.neighbors.lanes import LANES, _load, _pointer, _splat

ABREAST = 6  # queries of a tile: six times 64 float32 sums are 24 registers of AVX-512

_I64 = ir.IntType(64)
_F32 = ir.FloatType()


def _registers() -> int:
    """Rows whose sums are kept in registers at once."""
    return LANES if binding.get_host_cpu_features().get("avx512f") else 16


ROWS = _registers()


@intrinsic
def multiply_tile(
    typing: Any,
    values: Any,
    block: Any,
    norms: Any,
    asked: Any,
    places: Any,
    head: Any,
    columns: Any,
    limits: Any,
    masks: Any,
) -> Any:
    """Find the rows of a block that six queries cannot rule out; return whether there are any.

    For query i and row r the sum ``norms[r] + sum(asked[places[i] + j] * values[j, r])`` over the columns is compared
    with a limit, first of the `head` columns alone, then of all. ``values[(block * columns + j) * 64 + r]``;
    ``norms[(block * 2 + part) * 64 + r]``, part 0 for the head, part 1 for the rest; ``limits[part * 6 + i]``, part 1
    for all. Bit r of ``masks[i]`` says that row r is within the limit of query i.
    """
    signature = types.uint64(values, block, norms, asked, places, head, columns, limits, masks)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data, starts, wanted, slots, most, result = (
            _pointer(context, builder, signature.args[i], args[i]) for i in (0, 2, 3, 4, 7, 8)
        )
        vector = ir.VectorType(_F32, ROWS)
        zero, one, lanes = (ir.Constant(_I64, value) for value in (0, 1, LANES))
        kind = ir.FunctionType(vector, [vector] * 3)
        fused = cgutils.get_or_insert_function(builder.module, kind, f"llvm.fma.v{ROWS}f32")
        first = builder.mul(builder.mul(args[1], args[6]), lanes)
        rows = [
            builder.gep(wanted, [builder.load(builder.gep(slots, [ir.Constant(_I64, i)]))]) for i in range(ABREAST)
        ]
        found = cgutils.alloca_once(builder, _I64)
        builder.store(zero, found)
        mask_type = ir.IntType(ROWS)
        for quarter in range(LANES // ROWS):
            shift = ir.Constant(_I64, quarter * ROWS)
            sums = [cgutils.alloca_once(builder, vector) for _ in range(ABREAST)]

            def norm(part: int) -> Any:
                at = builder.mul(builder.add(builder.shl(args[1], one), ir.Constant(_I64, part)), lanes)
                return _load(builder, builder.gep(starts, [builder.add(at, shift)]), _F32, ROWS)

            def add(begin: Any, end: Any) -> None:
                with cgutils.for_range_slice(builder, begin, end, one, intp=_I64) as (column, _):
                    at = builder.add(builder.add(first, builder.mul(column, lanes)), shift)
                    have = _load(builder, builder.gep(data, [at]), _F32, ROWS)
                    for row, slot in zip(rows, sums, strict=True):
                        want = _splat(builder, builder.load(builder.gep(row, [column])), ROWS)
                        builder.store(builder.call(fused, [want, have, builder.load(slot)]), slot)

            def compare(part: int) -> list[Any]:
                out = []
                for i, slot in enumerate(sums):
                    limit = builder.load(builder.gep(most, [ir.Constant(_I64, part * ABREAST + i)]))
                    within = builder.fcmp_ordered("<=", builder.load(slot), _splat(builder, limit, ROWS))
                    mask = builder.bitcast(within, mask_type)
                    out.append(mask if ROWS == 64 else builder.zext(mask, _I64))
                return out

            def union(masks: list[Any]) -> Any:
                total = masks[0]
                for mask in masks[1:]:
                    total = builder.or_(total, mask)
                return total

            start = norm(0)
            for slot in sums:
                builder.store(start, slot)
            add(zero, args[5])
            masks = [cgutils.alloca_once(builder, _I64) for _ in range(ABREAST)]
            for slot, mask in zip(masks, compare(0), strict=True):
                builder.store(mask, slot)
            rest = builder.icmp_signed("<", args[5], args[6])
            some = builder.icmp_unsigned("!=", union([builder.load(slot) for slot in masks]), zero)
            with builder.if_then(builder.and_(rest, some)):
                more = norm(1)
                for slot in sums:
                    builder.store(builder.fadd(builder.load(slot), more), slot)
                add(args[5], args[6])
                for slot, mask in zip(masks, compare(1), strict=True):
                    builder.store(mask, slot)
            for i, slot in enumerate(masks):
                place = builder.gep(result, [ir.Constant(_I64, i)])
                mask = builder.shl(builder.load(slot), shift)
                builder.store(mask if quarter == 0 else builder.or_(builder.load(place), mask), place)
                builder.store(builder.or_(builder.load(found), mask), found)
        return builder.load(found)

    return signature, generate
