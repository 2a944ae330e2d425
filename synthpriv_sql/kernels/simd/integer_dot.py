"""Products of whole numbers, as processors with AVX-512 VNNI have them: 64 or 32 multiplications in one instruction.

A word holds four numbers of 8 bits, or two of 16: so many columns of a row. The products of a word are added to one
sum of 32 bits, without rounding. Where the processor has no such instruction the same sums are made of plain
multiplications: slower, so that searches do not choose them, and right, so that they can be tested anywhere, with
``NUMBA_CPU_NAME=generic`` too. LLVM does not find the instruction in plain multiplications, so it is asked for by name;
as inline assembly it took the same time (2 to 32 words, 8 and 16 bits, LLVM 15 and 22: within 4 %). Numbers of
8 bits are unsigned on the side of the rows and signed on that of the queries. Rows are in blocks of 64, word by word;
queries six abreast, word by word.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from synthpriv_sql.kernels import private
from synthpriv_sql.kernels.simd.lanes import I16, I32, I64, LANES, load_lanes, pointer_to, splat, vector_of
from synthpriv_sql.kernels.simd.tiles import ABREAST

SUMS = 16  # sums of a register
MOST = 2**31 - 1
_PARTS = LANES // SUMS
_VECTOR = vector_of(I32, SUMS)
_INSTRUCTIONS = {8: "llvm.x86.avx512.vpdpbusd.512", 16: "llvm.x86.avx512.vpdpwssd.512"}


def available() -> bool:
    """Whether the processor that numba compiles for has these instructions."""
    return private.has_feature("avx512vnni")


def _number(value: int) -> Any:
    return ir.Constant(I64, value)


def _smaller(builder: Any, one: Any, other: Any) -> Any:
    return builder.select(builder.icmp_signed("<", one, other), one, other)


def add_word(builder: Any, bits: int, total: Any, rows: Any, query: Any, instruction: bool) -> Any:
    """Return sums of 32 bits with the products of a word added, by the instruction or by plain multiplications."""
    if instruction:
        # From LLVM 22 on these are declared with vectors of 8 or 16 bits; it still takes the declarations of before.
        kind = ir.FunctionType(_VECTOR, [_VECTOR] * 3)
        add = cgutils.get_or_insert_function(builder.module, kind, _INSTRUCTIONS[bits])
        return builder.call(add, [total, rows, query])
    numbers = 32 // bits
    narrow, wide = (vector_of(ir.IntType(size), SUMS * numbers) for size in (bits, 32))
    have, want = (builder.bitcast(word, narrow) for word in (rows, query))
    have = (builder.zext if bits == 8 else builder.sext)(have, wide)
    products = builder.mul(have, builder.sext(want, wide))
    for first in range(numbers):
        places = ir.Constant(_VECTOR, list(range(first, SUMS * numbers, numbers)))
        total = builder.add(total, builder.shuffle_vector(products, ir.Constant(wide, ir.Undefined), places))
    return total


def _add_products(builder: Any, bits: int, sums: list[list[Any]], have: list[Any], want: list[Any]) -> None:
    """Add the products of a word of all rows and queries to their sums."""
    for row_of_sums, query in zip(sums, want, strict=True):
        for slot, rows in zip(row_of_sums, have, strict=True):
            builder.store(add_word(builder, bits, builder.load(slot), rows, query, available()), slot)


def _block(
    builder: Any, bits: int, data: Any, starts: Any, asked: list[Any], block: Any, words: Any, sums: list[list[Any]]
) -> None:
    """Initialize the sums of the rows of a block from `starts`, and add the products of all words."""
    for part in range(_PARTS):
        at = builder.add(builder.mul(block, _number(LANES)), _number(part * SUMS))
        start = load_lanes(builder, builder.gep(starts, [at]), I32, SUMS)
        for row_of_sums in sums:
            builder.store(start, row_of_sums[part])
    first = builder.mul(builder.mul(block, words), _number(LANES))
    with cgutils.for_range(builder, words, intp=I64) as loop:
        at = builder.add(first, builder.mul(loop.index, _number(LANES)))
        have = [
            load_lanes(builder, builder.gep(data, [builder.add(at, _number(part * SUMS))]), I32, SUMS)
            for part in range(_PARTS)
        ]
        word = builder.mul(loop.index, _number(ABREAST))
        want = [splat(builder, builder.load(builder.gep(query, [word])), SUMS) for query in asked]
        _add_products(builder, bits, sums, have, want)


def _least(bits: int) -> Any:
    """Make the function for words of numbers of so many bits."""

    @intrinsic
    def least_products(
        typing: Any,
        rows: Any,
        block: Any,
        blocks: Any,
        starts: Any,
        asked: Any,
        place: Any,
        words: Any,
        out: Any,
        at: Any,
        step: Any,
    ) -> Any:
        """Find, for six queries, the minimum in each of 16 lanes over so many blocks from `block` on.

        ``starts[b * 64 + r] + sum(rows[(b * words + w) * 64 + r] · asked[place + w * 6 + i])`` over the words w; the
        least of rows r that are equal modulo 16 goes to ``out[at + i * step + r % 16]``.
        """
        signature = types.void(rows, block, blocks, starts, asked, place, words, out, at, step)

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data, begin, queries, result = (
                pointer_to(context, builder, signature.args[i], args[i]) for i in (0, 3, 4, 7)
            )
            sums = [[cgutils.alloca_once(builder, _VECTOR) for _ in range(_PARTS)] for _ in range(ABREAST)]
            least = [cgutils.alloca_once(builder, _VECTOR) for _ in range(ABREAST)]
            for slot in least:
                builder.store(ir.Constant(_VECTOR, [MOST] * SUMS), slot)
            abreast = [builder.gep(queries, [builder.add(args[5], _number(i))]) for i in range(ABREAST)]
            end = builder.add(args[1], args[2])
            with cgutils.for_range_slice(builder, args[1], end, _number(1), intp=I64) as (here, _):
                _block(builder, bits, data, begin, abreast, here, args[6], sums)
                for slot, row_of_sums in zip(least, sums, strict=True):
                    one, two, three, four = (builder.load(part) for part in row_of_sums)
                    both = _smaller(builder, _smaller(builder, one, two), _smaller(builder, three, four))
                    builder.store(_smaller(builder, builder.load(slot), both), slot)
            for i, slot in enumerate(least):
                place = builder.add(args[8], builder.mul(args[9], _number(i)))
                pointer = builder.bitcast(builder.gep(result, [place]), _VECTOR.as_pointer())
                builder.store(builder.load(slot), pointer).align = 4
            return context.get_dummy_value()

        return signature, generate

    return least_products


def _between(bits: int) -> Any:
    """Make the function for words of numbers of so many bits."""

    @intrinsic
    def rows_between(
        typing: Any, rows: Any, block: Any, starts: Any, asked: Any, place: Any, words: Any, least: Any, most: Any
    ) -> Any:
        """Return the rows of a block, bit by bit, whose sum for a query (see `least_products`) is in (least, most]."""
        signature = types.uint64(rows, block, starts, asked, place, words, least, most)

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data, begin, queries = (pointer_to(context, builder, signature.args[i], args[i]) for i in (0, 2, 3))
            sums = [[cgutils.alloca_once(builder, _VECTOR) for _ in range(_PARTS)]]
            _block(builder, bits, data, begin, [builder.gep(queries, [args[4]])], args[1], args[5], sums)
            below, most = (splat(builder, builder.trunc(args[i], I32), SUMS) for i in (6, 7))
            mask = _number(0)
            for part, slot in enumerate(sums[0]):
                total = builder.load(slot)
                near = builder.and_(builder.icmp_signed(">", total, below), builder.icmp_signed("<=", total, most))
                near = builder.bitcast(near, I16)
                mask = builder.or_(mask, builder.shl(builder.zext(near, I64), _number(part * SUMS)))
            return mask

        return signature, generate

    return rows_between


least_products_of_8, least_products_of_16 = _least(8), _least(16)
rows_between_of_8, rows_between_of_16 = _between(8), _between(16)


def added(bits: int, instruction: bool) -> Any:
    """Make the function that adds the products of one word of 16 rows and a query, for tests of either form."""

    @intrinsic
    def add(typing: Any, total: Any, rows: Any, query: Any) -> Any:
        signature = types.void(total, rows, query)

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            out, have, want = (pointer_to(context, builder, signature.args[i], args[i]) for i in range(3))
            total, row, asked = (load_lanes(builder, pointer, I32, SUMS) for pointer in (out, have, want))
            found = add_word(builder, bits, total, row, asked, instruction)
            builder.store(found, builder.bitcast(out, _VECTOR.as_pointer())).align = 4
            return context.get_dummy_value()

        return signature, generate

    return add


@intrinsic
def lanes_within(typing: Any, values: Any, at: Any, limit: Any) -> Any:
    """Return which of 16 values, bit by bit, are at most `limit`."""
    signature = types.uint64(values, at, limit)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = pointer_to(context, builder, signature.args[0], args[0])
        have = load_lanes(builder, builder.gep(data, [args[1]]), I32, SUMS)
        most = splat(builder, builder.trunc(args[2], I32), SUMS)
        return builder.zext(builder.bitcast(builder.icmp_signed("<=", have, most), I16), I64)

    return signature, generate
