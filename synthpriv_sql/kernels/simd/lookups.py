"""Costs of 64 rows looked up at once: tables of 64 bytes, one for each column of a query.

A number is one of 64 codes, a table has what each code costs at least, in bytes. One instruction looks 64 rows up, a
second adds what it found, and stays at 255 beyond. Searches of codes from product quantization do the same with tables
of 16 (André, Kermarrec and Le Scouarnec, Cache locality is not enough, VLDB 2015); AVX-512 VBMI has them of 64. Where
the processor has no such instruction the rows are looked up one by one: slower, so that searches do not choose it, and
right, so that it can be tested anywhere, with ``NUMBA_CPU_NAME=generic`` too.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from synthpriv_sql.kernels import private
from synthpriv_sql.kernels.simd.lanes import (
    F32,
    I8,
    I32,
    I64,
    LANES,
    load_lanes,
    pointer_to,
    splat,
    store_lanes,
    times_lanes,
    vector_of,
)

CODES = LANES
MOST = 255
_BYTES = vector_of(I8)


def available() -> bool:
    """Whether the processor that numba compiles for has the instruction."""
    return private.has_feature("avx512vbmi")


def _look_up(builder: Any, table: Any, codes: Any, instruction: bool) -> Any:
    """Return what a table of 64 bytes has for each of 64 codes, by the instruction or one by one."""
    kind = ir.FunctionType(_BYTES, [_BYTES, _BYTES])
    if instruction:
        look_up = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.avx512.permvar.qi.512")
        return builder.call(look_up, [table, codes])
    found = ir.Constant(_BYTES, ir.Undefined)
    for lane in range(LANES):
        place = ir.Constant(I32, lane)
        code = builder.zext(builder.extract_element(codes, place), I32)
        found = builder.insert_element(found, builder.extract_element(table, code), place)
    return found


def _add(builder: Any, one: Any, other: Any) -> Any:
    """Add bytes, at most to 255."""
    kind = ir.FunctionType(_BYTES, [_BYTES, _BYTES])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.uadd.sat.v{LANES}i8"), [one, other])


@intrinsic
def write_costs(
    typing: Any, low: Any, high: Any, at: Any, value: Any, cap: Any, factor: Any, squared: Any, out: Any, place: Any
) -> Any:
    """Write to ``out[place:place + 64]`` what a number costs at least against those from low to high, times a factor.

    ``low[at + code]`` to ``high[at + code]`` are the numbers of a code. Costs are rounded down, at most 255; those of a
    value that is missing are 0.
    """
    signature = types.void(low, high, at, value, cap, factor, squared, out, place)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        least, most, result = (pointer_to(context, builder, signature.args[i], args[i]) for i in (0, 1, 7))
        zero, wanted = ir.Constant(vector_of(F32), None), splat(builder, args[3])

        def larger(one: Any, other: Any) -> Any:  # the other where one is missing
            return builder.select(builder.fcmp_ordered(">", one, other), one, other)

        def smaller(one: Any, other: Any) -> Any:
            return builder.select(builder.fcmp_ordered("<", one, other), one, other)

        below = builder.fsub(load_lanes(builder, builder.gep(least, [args[2]]), F32), wanted)
        above = builder.fsub(wanted, load_lanes(builder, builder.gep(most, [args[2]]), F32))
        gap = larger(below, larger(above, zero))
        cost = builder.select(splat(builder, builder.trunc(args[6], ir.IntType(1))), builder.fmul(gap, gap), gap)
        scaled = builder.fmul(smaller(cost, splat(builder, args[4])), splat(builder, args[5]))
        limited = smaller(scaled, ir.Constant(vector_of(F32), [float(MOST)] * LANES))
        store_lanes(
            builder, builder.trunc(builder.fptoui(limited, vector_of(I32)), _BYTES), builder.gep(result, [args[8]])
        )
        return context.get_dummy_value()

    return signature, generate


def _counts(builder: Any, planes: Any, word: Any, used: Any, start: Any) -> Any:
    """Return the counts of 64 rows as bytes, at most 63: what the first planes say, less where counts start."""
    slot = cgutils.alloca_once_value(builder, splat(builder, builder.trunc(builder.neg(start), I8)))
    zero = ir.Constant(_BYTES, None)
    with cgutils.for_range(builder, used, intp=I64) as loop:
        at = builder.add(word, builder.shl(loop.index, ir.Constant(I64, 3)))
        bits = builder.bitcast(builder.load(builder.gep(planes, [at])), vector_of(ir.IntType(1)))
        value = splat(builder, builder.trunc(builder.shl(ir.Constant(I64, 1), loop.index), I8))
        builder.store(builder.add(builder.load(slot), builder.select(bits, value, zero)), slot)
    counts, last = builder.load(slot), ir.Constant(_BYTES, [CODES - 1] * LANES)
    return builder.select(builder.icmp_unsigned("<", counts, last), counts, last)


@intrinsic
def costs_within(
    typing: Any,
    codes: Any,
    at: Any,
    tables: Any,
    place: Any,
    columns: Any,
    planes: Any,
    word: Any,
    used: Any,
    start: Any,
    most: Any,
) -> Any:
    """Add up the costs of so many columns of 64 rows, and of their counts; return which rows stay within `most`.

    ``tables[place + column * 64 + codes[at + column * 64 + lane]]``, then a table for counts; sums end at 255. Bit i of
    ``start + count`` is in ``planes[i * 8 + word]`` for the first `used` bits, beyond which all counts have the same.
    """
    signature = types.uint64(codes, at, tables, place, columns, planes, word, used, start, most)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data, costs, bits = (pointer_to(context, builder, signature.args[i], args[i]) for i in (0, 2, 5))

        def table(column: Any) -> Any:
            return load_lanes(builder, builder.gep(costs, [builder.add(args[3], times_lanes(builder, column))]), I8)

        sums = cgutils.alloca_once_value(
            builder, _look_up(builder, table(args[4]), _counts(builder, bits, *args[6:9]), available())
        )
        with cgutils.for_range(builder, args[4], intp=I64) as loop:
            have = builder.gep(data, [builder.add(args[1], times_lanes(builder, loop.index))])
            found = _look_up(builder, table(loop.index), load_lanes(builder, have, I8), available())
            builder.store(_add(builder, builder.load(sums), found), sums)
        within = builder.icmp_unsigned("<=", builder.load(sums), splat(builder, builder.trunc(args[9], I8)))
        return builder.bitcast(within, I64)

    return signature, generate


def looked_up(instruction: bool) -> Any:
    """Make the function that looks 64 codes up, for tests of either form."""

    @intrinsic
    def look_up(typing: Any, table: Any, codes: Any, out: Any) -> Any:
        signature = types.void(table, codes, out)

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            costs, have, found = (pointer_to(context, builder, signature.args[i], args[i]) for i in range(3))
            loaded = load_lanes(builder, costs, I8), load_lanes(builder, have, I8)
            store_lanes(builder, _look_up(builder, *loaded, instruction), found)
            return context.get_dummy_value()

        return signature, generate

    return look_up
