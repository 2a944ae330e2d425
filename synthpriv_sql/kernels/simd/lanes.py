"""The hot loops, written with LLVM vectors: of 64 rows, 64 blocks, or 512 rows bit by bit.

LLVM vectorizes plain numba loops over two arrays only behind run-time overlap checks, and keeps their running sums in
memory; in vector code the sums stay in registers. LLVM lowers the vectors to the instructions of the machine (AVX-512,
AVX2, NEON), so nothing here depends on a processor.

Functions that count or add return a mask of the lanes, or of the words, within a limit, and write their sums to an
argument. The few functions at the end are single instructions.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

LANES = 64

I8, I16, I32, I64 = (ir.IntType(bits) for bits in (8, 16, 32, 64))
F32 = ir.FloatType()


def vector_of(element: Any, lanes: int = LANES) -> Any:
    """Return the type of a vector of so many elements."""
    return ir.VectorType(element, lanes)


def pointer_to(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """Return a pointer to the items of an array."""
    return context.make_array(kind)(context, builder, array).data


def fields_of(context: Any, builder: Any, kind: Any, record: Any, *names: str) -> list[Any]:
    """Return pointers to the items of arrays that are fields of a named tuple."""
    places = [kind.fields.index(name) for name in names]
    return [pointer_to(context, builder, kind[place], builder.extract_value(record, place)) for place in places]


def load_lanes(builder: Any, pointer: Any, element: Any, lanes: int = LANES) -> Any:
    """Load so many elements from an unaligned address."""
    value = builder.load(builder.bitcast(pointer, vector_of(element, lanes).as_pointer()))
    value.align = 1
    return value


def store_lanes(builder: Any, value: Any, pointer: Any) -> None:
    """Store a vector at an unaligned address."""
    builder.store(value, builder.bitcast(pointer, value.type.as_pointer())).align = 1


def splat(builder: Any, value: Any, lanes: int = LANES) -> Any:
    """Return a vector with the same value in every lane."""
    vector = vector_of(value.type, lanes)
    undefined = ir.Constant(vector, ir.Undefined)
    first = builder.insert_element(undefined, value, ir.Constant(I32, 0))
    return builder.shuffle_vector(first, undefined, ir.Constant(vector_of(I32, lanes), [0] * lanes))


def times_lanes(builder: Any, index: Any) -> Any:
    """Return the offset of the lanes of an index."""
    return builder.mul(index, ir.Constant(I64, LANES))


def accumulate(builder: Any, bounds: tuple[Any, Any], start: Any, sums: Any, step: Any) -> Any:
    """Loop over the columns with the 64 sums in registers, and store them at the end."""
    slot = cgutils.alloca_once(builder, start.type)
    builder.store(start, slot)
    with cgutils.for_range_slice(builder, *bounds, ir.Constant(I64, 1), intp=I64) as (column, _):
        builder.store(step(column, builder.load(slot)), slot)
    total = builder.load(slot)
    store_lanes(builder, total, sums)
    return total


PLANES = 7  # bits of a count of mismatches, if there are few bitmaps or the limit is small
MOST = (1 << PLANES) - 1
MANY_PLANES = 18  # the same if there are many and it is large; no table has more bitmaps
_EIGHTS = MOST >> 3  # counts of so many times eight bitmaps fit in 7 bits


def _full_adder(builder: Any, total: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """Return the sum and the carry of three bits."""
    either = builder.xor(a, b)
    return builder.xor(total, either), builder.or_(builder.and_(a, b), builder.and_(total, either))


def _add_eight(builder: Any, data: Any, offset: Any, chosen: Any, eight: Any, slots: list[Any]) -> Any:
    """Add eight bitmaps to the counts in 7 planes, by full adders (Harley and Seal); return the carry."""
    ones = []
    for i in range(8):
        at = builder.or_(builder.shl(eight, ir.Constant(I64, 3)), ir.Constant(I64, i))
        row = builder.sext(builder.load(builder.gep(chosen, [at])), I64)
        word = builder.add(offset, builder.shl(row, ir.Constant(I64, 3)))
        ones.append(load_lanes(builder, builder.gep(data, [word]), I64, 8))
    carried = ones
    for plane in range(3):
        total = builder.load(slots[plane])
        carries = []
        for a, b in zip(carried[::2], carried[1::2], strict=True):
            total, carry = _full_adder(builder, total, a, b)
            carries.append(carry)
        builder.store(total, slots[plane])
        carried = carries
    carry = carried[0]
    for plane in range(3, PLANES):
        total = builder.load(slots[plane])
        builder.store(builder.xor(total, carry), slots[plane])
        carry = builder.and_(total, carry)
    return carry


def _bits_of(builder: Any, value: Any, plane: int) -> Any:
    """Return a vector with bit `plane` of a number in every bit."""
    bit = builder.and_(builder.lshr(value, ir.Constant(I64, plane)), ir.Constant(I64, 1))
    return splat(builder, builder.neg(bit), 8)


def _hand_counts(builder: Any, slots: list[Any], over: Any, counters: Any, result: Any) -> Any:
    """Write the planes and the rows that are not above the limit; return which words have such rows."""
    for plane, slot in enumerate(slots):
        store_lanes(builder, builder.load(slot), builder.gep(counters, [ir.Constant(I64, plane * 8)]))
    mask = builder.not_(over)
    store_lanes(builder, mask, result)
    some = builder.icmp_unsigned("!=", mask, ir.Constant(mask.type, None))
    return builder.zext(builder.bitcast(some, I8), I64)


@intrinsic
def count_mismatches(
    typing: Any, bits: Any, offset: Any, rows: Any, count: Any, limit: Any, within: Any, planes: Any
) -> Any:
    """Count for 512 rows, bit by bit, how many of `count` bitmaps are set; return which words have rows within limit.

    ``bits[offset + rows[i] * 8 + word]``, count a multiple of 8. Word w of `within` is set to the rows of block w in
    which at most `limit` (up to 127) bitmaps are set, and ``planes[i * 8 + w]`` to bit i of 127 - limit + count. Eight
    bitmaps at a time take 20 operations for 8 x 512 values.
    """
    signature = types.uint64(bits, offset, rows, count, limit, within, planes)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data, chosen, result, counters = (
            pointer_to(context, builder, signature.args[i], args[i]) for i in (0, 2, 5, 6)
        )
        vector = ir.VectorType(I64, 8)
        # The count starts at 127 - limit: it overflows above the limit, so no comparison is needed.
        start = builder.sub(ir.Constant(I64, MOST), args[4])
        slots = [cgutils.alloca_once(builder, vector) for _ in range(PLANES)]
        for plane, slot in enumerate(slots):
            builder.store(_bits_of(builder, start, plane), slot)
        over = cgutils.alloca_once(builder, vector)
        builder.store(ir.Constant(vector, None), over)
        eights = builder.lshr(args[3], ir.Constant(I64, 3))
        with cgutils.for_range(builder, eights, intp=I64) as loop:
            carry = _add_eight(builder, data, args[1], chosen, loop.index, slots)
            builder.store(builder.or_(builder.load(over), carry), over)
        return _hand_counts(builder, slots, builder.load(over), counters, result)

    return signature, generate


@intrinsic
def count_many_mismatches(
    typing: Any, bits: Any, offset: Any, rows: Any, count: Any, limit: Any, within: Any, planes: Any
) -> Any:
    """Count as `count_mismatches` does, up to any limit; ``planes[i * 8 + w]`` gets bit i of the count itself.

    Runs of at most 120 bitmaps are counted in 7 planes, which are then added to the 18 of the sum.
    """
    signature = types.uint64(bits, offset, rows, count, limit, within, planes)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data, chosen, result, counters = (
            pointer_to(context, builder, signature.args[i], args[i]) for i in (0, 2, 5, 6)
        )
        vector = ir.VectorType(I64, 8)
        zero, one, run = ir.Constant(vector, None), ir.Constant(I64, 1), ir.Constant(I64, _EIGHTS)
        slots = [cgutils.alloca_once(builder, vector) for _ in range(PLANES)]
        totals = [cgutils.alloca_once(builder, vector) for _ in range(MANY_PLANES)]
        for slot in totals:
            builder.store(zero, slot)
        eights = builder.lshr(args[3], ir.Constant(I64, 3))
        with cgutils.for_range_slice(builder, ir.Constant(I64, 0), eights, run, intp=I64) as (first, _):
            for slot in slots:
                builder.store(zero, slot)
            end = builder.add(first, run)
            end = builder.select(builder.icmp_signed("<", end, eights), end, eights)
            with cgutils.for_range_slice(builder, first, end, one, intp=I64) as (eight, _):
                _add_eight(builder, data, args[1], chosen, eight, slots)
            carry = zero
            for plane, slot in enumerate(totals):
                counted = builder.load(slots[plane]) if plane < PLANES else zero
                total, carry = _full_adder(builder, builder.load(slot), counted, carry)
                builder.store(total, slot)
        over = zero  # whether the planes so far are greater than those of the limit
        for plane, slot in enumerate(totals):
            have, most = builder.load(slot), _bits_of(builder, args[4], plane)
            differ = builder.xor(have, most)
            over = builder.or_(builder.and_(have, differ), builder.and_(over, builder.not_(differ)))
        return _hand_counts(builder, totals, over, counters, result)

    return signature, generate


@intrinsic
def add_bounds(typing: Any, table: Any, offset: Any, rows: Any, count: Any, limit: Any, sums: Any) -> Any:
    """Add up the rows ``rows[:count]`` of a table of bounds to uint16 sums of 64 blocks, at most 65,535.

    ``table[offset + rows[column] * 64 + lane]``: the minimum cost of the column between the query and block `lane`.
    """
    signature = types.uint64(table, offset, rows, count, limit, sums)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data, chosen, total = (pointer_to(context, builder, signature.args[i], args[i]) for i in (0, 2, 5))

        def step(column: Any, running: Any) -> Any:
            row = builder.sext(builder.load(builder.gep(chosen, [column])), I64)
            at = builder.add(args[1], times_lanes(builder, row))
            return builder.add(running, load_lanes(builder, builder.gep(data, [at]), I16))

        sums_ = accumulate(builder, (ir.Constant(I64, 0), args[3]), ir.Constant(vector_of(I16), None), total, step)
        within = builder.icmp_unsigned("<=", sums_, splat(builder, builder.trunc(args[4], I16)))
        return builder.bitcast(within, I64)

    return signature, generate


RUN = 16  # values that are compared at once


@intrinsic
def count_at_most(typing: Any, values: Any, begin: Any, end: Any, most: Any) -> Any:
    """Count ``values[begin:end]`` that are at most `most`; RUN - 1 more values from `end` on must be readable."""
    signature = types.int64(values, begin, end, most)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data, bound = pointer_to(context, builder, signature.args[0], args[0]), splat(builder, args[3], RUN)
        count = cgutils.alloca_once_value(builder, ir.Constant(I64, 0))
        with cgutils.for_range_slice(builder, args[1], args[2], ir.Constant(I64, RUN), intp=I64) as (at, _):
            have = load_lanes(builder, builder.gep(data, [at]), F32, RUN)
            left = splat(builder, builder.trunc(builder.sub(args[2], at), I32), RUN)
            wanted = builder.icmp_signed("<", ir.Constant(vector_of(I32, RUN), list(range(RUN))), left)
            within = builder.and_(builder.fcmp_ordered("<=", have, bound), wanted)
            more = builder.zext(builder.ctpop(builder.bitcast(within, I16)), I64)
            builder.store(builder.add(builder.load(count), more), count)
        return builder.load(count)

    return signature, generate


def _numeric(squared: bool) -> Any:
    """Return the function that adds squares or absolute values of differences."""

    @intrinsic
    def add_differences(
        typing: Any,
        values: Any,
        offset: Any,
        query: Any,
        start: Any,
        caps: Any,
        begin: Any,
        end: Any,
        limit: Any,
        sums: Any,
    ) -> Any:
        """Add the cost of columns begin to end to the float32 sums of 64 rows; 0 if a side is missing.

        ``values[offset + column * 64 + lane]`` against ``query[start + column]``; an absolute difference costs at most
        ``caps[column]``, a square is not limited.
        """
        signature = types.uint64(values, offset, query, start, caps, begin, end, limit, sums)

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data, asked, most, total = (pointer_to(context, builder, signature.args[i], args[i]) for i in (0, 2, 4, 8))
            zero = ir.Constant(vector_of(F32), None)
            name, kind = f"llvm.fabs.v{LANES}f32", ir.FunctionType(vector_of(F32), [vector_of(F32)])
            magnitude = cgutils.get_or_insert_function(builder.module, kind, name)

            def step(column: Any, running: Any) -> Any:
                at = builder.add(args[1], times_lanes(builder, column))
                have = load_lanes(builder, builder.gep(data, [at]), F32)
                want = splat(builder, builder.load(builder.gep(asked, [builder.add(args[3], column)])))
                gap = builder.fsub(have, want)
                cost = builder.fmul(gap, gap) if squared else builder.call(magnitude, [gap])
                if not squared:
                    cap = splat(builder, builder.load(builder.gep(most, [column])))
                    cost = builder.select(builder.fcmp_ordered("<", cap, cost), cap, cost)
                present = builder.fcmp_ordered(">", cost, zero)  # false for NaN: missing values are counted elsewhere
                return builder.fadd(running, builder.select(present, cost, zero))

            sums_ = accumulate(builder, (args[5], args[6]), load_lanes(builder, total, F32), total, step)
            within = builder.fcmp_ordered("<=", sums_, splat(builder, args[7]))
            return builder.bitcast(within, I64)

        return signature, generate

    return add_differences


add_squares = _numeric(True)
add_absolutes = _numeric(False)


def _priced(builder: Any, data: Any, word: Any, plane: Any, value: Any, counts: Any) -> Any:
    """Add the value of bit `plane` of the counts of a word."""
    at = builder.add(word, builder.shl(plane, ir.Constant(I64, 3)))
    bits = builder.bitcast(builder.load(builder.gep(data, [at])), ir.VectorType(ir.IntType(1), LANES))
    return builder.fadd(counts, builder.select(bits, value, ir.Constant(vector_of(F32), None)))


@intrinsic
def price_counts(typing: Any, planes: Any, word: Any, start: Any, price: Any, sums: Any) -> Any:
    """Set the float32 sums of 64 rows to the cost of their mismatches: ``(count - start) * price``.

    The counts are those of `count_mismatches` in `planes`; they are whole numbers until multiplied.
    """
    signature = types.void(planes, word, start, price, sums)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data, total = (pointer_to(context, builder, signature.args[i], args[i]) for i in (0, 4))
        counts = splat(builder, builder.fneg(builder.sitofp(args[2], F32)))
        for plane in range(PLANES):
            value = ir.Constant(vector_of(F32), [float(1 << plane)] * LANES)
            counts = _priced(builder, data, args[1], ir.Constant(I64, plane), value, counts)
        store_lanes(builder, builder.fmul(counts, splat(builder, args[3])), total)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def price_many_counts(typing: Any, planes: Any, word: Any, used: Any, price: Any, sums: Any) -> Any:
    """Do the same with the counts of `count_many_mismatches` in the first `used` planes; all others are 0."""
    signature = types.void(planes, word, used, price, sums)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data, total = (pointer_to(context, builder, signature.args[i], args[i]) for i in (0, 4))

        def step(plane: Any, running: Any) -> Any:
            value = splat(builder, builder.uitofp(builder.shl(ir.Constant(I64, 1), plane), F32))
            return _priced(builder, data, args[1], plane, value, running)

        bounds = ir.Constant(I64, 0), args[2]
        counts = accumulate(builder, bounds, ir.Constant(vector_of(F32), None), total, step)
        store_lanes(builder, builder.fmul(counts, splat(builder, args[3])), total)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def lowest(typing: Any, mask: Any) -> Any:
    """Return the position of the lowest set bit of a uint64 that is not 0."""
    signature = types.int64(mask)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return signature, generate


@intrinsic
def population(typing: Any, mask: Any) -> Any:
    """Return the number of set bits of a uint64."""
    signature = types.int64(mask)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return signature, generate


@intrinsic
def prefetch(typing: Any, array: Any, begin: Any, end: Any) -> Any:
    """Prefetch the 64-byte lines of ``array[begin:end]`` into the L2 cache, as one stream."""
    signature = types.void(array, begin, end)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = signature.args[0]
        data = pointer_to(context, builder, kind, args[0])
        step = 64 * 8 // kind.dtype.bitwidth
        byte = I8.as_pointer()
        call = builder.module.declare_intrinsic(
            "llvm.prefetch", (byte,), ir.FunctionType(ir.VoidType(), (byte, I32, I32, I32))
        )
        hints = [ir.Constant(I32, value) for value in (0, 2, 1)]  # read, L2 cache, data
        with cgutils.for_range_slice(builder, args[1], args[2], ir.Constant(I64, step), intp=I64) as (at, _):
            builder.call(call, [builder.bitcast(builder.gep(data, [at]), byte), *hints])
        return context.get_dummy_value()

    return signature, generate
