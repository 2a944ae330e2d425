"""Differences of numbers of 8 bits, or their squares, of 64 rows at once, eight columns at a time.

Eight columns of eight rows are in a register: one instruction takes the absolute differences of 64 bytes and adds them
up for each row. Squares are made of products, since (q - r)**2 = q**2 + r (r - 254) + 2 r (127 - q): the first two
are added up ahead, and for the third one instruction multiplies and adds 64 bytes where the processor has AVX-512 VNNI,
six elsewhere. Where numbers are missing, squares are made of differences, by nine instructions. Where the processor
has no such instructions the same sums are made of plain operations: slower, so that searches do not choose them, and
right, so that they can be tested anywhere, with ``NUMBA_CPU_NAME=generic`` too.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from synthpriv_sql.kernels import private
from synthpriv_sql.kernels.simd import integer_dot
from synthpriv_sql.kernels.simd.lanes import (
    F32,
    I8,
    I16,
    I32,
    I64,
    LANES,
    fields_of,
    load_lanes,
    pointer_to,
    splat,
    vector_of,
)

COLUMNS = 8  # of a register
MIDDLE = 127  # less a byte is a byte with a sign
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


def _add_gaps(builder: Any, total: Any, have: Any, want: Any) -> Any:
    """Add the absolute differences of each eight bytes of 64 to their sum."""
    if not available():
        return builder.add(total, _one_by_one(builder, _apart(builder, have, want), False))
    kind = ir.FunctionType(_SUMS, [_BYTES, _BYTES])
    add = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.avx512.psad.bw.512")
    return builder.add(total, builder.call(add, [have, want]))


def _by_words(builder: Any, one: tuple[Any, Any], other: tuple[Any, Any]) -> Any:
    """Multiply the even and the odd bytes of 64, each in words of 16 bits, and add up each four products."""
    kind = ir.FunctionType(_HALVES, [_WORDS, _WORDS])
    add = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.avx512.pmaddw.d.512")
    even, odd = (builder.call(add, list(pair)) for pair in zip(one, other, strict=True))
    return builder.add(even, odd)


def _unsigned(builder: Any, values: Any) -> tuple[Any, Any]:
    """Return the even and the odd bytes as words."""
    words, eight = builder.bitcast(values, _WORDS), ir.Constant(_WORDS, [8] * (LANES // 2))
    return builder.and_(words, ir.Constant(_WORDS, [255] * (LANES // 2))), builder.lshr(words, eight)


def _signed(builder: Any, values: Any) -> tuple[Any, Any]:
    """Return the even and the odd bytes, which have a sign, as words."""
    words, eight = builder.bitcast(values, _WORDS), ir.Constant(_WORDS, [8] * (LANES // 2))
    return builder.ashr(builder.shl(words, eight), eight), builder.ashr(words, eight)


def _add_squares(builder: Any, total: Any, have: Any, want: Any) -> Any:
    """Add the squares of the differences of each eight bytes of 64 to their two sums of 32 bits."""
    gaps = _apart(builder, have, want)
    if not available():
        return builder.add(total, builder.bitcast(_one_by_one(builder, gaps, True), _HALVES))
    words = _unsigned(builder, gaps)
    return builder.add(total, _by_words(builder, words, words))


def _add_products(builder: Any, total: Any, have: Any, want: Any) -> Any:
    """Add the products of bytes and of bytes with a sign to their two sums of 32 bits for each eight."""
    if available() and not integer_dot.available():
        return builder.add(total, _by_words(builder, _unsigned(builder, have), _signed(builder, want)))
    have, want = (builder.bitcast(side, _HALVES) for side in (have, want))
    return integer_dot.add_word(builder, 8, total, have, want, integer_dot.available())


def _in_line(builder: Any, parts: list[Any], squared: bool) -> Any:
    """Put the sums of all rows, of which squares have two halves, behind each other."""
    halves = [builder.bitcast(part, _HALVES) for part in parts]
    even, odd = (ir.Constant(_HALVES, list(range(first, 4 * _ROWS, 2))) for first in (0, 1))
    found = []
    for pair in zip(halves[::2], halves[1::2], strict=True):
        sums = builder.shuffle_vector(*pair, even)
        found.append(builder.add(sums, builder.shuffle_vector(*pair, odd)) if squared else sums)
    while len(found) > 1:
        lanes = found[0].type.count
        places = ir.Constant(vector_of(I32, 2 * lanes), list(range(2 * lanes)))
        found = [builder.shuffle_vector(*pair, places) for pair in zip(found[::2], found[1::2], strict=True)]
    return found[0]


class _Sides(NamedTuple):
    """Addresses of both sides, as `add_columns` describes, and the sums."""

    rows: Any
    missing: Any
    start: Any
    asked: Any
    lacking: Any
    place: Any
    slots: list[Any]


def _number(value: int) -> Any:
    return ir.Constant(I64, value)


def _load_asked(builder: Any, sides: _Sides, here: Any) -> Any:
    """Load eight numbers of a query, as often as there are rows."""
    word = load_lanes(builder, builder.gep(sides.asked, [builder.mul(here, _number(COLUMNS))]), I64, 1)
    return builder.bitcast(splat(builder, builder.extract_element(word, ir.Constant(I32, 0)), _ROWS), _BYTES)


def _first_of(builder: Any, sides: _Sides, eight: Any, part: int) -> Any:
    return builder.add(builder.mul(builder.add(sides.start, eight), _number(LANES)), _number(part * _ROWS))


def _load_rows(builder: Any, sides: _Sides, first: Any) -> Any:
    return load_lanes(builder, builder.gep(sides.rows, [builder.mul(first, _number(COLUMNS))]), I8)


def _add_complete(builder: Any, sides: _Sides, eight: Any, squared: bool) -> None:
    """Add the differences of eight columns in which nothing is missing, or the products of which squares are made."""
    want = _load_asked(builder, sides, builder.add(sides.place, eight))
    if squared:  # MIDDLE - q, with a sign
        want = builder.xor(want, ir.Constant(_BYTES, [MIDDLE] * LANES))
    for part, slot in enumerate(sides.slots):
        have, total = _load_rows(builder, sides, _first_of(builder, sides, eight, part)), builder.load(slot)
        add = _add_products if squared else _add_gaps
        builder.store(add(builder, total, have, want), slot)


def _add_present(builder: Any, sides: _Sides, eight: Any, squared: bool) -> None:
    """Add the differences of eight columns, or their squares, where neither side is missing."""
    here = builder.add(sides.place, eight)
    want = _load_asked(builder, sides, here)
    every = builder.mul(builder.zext(builder.load(builder.gep(sides.lacking, [here])), I64), _number(_EVERY_BYTE))
    for part, slot in enumerate(sides.slots):
        first = _first_of(builder, sides, eight, part)
        hole = load_lanes(builder, builder.gep(sides.missing, [first]), I64, 1)
        hole = builder.or_(builder.extract_element(hole, ir.Constant(I32, 0)), every)
        have = _load_rows(builder, sides, first)
        have = builder.select(builder.bitcast(hole, vector_of(ir.IntType(1))), want, have)
        add = _add_squares if squared else _add_gaps
        builder.store(add(builder, builder.load(slot), have, want), slot)


def _columns(squared: bool) -> Any:
    """Make the function that adds differences, or their squares."""

    @intrinsic
    def add_columns(
        typing: Any,
        rows: Any,
        asked: Any,
        start: Any,
        place: Any,
        eights: Any,
        at: Any,
        norm: Any,
        step: Any,
        limit: Any,
        sums: Any,
    ) -> Any:
        """Add ``step`` times the differences of columns, or their squares, to the float32 sums of 64 rows.

        Return the rows within `limit`. `rows` is a named tuple of arrays `steps`, `missing` and `norms`, `asked` one of
        `steps` and `lacking`, `eights` the numbers `begin`, `complete` and `end`. Of eights of columns
        ``begin <= e < end``: ``rows.steps[((start + e) * 64 + row) * 8 + i]`` against
        ``asked.steps[(place + e) * 8 + i]``. From eight `complete` on, a column costs nothing where bit i of
        ``missing[(start + e) * 64 + row]`` or of ``lacking[place + e]`` is set. Of the eights before, squares take the
        sum of r * (r - 2 * MIDDLE), ``norms[at + row]``, and that of q * q, `norm`.
        """
        signature = types.uint64(rows, asked, start, place, eights, at, norm, step, limit, sums)

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data, holes, ahead = fields_of(context, builder, signature.args[0], args[0], "steps", "missing", "norms")
            queries, gone = fields_of(context, builder, signature.args[1], args[1], "steps", "lacking")
            begin, complete, end = (builder.extract_value(args[4], i) for i in range(3))
            total = pointer_to(context, builder, signature.args[9], args[9])
            kind = _HALVES if squared else _SUMS
            slots = [cgutils.alloca_once_value(builder, ir.Constant(kind, None)) for _ in range(_PARTS)]
            sides = _Sides(data, holes, args[2], queries, gone, args[3], slots)
            one = _number(1)
            whole = builder.select(builder.icmp_signed("<", complete, end), complete, end)
            some = builder.icmp_signed("<", begin, complete)
            with cgutils.for_range_slice(builder, begin, whole, one, intp=I64) as (eight, _):
                _add_complete(builder, sides, eight, squared)
            if squared:
                for slot in slots:
                    builder.store(builder.shl(builder.load(slot), ir.Constant(kind, [1] * kind.count)), slot)
            rest = builder.select(some, whole, begin)
            with cgutils.for_range_slice(builder, rest, end, one, intp=I64) as (eight, _):
                _add_present(builder, sides, eight, squared)
            costs = _in_line(builder, [builder.load(slot) for slot in slots], squared)
            if squared:
                known = load_lanes(builder, builder.gep(ahead, [args[5]]), I32)
                known = builder.add(known, splat(builder, builder.trunc(args[6], I32)))
                costs = builder.add(costs, builder.select(some, known, ir.Constant(known.type, None)))
            before = load_lanes(builder, total, F32)
            priced = builder.fmul(builder.sitofp(costs, vector_of(F32)), splat(builder, args[7]))
            after = builder.fadd(before, priced)
            builder.store(after, builder.bitcast(total, after.type.as_pointer())).align = 1
            within = builder.fcmp_ordered("<=", after, splat(builder, args[8]))
            return builder.bitcast(within, I64)

        return signature, generate

    return add_columns


add_gaps = _columns(False)
add_squares_of_gaps = _columns(True)
