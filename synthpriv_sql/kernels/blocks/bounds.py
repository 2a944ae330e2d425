"""Lower bounds of the cost between a query and 64 blocks at once, read from tables.

For every column the values are cut into buckets (the byte of a category, an interval of numbers). A table holds, per
bucket and block of rows, what that column costs at least between a value in the bucket and any row of the block, in
units of uint16 that round down. The bound of a query against 64 blocks is then the sum of one table row per column:
two vector additions a column. A second table does the same for superblocks of 64 blocks, a third level is not needed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from synthpriv_sql.kernels.blocks.encode import UNSEEN, Encoded, Encoder
from synthpriv_sql.kernels.jit import F32, F64, I32, I64, U8, U16, U64, inner, kernel
from synthpriv_sql.kernels.layout import aligned
from synthpriv_sql.kernels.simd.lanes import RUN, count_at_most

LANES = 64
_SAMPLED = 32  # rows for each bucket of a number, from which its edges are learned
_COMPARED = 64  # so many edges are compared at once sooner than bisected, which mispredicts half of its branches


class Buckets(NamedTuple):
    """The buckets of every column, numbers first.

    base: int32 (p + c + 1,), the first table row of a column. edges: float32, the inner and outer edges of a number's
    intervals, one run per column from edge_start[column], and RUN more. A number's rows: one below each edge, one above
    the last, one for missing; a category's: one per byte, one for a byte that the reference lacks.
    """

    base: I32
    edges: F32
    edge_start: I64


@kernel
def _ends(values: F32, low: F32, high: F32) -> None:
    """Find the least and the largest number of each column."""
    for i in range(len(values)):
        for j in range(values.shape[1]):
            value = values[i, j]
            if value == value:
                low[j], high[j] = min(low[j], value), max(high[j], value)


def buckets(reference: Encoded, widest: int) -> Buckets:
    """Cut the columns of a reference into buckets, numbers at evenly spread ranks into at most `widest`."""
    sizes: list[int] = []
    edges: list[F32] = []
    values = reference.values
    low, high = np.full(values.shape[1], np.inf, np.float32), np.full(values.shape[1], -np.inf, np.float32)
    _ends(values, low, high)
    ordered = np.sort(values[:: max(1, len(values) // (_SAMPLED * widest))].T, axis=1)  # missing numbers are the last
    known = (ordered == ordered).sum(axis=1)
    for j, column in enumerate(ordered):
        sample = column[: known[j]] if known[j] else np.zeros(1, np.float32)
        ranks = np.arange(min(widest, len(sample))) * (len(sample) - 1) // max(1, min(widest, len(sample)) - 1)
        cut = sample[ranks]
        if known[j]:
            cut[0], cut[-1] = low[j], high[j]
        edges.append(cut[np.append(True, cut[1:] > cut[:-1])])
        sizes.append(len(edges[-1]) + 2)
    for j in range(reference.codes.shape[1]):
        sizes.append(int(reference.codes[:, j].max(initial=0)) + 2)
    starts = np.concatenate(([0], np.cumsum([len(edge) for edge in edges], dtype=np.int64)))
    return Buckets(
        np.concatenate(([0], np.cumsum(sizes))).astype(np.int32),
        np.concatenate([*edges, np.full(RUN, np.inf, np.float32)]),
        starts.astype(np.int64),
    )


@inner
def choose_rows(values: F32, codes: U8, query: int, base: I32, edges: F32, edge_start: I64, rows: I32) -> None:
    """Write the table row of every column of a query to `rows`."""
    numbers = values.shape[1]
    for j in range(numbers):
        value = values[query, j]
        if value != value:
            rows[j] = base[j + 1] - 1
            continue
        low, high = edge_start[j], edge_start[j + 1]
        while high - low > _COMPARED:
            middle = (low + high) >> 1
            if edges[middle] <= value:
                low = middle + 1
            else:
                high = middle
        rows[j] = base[j] + low - edge_start[j] + count_at_most(edges, low, high, value)
    for j in range(codes.shape[1]):
        code = codes[query, j]
        rows[numbers + j] = base[numbers + j + 1] - 1 if code == UNSEEN else base[numbers + j] + code


@kernel
def _fill(
    values: F32,
    codes: U8,
    costs: F64,
    caps: F64,
    power: int,
    starts: I64,
    base: I32,
    edges: F32,
    edge_start: I64,
    unit: float,
    most: int,
    table: U16,
) -> None:
    """Fill the table (blocks / 64, rows, 64) of rows in leaf order."""
    numbers = values.shape[1]
    for block in range(len(starts) - 1):
        superblock, lane = block >> 6, block & 63
        first, last = starts[block], starts[block + 1]
        for j in range(numbers):
            low, high = np.float64(np.inf), -np.float64(np.inf)
            for i in range(first, last):
                value = values[i, j]
                if value != value:
                    low, high = -np.float64(np.inf), np.float64(np.inf)
                    break
                low, high = min(low, value), max(high, value)
            count = edge_start[j + 1] - edge_start[j]
            for bucket in range(count + 1):
                below = edges[edge_start[j] + bucket - 1] if bucket > 0 else -np.float64(np.inf)
                above = edges[edge_start[j] + bucket] if bucket < count else np.float64(np.inf)
                gap = max(low - above, below - high, 0.0)
                cost = gap * gap if power == 2 else gap
                cost = min(cost, caps[j])
                table[superblock, base[j] + bucket, lane] = np.int64(min(np.float64(most), cost / unit))
        for j in range(codes.shape[1]):
            row = base[numbers + j]
            cost = np.uint16(min(np.float64(most), costs[j] / unit))
            for bucket in range(row, base[numbers + j + 1]):
                table[superblock, bucket, lane] = cost
            for i in range(first, last):
                table[superblock, row + codes[i, j], lane] = 0


@kernel
def _coarsen(table: U16, blocks: int, coarse: U16) -> None:
    """Fill the table of superblocks of 64 blocks: the least cost of their blocks."""
    for superblock in range(table.shape[0]):
        lanes = min(64, blocks - superblock * 64)
        for row in range(table.shape[1]):
            least = table[superblock, row, 0]
            for lane in range(1, lanes):
                least = min(least, table[superblock, row, lane])
            coarse[superblock >> 6, row, superblock & 63] = least


def unit_of(encoder: Encoder, reference: Encoded) -> tuple[float, int]:
    """Return the cost of one unit of the tables, and the most units that one column may cost.

    Sums over all columns stay below 65,536: beyond, they would start anew at 0 and rule nothing out.
    """
    columns = reference.values.shape[1] + reference.codes.shape[1]
    most = 65535 // max(columns, 1)
    costs = encoder.costs
    useful = float(costs.max(initial=0.0))
    if reference.values.shape[1]:
        sample = reference.values[:: max(1, len(reference.values) // 4096)].astype(np.float64)
        spread = np.nan_to_num(np.abs(sample) ** encoder.power)  # values are centered
        useful = max(useful, float(spread.mean(axis=0).sum()))
        useful = max(float(costs.max(initial=0.0)), min(useful, float(encoder.caps.max())))
    if not useful > 0:
        return 1.0, most
    return useful / most, most


def tables(encoder: Encoder, reference: Encoded, starts: I64, cut: Buckets) -> tuple[U16, U16, float]:
    """Make the tables of blocks and of superblocks of 64 blocks, and the cost of one unit."""
    unit, most = unit_of(encoder, reference)
    blocks = len(starts) - 1
    superblocks = -(-blocks // LANES)
    rows = max(int(cut.base[-1]), 1)
    fine = aligned((superblocks, rows, LANES), np.uint16)
    _fill(
        reference.values, reference.codes, encoder.costs, encoder.caps, encoder.power, starts, *cut, unit, most, fine
    )  # fmt: skip
    coarse = aligned((-(-superblocks // LANES), rows, LANES), np.uint16)
    _coarsen(fine, blocks, coarse)
    return fine, coarse, unit


@kernel
def _mark(codes: U8, starts: I64, first: I64, out: U64) -> None:
    for block in range(len(starts) - 1):
        eight, word = block >> 3, block & 7
        for i in range(starts[block], starts[block + 1]):
            bit = np.uint64(1) << np.uint64(i - starts[block])
            for j in range(codes.shape[1]):
                out[eight, first[j] + codes[i, j], word] &= ~bit


def bitmaps(reference: Encoded, starts: I64, cut: Buckets) -> U64:
    """Make, per category and eight blocks, the bitmaps of the rows that differ, and after them one of zeros.

    Returns
    -------
    bits : uint64 (eights, table rows of categories + 1, 8)
    """
    first = cut.base[reference.values.shape[1] :].astype(np.int64)
    first -= first[0]
    out = aligned((-(-(len(starts) - 1) // 8), int(first[-1]) + 1, 8), np.uint64)
    out[:, :-1] = ~np.uint64(0)
    _mark(reference.codes, starts, first, out)
    return out
