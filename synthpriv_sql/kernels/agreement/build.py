"""From synthetic rows to the blocks that are searched."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from synthpriv_sql.kernels.agreement.listed import write_bytes
from synthpriv_sql.kernels.agreement.shares import Shares
from synthpriv_sql.kernels.agreement.state import NONE, SEEN, Blocks, Entries, State
from synthpriv_sql.kernels.agreement.wide import WIDE, Rows, WideState
from synthpriv_sql.kernels.blocks.distinct import distinct
from synthpriv_sql.kernels.blocks.tree import BLOCK, Tree, grow
from synthpriv_sql.kernels.jit import F32, I32, I64, U8, U64, kernel
from synthpriv_sql.kernels.layout import Records, aligned, by_block
from synthpriv_sql.kernels.simd.agreement import FOUR
from synthpriv_sql.kernels.threads import Workers, distribute, together

RARE = 32  # a value of at most so many rows has a list of these rows
LISTED = 32  # maximum number of byte columns by which rows on lists are priced
_FREQUENT = 254  # maximum number of values of a column with a byte of their own; number of intervals of a column


def group_equal(codes: I32, threads: int) -> tuple[I64, I64]:
    """Return the first row of each group of equal rows, and the group of each row."""
    return distinct(Records(np.empty((len(codes), 0)), codes), threads)


class _Column(NamedTuple):
    """The encoding of one column, by code; rows are those of its lists, one list after the other."""

    equal: U8
    near: U8
    rare: I32  # the list among those of the column, or -1
    frequent: int  # bytes of values, 0 if none has one
    intervals: int  # bytes of intervals, 0 if no values are near
    lengths: I64
    rows: I32


def _column(codes: I32, shares: Shares, j: int) -> _Column:
    here = slice(int(shares.base[j]), int(shares.base[j + 1]))
    size = here.stop - here.start
    equal, near, rare = np.full(size, NONE, np.uint8), np.full(size, NONE, np.uint8), np.full(size, -1, np.int32)
    counts = np.bincount(codes[:, j], minlength=size)
    asked = (counts > 0) & (shares.equal[here] > 0)
    ranked = np.argsort(-counts, kind="stable")
    frequent = ranked[(asked & (counts > RARE))[ranked]][:_FREQUENT]
    equal[frequent] = np.arange(len(frequent))
    asked[frequent] = False
    listed = np.flatnonzero(asked)
    rare[listed] = np.arange(len(listed))
    lengths = counts[listed]
    rows = np.flatnonzero(asked[codes[:, j]]) if len(listed) else np.zeros(0, np.int64)
    rows = rows[np.argsort(codes[rows, j], kind="stable")]
    intervals = 0
    if (shares.high[here] >= shares.low[here]).any():
        counts[0] = 0  # a missing value is near no other
        below = np.cumsum(counts) - counts
        near[:] = (below * _FREQUENT // max(int(counts.sum()), 1)).clip(max=_FREQUENT - 1)
        intervals = int(near.max()) + 1
        near[0] = NONE
    return _Column(equal, near, rare, len(frequent), intervals, lengths, rows.astype(np.int32))


class Bytes:
    """The encoding of synthetic rows: bytes of frequent values, intervals, and lists of rows with rare values.

    Attributes
    ----------
    equal, near : uint8, rare : int32
        By code, as in `Shares`.
    equal_column, near_column : int32 (columns,)
        The byte column of each column's values and intervals, or -1.
    sizes : list of int
        Number of distinct bytes, per byte column.
    """

    def __init__(self, codes: I32, shares: Shares, threads: int) -> None:
        columns, total = codes.shape[1], int(shares.base[-1])
        self.equal, self.near = np.full(total, NONE, np.uint8), np.full(total, NONE, np.uint8)
        self.rare = np.full(total, -1, np.int32)
        self.equal_column, self.near_column = np.full(columns, -1, np.int32), np.full(columns, -1, np.int32)
        self.sizes: list[int] = []
        works = [partial(_column, codes, shares, j) for j in range(columns)]
        found = together(len(codes), threads, *works)
        lists = 0
        for j, column in enumerate(found):
            here = slice(int(shares.base[j]), int(shares.base[j + 1]))
            self.equal[here], self.near[here] = column.equal, column.near
            self.rare[here] = np.where(column.rare >= 0, column.rare + lists, -1)
            lists += len(column.lengths)
            for places, size in ((self.equal_column, column.frequent), (self.near_column, column.intervals)):
                if size:
                    places[j] = len(self.sizes)
                    self.sizes.append(size)
        self.list_start = np.concatenate([[0], np.cumsum(np.concatenate([column.lengths for column in found]))])
        self.list_rows = np.concatenate([column.rows for column in found])

    def encode(self, codes: I32, shares: Shares, threads: int) -> U8:
        """Return the bytes of rows, uint8 (rows, byte columns)."""
        out = np.empty((len(codes), len(self.sizes)), np.uint8)

        def write(start: int, stop: int) -> None:
            for table, columns in ((self.equal, self.equal_column), (self.near, self.near_column)):
                for j, column in enumerate(columns):
                    if column >= 0:
                        out[start:stop, column] = table[shares.base[j] + codes[start:stop, j]]

        distribute(len(codes), threads, write)
        return out

    def telling(self, codes: I32, shares: Shares) -> I64:
        """Return at most `LISTED` byte columns, those whose values have the most bits on average."""
        bits = np.zeros(len(self.sizes))
        for worth, columns in ((shares.equal, self.equal_column), (shares.nearby, self.near_column)):
            for j, column in enumerate(columns):
                if column >= 0:
                    bits[column] = worth[shares.base[j] + codes[:, j]].mean()
        return np.sort(np.argsort(-bits, kind="stable")[:LISTED])

    def apart(self, rows: U8) -> tuple[F32, U8]:
        """Return bytes in the format of the tree: intervals as numbers from 0 to 2 (NaN if missing), and values."""
        # Both C-contiguous: for another layout, numba would compile the tree once more.
        intervals = np.ascontiguousarray(rows[:, self.near_column[self.near_column >= 0]])
        numbers = np.where(intervals == NONE, np.float32(np.nan), intervals / np.float32(_FREQUENT / 2))
        return numbers, np.ascontiguousarray(rows[:, self.equal_column[self.equal_column >= 0]])


def build(codes: I32, shares: Shares, first_record: int, workers: Workers) -> tuple[Bytes, Tree, Blocks | Rows]:
    """Order synthetic rows and build the tables of bounds, which are not used for rows of many bytes."""
    threads = workers.threads
    workers.raise_if_stopped()
    kept, same = group_equal(codes, threads)
    codes = codes[kept] if len(kept) < len(codes) else codes
    times = np.bincount(same, minlength=len(codes))
    workers.raise_if_stopped()
    known = Bytes(codes, shares, threads)
    encoded = known.encode(codes, shares, threads)
    workers.raise_if_stopped()
    if len(known.sizes) >= WIDE:
        return known, *_wide(codes, kept + first_record, times, known, encoded, workers)
    # Rows that differ only in rare values are found through the lists; in the blocks, the first represents all of them.
    compared = np.column_stack([encoded.astype(np.int32), codes[:, known.near_column >= 0]])
    chosen, group = group_equal(np.ascontiguousarray(compared, np.int32), threads)
    listed_columns = known.telling(codes, shares)
    list_bytes = _of_lists(encoded, known.list_rows, listed_columns, threads)
    list_place = np.full(len(known.sizes), -1, np.int32)
    list_place[listed_columns] = np.arange(len(listed_columns))
    workers.raise_if_stopped()
    order, starts, tree = _ordered(known, encoded[chosen], workers)
    first = np.concatenate([[0], np.cumsum(known.sizes)]).astype(np.int32)
    near = np.flatnonzero(known.near_column >= 0)
    encoded, between = together(
        len(order),
        threads,
        lambda: encoded[chosen[order]],
        lambda: np.ascontiguousarray(codes[np.ix_(chosen[order], near)]),
    )
    workers.raise_if_stopped()
    (there, coarse), in_blocks, members = together(
        len(order),
        threads,
        lambda: _tables(encoded, starts, first),
        lambda: by_block(encoded, starts, BLOCK),
        lambda: np.bincount(group, times, len(chosen)).astype(np.int64),
    )
    blocks = Blocks(
        codes=codes,
        records=kept + first_record,
        order=chosen[order],
        starts=starts,
        bytes=in_blocks,
        width=len(known.sizes),
        between=between,
        there=there,
        coarse=coarse,
        table_rows=max(int(first[-1]), 1),
        first=first[:-1],
        equal_column=known.equal_column,
        near_column=known.near_column,
        near_place=np.where(known.near_column >= 0, np.cumsum(known.near_column >= 0) - 1, -1).astype(np.int32),
        equal_byte=known.equal,
        near_byte=known.near,
        rare=known.rare,
        list_start=known.list_start,
        list_rows=known.list_rows,
        list_group=group[known.list_rows].astype(np.int32),
        list_bytes=list_bytes,
        list_width=len(listed_columns),
        list_place=list_place,
        times=times,
        group=group,
        members=members,
    )
    return known, tree, blocks


def _ordered(known: Bytes, encoded: U8, workers: Workers) -> tuple[I64, I64, Tree]:
    values, categories = known.apart(encoded)
    # All columns cost the same: weighted by bits, the tree would split by columns with many values, which predict the
    # other columns least.
    order, starts, tree = grow(
        values, categories, np.ones(categories.shape[1]), 1, workers.stop, threads=workers.threads
    )
    workers.raise_if_stopped()
    return order, starts, tree


def _wide(codes: I32, records: I64, times: I64, known: Bytes, encoded: U8, workers: Workers) -> tuple[Tree, Rows]:
    """Put all distinct rows into full blocks, whichever columns they differ in."""
    order, _, tree = _ordered(known, encoded, workers)
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    starts = np.append(np.arange(0, len(order), BLOCK), len(order))
    rows = Rows(
        codes=codes,
        records=records,
        order=order,
        bytes=by_block(encoded[order], starts, BLOCK),
        width=len(known.sizes),
        equal_column=known.equal_column,
        near_column=known.near_column,
        equal_byte=known.equal,
        near_byte=known.near,
        rare=known.rare,
        list_start=known.list_start,
        list_places=places[known.list_rows],
        times=times,
    )
    return tree, rows


@kernel
def _mark(rows: U8, starts: I64, first: I32, size: int, there: U64, coarse: U64) -> None:
    for block in range(len(starts) - 1):
        group = block >> 6
        bit = np.uint64(1) << np.uint64(block & 63)
        above = np.uint64(1) << np.uint64(group & 63)
        for i in range(starts[block], starts[block + 1]):
            for j in range(rows.shape[1]):
                if rows[i, j] != NONE:
                    row = first[j] + rows[i, j]
                    there[group * size + row] |= bit
                    coarse[(group >> 6) * size + row] |= above


def _tables(rows: U8, starts: I64, first: I32) -> tuple[U64, U64]:
    size = max(int(first[-1]), 1)
    groups = -(-(len(starts) - 1) // 64)
    there, coarse = aligned(groups * size, np.uint64), aligned(-(-groups // 64) * size, np.uint64)
    _mark(rows, starts, first, size, there, coarse)
    return there, coarse


def _of_lists(encoded: U8, rows: I32, columns: I64, threads: int) -> U8:
    """Return the bytes of the rows on all lists, concatenated, column by column in blocks of 64; flat."""
    blocks = -(-len(rows) // BLOCK)
    out = aligned((blocks, len(columns), BLOCK), np.uint8)

    def write(start: int, stop: int) -> None:
        write_bytes(encoded, rows, columns, start * BLOCK, min(stop * BLOCK, len(rows)), out)

    distribute(blocks, threads, write)
    return out.reshape(-1)


def _make_entries(shape: int | tuple[int, int], price: type) -> Entries:
    """Allocate the arrays of entries, whose prices are of type `price`."""
    kinds = (np.float64, np.uint16, np.uint8, np.uint8, price)
    return Entries(*(aligned(shape, kind) for kind in kinds))


def _shared(batch: int, columns: int, width: int, price: type) -> dict[str, Any]:
    """Allocate the arrays for a batch of queries that both searches have."""
    return {
        "codes": aligned((batch, columns), np.int32),
        "equal": aligned((batch, columns), np.float64),
        "nearby": aligned((batch, columns), np.float64),
        "low": aligned((batch, columns), np.int32),
        "high": aligned((batch, columns), np.int32),
        "own": aligned(batch, np.float64),
        "best": aligned(batch, np.float64),
        "record": aligned(batch, np.int64),
        "second": aligned(batch, np.float64),
        "seeks_second": aligned(1, np.uint8),
        "intervals": aligned(batch, np.int64),
        "entries": aligned(batch, np.int64),
        "priced": _make_entries((batch, width), price),
    }


def make_state(blocks: Blocks, batch: int) -> State:
    """Allocate the arrays of a thread that searches `batch` queries at a time."""
    groups = -(-(len(blocks.starts) - 1) // BLOCK)
    columns, width = blocks.codes.shape[1], blocks.width
    return State(
        **_shared(batch, columns, width, np.uint8),
        wanted=aligned((batch, columns), np.int32),
        left=aligned(batch, np.float64),
        begun=aligned(batch, np.int64),
        active=aligned(batch, np.uint8),
        far_cost=aligned(batch, np.float64),
        far_limit=aligned(batch, np.int64),
        far=aligned((groups, batch + 64), np.uint8),
        nearest=aligned(groups, np.int64),
        asking=aligned(batch, np.int64),
        group=aligned(batch, np.int64),
        masks=aligned(batch, np.uint64),
        row=aligned((batch, width), np.int32),
        four=aligned(FOUR, np.int64),
        fours=aligned(FOUR * BLOCK, np.uint8),
        within=aligned(FOUR, np.uint64),
        sums=aligned(BLOCK, np.uint8),
        seen=np.zeros(SEEN, np.uint32),
        turn=np.zeros(1, np.uint32),
        listed=_make_entries(LISTED, np.uint8),
    )


def make_wide_state(rows: Rows, batch: int) -> WideState:
    """Allocate the arrays of a thread that searches `batch` queries at a time in rows of many bytes."""
    columns, width, places = rows.codes.shape[1], rows.width, len(rows.order)
    start = aligned((batch, -(-places // BLOCK) * BLOCK), np.uint16)
    start[:, places:] = np.iinfo(np.uint16).max  # padding without rows
    return WideState(
        **_shared(batch, columns, width, np.uint16),
        total=aligned(batch, np.float64),
        limit=aligned(batch, np.int64),
        start=start,
        gain=aligned(places, np.float64),
        touched=aligned(places, np.int64),
        sums=aligned(BLOCK, np.uint16),
    )
