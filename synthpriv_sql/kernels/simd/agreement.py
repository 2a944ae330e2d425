"""The loops where the time goes, as LLVM vectors of 64 lanes: 64 rows, or 64 blocks, at once, a byte each.

Costs are whole units of a query's own, a byte a lane, or two for many columns, added with saturation: a lane that is
full stays above any limit.
All return the mask of the lanes whose sum is within a limit.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from synthpriv_sql.kernels.simd.lanes import (
    I8,
    I16,
    I64,
    LANES,
    accumulate,
    fields_of,
    load_lanes,
    pointer_to,
    splat,
    store_lanes,
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


_ENTRY = "column", "byte", "span", "price"  # of the fields of `Entries`, those that are read here


_AT_ONCE = 4  # bytes of an interval that are read without a loop, whose end would be guessed wrong too often


def _present(builder: Any, table: Any, row: Any, span: Any) -> Any:
    """Return which of 64 blocks have one of the bytes of an interval: the words from ``row - span`` to ``row``."""

    def word(below: Any) -> Any:
        return builder.load(builder.gep(table, [builder.sub(row, below)]))

    slot = cgutils.alloca_once(builder, I64)
    found = builder.load(builder.gep(table, [row]))
    for i in range(1, _AT_ONCE):
        below = ir.Constant(I64, i)
        found = builder.or_(found, word(builder.select(builder.icmp_unsigned("<", span, below), span, below)))
    builder.store(found, slot)
    rest = ir.Constant(I64, _AT_ONCE), builder.add(span, ir.Constant(I64, 1))
    with cgutils.for_range_slice(builder, *rest, ir.Constant(I64, 1), intp=I64) as (below, _):
        builder.store(builder.or_(builder.load(slot), word(below)), slot)
    return builder.load(slot)


@intrinsic
def price_words(
    typing: Any,
    table: Any,
    offset: Any,
    rows: Any,
    spans: Any,
    prices: Any,
    place: Any,
    intervals: Any,
    count: Any,
    limit: Any,
    sums: Any,
) -> Any:
    """Add up what 64 blocks cost: each ``prices[place + i]`` unless it has a byte of entry i.

    ``table[offset + rows[place + i]]`` says which blocks have the byte; for each of the first `intervals` entries, so
    do the ``spans[place + i]`` words before it.
    """
    signature = types.uint64(table, offset, rows, spans, prices, place, intervals, count, limit, sums)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        there, first, span, cost, total = (
            pointer_to(context, builder, signature.args[i], args[i]) for i in (0, 2, 3, 4, 9)
        )
        running = cgutils.alloca_once(builder, vector_of(I8))
        builder.store(_NOTHING, running)
        for interval, bounds in ((True, (ir.Constant(I64, 0), args[6])), (False, (args[6], args[7]))):
            with cgutils.for_range_slice(builder, *bounds, ir.Constant(I64, 1), intp=I64) as (i, _):
                at = builder.add(args[5], i)
                row = builder.add(args[1], builder.sext(builder.load(builder.gep(first, [at])), I64))
                if interval:
                    word = _present(builder, there, row, builder.zext(builder.load(builder.gep(span, [at])), I64))
                else:
                    word = builder.load(builder.gep(there, [row]))
                lacking = builder.bitcast(builder.not_(word), _BITS)
                builder.store(_add(builder, builder.load(running), _byte(builder, cost, at), lacking), running)
        sums_ = builder.load(running)
        store_lanes(builder, sums_, total)
        within = builder.icmp_unsigned("<=", sums_, splat(builder, builder.trunc(args[8], I8)))
        return builder.bitcast(within, I64)

    return signature, generate


FOUR = 4  # blocks whose rows are priced together


def _four(interval: bool, follows: bool = False, kept: bool = True) -> Any:
    """Make the function that prices the rows of four blocks by equality, or by an interval.

    Sums begin with nothing unless it follows another, and are written unless they are not kept.
    """

    @intrinsic
    def within_four(
        typing: Any,
        rows: Any,
        offsets: Any,
        entries: Any,
        place: Any,
        begin: Any,
        end: Any,
        limit: Any,
        sums: Any,
        masks: Any,
    ) -> Any:
        """Add what the rows of four blocks cost to their sums, and write to `masks` which cost at most `limit` in all.

        The arguments are those of `price`; ``offsets[k]`` is that of block k, whose sums begin at ``sums[k * 64]``.
        What is known of a query is loaded once for all four, whose sums do not wait for each other.
        """
        signature = types.void(rows, offsets, entries, place, begin, end, limit, sums, masks)

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data, offset, total, result = (
                pointer_to(context, builder, signature.args[i], args[i]) for i in (0, 1, 7, 8)
            )
            column, high, span, cost = fields_of(context, builder, signature.args[2], args[2], *_ENTRY)
            blocks = [
                builder.gep(data, [builder.load(builder.gep(offset, [ir.Constant(I64, k)]))]) for k in range(FOUR)
            ]
            totals = [builder.gep(total, [ir.Constant(I64, k * LANES)]) for k in range(FOUR)]
            running = [cgutils.alloca_once(builder, vector_of(I8)) for _ in range(FOUR)]
            for each, slot in zip(totals, running, strict=True):
                builder.store(load_lanes(builder, each, I8) if follows else _NOTHING, slot)
            with cgutils.for_range_slice(builder, args[4], args[5], ir.Constant(I64, 1), intp=I64) as (i, _):
                at = builder.add(args[3], i)
                where = times_lanes(builder, builder.zext(builder.load(builder.gep(column, [at])), I64))
                wanted, most = _byte(builder, high, at), _byte(builder, cost, at)
                width = _byte(builder, span, at) if interval else None
                for block, slot in zip(blocks, running, strict=True):
                    have = load_lanes(builder, builder.gep(block, [where]), I8)
                    differs = _differs(builder, wanted, have, width)
                    builder.store(_add(builder, builder.load(slot), most, differs), slot)
            most = splat(builder, builder.trunc(args[6], I8))
            for k, slot in enumerate(running):
                sums_ = builder.load(slot)
                if kept:
                    store_lanes(builder, sums_, totals[k])
                within = builder.bitcast(builder.icmp_unsigned("<=", sums_, most), I64)
                builder.store(within, builder.gep(result, [ir.Constant(I64, k)]))
            return context.get_dummy_value()

        return signature, generate

    return within_four


def _differs(builder: Any, wanted: Any, have: Any, width: Any) -> Any:
    """Return where a byte is not the one that is wanted, nor at most `width` below it."""
    if width is None:
        return builder.icmp_unsigned("!=", wanted, have)
    return builder.icmp_unsigned(">", builder.sub(wanted, have), width)


def _bytes(interval: bool, unit: Any) -> Any:
    """Make the function that prices rows by equality, or by an interval, in units of so many bits."""

    @intrinsic
    def price(
        typing: Any,
        rows: Any,
        offset: Any,
        entries: Any,
        place: Any,
        begin: Any,
        end: Any,
        limit: Any,
        sums: Any,
    ) -> Any:
        """Add what 64 rows cost in the columns of a query from `begin` to `end` to their sums.

        ``rows[offset + column[place + i] * 64 + lane]`` costs ``price[place + i]`` unless it is ``byte[place + i]``, or
        at most ``span[place + i]`` below that; the four are arrays of `entries`.
        """
        signature = types.uint64(rows, offset, entries, place, begin, end, limit, sums)

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data, total = (pointer_to(context, builder, signature.args[i], args[i]) for i in (0, 7))
            column, high, span, cost = fields_of(context, builder, signature.args[2], args[2], *_ENTRY)

            def step(i: Any, running: Any) -> Any:
                at = builder.add(args[3], i)
                where = builder.zext(builder.load(builder.gep(column, [at])), I64)
                have = load_lanes(builder, builder.gep(data, [builder.add(args[1], times_lanes(builder, where))]), I8)
                wanted = _byte(builder, high, at)
                differs = _differs(builder, wanted, have, _byte(builder, span, at) if interval else None)
                return _add(builder, running, _byte(builder, cost, at), differs)

            sums_ = accumulate(builder, (args[4], args[5]), load_lanes(builder, total, unit), total, step)
            within = builder.icmp_unsigned("<=", sums_, splat(builder, builder.trunc(args[6], unit)))
            return builder.bitcast(within, I64)

        return signature, generate

    return price


@intrinsic
def take_sums(typing: Any, fours: Any, block: Any, sums: Any) -> Any:
    """Copy the sums of one of four blocks to `sums`."""
    signature = types.void(fours, block, sums)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        found, total = (pointer_to(context, builder, signature.args[i], args[i]) for i in (0, 2))
        store_lanes(builder, load_lanes(builder, builder.gep(found, [times_lanes(builder, args[1])]), I8), total)
        return context.get_dummy_value()

    return signature, generate


price_equal, price_near = _bytes(False, I8), _bytes(True, I8)
near_in_four, equal_after_near = _four(True), _four(False, follows=True)
equal_in_four = _four(False, kept=False)
price_equal_finely, price_near_finely = _bytes(False, I16), _bytes(True, I16)
