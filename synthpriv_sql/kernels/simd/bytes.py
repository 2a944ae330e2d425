"""Differences of numbers of 8 bits, or their squares, of 64 rows at once, eight columns at a time.

Eight columns of eight rows are in a register: one instruction takes the absolute differences of 64 bytes and adds them
up for each row; squares take nine. Where the processor has no such instructions the same sums are made of plain
operations: slower, so that searches do not choose them, and right, so that they can be tested anywhere, with
``NUMBA_CPU_NAME=generic`` too.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from synthpriv_sql.kernels import private
from synthpriv_sql.kernels.simd.lanes import F32, I8, I16, I32, I64, LANES, load_lanes, pointer_to, splat, vector_of

COLUMNS = 8  # of a register
_ROWS = LANES // COLUMNS
_PARTS = LANES // _ROWS
_BYTES = vector_of(I8)
_WORDS = vector_of(I16, LANES // 2)
_SUMS = vector_of(I64, _ROWS)
_HALVES = vector_of(I32, 2 * _ROWS)
_EVERY_BYTE = 0x0101010101010101


def available() -> bool:
    """Whether the processor that numba compiles for has the instruction."""
    return private.has_feature("avx512bw")


def _apart(builder: Any, have: Any, want: Any) -> Any:
    """Take the absolute differences of bytes."""
    above = builder.icmp_unsigned(">", have, want)
    larger, smaller = builder.select(above, have, want), builder.select(above, want, have)
    return builder.sub(larger, smaller)


def _one_by_one(builder: Any, gaps: Any, squared: bool) -> Any:
    """Add up each eight bytes, or their squares, by plain operations."""
    total = None
    for column in range(COLUMNS):
        places = ir.Constant(vector_of(I32, _ROWS), list(range(column, LANES, COLUMNS)))
        one = builder.zext(builder.shuffle_vector(gaps, ir.Constant(_BYTES, ir.Undefined), places), _SUMS)
        one = builder.mul(one, one) if squared else one
        total = one if total is None else builder.add(total, one)
    return total


def _gaps(builder: Any, have: Any, want: Any) -> Any:
    """Add up the absolute differences of each eight bytes of 64."""
    if not available():
        return _one_by_one(builder, _apart(builder, have, want), False)
    kind = ir.FunctionType(_SUMS, [_BYTES, _BYTES])
    add = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.avx512.psad.bw.512")
    return builder.call(add, [have, want])


def _squares(builder: Any, have: Any, want: Any) -> Any:
    """Add up the squares of the differences of each eight bytes of 64, in two sums of 32 bits."""
    gaps = _apart(builder, have, want)
    if not available():
        return builder.bitcast(_one_by_one(builder, gaps, True), _HALVES)
    words = builder.bitcast(gaps, _WORDS)
    kind = ir.FunctionType(_HALVES, [_WORDS, _WORDS])
    add = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.avx512.pmaddw.d.512")
    even = builder.and_(words, ir.Constant(_WORDS, [255] * (LANES // 2)))
    odd = builder.lshr(words, ir.Constant(_WORDS, [8] * (LANES // 2)))
    return builder.add(builder.call(add, [even, even]), builder.call(add, [odd, odd]))


def _whole(builder: Any, halves: Any) -> Any:
    """Add up the two sums of each row."""
    pairs = builder.bitcast(halves, _SUMS)
    low = builder.and_(pairs, ir.Constant(_SUMS, [0xFFFFFFFF] * _ROWS))
    return builder.add(low, builder.lshr(pairs, ir.Constant(_SUMS, [32] * _ROWS)))


def _in_line(builder: Any, parts: list[Any]) -> Any:
    """Put the sums of all rows behind each other, as float32."""
    narrow = [builder.trunc(part, vector_of(I32, _ROWS)) for part in parts]
    while len(narrow) > 1:
        lanes = narrow[0].type.count
        places = ir.Constant(vector_of(I32, 2 * lanes), list(range(2 * lanes)))
        narrow = [builder.shuffle_vector(*pair, places) for pair in zip(narrow[::2], narrow[1::2], strict=True)]
    return builder.sitofp(narrow[0], vector_of(F32))


def _columns(squared: bool) -> Any:
    """Make the function that adds differences, or their squares."""

    @intrinsic
    def add_columns(
        typing: Any,
        rows: Any,
        missing: Any,
        start: Any,
        asked: Any,
        lacking: Any,
        place: Any,
        begin: Any,
        complete: Any,
        end: Any,
        step: Any,
        limit: Any,
        sums: Any,
    ) -> Any:
        """Add ``step`` times the differences of columns, or their squares, to the float32 sums of 64 rows.

        Return the rows within `limit`. Of eights of columns ``begin <= e < end``:
        ``rows[((start + e) * 64 + row) * 8 + i]`` against ``asked[(place + e) * 8 + i]``. From eight `complete` on, a
        column costs nothing where bit i of ``missing[(start + e) * 64 + row]`` or of ``lacking[place + e]`` is set.
        """
        signature = types.uint64(
            rows, missing, start, asked, lacking, place, begin, complete, end, step, limit, sums
        )  # fmt: skip

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data, holes, queries, gone, total = (
                pointer_to(context, builder, signature.args[i], args[i]) for i in (0, 1, 3, 4, 11)
            )
            start, place, begin, complete, end = args[2], args[5], args[6], args[7], args[8]
            kind = _HALVES if squared else _SUMS
            slots = [cgutils.alloca_once(builder, kind) for _ in range(_PARTS)]
            for slot in slots:
                builder.store(ir.Constant(kind, None), slot)

            def number(value: int) -> Any:
                return ir.Constant(I64, value)

            def add(eight: Any, masked: bool) -> None:
                at, here = builder.add(start, eight), builder.add(place, eight)
                word = load_lanes(builder, builder.gep(queries, [builder.mul(here, number(COLUMNS))]), I64, 1)
                want = builder.bitcast(
                    splat(builder, builder.extract_element(word, ir.Constant(I32, 0)), _ROWS), _BYTES
                )
                if masked:
                    every = builder.mul(builder.zext(builder.load(builder.gep(gone, [here])), I64), number(_EVERY_BYTE))
                first = builder.mul(at, number(LANES))
                for part, slot in enumerate(slots):
                    row = builder.add(first, number(part * _ROWS))
                    have = load_lanes(builder, builder.gep(data, [builder.mul(row, number(COLUMNS))]), I8)
                    if masked:
                        hole = load_lanes(builder, builder.gep(holes, [row]), I64, 1)
                        hole = builder.or_(builder.extract_element(hole, ir.Constant(I32, 0)), every)
                        have = builder.select(builder.bitcast(hole, vector_of(ir.IntType(1))), want, have)
                    costs = (_squares if squared else _gaps)(builder, have, want)
                    builder.store(builder.add(builder.load(slot), costs), slot)

            def least(one: Any, other: Any) -> Any:
                return builder.select(builder.icmp_signed("<", one, other), one, other)

            one = number(1)
            whole = least(complete, end)
            with cgutils.for_range_slice(builder, begin, whole, one, intp=I64) as (eight, _):
                add(eight, False)
            rest = builder.select(builder.icmp_signed("<", begin, complete), whole, begin)
            with cgutils.for_range_slice(builder, rest, end, one, intp=I64) as (eight, _):
                add(eight, True)
            found = [builder.load(slot) for slot in slots]
            costs = _in_line(builder, [_whole(builder, one) for one in found] if squared else found)
            before = load_lanes(builder, total, F32)
            after = builder.fadd(before, builder.fmul(costs, splat(builder, args[9])))
            builder.store(after, builder.bitcast(total, after.type.as_pointer())).align = 1
            within = builder.fcmp_ordered("<=", after, splat(builder, args[10]))
            return builder.bitcast(within, I64)

        return signature, generate

    return add_columns


add_gaps = _columns(False)
add_squares_of_gaps = _columns(True)
